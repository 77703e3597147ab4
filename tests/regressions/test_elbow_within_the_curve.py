# SPDX-License-Identifier: MIT
"""The elbow of the singular values may lie beyond the largest order that was looked at: `center` said "elbow 22" of a
curve that ended at 6. The rule takes the largest order; where the corner is, is said beside it."""
import numpy as np

from conftest import facts


def test_the_elbow_is_an_order_of_the_curve(tmp_path):
    rng = np.random.default_rng(2)
    files = []
    for i in range(12):  # unlike subspaces of three dimensions: the singular values fall slowly over all of them
        np.savetxt(tmp_path / f"s{i}.csv", rng.normal(size=(60, 3)) * 0.7 ** np.arange(60)[:, None] ** 0.5, delimiter=",")
        files.append(tmp_path / f"s{i}.csv")
    json = facts("center", *files, "--rule", "elbow")
    orders = json["result"]["orders"]
    assert orders["k"][-1] == 3
    assert orders["selected"]["elbow_corner"] > 3 and orders["selected"]["elbow"] == 3
