# SPDX-License-Identifier: MIT
"""Noise was certified: random labels had a relevance, random clusters a quality of 1.91 of 2, and nothing said that there is
nothing. A p value by shuffling stands beside now, in the summary, the JSON object and the report."""
import numpy as np
import pytest

from conftest import facts, run_ritz


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Normal numbers, three groups that no single column shows, and labels for both."""
    folder = tmp_path_factory.mktemp("chance")
    rng = np.random.default_rng(12)
    labels = np.arange(90) % 3
    noise = rng.normal(size=(90, 5))
    groups = noise + 4 * np.array([[1, 1, 0, 0, 0], [-1, 1, 1, 0, 0], [0, -1, 1, 1, 0]])[labels]
    for name, X in {"noise": noise, "groups": groups}.items():
        np.savetxt(folder / f"{name}.csv", X, delimiter=",", fmt="%.6f")
    np.savetxt(folder / "labels", labels, fmt="%d")
    np.savetxt(folder / "given", rng.integers(0, 2, 90), fmt="%d")
    return folder


def run(folder, name, verb, *more):
    return facts(verb, folder / f"{name}.csv", *more)["result"]["null"]


@pytest.mark.parametrize("verb, more", [("reduce", ["--labels", "labels"]), ("reduce", ["--clusters", 3]),
                                        ("recluster", ["--given", "given", "--clusters", 3])])
def test_noise_is_told_from_structure(tables, verb, more):
    more = [tables / one if one in ("labels", "given") else one for one in more]
    noise, groups = (run(tables, name, verb, *more) for name in ("noise", "groups"))
    least = 1 / (groups["shuffles"] + 1)
    assert groups["p"] == pytest.approx(least)
    assert noise["p"] > 0.05
    text = run_ritz(verb, tables / "noise.csv", *more).err
    assert "NOTHING says that there is more than noise" in text


def test_the_report_has_it(tables):
    run_ritz("reduce", tables / "noise.csv", "--labels", tables / "labels", "--report", tables / "page.html", "--quiet")
    assert "chance (p)" in (tables / "page.html").read_text()


def test_targets_have_it_too(tables):
    X = np.loadtxt(tables / "noise.csv", delimiter=",")
    rng = np.random.default_rng(9)
    p = {}
    for name, y in {"related": X[:, 0] + 0.1 * rng.normal(size=90), "unrelated": rng.normal(size=90)}.items():
        np.savetxt(tables / name, y)
        p[name] = run(tables, "noise", "reduce", "--targets", tables / name)["p"]
    assert p["related"] == pytest.approx(1 / 200) and p["unrelated"] > 0.05


def test_groups_of_a_single_column_are_not_called_noise(tables):
    """Shuffles of columns leave them as they are, and so have clusters as clear: that says nothing against them."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 2)) * 0.1
    X[:, 0] += np.arange(90) % 2
    X[:, 1] += np.arange(90) // 2 % 2
    np.savetxt(tables / "squares.csv", X, delimiter=",", fmt="%.6f", header="wide,high", comments="")
    np.savetxt(tables / "sides", np.arange(90) % 2, fmt="%d")
    done = run_ritz("recluster", tables / "squares.csv", "--given", tables / "sides", "--clusters", 2, "--dim", 1, "--report",
                    tables / "squares.html")
    assert "high falls into groups by itself" in done.err and "NOTHING" not in done.err
    assert "Nothing says so" not in (tables / "squares.html").read_text()
    null = run(tables, "squares", "recluster", "--given", tables / "sides", "--clusters", 2, "--dim", 1)
    assert null["p"] > 0.05 and null["column"] == "high" and null["column_p"] < 0.001


def test_shuffles_that_do_as_well_say_nothing_against_held_out_samples(tables):
    """Sums of two columns modulo 3: no column has anything to do with the labels alone, and held-out samples are classified right."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(400, 12))
    np.savetxt(tables / "sums.csv", X, delimiter=",", fmt="%d")
    np.savetxt(tables / "modulo", (X[:, 0] + X[:, 1]) % 3, fmt="%d")
    more = ["--labels", tables / "modulo", "--holdout", 0.3]
    done = run_ritz("reduce", tables / "sums.csv", *more, "--report", tables / "sums.html")
    null = run(tables, "sums", "reduce", *more)
    assert null["p"] > 0.05 and null["held_out_tell"] is True
    assert "held-out samples show what this measure does not see" in done.err and "NOTHING" not in done.err
    assert "Nothing beyond chance" not in (tables / "sums.html").read_text()
