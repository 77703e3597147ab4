# SPDX-License-Identifier: MIT
"""--approximate: what a fit by a low-rank kernel reports as its error is an upper bound of the true one."""
import numpy as np
import pytest

import ism_reference as reference
from conftest import breast, dataset, facts, standardised, wine

SETS = {"wine": wine, "breast": breast, "digits": lambda: dataset("digits", 600)}


def check_bounds(json, X, labels, W, kernel):
    """Compares the certificate with the exact sums at the same W; returns whether a low-rank kernel was used."""
    F, Phi = reference.sums(X, labels, W, [(1, kernel)])
    bounds = json["certificate"]["approximation"]
    assert abs(json["objective"] - F) <= bounds["objective_error"] + 1e-11 * abs(F)
    assert reference.residual(Phi, W) <= bounds["first_order_bound"] + 1e-11
    exact_norm = np.linalg.norm(Phi, 2)
    assert abs(json["certificate"]["phi_norm"] - exact_norm) <= bounds["phi_error"] + 1e-2 * exact_norm
    return bounds["objective_error"] > 0


@pytest.mark.parametrize("error", ["1e-3", "1e-6"])
@pytest.mark.parametrize("name, dim", [("wine", 2), ("breast", 1), ("digits", 3)])
@pytest.mark.parametrize("kernel", ["gaussian", "multiquadric"])
def test_the_reported_error_bounds_the_true_one_on_the_reference_sets(name, dim, kernel, error, tmp_path):
    X, y = SETS[name]().load()
    json = facts("reduce", "--preset", "paper", *SETS[name]().args, "--kernel", kernel, "--dim", dim, "--approximate", error, "--curvature",
                 "never", "--save-projection", tmp_path / "W.npy")

    assert json["status"] == "converged"
    sigma = float(json["options"]["kernel"].split("sigma=")[1][:-1]) if kernel == "gaussian" else None
    exact = reference.gaussian(sigma) if kernel == "gaussian" else reference.multiquadric()
    check_bounds(json, standardised(X), y, np.load(tmp_path / "W.npy"), exact)


@pytest.mark.parametrize("dim, error", [(3, "1e-6"), (9, "1e-2")])
def test_digits_are_reduced_by_a_low_rank_kernel_whose_error_is_within_the_request(dim, error, tmp_path):
    X, y = dataset("digits").load()
    json = facts("reduce", "--preset", "paper", *dataset("digits").args, "--kernel", "gaussian", "--dim", dim, "--approximate", error,
                 "--curvature", "never", "--save-projection", tmp_path / "W.npy")

    sigma = float(json["options"]["kernel"].split("sigma=")[1][:-1])
    assert check_bounds(json, standardised(X), y, np.load(tmp_path / "W.npy"), reference.gaussian(sigma))
    assert json["certificate"]["approximation"]["objective_error"] <= float(error) * json["objective"]
    assert "low-rank kernel of" in json["used"]["pairs"]


def test_an_exact_fit_reports_no_approximation(blobs):
    bounds = facts("reduce", "--preset", "paper", *blobs.args, "--dim", 2)["certificate"]["approximation"]
    assert bounds["objective_error"] == 0 and bounds["phi_error"] == 0


def test_a_fit_by_a_low_rank_kernel_ends_near_the_exact_one(tmp_path):
    """Four clouds, a table large enough for a low-rank kernel to pay."""
    rng = np.random.default_rng(3)
    y = np.arange(1500) % 4
    X = rng.normal(size=(1500, 12)) + 2 * np.eye(4, 12)[y]
    np.save(tmp_path / "X.npy", X)
    np.savetxt(tmp_path / "y.labels", y, fmt="%d")
    args = ["reduce", tmp_path / "X.npy", "--labels", tmp_path / "y.labels", "--kernel", "gaussian", "--dim", 2, "--preset", "paper"]

    exact = facts(*args)
    approximate = facts(*args, "--approximate", "1e-8", "--save-projection", tmp_path / "W.npy")

    assert approximate["status"] == "converged"
    assert approximate["certificate"]["approximation"]["objective_error"] > 0
    assert approximate["objective"] == pytest.approx(exact["objective"], rel=3e-8)
    sigma = float(approximate["options"]["kernel"].split("sigma=")[1][:-1])
    assert check_bounds(approximate, standardised(X), y, np.load(tmp_path / "W.npy"), reference.gaussian(sigma))
