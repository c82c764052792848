"""Distributions: entries of a kernel, trust in every item, and which class is taken for which.

from pages.shared.figures.bars import confusion, entry_histogram, trust_bars
picture = entry_histogram(gram.values, name="structure")
picture = trust_bars(view.explained, ids=hidden_ids)
picture = confusion(result.counts, classes=names)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from pages.shared.figures.labels import annotation
from pages.shared.figures.picture import Margin, Picture, Spec, axis, draw
from pages.shared.figures.theme import CIVIDIS, GUIDE, Role, count, number, percent, plain, role_of

_MARGIN = Margin(left=52, right=8, top=12, bottom=44)
_LONGEST_NAME = 14
_CHARACTER_WIDTH = 6.4


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
        f"Histogram of {count(entries.size, 'entry')} of {name} off the diagonal, "
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
) -> Picture:
    """One bar an item, from the most to the least trusted, with the median; values are shares from 0 to 1.

    Items without a value (NaN) are left out and counted in `note`.
    """
    shares = np.asarray(trust, dtype=np.float64).ravel()
    if len(shares) != len(ids):
        raise InvalidInputError(f"One value for each of {count(len(ids), 'item')}", f"{len(shares)} values")
    known = np.flatnonzero(np.isfinite(shares))
    if known.size == 0:
        raise InvalidInputError("Trust is shown for at least one item", "no value")
    order = known[np.argsort(-shares[known], kind="stable")]
    n, median = len(order), float(np.median(shares[known]))
    trace: Spec = {
        "type": "bar",
        "x": np.arange(1, n + 1),
        "y": 100 * shares[order],
        "width": 1 if n > 80 else 0.9,
        "hovertext": [plain(ids[k]) for k in order],
        "marker": {"color": role_of(role).colour, "line": {"width": 0}},
        "hovertemplate": "%{hovertext}: %{y:.1f} %<extra></extra>",
    }
    low, high = min(0.0, 100 * float(shares[known].min())), max(100.0, 100 * float(shares[known].max()))
    layout: Spec = {
        "xaxis": axis(f"items, sorted ({n})", range=[0.5, n + 0.5], showgrid=False, nticks=8),
        "yaxis": axis(y_title, range=[low * 1.05, high * 1.02], nticks=5),
        "bargap": 0,
        "shapes": [{"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": 100 * median, "y1": 100 * median,
                    "line": GUIDE.line}],
        "annotations": [annotation(f"median {percent(median)}", x=1, y=100 * median, yref="y", xanchor="right",
                                   yanchor="bottom", yshift=2)],
    }  # fmt: skip
    missing = len(ids) - n
    sentence = (
        f"Share {name} for {count(n, 'item')}, sorted: from {percent(float(shares[order[0]]))} "
        f"down to {percent(float(shares[order[-1]]))}, median {percent(median)}."
    )
    note = f"{count(missing, 'item')} without a value" if missing else ""
    return Picture(draw([trace], height, _MARGIN, layout), alt or sentence, note)


def confusion(
    counts: ArrayLike, *, classes: Sequence[str], height: int | None = None, alt: str = ""
) -> Picture:
    """Counts of true (rows) against predicted (columns) classes, coloured by the share of the row.

    Counts may be means over repetitions: whole numbers are printed as such, others with one decimal.
    """
    table = np.asarray(counts, dtype=np.float64)
    size = len(classes)
    if table.shape != (size, size) or not size or not np.isfinite(table).all():
        raise InvalidInputError(
            f"A table of {count(size, 'class')} has as many rows and columns of counts",
            f"shape {table.shape}",
        )
    totals = table.sum(axis=1, keepdims=True)
    shares = np.divide(table, totals, out=np.zeros_like(table), where=totals > 0)
    decimals = 0 if np.all(table == np.rint(table)) else 1
    ticks = [_short(name) for name in classes]
    widest = max(map(len, ticks)) * _CHARACTER_WIDTH
    margin = Margin(left=int(widest) + 34, right=8, top=28 + int(widest if size > 10 else 14), bottom=8)
    height = height or min(max(32 * size, 120), 480) + margin.top + margin.bottom
    places = list(range(size))
    named: Spec = {
        "showgrid": False,
        "tickvals": places,
        "ticktext": ticks,
        "ticks": "",
        "constrain": "domain",
    }
    layout: Spec = {
        "xaxis": axis("predicted", side="top", scaleanchor="y", tickangle=-90 if size > 10 else 0)
        | named
        | {"constraintoward": "left"},
        "yaxis": axis("true", autorange="reversed") | named | {"constraintoward": "top"},
    }
    trace: Spec = {**_cells(table, shares, decimals), "customdata": _hover(classes, shares)}
    correct = float(np.trace(table) / table.sum()) if table.sum() > 0 else 0.0
    sentence = (
        f"Confusion table of {count(size, 'class')}: {percent(correct, 1)} of the items on the diagonal"
    )
    return Picture(draw([trace], height, margin, layout), alt or f"{sentence}{_worst(table, classes)}.")


def _cells(table: FloatArray, shares: FloatArray, decimals: int) -> Spec:
    return {
        "type": "heatmap",
        "z": shares,
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[k / (len(CIVIDIS) - 1), colour] for k, colour in enumerate(CIVIDIS)],
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
        "text": [["" if v == 0 else number(v, decimals) for v in row] for row in table.tolist()],
        "texttemplate": "%{text}",
        "textfont": {"size": 11},
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _hover(classes: Sequence[str], shares: FloatArray) -> list[list[str]]:
    return [
        [
            f"true {plain(a)}<br>predicted {plain(b)}<br>{percent(share)} of the class"
            for b, share in zip(classes, row, strict=True)
        ]
        for a, row in zip(classes, shares.tolist(), strict=True)
    ]


def _worst(table: FloatArray, classes: Sequence[str]) -> str:
    wrong = table - np.diag(np.diag(table))
    if not wrong.any():
        return ""
    i, j = divmod(int(wrong.argmax()), len(classes))
    return f", most often {classes[i]} taken for {classes[j]}"


def _short(name: str) -> str:
    return plain(name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…")
