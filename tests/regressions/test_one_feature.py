# SPDX-License-Identifier: MIT
"""One column: Φ is 1 x 1, its spectrum has no width, and the fit said NOT CONVERGED ("Phi vanishes"). W = 1 is the
answer now."""
import numpy as np

from conftest import facts, table


def test_one_feature_is_its_own_answer(blobs, tmp_path):
    np.savetxt(tmp_path / "x.csv", np.loadtxt(blobs.plain, delimiter=",")[:, :1])
    json = facts("reduce", tmp_path / "x.csv", "--labels", blobs.labels, "--save-projection", tmp_path / "W.csv")
    assert json["status"] == "converged"
    assert abs(table(tmp_path / "W.csv")[0, 0]) == 1
