# SPDX-License-Identifier: MIT
"""--restarts was accepted and ignored in the modes that look for clusters. They are made, and the best is kept."""
from conftest import facts


def test_random_starts_are_made_and_the_best_objective_is_kept(blobs):
    how = ["reduce", blobs.plain, "--mode", "unsupervised", "--clusters", 3, "--dim", 2]
    alone, more = facts(*how), facts(*how, "--restarts", 3)
    assert "3" in more["used"]["start"]
    assert more["objective"] >= alone["objective"] * (1 - 1e-12)
