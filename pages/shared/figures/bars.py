"""Distributions: entries of a kernel, and trust in every item.

from pages.shared.figures.bars import entry_histogram, trust_bars
picture = entry_histogram(gram.values, name="structure")
picture = trust_bars(view.explained, ids=hidden_ids)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.names import counted
from pages.shared.figures.labels import annotation
from pages.shared.figures.picture import Picture, PlotMargin, Spec, axis, draw
from pages.shared.figures.theme import GUIDE, MARK, Role, escaped, number, percent, role_of

_MARGIN = PlotMargin(left=52, right=8, top=12, bottom=44)


def entry_histogram(
    values: ArrayLike,
    *,
    name: str = "the kernel",
    role: str | Role = "source",
    bins: int = 40,
    x_title: str = "similarity off the diagonal",
    height: int = 200,
    alt: str = "",
) -> Picture:
    """Histogram of the known entries above the diagonal of a symmetric matrix, or of a plain vector."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 2 and array.shape[0] == array.shape[1] and len(array) > 1:
        array = array[np.triu_indices(len(array), 1)]
    entries = array[np.isfinite(array)].ravel()
    if entries.size == 0:
        raise InvalidInputError("A histogram shows at least one known entry", "none")
    low, high = float(entries.min()), float(entries.max())
    counts, edges = np.histogram(
        entries, bins=bins, range=(low, high) if high > low else (low - 0.5, low + 0.5)
    )
    trace: Spec = {
        "type": "bar",
        "x": 0.5 * (edges[:-1] + edges[1:]),
        "y": counts,
        "width": float(edges[1] - edges[0]) * 0.96,
        "customdata": np.stack([edges[:-1], edges[1:]], axis=1),
        "marker": {"color": role_of(role).colour, "line": {"width": 0}},
        "hovertemplate": "%{y:,d} pairs from %{customdata[0]:.3~g} to %{customdata[1]:.3~g}<extra></extra>",
    }
    layout: Spec = {
        "xaxis": axis(x_title, showgrid=False),
        "yaxis": axis("pairs", nticks=5, rangemode="tozero"),
    }
    middle = number(float(np.median(entries)))
    sentence = (
        f"Histogram of {counted(entries.size, 'entry')} of {name} off the diagonal, "
        f"from {number(low)} to {number(high)}, median {middle}."
    )
    return Picture(draw([trace], height, _MARGIN, layout), alt or sentence)


def trust_bars(
    trust: ArrayLike,
    *,
    ids: Sequence[str],
    name: str = "explained by the known items",
    y_title: str = "explained, %",
    role: str | Role = "extrapolated",
    height: int = 180,
    alt: str = "",
    marked: Collection[str] = (),
) -> Picture:
    """One bar an item, from the most to the least trusted, with the median; values are shares from 0 to 1.

    Items without a value (NaN) are left out and counted in `note`; those of `marked` have the colour of chosen items.
    """
    shares = np.asarray(trust, dtype=np.float64).ravel()
    if len(shares) != len(ids):
        raise InvalidInputError(f"One value for each of {counted(len(ids), 'item')}", f"{len(shares)} values")
    known = np.flatnonzero(np.isfinite(shares))
    if known.size == 0:
        raise InvalidInputError("Trust is shown for at least one item", "no value")
    order = known[np.argsort(-shares[known], kind="stable")]
    colours = [MARK if ids[k] in marked else role_of(role).colour for k in order]
    n, median = len(order), float(np.median(shares[known]))
    trace: Spec = {
        "type": "bar",
        "x": np.arange(1, n + 1),
        "y": 100 * shares[order],
        "width": 1 if n > 80 else 0.9,
        "hovertext": [escaped(ids[k]) for k in order],
        "marker": {"color": colours if marked else role_of(role).colour, "line": {"width": 0}},
        "hovertemplate": "%{hovertext}: %{y:.1f} %<extra></extra>",
    }
    low, high = min(0.0, 100 * float(shares[known].min())), max(100.0, 100 * float(shares[known].max()))
    layout: Spec = {
        "xaxis": axis(f"items, sorted ({n:,})", range=[0.5, n + 0.5], showgrid=False, nticks=8),
        "yaxis": axis(y_title, range=[low * 1.05, high * 1.02], nticks=5),
        "bargap": 0,
        "shapes": [{"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": 100 * median, "y1": 100 * median,
                    "line": GUIDE.line}],
        "annotations": [annotation(f"median {percent(median)}", x=1, y=100 * median, yref="y", xanchor="right",
                                   yanchor="bottom", yshift=2)],
    }  # fmt: skip
    missing = len(ids) - n
    sentence = (
        f"Share {name} for {counted(n, 'item')}, sorted: from {percent(float(shares[order[0]]))} "
        f"down to {percent(float(shares[order[-1]]))}, median {percent(median)}."
    )
    note = f"{counted(missing, 'item')} without a value" if missing else ""
    return Picture(draw([trace], height, _MARGIN, layout), alt or sentence, note)
