"""A figure as plotly's own dictionary, which is not checked on its way to the browser.

    chart = Chart([{"type": "scatter", "x": places, "y": values}], {"height": 222})
    st.plotly_chart(chart)

Building `go.Figure` checks and copies every part of a figure: three quarters of what a move of a slider cost. What is
built here has fixed parts, so tests check them once: `chart.data` and `chart.layout` are those of a checked figure.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias, TypedDict

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.basedatatypes import BaseFigure

Value: TypeAlias = "bool | float | str | NDArray[np.generic] | Sequence[Value] | Mapping[str, Value] | None"
"""What plotly takes as a value; arrays go to the browser as base64."""
Spec: TypeAlias = dict[str, Value]
"""A trace, an axis, an annotation, a shape, an image or a layout, by the names of plotly."""


class FigureDict(TypedDict):
    """A whole figure, by the names of plotly."""

    data: list[Spec]
    layout: Spec


TYPES: Final = {
    "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "float32": "f4",
    "float64": "f8",
}  # fmt: skip
"""Arrays that go to the browser as bytes, by the names that plotly has for them."""
PLAIN: Final = frozenset({str, int, float, bool, type(None)})
SMALLER: Final = (np.int8, np.int16, np.int32)


class Chart(BaseFigure):  # type: ignore[misc]
    """Traces and layout; of `plotly`'s kind, so that whatever takes a figure takes it."""

    def __init__(self, data: Sequence[Mapping[str, Value]], layout: Mapping[str, Value]) -> None:
        # not the base's, which is what takes the time
        self._data, self._layout = list(data), dict(layout)

    def to_dict(self) -> FigureDict:
        """Return the figure as the browser gets it: arrays of numbers as base64."""
        return {"data": [_parts(trace) for trace in self._data], "layout": _parts(self._layout)}

    to_plotly_json = to_dict

    def with_layout(self, layout: Mapping[str, Value]) -> Chart:
        """Return the same with parts of its layout changed; parts of parts stay."""
        return Chart(self._data, merged(self._layout, layout))

    @cached_property
    def _checked(self) -> go.Figure:
        return go.Figure(data=self._data, layout=self._layout)

    @property
    def data(self) -> Any:
        """Traces of the figure, checked."""
        return self._checked.data

    @property
    def layout(self) -> Any:
        """Layout of the figure, checked."""
        return self._checked.layout


def merged(parts: Mapping[str, Value], changes: Mapping[str, Value]) -> dict[str, Value]:
    """Return parts with changes; where both hold a mapping, it is merged, too."""
    both = dict(parts)
    for name, value in changes.items():
        known = both.get(name)
        both[name] = (
            merged(known, value) if isinstance(known, Mapping) and isinstance(value, Mapping) else value
        )
    return both


def _parts(part: Mapping[str, Value]) -> Spec:
    return {name: encoded(value) for name, value in part.items()}


def encoded(part: Value) -> Value:
    """Return a copy of a part of a figure in which arrays of numbers are base64, and other arrays lists."""
    if isinstance(part, Mapping):
        return _parts(part)
    if isinstance(part, np.ndarray):
        return _array(part)
    if isinstance(part, list | tuple):
        # ids and colours, one an item: nothing in them is encoded
        return list(part) if PLAIN.issuperset(map(type, part)) else [encoded(value) for value in part]
    return part


def _array(values: NDArray[np.generic]) -> Value:
    if values.dtype == np.int64 and values.size:  # the browser has no 64-bit integers
        low, high = int(values.min()), int(values.max())
        fitting = (kind for kind in SMALLER if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)
        values = values.astype(next(fitting, np.float64))
    kind = TYPES.get(str(values.dtype))
    if kind is None or values.size == 0:
        listed: Value = values.tolist()
        return listed
    body = base64.b64encode(values.tobytes()).decode("ascii")
    shape = {"shape": ", ".join(map(str, values.shape))} if values.ndim > 1 else {}
    return {"dtype": kind, "bdata": body, **shape}
