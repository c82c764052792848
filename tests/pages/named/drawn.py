"""What a picture shows, by name: points with the ends of their bars or bands, and levels."""

from __future__ import annotations

import html
import re

import numpy as np


def lines_of(picture) -> dict[str, np.ndarray]:
    """(n, 4) x, y and both ends of bar or band of every named trace; NaN where there are none."""
    found = {}
    for trace in picture.figure.data:
        if trace.name:
            name = html.unescape(trace.name)
            assert name not in found, f"two traces are called {name}"
            found[name] = points(trace, upright=trace.orientation != "h")
    return found


def points(trace, upright=True) -> np.ndarray:
    """(n, 4) places, values and the ends of their bars, or of the band that is said on hover."""
    places, values = (trace.x, trace.y) if upright else (trace.y, trace.x)
    error = trace.error_y if upright else trace.error_x
    places = (
        np.arange(len(values)) if places is None or np.asarray(places).dtype.kind not in "iuf" else places
    )
    values = np.asarray(values, dtype=float)
    low = high = np.full(len(values), np.nan)
    said = None if trace.customdata is None else np.asarray(trace.customdata)
    if error.array is not None:
        above = np.asarray(error.array, dtype=float)
        low, high = (
            values - (above if error.arrayminus is None else np.asarray(error.arrayminus)),
            values + above,
        )
    if said is not None and said.ndim == 2 and said.shape[1] == 2 and said.dtype.kind == "f":
        if error.array is not None:
            np.testing.assert_allclose(said, np.column_stack([low, high]), atol=1e-9)
        low, high = said.T
    return np.column_stack([np.asarray(places, dtype=float), values, low, high])


def levels_of(picture) -> dict[str, float]:
    """Lines over the whole width, by the names that the description gives them, in order."""
    drawn = [
        float(trace.y[0])
        for trace in picture.figure.data
        if not trace.name and trace.mode == "lines" and len(trace.y) == 2 and trace.y[0] == trace.y[1]
    ]
    said = re.split(r": ", picture.alt, maxsplit=1)[1].removesuffix(".").split("; ")
    names = [each for each in said if not re.search(r" from \S.* at .* to \S.* at ", each)]
    assert len(names) == len(drawn), f"{names} are said, {drawn} drawn"
    found = {}
    for each, value in zip(names, drawn, strict=True):
        name, told = re.fullmatch(r"(.*) ([−\d.,]+)\s*%?", each).groups()
        assert abs(float(told.replace("−", "-").replace(",", "")) - value) < 0.051, each
        found[name] = value
    return found


def dots_of(picture) -> dict[str, tuple[float, float, float]]:
    """Value and ends of every dot, by the name at its place; those of the best, and who is not told apart, are bold."""
    (trace,) = picture.figure.data
    axis = picture.figure.layout.yaxis
    names = [html.unescape(re.sub("</?b>", "", name).replace("<br>", " ")) for name in axis.ticktext]
    places = {float(place): name for place, name in zip(axis.tickvals, names, strict=True)}
    return {places[place]: tuple(row) for place, *row in points(trace, upright=False).tolist()}


def guides_of(picture) -> list[float]:
    """Where straight lines stand across the horizontal axis: a floor of dots, a value of now."""
    return [
        float(shape.x0)
        for shape in picture.figure.layout.shapes
        if shape.type == "line" and shape.x0 == shape.x1 and shape.xref != "paper"
    ]
