"""Tests between kernels that were judged on the same folds: every two, or all with one that was fixed before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import streamlit as st

from kernex_core.learning.compare import NOT_INDEPENDENT, Pair, compare_all, compare_with
from kernex_core.learning.judgement import Judgement
from pages.shared.downloads import csv_button
from pages.shared.figures.theme import number, p_value
from pages.shared.glossary.entries import hint
from pages.shared.messages import guard, plain
from pages.shared.shown.drawn import table

ALL_PAIRS: Final = "all pairs"
NOT: Final = "not\u00a0told\u00a0apart"
TWO_QUESTIONS: Final = (
    "“More than other items make of it” and the corrected test may disagree, because they answer two questions: the "
    "interval whether "
    "the difference would last with other items of this kind to judge by, the test, over repeated folds, whether "
    "it would last with new training sets."
)
"""Where both rules of the page meet."""


def comparisons(judged: Mapping[str, Judgement], *, key: str) -> None:
    """Compare all pairs of kernels, or all with one that was fixed before, in an expander; nothing where there is one.

    Parameters
    ----------
    judged : dict of str to Judgement
        On the same folds.
    key : str
        Widgets are called `<key>.compare` and `<key>.reference`.
    """
    if len(judged) < 2:
        return
    panel = st.expander("Is the difference more than chance?", on_change="rerun", key=f"{key}.compare")
    if not panel.open:
        return
    with panel, guard():
        best = max(judged, key=lambda name: judged[name].multi_class.mean)
        reference = choose_pairs(judged, best, key=f"{key}.reference")
        pairs = compare_all(judged) if reference == ALL_PAIRS else compare_with(judged, reference)
        table(
            f"{key}.pairs",
            _cells(pairs, len(next(iter(judged.values())).classes)),
            title="Is one of them really better?",
        )
        st.caption(TWO_QUESTIONS, help=hint("Corrected resampled t", "McNemar", "Holm"))
        st.caption(_explained(pairs))
        csv_button(
            "Comparison as CSV", lambda: pair_rows(pairs), "kernels compared", key=f"{key}.compare.csv", type="tertiary",
            help="One row a pair: differences of accuracy, p-values before and after Holm's correction.",
        )  # fmt: skip


def choose_pairs(judged: Collection[str], best: str, *, key: str) -> str:
    """Let all pairs, or a reference that was fixed before, be chosen; say so where it is the best of these."""
    # in the order of the kernels, not of their accuracies: the best one must not offer itself
    reference = st.selectbox(
        "Compare", (ALL_PAIRS, *judged), key=key,
        format_func=lambda name: name if name == ALL_PAIRS else f"with {name}, fixed before",
        help="A reference is fixed before anything is judged. Against the winner, chosen because it won, p is too "
        "small: then take all pairs.",
    )  # fmt: skip
    if reference == best:
        st.markdown(
            f"{plain(best)} is the best of these. Unless it was fixed before it was judged, take all pairs."
        )
    return reference


def pair_rows(pairs: Sequence[Pair]) -> list[dict[str, object]]:
    """Return one row a pair, in full precision: accuracies from 0 to 1; the p of fewer than four folds is empty."""
    return [
        {
            "first": pair.first, "second": pair.second, "multi_class_difference": one.difference,
            "half_width": one.half_width, "told_apart": one.told_apart, "corrected_t_p": one.corrected_t_p,
            "corrected_t_p_holm": pair.corrected_t_p, "mcnemar_p": one.mcnemar_p, "mcnemar_p_holm": pair.mcnemar_p,
            "only_first": one.only_first, "only_second": one.only_second,
            "yates_multi_class_p": one.yates_multi_class_p, "one_vs_rest_difference": one.one_vs_rest_difference,
            "yates_one_vs_rest_p": one.yates_p, "repetitions": one.n_repeats, "tests": len(pairs),
        }
        for pair in pairs
        for one in (pair.comparison,)
    ]  # fmt: skip


def _cells(pairs: Sequence[Pair], classes: int) -> dict[str, list[str]]:
    found = [pair.comparison for pair in pairs]
    shown = {
        "kernels": [f"{plain(pair.first)} −\u00a0{plain(pair.second)}" for pair in pairs],
        "multi-class, points": [_points(one.difference) for one in found],
        "more than other items make of it": [
            f"{'yes' if one.told_apart else NOT} :gray[(±\u00a0{number(100.0 * one.half_width, 1)})]"
            for one in found
        ],
        "1 corrected t p (Holm)": [
            f"**{_p(pair.comparison.corrected_t_p)}** ({_p(pair.corrected_t_p)})" for pair in pairs
        ],
        "2 McNemar p (Holm)": [
            f"{_p(pair.comparison.mcnemar_p)} ({_p(pair.mcnemar_p)}) "
            f":gray[{pair.comparison.only_first}\u00a0:\u00a0{pair.comparison.only_second}]"
            for pair in pairs
        ],
        "3 Yates p of multi-class": [_p(one.yates_multi_class_p) for one in found],
    }
    if classes > 2:  # of two, each decision is counted once for either class: the same numbers again
        shown["one-vs-rest, points"] = [_points(one.one_vs_rest_difference) for one in found]
        shown["3 Yates p of one-vs-rest"] = [_p(one.yates_p) for one in found]
    return shown


def _p(p: float) -> str:
    return p_value(p).replace(" ", "\u00a0")


def _points(difference: float) -> str:
    return f"{100 * difference:+.1f}".replace("-", "−")


def _explained(pairs: Sequence[Pair]) -> str:
    many = f"{len(pairs)} tests" if len(pairs) > 1 else "one test"
    return (
        "1, of multi-class accuracy: corrected resampled t over all folds, widened because training sets overlap (Nadeau "
        "and Bengio 2003); none of fewer than four folds in all. 2, of multi-class accuracy: exact McNemar on the first "
        "repetition alone, with the items that only the first : only the second kernel names rightly; it holds for these "
        f"training sets. 3: {NOT_INDEPENDENT} In brackets: corrected for {many} (Holm). Not told apart: the difference is "
        "less than half of the interval over items of multi-class accuracy."
    )
