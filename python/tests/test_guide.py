# SPDX-License-Identifier: MIT
"""The guide's code and the examples run, as they are printed."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


def run(words, folder):
    done = subprocess.run([sys.executable, "-W", "error::sklearn.exceptions.ConvergenceWarning", *words], cwd=folder,
                          capture_output=True, text=True, timeout=570, env={**os.environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("page", ["docs/guide/python.md", "python/README.md", "README.md"])
def test_the_code_of_the_pages_runs(page, tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    (tmp_path / "page.py").write_text("\n".join(blocks), encoding="utf-8")
    run(["page.py"], tmp_path)


def test_there_are_five_examples_at_least():
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_and_draw(example, tmp_path):
    assert run([example], tmp_path)
    assert (tmp_path / f"{example.stem}.png").stat().st_size > 10_000


def test_docstrings_are_true():
    code = "import doctest, ritz, ritz._loading as l\n" \
           "failed = sum(doctest.testmod(m).failed for m in (ritz, l))\n" \
           "finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()\n" \
           "for n in ritz.__all__[:7]:\n" \
           "    for t in finder.find(getattr(ritz, n), n): runner.run(t)\n" \
           "raise SystemExit(failed + runner.failures)"
    run(["-c", code], ROOT)


def test_the_bench_beside_scikit_learn_measures_a_method_of_two_classes(tmp_path):
    """Its table was never written: two directions were asked of LDA where there are two classes."""
    question = "classes in 2 dimensions: share of held-out samples told by 5 neighbours"
    found = json.loads(run([ROOT / "bench/python/side_by_side.py", "--one", question, "LDA", "breast_cancer", "0"], tmp_path))
    assert found["value"] > 0.9 and found["seconds"] > 0
