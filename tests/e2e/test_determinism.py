# SPDX-License-Identifier: MIT
"""The same bits for 1, 2 and 7 threads, and for the same command twice."""
import pytest

from conftest import NamedSet, face, facts, wine

KERNELS = ["gaussian(sigma=median)", "polynomial(degree=3,offset=1)", "0.7*gaussian(sigma=median)+0.3*polynomial(degree=2,offset=1)",
           "rbf-relative(neighbours=7)", "multiquadric(offset=1)", "linear"]


def four_gaussian():
    return NamedSet("ism/four_gaussian_3000x4.csv", "ism/four_gaussian_3000x4.original.labels")


def outcome(folder, *args, status=0, **how):
    """All that a run leaves, as bytes and JSON; times, memory and file names are not part of the result."""
    folder.mkdir()
    files = {"projection": "W.npy", "embedding": "Z.npy", "model": "m.ritz", "plot": "plot.svg"}
    flags = [x for kind, name in files.items() for x in ("--plot" if kind == "plot" else f"--save-{kind}", folder / name)]
    json = facts("reduce", *args, *flags, status=status, **how)
    for key in ["seconds", "peak_memory_bytes", "files"]:
        del json[key]
    del json["trace"]["seconds"]
    del json["used"]["threads"]
    return json, {kind: (folder / name).read_bytes() for kind, name in files.items()}


def assert_same(one, other):
    assert one[0] == other[0]
    for kind in one[1]:
        assert one[1][kind] == other[1][kind], kind


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_result_has_the_same_bits_for_any_number_of_threads(tmp_path, kernel):
    args = [*wine().args, "--dim", 3, "--kernel", kernel]
    one = outcome(tmp_path / "1", *args, "--threads", 1)
    for threads in [2, 7]:
        assert_same(one, outcome(tmp_path / str(threads), *args, "--threads", threads))


@pytest.mark.parametrize("kernel", KERNELS)
def test_many_tiles_have_the_same_bits_for_any_number_of_threads(tmp_path, kernel):
    # Five iterations: every tile is summed several times, and the last digits do not depend on a stop rule.
    args = [*four_gaussian().args, "--dim", 2, "--kernel", kernel, "--max-iterations", 5, "--tolerance", 0, "--curvature", "never"]
    one = outcome(tmp_path / "1", *args, "--threads", 1, status=4)
    for threads in [2, 7]:
        assert_same(one, outcome(tmp_path / str(threads), *args, "--threads", threads, status=4))


@pytest.mark.parametrize("kernel", ["gaussian(sigma=median)", "polynomial(degree=2,offset=1)"])
def test_large_matrices_have_the_same_bits_for_any_number_of_threads(tmp_path, kernel):
    # 960 features: products and eigenvectors large enough for the mathematical libraries to use threads of their own.
    args = [*face().args, "--dim", 20, "--kernel", kernel, "--max-iterations", 2, "--tolerance", 0, "--curvature", "never"]
    one = outcome(tmp_path / "1", *args, "--threads", 1, status=4)
    for threads in [2, 7]:
        assert_same(one, outcome(tmp_path / str(threads), *args, "--threads", threads, status=4))
    # As on a machine with another number of cores.
    for cores in ["1", "3"]:
        env = {"OMP_NUM_THREADS": cores, "OPENBLAS_NUM_THREADS": cores}
        assert_same(one, outcome(tmp_path / f"{cores} cores", *args, status=4, env=env))


def test_the_same_seed_gives_the_same_result_twice(tmp_path):
    args = [*wine().args, "--dim", 2, "--seed", 5, "--holdout", 0.3]
    assert_same(outcome(tmp_path / "a", *args), outcome(tmp_path / "b", *args))
