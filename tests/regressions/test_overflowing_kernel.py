# SPDX-License-Identifier: MIT
"""A width so small that its square underflows gave infinities, and a failure of the eigenvalue routine far from the cause.
The kernel is now named."""
from conftest import run_ritz


def test_a_kernel_that_overflows_is_named_as_a_wrong_option(blobs, tmp_path):
    run = run_ritz("reduce", *blobs.args, "--kernel", "gaussian(sigma=1e-170)", "--save-model", tmp_path / "m")
    assert run.status == 2 and run.err.count("\n") == 1, run
    assert "gaussian(sigma=1e-170)" in run.err and "overflows" in run.err
    assert not (tmp_path / "m").exists()
