# SPDX-License-Identifier: MIT
"""Models of every kind of fit, spoilt at random and given a right checksum. Whatever was done to one: nothing crashes or
hangs, `transform` and `predict` write finite numbers or end with an error, and where `check` says that a model holds, it
gives out what the honest one does. A few changes a recipe in every run; --count 500 by hand."""
import copy
import functools
import random
import subprocess

import numpy as np
import pytest

from conftest import SCRATCH, Path, run_ritz
from model_files import load, save

FOLDER = Path(SCRATCH.name) / "spoilt"
LABELS = ["--labels", "y.labels"]
PLAIN = [*LABELS, "--dim", 2]
NEAR = ["--neighbours", 4]
UNFOLD = ["x.csv", "--dim", 2, *NEAR, "--connect"]
RECIPES = {
    "reduce": ["x.csv", *LABELS],
    "reduce gaussian": ["x.csv", *PLAIN, "--kernel", "gaussian(sigma=1)", "--scale", "standard"],
    "reduce linear whitened": ["x.csv", *PLAIN, "--kernel", "linear", "--scale", "whiten"],
    "reduce polynomial": ["x.csv", *PLAIN, "--kernel", "polynomial(degree=2)"],
    "reduce sum of kernels": ["x.csv", *PLAIN, "--kernel", "0.5*gaussian(sigma=1)+0.5*linear"],
    "reduce targets": ["x.csv", "--targets", "t.csv", "--dim", 1],
    "reduce unsupervised": ["x.csv", "--mode", "unsupervised", "--clusters", 2],
    "reduce unsupervised by subspace": ["x.csv", "--mode", "unsupervised", "--clusters", 2, "--label-by", "subspace"],
    "reduce semi": ["x.csv", "--mode", "semi", "--scores", "t.csv", "--clusters", 2],
    "reduce mixed table": ["table.csv", "--label-column", "kind", "--dim", 1, "--na", "median"],
    "reduce knn table": ["table.csv", "--label-column", "kind", "--dim", 1, "--na", "knn"],
    "recluster": ["x.csv", "--given", "y.labels", "--clusters", 2],
    "recluster subspace": ["x.csv", "--given", "y.labels", "--clusters", 2, "--label-by", "subspace"],
    "kernel": ["x.csv", *LABELS, "--fraction", 0.5, *NEAR],
    "kernel hinge low rank": ["x.csv", *LABELS, "--fraction", 0.5, *NEAR, "--loss", "hinge", "--low-rank", 5],
    "kernel trace": ["x.csv", *LABELS, "--fraction", 0.6, *NEAR, "--power", 1, "--budget", 50],
    "kernel sparse": ["s.libsvm", *LABELS, "--fraction", 0.5, *NEAR],
    "unfold mvu": UNFOLD,
    "unfold mve": [*UNFOLD, "--method", "mve"],
    "unfold spe": [*UNFOLD, "--method", "spe"],
    "unfold cmvu": [*UNFOLD, "--method", "cmvu", *LABELS],
    "unfold ridge": [*UNFOLD, "--ridge", 0.1],
    "isometry": ["x.csv", "--distortion", 0.3],
    "isometry rank": ["x.csv", "--distortion", 0.9, "--rank", 2],
    "isometry prefixes": ["x.csv", "--prefixes", "1,2"],
    "isometry recall": ["x.csv", "--objective", "recall", "--rank", 2],
    "center": ["a.csv", "b.csv", "c.csv"],
    "center dim": ["a.csv", "b.csv", "c.csv", "--dim", 1],
    "center karcher": ["a.csv", "b.csv", "c.csv", "--dim", 1, "--method", "karcher"],
    "center median": ["a.csv", "b.csv", "c.csv", "--dim", 1, "--method", "median"],
    "depend": ["x.csv", *LABELS, "--permutations", 19],
    "depend tables": ["x.csv", "t.csv", "--permutations", 19],
}


@functools.cache
def stock():
    FOLDER.mkdir(exist_ok=True)
    draw = np.random.default_rng(5)
    X = np.vstack([draw.normal(size=(12, 3)) + [4 * c, 0, 0] for c in range(2)])
    y = np.repeat(["a", "b"], 12)
    np.savetxt(FOLDER / "x.csv", X, delimiter=",", fmt="%.17g")
    np.savetxt(FOLDER / "t.csv", X[:, :1] + X[:, 1:2] ** 2, delimiter=",", fmt="%.17g")
    (FOLDER / "y.labels").write_text("\n".join(y) + "\n")
    (FOLDER / "s.libsvm").write_text("".join(f"0 {' '.join(f'{j + 1}:{v:.17g}' for j, v in enumerate(row) if v > -0.5)}\n" for row in X))
    rows = [f"{v[0]:.6g},{'NA' if i % 7 == 3 else f'{v[1]:.6g}'},{'red blue green'.split()[i % 3]},2020-01-{i + 1:02},{'yes' if i % 2 else 'no'},{c}"
            for i, (v, c) in enumerate(zip(X, y))]
    (FOLDER / "table.csv").write_text("\n".join(["size,depth,color,born,ok,kind", *rows]) + "\n")
    for name in "abc":
        np.savetxt(FOLDER / f"{name}.csv", np.eye(5)[:, :2] + 0.3 * draw.normal(size=(5, 2)), delimiter=",", fmt="%.17g")
    return FOLDER


def run(*words):
    return run_ritz(*words, "--threads", 1, cwd=stock(), timeout=30)


def answers(model, data):
    """What `transform` and `predict` give out: the text, or nothing where there is an error."""
    said = {}
    for verb in ("transform", "predict"):
        ended = run(verb, model, data[0], "--quiet")
        assert ended.status in (0, 2, 3), ended
        assert "internal" not in ended.err, ended
        numbers = [word for line in ended.out.splitlines() for word in line.split(",")]
        assert not {"nan", "inf", "-inf", "-nan"} & set(numbers), (ended, ended.out[:500])
        said[verb] = ended.out if ended.status == 0 else None
    return said


@functools.cache
def fitted(name):
    """A model, the words that check it, and what it gives out."""
    verb, words = name.split()[0], RECIPES[name]
    model = stock() / f"{name.replace(' ', '-')}.ritz"
    made = run(verb, *words, "--save-model", model)
    assert made.status in (0, 4) and model.exists(), made
    data = [word for k, word in enumerate(words) if str(word).endswith((".csv", ".libsvm")) and words[k - 1] not in ("--targets", "--scores")]
    more = [word for flag in ("--labels", "--targets") if flag in words for word in (flag, words[words.index(flag) + 1])]
    honest = run("check", model, *data, *more)
    assert honest.status in (0, 4), honest
    return model, data, more, honest.status, answers(model, data)


def numbers_of(text):
    return np.array([[float(word) for word in line.split(",")] for line in text.splitlines()[1:]])


def differ(honest, given, mirrored=False):
    """Whether what was given out is not what the honest model gives, beyond rounding, or mirrored axes where such are as good."""
    if mirrored and honest and given:
        honest, given = numbers_of(honest), numbers_of(given)
        if honest.shape == given.shape:
            given *= np.where((honest * given).sum(0) < 0, -1, 1)
        return honest.shape != given.shape or np.abs(honest - given).max() > 1e-3 * (1 + np.abs(honest).max())
    if honest is None or given is None or honest == given:
        return (honest is None) != (given is None) and given is not None
    words = [[word for line in text.splitlines() for word in line.split(",")] for text in (honest, given)]
    if len(words[0]) != len(words[1]):
        return True
    for a, b in zip(*words):
        try:
            x, y = float(a), float(b)
        except ValueError:
            if a != b:
                return True
            continue
        if abs(x - y) > 1e-5 * (1 + abs(x)):
            return True
    return False


def distortion(placed):
    P, X = numbers_of(placed), np.loadtxt(stock() / "x.csv", delimiter=",")
    i, j = np.triu_indices(len(X), 1)
    return np.abs(np.square(P[i] - P[j]).sum(1) / np.square(X[i] - X[j]).sum(1) - 1).max()


NUMBERS = [np.nan, np.inf, -np.inf, 1e300, -1e300, 1e150, 1e-310, 0, -1, 1, 0.5, 7, 1e9]


def spoil_array(random_, arrays):
    name = random_.choice(list(arrays))
    A = arrays[name].copy()
    what = random_.choice(["entry", "entry", "all", "scaled", "slightly", "rows", "columns", "negative", "more", "fewer", "wider", "narrower",
                           "noise", "away", "other", "column sign"])
    i, j = (random_.randrange(max(1, s)) for s in A.shape)
    if A.size == 0 and what in ("entry", "slightly", "column sign"):
        what = "more"
    if what == "entry":
        A[i, j] = random_.choice(NUMBERS)
    elif what == "all":
        A[:] = random_.choice(NUMBERS)
    elif what == "scaled":
        A *= random_.choice([1 + 1e-3, 2, 1e-3, 1e200, 1e-200])
    elif what == "slightly":
        A[i, j] = 1.5 * A[i, j] + 0.1
    elif what == "rows":
        A = A[random_.sample(range(A.shape[0]), A.shape[0])]
    elif what == "columns":
        A = A[:, random_.sample(range(A.shape[1]), A.shape[1])]
    elif what == "negative":
        A = -A
    elif what == "more":
        A = np.vstack([A, A[-1:] if len(A) else np.zeros((1, A.shape[1]))])
    elif what == "fewer":
        A = A[:-1]
    elif what == "wider":
        A = np.hstack([A, A[:, :1]])
    elif what == "narrower":
        A = A[:, :-1]
    elif what == "noise":
        A = A + np.random.default_rng(random_.randrange(99)).normal(size=A.shape) * (1 + np.abs(A).max(initial=0))
    elif what == "column sign":
        A[:, j] *= -1
    elif what == "other":
        other = random_.choice(list(arrays))
        arrays[other], A = A, arrays[other].copy()
        what += f" {other}"
    if what == "away":
        del arrays[name]
    else:
        arrays[name] = A
    return f"{name}: {what} ({i}, {j})"


def leaves(tree, path=()):
    if isinstance(tree, dict):
        for key in tree:
            yield from leaves(tree[key], (*path, key))
    elif isinstance(tree, list):
        yield path
        for k in range(min(len(tree), 3)):
            yield from leaves(tree[k], (*path, k))
    else:
        yield path


WORDS = [0, 1, -1, 2, 7, 0.5, 1e308, 1e-308, 1e9, 2**53, None, True, False, "", "x", "gaussian(sigma=1)", "linear", "auto", [], {}, ["x"], [1], [[]]]


def spoil_fact(random_, info):
    path = random_.choice(list(leaves(info)))
    at = info
    for key in path[:-1]:
        at = at[key]
    key = path[-1]
    if random_.random() < 0.15 and isinstance(at, dict):
        del at[key]
        return f"{path}: away"
    old = at[key]
    at[key] = random_.choice(WORDS)
    if isinstance(old, list) and random_.random() < 0.5:
        at[key] = random_.choice([old[:-1], old + old[:1], random_.sample(old, len(old))])
    elif isinstance(old, (int, float)) and random_.random() < 0.5:
        at[key] = random_.choice([-old, 2 * old, old + 1, old / 2])
    return f"{path}: {at[key]!r} for {old!r}"


def spoilt(name, seed):
    """Saves the model with a change or two, and says what was changed."""
    random_ = random.Random(f"{name} {seed}")
    header, arrays = load(fitted(name)[0])
    header = copy.deepcopy(header)
    said = [spoil_array(random_, arrays) if random_.random() < 0.7 and arrays else spoil_fact(random_, header["info"])
            for _ in range(random_.choice([1, 1, 1, 2]))]
    path = stock() / "spoilt.ritz"
    save(path, header, arrays)
    return path, said


def outcome(name, seed):
    model, data, more, status, honest = fitted(name)
    path, said = spoilt(name, seed)
    try:
        check = run("check", path, *data, *more)
        given = answers(path, data)
    except subprocess.TimeoutExpired:
        raise AssertionError((name, seed, said, "hangs"))
    assert check.status in (0, 2, 3, 4) and "internal" not in check.err, (name, seed, said, check)
    if check.status == 0 and name.startswith("isometry"):  # of which another may be as good
        assert distortion(given["transform"]) <= load(path)[0]["info"]["options"]["distortion"] * (1 + 1e-8), (name, seed, said, check.err)
    elif check.status == 0:
        for verb in honest:
            mirrored = name.startswith("unfold") and verb == "transform"
            assert not differ(honest[verb], given[verb], mirrored), (name, seed, said, verb, check.err)
    return check.status


@pytest.mark.parametrize("name", RECIPES)
def test_what_was_spoilt_is_seen_or_makes_no_difference(name, count):
    statuses = [outcome(name, seed) for seed in range(count // 2)]
    print(name, {status: statuses.count(status) for status in sorted(set(statuses))})
