# SPDX-License-Identifier: MIT
"""A width far below all distances makes the kernel the identity; recluster then ended in a failure of its eigenvalue
iteration, or praised a clustering at random. It is now told what the kernel is."""
import pytest

from conftest import generated, run_ritz


@pytest.mark.parametrize("sigma", [1e-3, 1e-5, 1e-8])
def test_a_kernel_that_is_the_identity_is_named_and_no_raw_failure(sigma):
    path = generated("moons", 400)
    run = run_ritz("recluster", path, "--given", path.with_suffix(".original.labels"), "--clusters", 2, "--sigma", sigma)
    assert run.status in (0, 4) and "DEGENERATE" in run.err
    if sigma < 1e-4:
        assert "numerically the identity" in run.err and "raise --sigma" in run.err
