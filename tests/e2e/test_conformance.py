# SPDX-License-Identifier: MIT
"""What holds for every verb that fits something, whatever it fits. A new one needs a recipe here and nothing else."""
import json as json_module
import os
import re
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from conftest import INTERRUPTED, PATIENCE, Running, dataset, facts, run_ritz

FINE, USAGE, DATA, NOT_CONVERGED, MEMORY = 0, 2, 3, 4, 5
KEYS = {"ritz", "verb", "method", "status", "stop_reason", "message", "iterations", "objective", "certificate", "options", "given",
        "used", "notes", "data", "result", "trace", "files", "seconds", "peak_memory_bytes"}


class Recipe:
    """The smallest input of a verb and what is peculiar to it; file names are those of the fixture `place`."""

    def __init__(self, data, *args, long, short=None, embedding="--save-embedding", without=(), single=DATA, memory="10K", names="nan", variants=((),), again=()):
        self.data, self.args = data, args  # samples; the other arguments of a fit that ends within a second
        self.long = long                   # arguments of a fit that goes on for long
        self.short = short                 # arguments with a file that does not fit the samples
        self.embedding = embedding         # the output that transform gives again
        self.without = without             # outputs that these arguments do not give
        self.single = single               # status for a single sample
        self.memory = memory               # less than it needs, and enough to read the samples
        self.names = names                 # what a message about a NaN tells
        self.again = again                 # what a check must be told beside the samples
        self.variants = variants           # other arguments that must give the same bits for any number of threads


LABELS = ["--labels", "y.labels"]
RECIPES = {
    "reduce": Recipe("x.csv", *LABELS, "--dim", 2, long=["wide.npy", "--labels", "wide.labels", "--tolerance", 0, "--kernel", "gaussian(sigma=8)", "--preset", "paper"],
                     short=["--labels", "short.labels"], without=["--save-labels"],
                     variants=[[], ["--kernel", "0.7*gaussian+0.3*polynomial(degree=2)"], ["--kernel", "rbf-relative", "--holdout", 0.3],
                               ["--bootstrap", 4, "--folds", 3], ["--solver", "best", "--restarts", 2],
                               ["--sample-pairs", 0.3, "--sparse"], ["--precision", "mixed", "--features", 2]]),
    "recluster": Recipe("x.csv", "--given", "y.labels", "--clusters", 2,
                        long=["many.npy", "--given", "many.labels", "--clusters", 3, "--tune"], short=["--given", "short.labels", "--clusters", 2],
                        without=["--save-path", "--plot-path"], variants=[[], ["--views", 2]]),
    "kernel": Recipe("x.csv", *LABELS, "--fraction", 0.6, "--suggest", 3,
                     long=["many.npy", "--labels", "many.labels", "--fraction", 0.9, "--tolerance", 1e-14, "--scale", "standard", "--neighbours", 10],
                     short=["--labels", "short.labels", "--fraction", 0.6, "--suggest", 3], embedding="--save-kernel",
                     variants=[[], ["--loss", "hinge"], ["--budget", 60], ["--graph", "b-matching", "--clusters", "auto"]]),
    "unfold": Recipe("x.csv", "--connect", long=["many.npy", "--tolerance", 1e-12, "--penalty", 1e5], short=["--labels", "short.labels", "--connect"],
                     variants=[[], ["--method", "mve"], ["--method", "spe"], ["--budget", 60], ["--method", "cmvu", *LABELS]]),
    "isometry": Recipe("x.csv", "--distortion", 0.3, long=["digits.npy", "--distortion", 0.05], short=["--distortion", 0.3, "--pairs", "far.csv"],
                       variants=[[], ["--secants", "nearest:5"], ["--method", "numax", "--holdout", 0.3]]),
    "depend": Recipe("x.csv", *LABELS, "--permutations", 99, long=["many.npy", "--labels", "many.labels", "--permutations", 10**6],
                     short=["--labels", "short.labels"], embedding=None, again=LABELS, variants=[[], ["--kernel", "linear"], ["--features"]]),
    "center": Recipe("s.npz", "--dim", 2, long=["subspaces.npy", "--dims", "dims.npy", "--dim", 5, "--solver", "subgradient", "--tolerance", 0, "--max-iterations", 10**6],
                     short=["--dims", "far.csv"], embedding=None, single=FINE, memory="500", names="s3",
                     variants=[[], ["--solver", "subgradient", "--max-iterations", 50], ["--method", "karcher"], ["--drop-outliers"]]),
}


def tasks():
    """The verbs of the program's table of tasks; a verb without a recipe shows as a missing one."""
    run = run_ritz("list", "tasks", "--json")
    return [task["verb"] for task in run.json] if run.status == 0 else list(RECIPES)


if "mean" in tasks():  # the program with a task more: tests/toy, test_toy_task.py
    RECIPES["mean"] = Recipe("x.csv", long=None)

every_task = pytest.mark.parametrize("verb", tasks())


def outputs(verb, but=()):
    """Flags of files that a fit leaves, each with a name in the folder `out`."""
    flags = re.findall(r"^  (--save-[a-z-]+|--plot[a-z-]*|--report) FILE", run_ritz(verb, "--help").out, flags=re.M)
    endings = {"--plot": "svg", "--report": "html", "--plot-path": "svg", "--save-model": "ritz", "--save-labels": "labels"}
    return {flag: f"out/{flag[2:]}.{endings.get(flag, 'csv')}" for flag in flags if flag not in but}


def words(named):
    return [word for pair in named.items() for word in pair]


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    """Inputs of all recipes."""
    folder = tmp_path_factory.mktemp("stock")
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 4)) + 3 * np.eye(3, 4)[y]
    bases = [np.linalg.qr(np.eye(7)[:, :2] + 0.3 * rng.normal(size=(7, 2)))[0] for _ in range(8)]
    hole = X.copy()
    hole[11, 2] = np.nan
    for name, table in {"x": X, "nan": hole, "one": X[:1]}.items():
        np.savetxt(folder / f"{name}.csv", table, delimiter=",", fmt="%.17g")
    for name, labels in {"y": y, "short": y[:40], "one": y[:1]}.items():
        np.savetxt(folder / f"{name}.labels", labels, fmt="%d")
    np.savez(folder / "s.npz", **{f"s{i}": B for i, B in enumerate(bases)})
    np.savez(folder / "nan.npz", **{f"s{i}": np.where(i == 3, np.nan, 1) * B for i, B in enumerate(bases)})
    np.savez(folder / "one.npz", s0=bases[0])
    (folder / "far.csv").write_text("0,77\n")
    np.save(folder / "wide.npy", rng.normal(size=(8000, 150)))
    np.savetxt(folder / "wide.labels", rng.integers(0, 5, 8000), fmt="%d")
    np.save(folder / "many.npy", rng.normal(size=(2500, 6)))
    np.savetxt(folder / "many.labels", rng.integers(0, 3, 2500), fmt="%d")
    np.save(folder / "digits.npy", dataset("digits").load()[0][:1500])
    dims = rng.integers(4, 12, size=1500)
    np.save(folder / "dims.npy", dims)
    np.save(folder / "subspaces.npy", rng.normal(size=(80, dims.sum())))
    return folder


@pytest.fixture
def place(tmp_path, stock, monkeypatch):
    """A working folder with the inputs, and an empty folder 'out' for results."""
    for path in stock.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def long_recipe(verb):
    if RECIPES[verb].long is None:
        pytest.skip("it never takes long")
    return RECIPES[verb]


def left():
    return sorted(os.listdir("out"))


def refused(*args, status, says=(), **how):
    """A command that must fail in one sentence and leave nothing."""
    before = sorted(os.listdir("."))
    run = run_ritz(*args, **how)
    assert run.status == status and run.out == "", run
    assert run.err.startswith("ritz: ") and run.err.count("\n") == 1, run
    for text in [says] if isinstance(says, str) else says:
        assert text in run.err, run
    for bug in ["internal failure", "terminate called", "what():", "Assertion"]:
        assert bug not in run.err, run
    assert left() == [] and sorted(os.listdir(".")) == before, run


def test_every_task_has_a_recipe():
    assert set(tasks()) == set(RECIPES)


# --- results --------------------------------------------------------------------------------------------------------------


def outcome(verb, *args):
    """(JSON without times and memory, the bytes of each file), and an empty folder again."""
    run = run_ritz(verb, *args, "--json=out/facts.json", "--quiet")
    assert run.status in (FINE, NOT_CONVERGED), run
    json = json_module.loads(Path("out/facts.json").read_text())
    for key in ["seconds", "peak_memory_bytes"]:
        del json[key]
    json["trace"] = {column: values for column, values in (json.get("trace") or {}).items() if column != "seconds"}
    without_times(json)
    found = {}
    for path in Path("out").iterdir():
        if path.name != "facts.json" and "trace" not in path.name:  # a trace tells the seconds
            found[path.name] = path.read_bytes()
        path.unlink()
    return json, found, run.out


def without_times(json):
    """Drops every entry that tells of seconds or threads, at any depth."""
    for each in json.values() if isinstance(json, dict) else json if isinstance(json, list) else []:
        without_times(each)
    if isinstance(json, dict):
        for key in [key for key in json if "seconds" in key or key in ("threads", "peak_memory_bytes")]:
            del json[key]


VARIANTS = [pytest.param(verb, more, id=" ".join(map(str, [verb, *more]))) for verb in RECIPES for more in RECIPES[verb].variants]


@pytest.mark.parametrize("verb, more", VARIANTS)
def test_the_same_bits_for_any_number_of_threads(place, verb, more):
    recipe = RECIPES[verb]
    args = [recipe.data, *recipe.args, *more, *words(outputs(verb, recipe.without))]
    one = outcome(verb, *args, "--threads", 1)
    assert one[1], "files were written"
    for threads in [2, 7]:
        other = outcome(verb, *args, "--threads", threads)
        assert other[0] == one[0]
        assert [name for name in one[1] if other[1].get(name) != one[1][name]] == [] and other[2] == one[2]


@every_task
def test_the_json_object_has_the_same_keys_for_every_task(place, verb):
    recipe = RECIPES[verb]
    json = facts(verb, recipe.data, *recipe.args, "--save-model", "out/m.ritz")
    assert set(json) == KEYS
    assert json["verb"] == verb and json["method"] and json["status"] == "converged"
    assert json["used"]["backend"].startswith("cpu")  # auto adds why
    assert json["ritz"] == run_ritz("--version").out.strip()
    assert json["files"] == {"model": "out/m.ritz"}
    assert {"n", "d", "hash"} <= set(json["data"]) or verb == "center"
    assert json["peak_memory_bytes"] > 1e6 and json["seconds"] and min(json["seconds"].values()) >= 0
    lengths = {len(values) for values in json["trace"].values()}
    assert len(lengths) == 1 and lengths.pop() >= 1
    assert {"iteration", "objective", "seconds"} <= set(json["trace"])


JARGON = ["the measure is within", "dominance", "eigengap", "residual", "HSIC", "inequality", "duality", "certificate", "curvature",
          "objective "]


@every_task
def test_a_summary_fits_a_screen_and_has_the_same_shape_for_every_task(place, verb):
    """Asked, found, how sure, next; what only its author can read is told by --verbose."""
    recipe = RECIPES[verb]
    args = [verb, recipe.data, *recipe.args]
    run = run_ritz(*args, *words(outputs(verb, recipe.without)))
    lines = run.err.splitlines()
    assert run.status == FINE and len(lines) <= 24, run
    names = [line[2:14].strip() for line in lines if line.startswith("  ")]
    places = [names.index(name) for name in ["found", "how sure", "next", "time"]
              if name != "next" or name in names]  # all that it could suggest may have been done
    assert places == sorted(places), run
    for word in JARGON:
        assert word not in run.err.replace("of the objective", ""), (word, run)
    assert not re.search(r"\b1 (samples|features|dimensions|clusters|steps|rounds|pairs|measurements|subspaces|ranks)\b", run.err), run
    assert not re.search(r"\d\.\d{5,}", run.err), run

    details = run_ritz(*args, "--verbose").err.partition("\ndetails\n")
    assert names[0] in details[0] and "ended" in details[2], details


@every_task
def test_options_survive_the_way_through_json_and_a_config_file(place, verb):
    recipe = RECIPES[verb]
    more = [*recipe.args, "--save-model", "out/m.ritz"]
    first = outcome(verb, recipe.data, *more)
    told = {**first[0]["options"], **first[0]["given"]}
    lines = {name: str(value).lower() if isinstance(value, bool) else value for name, value in told.items() if value not in ("", None)}
    Path("run.ini").write_text("".join(f"{name} = {value}\n" for name, value in lines.items()))
    assert lines
    files = [word for flag in ("--labels", "--given") if flag in recipe.args for word in (flag, "y.labels")]

    again = outcome(verb, recipe.data, *files, "--config", "run.ini", "--save-model", "out/m.ritz")

    assert again[0]["options"] == first[0]["options"]
    assert again[0]["objective"] == first[0]["objective"] and again[1] == first[1]


@every_task
def test_a_model_gives_the_embedding_again_and_its_check_holds(place, verb):
    recipe = RECIPES[verb]
    saved = [recipe.embedding, "out/Z.npy"] if recipe.embedding else ["--save-center", "out/U.npy"] if verb == "center" else []
    facts(verb, recipe.data, *recipe.args, "--save-model", "out/m.ritz", *saved)
    check = facts("check", "out/m.ritz", recipe.data, *recipe.again)
    assert check["status"] == "holds" and check["data"]["same_as_fit"]
    if not saved:
        return
    if recipe.embedding:
        facts("transform", "out/m.ritz", recipe.data, "--save-embedding", "out/again.npy")
        np.testing.assert_allclose(np.load("out/again.npy"), np.load("out/Z.npy"), rtol=0, atol=1e-12)
    else:
        X = np.random.default_rng(2).normal(size=(5, 7))
        np.save("new.npy", X)
        facts("transform", "out/m.ritz", "new.npy", "--save-embedding", "out/again.npy")
        np.testing.assert_allclose(np.load("out/again.npy"), X @ np.load("out/U.npy"), rtol=0, atol=1e-12)


@every_task
def test_a_forecast_is_made_without_the_work_and_has_a_status_of_its_own(place, verb):
    recipe = RECIPES[verb]
    fine = facts("estimate", verb, recipe.data, *recipe.args)
    assert fine["verb"] == "estimate" and fine["status"] == "fine" and fine["result"]["memory_bytes"] > 0
    large = facts("estimate", verb, recipe.data, *recipe.args, "--max-memory", recipe.memory, status=MEMORY)
    # less, where a small budget makes a method take a leaner way
    assert large["status"] == "too_large" and 0 < large["result"]["memory_bytes"] <= fine["result"]["memory_bytes"]


# --- refusals -------------------------------------------------------------------------------------------------------------


@every_task
def test_too_little_memory_is_refused_before_the_work(place, verb):
    recipe = RECIPES[verb]
    refused(verb, recipe.data, *recipe.args, *words(outputs(verb, recipe.without)), "--max-memory", recipe.memory,
            status=MEMORY, says="--max-memory")


@every_task
def test_an_output_that_cannot_be_written_is_refused_before_the_data_are_read(place, verb):
    recipe = RECIPES[verb]
    for flag, path in outputs(verb).items():
        absent = path.replace("out/", "absent/")
        refused(verb, "absent.csv", *recipe.args, flag, absent, status=USAGE, says=absent)
    refused(verb, "absent.csv", *recipe.args, "--json=absent/facts.json", status=USAGE, says="absent/facts.json")


@every_task
def test_an_output_of_a_format_that_is_not_written_is_refused_before_the_data_are_read(place, verb):
    """An hour's work must not end at the name of its file."""
    recipe = RECIPES[verb]
    task, = [task for task in run_ritz("list", "tasks", "--json").json if task["verb"] == verb]
    forms = {row["option"]: row["form"] for row in task["outputs"]}
    assert "model" in forms.values()
    for option, form in forms.items():
        flag = "--" + option.replace("_", "-")
        if flag in recipe.without:
            continue
        if form in ("matrix", "labels"):
            refused(verb, "absent.csv", *recipe.args, flag, "out/x.npz", status=USAGE, says=["out/x.npz", ".csv"])
        if form == "picture":
            refused(verb, "absent.csv", *recipe.args, flag, "out/x.gif", status=USAGE, says=["out/x.gif", ".svg"])


DATA_DECIDE = ["fold_file", "unlabelled", "group_column", "image_shape"]  # words that only the data give a meaning


@every_task
def test_a_word_that_no_option_takes_is_told_before_the_data_are_read(place, verb):
    recipe = RECIPES[verb]
    task, = [task for task in run_ritz("list", "tasks", "--json").json if task["verb"] == verb]
    tried = [row["name"] for row in task["options"] if not row["flag"] and row["name"] not in DATA_DECIDE]
    assert tried
    for name in tried:
        flag = "--" + name.replace("_", "-")
        args = list(recipe.args)
        if flag in args:  # it may be given once
            del args[args.index(flag):args.index(flag) + 2]
        refused(verb, "absent.csv", *args, flag, "no-such-word", status=USAGE, says="no-such-word")


@every_task
def test_bad_data_are_named_in_one_sentence_and_nothing_is_written(place, verb):
    recipe = RECIPES[verb]
    files = [*words(outputs(verb, recipe.without)), "--json=out/facts.json"]
    ending = Path(recipe.data).suffix
    refused(verb, "absent.csv", *recipe.args, *files, status=DATA, says="absent.csv")
    refused(verb, f"nan{ending}", *recipe.args, *files, status=DATA, says=recipe.names)
    if recipe.short:
        refused(verb, "x.csv" if verb == "center" else recipe.data, *recipe.short, *files, status=DATA)
    if recipe.single != FINE:
        Path("y.labels").unlink()
        Path("y.labels").symlink_to("one.labels")
        refused(verb, f"one{ending}", *recipe.args, *files, status=recipe.single)


@every_task
def test_unknown_words_and_values_are_named(place, verb):
    recipe = RECIPES[verb]
    refused(verb, recipe.data, *recipe.args, "--threds", 3, status=USAGE, says=["--threds", "did you mean '--threads'?"])
    refused(verb, recipe.data, *recipe.args, "--threads", "many", status=USAGE, says="'many'")
    refused(verb, recipe.data, *recipe.args, "--backend", "gpu", status=USAGE, says="gpu")


# --- ends before the end --------------------------------------------------------------------------------------------------


@every_task
def test_an_interrupt_ends_soon_and_keeps_the_best_result(place, verb):
    recipe = long_recipe(verb)
    files = outputs(verb, {*recipe.without, "--plot", "--save-suggestions"})
    run = Running(verb, *recipe.long, *words(files), "--json=out/facts.json", "--verbose")
    run.wait_for(rb"(?m)^[^\n:]*\b1  objective")  # the first iteration is told

    status, work = run.interrupt()

    assert status == INTERRUPTED and work < PATIENCE, (work, run.err[-2000:])
    json = json_module.loads(Path("out/facts.json").read_text())
    assert json["stop_reason"] == "interrupted" and json["status"] == "not_converged" and json["message"]
    assert json["iterations"] >= 1
    assert {"facts.json", "save-model.ritz"} <= set(left())
    assert set(left()) == {Path(path).name for path in json["files"].values()} | {"facts.json"}


@every_task
def test_an_interrupt_before_the_first_result_is_one_line_or_the_best_so_far(place, verb):
    recipe = long_recipe(verb)
    run = Running(verb, *recipe.long, "--save-model", "out/m.ritz", "--quiet")
    time.sleep(0.2)

    status, work = run.interrupt()

    assert status == INTERRUPTED and work < PATIENCE, (work, run.err)
    assert left() == ["m.ritz"] or (left() == [] and run.err.startswith(b"ritz: ") and run.err.count(b"\n") == 1), run.err


@every_task
def test_every_output_is_put_in_place_as_a_whole(place, verb):
    """Whoever reads the old file meanwhile goes on reading it: it is replaced, never written over."""
    recipe = RECIPES[verb]
    flags = {**outputs(verb, recipe.without), "--manifest": "out/manifest.json", "--json=": "out/facts.json"}
    for path in flags.values():
        Path(path).write_text("old")
    readers = {path: open(path) for path in flags.values()}
    asked = [word for flag, path in flags.items() for word in ([flag + path] if flag.endswith("=") else [flag, path])]

    run = run_ritz(verb, recipe.data, *recipe.args, *asked, "--quiet")

    assert run.status == FINE, run
    for path, reader in readers.items():
        assert reader.read() == "old" and Path(path).read_bytes() != b"old", path
        reader.close()
    assert set(left()) == {Path(path).name for path in flags.values()}


def test_a_killed_program_leaves_no_half_file(place):
    """Outputs get their names when they are whole; what is written before has another name."""
    facts("reduce", "x.csv", *LABELS, "--dim", 2, "--save-model", "m.ritz")
    np.save("rows.npy", np.tile(np.loadtxt("x.csv", delimiter=","), (20000, 1)))
    run = Running("transform", "m.ritz", "rows.npy", "--save-embedding", "out/Z.csv", "--quiet")
    end = time.monotonic() + 120
    while not left() and run.process.poll() is None and time.monotonic() < end:
        time.sleep(0.001)
    seen = left()
    run.interrupt(signal.SIGKILL)
    assert seen and "Z.csv" not in seen, "it was written under another name"
    assert "Z.csv" not in left()
