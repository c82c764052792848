"""The key of classes that stands once below a row of pictures: mark, name, number of items, and the hatch.

from pages.shared.figures.key import class_key
picture = class_key(classes, unknown=True)                    # squares, below heatmaps
picture = class_key(classes, markers=True, columns=5)         # the markers of the map
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from kernex_core.inputs.names import counted
from pages.shared.figures.picture import BARE_AXIS, Margin, Picture, Spec, draw
from pages.shared.figures.strips import hatch_swatch
from pages.shared.figures.theme import INK, TITLE_SIZE, UNLABELLED, ClassStyle, class_styles, escaped

_ROW = 22
_FADED = "rgba(117,122,130,0.75)"
_LONGEST_NAME = 16


def class_key(
    classes: Sequence[str | None],
    *,
    unknown: bool = False,
    markers: bool = False,
    columns: int = 10,
    alt: str = "",
) -> Picture:
    """A row (or several) of class marks in the order of size; `unknown` adds the hatch, with its meaning."""
    styles = class_styles(classes)
    unlabelled = len(classes) - sum(style.count for style in styles)
    marks = [
        (style.colour, style.marker if markers else "square", style.name, style.count) for style in styles
    ]
    if unlabelled:
        marks.append((UNLABELLED, "circle", "unlabelled", unlabelled))
    total = len(marks) + unknown
    rows = max(math.ceil(total / columns), 1)
    places = [(k % columns, k // columns) for k in range(total)]
    layout: Spec = {
        "xaxis": {**BARE_AXIS, "range": [-0.08, columns - 0.08], "fixedrange": True},
        "yaxis": {**BARE_AXIS, "range": [rows - 0.5, -0.5], "fixedrange": True},
        "images": [_swatch(*places[-1])] if unknown else [],
    }
    texts = [f'{_short(name)} <span style="color:{_FADED}">{size}</span>' for _, _, name, size in marks]
    texts += ["unknown"] * unknown
    trace: Spec = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [x for x, _ in places],
        "y": [y for _, y in places],
        "text": [f"  {text}" for text in texts],
        "textposition": "middle right",
        "textfont": {"size": TITLE_SIZE, "color": INK},
        "marker": {
            "color": [colour for colour, *_ in marks] + ["rgba(0,0,0,0)"] * unknown,
            "symbol": [symbol for _, symbol, *_ in marks] + ["square"] * unknown,
            "size": 9,
        },
        "hovertext": [escaped(name) for _, _, name, _ in marks] + ["unknown entries"] * unknown,
        "hovertemplate": "%{hovertext}<extra></extra>",
        "cliponaxis": False,
    }
    figure = draw([trace], _ROW * rows + 4, Margin(4, 4, 2, 2), layout)
    return Picture(figure, alt or _sentence(styles, unlabelled, unknown))


def _swatch(x: int, y: int) -> Spec:
    # as wide as the square marks: a share of a column of about 110 px
    return {
        "source": hatch_swatch(), "xref": "x", "yref": "y", "x": x, "y": y, "sizex": 0.11, "sizey": 0.55,
        "xanchor": "center", "yanchor": "middle", "layer": "above",
    }  # fmt: skip


def _short(name: str) -> str:
    return escaped(name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…")


def _sentence(styles: Sequence[ClassStyle], unlabelled: int, unknown: bool) -> str:
    parts = [f"{style.name} ({counted(style.count, 'item')})" for style in styles]
    parts += [f"unlabelled ({counted(unlabelled, 'item')})"] if unlabelled else []
    parts += ["hatched cells are unknown"] if unknown else []
    return "Key: " + (", ".join(parts) or "no classes") + "."
