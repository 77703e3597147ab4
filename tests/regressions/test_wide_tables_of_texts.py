# SPDX-License-Identifier: MIT
"""Whether a first line is a header was asked of each column with a look at all others: a table of 200,000 columns of texts
never came to an end (4·10^10 comparisons). Names are sorted once now, and those that a caller knows lie in a set."""
import pytest

from conftest import run_ritz

WIDTH = 200_000


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    path = tmp_path_factory.mktemp("wide") / "wide.csv"
    names = ",".join(f"n{j}" for j in range(WIDTH))
    path.write_text("\n".join([names, *(",".join("uv"[(i + j) % 2] for j in range(WIDTH)) for i in range(4))]) + "\n")
    return path


def test_a_header_is_found_above_very_many_columns_of_texts(wide):
    run = run_ritz("isometry", wide, "--distortion", 0.3, "--drop-column", "n7", "--max-memory", "40M", timeout=120)
    assert run.status == 5 and "wide.csv: reading it needs" in run.err, run


def test_a_comment_of_very_many_names_is_read(tmp_path):
    path = tmp_path / "commented.csv"
    row = ",".join("1" for _ in range(WIDTH))
    path.write_text("# " + ",".join(f"n{j}" for j in range(WIDTH)) + f"\n{row}\n{row}\n{row}\n")
    run = run_ritz("isometry", path, "--distortion", 0.3, "--max-memory", "40M", timeout=120)
    assert run.status == 5, run
