"""The numbers of the page Complete: those that have to be judged, and three that are there at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from streamlit.delta_generator import DeltaGenerator

from kernex_core.learning.chance.interval import judged_times
from kernex_core.studies.completion.answer import Answer
from kernex_core.studies.completion.share_sweep import Curve, Sweep
from kernex_core.studies.completion.study import Completion, CompletionView
from pages.shared.figures.theme import number, percent
from pages.shared.glossary.entries import explained
from pages.shared.panels.accuracy import floor_chip
from pages.shared.shown.drawn import measure


def accuracies(columns: Sequence[DeltaGenerator], answer: Answer, sweep: Sweep | None) -> None:
    """Draw the judged numbers, where there are any: one a column."""
    if sweep is not None and answer.accuracy is not None:
        multi, single = answer.accuracy.here
        shown = [("Multi-class accuracy", multi, sweep.multi_floor)]
        # of two classes "is it this one?" is the same question
        if len(columns) > 1:
            shown.append(("One-vs-rest accuracy", single, sweep.one_vs_rest_floor))
        for column, (name, curve, floor) in zip(columns, shown, strict=False):
            mean = float(curve.mean[0])
            chip, color = floor_chip(mean, floor, percent(floor, 1))
            _metric(
                column, name, percent(mean, 1), chip, _rests(curve, sweep), f"**{_ends(curve)}** other data sets", color
            )  # fmt: skip


def errors(columns: Sequence[DeltaGenerator], made: Completion, shown: CompletionView) -> None:
    """Draw the three that need no classes."""
    hidden = made.hidden.any()
    _metric(
        columns[0], "Error on hidden pairs", number(shown.hidden_error, 3) if hidden else "—",
        f"zero-fill {number(made.errors['zero-fill'], 3)}" if hidden else "nothing hidden",
        "Root mean square of the joint kernel minus the truth, on pairs with a hidden item; every kernel is scaled by least "
        "squares first. "
        + (f"Extrapolated {number(made.errors['extrapolated'], 3)}, mean-fill {number(made.errors['mean-fill'], 3)}, "
           f"Nyström {number(made.errors['nystroem'], 3)}." if hidden else ""),
    )  # fmt: skip
    _metric(
        columns[1], "Trace kept", percent(made.extrapolation.trace_share),
        f"rank {made.extrapolation.known.size:,} of {made.m:,}",
        "",
    )  # fmt: skip
    explained = made.explained_median
    _metric(
        columns[2], "Explained, unknown items", "—" if explained is None else percent(explained), "median",
        "All items are listed under Trust.",
    )  # fmt: skip


def _ends(curve: Curve) -> str:
    return f"{number(100.0 * float(curve.low[0]), 1)} to {number(100.0 * float(curve.high[0]), 1)}\u00a0%"


def _rests(curve: Curve, sweep: Sweep) -> str:
    return (
        f"Joint kernel; {judged_times(sweep.n_items, sweep.repeats)}, with other hidden items each time. "
        "95\u00a0%, other data sets: "
        f"{_ends(curve)}. Who is told apart stands above the chart: this interval does not say it. sd over repetitions, "
        f"which judge the same items again: {percent(float(curve.sd[0]), 1)}."
    )


def _metric(
    column: DeltaGenerator,
    name: str,
    value: str,
    chip: str,
    help: str,
    caption: str = "",
    color: Literal["gray", "orange"] = "gray",
) -> None:
    with column:
        measure(name, value, chip, *filter(None, (caption,)), help=explained(name, help), color=color)
