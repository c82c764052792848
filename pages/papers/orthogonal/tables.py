"""Tables 2 to 5 of "Almost orthogonal patterns": on generated data, or on what the visitor brings."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kernex_core.studies.papers.orthogonal import comparison
from kernex_core.studies.papers.orthogonal import printed as published
from kernex_core.studies.papers.orthogonal.colon import COLON_POWERS, ColonConfig, measuring_table_2
from kernex_core.studies.papers.orthogonal.hidden import HiddenConfig, measuring_table_3
from kernex_core.studies.papers.orthogonal.lymphoma import LymphomaConfig, measuring_table_5
from kernex_core.studies.papers.orthogonal.origin import Origin
from kernex_core.studies.papers.orthogonal.power_table import PowerTable, last
from kernex_core.studies.papers.orthogonal.strings import POWERS, TRAIN_ONLY
from kernex_core.studies.papers.orthogonal.thrombin import THROMBIN_POWERS, ThrombinConfig, measuring_table_4
from pages.papers.orthogonal import rows as layout
from pages.papers.orthogonal import sparse
from pages.papers.orthogonal import vectors as data
from pages.papers.orthogonal.measured import Asked, draw_measured
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.frame import PageFrame

TABLE_2 = comparison.PaperTable(
    2, published.TABLE_2, "folds", "draw of noise", "draws of noise", data="colon"
)
TABLE_3 = comparison.PaperTable(3, published.TABLE_3, "folds", "data set", "data sets")
TABLE_4 = comparison.PaperTable(4, published.TABLE_4, "folds", "repetition", "repetitions", data="thrombin")
TABLE_5 = comparison.PaperTable(
    5, published.TABLE_5, "folds", "repetition", "repetitions", 10, data="lymphoma"
)


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
    asked = Asked(TABLE_2, (config, *subject), COLON_POWERS, config.draws, origin, data.name())
    draw_measured(asked, table_2, automatic=True, further=lambda found: _clean(found, origin.same))


def _clean(found: PowerTable, same: bool) -> None:
    """Write what there is without noise features."""
    clean = found.aside.mean(axis=1)
    se = float(clean.std(ddof=1)) / clean.size**0.5 if clean.size > 1 else float("nan")
    measured = layout.cell(float(clean.mean()), se, float(found.aside.std(ddof=1)), bold=True)
    was = (
        f"published {100.0 * published.CLEAN.mean:.0f} ({100.0 * published.CLEAN.plus_minus:.0f}). "
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
    draw_measured(asked, table_3, automatic=config.data_sets <= 50, finished=generated, further=_data_sets)


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
    args = (config, subject.K, subject.labels, subject.positive)
    asked = Asked(TABLE_4, args, THROMBIN_POWERS, config.repeats, subject.origin(), subject.name)
    draw_measured(asked, table_4, automatic=subject.K.n <= 320)


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
    asked = Asked(TABLE_5, (config, *subject), POWERS, config.repeats, origin, data.name())
    draw_measured(asked, table_5, automatic=quick)
