# SPDX-License-Identifier: MIT
"""`reduce --mode unsupervised` took its clusters from the k leading eigenvectors, which a few far samples can take for themselves:
on measured tables k-means of all features found more of the classes. Where k-means in the subspace has the larger silhouette among all
features, its clusters are taken."""
import re

import numpy as np
import pytest

from conftest import facts


@pytest.fixture(scope="module")
def far(tmp_path_factory):
    """Two wide groups in two of five columns."""
    folder = tmp_path_factory.mktemp("far")
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], 60)
    X = rng.normal(size=(120, 5)) + 3.0 * (2 * y[:, None] - 1) * np.array([1, 1, 0, 0, 0])
    np.savetxt(folder / "x.csv", X, delimiter=",", fmt="%.6f")
    np.savetxt(folder / "y", y, fmt="%d")
    return folder


def test_labels_are_those_of_the_nearest_center_in_the_subspace(far, tmp_path):
    json = facts("reduce", far / "x.csv", "--mode", "unsupervised", "--clusters", 2, "--truth", far / "y", "--label-by", "subspace", "--save-labels",
                 tmp_path / "l", "--save-embedding", tmp_path / "Z.csv", "--save-model", tmp_path / "m")
    assert "in the subspace" in json["result"]["clusters"]["labelled_by"] and json["result"]["clusters"]["nmi"] > 0.9
    Z, labels = np.genfromtxt(tmp_path / "Z.csv", delimiter=",", skip_header=1), np.loadtxt(tmp_path / "l", dtype=int)
    centers = np.array([Z[labels == c].mean(0) for c in (1, 2)])
    np.testing.assert_array_equal(np.argmin(((Z[:, None] - centers) ** 2).sum(2), axis=1) + 1, labels)
    facts("predict", tmp_path / "m", far / "x.csv", "--save-labels", tmp_path / "again")
    assert (tmp_path / "again").read_text() == (tmp_path / "l").read_text()
    assert facts("check", tmp_path / "m", far / "x.csv")["status"] == "holds"


@pytest.mark.parametrize("more", [["--kernel", "linear"], ["--preset", "paper"], ["--label-by", "embedding"]])
def test_who_asks_for_a_kernel_or_the_paper_has_the_embedding(far, more):
    json = facts("reduce", far / "x.csv", "--mode", "unsupervised", "--clusters", 2, *more)
    assert "embedding" in json["result"]["clusters"]["labelled_by"]


def test_two_overlapping_groups_in_two_columns_are_found(tmp_path):
    """The two leading eigenvectors, at length 1, cut across both groups."""
    from sklearn.metrics import silhouette_score
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    X = rng.normal(size=(200, 2)) + np.array([[0, 0], [0, 2.6]])[y]
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", fmt="%.6f")
    np.savetxt(tmp_path / "y", y, fmt="%d")
    clusters = facts("reduce", tmp_path / "x.csv", "--mode", "unsupervised", "--clusters", 2, "--truth", tmp_path / "y",
                     "--save-labels", tmp_path / "l")
    found = clusters["result"]["clusters"]
    assert found["nmi"] >= found["nmi_kmeans"] - 0.05
    said = [float(number) for number in re.findall(r"-?\d\.\d\d", found["labelled_by"])]
    assert len(said) == 2 and said[0] >= said[1]
    labels = np.loadtxt(tmp_path / "l", dtype=int)
    assert said[0] == pytest.approx(silhouette_score((X - X.mean(0)) / X.std(0), labels), abs=0.006)
