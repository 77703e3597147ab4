# SPDX-License-Identifier: MIT
"""Numeric targets instead of labels: closed forms, exact kernels of the targets and known subspaces, in numpy."""
import re

import numpy as np
import pytest

from conftest import facts, standardised
from ism_reference import distances_squared


def cosines(A, B):
    """Of the principal angles between two column spaces."""
    return np.linalg.svd(np.linalg.qr(A)[0].T @ np.linalg.qr(B)[0])[1]


def write_csv(path, names, table):
    path.write_text(",".join(names) + "\n" + "".join(",".join(map(repr, row)) + "\n" for row in table.tolist()))


@pytest.fixture(scope="module")
def regression():
    """(X, Y): three targets that depend linearly on two directions of six features, in unlike units, and noise."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 6)) * [1, 5, 0.2, 1, 30, 1]
    Y = standardised(X)[:, :2] @ rng.normal(size=(2, 3)) + 0.3 * rng.normal(size=(200, 3))
    return X, Y * [1, 1000, 0.01] + 7


def fitted(tmp_path, X, Y, *args, names=None):
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "y.npy", Y)
    json = facts("reduce", "--preset", "paper", tmp_path / "x.npy", "--targets", tmp_path / "y.npy", *args, "--save-projection",
                 tmp_path / "W.npy", "--save-model", tmp_path / "m.ritz")
    return json, np.load(tmp_path / "W.npy")


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_the_linear_kernel_gives_the_closed_form(tmp_path, regression, columns):
    X, Y = standardised(regression[0]), standardised(regression[1][:, :columns])

    json, W = fitted(tmp_path, *[regression[0], regression[1][:, :columns]], "--kernel", "linear", "--dim", columns)

    M = X.T @ Y  # both are centred
    values, vectors = np.linalg.eigh(M @ M.T)
    assert cosines(W, vectors[:, -columns:]).min() > 1 - 1e-10
    assert json["objective"] == pytest.approx(values[-columns:].sum(), rel=1e-10)
    assert json["used"]["targets"].startswith(f"linear kernel of {columns} standardised target column")
    assert json["options"]["mode"] == "supervised"


def test_columns_of_the_table_can_be_the_targets(tmp_path, regression):
    X, Y = regression
    write_csv(tmp_path / "t.csv", ["price", *"abc", "size", *"def"], np.c_[Y[:, 0], X[:, :3], Y[:, 1], X[:, 3:]])
    _, W = fitted(tmp_path, X, Y[:, :2], "--dim", 2)

    for columns in [["price", "size"], ["1", "5"]]:
        json = facts("reduce", "--preset", "paper", tmp_path / "t.csv", "--target-column", columns[0], "--target-column", columns[1], "--dim", 2,
                     "--save-projection", tmp_path / "V.npy")
        assert json["data"]["d"] == 6
        assert np.allclose(np.load(tmp_path / "V.npy"), W, atol=1e-9)


def test_the_units_of_the_targets_do_not_matter(tmp_path, regression):
    X, Y = regression
    _, W = fitted(tmp_path, X, Y, "--dim", 2, "--target-kernel", "gaussian")
    _, V = fitted(tmp_path, X, Y * [-3, 1e-5, 100] + 1, "--dim", 2, "--target-kernel", "gaussian")
    assert cosines(W, V).min() > 1 - 1e-8


@pytest.mark.parametrize("error", [1e-6, 1e-2])
@pytest.mark.parametrize("sigma", ["median", "0.3"])
def test_the_objective_differs_from_the_exact_one_by_no_more_than_stated(tmp_path, regression, error, sigma):
    X, Y = regression
    json, W = fitted(tmp_path, X, Y, "--dim", 2, "--target-kernel", "gaussian", "--target-sigma", sigma, "--target-error",
                     error, "--curvature", "never")

    used = json["used"]["targets"]
    width, rank, stated = re.match(r"gaussian\(sigma=(.*)\) of 3 standardised target columns, rank (\d+), error (.*)",
                                   used).groups()
    D = distances_squared(standardised(Y))
    if sigma == "median":
        assert float(width) == pytest.approx(np.median(np.sqrt(D)), rel=1e-9)  # zeros included
    else:
        assert width == sigma
    assert float(stated) <= error and int(rank) <= 200
    H = np.eye(200) - 1 / 200
    Gamma = H @ np.exp(-D / (2 * float(width) ** 2)) @ H
    sigma_x = float(json["options"]["kernel"].split("=")[1].rstrip(")"))
    K = np.exp(-distances_squared(standardised(X) @ W) / (2 * sigma_x**2))
    exact = (Gamma * K).sum()
    # |Tr((K_Y - LL')HKH)| <= Tr(K_Y - LL') |HKH|, and what the low rank misses is positive; two digits are printed.
    most = 1.05 * float(stated) * 200 * np.linalg.norm(H @ K @ H, 2)
    assert -1e-9 * exact <= exact - json["objective"] <= most + 1e-9 * exact


def test_a_gaussian_of_the_targets_finds_the_plane_of_a_nonlinear_dependence(tmp_path):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 6))
    y = X[:, 0] ** 2 + X[:, 1] ** 2  # uncorrelated with every feature

    json, W = fitted(tmp_path, X, y, "--target-kernel", "gaussian", "--dim", 2)

    assert json["status"] == "converged"
    assert cosines(W, np.eye(6, 2)).min() > 0.98
    assert facts("check", tmp_path / "m.ritz", tmp_path / "x.npy")["status"] == "holds"
    facts("transform", tmp_path / "m.ritz", tmp_path / "x.npy", "--save-embedding", tmp_path / "Z.npy")
    assert np.allclose(np.load(tmp_path / "Z.npy"), standardised(X) @ W, atol=1e-9)


def test_weights_of_a_sum_of_kernels_are_chosen_for_targets(tmp_path, regression):
    json, _ = fitted(tmp_path, *regression, "--dim", 2, "--kernel", "auto*gaussian+auto*polynomial(degree=2)")
    assert "auto" not in json["options"]["kernel"] and json["used"]["weights"]
