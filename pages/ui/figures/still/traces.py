"""Traces of a still chart as SVG: lines, bands, markers, error bars, bars and cells."""

from __future__ import annotations

import base64
import html
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np

from kernex_core.base.frozen import FloatArray
from pages.server.digits import number
from pages.ui.figures.chart import indexed_png

# Axes of a still chart: where values lie in pixels, and which of them are ticks.

Spec: TypeAlias = Mapping[str, Any]
"""A part of a figure, by the names of plotly."""
TICKS: Final = 6


def numbers(values: Any) -> FloatArray:
    """Return numbers of a figure: plain ones, an array, or the base64 that plotly sends in place of one."""
    if isinstance(values, Mapping):
        found = np.frombuffer(base64.b64decode(values["bdata"]), dtype=np.dtype(str(values["dtype"])))
        shape = str(values.get("shape", "")).strip("() ")
        values = found.reshape([int(part) for part in shape.split(",") if part.strip()]) if shape else found
    return np.asarray(values, dtype=np.float64)


@dataclass(frozen=True)
class Axis:
    """One axis: `low` and `high` are what lies at the pixels `start` and `end`, as logarithms where it has any."""

    spec: Spec
    low: float
    high: float
    start: float
    end: float

    @property
    def logarithmic(self) -> bool:
        """Whether it is in powers of ten."""
        return self.spec.get("type") == "log"

    @property
    def unit(self) -> float:
        """Pixels a unit."""
        return (self.end - self.start) / ((self.high - self.low) or 1.0)

    def at(self, values: Any) -> FloatArray:
        """Return where values lie; NaN where they do nowhere."""
        v = numbers(values)
        if self.logarithmic:
            with np.errstate(divide="ignore", invalid="ignore"):
                v = np.where(v > 0.0, np.log10(v), np.nan)
        return self.start + (v - self.low) * self.unit

    def ticks(self) -> list[tuple[float, str]]:
        """Return pixels and words of the ticks within the axis."""
        if self.spec.get("showticklabels") is False:
            return []
        values, words = self._ticks()
        ends = sorted((self.start, self.end))
        placed = zip(self.at(values).tolist(), words, strict=True)
        return [(x, word) for x, word in placed if ends[0] - 0.5 <= x <= ends[1] + 0.5]

    def _ticks(self) -> tuple[Sequence[float], list[str]]:
        given = self.spec.get("tickvals")
        if given is not None:
            values = numbers(given).tolist()
            words = self.spec.get("ticktext")
            return values, [str(w) for w in words] if words is not None else [self._word(v) for v in values]
        if self.logarithmic:
            digits = (1, 2, 5) if self.spec.get("dtick") == "D2" or self.high - self.low < 1 else (1,)
            powers = range(math.floor(min(self.low, self.high)), math.ceil(max(self.low, self.high)) + 1)
            values = [d * 10.0**k for k in powers for d in digits]
            return values, [self._power(v) for v in values]
        values = nice(self.low, self.high, int(self.spec.get("nticks") or TICKS))
        return values, [self._word(v) for v in values]

    def _word(self, value: float) -> str:
        form = str(self.spec.get("tickformat") or "")
        return f"{value:{form}}".replace("-", "−") if form in (".0f", ".1f", ".2f") else number(value)

    def _power(self, value: float) -> str:
        exponent = round(math.log10(value), 6)
        if self.spec.get("exponentformat") != "power" or exponent != int(exponent) or abs(exponent) < 1:
            return number(value)
        return "10" if exponent == 1 else f"10<sup>{int(exponent)}</sup>".replace("-", "−")


def nice(low: float, high: float, most: int) -> list[float]:
    """Return round values between two ends, at most about `most` of them."""
    low, high = min(low, high), max(low, high)
    rough = (high - low) / max(most, 1) or 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((m * power for m in (1, 2, 5) if m * power >= rough * 0.999), 10 * power)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def reach(spec: Spec, values: Iterable[Any]) -> tuple[float, float]:
    """Return the ends of an axis: as given, else those of the values with a margin."""
    given = spec.get("range")
    if given is not None:
        return float(given[0]), float(given[1])
    every = np.concatenate([numbers(v).ravel() for v in values] or [np.zeros(1)])
    every = every[np.isfinite(every)]
    if spec.get("type") == "log":
        every = np.log10(every[every > 0.0])
    if spec.get("rangemode") == "tozero":
        every = np.append(every, 0.0)
    low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)
    pad = 0.05 * (high - low) or 0.5
    tozero = spec.get("rangemode") == "tozero"
    return (low if tozero and low == 0.0 else low - pad), (high if tozero and high == 0.0 else high + pad)


DASHES: Final = {"dash": "9px,9px", "dot": "3px,3px", "dashdot": "9px,3px,3px,3px"}
_CORNERS: Final = {
    "diamond": (4, 0.0, 1.15), "square": (4, 45.0, 1.25), "triangle-up": (3, 0.0, 1.25), "triangle-down": (3, 180.0, 1.25),
    "pentagon": (5, 0.0, 1.05), "hexagon": (6, 30.0, 1.05),
}  # fmt: skip
"""Corners of a marker, how far it is turned, and its radius in those of a circle."""
_PLUS: Final = (
    (1, 3), (-1, 3), (-1, 1), (-3, 1), (-3, -1), (-1, -1), (-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1),
)  # fmt: skip


def attribute(value: object) -> str:
    """A value as the text of an attribute."""
    return html.escape(str(value), quote=True)


def stroke(line: Spec) -> str:
    """Attributes of a line."""
    dash = str(line.get("dash") or "solid")
    dash = DASHES.get(dash, dash)
    dashes = f' stroke-dasharray="{attribute(dash.replace("px", ""))}"' if dash != "solid" else ""
    return f'stroke="{attribute(line.get("color", "none"))}" stroke-width="{float(line.get("width", 2)):g}"{dashes}'


def path(x: FloatArray, y: FloatArray, *, closed: bool = False) -> str:
    """A path through points; it is interrupted where one is nowhere."""
    drawn, pen = [], "M"
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        if math.isfinite(a) and math.isfinite(b):
            drawn.append(f"{pen}{a:.1f} {b:.1f}")
            pen = "L"
        else:
            pen = "M"
    return "".join(drawn) + ("Z" if closed and drawn else "")


def scatter(trace: Spec, x: Axis, y: Axis) -> str:
    """Lines, a band, error bars and markers."""
    px, py = x.at(trace["x"]), y.at(trace["y"])
    mode, line, out = str(trace.get("mode", "lines")), trace.get("line") or {}, []
    if trace.get("fill") == "toself":
        out.append(
            f'<path d="{path(px, py, closed=True)}" fill="{attribute(trace.get("fillcolor", "none"))}"/>'
        )
    if "lines" in mode and float(line.get("width", 2)) > 0:
        out.append(f'<path d="{path(px, py)}" fill="none" {stroke(line)} stroke-linejoin="round"/>')
    for name, axis in (("error_x", x), ("error_y", y)):
        if trace.get(name):
            out.append(_errors(trace, trace[name], px, py, axis))
    if "markers" in mode:
        out.append(_markers(trace.get("marker") or {}, px, py))
    return "".join(out)


def _errors(trace: Spec, error: Spec, px: FloatArray, py: FloatArray, axis: Axis) -> str:
    across = axis.unit > 0  # pixels grow to the right and downwards
    values = numbers(trace["x" if across else "y"])
    more = numbers(error["array"])
    less = more if error.get("arrayminus") is None else numbers(error["arrayminus"])
    ends = np.array([axis.at(values - less), axis.at(values + more)])
    width = float(error.get("thickness", 2))
    drawn = "".join(
        f"M{a:.1f} {v:.1f}H{b:.1f}" if across else f"M{u:.1f} {a:.1f}V{b:.1f}"
        for u, v, a, b in zip(px, py, *ends, strict=True)
        if np.isfinite([u, v, a, b]).all()
    )
    return f'<path d="{drawn}" fill="none" stroke="{attribute(error.get("color", "none"))}" stroke-width="{width:g}"/>'


def _markers(marker: Spec, px: FloatArray, py: FloatArray) -> str:
    n = px.size
    colours, sizes, symbols = (
        _each(marker.get(name, usual), n)
        for name, usual in (("color", "#666b73"), ("size", 6), ("symbol", "circle"))
    )
    opacity = marker.get("opacity", 1)
    opacities = _each(1 if opacity is None else opacity, n)
    given = (marker.get("line") or {}).get("width")
    widths = _each(1 if given is None else given, n)
    out = []
    for k in range(n):
        if not (np.isfinite(px[k]) and np.isfinite(py[k])):
            continue
        colour, is_open = attribute(colours[k]), str(symbols[k]).endswith("-open")
        width = float(widths[k]) or 1.0
        look = f'fill="none" stroke="{colour}" stroke-width="{width:g}"' if is_open else f'fill="{colour}"'
        shape = _marker(str(symbols[k]).removesuffix("-open"), px[k], py[k], float(sizes[k]) / 2.0)
        out.append(f'{shape} {look} fill-opacity="{float(opacities[k]):g}"/>')
    return "".join(out)


def _each(value: Any, n: int) -> list[Any]:
    if isinstance(value, Mapping):
        return list(numbers(value))
    return [value] * n if isinstance(value, str) or np.ndim(value) == 0 else list(value)


def _marker(symbol: str, x: float, y: float, r: float) -> str:
    corners = _outline(symbol, r)
    if not corners:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"'
    return '<path d="M' + "L".join(f"{x + a:.1f} {y + b:.1f}" for a, b in corners) + 'Z"'


def _outline(symbol: str, r: float) -> list[tuple[float, float]]:
    """Corners of a marker around its middle; none for a circle."""
    if symbol in ("cross", "x"):
        turn = math.radians(45.0 if symbol == "x" else 0.0)
        cos, sin = r / 3 * math.cos(turn), r / 3 * math.sin(turn)
        return [(a * cos - b * sin, a * sin + b * cos) for a, b in _PLUS]
    if symbol == "star":
        return [_corner(r * (1.4 if k % 2 == 0 else 0.55), 36.0 * k) for k in range(10)]
    if symbol in _CORNERS:
        corners, turned, scale = _CORNERS[symbol]
        return [_corner(r * scale, turned + 360.0 * k / corners) for k in range(corners)]
    return []


def dots(trace: Spec, x: Axis, y: Axis) -> str:
    """Thousands of markers: those that look alike are one path, of some bytes a marker."""
    px, py, marker = x.at(trace["x"]), y.at(trace["y"]), trace.get("marker") or {}
    colours, sizes, symbols = (
        _each(marker.get(name, usual), px.size)
        for name, usual in (("color", "#666b73"), ("size", 6), ("symbol", "circle"))
    )
    alike: dict[tuple[str, str, float], list[str]] = {}
    for k in np.flatnonzero(np.isfinite(px) & np.isfinite(py)).tolist():
        look = str(symbols[k]), str(colours[k]), float(sizes[k]) / 2.0
        alike.setdefault(look, []).append(f"M{px[k]:.1f} {py[k]:.1f}")
    opacity = float(marker.get("opacity") or 1)
    return "".join(_alike(*look, opacity, at) for look, at in alike.items())


def _alike(symbol: str, colour: str, r: float, opacity: float, at: Sequence[str]) -> str:
    name, corners = symbol.removesuffix("-open"), _outline(symbol.removesuffix("-open"), r)
    if not corners and name == symbol:  # a line without length has round ends
        line = f'stroke-width="{2 * r:g}" stroke-linecap="round" stroke-opacity="{opacity:g}"'
        return f'<path d="{"".join(f"{each}h0" for each in at)}" fill="none" stroke="{attribute(colour)}" {line}/>'
    if corners:
        ends = pairwise(corners)
        steps = "".join(f"l{c - a:.1f} {d - b:.1f}" for (a, b), (c, d) in ends)
        shape = f"m{corners[0][0]:.1f} {corners[0][1]:.1f}{steps}z"
    else:
        shape = f"m{-r:g} 0a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0"
    paint = ("fill", "stroke") if name == symbol else ("stroke", "fill")
    return (
        f'<path d="{"".join(each + shape for each in at)}" {paint[0]}="{attribute(colour)}" {paint[1]}="none" '
        f'opacity="{opacity:g}"/>'
    )


def _corner(r: float, degrees: float) -> tuple[float, float]:
    turn = math.radians(degrees)
    return r * math.sin(turn), -r * math.cos(turn)


def bars(trace: Spec, x: Axis, y: Axis) -> str:
    """Bars from 0: upright, or lying where `orientation` is "h"."""
    lying = trace.get("orientation") == "h"
    across, along, places, values = (y, x, "y", "x") if lying else (x, y, "x", "y")
    at, to = numbers(trace[places]), along.at(trace[values])
    width = trace.get("width")
    wide = 0.8 if width is None else numbers(width)
    sides = np.sort([across.at(at - wide / 2.0), across.at(at + wide / 2.0)], axis=0)
    zero = float(along.at(0.0))
    colours = _each((trace.get("marker") or {}).get("color", "#666b73"), at.size)
    drawn = []
    for a, b, end, colour in zip(*sides, to, colours, strict=True):
        if np.isfinite(end):
            first, size = (a, min(end, zero)), (max(b - a, 0.3), abs(end - zero))
            (left, top), (w, h) = (first[::-1], size[::-1]) if lying else (first, size)
            drawn.append(
                f'<rect x="{left:.2f}" y="{top:.2f}" width="{w:.2f}" height="{h:.2f}" fill="{attribute(colour)}"/>'
            )
    return "".join(drawn)


def cells(trace: Spec, x: Axis, y: Axis) -> str:
    """The cells of a heatmap as one picture, a pixel a cell."""
    z = numbers(trace["z"])
    low, high = float(trace["zmin"]), float(trace["zmax"])
    share = np.clip((z - low) / ((high - low) or 1.0), 0.0, 1.0)
    codes = np.where(np.isfinite(share), 1.0 + np.rint(254.0 * share), 0.0).astype(np.uint8)
    palette = np.vstack([[0, 0, 0, 0], _palette(trace["colorscale"], np.linspace(0.0, 1.0, 255))])
    png = base64.b64encode(indexed_png(codes, palette.astype(np.uint8))).decode("ascii")
    left, top = min(x.start, x.end), min(y.start, y.end)
    return (
        f'<image x="{left:.1f}" y="{top:.1f}" width="{abs(x.end - x.start):.1f}" height="{abs(y.end - y.start):.1f}" '
        f'preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{png}"/>'
    )


def _palette(stops: Any, shares: FloatArray) -> FloatArray:
    places = [float(place) for place, _ in stops]
    colours = np.array([_channels(str(colour)) for _, colour in stops])
    return np.column_stack([np.rint(np.interp(shares, places, channel)) for channel in colours.T])


def _channels(colour: str) -> tuple[float, float, float, float]:
    if colour.startswith("#"):
        return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16), 255.0
    parts = [float(part) for part in re.findall(r"[\d.]+", colour)]
    return parts[0], parts[1], parts[2], 255.0 * (parts[3] if len(parts) > 3 else 1.0)


TRACES: Final[Mapping[str, Callable[[Spec, Axis, Axis], str]]] = MappingProxyType(
    {"scatter": scatter, "scattergl": dots, "bar": bars, "heatmap": cells}
)
