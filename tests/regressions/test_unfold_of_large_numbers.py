# SPDX-License-Identifier: MIT
"""`unfold --scale none` of numbers about 1e80 said "the matrix holds a value that is not finite"; now what to do about it."""
import numpy as np
import pytest

from conftest import run_ritz


@pytest.mark.parametrize("method", ["mvu", "pca", "spe"])
def test_data_whose_products_overflow_are_to_be_scaled(method, tmp_path):
    X = np.random.default_rng(1).normal(size=(20, 3))
    for scale in (1e80, 1e150):
        np.savetxt(tmp_path / "x.csv", scale * X, delimiter=",", fmt="%.17g")
        run = run_ritz("unfold", tmp_path / "x.csv", "--scale", "none", "--neighbours", 4, "--method", method, "--dim", 1)
        assert run.status == 3 and "x.csv" in run.err and "--scale" in run.err, run
    run = run_ritz("unfold", tmp_path / "x.csv", "--neighbours", 4, "--method", method, "--dim", 1)
    assert run.status == 0, run
