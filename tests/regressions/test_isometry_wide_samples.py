# SPDX-License-Identifier: MIT
"""More columns than half of the samples: a damped step factored a system of thousands of rows, and a rank that cannot be
kept was given up after minutes. 238 molecules of musk (166 columns) took 97 CPU seconds, which are 11 now."""
import resource

import numpy as np

from conftest import facts


def test_a_wide_table_is_searched_in_seconds(tmp_path):
    rng = np.random.default_rng(7)  # correlated columns in groups, as measured shapes are
    X = rng.normal(size=(150, 25)) @ rng.normal(size=(25, 110)) * np.exp(-np.linspace(0, 3, 110)) + 0.1 * rng.normal(size=(150, 110))
    np.save(tmp_path / "X.npy", (X - X.mean(0)) / X.std(0))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    json = facts("isometry", tmp_path / "X.npy", "--distortion", 0.2, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert json["status"] == "converged" and json["certificate"]["distortion"] <= 0.2
    assert after.ru_utime - before.ru_utime < 20  # 30 before, 5 now
