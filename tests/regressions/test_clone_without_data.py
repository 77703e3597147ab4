# SPDX-License-Identifier: MIT
"""A skip at the level of a module ended the collection of all end-to-end tests in a clone without the papers' data sets."""
import os
import subprocess
import sys

from conftest import ASKED, ROOT, once


def test_the_tests_are_collected_without_the_data_folder():
    run = subprocess.run([sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--collect-only", ROOT / "tests" / "e2e"],
                         capture_output=True, text=True, env={**os.environ, "RITZ_DATA": "/nonexistent"})
    assert run.returncode == 0, run.stdout
    assert "skipped" not in run.stdout.splitlines()[-1] and "error" not in run.stdout.splitlines()[-1]


def test_whoever_gets_what_was_made_of_the_data_sets_has_asked_for_them():
    """Only tests that asked are run without the data sets: none may be forgotten because another came first."""
    before = len(ASKED)
    make = once(ASKED.append)
    make("a set")
    make("a set")
    assert ASKED[before:] == ["a set"] * 2
    del ASKED[before:]
