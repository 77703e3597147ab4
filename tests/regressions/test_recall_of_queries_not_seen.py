# SPDX-License-Identifier: MIT
"""`--objective recall` chose its rows by the samples that it had fitted them to: the figure was too good, and of new
queries it kept fewer neighbours than principal components. The choice and the figure are of samples held out."""
import numpy as np
import pytest

from conftest import facts


def recall(queries, points, psi, k=10):
    def near(Q, P):
        apart = (Q ** 2).sum(1)[:, None] + (P ** 2).sum(1) - 2 * Q @ P.T
        return np.argsort(apart, axis=1, kind="stable")[:, :k]
    return np.mean([len(set(a) & set(b)) / k for a, b in zip(near(queries, points), near(queries @ psi.T, points @ psi.T))])


@pytest.mark.parametrize("spread", ["by a heavy column", "even"])
def test_new_queries_keep_no_fewer_neighbours_than_principal_components(tmp_path, spread):
    rng = np.random.default_rng(11)
    X = rng.normal(size=(600, 20)) * np.linspace(1, 0.3, 20)
    if spread == "by a heavy column":  # a few far samples make a direction in which near ones do not differ
        X[:, -1] = 0.01 * X[:, -1] + 30 * (rng.random(600) < 0.02)
    fitted, new = X[:400], X[400:]
    np.save(tmp_path / "X.npy", fitted)
    json = facts("isometry", tmp_path / "X.npy", "--objective", "recall", "--rank", 8, "--save-projection", tmp_path / "P.npy")
    search = json["result"]["search"]
    assert search["queries"] == 100 and search["recall"] >= search["pca"] - 0.01
    psi = np.load(tmp_path / "P.npy")
    principal = np.linalg.svd(fitted - fitted.mean(0), full_matrices=False)[2][:8]
    assert recall(new, fitted, psi) >= recall(new, fitted, principal) - 0.005
    # The figure is about what new queries get.
    assert search["recall"] == pytest.approx(recall(new, fitted, psi), abs=0.05)
    if spread == "by a heavy column":
        assert recall(new, fitted, psi) > recall(new, fitted, principal) + 0.02
