# SPDX-License-Identifier: MIT
"""A run that is killed goes on from its checkpoint and ends with the bits of a run that nothing disturbed.

RITZ_LONG=1 kills each recipe RITZ_KILLS times (200 where that is not set)."""
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from conftest import PROGRAM, Running, run_ritz

LONG = bool(os.environ.get("RITZ_LONG"))
KILLS = int(os.environ.get("RITZ_KILLS", 200)) if LONG else 2
LABELS = ["--labels", "y.labels"]
MODEL = ["--save-model", "model.ritz"]
REDUCE = ["reduce", "x.csv", *LABELS, *MODEL, "--save-embedding", "embedding.csv"]
PLAIN = ["--dim", 2, "--kernel", "gaussian(sigma=2)", "--scale", "standard", "--tolerance", 1e-9]
FREE = ["reduce", "x.csv", "--clusters", 3, "--dim", 2, *MODEL, "--save-labels", "found.labels"]
CENTER = ["center", "s.npz", *MODEL]
RECIPES = {
    "reduce": [*REDUCE, *PLAIN, "--solver", "ism"],
    "reduce best": [*REDUCE, *PLAIN, "--solver", "best", "--restarts", 3, "--curvature", "always"],
    "reduce plain": [*REDUCE, *PLAIN, "--solver", "plain"],
    "reduce sm": [*REDUCE, *PLAIN, "--solver", "sm"],
    "reduce gm": [*REDUCE, *PLAIN, "--solver", "gm"],
    "reduce dg": [*REDUCE, *PLAIN, "--solver", "dg"],
    "reduce approximate": [*REDUCE, *PLAIN, "--solver", "ism", "--approximate", 1e-4],
    "reduce mixed": [*REDUCE, *PLAIN, "--solver", "ism", "--precision", "mixed", "--restarts", 1],
    "reduce by evidence": [*REDUCE],
    "reduce kernel auto": [*REDUCE, "--kernel", "auto", "--choose-folds", 3],
    "reduce folds": [*REDUCE, *PLAIN, "--folds", 4, "--holdout", 0.2],
    "reduce bootstrap": [*REDUCE, *PLAIN, "--bootstrap", 6, "--sparse", "--save-sparse-projection", "sparse.csv"],
    "reduce targets": ["reduce", "x.csv", "--targets", "t.csv", *MODEL, "--dim", 2, "--scale", "standard", "--features", 2],
    "reduce unsupervised": [*FREE, "--mode", "unsupervised"],
    "reduce semi": [*FREE, "--mode", "semi", "--scores", "t.csv"],
    "recluster": ["recluster", "x.csv", "--given", "y.labels", "--clusters", 2, *MODEL, "--save-labels", "found.labels"],
    "recluster views": ["recluster", "x.csv", "--given", "y.labels", "--clusters", 2, "--views", 2, "--restarts", 2, *MODEL],
    "recluster tune": ["recluster", "few.csv", "--given", "few.labels", "--clusters", 2, "--tune", *MODEL],
    "kernel": ["kernel", "x.csv", *LABELS, "--fraction", 0.6, *MODEL, "--save-kernel", "kernel.csv"],
    "kernel newton": ["kernel", "x.csv", *LABELS, "--fraction", 0.6, "--scale", "standard", "--neighbours", 5, "--tolerance", 1e-10, *MODEL],
    "kernel lbfgsb": ["kernel", "x.csv", *LABELS, "--fraction", 0.6, "--scale", "standard", "--neighbours", 5, "--solver", "lbfgsb",
                      "--loss", "hinge", *MODEL],
    "kernel gradient": ["kernel", "x.csv", *LABELS, "--fraction", 0.6, "--scale", "standard", "--neighbours", 5, "--solver", "gradient",
                        "--max-iterations", 60, *MODEL],
    "kernel trace": ["kernel", "x.csv", *LABELS, "--fraction", 0.6, "--scale", "standard", "--neighbours", 5, "--power", 1,
                     "--budget", 50, *MODEL],
    "unfold": ["unfold", "x.csv", "--connect", *MODEL, "--save-embedding", "embedding.csv"],
    "unfold mve": ["unfold", "x.csv", "--connect", "--method", "mve", *MODEL],
    "unfold bounded": ["unfold", "x.csv", "--connect", "--method", "mve", "--budget", 60, *MODEL],
    "unfold spe": ["unfold", "x.csv", "--connect", "--method", "spe", *MODEL],
    "isometry": ["isometry", "x.csv", "--distortion", 0.2, *MODEL, "--save-embedding", "embedding.csv"],
    "isometry levels": ["isometry", "many.csv", "--distortion", 0.35, *MODEL],
    "isometry rank": ["isometry", "x.csv", "--distortion", 0.75, "--rank", 4, *MODEL],
    "isometry numax": ["isometry", "x.csv", "--distortion", 0.3, "--method", "numax", *MODEL],
    "isometry prefixes": ["isometry", "x.csv", "--prefixes", "1,2,3", *MODEL],
    "center": [*CENTER],
    "center newton": [*CENTER, "--dim", 2],
    "center subgradient": [*CENTER, "--dim", 2, "--solver", "subgradient", "--max-iterations", 60],
    "center renard": [*CENTER, "--dim", 2, "--solver", "renard", "--max-iterations", 60],
    "center karcher": [*CENTER, "--dim", 2, "--method", "karcher"],
    "center median": [*CENTER, "--dim", 2, "--method", "median"],
    "depend": ["depend", "x.csv", *LABELS, "--permutations", 2000, *MODEL],
}
# One of each verb, and of each way to choose: the others where there is time.
QUICK = ["reduce", "reduce best", "reduce by evidence", "reduce folds", "reduce bootstrap", "reduce unsupervised", "recluster", "kernel",
         "kernel newton", "unfold", "unfold mve", "isometry", "center newton", "depend"]


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stock")
    rng = np.random.default_rng(5)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 5)) + 2.5 * np.eye(3, 5)[y]
    few = (np.arange(40) % 2)[:, None] * [4, 0, 0] + (np.arange(40) // 20)[:, None] * [0, 4, 0] + rng.normal(size=(40, 3))
    for name, table in {"x": X, "t": X[:, :1] + X[:, 1:2] ** 2, "few": few, "many": rng.normal(size=(900, 8)) * np.arange(1, 9)}.items():
        np.savetxt(folder / f"{name}.csv", table, delimiter=",", fmt="%.17g")
    np.savetxt(folder / "y.labels", y, fmt="%d")
    np.savetxt(folder / "few.labels", np.arange(40) % 2, fmt="%d")
    np.savez(folder / "s.npz", **{f"s{i}": np.linalg.qr(np.eye(9)[:, :3] + 0.4 * rng.normal(size=(9, 3)))[0] for i in range(12)})
    return folder


@pytest.fixture
def place(tmp_path, stock, monkeypatch):
    for path in stock.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outputs():
    """The content of all files that a run has written, but for its checkpoint."""
    return {path.name: path.read_bytes() for path in Path().iterdir()
            if path.is_file() and not path.is_symlink() and path.suffix != ".ckpt" and not path.name.startswith(".")}


def fresh():
    for name in outputs():
        os.remove(name)


RECORDED = ["--checkpoint", "run.ckpt", "--checkpoint-minutes", 0, "--threads", 1]


def killed(args, after, resume):
    """Whether a run was killed so many seconds after its start, before it had ended by itself."""
    how = ["--resume", "run.ckpt", "--checkpoint-minutes", 0, "--threads", 1] if resume else RECORDED
    process = subprocess.Popen([PROGRAM, *map(str, args), *map(str, how), "--quiet"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        process.wait(after)
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True


def undisturbed(args):
    """(outputs, seconds) of a run that nothing disturbs, without a checkpoint: it must not change the bits either."""
    start = time.monotonic()
    run = run_ritz(*args, "--quiet", "--threads", 1)
    assert run.status in (0, 4), run
    expected = outputs()
    assert "model.ritz" in expected
    fresh()
    return run.status, expected, time.monotonic() - start


@pytest.mark.parametrize("name", [name for name in RECIPES if LONG or name in QUICK])
def test_killed_runs_end_with_the_same_bits(name, place):
    args = RECIPES[name]
    status, expected, seconds = undisturbed(args)
    rng = random.Random(name)
    kills, gained = 0, False
    for attempt in range(10 * KILLS):
        if kills >= KILLS:
            break
        Path("run.ckpt").unlink(missing_ok=True)
        lives = 0
        while lives < 3 and killed(args, rng.uniform(0.2, 1.3) * seconds, resume=Path("run.ckpt").exists()):
            kills, lives = kills + 1, lives + 1
            assert outputs() == {} or outputs().keys() <= expected.keys()
        if not Path("run.ckpt").exists():  # before there was anything to keep
            continue
        fresh()
        run = run_ritz(*args, "--resume", "run.ckpt", "--json", "--threads", 1)
        assert run.status == status, run
        assert not list(Path().glob(".*.tmp"))  # what killed writers have left is gone
        told = run.json["used"]["resume"]
        gained |= not told.startswith("run.ckpt: 0 stages and 0 iterations")
        assert "run.ckpt" in run.err and outputs() == expected, (name, kills, told)
        fresh()
    print(f"{name}: {kills} kills")
    assert kills > 0
    assert gained or not LONG  # two kills on a busy machine may come before anything is recorded


@pytest.mark.parametrize("name", [name for name in RECIPES if LONG or name in QUICK[:2] + ["recluster", "isometry", "kernel newton"]])
def test_every_checkpoint_leads_to_the_same_bits(name, place):
    """What lies in the file at any moment is what a kill at that moment would leave."""
    args = RECIPES[name]
    status, expected, _ = undisturbed(args)
    process = subprocess.Popen([PROGRAM, *map(str, args), *map(str, RECORDED), "--quiet"])
    seen, copies = 0, []
    while process.poll() is None:
        try:
            number = os.stat("run.ckpt").st_ino
            if number != seen:
                os.link("run.ckpt", f"{len(copies)}.ckpt")
                copies.append(f"{len(copies)}.ckpt")
                seen = number
        except FileNotFoundError:
            pass
    assert process.returncode == status and outputs() == expected  # to record changes nothing
    assert copies
    for copy in random.Random(name).sample(copies, min(len(copies), 40 if LONG else 3)):
        fresh()
        run = run_ritz(*args, "--resume", copy, "--checkpoint", "other.ckpt", "--quiet", "--threads", 2)
        assert run.status == status and outputs().keys() == expected.keys(), (name, copy, run)
        # used.threads stands in a model: all else must be the same.
        assert {k: v for k, v in outputs().items() if k != "model.ritz"} == {k: v for k, v in expected.items() if k != "model.ritz"}
        fresh()
        run = run_ritz(*args, "--resume", copy, "--checkpoint", "other.ckpt", "--quiet", "--threads", 1)
        assert run.status == status and outputs() == expected, (name, copy)


def test_a_finished_run_and_an_interrupted_one_say_what_their_checkpoint_is_for(place):
    args = RECIPES["reduce"]
    run = run_ritz(*args, *RECORDED)
    assert run.status == 0 and "the run is finished" in run.err, run
    first = outputs()
    again = run_ritz(*args, "--resume", "run.ckpt", "--threads", 1, "--json")
    assert again.status == 0 and "of an earlier run were not done again" in again.json["used"]["resume"]
    assert again.json["files"]["checkpoint"] == "run.ckpt" and outputs() == first
    slow = ["reduce", "x.csv", *LABELS, *PLAIN[:-1], 1e-300, "--max-iterations", 10**6, "--solver", "sm"]
    run = run_ritz(*slow, "--checkpoint", "slow.ckpt", "--time-limit", 0.5)
    assert run.status == 4 and "--resume slow.ckpt goes on from here" in run.err, run


def test_ctrl_c_leaves_a_checkpoint(place):
    args = ["depend", "x.csv", *LABELS, "--permutations", 10**6]
    program = Running(*args, "--checkpoint", "run.ckpt", "--verbose")
    program.wait_for(rb"objective")
    status, _ = program.interrupt()
    assert status == 130 and b"--resume run.ckpt goes on from here" in program.err
    assert Path("run.ckpt").exists()


def test_other_data_options_and_damaged_files_are_refused_with_one_sentence(place):
    args = ["reduce", "x.csv", *LABELS, *PLAIN]
    assert run_ritz(*args, *RECORDED, "--quiet").status == 0

    def refused(words, status, sentence):
        run = run_ritz(*words)
        assert run.status == status and sentence in run.err and run.err.count("\n") == 1, run

    refused([*args, "--resume", "nowhere.ckpt"], 3, "no such file: nowhere.ckpt")
    refused([*args, "--resume", ".", "--checkpoint", "new.ckpt"], 3, "cannot be read")
    refused([*args, "--resume", "x.csv"], 2, "which is read")
    refused([*args, "--resume", "y.labels", "--checkpoint", "new.ckpt"], 3, "is no checkpoint")
    refused([*args, "--max-iterations", 7, "--resume", "run.ckpt"], 2, "that run was begun with --max-iterations 1000, which is 7 now")
    refused([*args, "--seed", 3, "--resume", "run.ckpt"], 2, "--seed 0, which is 3 now")
    refused([*args, "--drop-column", 1, "--resume", "run.ckpt"], 2, "--drop-column")
    refused(["isometry", "x.csv", "--distortion", 0.2, "--resume", "run.ckpt"], 2, "a run of 'reduce', not of 'isometry'")
    refused(["reduce", "-", *LABELS, *PLAIN, "--checkpoint", "new.ckpt"], 2, "standard input cannot be read a second time")
    refused([*args, "--checkpoint", "c.ckpt", "--checkpoint-minutes", -1], 2, "--checkpoint-minutes is -1")
    changed = Path("x.csv").read_text().replace("1", "2", 1)
    Path("x.csv").unlink()
    Path("x.csv").write_text(changed)
    refused([*args, "--resume", "run.ckpt"], 3, "other data: 'data' differs")
    whole = Path("run.ckpt").read_bytes()
    rng = random.Random(1)
    for damage in range(20):
        at = rng.randrange(len(whole))
        damaged = whole[:at] if damage % 2 else whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1:]
        Path("bad.ckpt").write_bytes(damaged)
        run = run_ritz(*args, "--resume", "bad.ckpt")
        assert run.status == 3 and run.err.count("\n") == 1 and ("damaged" in run.err or "no checkpoint" in run.err), (at, run)


def test_a_checkpoint_that_cannot_be_written_does_not_cost_the_result(place):
    args = RECIPES["reduce"]
    assert run_ritz(*args, "--checkpoint", "nowhere/run.ckpt").status == 2
    Path("folder").mkdir()
    program = subprocess.Popen([PROGRAM, *map(str, [*REDUCE, *PLAIN[:-1], 0, "--solver", "sm", "--max-iterations", 3000]), "--checkpoint",
                                "folder/run.ckpt", "--checkpoint-minutes", "0"], stderr=subprocess.PIPE)
    while not Path("folder/run.ckpt").exists() and program.poll() is None:
        time.sleep(0.01)
    os.rename("folder", "elsewhere")
    _, err = program.communicate()
    assert program.returncode == 4 and b"NOT WRITTEN" in err and Path("model.ritz").exists(), err
