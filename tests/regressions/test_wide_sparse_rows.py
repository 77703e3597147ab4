# SPDX-License-Identifier: MIT
"""Six rows of a million columns, nearly all of them empty, took 231 MB in unfold, and ended reduce without a word about what was too
large: columns without an entry take no room, and what does not fit is named before it is asked for."""
import numpy as np
import pytest

from conftest import run_ritz


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    path = tmp_path_factory.mktemp("wide") / "wide.libsvm"
    path.write_text("1 1048576:1\n2 5:1\n1 3:2\n2 7:3\n1 9:1 2000:3\n2 1:4\n")
    return path


def test_columns_without_an_entry_take_no_room_in_unfold(wide):
    run = run_ritz("unfold", wide, "--neighbours", 2, "--dim", 1, "--max-memory", "100M", "--json", "--quiet", "--threads", 1)
    assert run.status == 0, run
    assert run.json["peak_memory_bytes"] < 140e6  # most of it the names of the columns


def test_few_dense_rows_of_many_columns_are_compared_in_their_span(tmp_path):
    """Principal components for a comparison were found in a matrix of columns by columns: 320 GB here, and the fit was lost."""
    rows = np.random.default_rng(0).normal(size=(6, 200_000))
    np.save(tmp_path / "x.npy", rows)
    run = run_ritz("isometry", tmp_path / "x.npy", "--distortion", 0.5, "--json", "--quiet", "--threads", 1)
    assert run.status == 0, run
    assert 1 <= run.json["result"]["rank"] <= 5
    assert {each["name"] for each in run.json["result"]["comparison"]} >= {"pca", "random"}


def test_what_does_not_fit_is_named(wide):
    run = run_ritz("reduce", wide, "--dim", 1, "--max-memory", "100M", "--threads", 1)
    assert run.status == 5 and "1048576 sparse columns" in run.err, run
