# SPDX-License-Identifier: MIT
"""Runs the program as a user would. RITZ_PROGRAM names it, RITZ_DATA the folder with the papers' data sets."""
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("RITZ_PROGRAM", ROOT / "build" / "release" / "bin" / "ritz")).resolve()
DATA = Path(os.environ.get("RITZ_DATA", ROOT.parent / "shared" / "data")).resolve()


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than a few seconds")


def pytest_sessionstart(session):
    if not os.access(PROGRAM, os.X_OK):
        pytest.exit(f"no program at {PROGRAM}; build it, or name it in RITZ_PROGRAM", returncode=2)


class Run:
    """What a finished command left: exit status, both outputs, and the JSON object where --json was asked for."""

    def __init__(self, args, process):
        self.args = args
        self.status = process.returncode
        self.bytes = process.stdout
        self.out = process.stdout.decode(errors="replace")
        self.err = process.stderr.decode(errors="replace")

    @property
    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"ritz {' '.join(self.args)}\nexit status {self.status}\n{self.err}"


def run_ritz(*args, stdin=None, cwd=None, timeout=300, env=None):
    args = [str(a) for a in args]
    process = subprocess.run([PROGRAM, *args], input=stdin if stdin is not None else b"", capture_output=True,
                             cwd=cwd, timeout=timeout, env={**os.environ, **(env or {})})
    return Run(args, process)


def facts(*args, status=0, **how):
    """The JSON object of a run that must end with the given exit status."""
    run = run_ritz(*args, "--json", "--quiet", **how)
    assert run.status == status, run
    assert run.err == "", run
    return run.json


def data_file(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not in the data folder {DATA}; set RITZ_DATA")
    return path


class NamedSet:
    def __init__(self, samples, labels):
        self.samples, self.labels = data_file(samples), data_file(labels)
        self.args = [self.samples, "--labels", self.labels]

    def load(self):
        return np.loadtxt(self.samples, delimiter=","), np.loadtxt(self.labels, dtype=int)


def wine():
    return NamedSet("ism/wine.csv", "ism/wine.labels")


def cancer():
    return NamedSet("ism/cancer.csv", "ism/cancer.labels")


def face():
    return NamedSet("ism/face_624x960.csv", "ism/face.identity.labels")


def mnist_test():
    return NamedSet("mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz")


def mnist_train():
    return NamedSet("mnist/train-images-idx3-ubyte.gz", "mnist/train-labels-idx1-ubyte.gz")


def standardised(X):
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1)


@pytest.fixture(scope="session")
def blobs(tmp_path_factory):
    """A small table that every test may read: 60 samples, 4 features, 3 classes, as CSV with a header and a label column."""
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 4)) + 3 * np.eye(3, 4)[y]
    folder = tmp_path_factory.mktemp("blobs")
    names = ["left", "right", "up", "down"]
    classes = np.array(["red", "green", "blue"])[y]

    class Blobs:
        pass

    blobs = Blobs()
    blobs.X, blobs.y, blobs.classes, blobs.names = X, y, classes, names
    blobs.csv, blobs.labels = folder / "blobs.csv", folder / "blobs.labels"
    blobs.plain = folder / "plain.csv"
    blobs.csv.write_text(",".join(names + ["colour"]) + "\n" +
                         "".join(",".join(repr(v) for v in row) + f",{c}\n" for row, c in zip(X.tolist(), classes)))
    blobs.plain.write_text("".join(",".join(repr(v) for v in row) + "\n" for row in X.tolist()))
    blobs.labels.write_text("".join(f"{c}\n" for c in classes))
    blobs.args = [blobs.plain, "--labels", blobs.labels]
    return blobs
