"""Formulas: what stands where, and which symbols lead to a control."""

import pytest

from pages.learn.stage import parts


def test_symbols_are_bound_and_stand_where_they_are_written():
    assert parts("k = e^{−[tau|τ]L}") == [
        {"text": "k", "style": "i", "symbol": ""},
        {"text": " ", "style": "", "symbol": ""},
        {"text": "=", "style": "", "symbol": ""},
        {"text": " ", "style": "", "symbol": ""},
        {"text": "e", "style": "i", "symbol": ""},
        {"text": "−", "style": "sup", "symbol": ""},
        {"text": "τ", "style": "sup", "symbol": "tau"},
        {"text": "L", "style": "i sup", "symbol": ""},
    ]


@pytest.mark.parametrize(
    "formula", ["f(x) = Σ α_{i} y_{i} k(x_{i}, x) + b, 0 ≤ α_{i} ≤ [C|C]", "log det K ≥ 0", "", "a_b ^"]
)
def test_nothing_of_a_formula_is_lost(formula):
    written = formula.replace("_{", "").replace("^{", "").replace("}", "").replace("[C|C]", "C")
    assert "".join(part["text"] for part in parts(formula)) == written


def test_letters_alone_are_italic_and_words_are_not():
    styles = {part["text"]: part["style"] for part in parts("log det K")}
    assert (styles["log"], styles["det"], styles["K"]) == ("", "", "i")


@pytest.mark.parametrize("formula", ["e^{x", "x}", "a_{b^{c}"])
def test_braces_that_do_not_match_are_refused(formula):
    with pytest.raises(ValueError, match="brace"):
        parts(formula)


def test_a_prime_is_one_that_the_font_raises():
    assert "".join(part["text"] for part in parts("X′[lam|λ′]")) == "X'λ'"
