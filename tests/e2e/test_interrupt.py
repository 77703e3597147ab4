# SPDX-License-Identifier: MIT
"""Ctrl-C: the program stops soon, with status 130, and keeps the best result where there is one: while reading, between the
rounds of a clustering, twice. For every verb while it iterates: test_conformance.py."""
import json
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

from conftest import INTERRUPTED, PATIENCE, Running, dataset, facts


@pytest.fixture(scope="module")
def long_run(tmp_path_factory):
    """Data on which one sweep over all pairs takes seconds, and the fit minutes."""
    folder = tmp_path_factory.mktemp("long")
    rng = np.random.default_rng(4)
    np.save(folder / "x.npy", rng.normal(size=(9000, 200)))
    np.save(folder / "y.npy", rng.integers(0, 5, 9000))
    return [folder / "x.npy", "--labels", folder / "y.npy", "--dim", 5, "--kernel", "gaussian(sigma=8)", "--tolerance", 0,
            "--preset", "paper"]


@pytest.mark.slow
def test_a_request_to_end_is_obeyed_like_ctrl_c(long_run, tmp_path):
    run = Running("reduce", *long_run, "--verbose", "--save-projection", tmp_path / "W.npy", "--save-model", tmp_path / "m",
                  "--save-embedding", tmp_path / "Z.npy", f"--json={tmp_path / 'facts.json'}")
    run.wait_for(rb"ism +1 ")
    time.sleep(0.3)

    status, seconds = run.interrupt(signal.SIGTERM)

    assert status == INTERRUPTED and seconds < PATIENCE, (seconds, run.err)
    assert sorted(os.listdir(tmp_path)) == ["W.npy", "Z.npy", "facts.json", "m"]
    W = np.load(tmp_path / "W.npy")
    assert W.shape == (200, 5) and np.abs(W.T @ W - np.eye(5)).max() < 1e-12
    facts_ = json.loads((tmp_path / "facts.json").read_text())
    assert facts_["stop_reason"] == "interrupted" and facts_["status"] == "not_converged"
    assert facts_["iterations"] >= 1
    again = facts("transform", tmp_path / "m", long_run[0], "--save-embedding", tmp_path / "again.npy")
    assert again["status"] == "fine"
    assert np.array_equal(np.load(tmp_path / "Z.npy"), np.load(tmp_path / "again.npy"))


@pytest.mark.slow
def test_a_time_limit_keeps_the_best_result(long_run, tmp_path):
    probe = Running("reduce", *long_run, "--verbose")
    start = time.monotonic()
    probe.wait_for(rb"ism +1 ")
    first = time.monotonic() - start
    probe.interrupt()

    json_ = facts("reduce", *long_run, "--time-limit", 3 * first + 1, "--save-projection", tmp_path / "W.npy", status=4)

    assert json_["stop_reason"] == "time_limit" and json_["iterations"] >= 1
    assert np.load(tmp_path / "W.npy").shape == (200, 5)


def feed_without_end(pipe, lines):
    try:
        while True:
            pipe.write(lines)
    except (BrokenPipeError, ValueError):
        pass


@pytest.mark.parametrize("format_", ["csv", "libsvm"])
def test_an_interrupt_while_reading_leaves_nothing(tmp_path, format_):
    values = [b"%.17f" % v for v in np.random.default_rng(1).normal(size=100)]
    pairs = [b"%d:%s" % (j + 1, v) for j, v in enumerate(values)]
    line = b",".join(values) if format_ == "csv" else b"1 " + b" ".join(pairs)
    run = Running("reduce", "-", "--dim", 1, "--save-projection", tmp_path / "W.npy", stdin=subprocess.PIPE)
    feeder = threading.Thread(target=feed_without_end, args=(run.process.stdin, (line + b"\n") * 100))
    feeder.start()
    time.sleep(0.5)

    status, seconds = run.interrupt()
    feeder.join()

    assert status == INTERRUPTED and seconds < PATIENCE, (seconds, run.err)
    assert os.listdir(tmp_path) == []


def test_an_interrupt_while_waiting_for_standard_input_leaves_nothing(tmp_path):
    run = Running("reduce", "-", "--label-column", 1, "--save-projection", tmp_path / "W.npy", stdin=subprocess.PIPE)
    run.process.stdin.write(b"1,2\n3,4\n")
    run.process.stdin.flush()
    time.sleep(0.5)

    status, seconds = run.interrupt()

    assert status == INTERRUPTED and seconds < PATIENCE, (seconds, run.err)
    assert os.listdir(tmp_path) == []


def test_a_second_interrupt_ends_the_program_at_once(long_run):
    run = Running("reduce", *long_run)
    time.sleep(0.5)
    run.process.send_signal(signal.SIGINT)
    status, seconds = run.interrupt()
    assert status in (INTERRUPTED, -signal.SIGINT) and seconds < PATIENCE


@pytest.mark.slow
def test_an_interrupt_between_the_rounds_of_a_clustering_keeps_the_best_result(tmp_path):
    images = dataset("digits").samples
    run = Running("reduce", images, "--mode", "unsupervised", "--clusters", 10, "--round-tolerance", 0, "--verbose",
                  "--save-projection", tmp_path / "W.npy", "--save-labels", tmp_path / "labels", "--save-model", tmp_path / "m",
                  f"--json={tmp_path / 'facts.json'}")
    run.wait_for(rb"clusters +1 ", seconds=300)
    time.sleep(0.5)

    status, seconds = run.interrupt()

    # What makes a result of the best round comes after: a certificate without curvature and the labels.
    assert status == INTERRUPTED and seconds < 10 * PATIENCE, (seconds, run.err)
    assert sorted(os.listdir(tmp_path)) == ["W.npy", "facts.json", "labels", "m"]
    facts_ = json.loads((tmp_path / "facts.json").read_text())
    assert facts_["stop_reason"] == "interrupted" and facts_["iterations"] >= 1
    W, labels = np.load(tmp_path / "W.npy"), np.loadtxt(tmp_path / "labels", dtype=int)
    assert W.shape == (64, 10) and np.abs(W.T @ W - np.eye(10)).max() < 1e-12
    assert np.bincount(labels)[1:].tolist() == facts_["result"]["clusters"]["sizes"]
    facts("predict", tmp_path / "m", images, "--save-labels", tmp_path / "again")
    assert np.array_equal(np.loadtxt(tmp_path / "again", dtype=int), labels)
