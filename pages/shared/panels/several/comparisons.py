"""Comparison of kernels that were judged on the same folds: every two, or all with one that was fixed before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import streamlit as st

from kernex_core.learning.compare import Pair, compare_all, compare_with
from kernex_core.learning.judgement import Judgement
from pages.shared.declared.settings import of_data
from pages.shared.downloads import csv_button
from pages.shared.figures.theme import p_value
from pages.shared.glossary.entries import hint
from pages.shared.messages import guard, plain
from pages.shared.panels.verdicts import interval_words, paired_row, rule_words, signed_points, told_cells
from pages.shared.settings import widgets
from pages.shared.shown.drawn import table

ALL_PAIRS: Final = "all pairs"


def comparisons(judged: Mapping[str, Judgement], *, key: str) -> None:
    """Compare all pairs of kernels, or all with one that was fixed before; nothing where there is one.

    Parameters
    ----------
    judged : dict of str to Judgement
        On the same folds.
    key : str
        The choice is called `<key>.reference`.
    """
    if len(judged) < 2:
        return
    with guard():
        best = max(judged, key=lambda name: judged[name].multi_class.mean)
        reference = choose_pairs(judged, best, key=f"{key}.reference")
        pairs = compare_all(judged) if reference == ALL_PAIRS else compare_with(judged, reference)
        table(
            f"{key}.pairs",
            _cells(pairs),
            title="Is one of them really better?",
        )
        st.caption(rule_words(len(pairs)), help=hint("Told apart", "McNemar", "Holm"))
        csv_button(
            "Comparison as CSV", lambda: pair_rows(pairs), "kernels compared", key=f"{key}.compare.csv", type="tertiary",
            help="One row a pair: differences of accuracy, their intervals, p before and after Holm's correction.",
        )  # fmt: skip


COMPARED = "compared"
SETTINGS = (of_data(COMPARED, "Compare"),)


def choose_pairs(judged: Collection[str], best: str, *, key: str) -> str:
    """Let all pairs, or a reference that was fixed before, be chosen; say so where it is the best of these."""
    # in the order of the kernels, not of their accuracies: the best one must not offer itself
    reference = widgets.choose(
        COMPARED, (ALL_PAIRS, *judged), key=key,
        said=lambda name: name if name == ALL_PAIRS else f"with {name}, fixed before",
        help="A reference is fixed before anything is judged. Against the winner, chosen because it won, p is too "
        "small: then take all pairs.",
    )  # fmt: skip
    if reference == best:
        st.markdown(
            f"{plain(best)} is the best of these. Unless it was fixed before it was judged, take all pairs."
        )
    return reference


def pair_rows(pairs: Sequence[Pair]) -> list[dict[str, object]]:
    """Return one row a pair, in full precision: accuracies from 0 to 1."""
    return [
        {
            "first": pair.first, "second": pair.second, "measure": pair.comparison.measure,
            **paired_row(pair.comparison.paired, pair.p),
            "repetitions": pair.comparison.n_repeats, "pairs": len(pairs),
        }
        for pair in pairs
    ]  # fmt: skip


def _cells(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    found = [pair.comparison.paired for pair in pairs]
    return {
        "kernels": [f"{plain(pair.first)} −\u00a0{plain(pair.second)}" for pair in pairs],
        "multi-class, points [95\u00a0%]": [
            f"**{signed_points(one.difference)}** :gray[{interval_words(one)}]" for one in found
        ],
        "told apart": told_cells([(pair.comparison.paired, pair.p) for pair in pairs]),
        "p of the pair alone": [p_value(one.p).replace(" ", "\u00a0") for one in found],
        "items on either side": [f"{one.first_better}\u00a0:\u00a0{one.second_better}" for one in found],
    }
