"""How numbers are written, everywhere: the one place that decides.

    number(0.0000105)   "1.05 × 10⁻⁵"     three significant digits, a real minus, no negative zero
    number(1580.6)      "1,581"            a number of four digits whole: with three it would read 1,580
    number(118234)      "118,000"          number(97.12, 1) "97.1"
    percent(0.25)       "25 %"             a share between 0 and 1
    p_value(0.00001)    "< 0.0001"         four decimals
    span(0.931, 0.99)   "93–99 %"          both ends of an interval of shares
    duration(150)       "2 min"            a guess of how long something takes

    in_table(frame)     a table whose numbers are written so, and are still sorted by size

Spaces within a number, and before its %, do not break; `unbroken` makes those of a text so. Counts are written with
f"{n:,}"; powers of ten are those of `kernex_core.base.digits`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from kernex_core.base.digits import typeset

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler


_PERCENT: Final = re.compile(r"(?<=\d) (?=%(?!\w))")
_POWER: Final = re.compile(r"(?<=\d)[ \u00a0]×[ \u00a0](?=10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻])")


def number(value: float, decimals: int | None = None) -> str:
    """A number with a real minus: fixed `decimals`, or three significant digits without trailing zeros; 1,581, 118,000."""
    if not math.isfinite(value):
        return "unknown" if math.isnan(value) else ("∞" if value > 0 else "−∞")
    decimals = 0 if decimals is None and 1e3 <= abs(value) < 1e4 else decimals
    text = f"{value:.3g}" if decimals is None else f"{value:,.{decimals}f}"
    if decimals is None and "e" in text and 1e-4 <= abs(value) < 1e7:
        text = f"{float(text):,.0f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return typeset(text).replace("-", "−")


def p_value(p: float) -> str:
    """A p-value with four decimals; one that these would show as 0 is below 0.0001."""
    return "< 0.0001" if 0.0 <= p < 0.00005 else number(p, 4)


def percent(share: float, decimals: int = 0) -> str:
    """A share between 0 and 1 as "25 %"."""
    return f"{number(100 * share, decimals)}\u00a0%"


def span(low: float, high: float) -> str:
    """Both ends of an interval of shares between 0 and 1, as "93–99 %"."""
    return f"{number(100.0 * low, 0)}–{number(100.0 * high, 0)}\u00a0%"


def duration(seconds: float) -> str:
    """A length of time as people say it, no finer than a guess is."""
    if seconds < 100:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def unbroken(text: str) -> str:
    """Keep numbers of a text on one line: the spaces in 95 % and in 1.05 × 10⁻⁵ do not break."""
    return _POWER.sub("\u00a0×\u00a0", _PERCENT.sub("\u00a0", text))


def in_table(table: pd.DataFrame) -> Styler:
    """Write the fractions of a table with a real minus, a column with as many decimals; it is sorted by their values."""
    import pandas as pd  # slow: a server that starts does not wait for it

    fractions = [name for name in table.columns if pd.api.types.is_float_dtype(table[name])]
    return table.style.format({name: _column(table[name]) for name in fractions})


def _column(values: pd.Series[float]) -> Callable[[Any], str]:
    """Four significant digits of the largest; what would then read 0 and is not is written by itself."""
    sizes = [abs(value) for value in values.tolist() if math.isfinite(value)]
    largest = max(sizes, default=0.0)
    decimals = 3 - math.floor(math.log10(largest)) if 1e-4 <= largest < 1e6 else None

    def written(value: float) -> str:
        tiny = decimals is not None and value != 0 and abs(value) < 0.5 * 10.0**-decimals
        return number(value, None if tiny or decimals is None else max(decimals, 0))

    return written
