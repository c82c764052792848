"""A figure of plotly as a still picture: the part of plotly that our figures use, written as SVG.

body = chart(figure, width=500)        # SVG without its outer element; height as the figure's layout says
"""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import Any, Final

import numpy as np

from pages.ui.figures.still.traces import TRACES, Axis, Spec, attribute, numbers, path, reach, stroke
from pages.ui.figures.theme import INK, TICK_SIZE, TITLE_SIZE

# The keys of Plotly's figures that a still picture draws, and those that it may leave out.
#
# unknown(figure) -> list of str      what a figure has besides: a picture that leaves it out would be another one
#
# Plotly's own export needs a browser, so that still pictures are drawn by `chart`. A key that is added to a figure is
# drawn there, or is listed here as one that only a live page has (hover, drag, selection); tests ask every figure of
# every page.


def _named(*groups: tuple[str, str]) -> frozenset[str]:
    """Keys in full: what they are in, and their names, with a blank between them."""
    return frozenset(f"{place}.{name}" for place, names in groups for name in names.split())


AXIS: Final = re.compile(r"^layout\.[xy]axis")
DRAWN: Final = _named(
    ("scatter", "type x y mode fill fillcolor cliponaxis"),
    ("scatter.line", "color dash width"),
    ("scatter.marker", "color size symbol opacity line.width"),
    ("scatter.error_x", "array arrayminus color thickness"),
    ("scatter.error_y", "array arrayminus color thickness"),
    ("scattergl", "type x y mode"),
    ("scattergl.marker", "color size symbol opacity"),
    ("bar", "type orientation x y width marker.color"),
    ("heatmap", "type z zmin zmax colorscale cells"),
    ("layout", "height margin.l margin.r margin.t margin.b annotations shapes images"),
    ("layout.annotations", "text x y xref yref xshift yshift xanchor yanchor bgcolor font.color font.size"),
    ("layout.shapes", "type path x0 x1 y0 y1 xref yref layer fillcolor line.color line.dash line.width"),
    ("layout.shapes", "xanchor yanchor xsizemode ysizemode"),
    ("layout.images", "source x y xref yref sizex sizey xanchor yanchor layer"),
    (
        "axis",
        "range rangemode type tickvals ticktext nticks dtick tickformat exponentformat showticklabels showgrid",
    ),
    ("axis", "zeroline scaleanchor title.text"),
)
"""What `chart` draws."""
LIVE: Final = _named(
    (
        "scatter",
        "customdata hoverinfo hovertemplate hovertext text name legendgroup showlegend ids selectedpoints",
    ),
    ("scatter", "unselected.marker.opacity"),
    (
        "scattergl",
        "customdata hoverinfo hovertemplate hovertext text name legendgroup showlegend ids selectedpoints",
    ),
    ("scattergl", "unselected.marker.opacity"),
    ("bar", "customdata hoverinfo hovertemplate hovertext text name showlegend"),
    ("heatmap", "customdata hoverinfo hovertemplate hoverongaps text x y"),
    ("layout", "clickmode dragmode hovermode uirevision showlegend"),
    ("axis", "fixedrange"),
)
"""What only a page that answers has: names on hover, what is dragged and chosen, the key that the sheet has of its own."""
SET: Final = _named(
    (
        "scatter",
        "connectgaps error_x.symmetric error_x.type error_x.width error_y.symmetric error_y.type error_y.width",
    ),
    ("scatter", "marker.line.color"),
    ("scattergl", "connectgaps marker.line.width marker.line.color"),
    ("bar", "marker.line.width"),
    ("heatmap", "showscale xgap ygap"),
    ("layout", "font.color font.size margin.pad separators bargap barmode"),
    ("layout.annotations", "align borderpad showarrow"),
    ("layout.images", "sizing"),
    (
        "axis",
        "automargin autorange constrain constraintoward minexponent separatethousands tickangle tickfont.color",
    ),
    (
        "axis",
        "tickfont.size ticklabelstandoff ticks title.font.color title.font.size title.standoff zerolinewidth",
    ),
)
"""What all still pictures have the same, as the house draws it: sizes and distances of words, rims of marks and cells."""


def keys_of(figure: Mapping[str, Any]) -> Iterator[str]:
    """Every key of a figure, with what it is in: "scatter.marker.size", "layout.shapes.x0"."""
    for trace in figure["data"]:
        yield from _inside(str(trace.get("type", "scatter")), trace)
    yield from _inside("layout", figure["layout"])


def _inside(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping) and "bdata" not in value:
        for key, inner in value.items():
            if inner is not None and key != "template":
                yield from _inside(f"{name}.{key}", inner)
    elif isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value):
        for each in value:
            yield from _inside(name, each)
    else:
        yield name


def unknown(figure: Mapping[str, Any]) -> list[str]:
    """Return the keys of a figure that no still picture knows, in their order."""
    known = DRAWN | LIVE | SET
    return sorted({key for key in keys_of(figure) if AXIS.sub("axis", key) not in known})


# Text of figures as SVG: the few tags that plotly reads become spans, all else is text.

STYLES: Final = {
    "b": 'font-weight="700"',
    "i": 'font-style="italic"',
    "sup": 'dy="-0.45em" font-size="75%"',
    "sub": 'dy="0.3em" font-size="75%"',
}
_BACK: Final = {"sup": 'dy="0.34em"', "sub": 'dy="-0.22em"'}
_COLOUR: Final = re.compile(r"color:\s*(#[0-9a-fA-F]{6}|rgba?\([\d., ]+\))")
_ANCHORS: Final = {"left": "start", "center": "middle", "right": "end"}
LINE: Final = 1.3
"""Height of a line in sizes of its letters."""


class _Spans(HTMLParser):
    """Lines of spans; what is no tag of ours is left out, and text stays text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines, self.open, self.back = [""], list[str](), ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.lines.append("")
        elif tag in STYLES:
            self.open.append(STYLES[tag])
        elif tag == "span":
            style = dict(attrs).get("style") or ""
            colour = _COLOUR.search(style)
            slant = ' font-style="italic"' if "italic" in style else ""
            self.open.append((f'fill="{colour.group(1)}"' if colour else "") + slant)

    def handle_endtag(self, tag: str) -> None:
        if (tag in STYLES or tag == "span") and self.open:
            self.open.pop()
            self.back = _BACK.get(tag, "")

    def handle_data(self, data: str) -> None:
        style = " ".join(filter(None, [*self.open, self.back]))
        self.back = ""
        text = html.escape(data)
        self.lines[-1] += f"<tspan {style}>{text}</tspan>" if style else text


def spans(text: str) -> list[str]:
    """Return the lines of a text of a figure as the inner part of SVG text."""
    parser = _Spans()
    parser.feed(clean(text))
    parser.close()
    return parser.lines


def clean(text: str) -> str:
    """Return a text without the characters that no XML holds."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "�", text)


def label(
    text: str,
    x: float,
    y: float,
    *,
    size: float = TICK_SIZE,
    colour: str = INK,
    xanchor: str = "left",
    yanchor: str = "bottom",
    ground: str = "",
) -> str:
    """Return a label whose box lies at (x, y) as the anchors say; lines are set one below the other.

    With a `ground` its letters have a seam of that colour, so that no line strikes them through.
    """
    lines = spans(text)
    height = size * LINE * len(lines)
    top = {"top": y, "middle": y - height / 2.0, "bottom": y - height}.get(yanchor, y - height)
    anchor = _ANCHORS.get(xanchor, "start")
    seam = f'stroke="{html.escape(ground)}" stroke-width="5" paint-order="stroke" ' if ground else ""
    return "".join(
        f'<text x="{x:.1f}" y="{top + size * (LINE * k + 1.0):.1f}" font-size="{size:g}" fill="{html.escape(colour)}" '
        f'text-anchor="{anchor}" {seam}xml:space="preserve">{line}</text>'
        for k, line in enumerate(lines)
    )


_log = logging.getLogger("kernex")
GRID: Final = "#e3e3e0"


@dataclass(frozen=True)
class Place:
    """Where a figure lies in pixels: the plot area (paper), and the axes, which may take a part of it."""

    left: float
    top: float
    width: float
    height: float
    x: Axis
    y: Axis

    def across(self, value: Any, ref: str, logarithm: bool = False) -> float:
        """Pixel of a horizontal position; `logarithm`: on a logarithmic axis the position is one, as of annotations."""
        if ref == "paper":
            return self.left + self.width * float(value)
        if ref.endswith("domain"):
            return self.x.start + (self.x.end - self.x.start) * float(value)
        return float(self.x.at(10.0 ** float(value) if logarithm and self.x.logarithmic else value))

    def down(self, value: Any, ref: str, logarithm: bool = False) -> float:
        """Pixel of a vertical position."""
        if ref == "paper":
            return self.top + self.height * (1.0 - float(value))
        bottom, top = max(self.y.start, self.y.end), min(self.y.start, self.y.end)
        if ref.endswith("domain"):
            return bottom + (top - bottom) * float(value)
        return float(self.y.at(10.0 ** float(value) if logarithm and self.y.logarithmic else value))


def spec_of(figure: Any) -> Spec:
    """Return a figure as a dictionary, whichever it is."""
    found: Spec = figure if isinstance(figure, Mapping) else figure.to_plotly_json()
    return found


def height_of(figure: Any) -> float:
    """Return how high a figure is, in pixels."""
    return float(spec_of(figure)["layout"].get("height", 400))


def is_square(figure: Any) -> bool:
    """Whether a figure is a matrix, with as many rows as columns."""
    cells = [numbers(trace["z"]).shape for trace in spec_of(figure)["data"] if trace.get("type") == "heatmap"]
    return bool(cells) and cells[0][0] == cells[0][1]


def pooled(figure: Any, most: int) -> Spec:
    """Return a figure whose matrix, if it has one, is drawn by at most so many cells a side: means of blocks."""
    spec = spec_of(figure)
    if not is_square(figure):
        return spec
    trace, *others = spec["data"]
    z = numbers(trace["z"])
    cuts = np.linspace(0, len(z), most + 1).astype(np.int64)[:-1]
    if len(z) <= most:
        return spec
    known = np.isfinite(z)
    sums, counts = (
        np.add.reduceat(np.add.reduceat(each, cuts, axis=0), cuts, axis=1)
        for each in (np.where(known, z, 0.0), known.astype(np.float64))
    )
    with np.errstate(invalid="ignore"):
        return {**spec, "data": [{**trace, "z": sums / counts, "cells": len(z)}, *others]}


def chart(figure: Any, width: float) -> str:
    """Return the picture as the inner part of an SVG."""
    spec = spec_of(figure)
    if left_out := unknown(spec):
        _log.warning("A still picture leaves out what it does not know: %s.", ", ".join(left_out))
    layout, data = spec["layout"], spec["data"]
    place = _place(layout, data, width)
    shapes = layout.get("shapes") or ()
    below = [shape for shape in shapes if shape.get("layer") == "below"]
    above = [shape for shape in shapes if shape.get("layer") != "below"]
    images = layout.get("images") or ()
    return "".join(
        (
            _grid(place),
            *(_image(image, place) for image in images if image.get("layer") == "below"),
            *(_shape(shape, place) for shape in below),
            *(_trace(trace, place) for trace in data),
            *(_image(image, place) for image in images if image.get("layer") != "below"),
            *(_shape(shape, place) for shape in above),
            _words(place),
            *(_annotation(note, place) for note in layout.get("annotations") or ()),
        )
    )


def _trace(trace: Spec, place: Place) -> str:
    """Draw a trace; what lies beyond the axes is cut off unless the trace asks for it."""
    body = TRACES[trace.get("type", "scatter")](trace, place.x, place.y)
    if trace.get("cliponaxis") is False or trace.get("type") == "heatmap":
        return body
    x, y = sorted((place.x.start, place.x.end)), sorted((place.y.start, place.y.end))
    box = f"{x[0]:.1f} {y[0]:.1f} {x[1] - x[0]:.1f} {y[1] - y[0]:.1f}"
    left, top, width, height = box.split()
    return f'<svg x="{left}" y="{top}" width="{width}" height="{height}" viewBox="{box}" overflow="hidden">{body}</svg>'


def _place(layout: Spec, data: Any, width: float) -> Place:
    margin, height = layout.get("margin") or {}, float(layout.get("height", 400))
    left, top = float(margin.get("l", 40)), float(margin.get("t", 20))
    wide = max(width - left - float(margin.get("r", 20)), 20.0)
    high = max(height - top - float(margin.get("b", 40)), 20.0)
    xs, ys = layout.get("xaxis") or {}, layout.get("yaxis") or {}
    if any(trace.get("type") == "heatmap" for trace in data):
        rows, columns = numbers(data[0]["z"]).shape
        across = down = min(wide, high)
        if rows == columns:
            rows = columns = data[0].get("cells") or rows
        else:
            across, down = wide, high
        x, y = Axis(xs, -0.5, columns - 0.5, left, left + across), Axis(ys, -0.5, rows - 0.5, top, top + down)
        return Place(left, top, wide, high, x, y)
    lying = [t.get("orientation") == "h" for t in data if t.get("type") == "bar"]
    beside, below = ([np.zeros(1)] if way in lying else [] for way in (True, False))  # bars begin at 0
    x = Axis(xs, *reach(xs, [*(t["x"] for t in data), *beside]), left, left + wide)
    y = Axis(ys, *reach(ys, [*(t["y"] for t in data), *below]), top + high, top)
    if xs.get("scaleanchor"):
        unit = min(abs(x.unit), abs(y.unit))
        x = replace(x, end=left + unit * abs(x.high - x.low))
        y = replace(y, start=top + unit * abs(y.high - y.low))
    return Place(left, top, wide, high, x, y)


def _grid(place: Place) -> str:
    x0, x1, y0, y1 = place.x.start, place.x.end, place.y.start, place.y.end
    out = []
    if place.x.spec.get("showgrid") is not False:
        out += [f"M{x:.1f} {y0:.1f}V{y1:.1f}" for x, _ in place.x.ticks()]
    if place.y.spec.get("showgrid") is not False:
        out += [f"M{x0:.1f} {y:.1f}H{x1:.1f}" for y, _ in place.y.ticks()]
    if place.y.spec.get("zeroline") and not place.y.logarithmic:
        zero = float(place.y.at(0.0))
        out.append(f"M{x0:.1f} {zero:.1f}H{x1:.1f}")
    if place.x.spec.get("zeroline") and not place.x.logarithmic:
        zero = float(place.x.at(0.0))
        out.append(f"M{zero:.1f} {y0:.1f}V{y1:.1f}")
    return f'<path d="{"".join(out)}" stroke="{GRID}" fill="none"/>' if out else ""


def _words(place: Place) -> str:
    x, y = place.x, place.y
    bottom = max(y.start, y.end)
    out = [label(word, at, bottom + 4, xanchor="center", yanchor="top") for at, word in x.ticks()]
    out += [label(word, x.start - 5, at, xanchor="right", yanchor="middle") for at, word in y.ticks()]
    middle, centre = (y.start + y.end) / 2.0, (x.start + x.end) / 2.0
    title = (x.spec.get("title") or {}).get("text")
    if title:
        out.append(label(title, centre, bottom + 22, size=TITLE_SIZE, xanchor="center", yanchor="top"))
    title = (y.spec.get("title") or {}).get("text")
    if title:
        turned = label(title, 0.0, 0.0, size=TITLE_SIZE, xanchor="center", yanchor="top")
        out.append(
            f'<g transform="translate({max(x.start - 50, 0):.1f} {middle:.1f}) rotate(-90)">{turned}</g>'
        )
    return "".join(out)


def _annotation(note: Spec, place: Place) -> str:
    font = note.get("font") or {}
    x = place.across(note["x"], str(note.get("xref", "x")), True) + float(note.get("xshift") or 0)
    y = place.down(note["y"], str(note.get("yref", "y")), True) - float(note.get("yshift") or 0)
    return label(
        str(note.get("text", "")), x, y, size=float(font.get("size", TITLE_SIZE)), colour=str(font.get("color", INK)),
        xanchor=str(note.get("xanchor", "center")), yanchor=str(note.get("yanchor", "middle")),
        ground=str(note.get("bgcolor", "")),
    )  # fmt: skip


def _shape(shape: Spec, place: Place) -> str:
    xref, yref = str(shape.get("xref", "x")), str(shape.get("yref", "y"))
    line = stroke(shape.get("line") or {})
    if shape.get("type") == "path":
        return _hatched(str(shape["path"]), xref, yref, line, place)
    if shape.get("xsizemode") == "pixel":
        base = place.across(shape["xanchor"], xref)
        xs = [base + float(shape[name]) for name in ("x0", "x1")]
    else:
        xs = [place.across(shape[name], xref) for name in ("x0", "x1")]
    if shape.get("ysizemode") == "pixel":
        base = place.down(shape["yanchor"], yref)
        ys = [base - float(shape[name]) for name in ("y0", "y1")]
    else:
        ys = [place.down(shape[name], yref) for name in ("y0", "y1")]
    if shape.get("type") == "rect":
        fill = attribute(shape.get("fillcolor", "none"))
        return (
            f'<rect x="{min(xs):.1f}" y="{min(ys):.1f}" width="{abs(xs[1] - xs[0]):.1f}" height="{abs(ys[1] - ys[0]):.1f}" '
            f'fill="{fill}" {line}/>'
        )
    return f'<path d="{path(np.array(xs), np.array(ys))}" fill="none" {line}/>'


def _hatched(given: str, xref: str, yref: str, line: str, place: Place) -> str:
    """Lines "Mx,yLx,y" in shares of the axes."""
    drawn = []
    for part in given.split("M")[1:]:
        ends = [tuple(map(float, point.split(","))) for point in part.split("L")]
        points = [(place.across(x, xref), place.down(y, yref)) for x, y in ends]
        drawn.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points))
    return f'<path d="{"".join(drawn)}" fill="none" {line}/>'


def _image(image: Spec, place: Place) -> str:
    source = str(image["source"])
    if not source.startswith("data:image/"):
        return ""
    xref, yref = str(image.get("xref", "paper")), str(image.get("yref", "paper"))
    wide = place.across(image["sizex"], xref) - place.across(0.0, xref)
    high = place.down(0.0, yref) - place.down(image["sizey"], yref)
    x, y = place.across(image["x"], xref), place.down(image["y"], yref)
    x -= {"right": wide, "center": wide / 2.0}.get(str(image.get("xanchor", "left")), 0.0)
    y -= {"bottom": high, "middle": high / 2.0}.get(str(image.get("yanchor", "top")), 0.0)
    return (
        f'<image x="{x:.2f}" y="{y:.2f}" width="{wide:.2f}" height="{high:.2f}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="{attribute(source)}"/>'
    )
