# SPDX-License-Identifier: MIT
"""Peak memory: n x n is never stored, and a budget is kept."""
import pytest

from conftest import PROGRAM, mnist_test, mnist_train
from peak_memory import peak_of

MB, GIB = 1e6, 2**30


def peak_bytes(*args, allowed=(0,)):
    """Peak resident memory of the program, as the kernel counts it."""
    peak, status, err = peak_of([PROGRAM, *args, "--quiet"])
    assert status in allowed, err
    return peak


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
