# SPDX-License-Identifier: MIT
"""One projection for several numbers of rows: what is said of each prefix is what the projection does."""
import numpy as np
import pytest

from conftest import facts, run_ritz


def distortion(X, psi):
    a, b = np.triu_indices(len(X), 1)
    before = ((X[a] - X[b]) ** 2).sum(1)
    Y = X @ psi.T
    return np.abs(((Y[a] - Y[b]) ** 2).sum(1) / before - 1).max()


@pytest.fixture(scope="module")
def nested(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nested")
    X = np.random.default_rng(5).normal(size=(60, 12)) * np.linspace(3, 0.2, 12)
    np.savetxt(folder / "x.csv", X, delimiter=",", fmt="%.17g")
    json = facts("isometry", folder / "x.csv", "--prefixes", "3,6,9", "--save-model", folder / "m.ritz",
                 "--save-projection", folder / "p.npy", "--save-embedding", folder / "y.npy")
    return folder, X, json


def test_each_prefix_keeps_the_distortion_that_is_said(nested):
    folder, X, json = nested
    psi = np.load(folder / "p.npy")
    assert psi.shape == (9, 12)
    prefixes = json["result"]["prefixes"]
    assert [each["rank"] for each in prefixes] == [3, 6, 9] and prefixes[-1]["scale"] == 1
    for each in prefixes:
        own = np.sqrt(each["scale"]) * psi[: each["rank"]]
        assert distortion(X, own) == pytest.approx(each["distortion"], rel=1e-9)
        assert each["alone"] * (1 - 1e-9) <= each["distortion"] < each["pca"]
    assert np.load(folder / "y.npy") == pytest.approx(X @ psi.T)


def test_a_prefix_alone_is_the_fit_of_its_rank(nested):
    folder, _, json = nested
    for each in json["result"]["prefixes"]:
        again = run_ritz("isometry", folder / "x.csv", "--distortion", 0.001, "--rank", each["rank"])
        assert again.status == 6 and f"{each['alone']:.4f}" in again.err


def test_the_model_is_checked_prefix_by_prefix(nested):
    folder, X, _ = nested
    run = run_ritz("check", folder / "m.ritz", folder / "x.csv")
    assert run.status == 0 and "first 6" in run.err + run.out
    np.savetxt(folder / "new.csv", X[:20] + 0.1, delimiter=",")
    assert run_ritz("check", folder / "m.ritz", folder / "new.csv").status == 0


@pytest.mark.parametrize("asked", [["--prefixes", "6,3"], ["--prefixes", "0,3"], ["--prefixes", "3,13"],
                                   ["--prefixes", "3,6", "--rank", 4], ["--prefixes", "3", "--distortion", 0.2],
                                   ["--prefixes", "3", "--method", "nile"]])
def test_what_makes_no_sense_is_refused(nested, asked):
    run = run_ritz("isometry", nested[0] / "x.csv", *asked)
    assert run.status == 2 and "--prefixes" in run.err
