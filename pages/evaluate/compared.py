"""Is one kernel better than another at predicting numbers? On the page Evaluate, as of classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from kernex_core.learning.regression.compare import NumberPair, compare_numbers
from kernex_core.learning.regression.judgement import NumberJudgement
from pages.shared.downloads import csv_button
from pages.shared.figures.theme import number, p_value
from pages.shared.messages import guard, plain
from pages.shared.panels.several.comparisons import ALL_PAIRS, NOT, TWO_QUESTIONS, choose_pairs
from pages.shared.shown.drawn import table


def compared(judged: Mapping[str, NumberJudgement], places: int) -> None:
    """Draw the tests in an expander; nothing where there is one kernel. `places`: decimals of an error."""
    if len(judged) < 2:
        return
    panel = st.expander(
        "Is the difference more than chance?", on_change="rerun", key="evaluate.number_compare"
    )
    if not panel.open:
        return
    with panel, guard():
        best = min(judged, key=lambda name: judged[name].rmse.mean)
        reference = choose_pairs(judged, best, key="evaluate.number_reference")
        pairs = compare_numbers(judged, None if reference == ALL_PAIRS else reference)
        table("evaluate.number_pairs", _cells(pairs, places), title="Is one of them really better?")
        st.caption(f"{TWO_QUESTIONS} {_explained(pairs)}")
        csv_button(
            "Comparison as CSV", lambda: pair_rows(pairs), "numbers compared",
            key="evaluate.number_compare.csv", type="tertiary",
            help="One row a pair: difference of errors, its interval, p-values before and after Holm's correction.",
        )  # fmt: skip


def pair_rows(pairs: Sequence[NumberPair]) -> list[dict[str, object]]:
    """Return one row a pair, in full precision; the p of fewer than four folds is empty."""
    return [
        {
            "first": pair.first, "second": pair.second, "rmse_difference": pair.difference,
            "interval_from": pair.interval.low, "interval_to": pair.interval.high, "interval": pair.interval.words,
            "told_apart": pair.told_apart, "corrected_t_p": pair.corrected_t_p, "corrected_t_p_holm": pair.holm_p,
            "tests": len(pairs),
        }
        for pair in pairs
    ]  # fmt: skip


def _cells(pairs: Sequence[NumberPair], places: int) -> dict[str, list[str]]:
    return {
        "kernels": [f"{plain(pair.first)} − {plain(pair.second)}" for pair in pairs],
        "RMSE": [f"**{_signed(pair.difference, places)}**" for pair in pairs],
        "more than other items make of it": [
            f"{'yes' if pair.told_apart else NOT} "
            f":gray[[{_signed(pair.interval.low, places)}, {_signed(pair.interval.high, places)}]]"
            for pair in pairs
        ],
        "corrected t p (Holm)": [
            f"**{p_value(pair.corrected_t_p)}** ({p_value(pair.holm_p)})" for pair in pairs
        ],
    }


def _signed(value: float, places: int) -> str:
    return f"{'+' if value > 0.0 else ''}{number(value, places)}"


def _explained(pairs: Sequence[NumberPair]) -> str:
    many = f"{len(pairs)} tests" if len(pairs) > 1 else "one test"
    return (
        "Below 0 the first kernel is better. In square brackets: "
        f"{pairs[0].interval.words}, the same draws for both kernels. Corrected t: of mean squared "
        "errors over all folds, widened because training sets overlap (Nadeau and Bengio 2003); none of fewer than four "
        f"folds in all. In round brackets: corrected for {many} (Holm)."
    )
