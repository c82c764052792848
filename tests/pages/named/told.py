"""Numbers in a text as pages write them, and whether they are those that are meant."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from pages.ui.shown import unmarked

_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_NUMBER = re.compile(
    r"(?<![\w.])(<\s*)?([+−-]?)(\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s*[×·]\s*10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|[eE]([+-]?\d+))?(?![\w]*[A-Za-z_])"
)


@dataclass(frozen=True)
class Told:
    """One number of a text, and half a unit of its last digit."""

    value: float
    half_unit: float
    bound: bool = False

    def is_(self, expected: float) -> bool:
        """Whether it is another number, rounded, or above it where it is said as a bound."""
        if self.bound:
            return 0.0 <= expected < self.value
        return abs(self.value - expected) <= self.half_unit * (1 + 1e-6) + 1e-12 * abs(expected)


def numbers(text: str) -> list[Told]:
    """Numbers of a text in their order; marks and dashes for what is unknown are none."""
    found = []
    for below, sign, digits, power, exponent in _NUMBER.findall(unmarked(str(text)).replace("\u00a0", " ")):
        plain = digits.replace(",", "")
        scale = 10.0 ** int(power.translate(_SUPERSCRIPTS) if power else exponent or 0)
        places = len(plain.partition(".")[2])
        if len(plain) > 4 and plain.endswith("000"):  # large numbers have three digits, and then zeros
            places = len(plain.rstrip("0")) - len(plain)
        value = float(plain) * scale * (-1.0 if sign in ("−", "-") else 1.0)
        found.append(Told(value, 0.5 * 10.0**-places * scale, bool(below)))
    return found


def tells(text: str, expected) -> bool:
    """Whether a text says these numbers and no others; unknown ones (NaN, None) are not said."""
    meant = [float(one) for one in expected if one is not None and not math.isnan(one)]
    said = numbers(text)
    return len(said) == len(meant) and all(one.is_(other) for one, other in zip(said, meant, strict=True))
