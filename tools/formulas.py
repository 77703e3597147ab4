# SPDX-License-Identifier: MIT
"""Formulas of the documentation for a browser, without a script or a font from outside.

The documents write them as one types them, "F(W) = Tr(Γ K(XW))", "λ_{q+1}", "D^(−½)", so that they can be read as text. Where they
stand by themselves (quoted, or indented) they become MathML; within a line their indices are set as such.
"""
import html
import re

SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀᵖⁿᵠ", "0123456789+−Tpnq"))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖ", "0123456789+−ijk"))
WORDS = {"Tr", "tr", "HSIC", "NMI"}  # of two letters or more that are one name; other capitals are matrices side by side
MATHEMATICAL = re.compile("[Α-ωϕℓ∈≤≥⪰⪯⟨‖·−½²ᵀ₊∘←∑Σ]")


def token(text):
    """The first thing of a text: its markup, and what is left."""
    if match := re.match(r"\d+(?:\.\d+)?(?:e-?\d+)?|[½¼]", text):
        return f"<mn>{match[0]}</mn>", text[match.end():]
    if match := re.match(r"√\(", text):
        inside, rest = bracketed(text[1:])
        return f"<msqrt>{row(inside[1:-1])}</msqrt>", rest
    if match := re.match(r"[A-Za-z]{2,}", text):
        word = match[0]
        if word in WORDS:
            return f"<mi>{word}</mi>", text[len(word):]
        if word.islower() and len(word) > 2:
            words = re.match(r"[a-z]{3,}(?: [a-z]{2,})*", text)[0]
            return (f"<mi>{words}</mi>" if words in ("max", "min", "log", "exp", "diag") else f"<mtext>{words}</mtext>"), text[len(words):]
    if re.match(r"[A-Za-zΑ-ΡΤ-ωϕℓξ]", text):
        return f"<mi>{text[0]}</mi>", text[1:]
    if text[0] in "Σ∑":
        return "<mo>∑</mo>", text[1:]
    fence = ' stretchy="false"' if text[0] in "()[]{}|‖⟨⟩" else ""
    return f"<mo{fence}>{html.escape(text[0])}</mo>", text[1:]


def bracketed(text):
    """A bracket with what it holds, and what is left."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if depth == 0:
            return text[:place + 1], text[place + 1:]
    return text, ""


def index(text):
    """What an index holds: {…}, (…), or letters and digits; and what is left."""
    if text[:1] in ("{", "("):
        inside, rest = bracketed(text)
        return row(inside[1:-1]), rest
    letters = re.match(r"[A-Za-zα-ω0-9]+|.", text)[0]
    inside = f"<mtext>{letters}</mtext>" if len(letters) > 3 else "".join(f"<m{'n' if c.isdigit() else 'i'}>{c}</m{'n' if c.isdigit() else 'i'}>"
                                                                          for c in letters)
    return f"<mrow>{inside}</mrow>", text[len(letters):]


def with_indices(base, text):
    """Takes what stands below and above a thing from the text behind it."""
    below = above = ""
    while text:
        if text[0] in SUPERSCRIPTS or text[0] in "′″*":
            if text[0] == "*" and base.startswith("<mo"):
                break
            above += f"<mo>{SUPERSCRIPTS.get(text[0], text[0])}</mo>"
            text = text[1:]
        elif text[0] in SUBSCRIPTS:
            below += f"<mo>{SUBSCRIPTS[text[0]]}</mo>"
            text = text[1:]
        elif text[0] == "_" and len(text) > 1:
            part, text = index(text[1:])
            below += part
        elif text[0] == "^" and len(text) > 1:
            part, text = index(text[1:])
            above += part
        else:
            break
    under = "munder" if base == "<mo>∑</mo>" else "msub"
    if below and above:
        return f"<msubsup>{base}<mrow>{below}</mrow><mrow>{above}</mrow></msubsup>", text
    if below:
        return f"<{under}>{base}<mrow>{below}</mrow></{under}>", text
    return (f"<msup>{base}<mrow>{above}</mrow></msup>" if above else base), text


def row(text):
    made = []
    while text:
        if text[0] == " ":
            wide = len(text) - len(text.lstrip(" "))
            made.append('<mspace width="2em"/>' if wide > 1 else '<mspace width="0.25em"/>' if made and made[-1].endswith("</mtext>") or
                        re.match(r" [a-z]{3,}", text) else "")
            text = text.lstrip(" ")
            continue
        base, text = token(text)
        whole, text = with_indices(base, text)
        made.append(whole)
    return "".join(made)


def display(text):
    return '<div class="formula"><math display="block">' + row(text.strip()) + "</math></div>\n"


def is_formula(line):
    return bool(MATHEMATICAL.search(line)) and not re.match(r"\s*(\$|ritz |\./run|cmake|#)", line)


def inline(line):
    """Indices within a line of text: what is code, a link's address or a word with an underscore stays."""
    parts = re.split(r"(`[^`]*`|\]\([^)]*\))", line)
    for place in range(0, len(parts), 2):
        part = re.sub(r"(?<![A-Za-z_\\])([A-Za-zΑ-ω∇]|[₊*)])_(?:\{([^}]*)\}|([a-z0-9]{1,3}|max|min)(?![\w]))", r"\1<sub>\2\3</sub>", parts[place])
        parts[place] = re.sub(r"(?<=[\w₊)])\^(?:\(([^()]*)\)|([\w−]+))", r"<sup>\1\2</sup>", part)
    return "".join(parts)


def page(text):
    """A document of methods, with its formulas for a browser."""
    made, fenced = [], False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        after_blank = not made or not made[-1].strip() or made[-1].startswith('<div class="formula">')
        quoted = re.match(r"(?:> |    )(.*)", line)
        if not fenced and quoted and after_blank and is_formula(line):
            made.append(display(quoted[1]))
        else:
            made.append(line if fenced or line.startswith(("```", "    ")) else inline(line))
    return "\n".join(made) + "\n"
