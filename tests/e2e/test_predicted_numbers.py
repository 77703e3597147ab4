# SPDX-License-Identifier: MIT
"""`predict` of a model of numbers beside the numbers that came with new samples, and what it is told wrongly."""
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import r2_score

from conftest import facts, run_ritz


def table(seed, rows):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["y"] = 3 * X[:, 0] - X[:, 1] + 0.3 * rng.normal(size=rows) + 10
    frame["z"] = 2 * X[:, 2] + 0.3 * rng.normal(size=rows)
    return frame


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table(1, 150).to_csv("fit.csv", index=False)
    new = table(2, 60)
    new.to_csv("new.csv", index=False)
    new[["y", "z"]].to_csv("truth.csv", index=False)
    new.drop(columns=["y", "z"]).to_csv("plain.csv", index=False)
    facts("reduce", "fit.csv", "--target-column", "y", "--drop-column", "z", "--save-model", "one.ritz")
    facts("reduce", "fit.csv", "--target-column", "y", "--target-column", "z", "--save-model", "two.ritz")
    return tmp_path


def test_numbers_are_compared_with_a_column_of_new_samples(folder):
    run = run_ritz("predict", "one.ritz", "new.csv", "--target-column", "y", "--save-labels", "p.csv", "--json=j.json")
    assert run.status == 0, run
    told = json.loads((folder / "j.json").read_text())["result"]["agreement"]
    truth, predicted = pd.read_csv("new.csv")["y"], pd.read_csv("p.csv")["label"]
    assert told["r2"] == pytest.approx(r2_score(truth, predicted), abs=1e-9)
    assert told["rmse"] == pytest.approx([np.sqrt(np.mean((truth - predicted) ** 2))])
    assert told["rmse_of_mean"] == pytest.approx([truth.std(ddof=0)])
    assert told["r2"] > 0.5 and f"R2 {told['r2']:.3f}" in run.err


def test_a_file_of_numbers_is_compared_alike_and_every_target_is_named(folder):
    by_column = facts("predict", "two.ritz", "new.csv", "--target-column", "y", "--target-column", "z", "--save-labels", "p.csv")
    by_file = facts("predict", "two.ritz", "plain.csv", "--targets", "truth.csv", "--save-labels", "q.csv")
    assert by_file["result"]["agreement"] == by_column["result"]["agreement"]
    assert len(by_file["result"]["agreement"]["rmse"]) == 2
    text = run_ritz("predict", "two.ritz", "new.csv", "--target-column", "y", "--target-column", "z", "--save-labels", "p.csv").err
    assert any(line.split()[:1] == ["z"] for line in text.splitlines()), text
    swapped = facts("predict", "two.ritz", "new.csv", "--target-column", "z", "--target-column", "y", "--save-labels", "p.csv")
    assert swapped["result"]["agreement"]["r2"] < 0 < by_file["result"]["agreement"]["r2"]


def test_a_row_without_its_target_is_left_out_and_the_others_keep_theirs(folder):
    new = pd.read_csv("new.csv")
    gaps = new.astype(object)
    gaps.loc[[0, 17], "y"] = ""
    gaps.loc[[5], "a"] = "NA"
    gaps.to_csv("gaps.csv", index=False)
    whole = new.drop(index=[0, 5, 17])
    whole.to_csv("whole.csv", index=False)
    some = facts("predict", "one.ritz", "gaps.csv", "--target-column", "y", "--na", "drop", "--save-labels", "p.csv")
    same = facts("predict", "one.ritz", "whole.csv", "--target-column", "y", "--save-labels", "q.csv")
    assert some["data"]["n"] == 57 and some["result"] == same["result"]
    assert sorted(row["row"] for row in some["data"]["dropped_rows"]) == [1, 6, 18]
    assert any("target" in note for note in some["notes"])


def test_a_file_without_names_counts_its_columns(folder):
    for name in ("fit", "new"):
        pd.read_csv(f"{name}.csv").drop(columns="z").to_csv(f"{name}.bare.csv", index=False, header=False)
        np.save(f"{name}.npy", pd.read_csv(f"{name}.csv").drop(columns="z").to_numpy())
    for ending in ("bare.csv", "npy"):
        facts("reduce", f"fit.{ending}", "--target-column", "5", "--save-model", "bare.ritz")
        told = facts("predict", "bare.ritz", f"new.{ending}", "--target-column", "5", "--save-labels", "p.csv")
        assert told["result"]["agreement"]["r2"] > 0.5
        assert run_ritz("check", "bare.ritz", f"fit.{ending}", "--target-column", "5").status == 0


def test_what_cannot_be_compared_is_said(folder):
    fit = pd.read_csv("fit.csv").assign(kind=["p", "q"] * 75)
    fit.to_csv("kinds.csv", index=False)
    facts("reduce", "kinds.csv", "--label-column", "kind", "--save-model", "kinds.ritz")
    run = run_ritz("predict", "two.ritz", "new.csv", "--target-column", "y", "--save-labels", "one.csv")
    assert run.status == 3 and "explains 2" in run.err, run
    for words, says in ((["one.ritz", "new.csv", "--target-column", "yy"], "yy"),
                        (["one.ritz", "-", "--target-column", "y"], "--targets"),
                        (["kinds.ritz", "kinds.csv", "--target-column", "kind"], "--label-column"),
                        (["one.ritz", "plain.csv", "--targets", "fit.csv"], "150 rows")):
        run = run_ritz("predict", *words, "--save-labels", "out.csv", stdin=b"")
        assert run.status in (2, 3) and says in run.err, (words, run)
        assert len(run.err.strip().splitlines()) == 1 and not (folder / "out.csv").exists(), run
