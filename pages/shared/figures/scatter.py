"""Map of the items (kernel PCA, LLE, a graph layout): classes by colour and marker, ids on hover.

    from pages.shared.figures.scatter import item_map
    picture = item_map(view.coordinates, ids=ids, classes=classes, variance=view.variance_shares, hollow=hidden)
    event = st.plotly_chart(picture.figure, on_select="rerun", selection_mode=("points", "lasso"), ...)
    chosen = sorted(point["customdata"] for point in event.selection.points)      # positions of items

One trace a class, and the position of the item in `customdata`: selections come back as items, not as points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import BoolArray, FloatArray, IntArray
from pages.shared.figures.picture import Margin, Picture, axis, draw, padded
from pages.shared.figures.theme import (
    UNLABELLED,
    ClassStyle,
    class_codes,
    class_styles,
    count,
    percent,
    plain,
)

_MARGIN = Margin(left=54, right=8, top=8, bottom=44)
_MOST_SVG_POINTS = 3_000
_UNLABELLED = ClassStyle("unlabelled", 0, UNLABELLED, "circle")


def item_map(
    coordinates: Any,
    *,
    ids: Sequence[str],
    classes: Sequence[str | None] | None = None,
    variance: Sequence[float] | None = None,
    hollow: Any = None,
    hollow_name: str = "hidden",
    axis_names: tuple[str, str] = ("component 1", "component 2"),
    equal_aspect: bool = True,
    selectable: bool = False,
    height: int = 320,
    alt: str = "",
) -> Picture:
    """Scatter plot of items.

    Parameters
    ----------
    coordinates : array, shape (n, 2)
        Items with a coordinate that is not finite are left out; `note` counts them.
    classes : None or "" = unlabelled, drawn grey and below the others.
    variance : shares between 0 and 1 of the two axes, printed in their titles.
    hollow : boolean mask; these items (hidden or new, as `hollow_name` says) are drawn as outlines.

    Raises
    ------
    InvalidInputError
        If the coordinates do not have a row an item and two columns.
    """
    points = np.asarray(coordinates, dtype=np.float64)
    if points.shape != (len(ids), 2) or not len(ids):
        raise InvalidInputError(f"A map has two coordinates for {count(len(ids), 'item')}", f"{points.shape}")
    outlined = np.zeros(len(ids), dtype=bool) if hollow is None else np.asarray(hollow, dtype=bool)
    placed = np.asarray(np.isfinite(points).all(axis=1))
    names = [plain(name) for name in ids]
    data = [_trace(style, at, points, names, outlined, hollow_name) for style, at in _groups(classes, placed)]
    titles = _titles(axis_names, variance)
    square: dict[str, Any] = (
        {"scaleanchor": "y", "constrain": "domain", "constraintoward": "left"} if equal_aspect else {}
    )
    layout = {
        "xaxis": axis(titles[0], range=padded(points[:, 0]), nticks=6, fixedrange=False, **square),
        "yaxis": axis(titles[1], range=padded(points[:, 1]), nticks=6, fixedrange=False)
        | ({"constrain": "domain"} if equal_aspect else {}),
        "dragmode": "lasso" if selectable else "pan",
    }
    missing = int(np.count_nonzero(~placed))
    note = f"{count(missing, 'item')} without a place" if missing else ""
    sentence = alt or _sentence(titles, classes, outlined & placed, hollow_name, int(placed.sum()))
    return Picture(draw(data, height, _MARGIN, layout), sentence, note)


def _groups(classes: Sequence[str | None] | None, placed: BoolArray) -> Iterator[tuple[ClassStyle, IntArray]]:
    """Unlabelled items first (below), then the classes from large to small, so that small ones stay visible."""
    labels = [None] * len(placed) if classes is None else classes
    codes = class_codes(labels)
    for code, style in enumerate((_UNLABELLED, *class_styles(labels)), start=-1):
        at = np.flatnonzero((codes == code) & placed)
        if at.size:
            yield style, at


def _trace(
    style: ClassStyle,
    at: IntArray,
    points: FloatArray,
    names: Sequence[str],
    outlined: BoolArray,
    hollow_name: str,
) -> dict[str, Any]:
    open_here = outlined[at]
    symbols: Any = style.marker
    texts = [names[k] for k in at]
    if open_here.any():
        symbols = [style.marker + ("-open" if is_open else "") for is_open in open_here]
        texts = [f"{text} ({hollow_name})" if o else text for text, o in zip(texts, open_here, strict=True)]
    return {
        "type": "scatter" if len(names) <= _MOST_SVG_POINTS else "scattergl",
        "mode": "markers",
        "x": points[at, 0],
        "y": points[at, 1],
        "customdata": at.tolist(),
        "text": texts,
        "name": plain(style.name),
        "marker": {"color": style.colour, "symbol": symbols, "size": 7, "opacity": 0.9},
        "hovertemplate": "%{text}<extra>%{fullData.name}</extra>",
        "unselected": {"marker": {"opacity": 0.2}},
    }


def _titles(names: tuple[str, str], variance: Sequence[float] | None) -> list[str]:
    if variance is None:
        return list(names)
    return [f"{name} ({percent(float(share))})" for name, share in zip(names, variance, strict=False)]


def _sentence(
    titles: Sequence[str],
    classes: Sequence[str | None] | None,
    outlined: BoolArray,
    hollow_name: str,
    n: int,
) -> str:
    parts = [f"Map of {count(n, 'item')}, {titles[0]} against {titles[1]}"]
    if classes is not None:
        parts.append(f"{count(len(class_styles(classes)), 'class')} by colour and marker")
    if outlined.any():
        parts.append(f"{int(outlined.sum())} {hollow_name}, drawn as outlines")
    return ", ".join(parts) + "."
