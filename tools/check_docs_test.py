# SPDX-License-Identifier: MIT
"""The documentation check must be able to fail."""
import os

import check_docs
import pytest


def test_an_ellipsis_stands_for_anything_within_its_line():
    assert check_docs.matches("time … s\n", "time 0.3 s\n")
    assert not check_docs.matches("time … s\n", "time 0.3 s\nmore\n")
    assert not check_docs.matches("time … s\n", "took 0.3 s\n")


def test_a_line_of_its_own_stands_for_any_lines():
    assert check_docs.matches("first\n…\nlast\n", "first\na\nb\nlast\n")
    assert check_docs.matches("first\n…\nlast\n", "first\nlast\n")
    assert not check_docs.matches("first\n…\nlast\n", "first\na\nb\n")


def test_a_command_that_fails_or_prints_something_else_is_reported(tmp_path):
    check_docs.check_console("$ echo one\none\n$ echo two\n", tmp_path, os.environ)
    with pytest.raises(check_docs.Wrong):
        check_docs.check_console("$ echo one\ntwo\n", tmp_path, os.environ)
    with pytest.raises(check_docs.Wrong):
        check_docs.check_console("$ false\n", tmp_path, os.environ)


def test_an_unknown_flag_and_a_dead_link_are_reported(tmp_path):
    with pytest.raises(check_docs.Wrong):
        check_docs.check_flags("use `--sigmaa 2`", {"--sigma"})
    with pytest.raises(check_docs.Wrong):
        check_docs.check_links(tmp_path / "a.md", "see [b](b.md)")
