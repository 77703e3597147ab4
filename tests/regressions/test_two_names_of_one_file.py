# SPDX-License-Identifier: MIT
"""Outputs were compared by their names: `e.csv` and `./e.csv` passed for two files, and the second was written over the
first."""
from conftest import run_ritz


def test_two_names_of_one_file_are_one_file(blobs, tmp_path):
    run = run_ritz("reduce", *blobs.args, "--save-embedding", "e.csv", "--save-projection", "./e.csv", cwd=tmp_path)
    assert run.status == 2 and "cannot both be written" in run.err, run
    assert list(tmp_path.iterdir()) == []
