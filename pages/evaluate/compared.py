"""Is one kernel better than another at predicting numbers? On the page Evaluate, as of classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from kernex_core.learning.regression.evaluate import NumberPair, compare_numbers
from kernex_core.learning.regression.judgement import NumberJudgement
from pages.shared.downloads import csv_button
from pages.shared.figures.theme import number, p_value
from pages.shared.glossary.entries import hint
from pages.shared.messages import guard, plain
from pages.shared.panels.several.comparisons import ALL_PAIRS, choose_pairs
from pages.shared.panels.verdicts import paired_row, rule_words, told_cells
from pages.shared.shown.drawn import table


def compared(judged: Mapping[str, NumberJudgement], places: int) -> None:
    """Draw the tests; nothing where there is one kernel. `places`: decimals of an error."""
    if len(judged) < 2:
        return
    with guard():
        best = min(judged, key=lambda name: judged[name].rmse.mean)
        reference = choose_pairs(judged, best, key="evaluate.number_reference")
        pairs = compare_numbers(judged, None if reference == ALL_PAIRS else reference)
        table("evaluate.number_pairs", _cells(pairs, places), title="Is one of them really better?")
        st.caption(
            f"Below 0 the first kernel is better. {rule_words(len(pairs))}", help=hint("Told apart", "Holm")
        )
        csv_button(
            "Comparison as CSV", lambda: pair_rows(pairs), "numbers compared",
            key="evaluate.number_compare.csv", type="tertiary",
            help="One row a pair: difference of errors, its interval, p-values before and after Holm's correction.",
        )  # fmt: skip


def pair_rows(pairs: Sequence[NumberPair]) -> list[dict[str, object]]:
    """Return one row a pair, in full precision."""
    return [
        {
            "first": pair.first, "second": pair.second, "measure": "rmse", **paired_row(pair.paired, pair.p),
            "pairs": len(pairs),
        }
        for pair in pairs
    ]  # fmt: skip


def _cells(pairs: Sequence[NumberPair], places: int) -> dict[str, list[str]]:
    return {
        "kernels": [f"{plain(pair.first)} − {plain(pair.second)}" for pair in pairs],
        "RMSE [95\u00a0%]": [
            f"**{_signed(pair.difference, places)}** "
            f":gray[[{_signed(pair.interval.low, places)}, {_signed(pair.interval.high, places)}]]"
            for pair in pairs
        ],
        "told apart": told_cells([(pair.paired, pair.p) for pair in pairs]),
        "p of the pair alone": [p_value(pair.paired.p).replace(" ", "\u00a0") for pair in pairs],
    }


def _signed(value: float, places: int) -> str:
    return f"{'+' if value > 0.0 else ''}{number(value, places)}"
