# SPDX-License-Identifier: MIT
"""A sweep over distortions under a time limit lost the ranks that were found already: what is verified is kept, as finished or not."""
import json

import numpy as np

from conftest import run_ritz


def test_what_is_found_before_the_limit_is_kept(tmp_path):
    np.save(tmp_path / "x.npy", np.random.default_rng(0).normal(size=(700, 60)))  # 0.02 alone takes longer than the limit
    run = run_ritz("isometry", tmp_path / "x.npy", "--sweep", "0.95,0.02", "--time-limit", 6, "--json", "--quiet")
    assert run.status == 4
    rows = json.loads(run.out)["result"]["sweep"]
    assert rows[0]["distortion"] == 0.95 and rows[0]["rank"] < 60
    assert not all(row["finished"] for row in rows) or len(rows) == 1
