# SPDX-License-Identifier: MIT
"""--na mean filled in the targets as well: 37 of 153 rows of R's airquality were fitted to a number nobody measured.
Such rows are dropped."""
import numpy as np

from conftest import facts


def test_a_row_without_its_target_is_dropped_and_never_filled(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    rows = [[f"{v:.6f}" for v in (*x, x[0] + 0.1)] for x in X]
    for i in (3, 7, 11):
        rows[i][3] = "NA"
    rows[5][1] = "NA"
    (tmp_path / "t.csv").write_text("a,b,c,y\n" + "\n".join(map(",".join, rows)) + "\n")
    json = facts("reduce", tmp_path / "t.csv", "--target-column", "y", "--na", "mean", "--preset", "paper")
    assert json["data"]["n"] == 27
    assert any("3 rows without a target" in note for note in json["notes"])
    assert any("1 missing value" in note for note in json["notes"])
