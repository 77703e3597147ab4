# SPDX-License-Identifier: MIT
"""`check` compared the sums of a low-rank kernel to nine digits with exact ones and called 36 of 36 honest fits false."""
import numpy as np
import pytest

from conftest import run_ritz


@pytest.mark.parametrize("error", [1e-2, 1e-4])
@pytest.mark.parametrize("seed", [0, 1])
def test_an_approximate_fit_that_converged_holds(error, seed, tmp_path):
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 3, size=600)
    np.save(tmp_path / "x.npy", draw.normal(size=(600, 4)) + 3 * np.eye(4)[y])
    (tmp_path / "y.labels").write_text("\n".join(map(str, y)) + "\n")
    data = [tmp_path / "x.npy", "--labels", tmp_path / "y.labels"]
    run = run_ritz("reduce", *data, "--dim", 2, "--kernel", "gaussian(sigma=3)", "--approximate", error, "--save-model", tmp_path / "m.ritz")
    assert run.status in (0, 4), run
    check = run_ritz("check", tmp_path / "m.ritz", *data)
    if run.status == 0:
        assert check.status == 0, (run.err, check.err)


def test_held_out_samples_do_not_count_as_a_change(tmp_path):
    draw = np.random.default_rng(2)
    y = draw.integers(0, 2, size=60)
    np.save(tmp_path / "x.npy", draw.normal(size=(60, 3)) + 2 * np.eye(3)[y])
    (tmp_path / "y.labels").write_text("\n".join(map(str, y)) + "\n")
    data = [tmp_path / "x.npy", "--labels", tmp_path / "y.labels"]
    assert run_ritz("reduce", *data, "--dim", 1, "--holdout", 0.3, "--save-model", tmp_path / "m.ritz").status == 0
    check = run_ritz("check", tmp_path / "m.ritz", *data)
    assert check.status == 0, check
