"""What is said of a comparison, everywhere in the same words: who is best, and who is told apart from the best."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.learning.chance.paired import DIFFERENT, Paired
from kernex_core.learning.chance.verdict import Unit, Verdict, verdict_sentence
from pages.server.digits import number, p_value
from pages.server.messages import plain

NOT: Final = "not\u00a0told\u00a0apart"
RULE: Final = (
    "Told apart: p below .05. p is of the items' differences in one pass, with a factor for shared training sets, and never "
    "below what one pass can say by an exact test (McNemar's, of right and wrong)"
)


def verdict_words(made: Verdict, *, gain: str = "", unit: Unit = "%", typed: Collection[str] = ()) -> str:
    """Return the verdict as Markdown, names as they are; `gain`: what gains nothing where a plain baseline is best.

    `typed`: candidates that have the name of somebody's kernel, see `verdict_sentence`.
    """
    named = tuple(replace(each, name=plain(each.name)) for each in made.candidates)
    return verdict_sentence(
        replace(made, candidates=named), unit=unit, gain=gain, typed=[plain(name) for name in typed]
    )


def verdict_rule(made: Verdict) -> str:
    """Return the rule of a verdict: p is corrected for every pair of its candidates."""
    n = len(made.candidates)
    return rule_words(n * (n - 1) // 2)


def verdict_row(made: Verdict | None, name: str) -> dict[str, object]:
    """Return what a file says of a candidate beside the best; empty cells where there is no verdict yet."""
    if made is None:
        return {"behind_best": None, "p_holm_to_best": None, "told_apart_from_best": None}
    one = made.of(name)
    return {"behind_best": one.behind, "p_holm_to_best": one.p, "told_apart_from_best": one.told_apart}


def beside(made: Verdict | None, name: str) -> str:
    """Return the cell that says how one stands beside the best."""
    if made is None or len(made.candidates) < 2:
        return "—"
    one = made.of(name)
    if one is made.best:
        return "**best**"
    said = "worse" if one.told_apart else "not\u00a0told\u00a0apart"
    return f"{said} :gray[p\u00a0{p_value(one.p)}]"


def rule_words(pairs: int) -> str:
    """Return the rule, and how many pairs p is corrected for."""
    several = f"; corrected for {pairs} pairs (Holm), as no interval of a difference is" if pairs > 1 else ""
    return f"{RULE}{several}."


def paired_words(made: Paired, p: float | None = None, *, unit: str = "points") -> str:
    """Return a difference of shares with its interval, p, and whether it is told apart: "+2.0 points [−1.0, 5.0], p .12".

    Parameters
    ----------
    made : Paired
    p : float, optional
        After correction for several pairs; that of the pair alone by default.
    unit : str
    """
    p = made.p if p is None else p
    told = "told apart" if p < DIFFERENT else "not told apart"
    return f"{signed_points(made.difference)} {unit} {interval_words(made)}, p {p_value(p)}: {told}"


def interval_words(made: Paired) -> str:
    """Return the ends of a difference of shares, in points."""
    return f"[{signed_points(made.interval.low)}, {signed_points(made.interval.high)}]"


def signed_points(share: float) -> str:
    """Return a difference of shares in points, with its sign."""
    points = 100.0 * share
    return f"{'+' if round(points, 1) > 0.0 else ''}{number(points, 1)}"


def told_cells(paired: Sequence[tuple[Paired, float]]) -> list[str]:
    """Return the cells of a column that says of each pair whether it is told apart, by p after correction."""
    return [f"{'yes' if p < DIFFERENT else NOT} :gray[p\u00a0{p_value(p)}]" for _, p in paired]


def paired_row(made: Paired, p: float) -> dict[str, object]:
    """Return what a file says of a pair, in full precision; `p` after correction for several pairs."""
    return {
        "difference": made.difference, "difference_from": made.interval.low, "difference_to": made.interval.high,
        "told_apart": p < DIFFERENT, "p": made.p, "p_holm": p, "first_better": made.first_better,
        "second_better": made.second_better,
    }  # fmt: skip


# Places beside each other that go to the next line where the page is narrow, instead of being cut.
#
# first, second = places(150, 220)        one place a width, in pixels; each is filled with `with`
# one, two, three = numbers_in_a_row(3)   places of numbers under their names
# with row_of_numbers():                  numbers of NUMBER_WIDTH that need no place of their own

Width = int | Literal["stretch", "content"]

NUMBER_WIDTH = 172
"""Pixels of a number with its name in full and a hint: five stand in a row at 1,400 px, two at 390 px."""


def places(*widths: Width, align: Literal["top", "bottom"] = "top") -> list[DeltaGenerator]:
    """Return one place a width: pixels, "content", or "stretch" for what takes the rest of its line."""
    with st.container(horizontal=True, vertical_alignment=align, gap="small"):
        return [st.container(width=width) for width in widths]


def row_of_numbers() -> DeltaGenerator:
    """Return a row for numbers of NUMBER_WIDTH."""
    return st.container(horizontal=True, gap="small")


def numbers_in_a_row(count: int) -> list[DeltaGenerator]:
    """Return places for so many numbers, each with room for a badge and small print close under it."""
    with row_of_numbers():
        return [st.container(width=NUMBER_WIDTH, gap="xxsmall") for _ in range(count)]
