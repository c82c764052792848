"""Projector: everything larger, and only the picture and its controls; a setting in the address that holds on every page.

    show()                       once a run, by the main script: the switch in the sidebar, or the way back
    is_on()
    fitted(height)               pixels of a main chart, fewer under a projector
    enlarged(inked(…))           a chart with everything that is measured in pixels a third larger

Larger type is a larger root font: whatever is measured in rem follows, and nothing is zoomed, which would move the places
where plotly and the matrices look for the pointer.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import streamlit as st

from pages.server import workspace
from pages.server.navigation import page_at
from pages.ui.figures.chart import Chart, Spec, Value

KEY: Final = "projector"
FITS: Final = 0.72
"""Share of its height that is left to a main chart: what stands above it is a third larger."""
TIMES: Final = 4.0 / 3.0
"""How much larger: 20 pixels for the 15 of Streamlit's root font."""
STYLE: Final = Path(__file__).with_name("projector.css")
PIXELS: Final = frozenset(
    {
        "size",
        "standoff",
        "ticklabelstandoff",
        "xshift",
        "yshift",
        "ticklen",
        "thickness",
        "borderpad",
        "l",
        "r",
        "t",
        "b",
    }
)
"""Lengths in pixels wherever they stand; `height` of the whole and `width` of lines do as well."""


def show() -> None:
    """Draw the switch, and where it is on the way back."""
    with st.sidebar:
        on = st.toggle(
            "Projector", key=KEY, bind="query-params", persist_state="session",
            help="For the back row: larger type, without this sidebar and what is folded away. It is in the address, and "
            "stays on every page. On a screen wider than 1,280 pixels the browser's own zoom adds to it.",
        )  # fmt: skip
    if not on:
        return
    st.html(STYLE)
    with st.container(
        horizontal=True, width="content", vertical_alignment="center", gap="small", key="projector_bar"
    ):
        st.page_link(page_at("learn"), label="Lessons", icon=":material/school:")
        st.button(
            "Leave projector", key="projector.leave", icon=":material/close:", type="tertiary", on_click=_leave,
            help="Brings back the sidebar and what is folded away.",
        )  # fmt: skip


def is_on() -> bool:
    """Whether this tab is shown by a projector."""
    return workspace.widget_says(KEY) is True


def fitted(height: int, share: float = FITS) -> int:
    """Return the height of a main chart, which under a projector, too, ends above the lower edge of the screen."""
    return round(share * height) if is_on() else height


def enlarged(figure: Chart) -> Chart:
    """Return a chart as large as its page: all lengths in pixels, a third larger under a projector."""
    if not is_on():
        return figure
    spec = figure.to_plotly_json()
    layout = _larger(spec["layout"])
    if isinstance(height := spec["layout"].get("height"), int | float):
        layout["height"] = height * TIMES
    layout["hoverlabel"] = {"font": {"size": round(13 * TIMES)}}
    return Chart([_larger(trace) for trace in spec["data"]], layout)


def _leave() -> None:
    workspace.show_in(KEY, False)


def _larger(part: Mapping[str, Value]) -> Spec:
    pixels = PIXELS | {
        end
        for across in "xy"
        if part.get(f"{across}sizemode") == "pixel"
        for end in (f"{across}0", f"{across}1")
    }
    return {name: _scaled(name, value, name in pixels) for name, value in part.items()}


def _scaled(name: str, value: Value, pixels: bool) -> Value:
    if isinstance(value, Mapping):
        return _line(value) if name == "line" else _larger(value)
    if isinstance(value, list | tuple):
        if pixels or any(isinstance(each, Mapping) for each in value):
            return [_scaled(name, each, pixels) for each in value]
        return value
    if pixels and isinstance(value, int | float) and not isinstance(value, bool):
        return value * TIMES
    return value


def _line(line: Mapping[str, Value]) -> Spec:
    """Widths of lines are in pixels; those of bars are in units of their axis."""
    width = line.get("width")
    made = _larger(line)
    return {**made, "width": width * TIMES} if isinstance(width, int | float) else made
