# SPDX-License-Identifier: MIT
"""NILE-Pro's and FroMax's own search ended above the rank at which they succeed when it is given."""
import numpy as np
import pytest

from conftest import facts, run_ritz


@pytest.fixture(scope="module")
def points(tmp_path_factory):
    path = tmp_path_factory.mktemp("points") / "x.csv"
    np.savetxt(path, np.random.default_rng(3).normal(size=(40, 20)) * np.linspace(2, 0.3, 20), delimiter=",", fmt="%.8f")
    return path


@pytest.mark.parametrize("method", ["nile", "fromax"])
def test_one_rank_less_is_not_met_when_it_is_given(points, method):
    rank = facts("isometry", points, "--distortion", 0.4, "--method", method)["result"]["rank"]
    below = run_ritz("isometry", points, "--distortion", 0.4, "--method", method, "--rank", rank - 1, "--json", "--quiet")
    assert below.status == 6, rank


def test_constants_of_the_paper_are_options(points):
    args = ["isometry", points, "--distortion", 0.4, "--rank", 14]
    for method, more in (("nile", ["--eta", 0.01, "--beta", 2]), ("fromax", ["--beta1", 5, "--beta2", 2])):
        assert facts(*args, "--method", method, *more)["certificate"]["distortion"] <= 0.4
    text = run_ritz(*args, "--method", "nile", "--eta", 0)
    assert text.status == 2 and "--eta" in text.err


def test_new_samples_are_measured_by_a_fit_that_did_not_see_them(points):
    json = facts("isometry", points, "--distortion", 0.4, "--holdout", 0.25)
    held = json["result"]["holdout"]
    assert held["samples"] == 10 and held["pairs"] == 45 and held["fitted"] <= 0.4
    assert held["beyond"] > 0 and held["distortion"] > 0.4
    assert json["certificate"]["distortion"] <= 0.4


def test_search_keeps_at_least_the_neighbours_that_principal_components_keep(tmp_path):
    digits = pytest.importorskip("sklearn.datasets").load_digits().data[:500]
    np.savetxt(tmp_path / "d.csv", digits, delimiter=",", fmt="%g")
    args = ["isometry", tmp_path / "d.csv", "--objective", "recall", "--rank", 12]
    json = facts(*args, "--save-model", tmp_path / "m.ritz")
    recall = {row["name"]: row["recall"] for row in json["result"]["comparison"]}
    assert json["result"]["rank"] == 12 and recall["ritz"] >= recall["pca"] - 1e-9
    assert run_ritz("check", tmp_path / "m.ritz", tmp_path / "d.csv").status == 0
    run = run_ritz(*args, "--distortion", 0.2)
    assert run.status == 2 and "--distortion" in run.err
