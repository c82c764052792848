"""Other ways to complete, beside each other: known items are hidden on purpose, the same for every way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.completion.views.errors import SHARE, ComparedWays, comparing_ways
from kernex_core.completion.views.methods import VIEW_COMPLETIONS, view_completion
from kernex_core.gram.matrix import GramMatrix
from pages.combine.several.subject import Subject
from pages.shared.cached import cached
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.messages import guard, plain
from pages.shared.panels.keep import Offer, Result, keep_row
from pages.shared.panels.staged import Staged, run_study
from pages.shared.settings import widgets
from pages.shared.shown.drawn import table

MOST_TUNED: Final = 300
"""Items up to which the tuned way, which takes 15 to 25 times as long as the fast one, is compared too."""


@cached(public=True)
def compared(kernels: Mapping[str, GramMatrix], ways: tuple[str, ...], seed: int) -> ComparedWays:
    """All of them; the page keeps partial ones under the same key."""
    *_, last = comparing_ways(kernels, ways, seed)
    return last


def _comparing(kernels: Mapping[str, GramMatrix], ways: tuple[str, ...], seed: int) -> Iterator[ComparedWays]:
    return comparing_ways(kernels, ways, seed)


def show(subject: Subject) -> None:
    """Compare once somebody asks."""
    panel_title("Other ways", "is another way better on these kernels?")
    with guard():
        seed = widgets.number(
            "ways_seed", 0, 10_000, 1, default=0, key="many.ways.seed", label="Seed", width=140,
            help="Draws which of the known items are hidden.",
        )  # fmt: skip
        few = len(subject.covered.ids) <= MOST_TUNED
        ways = tuple(way.name for way in VIEW_COMPLETIONS if few or way.name != "tuned")
        study = Staged(compared, _comparing, (dict(subject.kernels), ways, int(seed or 0)))
        run_study(
            study, key="many.ways", what="ways", automatic=False, label="Compare all ways",
            cost=f"{percent(SHARE)} of the items of every kernel are hidden, and all of them completed in {len(ways)} ways.",
        )  # fmt: skip
        found = study.known()
        if found is None or not found.errors:
            return
        table("many.ways", _cells(found), title="Ways to complete", hide_index=True)
        st.caption(words(found))
        keep_row(
            Result("ways to complete", table=Offer(lambda: rows(found), label="Errors as CSV")),
            key="many.ways", look="tertiary",
        )  # fmt: skip


def words(found: ComparedWays) -> str:
    """What was measured, and which way was nearest."""
    low, high = int(found.hidden.min()), int(found.hidden.max())
    count = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    best = min(found.errors, key=lambda way: found.mean(way).relative_error)
    said = (
        f"{count} known items of each kernel were hidden, the same for every way. Relative error: of an item's "
        "similarities, by their size; alignment error: one minus the cosine with the truth, known entries too. "
        f"Nearest here: {view_completion(best).title}, of one draw of hidden items."
    )
    return said + "".join(
        f" {view_completion(way).title}: {plain(why)}" for way, why in found.refused.items()
    )


def _cells(found: ComparedWays) -> dict[str, list[str]]:
    cells: dict[str, list[str]] = {"way": [view_completion(way).title for way in found.errors]}
    means = [found.mean(way) for way in found.errors]
    cells["relative error"] = [percent(one.relative_error, 1) for one in means]
    cells["alignment error"] = [number(one.alignment_error, 4) for one in means]
    for v, name in enumerate(found.names):
        if found.hidden[v]:
            errors = [each[v].relative_error for each in found.errors.values()]
            cells[plain(name)] = ["" if np.isnan(error) else percent(error, 1) for error in errors]
    return cells


def rows(found: ComparedWays) -> list[dict[str, object]]:
    """One row a way and kernel."""
    return [
        {
            "way": way, "kernel": name, "hidden": int(found.hidden[v]), "relative_error": each[v].relative_error,
            "alignment_error": each[v].alignment_error,
        }
        for way, each in found.errors.items()
        for v, name in enumerate(found.names)
    ]  # fmt: skip
