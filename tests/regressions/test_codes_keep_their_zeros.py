# SPDX-License-Identifier: MIT
"""Postal codes with zeros in front were read as numbers, whose order and size mean nothing. They are categories, whose levels keep their
zeros in the model, too; pages of reports spoke of "input.kind" where people type --kind."""
from conftest import facts, run_ritz


def test_postal_codes_are_categories_with_their_zeros(tmp_path):
    codes = ["01234", "02139", "94110"]
    rows = [f"{i * 7 % 11},{i * 5 % 13},{codes[i % 3]},{'uv'[i % 2]}" for i in range(24)]
    (tmp_path / "t.csv").write_text("a,b,zip,y\n" + "\n".join(rows) + "\n")
    words = ["--label-column", "y", "--dim", "1", "--kernel", "linear", "--preset", "paper"]
    facts("reduce", "t.csv", *words, "--save-model", "m.ritz", "--save-projection", "W.csv", cwd=tmp_path)
    features = [line.split(",")[0] for line in (tmp_path / "W.csv").read_text().splitlines()[1:]]
    assert features == ["a", "b", *(f"zip={code}" for code in codes)]
    run = run_ritz("transform", "m.ritz", "t.csv", "--quiet", cwd=tmp_path)
    assert run.status == 0 and len(run.out.splitlines()) == 25, run
    assert facts("reduce", "t.csv", *words, "--kind", "zip=number", cwd=tmp_path)["data"]["d"] == 3


def test_pages_name_options_as_they_are_typed(tmp_path):
    rows = [f"{i},{i * 7 % 11},{i * 5 % 13},{'uv'[i % 2]}" for i in range(24)]
    (tmp_path / "t.csv").write_text("id,a,b,y\n" + "\n".join(rows) + "\n")
    facts("reduce", "t.csv", "--label-column", "y", "--dim", "1", "--kernel", "linear", "--preset", "paper", "--report", "r.html", cwd=tmp_path)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "--kind NAME=number" in page and "input.kind" not in page
