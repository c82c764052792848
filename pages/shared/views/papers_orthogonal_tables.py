"""Tables 2 to 5 of "Almost orthogonal patterns": on generated data, or on what the visitor brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import streamlit as st

from kernex_core.errors import KernexError
from kernex_core.gram.recipe import call, write_script
from kernex_core.inputs.samples import Note
from kernex_core.studies import published
from kernex_core.studies.orthogonal_colon import COLON_POWERS, ColonConfig, measuring_table_2
from kernex_core.studies.orthogonal_hidden import HiddenConfig, measuring_table_3
from kernex_core.studies.orthogonal_lymphoma import LymphomaConfig, measuring_table_5
from kernex_core.studies.orthogonal_origin import Origin
from kernex_core.studies.orthogonal_patterns import POWERS, TRAIN_ONLY
from kernex_core.studies.orthogonal_tables import Powers, PowerTable, last
from kernex_core.studies.orthogonal_thrombin import THROMBIN_POWERS, ThrombinConfig, measuring_table_4
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.downloads import csv_button, script_button
from pages.shared.frame import PageFrame
from pages.shared.messages import findings, show_error
from pages.shared.views import papers_orthogonal_data as data
from pages.shared.views import papers_orthogonal_rows as layout
from pages.shared.views import papers_orthogonal_sparse as sparse
from pages.shared.views.papers_orthogonal_about import about
from pages.shared.views.papers_orthogonal_run import States, known, measured_below, refusal, run
from pages.shared.views.papers_orthogonal_verdict import verdict

STARTS: Final[dict[int, States]] = {
    2: measuring_table_2,
    3: measuring_table_3,
    4: measuring_table_4,
    5: measuring_table_5,
}
TABLE_2 = layout.PaperTable(
    2, published.ORTHOGONAL_TABLE_2, "folds", "draw of noise", "draws of noise", data="colon"
)
TABLE_3 = layout.PaperTable(3, published.ORTHOGONAL_TABLE_3, "folds", "data set", "data sets")
TABLE_4 = layout.PaperTable(
    4, published.ORTHOGONAL_TABLE_4, "folds", "repetition", "repetitions", data="thrombin"
)
TABLE_5 = layout.PaperTable(
    5, published.ORTHOGONAL_TABLE_5, "folds", "repetition", "repetitions", 10, data="lymphoma"
)


class Asked(NamedTuple):
    """What is to be measured: a table of the paper on data, which may be the paper's."""

    paper: layout.PaperTable
    args: tuple[Any, ...]
    powers: Powers
    repeats: int
    origin: Origin


@cached(shared=True)
def generated(config: HiddenConfig) -> PowerTable:
    """Return the whole Table 3: the same for every visitor."""
    return last(measuring_table_3(config))


@cached
def table_3(config: HiddenConfig) -> PowerTable:
    """Return the same; the page keeps partial tables under this key, as it does under those of the others."""
    return generated(config)


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


@cached
def refused(table: int, *args: Any) -> tuple[str, str, str] | None:
    """Return what is wrong with data or settings, before a button offers to measure them."""
    return refusal(STARTS[table], args)


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
    origin = data.expression(2, *subject)
    asked = Asked(TABLE_2, (config, *subject), COLON_POWERS, config.draws, origin)
    _measured(asked, table_2, automatic=True, further=lambda found: _clean(found, origin.same))


def _clean(found: PowerTable, same: bool) -> None:
    """Write what there is without noise features."""
    clean = found.aside.mean(axis=1)
    se = float(clean.std(ddof=1)) / clean.size**0.5 if clean.size > 1 else float("nan")
    measured = layout.cell(float(clean.mean()), se, float(found.aside.std(ddof=1)), bold=True)
    was = (
        f"published {100.0 * published.ORTHOGONAL_CLEAN.mean:.0f} ({100.0 * published.ORTHOGONAL_CLEAN.plus_minus:.0f}). "
        "The paper has one draw of noise: how much draws differ is part of its standard error"
    )
    st.caption(
        f"Without noise features: {measured}{f', {was}' if same else ''}. All genes are standardised over all items, as "
        "in the paper."
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
    asked = Asked(TABLE_3, (config,), POWERS, config.data_sets, Origin(True))
    _measured(asked, table_3, automatic=config.data_sets <= 50, finished=generated, further=_data_sets)


def _data_sets(found: PowerTable) -> None:
    """Write how much data sets differ."""
    if found.repetitions > 1:
        sd = found.sd_repetitions(TRAIN_ONLY)
        st.caption(
            f"A data set's mean has a standard deviation of {100 * float(sd.min()):.0f} to {100 * float(sd.max()):.0f} "
            "points; the paper has one data set, so that is its standard error."
        )


def show_4(page: PageFrame) -> None:
    """Draw Table 4."""
    subject = sparse.kernel_with_classes(4)
    config = controls(
        ThrombinConfig(), TABLE_4.key, only=("repeats", "seed", "C"),
        slots=st.columns([2, 1, 2], vertical_alignment="bottom"),
    )  # fmt: skip
    if subject is None:
        layout.printed_only(TABLE_4, THROMBIN_POWERS)
        return
    K, labels, positive, n_features = subject
    origin = sparse.thrombin(labels, positive, n_features)
    asked = Asked(TABLE_4, (config, K, labels, positive), THROMBIN_POWERS, config.repeats, origin)
    _measured(asked, table_4, automatic=K.n <= 320)


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
    origin = data.expression(5, *subject)
    asked = Asked(TABLE_5, (config, *subject), POWERS, config.repeats, origin)
    _measured(asked, table_5, automatic=quick)


def _measured(
    asked: Asked,
    cache: Any,
    *,
    automatic: bool,
    finished: Any = None,
    further: Callable[[PowerTable], None] = lambda found: None,
) -> None:
    """Run or look up one table, and draw it; what cannot be measured has no button."""
    paper, args, origin = asked.paper, asked.args, asked.origin
    wrong = refused(paper.number, *args)
    if wrong is not None:
        show_error(KernexError(*wrong))
        layout.printed_only(paper, asked.powers)
        return
    if not origin.same:
        findings(
            [Note(origin.text, "What is printed stands beside it for its shape only.", severity="warning")]
        )
    several = paper.several if asked.repeats > 1 else paper.each
    measured_below(
        lambda: run(
            cache, STARTS[paper.number], args, key=paper.key, finished=finished, automatic=automatic, label="Measure",
            what=f"rows ({asked.repeats} {several}, {len(asked.powers)} rows each)",
        ),
        known(cache, finished, args),
        lambda: layout.printed_only(paper, asked.powers),
        lambda found: _draw(asked, found, further),
    )  # fmt: skip


def _draw(asked: Asked, found: PowerTable, further: Callable[[PowerTable], None]) -> None:
    paper, same = asked.paper, asked.origin.same
    about(found, paper.several)
    findings((asked.origin.text, *found.notes) if same and asked.origin.text else found.notes)
    layout.charts(paper, found, same=same)
    if same:
        verdict(paper, found)
    layout.table(paper, found, same=same)
    name = f"orthogonal-patterns-table-{paper.number}"
    with st.container(horizontal=True):
        csv_button(
            "Download table", lambda: layout.rows(paper, found, same=same), name, key=f"{paper.key}.csv"
        )
        script_button(
            lambda: script(paper.number, STARTS[paper.number], asked.args), name, key=f"{paper.key}.script"
        )
    further(found)


def script(number: int, start: States, args: tuple[Any, ...]) -> str:
    """Script that measures the same table from the same data."""
    name = start.__name__
    states = call("states", name, *args, imports=(f"from {start.__module__} import {name}",))
    return write_script(
        [states], heading=f"Kernex: Table {number} of almost orthogonal patterns (2002), measured\n{HEADING}",
        prints=["*((column, t.mean(column).round(3)) for t in list($0)[-1:] for column in t.losses), sep='\\n'"],
    )  # fmt: skip


HEADING = "Run it beside the folder kernex_core, with the uploaded files in the same place."
