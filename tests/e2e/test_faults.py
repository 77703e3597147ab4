# SPDX-License-Identifier: MIT
"""The k-th write, fsync, rename or read fails, for every k: a sentence and a status, no file under its final name that is
not whole, nothing left beside it, and the inputs as they were."""
import json
import os
import shutil
import signal
import subprocess

import numpy as np
import pytest

from conftest import PROGRAM, ROOT, SCRATCH, Path, run_ritz

MOST = 60  # calls that are struck, at most

COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(not COMPILER, reason="no C compiler for the shim")


@pytest.fixture(scope="module")
def shim():
    library = Path(SCRATCH.name) / "faults.so"
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-w", "-o", library, ROOT / "tests" / "support" / "faults.c", "-ldl"], check=True)
    return library


@pytest.fixture
def folder(tmp_path):
    draw = np.random.default_rng(0)
    np.savetxt(tmp_path / "x.csv", np.vstack([draw.normal(size=(8, 2)), 5 + draw.normal(size=(8, 2))]), delimiter=",", fmt="%.17g")
    (tmp_path / "y.labels").write_text("a\n" * 8 + "b\n" * 8)
    for name in ("p.csv", "q.csv"):
        np.savetxt(tmp_path / name, draw.normal(size=(4, 2)), delimiter=",", fmt="%.17g")
    return tmp_path


VERBS = {
    "reduce": ["x.csv", "--labels", "y.labels", "--dim", "1", "--save-embedding", "z.csv"],
    "isometry": ["x.csv", "--distortion", "0.3", "--save-embedding", "z.csv"],
    "center": ["p.csv", "q.csv", "--dim", "1"],
    "recluster": ["x.csv", "--given", "y.labels", "--clusters", "2", "--save-embedding", "z.csv"],
    "kernel": ["x.csv", "--labels", "y.labels", "--fraction", "0.5", "--neighbours", "4"],
    "unfold": ["x.csv", "--dim", "1", "--neighbours", "4", "--connect", "--save-embedding", "z.csv"],
    "depend": ["x.csv", "--labels", "y.labels", "--permutations", "19"],
}


def struck(shim, folder, verb, fault):
    words = [verb, *VERBS[verb], "--save-model", "m.ritz", "--json=j.json", "--threads", "1", "--quiet"]
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "LD_PRELOAD": str(shim), "RITZ_FAULT": fault, "OMP_WAIT_POLICY": "passive"})


@pytest.mark.parametrize("call", ["write", "fsync", "rename", "read", "open"])
@pytest.mark.parametrize("verb", ["reduce", *(pytest.param(verb, marks=pytest.mark.slow) for verb in VERBS if verb != "reduce")])
def test_every_failing_call_is_answered_and_leaves_whole_files(shim, folder, verb, call):
    inputs = {path.name: path.read_bytes() for path in folder.iterdir()}
    plain = struck(shim, folder, verb, "none:1")
    assert plain.returncode in (0, 4), plain
    whole = {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in inputs}
    for k in range(1, MOST):
        for name in whole:
            (folder / name).unlink(missing_ok=True)
        run = struck(shim, folder, verb, f"{call}:{k}")
        assert run.returncode in (0, 2, 3, 4, 5, 7), (call, k, run)
        left = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert {name: left.get(name) for name in inputs} == inputs
        for name in left.keys() - inputs.keys():
            assert name in whole, (call, k, name)  # no temporary file
            if name != "j.json":
                assert left[name] == whole[name], (call, k, name)
        if run.returncode == plain.returncode and left.keys() - inputs.keys() == whole.keys():
            if call not in ("read", "open"):
                break
        elif run.returncode not in (0, 4):
            assert run.stderr.startswith("ritz: ") and "internal" not in run.stderr, run


# What is done with a model, a table or a manifest: words, and what they write.
OTHERS = {
    "transform": (["m.ritz", "x.csv", "--save-embedding", "t.csv"], {"t.csv"}),
    "predict": (["m.ritz", "x.csv", "--save-labels", "p.labels"], {"p.labels"}),
    "check": (["m.ritz", "x.csv", "--labels", "y.labels"], set()),
    "report": (["m.ritz", "x.csv", "--output", "r.html"], {"r.html"}),
    "describe": (["x.csv"], set()),
    "estimate": (["reduce", "x.csv"], set()),
    "generate": (["sectors", "--samples", "20", "--output", "g.csv"], {"g.csv", "g.class.labels", "g.sector.labels"}),
    "replay": (["r.json"], set()),
}


@pytest.mark.parametrize("call", ["write", "fsync", "rename", "read", "open", "alloc"])
@pytest.mark.parametrize("verb", OTHERS)
def test_other_verbs_answer_every_failing_call(shim, folder, verb, call):
    assert run_ritz("reduce", *VERBS["reduce"], "--save-model", "m.ritz", "--manifest", "r.json", "--threads", 1, cwd=folder).status in (0, 4)
    inputs = {path.name: path.read_bytes() for path in folder.iterdir()}
    words, outputs = OTHERS[verb]
    made = [*words, "--json=j.json", "--quiet"]

    def run(fault):
        for name in {path.name for path in folder.iterdir()} - inputs.keys():
            (folder / name).unlink()
        return subprocess.run([PROGRAM, verb, *made], cwd=folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "LD_PRELOAD": str(shim), "RITZ_FAULT": fault, "OMP_WAIT_POLICY": "passive",
                                   "RITZ_FAULT_COUNT": str(folder.parent / "count")})

    plain = run("none:1")
    assert plain.returncode == 0, plain
    whole = {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in inputs}
    assert outputs <= whole.keys()
    total = int((folder.parent / "count").read_text()) if call == "alloc" else MOST
    places = range(1, MOST) if call != "alloc" else sorted({1 + int(total * share) for share in np.random.default_rng(2).uniform(size=12)})
    for k in places:
        struck = run(f"{call}:{k}")
        assert struck.returncode in (0, 2, 3, 4, 5, 7), (call, k, struck)
        assert "internal" not in struck.stderr, (call, k, struck)
        left = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert {name: left.get(name) for name in inputs} == inputs
        for name in left.keys() - inputs.keys():
            assert name in whole, (call, k, name)
            assert name == "j.json" or left[name] == whole[name], (call, k, name)
        if call in ("write", "fsync", "rename") and struck.returncode == 0:
            break


@pytest.mark.parametrize("verb", VERBS)
def test_a_kill_at_any_call_leaves_whole_files(shim, folder, verb):
    """kill -9 at the k-th write, fsync and rename; what lies there then is whole, and the next run sweeps up."""
    inputs = {path.name: path.read_bytes() for path in folder.iterdir()}
    plain = struck(shim, folder, verb, "none:1")
    whole = {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in inputs}
    kills = 0
    for call in ("write", "fsync", "rename"):
        for k in range(1, MOST):
            for name in whole:
                (folder / name).unlink(missing_ok=True)
            run = struck(shim, folder, verb, f"kill-{call}:{k}")
            if run.returncode == plain.returncode:
                break
            assert run.returncode == -signal.SIGKILL, (call, k, run)
            kills += 1
            left = {path.name: path.read_bytes() for path in folder.iterdir()}
            assert {name: left.get(name) for name in inputs} == inputs, (call, k)
            for name in whole.keys() & left.keys():
                assert name == "j.json" or left[name] == whole[name], (call, k, name)
            if "j.json" in left:
                json.loads(left["j.json"])
    assert kills >= 6
    struck(shim, folder, verb, "none:1")
    assert {path.name for path in folder.iterdir()} == inputs.keys() | whole.keys()


def refused_memory(shim, folder, verb, count):
    """Of so many requests for memory, spread over the whole run, each is refused once."""
    inputs = {path.name: path.read_bytes() for path in folder.iterdir()}
    number = folder.parent / "count"
    os.environ["RITZ_FAULT_COUNT"] = str(number)
    try:
        plain = struck(shim, folder, verb, "none:1")
    finally:
        del os.environ["RITZ_FAULT_COUNT"]
    assert plain.returncode in (0, 4), plain
    whole = {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in inputs}
    total = int(number.read_text())
    assert total > 1000
    for k in sorted({1 + int(total * share) for share in np.random.default_rng(1).uniform(size=count)}):
        for name in whole:
            (folder / name).unlink(missing_ok=True)
        run = struck(shim, folder, verb, f"alloc:{k}")
        assert run.returncode in (0, 3, 4, 5, 7), (verb, k, total, run)
        assert "internal" not in run.stderr, (verb, k, run)
        left = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert {name: left.get(name) for name in inputs} == inputs
        for name in left.keys() - inputs.keys():
            assert name in whole, (verb, k, name)
            if name != "j.json":
                assert left[name] == whole[name], (verb, k, name)


@pytest.mark.parametrize("verb", VERBS)
def test_refused_memory_is_a_sentence_and_leaves_whole_files(shim, folder, verb):
    refused_memory(shim, folder, verb, 12)


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_memory_refused_anywhere_is_a_sentence(shim, folder, verb):
    refused_memory(shim, folder, verb, 150)
