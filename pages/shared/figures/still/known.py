"""The keys of Plotly's figures that a still picture draws, and those that it may leave out.

unknown(figure) -> list of str      what a figure has besides: a picture that leaves it out would be another one

Plotly's own export needs a browser, so that still pictures are drawn by `chart`. A key that is added to a figure is
drawn there, or is listed here as one that only a live page has (hover, drag, selection); tests ask every figure of every
page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final


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
