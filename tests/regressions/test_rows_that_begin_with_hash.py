# SPDX-License-Identifier: MIT
"""Rows whose first field was #N/A, as Excel writes what could not be computed, or a colour (#ff0000) were taken for comments:
they were gone without a word, and the answer was of other data."""
from conftest import facts

HEAD = "first,b,label\n"


def test_errors_of_excel_are_missing_values_not_comments(tmp_path):
    rows = [f"{'#N/A' if i % 5 == 0 else i * 1.5},{i * i},{'uv'[i % 2]}\n" for i in range(20)]
    (tmp_path / "t.csv").write_text(HEAD + "".join(rows))
    found = facts("describe", tmp_path / "t.csv")
    assert found["data"]["n"] == 20
    first = found["result"]["columns"][0]
    assert first["kind"] == "number" and first["missing"] == 4


def test_colours_are_texts_and_comments_stay_comments(tmp_path):
    rows = [f"{['#ff0000', '#00ff00'][i % 2]},{i * i},{'uv'[i % 2]}\n" for i in range(20)]
    (tmp_path / "t.csv").write_text("# made in May\n" + HEAD + "# the second batch\n" + "".join(rows) + "#7,49,u\n")
    found = facts("describe", tmp_path / "t.csv")
    assert found["data"]["n"] == 20  # the last is a row that somebody has commented out
    assert found["result"]["columns"][0]["counts"] == {"#ff0000": 10, "#00ff00": 10}


def test_a_row_whose_first_field_is_empty(tmp_path):
    """It ended as an internal failure."""
    rows = [f"{'' if i % 5 == 0 else i}\t#{i:03}ab\t{i * i}\n" for i in range(20)]
    (tmp_path / "t.tsv").write_text("first\tcolour\tlast\n" + "".join(rows))
    found = facts("describe", tmp_path / "t.tsv")
    assert found["data"]["n"] == 20 and found["result"]["columns"][0]["missing"] == 4
