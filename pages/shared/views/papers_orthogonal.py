"""Table 1 of "Almost orthogonal patterns": strings, and what the paper says beside the table."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from kernex_core.frozen import FloatArray
from kernex_core.gram.recipe import call, write_script
from kernex_core.studies import published
from kernex_core.studies.orthogonal_patterns import (
    COLUMNS,
    COMPONENTS,
    NEIGHBOUR,
    POWERS,
    OrthogonalConfig,
    OrthogonalTable,
    measuring_table_1,
)
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.downloads import csv_button, script_button
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.views import papers_orthogonal_rows as layout
from pages.shared.views.staged import run_staged


def _printed_se(found: OrthogonalTable, column: str) -> FloatArray:
    """The printed ± is over twenty trials."""
    return np.array([p.plus_minus for p in published.ORTHOGONAL_TABLE_1]) / math.sqrt(
        published.ORTHOGONAL_TRIALS
    )


TABLE_1 = layout.PaperTable(1, published.ORTHOGONAL_TABLE_1, "trials", _printed_se)


@cached(shared=True)
def table_1(config: OrthogonalConfig) -> OrthogonalTable:
    """Return all trials; the page keeps partial tables under the same key."""
    return list(measuring_table_1(config))[-1]


def show(page: PageFrame) -> None:
    """Draw the table."""
    page.badge(
        "simulated", "orange", ":material/science:", "New strings of the paper's two sources in every trial."
    )
    config = controls(
        OrthogonalConfig(), "papers.orthogonal", only=("trials", "seed", "C"),
        slots=st.columns([2, 1, 2], vertical_alignment="bottom"),
    )  # fmt: skip
    found = run_staged(
        lambda: measuring_table_1(config),
        lambda: table_1.peek(config),
        lambda state: table_1.keep(state, config),
        key="papers.orthogonal",
        what="trials",
        automatic=config.trials <= 200,
    )
    if found is None:
        st.caption("Nothing is measured yet.")
        return
    layout.about(found, "trials")
    layout.charts(TABLE_1, found)
    layout.verdict(TABLE_1, found)
    layout.table(TABLE_1, found)
    _beside(found)
    with st.container(horizontal=True):
        csv_button(
            "Download table", lambda: layout.rows(TABLE_1, found, COLUMNS), "orthogonal-patterns-table-1",
            key="papers.orthogonal.csv",
        )  # fmt: skip
        script_button(lambda: script(config), "orthogonal-patterns-table-1", key="papers.orthogonal.script")


def _beside(found: OrthogonalTable) -> None:
    places = {p: place for place, p in enumerate(POWERS)}
    panel_title("Beside the table", "balanced loss, %; measured ± its standard error; printed without one")
    names = {None: "1-NN, kernel as it is", 0.6: "1-NN, *p* = 0.6", 0.3: "1-NN, *p* = 0.3"}
    st.table(
        {
            "classifier": [*names.values(), "SVM on 15 kernel principal components, uncentred"],
            "published": [
                *(number(100.0 * published.ORTHOGONAL_NEIGHBOUR[p], 0) for p in names),
                number(100.0 * published.ORTHOGONAL_COMPONENTS, 0),
            ],
            "measured": [
                *(_with_se(found, NEIGHBOUR, places[p]) for p in names),
                _with_se(found, COMPONENTS, 0),
            ],
        },
        border="horizontal",
    )
    st.caption(
        f"Mean kernel value within the positive class {number(float(found.within.mean()))} (published 0.0003), between "
        f"classes {number(float(found.between.mean()))} (published 0.00002)."
    )


def _with_se(found: OrthogonalTable, column: str, row: int) -> str:
    se = float(found.se(column)[row])
    spread = "" if math.isnan(se) else f" :gray[± {100.0 * se:.1f}]"
    return f"**{100.0 * float(found.mean(column)[row]):.1f}**{spread}"


def script(config: OrthogonalConfig) -> str:
    """Script that measures the same table."""
    states = call(
        "states", "measuring_table_1", config,
        imports=("from kernex_core.studies.orthogonal_patterns import measuring_table_1",),
    )  # fmt: skip
    return write_script(
        [states], heading="Kernex: Table 1 of almost orthogonal patterns (2002), measured",
        prints=["*((column, t.mean(column).round(3)) for t in list($0)[-1:] for column in t.losses), sep='\\n'"],
    )  # fmt: skip
