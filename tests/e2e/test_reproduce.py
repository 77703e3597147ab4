# SPDX-License-Identifier: MIT
"""`ritz reproduce`: every row stands beside the paper's numbers, and what is missing is said in one sentence."""
import math
import pytest

from conftest import data_file, facts, run_ritz


@pytest.fixture(scope="module")
def table5(tmp_path_factory):
    data_file("ism/wine.csv")
    markdown = tmp_path_factory.mktemp("reproduce") / "tables.md"
    json = facts("reproduce", "ism-ikdr", "--quick", "--only", "table5", "--sets", "wine", "--markdown", markdown)
    return json, markdown.read_text()


def test_rows_stand_beside_the_papers_numbers(table5):
    rows = table5[0]["result"]
    assert {(row["part"], row["kernel"]) for row in rows} == {
        *(("supervised", kernel) for kernel in ["linear", "squared", "multiquadric", "gaussian+polynomial"]),
        *(("unsupervised", kernel) for kernel in ["linear", "squared", "multiquadric"])}
    for row in rows:
        assert row["set"] == "wine" and row["solver"] == "ism" and row["seconds"] > 0
        assert set(row["paper"]) == {"time", "cost", "score"} and row["paper"]["score"]
    # Printed in the paper's Table 5.
    paper = {(row["part"], row["kernel"]): row["paper"]["score"] for row in rows}
    assert paper["supervised", "linear"] == "97.2 ± 2.8" and paper["unsupervised", "multiquadric"] == "0.88"


def test_the_measured_numbers_are_those_of_the_method_page(table5):
    rows = {(row["part"], row["kernel"]): row for row in table5[0]["result"]}
    assert rows["supervised", "linear"]["objective"] == pytest.approx(46516, rel=1e-4)
    assert rows["supervised", "squared"]["objective"] == pytest.approx(93032, rel=1e-4)
    assert rows["supervised", "multiquadric"]["objective"] == pytest.approx(14138, rel=1e-3)
    assert rows["unsupervised", "linear"]["objective"] == pytest.approx(1539.5, rel=1e-4)
    for row in rows.values():
        if row["part"] == "supervised":
            assert row["accuracy"] >= 0.95 and row["accuracy_all_features"] == pytest.approx(0.977, abs=1e-3)
        else:
            assert row["nmi"] >= float(row["paper"]["score"]) - 0.005  # labels by spectral clustering of XW, as there


def markdown_tables(text):
    """Lists of rows, each a list of cells, a table each."""
    tables = [[]]
    for line in text.splitlines():
        if line.startswith("|"):
            tables[-1].append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif tables[-1]:
            tables.append([])
    return [table for table in tables if table]


def test_the_markdown_file_holds_the_same_rows(table5):
    json, text = table5
    supervised, unsupervised = markdown_tables(text)
    for table, part in [(supervised, "supervised"), (unsupervised, "unsupervised")]:
        head, rule, *body = table
        assert all(set(cell) <= set("-:") and "---" in cell for cell in rule)
        assert all(len(row) == len(head) == len(rule) for row in body)
        assert [row[1] for row in body] == [row["kernel"] for row in json["result"] if row["part"] == part]
        cost = [float(row[head.index("cost")].split()[0]) for row in body]
        assert cost == pytest.approx([-row["objective"] for row in json["result"] if row["part"] == part], rel=1e-5)


def test_table_four_compares_the_solvers(tmp_path):
    data_file("ism/wine.csv")
    rows = facts("reproduce", "ism-ikdr", "--quick", "--only", "table4-supervised", "--sets", "wine", "--solvers", "ism,sm",
                 "--budget", 0.5, "--folds", 2)["result"]
    assert {row["solver"] for row in rows} == {"ism", "sm"}
    for kernel in {row["kernel"] for row in rows}:
        value = {row["solver"]: row["objective"] for row in rows if row["kernel"] == kernel}
        assert value["ism"] >= value["sm"] * (1 - 1e-3)


def test_a_missing_data_folder_is_one_sentence(tmp_path):
    run = run_ritz("reproduce", "ism-ikdr", "--quick", "--json", "--markdown", tmp_path / "t.md",
                   env={"RITZ_DATA": "/nonexistent"})
    assert run.status == 3 and run.out == "", run
    assert run.err.startswith("ritz: ism/wine.csv is not in the data folder /nonexistent"), run
    assert "RITZ_DATA" in run.err and run.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("args, says", [
    (["--only", "nonsense"], ["--only", "'nonsense'", "table5-supervised", "figure1b"]),
    (["--only", "table4,figur1b"], ["'figur1b'", "did you mean 'figure1b'?"]),
    (["--sets", "vine"], ["'vine'", "did you mean 'wine'?"]),
    (["--solvers", "newton"], ["'newton'", "ism"]),
    (["--quick", "--sets", "mnist"], ["--quick", "wine"]),
    (["--folds", 1], ["--folds is 1"]),
    (["--markdown", "/nonexistent/t.md"], ["/nonexistent/t.md"]),
])
def test_what_is_not_there_is_said_in_one_sentence(args, says):
    run = run_ritz("reproduce", "ism-ikdr", *args)
    assert run.status == 2 and run.err.startswith("ritz: ") and run.err.count("\n") == 1, run
    assert all(text in run.err for text in says), run


def test_the_paper_is_asked_for():
    run = run_ritz("reproduce")
    assert run.status == 2 and run.err.count("\n") == 1, run
    run = run_ritz("reproduce", "ism-ikd")
    assert run.status == 2 and "did you mean 'ism-ikdr'?" in run.err, run


def test_the_budget_of_the_rivals_does_not_cut_what_is_compared_with_them():
    data_file("ism/cancer.csv")
    json = facts("reproduce", "ism-ikdr", "--only", "table4-supervised", "--sets", "cancer", "--solvers", "ism", "--budget", 0.01)
    assert [row["folds"] for row in json["result"]] == [10, 10]


def test_the_centre_of_drawn_lines_is_the_true_one(tmp_path):
    json = facts("reproduce", "gmeb", "--only", "figure3,figure4", "--plot", tmp_path / "lines.svg")
    for row in json["result"]:
        assert abs(row["radius"] - math.sin(1)**2) < 1e-6 and row["ball"] < 1e-6 < row["karcher"], row
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"lines-figure{n}{e}.svg" for n in (3, 4) for e in "ab"]


def test_hsic_sees_what_correlation_does_not():
    rows = {row["cloud"]: row for row in facts("reproduce", "ism-kdac", "--only", "figure5")["result"]}
    assert abs(rows["circle"]["correlation"]) < 0.2 and rows["circle"]["p"] < 0.01
    assert rows["independent"]["p"] > 0.01 and rows["independent"]["hsic"] < 0.1 * rows["circle"]["hsic"]
