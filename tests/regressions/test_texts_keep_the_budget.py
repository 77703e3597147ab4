# SPDX-License-Identifier: MIT
"""Texts were read without a look at the memory budget: 28 KB of gzipped labels took 644 MB, 7 KB of nested MAT elements
424 MB. One line of 30 million fields, 61 KB of gzip, took 3.2 GB at a budget of 64M, and all there was without one."""
import gzip
import os
import struct
import zlib

import numpy as np
import pytest

from conftest import PROGRAM
from peak_memory import peak_of

BUDGET, MOST = "100M", 200e6

def peak_and_status(*args):
    return peak_of([PROGRAM, *args, "--max-memory", BUDGET, "--quiet", "--threads", "1"], env={**os.environ, "OMP_WAIT_POLICY": "passive"})


def repeated(path, text, times):
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(times // 100_000):
            file.write(text * 100_000)
    return path


@pytest.fixture
def data(tmp_path):
    np.savetxt(tmp_path / "x.csv", np.random.default_rng(0).normal(size=(20, 2)), delimiter=",")
    return tmp_path / "x.csv"


@pytest.mark.parametrize("kind", ["labels", "libsvm", "column", "pairs", "blanks", "wide line", "wide labels", "wide texts"])
def test_texts_count_in_the_budget(kind, data, tmp_path):
    n = 8_000_000
    words = {
        "labels": lambda: ["reduce", data, "--labels", repeated(tmp_path / "y.labels.gz", b"a\n", n)],
        "libsvm": lambda: ["reduce", repeated(tmp_path / "x.libsvm.gz", b"1\n", n)],
        "column": lambda: ["reduce", repeated(tmp_path / "l.csv.gz", b"1,a\n", n), "--label-column", 2],
        "pairs": lambda: ["kernel", data, "--pairs", repeated(tmp_path / "p.csv.gz", b"0,1,must\n", n)],
        "blanks": lambda: ["reduce", repeated(tmp_path / "b.csv.gz", b"\n", 3 * n)],
        "wide line": lambda: ["isometry", repeated(tmp_path / "w.csv.gz", b"0,", 3 * n), "--distortion", 0.3],
        "wide labels": lambda: ["reduce", data, "--labels", repeated(tmp_path / "w.labels.gz", b"a,", 3 * n)],
        "wide texts": lambda: ["describe", repeated(tmp_path / "t.csv.gz", b"a,", 3 * n)],
    }[kind]()
    peak, status, err = peak_and_status(*words)
    assert status in (3, 5), err
    assert peak < MOST


def test_compressed_elements_do_not_nest(tmp_path):
    element = struct.pack("<II", 14, 0)
    for _ in range(400):
        packed = zlib.compress(element, 9)
        element = struct.pack("<II", 15, len(packed)) + packed
    (tmp_path / "nest.mat").write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + element)
    peak, status, err = peak_and_status("reduce", tmp_path / "nest.mat", "--dim", 1)
    assert status == 3 and "damaged" in err and peak < MOST, (peak, err)


def test_the_width_of_sparse_samples_costs_little(tmp_path):
    (tmp_path / "w.libsvm").write_text("0 1048576:1\n1 5:1\n0 3:2\n1 7:3\n0 9:1 2000:3\n1 2:4\n")
    peak, status, err = peak_and_status("kernel", tmp_path / "w.libsvm", "--fraction", 0.9, "--neighbours", 2)
    assert status in (0, 4, 5), err
    assert peak < 2 * MOST, (peak, err)
