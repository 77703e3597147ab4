# SPDX-License-Identifier: MIT
"""Three clear groups that scaling makes long were counted as five to nine by --clusters auto, each group by its halves, and
uniform columns as up to nine."""
import numpy as np
import pytest
from sklearn.datasets import make_blobs

from conftest import facts


def counted(folder, X, verb):
    np.save(folder / "x.npy", X)
    np.savetxt(folder / "given.labels", np.arange(len(X)) % 2, fmt="%d")
    how = {"reduce": ("--mode", "unsupervised"), "recluster": ("--given", folder / "given.labels")}[verb]
    found = facts(verb, folder / "x.npy", *how, "--clusters", "auto", "--permutations" if verb == "recluster" else "--seed", 0)
    return found["used"]["clusters"]


@pytest.mark.parametrize("verb", ["reduce", "recluster"])
def test_three_clear_groups_are_counted_as_three_though_scaling_makes_them_long(tmp_path, verb):
    for seed in (3, 13, 23):  # they were five to nine
        X, _ = make_blobs(180, 6, centers=3, cluster_std=1.2, random_state=seed)
        assert counted(tmp_path, X, verb).startswith("3:"), seed


def test_uniform_columns_are_one_cloud(tmp_path):
    clusters = [counted(tmp_path, np.random.default_rng(seed).random((200, 2 + seed % 3)), "reduce") for seed in range(8)]
    assert sum("one cloud" in each for each in clusters) >= 7
