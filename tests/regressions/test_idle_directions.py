# SPDX-License-Identifier: MIT
"""The levels of a category add up to the same for everybody, so a direction along which all samples are alike costs nothing:
a table with a rare class was given an axis of `kind (M, F alike)`, and "nothing beyond chance" beside p 0.005."""
import json

import numpy as np
import pytest

from conftest import facts, run_ritz


@pytest.fixture(scope="module")
def rare_and_redundant(tmp_path_factory):
    """4 % are of the second class, which two columns tell; the levels of each category add up to the same for all rows."""
    draw = np.random.default_rng(9)
    n = 3000
    rare = draw.random(n) < 0.04
    age, income = draw.normal(45, 15, n) + 8 * rare, np.exp(draw.normal(10, 1, n))
    city = draw.choice(["Bern", "Oslo", "Rome", "Lima", ""], n, p=[0.45, 0.3, 0.15, 0.05, 0.05])
    state = np.where(draw.random(n) < 0.2 + 0.5 * rare, "ill", "well")
    kind = draw.choice(["M", "F", ""], n, p=[0.5, 0.45, 0.05])
    path = tmp_path_factory.mktemp("rare") / "table.csv"
    rows = [f"{a:.1f},{i:.2f},{c},{s},{k},{'yes' if r else 'no'}" for a, i, c, s, k, r in zip(age, income, city, state, kind, rare)]
    path.write_text("age,income,city,state,kind,late\n" + "\n".join(rows) + "\n")
    return path


def test_no_direction_is_kept_along_which_all_samples_are_alike(rare_and_redundant, tmp_path):
    model, embedding = tmp_path / "m.ritz", tmp_path / "Z.npy"
    args = (rare_and_redundant, "--label-column", "late", "--na", "drop", "--holdout", 0.3)
    run = run_ritz("reduce", *args, "--save-model", model, "--save-embedding", embedding, "--json=" + str(tmp_path / "j.json"))
    Z, found = np.load(embedding), json.loads((tmp_path / "j.json").read_text())
    assert run.status == 0 and Z.shape[1] == found["result"]["dimension"] >= 1
    assert (Z.std(0) > 1e-5 * Z.std(0).max()).all()
    assert "NO BETTER than always the commonest class" in run.err  # which 96 of 100 are of; p is small
    assert run_ritz("check", model, rare_and_redundant, "--label-column", "late", "--na", "drop").status in (0, 4)


def test_dimensions_that_are_asked_for_are_kept_whatever_they_say(rare_and_redundant, tmp_path):
    found = facts("reduce", rare_and_redundant, "--label-column", "late", "--na", "drop", "--dim", 4, "--scale", "standard")
    assert found["result"]["dimension"] == 4
