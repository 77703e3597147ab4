# SPDX-License-Identifier: MIT
"""Peak memory: n x n is never stored, and a budget is kept."""
import os
import subprocess

import pytest

from conftest import PROGRAM, mnist_test, mnist_train

MB, GIB = 1e6, 2**30


# A child that shares this process' memory until it runs the program would be charged with the peak of all tests so far.
subprocess._USE_VFORK = False


def peak_bytes(*args, allowed=(0,)):
    """Peak resident memory of the program, as the kernel counts it."""
    process = subprocess.Popen([PROGRAM, *map(str, args), "--quiet"], stderr=subprocess.PIPE)
    err = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in allowed, err
    return usage.ru_maxrss * 1024


@pytest.mark.slow
def test_ten_thousand_images_need_less_than_400_mb():
    peak = peak_bytes("reduce", "--preset", "paper", *mnist_test().args, "--dim", 10, "--max-iterations", 1, allowed=(4,))
    assert peak < 400 * MB  # one n x n matrix alone would be 800


@pytest.mark.slow
def test_sixty_thousand_images_are_reduced_within_two_gib(tmp_path):
    peak = peak_bytes("reduce", "--preset", "paper", *mnist_train().args, "--kernel", "polynomial(degree=3)", "--dim", 10, "--max-memory", "2G",
                      "--max-iterations", 10, "--tolerance", "1e-2", "--save-projection", tmp_path / "W.npy", allowed=(0, 4))
    assert peak < 2 * GIB
    assert (tmp_path / "W.npy").exists()
