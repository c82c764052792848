"""Table 1 of "Almost orthogonal patterns": published beside measured, for both bases of the map."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from kernex_core.gram.recipe import call, write_script
from kernex_core.studies import published
from kernex_core.studies.orthogonal_patterns import (
    ALL_POINTS,
    COLUMNS,
    COMPONENTS,
    NEIGHBOUR,
    POWERS,
    TRAIN_ONLY,
    OrthogonalConfig,
    OrthogonalTable,
    measuring_table_1,
)
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.downloads import csv_button, script_button
from pages.shared.figures.curve import Level
from pages.shared.figures.published import Comparison, common_range, published_measured
from pages.shared.figures.theme import number, symbol
from pages.shared.frame import PageFrame, panel_title
from pages.shared.views.heatmap_panel import draw
from pages.shared.views.staged import run_staged

BASES = {ALL_POINTS: "transductive", TRAIN_ONLY: "inductive, as the text says"}


@cached(shared=True)
def table_1(config: OrthogonalConfig) -> OrthogonalTable:
    """Return all trials; the page keeps partial tables under the same key."""
    return list(measuring_table_1(config))[-1]


def show(page: PageFrame) -> None:
    """Draw the table."""
    page.badge(
        "simulated", "orange", ":material/science:", "New strings of the paper's two sources in every trial."
    )
    page.badge(
        "transductive and inductive", help="The map with all strings as its basis, and with training strings."
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
        automatic=config.trials <= 100,
    )
    if found is None:
        st.caption("Nothing is measured yet.")
        return
    _about(found)
    _charts(found)
    _table(found)
    _beside(found)
    with st.container(horizontal=True):
        csv_button(
            "Download table", lambda: rows(found), "orthogonal-patterns-table-1", key="papers.orthogonal.csv"
        )
        script_button(lambda: script(config), "orthogonal-patterns-table-1", key="papers.orthogonal.script")


def _about(found: OrthogonalTable) -> None:
    hard = (
        "every margin was hard"
        if not found.training_errors + found.at_bound
        else f"{found.at_bound:,} coefficients reached C, {found.training_errors:,} training decisions are wrong"
    )
    st.caption(f"{found.done} of {found.total} trials · {number(found.seconds, 1)} s · {hard}")


def _charts(found: OrthogonalTable) -> None:
    made = {column: _comparison(found, column) for column in BASES}
    levels = [Level("kernel as it is", 100.0 * float(found.mean(ALL_POINTS)[0]), "source")]
    span = common_range(list(made.values()), levels)
    for place, (column, slot) in enumerate(zip(BASES, st.columns(2, gap="medium"), strict=True)):
        with slot, st.container(gap="xxsmall"):
            panel_title(
                column, f"{BASES[column]}; **{inside(found, column)} of {len(POWERS)}** rows within 2 SE"
            )
            picture = published_measured(
                made[column], levels=levels, y_range=span, x_title=symbol("p"), x_decimals=1, key=place == 0,
                name_levels=False, height=250,
            )  # fmt: skip
            draw(picture, f"papers.orthogonal.{place}")
    st.caption(
        "Balanced loss in percent against *p*; bars: ± sd over trials; blue: the kernel as it is, measured."
    )


def _comparison(found: OrthogonalTable, column: str) -> Comparison:
    printed = published.ORTHOGONAL_TABLE_1[1:]
    return Comparison(
        [float(p) for p in POWERS if p is not None],
        [100.0 * p.mean for p in printed],
        [100.0 * p.plus_minus for p in printed],
        100.0 * found.mean(column)[1:],
        100.0 * found.sd(column)[1:],
    )


def _table(found: OrthogonalTable) -> None:
    panel_title(
        "Table 1, published beside measured",
        "balanced loss, % ± sd over trials; outside = the difference is above 2 standard errors of both",
    )
    cells: dict[str, list[str]] = {
        "": ["kernel as it is", *(f"*p* = {p:g}" for p in POWERS if p is not None)],
        "published": [_spread(p.mean, p.plus_minus) for p in published.ORTHOGONAL_TABLE_1],
    }
    for column in BASES:
        mean, sd = found.mean(column), found.sd(column)
        cells[column] = [_spread(m, s, bold=True) for m, s in zip(mean, sd, strict=True)]
        gaps = zip(differences(found, column), limits(found, column), strict=True)
        cells["difference" if column == ALL_POINTS else "difference "] = [
            _gap(gap, limit) for gap, limit in gaps
        ]
    st.table(cells, border="horizontal")


def _beside(found: OrthogonalTable) -> None:
    neighbour = dict(zip(POWERS, found.mean(NEIGHBOUR), strict=True))
    panel_title("Beside the table", "balanced loss, %")
    names = {None: "1-NN, kernel as it is", 0.6: "1-NN, *p* = 0.6", 0.3: "1-NN, *p* = 0.3"}
    components = float(found.mean(COMPONENTS)[0])
    st.table(
        {
            "classifier": [*names.values(), "SVM on 15 kernel principal components, uncentred"],
            "published": [
                *(number(100.0 * published.ORTHOGONAL_NEIGHBOUR[p], 0) for p in names),
                number(100.0 * published.ORTHOGONAL_COMPONENTS, 0),
            ],
            "measured": [
                *(f"**{100.0 * neighbour[p]:.1f}**" for p in names),
                f"**{100.0 * components:.1f}**",
            ],
        },
        border="horizontal",
    )
    st.caption(
        f"Mean kernel value within the positive class {number(float(found.within.mean()))} (published 0.0003), between "
        f"classes {number(float(found.between.mean()))} (published 0.00002)."
    )


def differences(found: OrthogonalTable, column: str) -> np.ndarray:
    """Return measured less published, one a row."""
    return np.asarray(found.mean(column) - np.array([p.mean for p in published.ORTHOGONAL_TABLE_1]))


def limits(found: OrthogonalTable, column: str) -> np.ndarray:
    """Return two standard errors of the difference; NaN for one trial."""
    printed = np.array([p.plus_minus for p in published.ORTHOGONAL_TABLE_1]) / math.sqrt(
        published.ORTHOGONAL_TRIALS
    )
    return np.asarray(2.0 * np.hypot(found.se(column), printed))


def inside(found: OrthogonalTable, column: str) -> int:
    """Return the number of rows within two standard errors."""
    return int((np.abs(differences(found, column)) <= limits(found, column)).sum())


def _spread(mean: float, sd: float, *, bold: bool = False) -> str:
    text = f"{100.0 * mean:.1f}" if bold else f"{100.0 * mean:.0f}"
    spread = "" if math.isnan(sd) else f" :gray[± {100.0 * sd:.0f}]"
    return (f"**{text}**" if bold else text) + spread


def _gap(gap: float, limit: float) -> str:
    text = f"{100.0 * gap:+.1f}".replace("-", "−")
    return f"{text} :orange[outside]" if abs(gap) > limit else text


def rows(found: OrthogonalTable) -> list[dict[str, object]]:
    """Return the table as rows: measured with spreads, and printed values."""
    return [
        {
            "p": "as it is" if p is None else p, "column": column, "loss": float(found.mean(column)[row]),
            "sd_trials": float(found.sd(column)[row]), "se": float(found.se(column)[row]), "trials": found.done,
            "published": printed.mean if column in BASES else None,
            "published_plus_minus": printed.plus_minus if column in BASES else None,
        }
        for column in COLUMNS
        for row, (p, printed) in enumerate(zip(POWERS, published.ORTHOGONAL_TABLE_1, strict=True))
        if not math.isnan(found.mean(column)[row])
    ]  # fmt: skip


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
