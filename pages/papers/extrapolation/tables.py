"""Tables 1 and 2 of "Kernel extrapolation", published beside measured."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import NOT_INDEPENDENT
from kernex_core.studies.papers.catalogue import tables_of
from kernex_core.studies.papers.extrapolation.paper import (
    LAMS,
    MEASURE,
    SHARES,
    TableRow,
    gap,
    rows_of_table_1,
)
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, Measured, column_of
from kernex_core.studies.papers.paper_table import Printed
from pages.shared.differences import points
from pages.shared.digits import p_value
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.messages import plain
from pages.shared.panels.verdicts import verdict_rule, verdict_words
from pages.shared.shown import drawn

TABLE_1, TABLE_2 = tables_of("extrapolation")


def table_2(found: ExtrapolationTables, field: str) -> None:
    """Joint kernel by missing fraction and λ."""
    panel_title(
        "Table 2, published beside measured",
        f"{TABLE_2.measure}, %; {TABLE_2.note}",
        ("One-vs-rest", "Multi-class"),
    )
    columns: dict[str, list[str]] = {"missing": [], "row": [], **{name: [] for name in TABLE_2.printed}}
    for place, share in enumerate(SHARES):
        kinds = ("published", "**measured**", "difference") if field == MEASURE else ("**measured**",)
        for kind in kinds:
            columns["missing"].append(f"**{percent(share)}**" if kind == kinds[0] else "")
            columns["row"].append(kind)
            for lam in LAMS:
                printed = TABLE_2.printed[column_of(lam)][place]
                columns[column_of(lam)].append(_cell(kind, printed, found.joint(share, lam, field)))
    drawn.table("extrapolation.table_2", columns)


def every_share(verdicts: Mapping[float, Verdict]) -> None:
    """Say who is best at each share, beside what the paper does not print."""
    said = "\n".join(f"- {percent(share)} missing: {verdict_words(one)}" for share, one in verdicts.items())
    st.markdown(said)
    rule = verdict_rule(next(iter(verdicts.values())))
    st.caption(f"Beside extrapolation alone, which the paper does not print, and the source. {rule}")


def _cell(kind: str, printed: Printed, measured: Measured | None) -> str:
    if kind == "published":
        return _printed(printed)
    if measured is None:
        return "…"
    if kind == "difference":
        return points(gap(printed, measured))
    spread = "" if math.isnan(measured.sd_repeats) else f" :gray[± {100.0 * measured.sd_repeats:.1f}]"
    return f"**{100.0 * measured.mean:.1f}**{spread} {_interval(measured)}"


def _interval(measured: Measured) -> str:
    low, high = number(100.0 * measured.interval.low, 1), number(100.0 * measured.interval.high, 1)
    return f":gray[[{low},\u00a0{high}]]"


def _printed(printed: Printed) -> str:
    return f"{100.0 * printed.mean:.1f} ± {100.0 * printed.plus_minus:.1f}"


def table_1(found: ExtrapolationTables, field: str, kernels: Mapping[str, str]) -> None:
    """Each kernel alone and the joint kernel at the smallest λ, with spreads and Yates' p."""
    panel_title("Table 1", f"{TABLE_1.measure}, %; {TABLE_1.note}", ("Joint kernel", "Source", "Floor"))
    rows = rows_of_table_1(TABLE_1, found, LAMS[0], field)
    made = [row.measured for row in rows]
    show_printed = field == MEASURE
    words = field.replace("_", "-")
    cells: dict[str, list[str]] = {"kernel": [_name(row, kernels) for row in rows]}
    if show_printed:
        cells["published"] = [_printed(row.printed) for row in rows]
    cells["measured"] = ["…" if m is None else f"**{100 * m.mean:.1f}**\u00a0{_interval(m)}" for m in made]
    # classes have a one-vs-rest accuracy each, and no other
    for spread in _SPREADS if show_printed else ("repetitions", "folds"):
        values = [None if m is None else 100 * getattr(m, f"sd_{_SPREADS[spread]}") for m in made]
        cells[f"sd over {spread}"] = ["…" if sd is None else number(sd, 1) for sd in values]
    if show_printed:
        cells[f"Yates p of {words}, published"] = [_p(row.yates_printed) for row in rows]
    cells[f"Yates p of {words}, measured"] = [_p(row.yates) for row in rows]
    drawn.table("extrapolation.table_1", cells)
    # of two classes both measures are one, and so are their floors
    both = found.floor["one_vs_rest"] == found.floor["multi_class"]
    floor = "always saying no" if show_printed and not both else "the largest class"
    st.caption(
        f"{NOT_INDEPENDENT} It tests {words} accuracy of the joint kernel against the source alone. Floor of {floor}: "
        f"{percent(found.floor[field], 1)}."
    )


_SPREADS = {"repetitions": "repeats", "folds": "folds", "classes": "classes"}


def _p(value: float | None) -> str:
    return "" if value is None else "…" if math.isnan(value) else p_value(value)


def _name(row: TableRow, kernels: Mapping[str, str]) -> str:
    if isinstance(row.name, float):
        return f"joint, {percent(row.name)} missing"
    return f"{plain(kernels[row.name])} alone :gray[({row.name})]"
