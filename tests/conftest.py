# SPDX-License-Identifier: MIT
"""Runs the program as a user would. RITZ_PROGRAM names it, RITZ_DATA the folder with the papers' data sets; a test that
needs one which is not there is skipped. All others take sets that scikit-learn carries or the program draws."""
import functools
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(os.environ.get("RITZ_PROGRAM", ROOT / "build" / "release" / "bin" / "ritz")).resolve()
DATA = Path(os.environ.get("RITZ_DATA", ROOT.parent / "shared" / "data")).resolve()
SCRATCH = tempfile.TemporaryDirectory(prefix="ritz-tests-")  # data sets, written once and read by many tests
NEEDS_DATA = "needs a data set of the papers"

INTERRUPTED = 130
PATIENCE = 2.5  # seconds of work by two threads until an interrupted program has ended: one by the clock of an idle machine


def pytest_addoption(parser):
    parser.addoption("--count", type=int, default=6, help="random problems a task in test_certificates.py")
    parser.addoption("--list-needing-data", type=Path, metavar="FILE", help="write there the tests that ask for the data folder")
    parser.addoption("--only-listed", type=Path, metavar="FILE", help="run only the tests that FILE names, one a line")


@pytest.fixture
def count(request):
    return request.config.getoption("--count")


def pytest_sessionstart(session):
    if not os.access(PROGRAM, os.X_OK):
        pytest.exit(f"no program at {PROGRAM}; build it, or name it in RITZ_PROGRAM", returncode=2)


# --- tests that need the data folder ----------------------------------------------------------------------------------------

ASKED = []  # grows whenever something asks for the data folder
ASKED_BY_FIXTURE = {}  # (folder or file, name): what it asked for when it was made
NEEDING_DATA = set()  # tests that asked for it, in the process that sums up


def once(make):
    """The same arguments, the same object; whoever gets it has asked for the data sets that it was made of."""
    made = {}

    @functools.wraps(make)
    def get(*args):
        if args in made:
            ASKED.extend(made[args][1])
        else:
            before = len(ASKED)
            made[args] = make(*args), ASKED[before:]
        return made[args][0]

    return get


@pytest.hookimpl(hookwrapper=True)
def pytest_fixture_setup(fixturedef, request):
    before = len(ASKED)
    yield
    ASKED_BY_FIXTURE[fixturedef.baseid, fixturedef.argname] = ASKED[before:]


def pytest_runtest_setup(item):
    item.asked_before = len(ASKED)


def pytest_runtest_teardown(item):
    shared = any(asked and name in item.fixturenames and item.nodeid.startswith(base) for (base, name), asked in ASKED_BY_FIXTURE.items())
    if shared or len(ASKED) > item.asked_before:
        item.user_properties.append(("needs data", True))


def pytest_runtest_logreport(report):
    if ("needs data", True) in map(tuple, report.user_properties):
        NEEDING_DATA.add(report.nodeid)


def pytest_collection_modifyitems(config, items):
    if file := config.getoption("--only-listed"):
        listed = set(file.read_text().splitlines())
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in listed])
        items[:] = [item for item in items if item.nodeid in listed]


def pytest_terminal_summary(terminalreporter):
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if NEEDS_DATA in str(report.longrepr)]
    if skipped:
        terminalreporter.write_line(f"{len(skipped)} tests need the papers' data sets, which are not in {DATA}: set RITZ_DATA")


def pytest_sessionfinish(session):
    """A stranger sees most of what is tested."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not reporter or hasattr(session.config, "workerinput"):
        return
    if file := session.config.getoption("--list-needing-data"):
        file.write_text("".join(f"{name}\n" for name in sorted(NEEDING_DATA)))
    tests = sum(len(reporter.stats.get(word, [])) for word in ("passed", "skipped"))
    if tests > 300 and 4 * len(NEEDING_DATA) > tests:
        reporter.write_line(f"\nmore than a quarter of the tests need the papers' data sets: {len(NEEDING_DATA)} of {tests}")
        session.exitstatus = 1


# --- running --------------------------------------------------------------------------------------------------------------


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
    if args[:1] == ["reproduce"] and "RITZ_DATA" not in (env or {}):
        ASKED.append(args)  # it looks there itself
    process = subprocess.run([PROGRAM, *args], input=stdin if stdin is not None else b"", capture_output=True,
                             cwd=cwd, timeout=timeout, env={**os.environ, **(env or {})})
    return Run(args, process)


def facts(*args, status=0, **how):
    """The JSON object of a run that must end with the given exit status."""
    run = run_ritz(*args, "--json", "--quiet", **how)
    assert run.status == status, run
    assert run.err == "", run
    return run.json


def table(path):
    """The numbers of a CSV file that the program wrote, without its header and the names of its rows."""
    first, *rows = [line.split(",") for line in Path(path).read_text().splitlines()]
    begin = 1 if first[0] in ("id", "feature", "axis") else 0
    return np.array([[float(field) for field in row[begin:]] for row in (rows if "axis" in "".join(first) or begin else [first, *rows])])


class Running:
    """A started program whose standard error is read while it runs."""

    def __init__(self, *args, stdin=subprocess.DEVNULL):
        self.process = subprocess.Popen([PROGRAM, *map(str, args)], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, "OMP_NUM_THREADS": "2"})
        self.err = b""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for chunk in iter(lambda: self.process.stderr.read1(4096), b""):
            self.err += chunk

    def wait_for(self, pattern, seconds=120):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.err):
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                self.reader.join()
                raise AssertionError(f"the program ended, or {seconds} s passed, without {pattern}: {self.err}")
            time.sleep(0.02)

    def work(self):
        """Seconds that all its threads have computed: unlike the clock it does not mind what else the machine does."""
        after_name = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, after_name[11:13])) / os.sysconf("SC_CLK_TCK")

    def interrupt(self, number=signal.SIGINT):
        """(exit status, seconds of work until the end)."""
        before = self.work()
        self.process.send_signal(number)
        patience = threading.Timer(120, self.process.kill)
        patience.start()
        _, status, usage = os.wait4(self.process.pid, 0)
        patience.cancel()
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.reader.join()
        self.out = self.process.stdout.read()
        return self.process.returncode, usage.ru_utime + usage.ru_stime - before


# --- data sets ------------------------------------------------------------------------------------------------------------


def data_file(name):
    """Of the papers' data sets."""
    ASKED.append(name)
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{NEEDS_DATA}: {name}")
    return path


def case_file(name):
    """Of the small instances of kernel learning and unfolding with known optima."""
    return ROOT / "tests" / "cases" / "npkl" / name


class NamedSet:
    def __init__(self, samples, labels):
        self.samples, self.labels = samples, labels
        self.args = [samples, "--labels", labels]

    def load(self):
        return np.loadtxt(self.samples, delimiter=","), np.loadtxt(self.labels, dtype=int)


@functools.lru_cache(maxsize=None)
def dataset(name, rows=None):
    """One that scikit-learn carries: wine (178 x 13), iris (150 x 4), breast_cancer (569 x 30), digits (1797 x 64)."""
    from sklearn import datasets
    carried = getattr(datasets, f"load_{name}")()
    stem = Path(SCRATCH.name) / f"{name}{rows or ''}"
    np.savetxt(stem.with_suffix(".csv"), carried.data[:rows], delimiter=",", fmt="%.17g")
    np.savetxt(stem.with_suffix(".labels"), carried.target[:rows], fmt="%d")
    return NamedSet(stem.with_suffix(".csv"), stem.with_suffix(".labels"))


@functools.lru_cache(maxsize=None)
def sparse_set(rows=None):
    """Pixels of the digits that are set, as a libsvm file, and the table it stands for: (path, X, y)."""
    from sklearn.datasets import dump_svmlight_file, load_digits
    carried = load_digits()
    X, y = (carried.data[:rows] > 7).astype(float), carried.target[:rows]
    path = Path(SCRATCH.name) / f"digits{rows or ''}.libsvm"
    dump_svmlight_file(X, y, str(path), zero_based=False)
    return path, X, y


@functools.lru_cache(maxsize=None)
def generated(name, samples, *more):
    """What `ritz generate` draws: the path of its samples. Labels and the like lie beside it, as stem.word.labels."""
    path = Path(tempfile.mkdtemp(dir=SCRATCH.name)) / f"{name}.csv"
    run = run_ritz("generate", name, "--samples", samples, *more, "--output", path, "--quiet")
    assert run.status == 0, run
    return path


def squares(count, field, seed):
    """Pictures of a white square of 3/7 of a black field's side at real positions, as the papers' reference ranks have them."""
    side = 3 * field // 7
    start = np.random.default_rng(seed).uniform(0, field - side, (count, 2))
    grid = np.arange(field)
    covered = np.clip(np.minimum(grid + 1, start[..., None] + side) - np.maximum(grid, start[..., None]), 0, 1)
    return np.einsum("si,sj->sij", covered[:, 0], covered[:, 1]).reshape(count, -1)


def wine():
    return dataset("wine")


def breast():
    return dataset("breast_cancer")


def cancer():
    return NamedSet(data_file("ism/cancer.csv"), data_file("ism/cancer.labels"))


def face():
    return NamedSet(data_file("ism/face_624x960.csv"), data_file("ism/face.identity.labels"))


def mnist_test():
    return NamedSet(data_file("mnist/t10k-images-idx3-ubyte.gz"), data_file("mnist/t10k-labels-idx1-ubyte.gz"))


def mnist_train():
    return NamedSet(data_file("mnist/train-images-idx3-ubyte.gz"), data_file("mnist/train-labels-idx1-ubyte.gz"))


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
