# SPDX-License-Identifier: MIT
"""Where hardly any distortion is allowed the rank grew to all columns, and the search for a smaller one went on for ever.
All columns are the identity, which keeps every distance."""
import numpy as np

from conftest import facts


def test_a_rank_that_has_grown_to_all_columns_ends_the_search(tmp_path):
    np.save(tmp_path / "X.npy", np.random.default_rng(3).normal(size=(40, 5)))
    json = facts("isometry", tmp_path / "X.npy", "--distortion", 1e-4, "--save-projection", tmp_path / "P.npy", timeout=60)
    P = np.load(tmp_path / "P.npy")
    assert json["status"] == "converged" and len(P) == 5
    assert np.abs(P.T @ P - np.eye(5)).max() < 1e-3
