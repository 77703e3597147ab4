# SPDX-License-Identifier: MIT
"""A kernel that is flat over all distances ended in an endless search for a level shift: its derivative is zero
everywhere. The fit now ends with a reason."""
from conftest import run_ritz


def test_a_kernel_that_is_flat_over_all_distances_ends_with_a_reason(blobs):
    run = run_ritz("reduce", *blobs.args, "--kernel", "gaussian(sigma=1e-9)", "--dim", 1, "--json", timeout=60)
    assert run.status == 4, run
    assert run.json["stop_reason"] == "stalled" and "vanishes" in run.json["message"]
