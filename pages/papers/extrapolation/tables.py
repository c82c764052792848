"""Tables 1 and 2 of "Kernel extrapolation", published beside measured."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from kernex_core.learning.compare import NOT_INDEPENDENT
from kernex_core.studies.papers.catalogue import tables_of
from kernex_core.studies.papers.extrapolation.comparison import (
    TableRow,
    column_of,
    difference,
    rows_of_table_1,
)
from kernex_core.studies.papers.extrapolation.paper import LAMS, SHARES
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, Measured
from kernex_core.studies.papers.printed import Printed
from pages.shared.differences import marked
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.messages import plain

TABLE_1, TABLE_2 = tables_of("extrapolation")


def table_2(found: ExtrapolationTables, field: str) -> None:
    """Joint kernel by missing fraction and λ."""
    panel_title("Table 2, published beside measured", f"{TABLE_2.measure}, %; {TABLE_2.note}")
    columns: dict[str, list[str]] = {"missing": [], " ": [], **{name: [] for name in TABLE_2.printed}}
    for place, share in enumerate(SHARES):
        kinds = ("published", "**measured**", "difference") if field == "one_vs_rest" else ("**measured**",)
        for kind in kinds:
            columns["missing"].append(f"**{percent(share)}**" if kind == kinds[0] else "")
            columns[" "].append(kind)
            for lam in LAMS:
                printed = TABLE_2.printed[column_of(lam)][place]
                columns[column_of(lam)].append(_cell(kind, printed, found.joint(share, lam, field)))
    st.table(columns, border="horizontal")


def _cell(kind: str, printed: Printed, measured: Measured | None) -> str:
    if kind == "published":
        return _printed(printed)
    if measured is None:
        return "…"
    if kind == "difference":
        return marked(difference(TABLE_2, printed, measured))
    spread = "" if math.isnan(measured.sd_repeats) else f" :gray[± {100.0 * measured.sd_repeats:.1f}]"
    return f"**{100.0 * measured.mean:.1f}**{spread}"


def _printed(printed: Printed) -> str:
    return f"{100.0 * printed.mean:.1f} ± {100.0 * printed.plus_minus:.1f}"


def table_1(found: ExtrapolationTables, field: str, kernels: Mapping[str, str]) -> None:
    """Each kernel alone and the joint kernel at the smallest λ, with spreads and Yates' p."""
    panel_title("Table 1", f"{TABLE_1.measure}, %; {TABLE_1.note}")
    rows = rows_of_table_1(TABLE_1, found, LAMS[0], field)
    made = [row.measured for row in rows]
    show_printed = field == "one_vs_rest"
    st.table(
        {
            "kernel": [_name(row, kernels) for row in rows],
            "published": [_printed(row.printed) if show_printed else "—" for row in rows],
            "measured": ["…" if m is None else f"**{100 * m.mean:.1f}**" for m in made],
            "sd over repetitions": ["…" if m is None else number(100 * m.sd_repeats, 1) for m in made],
            "sd over folds": ["…" if m is None else number(100 * m.sd_folds, 1) for m in made],
            "sd over classes": ["…" if m is None else number(100 * m.sd_classes, 1) for m in made],
            "Yates p, published": ["" if r.yates_printed is None else f"{r.yates_printed:.4f}" for r in rows],
            "Yates p, measured": ["" if r.yates is None else f"{r.yates:.4f}" for r in rows],
        },
        border="horizontal",
    )
    st.caption(f"{NOT_INDEPENDENT} Floor of always saying no: {percent(found.floor[field], 1)}.")


def _name(row: TableRow, kernels: Mapping[str, str]) -> str:
    if isinstance(row.name, float):
        return f"joint, {percent(row.name)} missing"
    return f"{plain(kernels[row.name])} alone :gray[({row.name})]"
