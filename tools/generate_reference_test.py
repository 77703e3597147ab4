# SPDX-License-Identifier: MIT
"""The reference pages must be able to be wrong."""
import generate_reference as reference
import pytest

OPTION = {"name": "max_dim", "kind": "a whole number", "help": "largest; see center.rule", "default": "0", "low": "0", "high": "9",
          "flag": False, "choices": []}
TASK = {"verb": "center", "method": "center", "summary": "What subspaces share",
        "data": {"name": "S", "help": "", "required": True, "several": True, "table": False, "labels": False, "ids": False},
        "inputs": [{"name": "dims", "help": "numbers", "value_name": "FILE", "required": False, "repeated": False},
                   {"name": "bases", "help": "in memory", "value_name": "", "required": False, "repeated": False}],
        "options": [OPTION], "sizes": [], "transform": True, "predict": False,
        "outputs": [{"kind": "plot", "option": "plot", "help": "a picture", "form": "picture"}],
        "flags": [("--max-dim", "0", ""), ("--seed", "0", "seed"), ("--na", "reject", "missing values")]}
KEYS = [(key, "") for key in ("verb", "certificate", "data", "result")]
FACTS = {"verb": "center", "certificate": {"gap": 0.1}, "data": {"n": 3}, "result": {"order": 2, "names": ["a"], "orders": None}}


def test_a_task_is_told_from_its_row():
    text = reference.options_page([TASK], [("--seed", "0", "seed")], {"list": [("--json", "", "as JSON")]})
    assert "| `--max-dim` | `0` | a whole number, 0 to 9 | largest; see --rule |" in text
    assert "`--dims`" in text and "bases" not in text
    assert text.count("`--seed`") == 1 and "| `--na` | `reject` | missing values |" in text
    assert "## list" in text and "serve check, transform." in text and "as JSON" in text


def test_a_bar_in_a_cell_does_not_end_it():
    assert reference.table(["a"], [["x|y"]]).endswith("| x\\|y |\n")


def test_keys_that_are_missing_or_not_named_are_reported():
    text = reference.json_page(KEYS, {"center": FACTS}, {"center": "center S.npz"})
    assert "| `result.names` | list of: text |" in text and "`null`" in text
    with pytest.raises(reference.Wrong):
        reference.json_page(KEYS, {"center": {k: v for k, v in FACTS.items() if k != "data"}}, {"center": ""})
    with pytest.raises(reference.Wrong):
        reference.json_page(KEYS, {"center": FACTS | {"more": 1}}, {"center": ""})


def test_the_keys_are_those_that_the_header_names():
    keys = [key for key, _ in reference.envelope_keys((reference.ROOT / "src/report/envelope.hpp").read_text(encoding="utf-8"))]
    assert keys[0] == "ritz" and keys[-1] == "peak_memory_bytes" and len(keys) == 19
    with pytest.raises(reference.Wrong):
        reference.envelope_keys("// nothing")


def test_a_status_without_a_meaning_is_reported():
    statuses = reference.statuses_of((reference.ROOT / "include/ritz/base/error.hpp").read_text(encoding="utf-8"))
    assert "| 130 | interrupted" in reference.statuses_page(statuses)
    with pytest.raises(reference.Wrong):
        reference.statuses_page([*statuses, ("tired", "7")])
    with pytest.raises(reference.Wrong):
        reference.statuses_page(statuses[:-1])
