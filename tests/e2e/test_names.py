# SPDX-License-Identifier: MIT
"""Names of samples and features in everything that is written, help by question, and what `predict` says of its labels."""
import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from conftest import PROGRAM, dataset, facts, run_ritz

VERBS = {
    "reduce": ["--label-column", "species", "--dim", 2],
    "recluster": ["--drop-column", "species", "--given", "y.labels", "--clusters", 2],
    "kernel": ["--label-column", "species", "--fraction", 0.5],
    "unfold": ["--label-column", "species"],
    "isometry": ["--drop-column", "species", "--distortion", 0.4],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Sixty flowers with names, and a model of each verb with all that it writes."""
    place = tmp_path_factory.mktemp("names")
    X, y = dataset("iris").load()
    X, y = X[::3], y[::3]
    frame = pd.DataFrame(X, columns=["sepal length", "sepal width", "petal length", "petal width"])
    frame.insert(0, "flower", [f"flower, {i}" if i == 7 else f"f{i}" for i in range(len(X))])
    frame["species"] = np.array(["setosa", "versicolor", "virginica"])[y]
    frame.to_csv(place / "iris.csv", index=False)
    np.savetxt(place / "y.labels", y, fmt="%d")
    for verb, args in VERBS.items():
        embedding = "--save-kernel" if verb == "kernel" else "--save-embedding"
        projection = ["--save-projection", f"{verb}.W.csv"] if verb in ("reduce", "recluster", "isometry") else []
        run = run_ritz(verb, "iris.csv", "--id-column", "flower", *args, embedding, f"{verb}.csv", "--save-model", f"{verb}.ritz",
                       "--plot", f"{verb}.svg", *projection, "--quiet", cwd=place)
        assert run.status in (0, 4), run
    return place


@pytest.mark.parametrize("verb", VERBS)
def test_samples_keep_their_names_in_tables_and_pictures(folder, verb):
    names = list(pd.read_csv(folder / "iris.csv")["flower"])
    found = pd.read_csv(folder / f"{verb}.csv")
    assert list(found["id"]) == names and list(found.columns[1:3]) == ["axis1", "axis2"]
    if verb != "isometry":  # its picture is a histogram
        drawn = (folder / f"{verb}.svg").read_text()
        assert sum(f">{name}<" in drawn for name in names) >= 10  # where clusters are tight, not all find room
    if verb not in ("kernel",):
        for again in (["--id-column", "flower"], []):  # the model remembers it
            run = run_ritz("transform", f"{verb}.ritz", "iris.csv", *again, "--drop-column", "species", "--quiet", cwd=folder)
            assert list(pd.read_csv(io.StringIO(run.out))["id"]) == names, run


@pytest.mark.parametrize("verb", ["reduce", "recluster", "isometry"])
def test_loadings_have_the_names_of_the_features(folder, verb):
    found = pd.read_csv(folder / f"{verb}.W.csv", index_col=0)
    names = found.columns if verb == "isometry" else found.index
    assert list(names) == ["sepal length", "sepal width", "petal length", "petal width"]


def test_bare_tables_are_numbers_alone(folder):
    run = run_ritz("transform", "reduce.ritz", "iris.csv", "--id-column", "flower", "--drop-column", "species", "--bare", "--quiet", cwd=folder)
    assert np.loadtxt(run.out.splitlines(), delimiter=",").shape == (50, 2)


def test_predictions_come_with_votes_names_and_a_confusion_matrix(folder):
    run = run_ritz("predict", "reduce.ritz", "iris.csv", "--id-column", "flower", "--label-column", "species", "--save-labels", "p.csv",
                   "--save-votes", "v.csv", cwd=folder)
    assert run.status == 0 and "given \\ predicted" in run.err, run
    labels, votes = pd.read_csv(folder / "p.csv"), pd.read_csv(folder / "v.csv")
    assert list(labels.columns) == ["id", "label"] and list(votes.columns) == ["id", "setosa", "versicolor", "virginica"]
    shares = votes.drop(columns="id")
    assert np.allclose(shares.sum(axis=1), 1) and (shares.idxmax(axis=1) == labels["label"]).mean() > 0.95
    told = facts("predict", "reduce.ritz", "iris.csv", "--id-column", "flower", "--label-column", "species", cwd=folder)["result"]
    counts = np.array(told["confusion"]["counts"])
    assert counts.sum() == 50 and np.trace(counts) / 50 == pytest.approx(told["agreement"]["accuracy"])
    again = run_ritz("reduce", "iris.csv", "--drop-column", "flower", "--drop-column", "species", "--labels", "p.csv", "--dim", 1, cwd=folder)
    assert "3 classes" in again.err, again  # labels with names are read again


def test_clusters_are_matched_to_classes_before_they_are_compared(folder):
    told = facts("predict", "kernel.ritz", "iris.csv", "--id-column", "flower", "--label-column", "species", cwd=folder)["result"]
    assert told["confusion"]["predicted"] == ["setosa", "versicolor", "virginica"] and told["agreement"]["accuracy"] > 0.7


def test_a_model_without_labels_says_so(folder):
    run = run_ritz("predict", "isometry.ritz", "iris.csv", "--drop-column", "species", "--id-column", "flower", cwd=folder)
    assert run.status != 0 and "have no labels to give" in run.err and "targets" not in run.err, run


@pytest.mark.skipif(not list(Path("/usr/lib").glob("**/librsvg-2.so.2")), reason="without librsvg")
def test_pictures_are_png_where_the_name_says_so(folder):
    facts("unfold", "iris.csv", "--id-column", "flower", "--label-column", "species", "--plot", "p.png", cwd=folder)
    assert (folder / "p.png").read_bytes().startswith(b"\x89PNG\r\n")
    run = run_ritz("unfold", "iris.csv", "--plot", "p.gif", cwd=folder)
    assert run.status == 2 and ".png" in run.err, run


# --- help -----------------------------------------------------------------------------------------------------------------


def test_help_is_a_verb_and_shows_examples_first():
    first = run_ritz().out
    assert "Which features tell my classes apart" in first and run_ritz("help").out == first
    assert run_ritz("version").out == run_ritz("--version").out
    for verb in ["reduce", "unfold", "predict"]:
        text = run_ritz("help", verb).out
        assert text == run_ritz(verb, "--help").out
        assert text.index("Examples:") < text.index("Usage:")
    text = run_ritz("help", "reduce").out
    assert text.index("\nOptions:") < text.index("  --dim") < text.index("\nMethod options:") < text.index("  --round-tolerance")
    assert text.index("\nRun options:") < text.index("  --threads")
    assert run_ritz("help", "redcue").status == 2 and "did you mean 'reduce'?" in run_ritz("help", "redcue").err
    assert "ritz reduce --help" in run_ritz("reduce").err


@pytest.mark.parametrize("word, instead", [("pca", "--method pca"), ("kmeans", "--clusters"), ("lda", "ritz reduce")])
def test_what_other_programs_call_it_leads_to_a_verb(word, instead):
    run = run_ritz(word, "x.csv")
    assert run.status == 2 and instead in run.err and run.err.count("\n") == 1, run


def test_kernels_have_the_names_that_people_type(folder):
    def objective(kernel):
        return facts("reduce", "iris.csv", "--drop-column", "flower", "--label-column", "species", "--dim", 1, "--kernel", kernel, cwd=folder)["objective"]
    assert objective("rbf(gamma=0.125)") == objective("gaussian(sigma=2)")
    assert objective("poly(degree=2,coef0=1)") == objective("polynomial(degree=2,offset=1)")


def test_a_terminal_shows_how_much_is_done(folder):
    leader, follower = pty.openpty()
    process = subprocess.Popen([PROGRAM, "reduce", "iris.csv", "--drop-column", "flower", "--label-column", "species", "--dim", "2",
                                "--kernel", "gaussian(sigma=1)", "--bootstrap", "150"], cwd=folder, stderr=follower, stdout=subprocess.DEVNULL)
    os.close(follower)
    text = b""
    while chunk := read_terminal(leader):
        text += chunk
    assert process.wait() == 0
    shares = [int(share) for share in re.findall(rb"resample \d+ of 150/?\S*, step \d+: (\d+) % done", text)]
    assert shares and shares == sorted(shares) and shares[-1] > 20, text[-2000:]
    assert text.rstrip().splitlines()[-1].strip().startswith(b"time"), "the line is taken away when the work is done"


def read_terminal(leader):
    try:
        return os.read(leader, 65536)
    except OSError:  # the other side is closed
        return b""


def test_a_summary_is_as_wide_as_the_terminal(folder):
    words = ["reduce", "iris.csv", "--drop-column", "flower", "--label-column", "species", "--dim", "2"]
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen([PROGRAM, *words], cwd=folder, stderr=follower, stdout=subprocess.DEVNULL)
    os.close(follower)
    text = b""
    while chunk := read_terminal(leader):
        text += chunk
    assert process.wait() == 0
    shown = text.decode().split("\033[K")[-1].splitlines()
    assert len(shown) <= 24 and max(map(len, shown)) <= 80, shown
    told = [" ".join(" ".join(lines).split()).split(" time ")[0] for lines in (shown, run_ritz(*words, cwd=folder).err.splitlines())]
    assert told[0] == told[1], "nothing is left out"


def test_the_best_few_features_are_named_with_what_they_lose(folder):
    few = facts("reduce", "iris.csv", "--drop-column", "flower", "--label-column", "species", "--dim", 1, "--features", 2, cwd=folder)["result"]["few"]
    assert {each["feature"] for each in few["features"]} == {"petal length", "petal width"}
    assert few["score"] > 0.9 and 0 < few["score_all_features"] <= 1
    run = run_ritz("reduce", "iris.csv", "--drop-column", "flower", "--label-column", "species", "--features", 9, cwd=folder)
    assert run.status == 2 and "there are 4" in run.err, run


def test_what_is_at_chance_says_so_first(tmp_path):
    rng = np.random.default_rng(0)
    np.savetxt(tmp_path / "x.csv", rng.normal(size=(120, 5)), delimiter=",")
    np.savetxt(tmp_path / "y.labels", np.arange(120) % 3, fmt="%d")
    run = run_ritz("reduce", tmp_path / "x.csv", "--labels", tmp_path / "y.labels", "--dim", 1, "--holdout", 0.5)
    assert "found        NOTHING beyond chance" in run.err and "is fitted to the 60 other samples" in run.err, run


@pytest.mark.parametrize("verb", ["reduce", "recluster", "kernel", "unfold", "isometry", "depend"])
def test_every_forecast_tells_a_time(verb):
    more = ["--clusters", 2] if verb == "recluster" else []
    result = facts("estimate", verb, "--rows", 500, "--columns", 20, *more)["result"]
    longer = facts("estimate", verb, "--rows", 5000, "--columns", 20, *more)["result"]
    # Both come from small fits that are timed, on a machine that may be busy: what may be true of them is compared.
    assert 0 < result["seconds"] and result["seconds_range"][0] < longer["seconds_range"][1]
