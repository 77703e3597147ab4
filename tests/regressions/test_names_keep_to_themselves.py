# SPDX-License-Identifier: MIT
"""Characters that turn the direction of a line, or end it, came through into messages, and by the data of a page into its
points' classes: "no such file: x<line end>  found  all is well" had a line of its own. They are written out, or left out."""
import numpy as np
import pytest

from conftest import run_ritz

HOSTILE = ["\u202eevil", "a\u2066b", "a\u2028b", "a\u009b31mb", "a\x7fb", "a\x1b[31mb"]
CONTROLS = ["\u202e", "\u2066", "\u2028", "\u009b", "\x7f", "\x1b", "\x07"]


def quiet(text):
    return not any(control in text for control in CONTROLS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    draw = np.random.default_rng(0)
    X = draw.normal(size=(24, 2)) + 3 * (np.arange(24)[:, None] % 2)
    for k, name in enumerate(HOSTILE):
        rows = [f"{name}{i},{a:.6g},{b:.6g},{name if i % 2 else 'plain'}" for i, (a, b) in enumerate(X)]
        (folder / f"{k}.csv").write_text("\n".join([f"id,{name},other,kind", *rows]) + "\n")
    np.savetxt(folder / "x.csv", X, delimiter=",")
    (folder / "y.labels").write_text("a\nb\n" * 12)
    return folder


@pytest.mark.parametrize("k", range(len(HOSTILE)))
def test_names_of_columns_classes_and_samples_are_shown_harmless(k, folder):
    run = run_ritz("reduce", f"{k}.csv", "--label-column", "kind", "--id-column", "id", "--dim", 1, "--kernel", "gaussian(sigma=1)",
                   "--report", "page.html", "--plot", "plot.svg", cwd=folder)
    assert run.status in (0, 4) and quiet(run.err), run
    for name in ("page.html", "plot.svg"):
        text = (folder / name).read_text()
        assert "evil" in text or k > 0
        assert quiet(text), (name, HOSTILE[k])


@pytest.mark.parametrize("name", [*HOSTILE, "a\n  found  all is well"])
@pytest.mark.parametrize("words", [["reduce", "{}"], ["reduce", "x.csv", "--labels", "{}"], ["{}"], ["reduce", "--{}"], ["check", "{}", "x.csv"],
                                   ["reduce", "x.csv", "--labels", "y.labels", "--kernel", "{}"], ["list", "{}"]])
def test_a_message_is_one_line_without_controls(name, words, folder):
    run = run_ritz(*(word.replace("{}", name) for word in words), cwd=folder)
    assert run.status in (2, 3), run
    assert quiet(run.err) and run.err.count("\n") == 1 and run.err.startswith("ritz: "), run


@pytest.mark.parametrize("words, says", [(["--dim", 1, "--dim", 2], "--dim is given 2 times; give it once"),
                                         (["--quiet=maybe"], "--quiet: cannot read 'maybe'")])
def test_what_the_parser_of_words_refuses_is_said_in_a_sentence(words, says, folder):
    run = run_ritz("reduce", "x.csv", "--labels", "y.labels", *words, cwd=folder)
    assert run.status == 2 and says in run.err, run


def test_a_zero_byte_does_not_cut_the_message(folder):
    (folder / "zero.conf").write_bytes(b"dim = 1\0, and more\n")
    run = run_ritz("reduce", "x.csv", "--labels", "y.labels", "--config", "zero.conf", cwd=folder)
    assert run.status == 2 and "zero.conf, line 1: a zero byte" in run.err, run
