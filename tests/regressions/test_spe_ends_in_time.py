# SPDX-License-Identifier: MIT
"""SPE of a table of 2,000 samples without a shape solved eigenproblems of all of them for half an hour. The work of a run has a bound
now, and what would go on is named."""
import numpy as np

from conftest import facts, run_ritz


def test_spe_ends_when_its_work_is_done_and_names_the_cure(tmp_path):
    np.savetxt(tmp_path / "X.csv", np.random.default_rng(2).normal(size=(90, 12)), delimiter=",")
    run = run_ritz("unfold", tmp_path / "X.csv", "--method", "spe", "--max-work", 1e6, "--save-model", tmp_path / "m")
    assert run.status == 4 and (tmp_path / "m").exists(), run
    assert "NOT CONVERGED" in run.err and "more of it (--max-work)" in run.err, run
    whole = facts("unfold", tmp_path / "X.csv", "--method", "spe")
    assert whole["status"] == "converged" and whole["result"]["slack"] <= 1e-6
