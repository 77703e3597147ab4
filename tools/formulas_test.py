# SPDX-License-Identifier: MIT
"""What formulas become, and what is none of them."""
import pathlib
import re
from xml.etree import ElementTree

import formulas
import pytest

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


def text_of(markup):
    return "".join(ElementTree.fromstring(markup.strip()).itertext())


@pytest.mark.parametrize("typed, holds", [
    ("WᵀW = I", "<msup><mi>W</mi><mrow><mo>T</mo></mrow></msup><mi>W</mi><mo>=</mo><mi>I</mi>"),
    ("λ_{q+1}", "<msub><mi>λ</mi><mrow><mi>q</mi><mo>+</mo><mn>1</mn></mrow></msub>"),
    ("D^(−½)K", "<msup><mi>D</mi><mrow><mo>−</mo><mn>½</mn></mrow></msup><mi>K</mi>"),
    ("Σ_a W_ja²", "<munder><mo>∑</mo><mrow><mrow><mi>a</mi></mrow></mrow></munder><msubsup><mi>W</mi>"),
    ("ℓ*(α)", "<msup><mi>ℓ</mi><mrow><mo>*</mo></mrow></msup><mo stretchy=\"false\">(</mo><mi>α</mi><mo stretchy=\"false\">)</mo>"),
    ("√(β + c²)", "<msqrt><mi>β</mi><mo>+</mo><msup><mi>c</mi>"),
    ("Tr(XW)", "<mi>X</mi><mi>W</mi>"),
    ("a < b", "<mo>&lt;</mo>"),
])
def test_a_formula_becomes_mathml(typed, holds):
    assert holds in formulas.display(typed)


def test_every_formula_of_the_methods_is_well_formed_and_keeps_its_signs():
    made = [each for path in sorted((DOCS / "algorithms").glob("*.md"))
            for each in re.findall(r'<div class="formula">.*</div>', formulas.page(path.read_text(encoding="utf-8")))]
    assert len(made) >= 12
    for each in made:
        assert text_of(each) and "_" not in text_of(each) and "^" not in text_of(each), each


def test_commands_code_and_words_stay():
    text = "A `first_order` b, see [x](a_b.md), `D^(2)`.\n\n    ritz reduce x.csv\n\n```console\n> λ = 1\n```\n"
    assert formulas.page(text) == text
    assert formulas.page("With β_ij and λ_{k−1}, D^(−½): group_column") == "With β<sub>ij</sub> and λ<sub>k−1</sub>, D<sup>−½</sup>: group_column\n"
