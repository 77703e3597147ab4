# SPDX-License-Identifier: MIT
"""`recluster --tune` was worse than no tuning on faces, gave 1,790 and 7 of the digits as two clusters, named candidates with
a higher score than the chosen one, left the search out of its time, and said "HSIC 1271.37 of at most 2" without degrees."""
import numpy as np
import pytest

from conftest import facts, run_ritz


@pytest.fixture(scope="module")
def cloud(tmp_path_factory):
    """No gap anywhere: four correlated columns, and what is known is the sign of the first."""
    folder = tmp_path_factory.mktemp("cloud")
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 4)) @ np.array([[1, 0, 0, 0], [0, 1, .6, 0], [0, .6, 1, 0], [0, 0, 0, 1]])
    np.savetxt(folder / "x.csv", X, delimiter=",", fmt="%.6f")
    np.savetxt(folder / "given.txt", X[:, 0] > 0, fmt="%d")
    return folder, X


def run(cloud, *more):
    folder, _ = cloud
    return facts("recluster", folder / "x.csv", "--given", folder / "given.txt", "--clusters", 2, *more)


def explained(X, labels):
    parts = [X[labels == c] for c in np.unique(labels)]
    between = sum(len(p) * (p.mean(0) - X.mean(0)) ** 2 for p in parts)
    return np.mean(between / ((X - X.mean(0)) ** 2).sum(0))


def test_tuning_is_never_worse_than_the_default_and_never_degenerate(cloud):
    folder, X = cloud
    worth = {}
    for name, more in {"default": [], "tuned": ["--tune", "--tune-rows", 60]}.items():
        json = run(cloud, *more, "--save-labels", folder / name)
        labels = np.loadtxt(folder / name, dtype=int)
        assert json["result"]["degenerate"] == ""
        worth[name] = explained(X, labels) * (1 - json["result"]["novelty"])
    assert worth["tuned"] >= worth["default"] - 1e-9
    tuning = json["result"]["tuning"]
    chosen = tuning["path"][tuning["chosen"]]["score"]
    judged = [step["score"] for step in tuning["path"] if step["stability"] is not None]
    assert judged and chosen == max(judged)
    assert json["seconds"]["tune"] > 0
    null = json["result"]["null"]
    assert null["shuffles"] == 19 and 0.05 <= null["p"] <= 1


def test_no_bound_is_named_where_there_is_none(cloud):
    folder, _ = cloud
    text = run_ritz("recluster", folder / "x.csv", "--given", folder / "given.txt", "--clusters", 2, "--kernel", "linear").err
    assert "quality" in text and "of at most" not in text


def test_columns_that_are_nearly_always_zero_are_not_blown_up(tmp_path):
    rng = np.random.default_rng(6)
    X = np.where(rng.random((60, 12)) < 0.1, rng.poisson(3, (60, 12)), 0)
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", fmt="%d")
    np.savetxt(tmp_path / "given.txt", np.arange(60) % 2, fmt="%d")
    args = ["recluster", tmp_path / "x.csv", "--given", tmp_path / "given.txt", "--clusters", 2, "--permutations", 0]
    default, centred = (run_ritz(*args, *more, "--json", "--quiet").json for more in ([], ["--scale", "center"]))
    assert default["objective"] == centred["objective"] and "center" in default["used"]["scale"]
