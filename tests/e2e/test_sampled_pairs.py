# SPDX-License-Identifier: MIT
"""--sample-pairs: what is said of all pairs, against a program that has looked at all of them."""
import json

import numpy as np
import pytest

from conftest import run_ritz

N = 12_000
FIT = ["--preset", "paper", "--dim", 2, "--kernel", "gaussian(sigma=3)", "--tolerance", "1e-3", "--curvature", "never", "--quiet"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Samples in the order of their classes, and of a coordinate within."""
    folder = tmp_path_factory.mktemp("pairs")
    rng = np.random.default_rng(8)
    y = np.arange(N) * 4 // N
    X = rng.normal(size=(N, 12)) + 1.5 * rng.normal(size=(4, 12))[y]
    X = X[np.lexsort([X[:, 0], y])]
    np.save(folder / "x.npy", X)
    np.save(folder / "y.npy", y)
    return folder


def fit(place, folder, *more):
    run = run_ritz("reduce", place / "x.npy", "--labels", place / "y.npy", *FIT, "--save-model", folder / "m.ritz",
                   "--save-projection", folder / "W.npy", "--json", *more)
    assert run.status in (0, 4), run
    return run.json


def objective(place, folder, sigma=3):
    """F over all pairs of the W that was found, by its definition."""
    X, y = np.load(place / "x.npy"), np.load(place / "y.npy")
    Z = (X - X.mean(0)) / X.std(0) @ np.load(folder / "W.npy")
    Y = np.eye(4)[y] - np.eye(4)[y].mean(0)
    total, squares = 0.0, (Z**2).sum(1)
    for rows in np.array_split(np.arange(len(X)), 12):
        distances = squares[rows, None] + squares - 2 * Z[rows] @ Z.T
        total += np.sum(Y[rows] @ Y.T * np.exp(-distances / (2 * sigma**2)))
    return total


def test_the_interval_holds_f_over_all_pairs(place, tmp_path):
    facts = fit(place, tmp_path, "--sample-pairs", 0.02, "--max-iterations", 3, "--seed", 4)
    found = facts["certificate"]["sampling"]
    truth = objective(place, tmp_path)
    assert found["objective_low"] <= truth <= found["objective_high"]
    assert found["objective_high"] - found["objective_low"] < 0.1 * truth
    assert 0 < found["share"] < 0.1 and found["rows"] <= N
    if found["objective_exact"] is not None:
        assert found["objective_exact"] == pytest.approx(truth, rel=1e-9)
    assert facts["objective"] in (found["objective_exact"], found["objective_estimate"])


def test_it_comes_near_the_fit_to_all_pairs(place, tmp_path):
    (tmp_path / "all").mkdir()
    all_pairs = fit(place, tmp_path / "all")
    assert "sampling" not in all_pairs["certificate"]
    fit(place, tmp_path, "--sample-pairs", 0.05)
    assert objective(place, tmp_path) > 0.99 * all_pairs["objective"]


@pytest.mark.parametrize("share, sweeps_at_the_end", [(0.04, False), (0.2, True)])
def test_sweeps_over_all_pairs_lead_the_fit_to_their_maximum(tmp_path, share, sweeps_at_the_end):
    """Many columns, where a sweep for F and its gradient is far cheaper than one for all sums: the fit meets them."""
    n, d = 5000, 150
    rng = np.random.default_rng(2)
    y = np.arange(n) % 4
    np.save(tmp_path / "x.npy", rng.normal(size=(n, d)) + 0.5 * rng.normal(size=(4, d))[y])
    np.save(tmp_path / "y.npy", y)
    args = ["reduce", tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--preset", "paper", "--dim", 3, "--kernel", "gaussian(sigma=8)",
            "--curvature", "never", "--quiet", "--json"]
    best = run_ritz(*args).json["objective"]
    found = run_ritz(*args, "--sample-pairs", share, "--save-projection", tmp_path / "W.npy").json["certificate"]["sampling"]
    truth = objective(tmp_path, tmp_path, 8)
    assert found["corrected"] and found["objective_fitted"] > truth  # which is what the sample alone says
    assert best * (1 - 5e-4) < truth <= best * (1 + 1e-9)
    if sweeps_at_the_end:
        assert found["objective_exact"] == pytest.approx(truth, rel=1e-9)
    else:
        assert found["objective_low"] <= truth <= found["objective_high"]


def test_threads_do_not_matter_and_the_seed_does(place, tmp_path):
    models = []
    for k, more in enumerate([["--threads", 1], ["--threads", 2], ["--seed", 7]]):
        (tmp_path / str(k)).mkdir()
        fit(place, tmp_path / str(k), "--sample-pairs", 0.02, "--max-iterations", 2, *more)
        models.append((tmp_path / str(k) / "m.ritz").read_bytes())
    assert models[0] == models[1] != models[2]


def test_check_measures_what_was_not_promised(place, tmp_path):
    fit(place, tmp_path, "--sample-pairs", 0.02, "--max-iterations", 3)
    run = run_ritz("check", tmp_path / "m.ritz", place / "x.npy", "--labels", place / "y.npy", "--curvature", "never", "--json")
    assert run.status == 0 and any("some of the pairs" in note for note in run.json["notes"]), run


def test_a_summary_says_what_is_estimated(place):
    run = run_ritz("reduce", place / "x.npy", "--labels", place / "y.npy", *FIT[:-1], "--sample-pairs", 0.02, "--max-iterations", 2)
    line = next(line for line in run.err.splitlines() if line.startswith("  sampled"))
    assert "exact" in line or "estimated" in line


def test_where_sums_are_linear_no_pair_is_left_out(place, tmp_path):
    run = run_ritz("reduce", place / "x.npy", "--labels", place / "y.npy", "--preset", "paper", "--dim", 2, "--kernel", "polynomial(degree=2)",
                   "--sample-pairs", 0.02, "--max-iterations", 2, "--json", "--quiet")
    assert "sampling" not in run.json["certificate"] and any("all pairs were taken" in note for note in run.json["notes"])


def test_clusters_have_no_known_pairs(place):
    run = run_ritz("reduce", place / "x.npy", "--clusters", 3, "--dim", 2, "--kernel", "gaussian(sigma=3)", "--sample-pairs", 0.02)
    assert run.status == 2 and "--sample-pairs" in run.err and run.err.count("\n") == 1, run
