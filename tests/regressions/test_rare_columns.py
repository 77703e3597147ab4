# SPDX-License-Identifier: MIT
"""Standardised rare columns lead a polynomial kernel (MNIST 73.7 %), and nothing said so. A note says it."""
import numpy as np

from conftest import facts


def test_columns_that_lead_a_polynomial_are_told(tmp_path):
    X = np.random.default_rng(0).normal(size=(400, 4))
    X[:, 3] = 0
    X[7, 3] = 1
    np.save(tmp_path / "x.npy", X)
    np.savetxt(tmp_path / "y.labels", np.arange(400) % 2, fmt="%d")
    how = ["reduce", tmp_path / "x.npy", "--labels", tmp_path / "y.labels", "--preset", "paper", "--kernel"]
    assert any("1 of 4 columns" in note for note in facts(*how, "polynomial(degree=3)")["notes"])
    assert not any("columns reach" in note for note in facts(*how, "linear")["notes"])
