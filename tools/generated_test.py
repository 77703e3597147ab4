# SPDX-License-Identifier: MIT
"""What is committed is what a generator makes, or it is said so."""
import generated


def test_a_file_that_was_edited_is_missing_or_is_left_over_is_stale(tmp_path):
    (tmp_path / "a.md").write_text("one")
    (tmp_path / "b.md").write_text("two")
    assert generated.stale({"a.md": "one", "b.md": "two"}, tmp_path) == []
    assert generated.stale({"a.md": "1", "c.md": "three"}, tmp_path) == ["a.md", "b.md", "c.md"]
    assert generated.stale({"a.md": "one"}, tmp_path / "none") == ["a.md"]


def test_what_was_written_is_up_to_date(tmp_path):
    (tmp_path / "left.md").write_text("over")
    made = {"a.md": "one", "below/b.md": "two"}
    generated.write(made, tmp_path, generated.stale(made, tmp_path))
    assert generated.stale(made, tmp_path) == []
