# SPDX-License-Identifier: MIT
"""Unfolding took every sample as free, so that tens of thousands did not end. An embedding can be bound to smooth vectors of the
graph now; what is certified then is the best of those, and every place that names the certificate says so."""
import numpy as np

import model_files
from conftest import facts, run_ritz


def roll(tmp_path, n, seed=0):
    rng = np.random.default_rng(seed)
    t = 1.5 * np.pi * (1 + 2 * rng.random(n))
    X = np.stack([t * np.cos(t), 21 * rng.random(n), t * np.sin(t)], 1)
    np.save(tmp_path / "X.npy", X)
    return tmp_path / "X.npy", t


def test_the_certificate_is_of_smooth_embeddings_and_says_so(tmp_path):
    X, t = roll(tmp_path, 800)
    summary = run_ritz("unfold", X, "--smooth", 40, "--save-model", tmp_path / "m", "--report", tmp_path / "page.html")
    assert summary.status == 0, summary
    assert "no embedding within the 40 smoothest vectors of the graph is better" in summary.err
    json = facts("unfold", X, "--smooth", 40)
    assert json["result"]["smooth"] == 40 and json["certificate"]["relative_gap"] <= 0.01
    assert "smoothest vectors" in (tmp_path / "page.html").read_text()
    check = facts("check", tmp_path / "m", X)
    assert check["status"] == "holds" and any("40 smooth vectors" in note for note in check["notes"])
    # A bound leaves less to reach than the whole problem does.
    free = facts("unfold", X)
    assert free["result"]["smooth"] == 0
    assert free["certificate"]["dual"] <= json["objective"]


def test_vectors_that_are_not_smooth_are_found_out(tmp_path):
    X, _ = roll(tmp_path, 300)
    facts("unfold", X, "--smooth", 20, "--save-model", tmp_path / "m")
    header, arrays = model_files.load(tmp_path / "m")
    arrays["smooth"] = arrays["smooth"][::-1]
    model_files.save(tmp_path / "other", header, arrays)
    assert run_ritz("check", tmp_path / "other", X).status != 0


def test_coloured_unfolding_and_a_budget_stay_within_the_vectors(tmp_path):
    X, t = roll(tmp_path, 200)
    (tmp_path / "y").write_text("".join(f"{int(v > t.mean())}\n" for v in t))
    for extra in ([], ["--budget", 2000, "--penalty", 1]):
        facts("unfold", X, "--labels", tmp_path / "y", "--method", "cmvu", "--smooth", 15, *extra, "--save-model", tmp_path / "m")
        assert facts("check", tmp_path / "m", X)["status"] == "holds"


def test_what_smooth_vectors_cannot_do_is_said(tmp_path):
    X, _ = roll(tmp_path, 60)
    for args, says in ([["--method", "spe"], "spe"], [["--dim", 6], "--smooth"], [["--solver", "csdp"], "csdp"]):
        run = run_ritz("unfold", X, "--smooth", 5, *args)
        assert run.status == 2 and says in run.err, run
