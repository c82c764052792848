"""Tables 2 to 5 of "Almost orthogonal patterns": on generated data, or on what the visitor brings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from kernex_core.frozen import FloatArray
from kernex_core.gram.recipe import call, write_script
from kernex_core.studies import published
from kernex_core.studies.orthogonal_colon import COLON_POWERS, ColonConfig, measuring_table_2
from kernex_core.studies.orthogonal_hidden import HiddenConfig, measuring_table_3
from kernex_core.studies.orthogonal_lymphoma import LymphomaConfig, measuring_table_5
from kernex_core.studies.orthogonal_patterns import POWERS, TRAIN_ONLY
from kernex_core.studies.orthogonal_tables import PowerTable, last
from kernex_core.studies.orthogonal_thrombin import THROMBIN_POWERS, ThrombinConfig, measuring_table_4
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.downloads import csv_button, script_button
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame
from pages.shared.messages import findings
from pages.shared.views import papers_orthogonal_data as data
from pages.shared.views import papers_orthogonal_rows as layout
from pages.shared.views.staged import run_staged

Measuring = Callable[..., Iterator[PowerTable]]


def _printed_se(
    found: PowerTable, column: str, *, printed: tuple[published.Printed, ...], repetitions: int
) -> FloatArray:
    """The printed mean is over so many repetitions; what one varies by is measured, for the paper does not say.

    It is no smaller than what the printed ± over folds makes of it.
    """
    folds = found.losses[column].shape[1] * repetitions
    over_folds = np.array([p.plus_minus for p in printed]) / np.sqrt(folds)
    return np.asarray(np.maximum(found.sd_repetitions(column) / np.sqrt(repetitions), over_folds))


def _paper(number: int, printed: tuple[published.Printed, ...], repetitions: int = 1) -> layout.PaperTable:
    return layout.PaperTable(
        number, printed, "folds", partial(_printed_se, printed=printed, repetitions=repetitions)
    )


TABLE_2 = _paper(2, published.ORTHOGONAL_TABLE_2)
TABLE_3 = _paper(3, published.ORTHOGONAL_TABLE_3)
TABLE_4 = _paper(4, published.ORTHOGONAL_TABLE_4)
TABLE_5 = _paper(5, published.ORTHOGONAL_TABLE_5, repetitions=10)


@cached(shared=True)
def generated(config: HiddenConfig) -> PowerTable:
    """Return the whole Table 3; the page keeps partial ones under the same key."""
    return last(measuring_table_3(config))


@cached
def table_2(config: ColonConfig, *subject: Any) -> PowerTable:
    """Return the whole Table 2."""
    return last(measuring_table_2(config, *subject))


@cached
def table_4(config: ThrombinConfig, *subject: Any) -> PowerTable:
    """Return the whole Table 4."""
    return last(measuring_table_4(config, *subject))


@cached
def table_5(config: LymphomaConfig, *subject: Any) -> PowerTable:
    """Return the whole Table 5."""
    return last(measuring_table_5(config, *subject))


def show_2(page: PageFrame) -> None:
    """Draw Table 2."""
    subject = data.vectors_with_classes(2, data.COLON)
    config = controls(
        ColonConfig(), TABLE_2.key, only=("draws", "noise", "seed", "C"),
        slots=st.columns([2, 2, 1, 2], vertical_alignment="bottom"),
    )  # fmt: skip
    if subject is None:
        layout.printed_only(TABLE_2, COLON_POWERS)
        return
    found = _measured(
        TABLE_2, table_2, measuring_table_2, (config, *subject), "draws of noise", automatic=True
    )
    if found is not None:
        st.caption(
            f"Without noise features: **{100.0 * float(found.aside.mean()):.1f}** ± "
            f"{number(100.0 * float(found.aside.std()), 0)} (published {100.0 * published.ORTHOGONAL_CLEAN.mean:.0f} ± "
            f"{100.0 * published.ORTHOGONAL_CLEAN.plus_minus:.0f}). The paper has one draw of noise: how much draws differ "
            "is part of its standard error. All genes are standardised over all items, as in the paper."
        )


def show_3(page: PageFrame) -> None:
    """Draw Table 3."""
    page.badge(
        "simulated", "orange", ":material/science:", "New data of the paper's rule in every repetition."
    )
    config = controls(
        HiddenConfig(), TABLE_3.key, only=("data_sets", "n", "seed", "C"),
        slots=st.columns([2, 2, 1, 2], vertical_alignment="bottom"),
    )  # fmt: skip
    found = _measured(
        TABLE_3, generated, measuring_table_3, (config,), "data sets", automatic=config.data_sets <= 50
    )
    if found is not None:
        sd = found.sd_repetitions(TRAIN_ONLY)
        if found.done > 1:
            st.caption(
                f"A data set's mean has a standard deviation of {100 * float(sd.min()):.0f} to {100 * float(sd.max()):.0f} "
                "points; the paper has one data set, so that is its standard error."
            )


def show_4(page: PageFrame) -> None:
    """Draw Table 4."""
    subject = data.kernel_with_classes(4)
    config = controls(
        ThrombinConfig(), TABLE_4.key, only=("repeats", "seed", "C"),
        slots=st.columns([2, 1, 2], vertical_alignment="bottom"),
    )  # fmt: skip
    if subject is None:
        layout.printed_only(TABLE_4, THROMBIN_POWERS)
        return
    quick = subject[0].n <= 320
    _measured(TABLE_4, table_4, measuring_table_4, (config, *subject), "repetitions", automatic=quick)


def show_5(page: PageFrame) -> None:
    """Draw Table 5."""
    subject = data.vectors_with_classes(5, data.LYMPHOMA)
    top = st.columns([2, 1, 2], vertical_alignment="bottom")
    below = st.columns([3, 2], vertical_alignment="bottom")
    config = controls(
        LymphomaConfig(),
        TABLE_5.key,
        only=("repeats", "seed", "C", "imputation", "inside"),
        slots=[*top, *below],
    )
    if subject is None:
        layout.printed_only(TABLE_5, POWERS)
        return
    quick = config.imputation == LymphomaConfig().imputation
    _measured(TABLE_5, table_5, measuring_table_5, (config, *subject), "repetitions", automatic=quick)


def _measured(
    paper: layout.PaperTable,
    cache: Any,
    start: Measuring,
    args: tuple[Any, ...],
    what: str,
    *,
    automatic: bool,
) -> PowerTable | None:
    """Run or look up one table, and draw it."""
    found: PowerTable | None = run_staged(
        lambda: start(*args),
        lambda: cache.peek(*args),
        lambda state: cache.keep(state, *args),
        key=paper.key,
        what=what,
        automatic=automatic,
        label="Measure",
    )
    if found is None:
        st.caption("Nothing is measured yet.")
        return None
    layout.about(found, what)
    findings(found.notes)
    layout.charts(paper, found)
    layout.verdict(paper, found)
    layout.table(paper, found)
    name = f"orthogonal-patterns-table-{paper.number}"
    with st.container(horizontal=True):
        csv_button("Download table", lambda: layout.rows(paper, found), name, key=f"{paper.key}.csv")
        script_button(lambda: script(paper.number, start, args), name, key=f"{paper.key}.script")
    return found


def script(number: int, start: Measuring, args: tuple[Any, ...]) -> str:
    """Script that measures the same table from the same data."""
    name = start.__name__
    states = call("states", name, *args, imports=(f"from {start.__module__} import {name}",))
    return write_script(
        [states], heading=f"Kernex: Table {number} of almost orthogonal patterns (2002), measured\n{HEADING}",
        prints=["*((column, t.mean(column).round(3)) for t in list($0)[-1:] for column in t.losses), sep='\\n'"],
    )  # fmt: skip


HEADING = "Run it beside the folder kernex_core, with the uploaded files in the same place."
