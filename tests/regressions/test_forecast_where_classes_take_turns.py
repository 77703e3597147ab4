# SPDX-License-Identifier: MIT
"""The samples that a forecast of time tries a fit with were evenly spread over the data: where the classes take turns they
were all of one, no fit could be done, and the time was a guess."""
import numpy as np
import pytest

from conftest import run_ritz


@pytest.mark.parametrize("verb, options", [
    ("reduce", ["--labels", "y.labels", "--dim", 2]),
    ("depend", ["--labels", "y.labels", "--permutations", 99]),
    ("kernel", ["--labels", "y.labels", "--fraction", 0.5]),
    ("recluster", ["--given", "y.labels", "--clusters", 2]),
    ("unfold", ["--labels", "y.labels", "--method", "cmvu"]),
])
def test_a_fit_is_tried(verb, options, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    y = np.arange(1000) % 2
    np.savetxt("x.csv", np.random.default_rng(0).normal(size=(1000, 3)) + 4 * y[:, None], delimiter=",", fmt="%.6g")
    np.savetxt("y.labels", y, fmt="%d")

    run = run_ritz("estimate", verb, "x.csv", *options)

    assert run.status == 0 and "rows" in run.err.split("  time")[1], run
    assert "a guess" not in run.err, run
