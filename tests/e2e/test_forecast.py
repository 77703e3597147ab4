# SPDX-License-Identifier: MIT
"""Forecasts of time beside what it takes, for every verb: with the data, and from their sizes alone."""
import numpy as np
import pytest

from conftest import facts

# verb: options, rows and columns to try
GRID = {
    "reduce": (["--preset", "paper", "--dim", "2"], [(1200, 6), (400, 60)]),
    "recluster": (["--clusters", "2", "--dim", "2"], [(300, 6)]),
    "kernel": (["--clusters", "3"], [(900, 5)]),
    "unfold": ([], [(250, 5)]),
    "isometry": (["--distortion", "0.4"], [(150, 12)]),
    "depend": (["--permutations", "99"], [(900, 5)]),
}
# A machine that does other work meanwhile, and the number of steps that a loop needs: of a kernel, whose pairs are not
# known from sizes alone, 11 times too many were seen.
FACTOR = {"kernel": 24}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forecast")
    rng = np.random.default_rng(3)
    for rows, columns in {size for _, sizes in GRID.values() for size in sizes}:
        y = np.arange(rows) % 3
        X = rng.normal(size=(rows, columns)) / np.sqrt(1 + np.arange(columns)) + 3 * rng.normal(size=(3, columns))[y]
        text = "\n".join([",".join([f"f{j}" for j in range(columns)] + ["class"])]
                         + [",".join(map(repr, row.tolist())) + f",c{k}" for row, k in zip(X, y)])
        (folder / f"{rows}x{columns}.csv").write_text(text + "\n")
    pairs = [(i, j) for i, j in rng.integers(0, 900, size=(900, 2)).tolist() if i != j]
    (folder / "pairs.csv").write_text("".join(f"{i},{j},{'must' if i % 3 == j % 3 else 'cannot'}\n" for i, j in pairs))
    return folder


@pytest.mark.parametrize("verb,rows,columns", [(verb, *size) for verb, (_, sizes) in GRID.items() for size in sizes])
def test_what_is_forecast_is_about_what_it_takes(verb, rows, columns, tables):
    options = GRID[verb][0]
    path = tables / f"{rows}x{columns}.csv"
    known = {"recluster": ["--given", "class"], "kernel": ["--drop-column", "class", "--pairs", tables / "pairs.csv"],
             "isometry": ["--drop-column", "class"]}.get(verb, ["--label-column", "class"])
    took = facts(verb, path, *known, *options)["seconds"]["total"]
    sizes = facts("estimate", verb, "--rows", rows, "--columns", columns, *options)["result"]
    # What is read and written beside the fit counts some hundredths of a second, too.
    factor = FACTOR.get(verb, 8)
    low, high = took / factor - 0.05, took * factor + 0.3
    assert low < sizes["seconds"] < high, (took, sizes["seconds"])
    assert sizes["seconds_range"][0] <= sizes["seconds"] <= sizes["seconds_range"][1]


def test_a_centre_is_forecast_too():
    short = facts("estimate", "center", "--subspaces", 60, "--space", 20, "--dimension", 3, "--dim", 2)["result"]
    longer = facts("estimate", "center", "--subspaces", 3000, "--space", 20, "--dimension", 3, "--dim", 2)["result"]
    assert 0 < short["seconds"] < longer["seconds"]
