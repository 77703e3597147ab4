# SPDX-License-Identifier: MIT
"""Run by `./run test` together with the layer check."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_site  # noqa: E402


@pytest.mark.parametrize("verb", [row[0] for row in make_site.GALLERY])
def test_a_guide_begins_with_a_run_whose_picture_the_site_shows(verb, tmp_path):
    text = (make_site.ROOT / "docs" / "guide" / f"{verb}.md").read_text(encoding="utf-8")
    ritz = tmp_path / "ritz"  # draws what it is asked for, as the last of its words
    ritz.write_text('#!/bin/sh\nfor last; do :; done\ncase "$*" in *--plot*) echo "$1" >"$last";; esac\n')
    ritz.chmod(0o755)
    if verb != "recluster":  # whose set comes from R
        assert make_site.own_picture(str(ritz), verb, text, tmp_path)
        assert (tmp_path / f"{verb}.svg").read_text() == f"{verb}\n"
    assert make_site.FIRST_RUN.search(text).end() < text.find("How to read")


def test_a_guide_whose_data_cannot_be_had_shows_that_of_the_gallery(tmp_path):
    for verb, *_ in make_site.GALLERY:
        (tmp_path / f"{verb}.md").write_text(f"# Why?\n\n```console\n$ false\n$ ritz {verb} x.csv\n```\n\nHow to read it.\n")
    make_site.illustrate("/nowhere/ritz", tmp_path)
    assert "](../gallery/unfold.svg)\n" in (tmp_path / "unfold.md").read_text().partition("How to read")[0]
