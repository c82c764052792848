"""Table 6 as it is drawn: printed beside measured, family by family, and what the numbers fit."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernex_core.studies.papers.orthogonal import printed as published
from kernex_core.studies.papers.orthogonal.families import FAMILY_POWERS, FamilyTable
from kernex_core.studies.papers.orthogonal.origin import SCOP_FAMILIES
from kernex_core.studies.papers.orthogonal.strings import ALL_POINTS, TRAIN_ONLY
from pages.papers.orthogonal.rows import row_names
from pages.shared.figures.picture import Items, Picture
from pages.shared.figures.scatter import MapAxes, item_map
from pages.shared.figures.theme import INK
from pages.shared.frame import panel_title
from pages.shared.panels.heatmap import draw

SHORT = {ALL_POINTS: "all points", TRAIN_ONLY: "train only"}
SCORES = ("RFP", "ROC")


def printed() -> None:
    """Draw what the paper prints, where nothing is measured yet."""
    panel_title("Table 6, published", "mean over 54 families")
    cells = _cells()
    for name, (rfp, roc) in published.OTHERS_6.items():
        cells[""].append(name)
        cells["median RFP"].append(f"{rfp:.4f}")
        cells["ROC"].append(f"{roc:.4f}")
    st.table(cells, border="horizontal")


def is_paper_s(found: FamilyTable) -> bool:
    """Whether there are as many families as the paper has: no more can be known of a visitor's sequences."""
    return len(found.names) == SCOP_FAMILIES


def table(found: FamilyTable) -> None:
    """Draw means over families with their standard errors."""
    judged = is_paper_s(found)
    words = "mean ± standard error over families, without those whose test items are of one kind"
    if judged:
        words += "; outside: further from the printed mean than 2 SE of the difference, both means taken to be equally sure"
    panel_title("Table 6, published beside measured", words)
    cells = _cells("" if judged else ", 54 SCOP families")
    whole, begun = divmod(found.done, len(found.names))
    for (score, column), values in _columns(found).items():
        made = [mean(v, w if judged else None) for v, w in zip(values.T, _printed(score), strict=True)]
        if begun:  # a mean over some of the families is no row of the table
            made[whole] = f"{mean(values[:, whole], None)} :gray[{begun} of {len(found.names)} families]"
        cells[f"{score}, {SHORT[column]}"] = made
    st.table(cells, border="horizontal")


def verdict(found: FamilyTable) -> None:
    """Write how many rows fit with each basis, once all are measured."""
    if not is_paper_s(found) or found.done < found.total:
        return
    inside = {}
    for (score, column), values in _columns(found).items():
        rows = zip(values.T, _printed(score), strict=True)
        inside[score, column] = sum("outside" not in mean(v, each) for v, each in rows)
    said = [
        f"{score} **{inside[score, ALL_POINTS]} of {len(FAMILY_POWERS)}** with all points and "
        f"**{inside[score, TRAIN_ONLY]}** with training points"
        for score in SCORES
    ]
    same = all(inside[score, ALL_POINTS] == inside[score, TRAIN_ONLY] for score in SCORES)
    st.markdown(
        "The text says that training points are the basis of the map. Rows within 2 SE: "
        + "; ".join(said)
        + (". The numbers cannot tell which of the two it was." if same else ".")
    )


def scatters(found: FamilyTable, key: str) -> None:
    """Draw every family's ROC score with the map against the kernel as it is, as in the paper's Fig. 3."""
    measured = [
        p for p in found.powers[1:] if np.isfinite(found.roc[ALL_POINTS][:, found.powers.index(p)]).any()
    ]
    if not measured:
        return
    p = st.segmented_control(
        "Family by family at p", measured, default=0.2 if 0.2 in measured else measured[-1], required=True,
        key=f"{key}.scatter.p", persist_state="session", help="ROC score with the map against the kernel as it is.",
    )  # fmt: skip
    for place, (column, slot) in enumerate(zip(SHORT, st.columns(2, gap="medium"), strict=True)):
        with slot, st.container(gap="xxsmall"):
            now, was = found.roc[column][:, found.powers.index(p)], found.roc[column][:, 0]
            both = np.isfinite(now) & np.isfinite(was)
            better, worse = int((now > was)[both].sum()), int((now < was)[both].sum())
            panel_title(
                column, f"**{better}** families above the line, **{worse}** below, of {int(both.sum())}"
            )
            draw(scatter(found.names, was, now, f"p = {p:g}"), f"{key}.scatter.{place}")


def scatter(names: tuple[str, ...], was: np.ndarray, now: np.ndarray, title: str) -> Picture:
    """One point a family, and the line where nothing changes."""
    axes = MapAxes(("ROC, kernel as it is", f"ROC, {title}"))
    items = Items(names, ["family"] * len(names))
    picture = item_map(np.column_stack([was, now]), items, axes=axes, height=300)
    low = float(np.nanmin([0.9, np.nanmin(was, initial=1.0), np.nanmin(now, initial=1.0)])) - 0.03
    picture.figure.update_xaxes(range=[low, 1.02]).update_yaxes(range=[low, 1.02])
    picture.figure.add_shape(
        type="line", x0=low, y0=low, x1=1.02, y1=1.02, line={"color": INK, "width": 1}, layer="below"
    )
    return picture


def mean(values: np.ndarray, printed: float | None) -> str:
    """Mean over the families where it is defined; the paper prints no spread, so ours stands for both."""
    defined = values[~np.isnan(values)]
    if not defined.size:
        return "…"
    average = float(defined.mean())
    if defined.size < 2:
        return f"**{average:.4f}**"
    se = float(defined.std(ddof=1)) / defined.size**0.5
    far = printed is not None and abs(average - printed) > 2.0 * 2.0**0.5 * se
    return f"**{average:.4f}** :gray[± {se:.4f}]{' :orange[outside]' if far else ''}"


def _columns(found: FamilyTable) -> dict[tuple[str, str], np.ndarray]:
    scores = {"RFP": found.rfp, "ROC": found.roc}
    return {(score, column): scores[score][column] for column in SHORT for score in SCORES}


def _printed(score: str) -> list[float]:
    return [published.TABLE_6[p][SCORES.index(score)] for p in FAMILY_POWERS]


def _cells(of: str = "") -> dict[str, list[str]]:
    return {
        "": row_names(FAMILY_POWERS),
        f"median RFP{of}": [f"{each:.4f}" for each in _printed("RFP")],
        f"ROC{of}": [f"{each:.4f}" for each in _printed("ROC")],
    }
