"""Axes of a still chart: where values lie in pixels, and which of them are ticks."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from kernex_core.base.frozen import FloatArray
from pages.shared.figures.theme import number

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
