# SPDX-License-Identifier: MIT
"""A run that ended at its limit of steps said "NOT CONVERGED" and nothing of a cure: coloured unfolding of the Pima table did so by
default. One sentence names it now."""
import numpy as np

from conftest import facts, run_ritz


def test_a_run_that_ends_at_its_limit_names_the_cure(tmp_path):
    np.savetxt(tmp_path / "X.csv", np.random.default_rng(0).normal(size=(120, 5)), delimiter=",")
    run = run_ritz("unfold", tmp_path / "X.csv", "--max-iterations", 3, "--save-model", tmp_path / "m")
    assert run.status == 4 and (tmp_path / "m").exists(), run
    assert "more --max-iterations, a larger --tolerance" in run.err, run
    finished = facts("unfold", tmp_path / "X.csv")
    assert not any("would certify it" in note for note in finished["notes"])
