"""What stands in a cell of a table of edges, and which cell is best: the same words for every kind of pair."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.edges.methods import EDGE_METHODS
from kernex_core.studies.networks.edges.judging import DEGREE, Measure
from kernex_core.studies.networks.edges.sources import OverFolds
from pages.networks.edges.subject import source_title
from pages.shared.figures.theme import number
from pages.shared.panels.optimism import OPTIMISTIC
from pages.shared.panels.verdicts import verdict_rule, verdict_words

AUC, PRECISION, WITHIN = "AUC", "average precision", "AUC within a known node"
SHORT: Final = 14
FIELDS: Final[dict[str, Measure]] = {AUC: "auc", PRECISION: "average_precision", WITHIN: "within"}
UNITS: Final = (
    "Units are nodes: what a node has of the number is the change of it with the node's weight, over all its pairs. Plain "
    "baselines learn nothing from known edges."
)


def called(method: str, source: str | None) -> str:
    """What a cell is called in the verdict: "Metric learning on MKL"; "degree alone"."""
    if source is None:
        return f"{method} alone" if method == DEGREE else method
    title = next(kind.title for kind in EDGE_METHODS if kind.name == method)
    return f"{title} on {source_title(source)}"


def note_of(verdict: Verdict | None) -> str:
    """What stands in the cells: before all folds are done there are no intervals."""
    return (
        "mean ± sd over folds"
        if verdict is None
        else "mean [95\u00a0%], for other data sets of as many nodes"
    )


def say(verdict: Verdict | None) -> None:
    """Draw which cell is best, and who is told apart from it."""
    if verdict is not None:
        st.markdown(
            f"**{verdict_words(verdict, unit='')}** The best of {len(verdict.candidates)} is {OPTIMISTIC}.",
            help=f"{verdict_rule(verdict)} {UNITS}",
        )


def with_ends(of: OverFolds, verdict: Verdict | None, name: str) -> str:
    """Mean and interval; before the verdict, and of what it leaves out, mean and deviation over folds."""
    one = None if verdict is None else next((c for c in verdict.candidates if c.name == name), None)
    if one is None or not of.folds:
        return mean_sd(of)
    low, high = number(one.interval.low, 2), number(one.interval.high, 2)
    return f"{number(of.mean, 2)}\u00a0:gray[[{low},\u00a0{high}]]"


def mean_sd(of: OverFolds) -> str:
    """ "0.84 ± 0.02", the spread in grey; "–" where no fold has a value."""
    if not of.folds:
        return "–"
    return number(of.mean, 2) + (f"\u00a0:gray[±\u00a0{number(of.sd, 2)}]" if of.folds > 1 else "")
