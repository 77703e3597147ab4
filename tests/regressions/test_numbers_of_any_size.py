# SPDX-License-Identifier: MIT
"""Values beyond 1e155 or below 1e-165 have squares that are no numbers: isometry and center crashed or answered wrongly,
and samples near 1e15 that differ by 1 were called equal."""
import numpy as np
import pytest

from conftest import facts, run_ritz


@pytest.mark.parametrize("method", ["numax", "fromax", "nile"])
@pytest.mark.parametrize("scale", [1e160, 1e300, 1e-200])
def test_isometry_of_any_scale(scale, method, tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 3)) * scale
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", fmt="%.17g")
    found = facts("isometry", tmp_path / "x.csv", "--distortion", 0.3, "--method", method)
    assert found["objective"] <= 3 and found["certificate"]["distortion"] <= 0.3
    (tmp_path / "two.csv").write_text(f"{scale!r}\n0\n")
    assert run_ritz("isometry", tmp_path / "two.csv", "--distortion", 0.3, "--method", method).status == 0


@pytest.mark.parametrize("scale", [1e155, 1e160, 1e300, 1e-160, 1e-165, 1e-300])
def test_a_centre_does_not_depend_on_the_length_of_vectors(scale, tmp_path):
    draw = np.random.default_rng(3)
    for name in "ab":
        basis = draw.normal(size=(6, 2))
        for kind, times in (("plain", 1), ("scaled", scale)):
            np.savetxt(tmp_path / f"{name}.{kind}.csv", times * basis, delimiter=",", fmt="%.17g")
    for more in (["--dim", 1], []):
        plain, scaled = (facts("center", tmp_path / f"a.{kind}.csv", tmp_path / f"b.{kind}.csv", *more) for kind in ("plain", "scaled"))
        assert np.isclose(plain["objective"], scaled["objective"], rtol=1e-9)
        assert plain["result"]["order"] == scaled["result"]["order"] if "order" in plain["result"] else True


@pytest.mark.parametrize("offset, scale", [(1e15, 1), (0, 1e-200)])
def test_samples_that_differ_are_not_called_equal(offset, scale, tmp_path):
    X = (offset + np.random.default_rng(2).normal(size=(30, 3))) * scale
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", fmt="%.17g")
    (tmp_path / "y.labels").write_text("a\nb\n" * 15)
    run = run_ritz("reduce", tmp_path / "x.csv", "--labels", tmp_path / "y.labels", "--dim", 1)
    assert run.status in (0, 4) and "equal" not in run.err, run
