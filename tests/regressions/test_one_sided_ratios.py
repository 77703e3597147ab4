# SPDX-License-Identifier: MIT
"""With all ratios on one side of 1 the sweep over all pairs cut the worst pair from its list of suspects: `check` said
"within the band, distortion 0.035" of a map whose distortion is 0.31."""
import numpy as np

from conftest import run_ritz
from model_files import load, save


def test_a_distortion_on_one_side_of_1_is_seen(tmp_path):
    np.savetxt(tmp_path / "a.csv", np.random.default_rng(1).normal(size=(20, 2)), delimiter=",", fmt="%.17g")
    X = np.random.default_rng(32).normal(size=(34, 2))
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", fmt="%.17g")
    assert run_ritz("isometry", tmp_path / "a.csv", "--distortion", 0.3, "--save-model", tmp_path / "a.ritz").status == 0
    header, _ = load(tmp_path / "a.ritz")
    psi = np.diag(np.sqrt([1.31, 1.0]))
    run = run_ritz("check", save(tmp_path / "w.ritz", header, {"projection": psi}), tmp_path / "x.csv", "--json")
    i, j = np.triu_indices(34, 1)
    ratios = np.square((X[i] - X[j]) @ psi.T).sum(1) / np.square(X[i] - X[j]).sum(1)
    assert run.json["status"] == "exceeds" and "not all within" in run.err, run
    assert np.isclose(run.json["objective"], np.abs(ratios - 1).max(), rtol=1e-9)
