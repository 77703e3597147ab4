# SPDX-License-Identifier: MIT
"""An unknown option of 'ritz bench pairs' was answered by "see ritz pairs --help", which is no command; what 'bench reduce'
lacked, by the help of 'bench'. A manifest or file of options that is not there "cannot be read"."""
import re

import pytest

from conftest import run_ritz


@pytest.mark.parametrize("words", [["bench", "pairs", "--no-such-option"], ["estimate", "reduce", "--no-such-option"],
                                   ["reproduce", "gmeb", "--no-such-option"], ["bench", "reduce"], ["reduce"], ["list"],
                                   ["recluster", "x.csv"], ["transform"], ["--no-such-option"]])
def test_the_help_that_a_message_names_is_that_of_the_command(words):
    run = run_ritz(*words)
    named = re.search(r"see (ritz.* --help)\n$", run.err)
    assert run.status == 2 and named, run
    said = named.group(1).split()[1:]
    verbs = [word for word in words if not word.startswith("-") and "." not in word]
    assert said == [*verbs, "--help"], run
    told = run_ritz(*said)
    assert told.status == 0 and "Usage: " + " ".join(["ritz", *verbs]) in told.out, told


@pytest.mark.parametrize("words", [["replay", "absent.json"], ["reduce", "x.csv", "--config", "absent.ini"], ["check", "absent.ritz"]])
def test_a_file_that_is_not_there_is_said_not_to_be_there(words):
    run = run_ritz(*words)
    assert run.status == 3 and "no such file: absent." in run.err, run
