# SPDX-License-Identifier: MIT
"""`ritz reproduce simplenpkl`: every row stands beside the paper's numbers and beside the trivial answers."""
import shutil
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from conftest import data_file, facts, run_ritz
from test_reproduce import markdown_tables

SOYBEAN = ["--sets", "soybean-small", "--quick"]


def reproduce(*args, **how):
    return facts("reproduce", "simplenpkl", *args, **how)


@pytest.fixture(scope="module")
def table2(tmp_path_factory):
    data_file("npkl/soybean-small.csv")
    markdown = tmp_path_factory.mktemp("simplenpkl") / "tables.md"
    json = reproduce("--only", "table2", *SOYBEAN, "--markdown", markdown)
    return json, markdown.read_text()


def test_accuracies_stand_beside_the_papers_and_the_trivial_ones(table2):
    rows = {row["method"]: row for row in table2[0]["result"]}
    # Printed in the paper's Table 2; the last two by a semidefinite program, where its solver is installed.
    printed = {"k-means": "82.1 ± 6.1", "ck-means": "83.8 ± 8.3", "LL": "95.3 ± 5.1", "SHL": "95.4 ± 4.9", "ours": ""}
    if shutil.which("csdp"):
        printed |= {"NPKL LL": "90.2 ± 7.7", "NPKL HL": "100.0 ± 0.0"}
    assert {name: row["paper"] for name, row in rows.items()} == printed
    assert all(50 <= row["accuracy"] <= 100 for row in rows.values())
    assert rows["ours"]["accuracy"] >= 98 and rows["ours"]["adjusted_rand"] >= 0.95
    assert rows["ours"]["accuracy"] > rows["k-means"]["accuracy"]
    # One cluster: the share of pairs of samples of the same class; random labels: those of 4 equally likely ones.
    labels = np.loadtxt(data_file("npkl/soybean-small.labels"), dtype=int)
    same = (labels[:, None] == labels)[np.triu_indices(len(labels), 1)].mean()
    assert rows["ours"]["one_cluster"] == pytest.approx(100 * same, abs=1e-9)
    assert rows["ours"]["random_labels"] == pytest.approx(100 * (same / 4 + (1 - same) * 3 / 4), abs=1e-9)


def test_a_row_is_what_the_kernel_verb_gives_for_the_same_seeds(table2):
    labels = data_file("npkl/soybean-small.labels")
    single = [facts("kernel", data_file("npkl/soybean-small.csv"), "--labels", labels, "--fraction", 0.7, "--seed", seed)
              for seed in range(3)]
    ours = next(row for row in table2[0]["result"] if row["method"] == "ours")
    assert ours["accuracy"] == pytest.approx(100 * np.mean([one["result"]["rand"] for one in single]), abs=1e-9)


def test_the_markdown_file_holds_the_same_rows(table2):
    json, text = table2
    paper, ours = markdown_tables(text)[:2]
    assert all(len(row) == len(paper[0]) for row in paper) and all(len(row) == len(ours[0]) for row in ours)
    rows = {row["method"]: row for row in json["result"]}
    cell = dict(zip(paper[0], paper[2]))
    assert float(cell["SHL"].split()[0]) == pytest.approx(rows["SHL"]["accuracy"], abs=0.051)
    assert float(dict(zip(ours[0], ours[2]))["ours"].split()[0]) == pytest.approx(rows["ours"]["accuracy"], abs=0.051)
    assert "protein" in text


def test_seconds_stand_beside_the_general_solvers():
    data_file("npkl/soybean-small.csv")
    row, = reproduce("--only", "table3", *SOYBEAN)["result"]
    assert row["seconds_linear"] > 0 and row["seconds_square_hinge"] > 0
    assert (row["seconds_csdp_linear"] is not None) == (shutil.which("csdp") is not None)
    assert row["paper"] == {"LL": "0.01", "SHL": "0.16", "NPKL LL": "1.51"}


def test_bound_and_power_are_varied_on_iris():
    data_file("npkl/iris.csv")
    rows = reproduce("--only", "table4,table5", "--sets", "iris", "--repetitions", 1)["result"]
    assert [row["B"] for row in rows if row["part"] == "table4"] == [1, 1.5, 2, 2.5, 3, 3.5, 4, 150, 1000]
    powers = [row for row in rows if row["part"] == "table5"]
    assert [row["p"] for row in powers] == [1, 1.5, 2, 2.5, 3, 3.5, 4] and powers[-1]["paper"] == "95.6 ± 0.2"
    # B = 1 with p = 2 is in both tables.
    assert rows[0]["accuracy"] == powers[2]["accuracy"]


def test_a_map_is_drawn_and_scored_without_the_labels_it_is_scored_by(tmp_path):
    data_file("npkl/senate.csv")
    picture = tmp_path / "senate.svg"
    row, *smooth = reproduce("--only", "figure3", "--quick", "--plot", picture)["result"]
    # Song's axis: a larger span reaches more, up to the gaps.
    assert [one["vectors"] for one in smooth] == [5, 10, 20, 101]
    reached = [-one["objective"] * (1 + one["relative_gap"]) for one in smooth]
    assert all(less <= more * 1.001 for less, more in zip(reached, reached[1:]))
    assert all(one["relative_gap"] <= 1e-3 for one in smooth)
    assert row["set"] == "senate" and row["setting"] == "paper" and row["seconds"] > 0
    assert row["paper"] == "1.50 ± 0.06"
    assert 0 <= row["accuracy"] <= 100 and 0 <= row["relative_gap"] <= 1e-6
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    assert "senate" in picture.read_text()


def test_several_pictures_get_files_of_their_own(tmp_path):
    data_file("npkl/a1a.libsvm.gz")
    # No fit ends within the budget: the pictures are empty, and still pictures.
    json = reproduce("--only", "figure2", "--quick", "--budget", 0.01, "--plot", tmp_path / "adult.svg")
    assert json["result"] == []
    for file in tmp_path.iterdir():
        assert ElementTree.parse(file).getroot().tag.endswith("svg")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["adult-figure2-accuracy.svg", "adult-figure2-seconds.svg"]


def test_embeddings_are_scored_beside_all_features():
    data_file("npkl/wine.csv")
    row, = reproduce("--only", "unfold", "--sets", "wine", "--repetitions", 1)["result"]
    for name in ["pca", "mve", "mve_default", "spe", "all_features"]:
        assert 50 <= row[name]["mean"] <= 100, name
    for name in ["mve_seconds", "mve_default_seconds", "spe_seconds"]:
        assert row[name]["mean"] > 0, name
    assert row["paper"] == {"MVE": "90.9 ± 5.8", "SPE": "87.1 ± 7.9"}


@pytest.mark.parametrize("args, says", [
    (["--only", "table6"], ["--only", "'table6'"]),
    (["--only", "unfol"], ["'unfol'"]),
    (["--sets", "protein"], ["--sets", "'protein'"]),
    (["--only", "table4", "--sets", "wine"], ["--sets leaves nothing", "table4", "iris"]),
    (["--quick", "--only", "figure5"], ["--quick leaves out", "usps"]),
    (["--repetitions", -1], ["--repetitions is -1"]),
    (["--plot", "/nonexistent/f.svg"], ["/nonexistent/f.svg"]),
])
def test_what_is_not_there_is_said_in_one_sentence(args, says):
    run = run_ritz("reproduce", "simplenpkl", *args)
    assert run.status == 2 and run.err.startswith("ritz: ") and run.err.count("\n") == 1, run
    assert all(text in run.err for text in says), run
