"""A figure as a file that stands alone: title, axes and settings in the picture, plotly.js inside, no network.

    from pages.shared.figures.export import figure_html
    st.download_button("Figure", lambda: figure_html(picture, "Joint kernel", {"λ": "0.25", "nugget": "0.10"}),
                       file_name="joint.html", mime="text/html", on_click="ignore")

The file is 4.5 MB, so it is made in the callable: nothing is built before the click.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go
import plotly.io

from pages.shared.figures.picture import Picture, Spec
from pages.shared.figures.theme import INK, escaped
from pages.shared.file_names import file_stem

_FONT = "'Source Sans 3', 'Source Sans Pro', Helvetica, Arial, sans-serif"
_TEXT, _GRID, _GROUND = "#121417", "#e3e3e0", "#ffffff"
_TOP, _LINE = 44, 15
_WRAP_PIXELS = 6.0
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body{{font:15px/1.45 {font};color:{text};background:{ground};margin:2rem;max-width:{width}px}}
dt{{color:{ink};float:left;clear:left;min-width:14em}}dd{{margin:0 0 .2em 14.5em}}</style></head>
<body>
<figure style="margin:0" aria-label="{caption}">{figure}</figure>
<h2 style="font-size:1rem">Settings</h2>
<dl>{settings}</dl>
</body></html>
"""


def figure_html(
    fig: go.Figure | Picture, title: str, settings: Mapping[str, str], *, width: int = 860
) -> bytes:
    """Standalone HTML of a figure on white, UTF-8.

    Title, the sentence of a `Picture` and the settings are part of the drawing, so that a PNG saved from it
    carries them; the settings are repeated below as text that can be copied.
    """
    caption = fig.alt if isinstance(fig, Picture) else ""
    figure = fig.figure if isinstance(fig, Picture) else fig
    body = plotly.io.to_html(
        themed(figure, title, settings, caption=caption, width=width),
        include_plotlyjs=True,
        full_html=False,
        # plotly writes this into a script as it is: no text of users may stand in it
        config={"displaylogo": False, "toImageButtonOptions": {"scale": 3, "filename": file_stem(title)}},
    )
    rows = "".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd>" for k, v in settings.items())
    page = _PAGE.format(
        title=html.escape(title), font=_FONT, text=_TEXT, ground=_GROUND, ink=INK, width=width,
        figure=body, caption=html.escape(caption or title), settings=rows or "<dt>none</dt><dd></dd>",
    )  # fmt: skip
    return page.encode("utf-8")


def themed(
    figure: go.Figure, title: str, settings: Mapping[str, str], *, caption: str = "", width: int = 860
) -> go.Figure:
    """A copy of the figure with explicit colours, title above, caption and settings below.

    The plot area keeps its size: the figure grows by what is added.
    """
    spec: dict[str, Any] = figure.to_plotly_json()
    layout = dict(spec["layout"])
    said = (caption, "; ".join(f"{k} = {v}" for k, v in settings.items()))
    lines = [line for text in said for line in textwrap.wrap(text, int(width / _WRAP_PIXELS))]
    foot = _LINE * len(lines) + (12 if lines else 0)
    margin, height = dict(layout.get("margin", {})), int(layout.get("height", 400))
    bottom = int(margin.get("b", 40))
    margin |= {
        "t": int(margin.get("t", 20)) + _TOP,
        "b": bottom + foot,
        "l": max(int(margin.get("l", 40)), 12),
    }
    total = height + _TOP + foot
    layout |= {
        "template": {"layout": {}},
        "height": total,
        "width": width,
        "margin": margin,
        "paper_bgcolor": _GROUND,
        "plot_bgcolor": _GROUND,
        "font": {**layout.get("font", {}), "family": _FONT, "color": _TEXT},
        "title": _title(title, total),
        "annotations": [*layout.get("annotations", ()), *_foot(lines, bottom)],
    }
    for name in [key for key in layout if key.startswith(("xaxis", "yaxis"))]:
        layout[name] = {"gridcolor": _GRID, "zerolinecolor": _GRID, "linecolor": _GRID, **layout[name]}
    return go.Figure(data=spec["data"], layout=layout)


def _title(title: str, total: int) -> Spec:
    return {
        "text": f"<b>{escaped(title)}</b>", "x": 0, "xref": "paper", "xanchor": "left", "yref": "container",
        "y": 1 - 12 / total, "yanchor": "top", "font": {"size": 15, "color": _TEXT},
    }  # fmt: skip


def _foot(lines: list[str], bottom: int) -> list[Spec]:
    if not lines:
        return []
    return [
        {
            "text": "<br>".join(escaped(line) for line in lines), "x": 0, "y": 0, "xref": "paper", "yref": "paper",
            "xanchor": "left", "yanchor": "top", "yshift": -(bottom + 2), "showarrow": False, "align": "left",
            "font": {"size": 11, "color": INK},
        }
    ]  # fmt: skip
