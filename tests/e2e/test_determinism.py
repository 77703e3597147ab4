# SPDX-License-Identifier: MIT
"""The same bits for any number of threads where the sums are long: every kernel over many tiles, and products and
eigenvectors large enough for the mathematical libraries to use threads of their own. Small inputs of every verb, and all
their outputs, are in test_conformance.py."""
import numpy as np
import pytest

from conftest import facts, generated

KERNELS = ["gaussian(sigma=median)", "polynomial(degree=3,offset=1)", "0.7*gaussian(sigma=median)+0.3*polynomial(degree=2,offset=1)",
           "rbf-relative(neighbours=7)", "multiquadric(offset=1)", "linear"]
# Every tile is summed several times, and the last digits do not depend on a stop rule.
FEW = ["--preset", "paper", "--max-iterations", 3, "--tolerance", 0, "--curvature", "never"]


def outcome(folder, *args, **how):
    """All that a run leaves, as bytes and JSON; times, memory and file names are not part of the result."""
    folder.mkdir()
    json = facts("reduce", *args, *FEW, "--save-projection", folder / "W.npy", "--save-model", folder / "m.ritz", status=4, **how)
    for key in ["seconds", "peak_memory_bytes", "files"]:
        del json[key]
    del json["trace"]["seconds"]
    del json["used"]["threads"]
    return json, (folder / "W.npy").read_bytes(), (folder / "m.ritz").read_bytes()


@pytest.mark.parametrize("kernel", KERNELS)
def test_many_tiles_have_the_same_bits_for_any_number_of_threads(tmp_path, kernel):
    samples = generated("large-gauss", 2000)
    args = [samples, "--labels", samples.with_suffix(".original.labels"), "--dim", 2, "--kernel", kernel]
    one = outcome(tmp_path / "1", *args, "--threads", 1)
    for threads in [2, 7]:
        assert outcome(tmp_path / str(threads), *args, "--threads", threads) == one


@pytest.mark.parametrize("kernel", ["gaussian(sigma=median)", "polynomial(degree=2,offset=1)"])
def test_large_matrices_have_the_same_bits_for_any_number_of_threads_and_cores(tmp_path, kernel):
    rng = np.random.default_rng(6)
    y = np.arange(400) % 10
    np.save(tmp_path / "x.npy", rng.normal(size=(400, 700)) + rng.normal(size=(10, 700))[y])
    np.save(tmp_path / "y.npy", y)
    args = [tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--dim", 10, "--kernel", kernel]
    one = outcome(tmp_path / "1", *args, "--threads", 1)
    for threads in [2, 7]:
        assert outcome(tmp_path / str(threads), *args, "--threads", threads) == one
    env = {"OMP_NUM_THREADS": "3", "OPENBLAS_NUM_THREADS": "3"}  # as on a machine with another number of cores
    assert outcome(tmp_path / "3 cores", *args, env=env) == one
