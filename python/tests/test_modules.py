# SPDX-License-Identifier: MIT
"""ritz.datasets, ritz.metrics, ritz.plotting, and the generated parameters."""
import pathlib
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
import ritz
import sklearn.metrics
from ritz import datasets, metrics, plotting

ROOT = pathlib.Path(__file__).resolve().parents[2]


# --- generated --------------------------------------------------------------------------------------------------------

def test_the_parameters_are_those_of_the_program(program):
    import os
    build = pathlib.Path(os.environ.get("RITZ_PROGRAM", ROOT / "build/release/bin/ritz")).resolve().parents[1]
    subprocess.run([sys.executable, ROOT / "tools/generate_python.py", "--build", build, "--check"], check=True)


# --- datasets ---------------------------------------------------------------------------------------------------------

def test_tables_come_back_as_they_were_written(tmp_path):
    data = datasets.generate("sectors", samples=30)
    for ending in ("csv", "npy", "tsv.gz", "csv.gz"):
        datasets.write(tmp_path / f"x.{ending}", data.X, data.feature_names)
        back = datasets.read(tmp_path / f"x.{ending}")
        assert np.array_equal(back.X, data.X)
    assert datasets.read(tmp_path / "x.csv").feature_names == data.feature_names
    assert list(data.frame().columns) == data.feature_names


def test_labels_ids_and_missing_values_are_read(tmp_path):
    (tmp_path / "t.csv").write_text("name,a,b,kind\nu,1,2,x\nv,NA,4,y\nw,5,6,x\n")
    table = datasets.read(tmp_path / "t.csv", label_column="kind", id_column="name", missing="mean")
    assert table.X.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert table.y.tolist() == ["x", "y", "x"] and table.ids == ["u", "v", "w"] and table.notes
    with pytest.raises(ValueError, match="line 3.*missing='drop'"):
        datasets.read(tmp_path / "t.csv", label_column="kind", id_column="name")
    assert datasets.read(tmp_path / "t.csv", label_column="kind", drop_columns=["name", "a"]).feature_names == ["b"]


def test_sparse_files_stay_sparse(tmp_path):
    (tmp_path / "x.libsvm").write_text("1 1:0.5 3:2\n-1 2:1\n")
    table = datasets.read(tmp_path / "x.libsvm")
    assert table.X.toarray().tolist() == [[0.5, 0, 2], [0, 1, 0]] and table.y.tolist() == [1, -1]
    assert "CSV" in " ".join(datasets.formats())


# --- metrics ----------------------------------------------------------------------------------------------------------

def test_hsic_is_its_definition():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), np.arange(50) % 3
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / (2 * 1.5**2))
    H = np.eye(50) - 1 / 50
    L = (y[:, None] == y[None]).astype(float)
    assert metrics.hsic(X, y, kernel="gaussian(sigma=1.5)") == pytest.approx(np.trace(H @ K @ H @ L) / 49**2, rel=1e-9)
    cosine = np.sum((H @ K @ H) * (H @ L @ H)) / np.linalg.norm(H @ K @ H) / np.linalg.norm(H @ L @ H)
    assert metrics.alignment(X, y, kernel="gaussian(sigma=1.5)") == pytest.approx(cosine, rel=1e-9)
    t = (X[:, :1] - X[:, 0].mean()) / X[:, 0].std()
    assert metrics.hsic(X, X[:, 0], kernel="linear") == pytest.approx(np.trace(H @ X @ X.T @ H @ t @ t.T) / 49**2, rel=1e-9)
    with pytest.raises(ValueError, match="rows"):
        metrics.hsic(X, y[:40])


def test_clusterings_are_compared_as_scikit_learn_does():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 4, 60), rng.integers(0, 3, 60)
    assert metrics.adjusted_rand_index(a, b) == pytest.approx(sklearn.metrics.adjusted_rand_score(a, b))
    assert metrics.rand_index(a, b) == pytest.approx(sklearn.metrics.rand_score(a, b))
    nmi = sklearn.metrics.normalized_mutual_info_score(a, b, average_method="geometric")
    assert metrics.normalised_mutual_information(a.astype(str), b) == pytest.approx(nmi)
    assert metrics.novelty(a, np.column_stack([b, a])) == pytest.approx(1)


def test_subspaces_are_compared_by_angles():
    A, B = np.eye(4)[:, :2], np.array([[1, 0], [0, np.cos(0.3)], [0, np.sin(0.3)], [0, 0]])
    np.testing.assert_allclose(metrics.principal_angles(A, B @ [[2, 1], [0, 3]]), [0, 0.3], atol=1e-12)
    assert metrics.subspace_distance(A, B) == pytest.approx(0.3)
    assert metrics.subspace_distance(A, B, "chordal") == pytest.approx(np.sin(0.3))
    assert metrics.subspace_distance(A, B[:, :1], extra=True) == pytest.approx(np.pi / 2)
    with pytest.raises(ValueError, match="geodesic"):
        metrics.subspace_distance(A, B, "long")


def test_distortion_is_that_of_the_worst_pair():
    rng = np.random.default_rng(2)
    X, P = rng.normal(size=(30, 5)), rng.normal(size=(3, 5)) / 2
    i, j = np.triu_indices(30, 1)
    ratio = (((X[i] - X[j]) @ P.T) ** 2).sum(1) / ((X[i] - X[j]) ** 2).sum(1)
    found = metrics.distortion(X, P, bins=10)
    assert found["distortion"] == pytest.approx(np.abs(ratio - 1).max(), rel=1e-9)
    assert found["lowest"] == pytest.approx(ratio.min()) and found["pairs"] == len(i) and sum(found["histogram"]) == len(i)
    fitted = ritz.NearIsometry(0.5).fit(X)
    assert metrics.distortion(X, fitted)["distortion"] == pytest.approx(fitted.distortion_)


def test_accuracy_of_neighbours():
    X = np.array([[0.0], [0.1], [5.0], [5.1]])
    assert metrics.leave_one_out_accuracy(X, ["a", "a", "b", "b"], 1) == 1
    assert metrics.leave_one_out_accuracy(X, ["a", "b", "a", "b"], 1) == 0


def test_dependence_is_found_where_it_is_and_the_feature_that_has_it():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    found = metrics.dependence_test(X, X[:, 2] ** 2, features=True, permutations=300)
    assert found.p < 0.05 and 0 < found.cka < 1
    assert min(found.features, key=lambda each: each["p"] - each["cka"])["name"] == "x3"
    assert metrics.dependence_test(X, X[:, 2] > 0, permutations=300).p < 0.05
    nothing = metrics.dependence_test(X, rng.normal(size=80), permutations=300)
    assert nothing.p > 0.05 and nothing.features == []
    with pytest.raises(ValueError, match="permutations"):
        metrics.dependence_test(X, X[:, 2], permutations=-1)


# --- plotting ---------------------------------------------------------------------------------------------------------

def test_pictures_go_on_given_axes_or_new_ones(wine, tmp_path):
    X, y = wine
    fitted = ritz.ISM(2, bootstrap=3).fit(X, y)
    near = ritz.NearIsometry(0.4).fit(ritz.ISM(3).fit_transform(X, y))
    center = ritz.SubspaceCenter().fit(datasets.generate("arc", samples=30).bases())
    figure, axes = plt.subplots(2, 3)
    drawn = [plotting.embedding(fitted, y=y, ax=axes[0, 0]), plotting.embedding(fitted, X, y=np.arange(len(X)) / 2.0, ax=axes[0, 1]),
             plotting.loadings(fitted, ax=axes[0, 2]), plotting.convergence(fitted, ax=axes[1, 0]),
             plotting.distance_ratios(near, ax=axes[1, 1]), plotting.order_curve(center, ax=axes[1, 2])]
    assert drawn == list(axes.flat)
    figure.savefig(tmp_path / "all.png")
    assert plotting.embedding(fitted).figure is not figure
    with pytest.raises(ValueError, match="dim='auto'"):
        plotting.order_curve(ritz.SubspaceCenter(1).fit(datasets.generate("arc", samples=10).bases()))
    plt.close("all")
