# SPDX-License-Identifier: MIT
"""A task is one file and one row: tests/toy/mean_task.cpp, linked with the program, is a verb like any other."""
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import PROGRAM

TOY = PROGRAM.parents[1] / "tests" / "ritz_with_mean"
pytestmark = pytest.mark.skipif(not os.access(TOY, os.X_OK), reason=f"{TOY} is not built")


def toy(*args):
    return subprocess.run([TOY, *map(str, args)], capture_output=True, text=True)


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(3).normal(size=(20, 3))
    np.savetxt("x.csv", X, delimiter=",", fmt="%.17g")
    return X


def test_it_stands_in_the_help_and_in_the_lists():
    assert "The mean of the samples, as an example" in toy("--help").stdout
    assert "--power" in toy("mean", "--help").stdout and "--save-embedding" in toy("mean", "--help").stdout
    assert "mean" in [task["verb"] for task in json.loads(toy("list", "tasks", "--json").stdout)]


def test_it_fits_transforms_and_is_checked(table):
    fit = toy("mean", "x.csv", "--save-model", "m.ritz", "--save-embedding", "e.csv", "--json")
    facts = json.loads(fit.stdout)
    new = toy("transform", "m.ritz", "x.csv", "--quiet").stdout
    check = toy("check", "m.ritz", "x.csv")

    assert fit.returncode == 0 and np.allclose(facts["result"]["mean"], table.mean(0), atol=1e-14)
    assert facts["used"]["backend"].startswith("cpu") and facts["files"]["model"] == "m.ritz"
    assert np.allclose(np.loadtxt("e.csv", delimiter=",", skiprows=1), table - table.mean(0)) and new == Path("e.csv").read_text()
    assert check.returncode == 0 and "the certificate holds" in check.stderr


def test_it_is_forecast_and_its_messages_name_flags(table):
    assert "mean of 1000 x 10 (nothing is run)" in toy("estimate", "mean", "--rows", 1000, "--columns", 10).stderr
    wrong = toy("mean", "x.csv", "--power", 0)
    assert wrong.returncode == 2 and wrong.stderr == "ritz: --power is 0; it must lie in [1, 10]\n"


def test_it_passes_what_every_task_passes():
    suite = Path(__file__).with_name("test_conformance.py")
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", suite, "-k", "mean"],
                         env={**os.environ, "RITZ_PROGRAM": str(TOY)}, capture_output=True, text=True)
    assert run.returncode == 0 and " passed" in run.stdout, run.stdout[-3000:]
