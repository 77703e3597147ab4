# SPDX-License-Identifier: MIT
"""Samples that memory cannot hold stay in their file: the same bits as in memory, within the budget."""
import gzip
import os
import struct

import numpy as np
import pytest

from conftest import PROGRAM, run_ritz
from peak_memory import peak_of

SMALL = "40M"  # 30 % of it hold less than the samples, which take 16 MB
N, D = 20_000, 100
FIT = ["--preset", "paper", "--dim", 2, "--max-iterations", 2, "--kernel", "polynomial(degree=2)", "--quiet"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(5)
    y = rng.integers(0, 3, N)
    X = np.round(20 * (rng.normal(size=(N, D)) + rng.normal(size=(3, D))[y])) + 100
    X = X.clip(0, 255)
    np.save(folder / "x.npy", X)
    np.save(folder / "single.npy", X.astype(np.float32))
    np.save(folder / "columns.npy", np.asfortranarray(X))
    np.save(folder / "with-labels.npy", np.column_stack([X, y]))
    with gzip.open(folder / "x.idx.gz", "wb", compresslevel=1) as file:
        file.write(struct.pack(">BBBBII", 0, 0, 8, 2, N, D) + X.astype(np.uint8).tobytes())
    header = ",".join(f"f{j}" for j in range(D)) + ",kind"
    rows = ["%s,%s" % (",".join(map("%d".__mod__, row)), "abc"[c]) for row, c in zip(X, y)]
    (folder / "x.csv").write_text("\n".join([header, *rows]) + "\n")
    np.savetxt(folder / "y.labels", y, fmt="%d")
    np.save(folder / "t.npy", X[:, :2] @ [1.0, -1.0] + rng.normal(size=N))
    return folder


def outputs(folder, *args):
    folder.mkdir()
    run = run_ritz(*args, "--save-model", folder / "m.ritz", "--save-projection", folder / "W.npy", f"--json={folder}/facts.json")
    assert run.status in (0, 4), run
    return {name: (folder / name).read_bytes() for name in ("m.ritz", "W.npy")}, (folder / "facts.json").read_text()


FILES = {"npy": ["x.npy"], "single precision": ["single.npy"], "by columns": ["columns.npy"], "gzipped idx": ["x.idx.gz"],
         "labels in the array": ["with-labels.npy", "--label-column", D + 1], "csv": ["x.csv", "--label-column", "kind"]}


def arguments(place, source):
    path, *more = FILES[source]
    return [place / path, *(more or ["--labels", place / "y.labels"])]


@pytest.mark.parametrize("source", FILES)
def test_rows_in_the_file_give_the_bits_of_rows_in_memory(place, tmp_path, source):
    args = ["reduce", *arguments(place, source), *FIT]
    held, said = outputs(tmp_path / "held", *args)
    stored, told = outputs(tmp_path / "stored", *args, "--max-memory", SMALL)
    assert "in their file" in told and "in their file" not in said
    assert stored == held


@pytest.mark.parametrize("fit", [
    ["--labels", "y.labels", "--preset", "paper", "--scale", "whiten", "--dim", 2, "--max-iterations", 1, "--kernel", "polynomial(degree=2)"],
    ["--targets", "t.npy", "--preset", "paper", "--dim", 1, "--max-iterations", 2, "--kernel", "polynomial(degree=2)"],
    ["--target-column", "3", "--preset", "paper", "--dim", 1, "--max-iterations", 2, "--kernel", "linear"],
])
def test_whitening_and_targets(place, tmp_path, fit):
    args = ["reduce", place / "x.npy", *[place / word if word in ("y.labels", "t.npy") else word for word in fit], "--quiet"]
    assert outputs(tmp_path / "stored", *args, "--max-memory", SMALL)[0] == outputs(tmp_path / "held", *args)[0]


def test_tiles_over_pairs_read_their_rows(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(16_000, 100))
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "y.npy", (X[:, 0] > 0) + 0.0)
    args = ["reduce", tmp_path / "x.npy", "--labels", tmp_path / "y.npy", "--preset", "paper", "--dim", 1, "--max-iterations", 1,
            "--kernel", "gaussian(sigma=12)", "--curvature", "never", "--quiet"]
    held = outputs(tmp_path / "held", *args)[0]
    stored, told = outputs(tmp_path / "stored", *args, "--max-memory", SMALL, "--threads", 1)
    assert stored == held and "in their file" in told


def peak(*args):
    most, status, err = peak_of([PROGRAM, *args])
    assert status in (0, 4), err
    return most


def test_the_budget_is_kept_by_reduce_transform_and_check(place, tmp_path):
    n, d = 200_000, 100  # 160 MB
    X = np.lib.format.open_memmap(tmp_path / "x.npy", mode="w+", dtype=np.float64, shape=(n, d))
    y = np.arange(n) % 3
    rng = np.random.default_rng(2)
    for i in range(0, n, 20_000):
        X[i : i + 20_000] = rng.normal(size=(20_000, d)) + 3 * np.eye(3, d)[y[i : i + 20_000]]
    X.flush()
    np.save(tmp_path / "y.npy", y)
    nothing = peak("list", "kernels")
    budget = 100e6
    data = [tmp_path / "x.npy", "--labels", tmp_path / "y.npy"]
    model, few = tmp_path / "m.ritz", ["--max-memory", "100M", "--quiet"]
    fit = [*FIT[:-1], "--save-model", model, "--curvature", "never"]
    assert peak("reduce", *data, *fit, *few) - nothing < budget
    assert peak("check", model, *data, "--curvature", "never", *few) - nothing < budget
    assert peak("transform", model, data[0], "--save-embedding", tmp_path / "Z.npy", *few) - nothing < budget
    assert np.load(tmp_path / "Z.npy").shape == (n, 2)


@pytest.fixture(scope="module")
def entries(tmp_path_factory):
    """12,000 samples of 120 columns, half of them empty, as LIBSVM and as rows of numbers."""
    folder = tmp_path_factory.mktemp("entries")
    n, d = 12_000, 120
    rng = np.random.default_rng(9)
    y = rng.integers(0, 3, n)
    X = np.round(10 * rng.normal(size=(n, d)) + 20 * rng.normal(size=(3, d))[y]) * (rng.random((n, d)) < 0.5)
    X[:, -1] = 1 + y
    np.save(folder / "x.npy", X)
    np.savetxt(folder / "y.labels", y, fmt="%d")
    with open(folder / "x.svm", "w") as file:
        for row, label in zip(X, y):
            file.write("%d %s\n" % (label, " ".join("%d:%d" % (j + 1, row[j]) for j in np.flatnonzero(row))))
    return folder


def test_libsvm_stays_in_a_file_of_its_entries(entries, tmp_path):
    """From there on it is as dense rows in memory are: the same bits as from an array."""
    held, _ = outputs(tmp_path / "held", "reduce", entries / "x.npy", "--labels", entries / "y.labels", *FIT)
    stored, told = outputs(tmp_path / "stored", "reduce", entries / "x.svm", *FIT, "--max-memory", "30M")
    assert "in their file" in told and stored["W.npy"] == held["W.npy"]
    for verb in [["transform"], ["predict"], ["check", "--curvature", "never"]]:
        run = run_ritz(verb[0], tmp_path / "stored" / "m.ritz", entries / "x.svm", *verb[1:], "--max-memory", "30M")
        assert run.status == (4 if verb[0] == "check" else 0) and "differ" not in run.err.lower(), run  # not converged: two iterations


def test_libsvm_with_gaps_drops_their_rows(entries, tmp_path):
    lines = (entries / "x.svm").read_text().splitlines()
    lines[7] = "2 1:nan 5:2"
    (tmp_path / "x.svm").write_text("\n".join(lines) + "\n")
    args = ["reduce", tmp_path / "x.svm", *FIT, "--max-memory", "30M", "--json"]
    run = run_ritz(*args)
    assert run.status == 3 and "row 8" in run.err and run.err.count("\n") == 1, run
    run = run_ritz(*args, "--na", "drop")
    assert run.json["data"]["n"] == len(lines) - 1 and any("dropped: 8" in note for note in run.json["notes"]), run


def test_no_temporary_file_is_left(place, tmp_path):
    run = run_ritz("reduce", *arguments(place, "csv"), *FIT, "--max-memory", SMALL, env={"TMPDIR": str(tmp_path)})
    assert run.status in (0, 4) and os.listdir(tmp_path) == []


@pytest.mark.parametrize("change, says", [
    (lambda lines: lines[: -5] + [lines[-5].replace(lines[-5].split(",")[3], "abc", 1)] + lines[-4:], f"line {N - 3}"),
    (lambda lines: lines[: -5] + [lines[-5] + ",7"] + lines[-4:], f"line {N - 3}"),
])
def test_errors_name_the_line_of_the_file(place, tmp_path, change, says):
    lines = (place / "x.csv").read_text().splitlines()
    (tmp_path / "x.csv").write_text("\n".join(change(lines)) + "\n")
    run = run_ritz("reduce", tmp_path / "x.csv", "--label-column", "kind", *FIT, "--max-memory", SMALL)
    assert run.status == 3 and says in run.err and run.err.count("\n") == 1, run


def test_what_needs_all_samples_at_once_says_so(place, tmp_path):
    run = run_ritz("reduce", *arguments(place, "csv"), *FIT, "--na", "median", "--max-memory", SMALL)
    assert run.status == 2 and "--na" in run.err and run.err.count("\n") == 1, run
    run = run_ritz("kernel", place / "x.npy", "--labels", place / "y.labels", "--max-memory", "10M")
    assert run.status == 5 and run.err.count("\n") == 1, run
