# SPDX-License-Identifier: MIT
"""What a summary advises can be done: every option of its lines exists, and the commands run when they are pasted."""
import re

import numpy as np
import pandas as pd
import pytest

from conftest import facts, run_ritz

VERBS = {
    "reduce": ["t.csv", "--label-column", "label"],
    "reduce numbers": ["t.csv", "--target-column", "c", "--drop-column", "label"],
    "reduce clusters": ["t.csv", "--drop-column", "label", "--clusters", "2"],
    "reduce held out": ["t.csv", "--label-column", "label", "--holdout", "0.3"],
    "recluster": ["t.csv", "--given", "label", "--clusters", "2", "--dim", "1"],
    "kernel": ["t.csv", "--label-column", "label", "--fraction", "0.4"],
    "unfold": ["t.csv", "--label-column", "label", "--time-limit", "5"],
    "isometry": ["t.csv", "--label-column", "label", "--distortion", "0.5", "--time-limit", "5"],
    "center": ["t.csv", "--group-column", "label"],
    "depend": ["t.csv", "--label-column", "label", "--permutations", "19"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("next")
    rng = np.random.default_rng(4)
    labels = np.repeat(["x", "y", "z"], 12)
    X = rng.normal(size=(36, 5)) + 3 * np.eye(3, 5)[np.repeat([0, 1, 2], 12)]
    pd.DataFrame(X, columns=list("abcde")).assign(label=labels).to_csv(folder / "t.csv", index=False)
    return folder


def advice(text):
    """The options of a summary's lines, with what stands behind them where that can be taken as it is."""
    lines = re.sub(r"\n {15}", " ", text)
    for line in re.findall(r"^  (?:next|another|axes|note|…|    ….*)\s+.*$", lines, re.M):
        for option, value in re.findall(r"(--[a-z][a-z-]+)(?: (FILE|[\d.]+(?:,[\d.]+)*))?", line):
            yield option, value


@pytest.mark.parametrize("name", VERBS)
def test_what_is_advised_runs(name, folder):
    verb = name.split()[0]
    run = run_ritz(verb, *VERBS[name], "--threads", "1", cwd=folder)
    assert run.status in (0, 4), run
    assert "  next " in run.err
    known = run_ritz(verb, "--help").out + run_ritz(verb, "--help", "all").out
    advised = dict(advice(run.err))
    assert advised, run.err
    for option, value in advised.items():
        assert option in known, (option, run.err)
        if option in ("--threads", "--holdout") or not (value or re.search(rf"{option}\s{{2,}}", known)):
            continue  # another command's, or a number that only a person can choose
        value = {"FILE": "out.svg" if "plot" in option else "out.csv"}.get(value, value)
        words = [option, *([value] if value else [])]
        again = run_ritz(verb, *VERBS[name], *words, "--threads", "1", "--quiet", cwd=folder)
        assert again.status in (0, 4), (words, again)


def test_described_commands_run_for_a_table_with_everything(folder):
    """Names with blanks and quotes, a unit, gaps, a column of no use and a number that stands for nothing."""
    frame = pd.read_csv(folder / "t.csv")
    frame["it's a \"name\""] = frame.a.where(frame.index % 7 > 0)
    frame["price, net"] = [f"${v:.2f}" for v in frame.b]
    frame["remark"] = [f"text {i // 2} of {i % 3}" if i > 1 else "text" for i in range(36)]
    frame["depth"] = frame.c.where(frame.index % 9 > 0, -999)
    frame.to_csv(folder / "my table.csv", index=False)
    import shlex
    commands = facts("describe", "my table.csv", cwd=folder)["result"]["commands"]
    assert len(commands) >= 3
    for command in commands:
        run = run_ritz(*shlex.split(command)[1:], "--threads", "1", "--quiet", cwd=folder)
        assert run.status in (0, 4), (command, run)


SUGGESTED = {
    "last column": lambda f: f,
    "numbers as classes": lambda f: f.assign(target=np.repeat([0, 1, 2], 12)).drop(columns="label"),
    "a target": lambda f: f.assign(price=f.a * 3 + f.b).drop(columns="label"),
    "names of columns that come twice": lambda f: f.set_axis(["a", "a", "c", "d", "e", "label"], axis=1),
    "a label with a comma": lambda f: f.rename(columns={"label": "label, or class"}),
    "labels with gaps": lambda f: f.assign(label=f.label.where(f.index % 7 > 0)),
    "features with gaps": lambda f: f.assign(a=f.a.where(f.index % 7 > 0)),
    "limits": lambda f: f.assign(e=[f"<{v:.2f}" if v < -1 else v for v in f.e]),
    "a remark": lambda f: f.assign(remark=[f"text {i // 2} of {i % 3}" for i in range(36)]),
    "durations": lambda f: f.assign(took=[f"{i % 5}h{i:02}" for i in range(36)]),
    "a constant": lambda f: f.assign(k=7),
    "categories alone": lambda f: pd.DataFrame({c: [f"{c}{i * p % 4}" for i in range(36)] for c, p in zip("abc", (1, 3, 7))}),
    "an index": lambda f: f.rename_axis("row").reset_index(),
    "two columns": lambda f: f[["a", "label"]],
    "labels alone": lambda f: f[["label"]],
    "a name like an option": lambda f: f.rename(columns={"label": "class", "a": "--dim", "b": "$b `x`"}),
}


@pytest.mark.parametrize("name", SUGGESTED)
def test_described_commands_run_and_never_learn_from_the_answer(name, folder, tmp_path):
    import shlex
    frame = SUGGESTED[name](pd.read_csv(folder / "t.csv"))
    frame.to_csv(tmp_path / "t.csv", index=False)
    told = facts("describe", "t.csv", cwd=tmp_path)["result"]
    assert bool(told["commands"]) == (name != "labels alone"), told["commands"]
    features = {}
    for command in told["commands"]:
        run = run_ritz(*shlex.split(command)[1:], "--threads", "1", "--quiet", "--json", cwd=tmp_path)
        assert run.status in (0, 4), (command, run)
        features["clusters" if "reduce t.csv --clusters" in command else command.split()[1]] = run.json["data"]["d"]
    if "reduce" in features:  # without labels the same features, and not the labels among them
        assert features["clusters"] == features["reduce"], (features, told["commands"])


@pytest.mark.parametrize("told, columns, points", [(0, 300, True), (0, 5, False), (6, 300, False)])
def test_features_of_which_all_together_tell_nothing_are_to_be_tested_one_by_one(told, columns, points, tmp_path):
    rng = np.random.default_rng(3)
    labels = np.repeat(["x", "y"], 30)
    X = rng.normal(size=(60, columns))
    X[30:, : columns // 2] += told
    pd.DataFrame(X, columns=[f"c{j}" for j in range(columns)]).assign(label=labels).to_csv(tmp_path / "t.csv", index=False)
    run = run_ritz("reduce", "t.csv", "--label-column", "label", "--threads", "1", cwd=tmp_path)
    assert run.status in (0, 4) and ("ritz depend" in run.err) is points, run
