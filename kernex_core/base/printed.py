"""Powers of ten as a book prints them, within texts in which Python has written them its way."""

from __future__ import annotations

import re
from typing import Final

_RAISED: Final = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_PRINTED: Final = re.compile(r"(?<![\w.])([-−]?)(\d(?:\.\d+)?)e([-+−]?)(\d{1,3})\b")


def typeset(text: str) -> str:
    """Write powers of ten within a text as they are printed in a book: 1.05e-05 becomes 1.05 × 10⁻⁵, 1e6 becomes 10⁶."""
    return _PRINTED.sub(_power, text)


def _power(found: re.Match[str]) -> str:
    sign, mantissa, direction, exponent = found.groups()
    before = "" if float(mantissa) == 1.0 else f"{mantissa}\u00a0×\u00a0"
    power = power_of_ten(int(exponent) * (-1 if direction in ("-", "−") else 1))
    return f"{'−' if sign else ''}{before}{power}"


def power_of_ten(exponent: int) -> str:
    """10 to a whole power."""
    return "10" + str(exponent).translate(_RAISED)
