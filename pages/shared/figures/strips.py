"""The parts of a heatmap that are no cells: class strips, colour bar and hatch, as images and one shape.

    from pages.shared.figures.strips import class_strips
    images = class_strips(codes_in_order, colours, pixels=180)      # for layout.images

Images are SVG data URIs: a quarter of the time that one shape a class takes.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from urllib.parse import quote

import numpy as np

from kernex_core.base.frozen import BoolArray, IntArray
from pages.shared.figures.labels import annotation
from pages.shared.figures.picture import Spec, Value
from pages.shared.figures.png import indexed_png
from pages.shared.figures.theme import (
    CIVIDIS,
    DIVERGING,
    HATCH,
    HATCH_RGBA,
    HATCH_WIDTH,
    TICK_SIZE,
    UNKNOWN,
    rgba,
)

STRIP, STRIP_GAP, BAR, BAR_GAP = 4, 2, 5, 7
_HATCH_PITCH = 8.0
_LARGEST_STRIP = 600
_SVG = "data:image/svg+xml,"


def colour_scale(diverging: bool, first: float, last: float) -> list[tuple[float, str]]:
    """Plotly colour scale on the share of the codes: transparent at 0, the first colour at `first`."""
    stops = [(first + (last - first) * share, colour) for share, colour in _stops(diverging)]
    return [(0.0, UNKNOWN), (first / 2, UNKNOWN), *stops, *([(1.0, stops[-1][1])] if last < 1 else [])]


def class_strips(codes: IntArray, colours: Sequence[str], pixels: float) -> list[Spec]:
    """Two images, along the top and the left edge, for items in display order; code −1 leaves a gap."""
    shown = codes
    if len(codes) > _LARGEST_STRIP and np.count_nonzero(np.diff(codes)) > _LARGEST_STRIP:
        shown = codes[np.linspace(0, len(codes) - 1, _LARGEST_STRIP).round().astype(np.int64)]
    edges = np.flatnonzero(np.diff(shown)) + 1
    runs = list(zip([0, *edges], [*edges, len(shown)], strict=True))
    thick, gap = STRIP / pixels, STRIP_GAP / pixels
    top, left = (
        _paths(shown, runs, colours, "M{0} 0h{1}v1h-{1}z"),
        _paths(shown, runs, colours, "M0 {0}h1v{1}h-1z"),
    )
    n = len(shown)
    return [
        _image(_svg(n, 1, top), x=0, y=1 + gap, sizex=1, sizey=thick, yanchor="bottom"),
        _image(_svg(1, n, left), x=-gap, y=1, sizex=thick, sizey=1, xanchor="right"),
    ]


def colour_bar(texts: Sequence[str], diverging: bool, pixels: float) -> tuple[Spec, list[Spec]]:
    """The bar below the matrix and its texts at the left, in the middle and at the right."""
    stops = "".join(
        f'<stop offset="{share:.4g}" stop-color="{_solid(colour)}" stop-opacity="{_alpha(colour):g}"/>'
        for share, colour in _stops(diverging)
    )
    body = f'<linearGradient id="g">{stops}</linearGradient>{_rect(0, 0, 100, 1, "url(#g)")}'
    image = _image(_svg(100, 1, body), x=0, y=-BAR_GAP / pixels, sizex=1, sizey=BAR / pixels)
    anchors = ("left", "center", "right")
    ticks = [
        annotation(
            text, x=0.5 * k, y=0, xref="x domain", yref="y domain", xanchor=anchors[k], yanchor="top",
            yshift=-(BAR_GAP + BAR + 2), font={"size": TICK_SIZE},
        )
        for k, text in enumerate(texts)
    ]  # fmt: skip
    return image, ticks


def hatch(pixels: float) -> Spec:
    """Lines at 45° below all cells, as one path; unknown cells are transparent and show it."""
    lines = max(round(pixels / _HATCH_PITCH), 4)
    path = "".join(
        f"M{max(-c, 0):.3g},{max(c, 0):.3g}L{min(1 - c, 1):.3g},{min(1 + c, 1):.3g}"
        for c in np.arange(1 - lines, lines) / lines
    )
    return {
        "type": "path", "path": path, "xref": "x domain", "yref": "y domain", "layer": "below",
        "line": {"color": HATCH, "width": HATCH_WIDTH},
    }  # fmt: skip


def hatch_image(unknown: BoolArray) -> Spec:
    """The hatch on the unknown cells only, for scales whose known cells may be transparent too."""
    n = unknown.shape[0]
    zoom = max(round(700 / n), 1)
    cells = np.kron(unknown, np.ones((zoom, zoom), dtype=bool)) if zoom > 1 else unknown
    side = cells.shape[0]
    pitch = max(round(side * _HATCH_PITCH / 180), 6)
    lines = (np.add.outer(np.arange(side), np.arange(side)) % pitch) < max(pitch // 7, 1)
    png = indexed_png((cells & lines).astype(np.uint8), np.array([(0, 0, 0, 0), HATCH_RGBA], dtype=np.uint8))
    source = "data:image/png;base64," + base64.b64encode(png).decode("ascii")
    return _image(source, x=0, y=1, sizex=1, sizey=1) | {"layer": "below"}


def _paths(codes: IntArray, runs: Sequence[tuple[int, int]], colours: Sequence[str], rectangle: str) -> str:
    """One path a class: a tenth of the text that a rectangle a run takes where items are not sorted."""
    drawn: dict[int, list[str]] = {}
    for start, end in runs:
        drawn.setdefault(int(codes[start]), []).append(rectangle.format(start, end - start))
    return "".join(
        f'<path fill="{colours[k]}" d="{"".join(d)}"/>' for k, d in sorted(drawn.items()) if k >= 0
    )


def _stops(diverging: bool) -> list[tuple[float, str]]:
    if diverging:
        return [(share, rgba(colour)) for share, colour in DIVERGING]
    return [(k / (len(CIVIDIS) - 1), colour) for k, colour in enumerate(CIVIDIS)]


def _solid(colour: str) -> str:
    return colour if colour.startswith("#") else "rgb(" + colour[5:-1].rsplit(",", 1)[0] + ")"


def _alpha(colour: str) -> float:
    return 1.0 if colour.startswith("#") else float(colour[5:-1].rsplit(",", 1)[1])


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>'


def _svg(width: int, height: int, body: str, rendering: str = "crispEdges") -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" preserveAspectRatio="none" shape-rendering="{rendering}">'
    )
    return _SVG + quote(f"{head}{body}</svg>", safe=" =:/'(),.")


def _image(source: str, **where: Value) -> Spec:
    return {
        "source": source, "xref": "x domain", "yref": "y domain", "sizing": "stretch", "layer": "above", **where
    }  # fmt: skip
