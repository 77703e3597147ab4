# SPDX-License-Identifier: MIT
"""--mode semi divided by degrees: five of eight kernels were refused, and one column of scores made clusters worse.
The centred form takes every kernel."""
import numpy as np
import pytest
from sklearn.datasets import load_wine

from conftest import facts


@pytest.mark.parametrize("kernel", ["linear", "squared", "polynomial(degree=3)", "multiquadric", "gaussian+0.01*linear"])
def test_scores_go_with_every_kernel(kernel, blobs, tmp_path):
    np.savetxt(tmp_path / "s.csv", np.arange(60) % 3)
    json = facts("reduce", blobs.plain, "--mode", "semi", "--scores", tmp_path / "s.csv", "--clusters", 3, "--kernel", kernel,
                 "--preset", "paper")
    assert sum(json["result"]["clusters"]["sizes"]) == 60


def test_a_noisy_score_of_one_column_does_not_harm_the_clusters(tmp_path):
    wine = load_wine()
    np.savetxt(tmp_path / "x.csv", wine.data, delimiter=",")
    np.savetxt(tmp_path / "y.labels", wine.target, fmt="%d")
    np.savetxt(tmp_path / "s.csv", wine.target + np.random.default_rng(0).normal(0, 0.3, len(wine.target)))
    how = ["reduce", tmp_path / "x.csv", "--clusters", 3, "--truth", tmp_path / "y.labels"]
    without = facts(*how, "--mode", "unsupervised")["result"]["clusters"]["nmi"]
    guided = facts(*how, "--mode", "semi", "--scores", tmp_path / "s.csv")["result"]["clusters"]["nmi"]
    assert guided >= without - 0.02
