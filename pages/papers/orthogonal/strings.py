"""Table 1 of "Almost orthogonal patterns": strings, and what the paper says beside the table."""

from __future__ import annotations

import math
from dataclasses import asdict

import streamlit as st

from kernex_core.gram.recipe import call, write_script
from kernex_core.studies.papers.orthogonal import comparison
from kernex_core.studies.papers.orthogonal import printed as published
from kernex_core.studies.papers.orthogonal.strings import (
    COLUMNS,
    COMPONENTS,
    NEIGHBOUR,
    POWERS,
    OrthogonalConfig,
    OrthogonalTable,
    measuring_table_1,
)
from pages.papers.orthogonal import rows as layout
from pages.papers.orthogonal.about import about
from pages.papers.orthogonal.files import rows as table_rows
from pages.papers.orthogonal.run import known, measured_below, run
from pages.papers.orthogonal.verdict import verdict
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.downloads import csv_button, script_button
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, panel_title

TABLE_1 = comparison.PaperTable(1, published.TABLE_1, "trials", "trial", "trials", published.TRIALS)


BESIDE = {
    **{(NEIGHBOUR, p): was for p, was in published.NEIGHBOUR.items()},
    (COMPONENTS, None): published.COMPONENTS,
}
"""Losses that the paper's text has beside the table, by column and p."""
NAMES = {
    place: "SVM on 15 kernel principal components, uncentred"
    if place[0] == COMPONENTS
    else "1-NN, " + ("kernel as it is" if place[1] is None else f"*p* = {place[1]:g}")
    for place in BESIDE
}


@cached(shared=True)
def table_1(config: OrthogonalConfig) -> OrthogonalTable:
    """Return all trials: the same for every visitor."""
    return list(measuring_table_1(config))[-1]


@cached
def begun_1(config: OrthogonalConfig) -> OrthogonalTable:
    """Return the same; the page keeps a visitor's partial table under this key."""
    return table_1(config)


def show(page: PageFrame) -> None:
    """Draw the table."""
    page.badge(
        "simulated", "orange", ":material/science:", "Strings of the paper's two sources, drawn by Kernex."
    )
    config = controls(
        OrthogonalConfig(), "papers.orthogonal", only=("trials", "splits", "seed", "C"),
        slots=st.columns([3, 3, 2, 3], vertical_alignment="bottom"),
    )  # fmt: skip
    args = (config,)
    measured_below(
        lambda: run(
            begun_1, measuring_table_1, args, finished=table_1, key=TABLE_1.key, what="trials",
            automatic=config.trials <= 200, label="Run",
        ),
        known(begun_1, table_1, args),
        lambda: layout.printed_only(TABLE_1, POWERS),
        lambda found: _draw(found, config),
    )  # fmt: skip


def _draw(found: OrthogonalTable, config: OrthogonalConfig) -> None:
    about(found, "trials")
    layout.charts(TABLE_1, found)
    verdict(TABLE_1, found)
    layout.table(TABLE_1, found)
    _beside(found)
    with st.container(horizontal=True):
        csv_button(
            "Download table", lambda: rows(found, config), "orthogonal-patterns-table-1",
            key="papers.orthogonal.csv",
        )  # fmt: skip
        script_button(lambda: script(config), "orthogonal-patterns-table-1", key="papers.orthogonal.script")


def rows(found: OrthogonalTable, config: OrthogonalConfig) -> list[dict[str, object]]:
    """Return the table and what stands beside it as rows."""
    made = table_rows(TABLE_1, found, COLUMNS, settings=asdict(config))
    beside: dict[tuple[object, object], float] = {
        (column, "as it is" if p is None else p): was for (column, p), was in BESIDE.items()
    }
    for row in made:
        row["published"] = beside.get((row["column"], row["p"]), row["published"])
    return made


def _beside(found: OrthogonalTable) -> None:
    panel_title(
        "Beside the table",
        "balanced loss, %: mean ± standard error (sd over trials); printed without: outside as if it varied as ours does",
    )
    places = {p: place for place, p in enumerate(POWERS)}
    made = [(found, column, places[p], was) for (column, p), was in BESIDE.items()]
    st.table(
        {
            "classifier": list(NAMES.values()),
            "published": [number(100.0 * was, 0) for was in BESIDE.values()],
            "measured": [_with_se(found, column, row) for _, column, row, _ in made],
            "difference": [_difference(*each) for each in made],
        },
        border="horizontal",
    )
    means, sds = (
        [number(float(each.mean())) for each in pair]
        for pair in ((found.within, found.between), (found.within_sd, found.between_sd))
    )
    st.caption(
        f"Kernel values, mean ± sd over pairs of strings: within the positive class {means[0]} ± {sds[0]} (published "
        f"0.0003 ± 0.0011), between classes {means[1]} ± {sds[1]} (published 0.00002 ± 0.00007)."
    )


def _difference(found: OrthogonalTable, column: str, row: int, was: float) -> str:
    """The printed mean is over twenty trials, which vary as ours do."""
    own, sets = float(found.se(column)[row]), len(found.by_repetition(column))
    printed = own * (sets / TABLE_1.units(found)) ** 0.5
    return layout.gap_cell(float(found.mean(column)[row]) - was, 2.0 * math.hypot(own, printed))


def _with_se(found: OrthogonalTable, column: str, row: int) -> str:
    of_row = (float(each[row]) for each in (found.mean(column), found.se(column), found.sd(column)))
    return layout.cell(*of_row, bold=True)


def script(config: OrthogonalConfig) -> str:
    """Script that measures the same table."""
    states = call(
        "states", "measuring_table_1", config,
        imports=("from kernex_core.studies.papers.orthogonal.strings import measuring_table_1",),
    )  # fmt: skip
    return write_script(
        [states], heading="Kernex: Table 1 of almost orthogonal patterns (2002), measured",
        prints=["*((column, t.mean(column).round(3)) for t in list($0)[-1:] for column in t.losses), sep='\\n'"],
    )  # fmt: skip
