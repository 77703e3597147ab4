# SPDX-License-Identifier: MIT
"""Under mpirun: the bits of the plain run for any number of ranks and threads, one voice, and an end for all ranks whatever
happens to one."""
import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from conftest import INTERRUPTED, PROGRAM, Run, Running, dataset, run_ritz

MODULE = PROGRAM.parents[1] / "lib" / "ritz" / "libritz_mpi.so"
START = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--quiet"]
PATIENCE = 60  # seconds; never needed: what hangs would hang for ever

pytestmark = pytest.mark.skipif(not shutil.which("mpirun") or not MODULE.exists(),
                                reason="needs Open MPI and a build with RITZ_MPI=ON")


def mpirun(ranks, *args, env=None):
    return launched([*START, "-np", str(ranks), PROGRAM, *map(str, args)], env)


def launched(command, env=None):
    process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, env={**os.environ, **(env or {})})
    return Run([str(word) for word in command], process)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Enough samples for several shares of the pairs."""
    folder = tmp_path_factory.mktemp("ranks")
    rng = np.random.default_rng(3)
    y = np.arange(1100) % 3
    X = rng.normal(size=(1100, 4)) + 2 * rng.normal(size=(3, 4))[y]
    np.save(folder / "x.npy", X)
    np.savetxt(folder / "y.labels", y, fmt="%d")
    np.savez(folder / "s.npz", **{f"s{i}": np.linalg.qr(rng.normal(size=(12, 3)))[0] for i in range(9)})
    np.save(folder / "wide.npy", rng.normal(size=(6000, 200)))
    np.save(folder / "wide-y.npy", np.arange(6000) % 5)
    return folder


def outputs(run, folder):
    assert run.status in (0, 4), run
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


ISM = ["--preset", "paper", "--max-iterations", 4, "--dim", 2]
FITS = {
    "reduce": ["reduce", "x.npy", "--labels", "y.labels", *ISM, "--kernel", "gaussian(sigma=1.5)", "--save-projection", "W.npy"],
    "reduce a sum of kernels": ["reduce", "x.npy", "--labels", "y.labels", *ISM, "--kernel", "0.7*gaussian+0.3*polynomial(degree=2)", "--precision", "mixed"],
    "reduce without labels": ["reduce", "x.npy", "--mode", "unsupervised", "--clusters", 3, *ISM, "--save-embedding", "Z.npy"],
    "recluster": ["recluster", "x.npy", "--given", "y.labels", "--clusters", 2, "--max-rounds", 2, "--save-labels", "found.labels"],
    "isometry": ["isometry", "x.npy", "--distortion", 0.4, "--save-embedding", "Z.npy"],
    "kernel": ["kernel", dataset("iris").samples, "--labels", dataset("iris").labels, "--fraction", 0.5, "--save-kernel", "K.npy"],
    "unfold": ["unfold", dataset("wine").samples, "--connect", "--max-iterations", 5, "--save-embedding", "Z.npy"],
    "center": ["center", "s.npz", "--dim", 2],
    "depend": ["depend", "x.npy", "--labels", "y.labels", "--permutations", 29],
}


def arguments(fit, place, folder):
    words = [str(word) for word in FITS[fit]]
    for i, word in enumerate(words):
        if word in ("x.npy", "y.labels", "s.npz"):
            words[i] = str(place / word)
        elif i > 0 and words[i - 1].startswith("--save"):
            words[i] = str(folder / word)
    return [*words, "--save-model", str(folder / "m.ritz"), "--quiet"]


@pytest.mark.parametrize("fit", FITS)
def test_any_number_of_ranks_and_threads_gives_the_bits_of_the_plain_run(place, tmp_path, fit):
    def found(run, name, *more):
        (tmp_path / name).mkdir()
        return outputs(run(*arguments(fit, place, tmp_path / name), *more), tmp_path / name)

    plain = found(run_ritz, "plain", "--threads", 1)
    assert "m.ritz" in plain
    for ranks, threads in [(3, 1), (5, 2)] if fit.startswith("reduce") else [(2, 2)]:
        assert found(lambda *args: mpirun(ranks, *args), f"{ranks}", "--threads", threads) == plain, (ranks, threads)


SETS = {"iris": [3, 1], "wine": [5, 2], "drawn": [2, 2]}  # each with other numbers of ranks and threads
WORK = {
    "reduce": ["reduce", "X", "--labels", "y", *ISM, "--kernel", "gaussian(sigma=1.5)"],
    "recluster": ["recluster", "X", "--given", "y", "--clusters", 2, "--max-rounds", 2],
    "isometry": ["isometry", "X", "--distortion", 0.5],
    "kernel": ["kernel", "X", "--labels", "y", "--fraction", 0.3, "--max-iterations", 5],
    "unfold": ["unfold", "X", "--connect", "--max-iterations", 3],
    "depend": ["depend", "X", "--labels", "y", "--permutations", 19],
    "center": ["center", "groups", "--group-column", "group", "--rank", 2, "--dim", 1],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("verb", WORK)
def test_every_task_on_several_sets(tmp_path, verb, name):
    if name == "drawn":
        X, y = tmp_path / "x.npy", tmp_path / "y.npy"
        rng = np.random.default_rng(11)
        np.save(y, np.arange(700) % 2)
        np.save(X, rng.normal(size=(700, 6)) + np.outer(np.arange(700) % 2, rng.normal(size=6)))
    else:
        X, y = dataset(name).samples, dataset(name).labels
    groups = tmp_path / "groups.csv"
    if verb == "center":  # the same samples, with their classes in a column
        values, classes = (np.load(X), np.load(y)) if name == "drawn" else (np.loadtxt(X, delimiter=","), np.loadtxt(y, dtype=str))
        names = ",".join([*(f"x{i}" for i in range(values.shape[1])), "group"])
        groups.write_text("\n".join([names, *(",".join([*map(repr, row), str(of)]) for row, of in zip(values.tolist(), classes))]) + "\n")
    words = [{"X": X, "y": y, "groups": groups}.get(word, word) for word in WORK[verb]]
    found = []
    for run, folder, threads in [(run_ritz, "plain", 1), (lambda *args: mpirun(SETS[name][0], *args), "ranks", SETS[name][1])]:
        (tmp_path / folder).mkdir()
        done = run(*words, "--save-model", tmp_path / folder / "m.ritz", "--threads", threads, "--quiet")
        found.append(outputs(done, tmp_path / folder))
    assert found[0] == found[1]


def test_ranks_read_samples_that_they_cannot_hold(place, tmp_path):
    args = ["reduce", place / "wide.npy", "--labels", place / "wide-y.npy", *ISM, "--kernel", "polynomial(degree=2)", "--quiet"]
    assert run_ritz(*args, "--save-model", tmp_path / "held").status in (0, 4)
    run = mpirun(3, *args, "--save-model", tmp_path / "stored", "--max-memory", "30M", "--json")
    assert run.status in (0, 4) and "in their file" in run.json["used"]["samples"], run
    assert (tmp_path / "stored").read_bytes() == (tmp_path / "held").read_bytes()


def test_transform_and_check_give_what_they_give_without_ranks(place, tmp_path):
    x, y, model = place / "x.npy", place / "y.labels", tmp_path / "m"
    assert run_ritz("reduce", x, "--labels", y, *ISM, "--kernel", "gaussian(sigma=2)", "--save-model", model, "--quiet").status in (0, 4)
    for verb in [["check", model, x, "--labels", y], ["transform", model, x, "--quiet"]]:
        plain, ranks = run_ritz(*verb), mpirun(2, *verb)
        assert (ranks.status, ranks.out, ranks.err) == (plain.status, plain.out, plain.err)


def test_one_rank_speaks_and_writes(place, tmp_path):
    args = ["reduce", place / "x.npy", "--labels", place / "y.labels", *ISM, "--save-model", tmp_path / "m", "--json"]
    run = mpirun(2, *args)
    assert run.json["verb"] == "reduce" and run.err.count("\n  ranks") == 1, run
    assert os.listdir(tmp_path) == ["m"]

    alone = mpirun(2, "generate", "large-gauss", "--samples", 4)
    assert alone.out == run_ritz("generate", "large-gauss", "--samples", 4).out


@pytest.mark.parametrize("args, status, says", [
    (["x.npy", "--dim", 0], 2, "--dim"),
    (["absent.npy", "--dim", 2], 3, "absent.npy"),
    (["x.npy", "--labels", "y.labels", "--dim", 2, "--max-memory", "40K"], 5, "memory"),
    (["-", "--dim", 2], 2, "standard input"),
])
def test_what_all_ranks_refuse_one_says(place, args, status, says):
    run = mpirun(2, "reduce", *[place / word if word in ("x.npy", "y.labels", "absent.npy") else word for word in args])
    assert run.status == status and run.err.count("\n") == 1 and says in run.err and "rank 1" not in run.err, run


def of_two(first, second, *settings):
    return launched([*START, "-np", "1", PROGRAM, *map(str, first), ":", *settings, "-np", "1", PROGRAM, *map(str, second)])


def test_what_one_rank_cannot_read_ends_both(place):
    args = ["--labels", place / "y.labels", "--dim", 2, "--preset", "paper"]
    run = of_two(["reduce", place / "x.npy", *args], ["reduce", place / "absent.npy", *args])
    assert run.status == 3 and run.err.count("\n") == 1, run
    assert "rank 1: " in run.err and "absent.npy" in run.err


@pytest.mark.parametrize("limited", [[1], [0, 1]])
def test_a_rank_without_room_for_mpi_ends_all(place, limited):
    """Open MPI hangs, or aborts, where it cannot map the memory that ranks share."""
    words = [str(word) for word in [PROGRAM, "reduce", place / "x.npy", "--labels", place / "y.labels", *ISM]]
    narrow = ["bash", "-c", 'ulimit -v 250000; exec "$@"', "bash", *words]
    run = launched([*START, "-np", "1", *(narrow if 0 in limited else words), ":", "-np", "1", *(narrow if 1 in limited else words)])
    assert run.status == 5 and run.err.count("\n") == 1 and "address space" in run.err, run
    assert ("rank 1" in run.err) == (0 not in limited)


def test_ranks_that_would_compute_other_bits_are_refused(place):
    args = ["reduce", place / "x.npy", "--dim", 2]
    run = of_two(args, args, "-x", "OPENBLAS_CORETYPE=Prescott")
    assert run.status == 2 and run.err.count("\n") == 1 and "rank 1 is ritz" in run.err, run


def test_without_the_module_nobody_runs(place, tmp_path):
    (tmp_path / "bin").mkdir()
    program = shutil.copy(PROGRAM, tmp_path / "bin" / "ritz")
    run = launched([*START, "-np", "3", program, "reduce", str(place / "x.npy"), "--dim", "2"])
    assert run.status == 2 and run.err.count("\n") == 1 and "libritz_mpi.so" in run.err, run
    assert launched([*START, "-np", "1", program, "--version"]).status == 0  # one rank is a plain run


class Ranks(Running):
    """A job that goes on for long, and the processes of its ranks in their order."""

    def __init__(self, ranks, place, folder):
        args = ["reduce", place / "wide.npy", "--labels", place / "wide-y.npy", "--dim", 5, "--kernel", "gaussian(sigma=8)", "--tolerance", 0,
                "--preset", "paper", "--threads", 1, "--verbose", "--save-projection", folder / "W.npy"]
        self.process = subprocess.Popen([*START, "-np", str(ranks), PROGRAM, *map(str, args)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.err = b""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        self.wait_for(rb"ism +1 ")
        self.ranks = {}
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and f"\0{folder}/W.npy\0".encode() in (entry / "cmdline").read_bytes():
                    settings = (entry / "environ").read_bytes().split(b"\0")
                    self.ranks |= {int(s.partition(b"=")[2]): int(entry.name) for s in settings if s.startswith(b"OMPI_COMM_WORLD_RANK=")}
            except OSError:
                pass
        assert len(self.ranks) == ranks, self.ranks

    def end(self, rank, number):
        time.sleep(0.2)
        os.kill(self.ranks[rank], number)
        status = self.process.wait(PATIENCE)
        self.reader.join()
        self.process.stdout.close()
        deadline = time.monotonic() + 10
        while any(Path(f"/proc/{pid}").exists() for pid in self.ranks.values()):
            assert time.monotonic() < deadline, "a rank is left behind"
            time.sleep(0.05)
        return status


@pytest.mark.parametrize("rank", [0, 1])
def test_ctrl_c_at_any_rank_keeps_the_result(place, tmp_path, rank):
    run = Ranks(2, place, tmp_path)
    assert run.end(rank, signal.SIGINT) == INTERRUPTED, run.err
    assert np.load(tmp_path / "W.npy").shape == (200, 5)


@pytest.mark.parametrize("rank", [0, 2])
def test_a_killed_rank_ends_all(place, tmp_path, rank):
    run = Ranks(3, place, tmp_path)
    assert run.end(rank, signal.SIGKILL) != 0
    assert [name for name in os.listdir(tmp_path) if not name.startswith(".")] == []
