"""A result on one line, and as a small table: what a console and a notebook show in place of every array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

import numpy as np

Rows = tuple[tuple[str, str], ...]
"""What is said of a result: names with values, both as text."""
LONGEST_LINE: Final = 160
_LONGEST_TEXT, _FEW = 40, 3


def short(value: object) -> str:
    """A value in a few words: of an array its kind and shape, of a long tuple how many there are.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.base.summary import short
    >>> short(np.zeros((60, 3))), short(0.123456), short(("a", "b")), short(tuple("abcdefgh"))
    ('float64 (60, 3)', '0.1235', "('a', 'b')", '8 of str')
    """
    if isinstance(value, np.ndarray) or hasattr(value, "indptr"):
        return f"{getattr(value, 'dtype', '')} {getattr(value, 'shape', '')}"
    if isinstance(value, float | np.floating):
        return f"{value:.4g}"
    if isinstance(value, tuple | list):
        if len(value) <= _FEW:
            inside = ", ".join(map(short, value))
            return f"[{inside}]" if isinstance(value, list) else f"({inside})"
        return f"{len(value):,} of {type(value[0]).__name__}"
    if isinstance(value, Mapping):
        return _cut(f"{{{', '.join(map(str, value))}}}")
    return _cut(repr(value))


def _cut(text: str, most: int = _LONGEST_TEXT) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def one_line(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Title(name=value, ...), cut where it is too long."""
    said = f"{title}({', '.join(f'{name}={value}' for name, value in rows)})"
    return said if len(said) <= LONGEST_LINE else f"{said[: LONGEST_LINE - 2]}…)"


def as_table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """The same as a table of HTML, every text escaped."""
    lines = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption>{escape(title)}</caption>{lines}</table>"
