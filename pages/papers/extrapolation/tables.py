"""Tables 1 and 2 of "Kernel extrapolation", published beside measured."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import streamlit as st

from kernex_core.learning.compare import NOT_INDEPENDENT
from kernex_core.studies.papers.extrapolation import printed as published
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, Measured
from kernex_core.studies.papers.printed import Printed
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.messages import plain

SHARES, LAMS = published.SHARES, published.LAMS


def table_2(found: ExtrapolationTables, field: str) -> None:
    """Joint kernel by missing fraction and λ."""
    panel_title(
        "Table 2, published beside measured",
        "accuracy, %; measured: mean ± sd over repetitions; outside = the difference is above 2 standard errors of both",
    )
    columns: dict[str, list[str]] = {"missing": [], " ": [], **{f"λ = {lam:.2f}": [] for lam in LAMS}}
    for share in SHARES:
        kinds = ("published", "**measured**", "difference") if field == "one_vs_rest" else ("**measured**",)
        for kind in kinds:
            columns["missing"].append(f"**{percent(share)}**" if kind == kinds[0] else "")
            columns[" "].append(kind)
            for place, lam in enumerate(LAMS):
                printed = published.TABLE_2[share][place]
                columns[f"λ = {lam:.2f}"].append(_cell(kind, printed, found.joint(share, lam, field)))
    st.table(columns, border="horizontal")


def _cell(kind: str, printed: Printed, measured: Measured | None) -> str:
    if kind == "published":
        return f"{printed.mean:.1f} ± {printed.plus_minus:.1f}"
    if measured is None:
        return "…"
    if kind == "difference":
        # both are means over five repetitions: the printed ± of the joint kernel is said to be their spread
        se = math.hypot(100.0 * measured.se, printed.plus_minus / math.sqrt(5.0))
        return _difference(100.0 * measured.mean - printed.mean, se)
    spread = "" if np.isnan(measured.sd_repeats) else f" :gray[± {100.0 * measured.sd_repeats:.1f}]"
    return f"**{100.0 * measured.mean:.1f}**{spread}"


def _difference(gap: float, se: float) -> str:
    text = f"{gap:+.1f}".replace("-", "−")
    return text if math.isnan(se) or abs(gap) <= 2.0 * se else f"{text} :orange[outside]"


def table_1(found: ExtrapolationTables, field: str, kernels: Mapping[str, str]) -> None:
    """Each kernel alone and the joint kernel at the smallest λ, with spreads and Yates' p."""
    panel_title(
        "Table 1",
        "accuracy, %; joint kernel at λ = 0.1 against the source kernel alone; three spreads, each named",
    )
    alone = [f"{plain(kernels[role])} alone :gray[({role})]" for role in ("target", "source")]
    names = [*alone, *(f"joint, {percent(share)} missing" for share in SHARES)]
    made = [
        found.alone("target", field),
        found.alone("source", field),
        *(found.joint(s, LAMS[0], field) for s in SHARES),
    ]
    printed = [published.STRUCTURE_ALONE, published.SEQUENCE_ALONE]
    printed += [published.TABLE_2[share][0] for share in SHARES]
    show_printed = field == "one_vs_rest"
    yates = [None, None, *SHARES]
    st.table(
        {
            "kernel": names,
            "published": [f"{p.mean:.1f} ± {p.plus_minus:.1f}" if show_printed else "—" for p in printed],
            "measured": ["…" if m is None else f"**{100 * m.mean:.1f}**" for m in made],
            "sd over repetitions": ["…" if m is None else number(100 * m.sd_repeats, 1) for m in made],
            "sd over folds": ["…" if m is None else number(100 * m.sd_folds, 1) for m in made],
            "sd over classes": ["…" if m is None else number(100 * m.sd_classes, 1) for m in made],
            "Yates p, published": ["" if s is None else f"{published.YATES[s]:.4f}" for s in yates],
            "Yates p, measured": ["" if s is None else f"{found.yates(s, LAMS[0]):.4f}" for s in yates],
        },
        border="horizontal",
    )
    st.caption(f"{NOT_INDEPENDENT} Floor of always saying no: {percent(found.floor[field], 1)}.")
