"""Ids on top of a square table brought in line with those on the left, also where a program changed some of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note

_NUMBERED = re.compile(r"(?:V|X|C|col|column|row|R)?[ _.]?(\d+)$", re.IGNORECASE)
_RESERVED = frozenset(
    {"if", "else", "repeat", "while", "function", "for", "next", "break", "in", "TRUE", "FALSE", "NULL"}
)
"""Words of R that are no names."""


def numbered(names: Sequence[str]) -> bool:
    """Whether names say nothing but their place: V1, V2, … (R), 1, 2, …, or 0, 1, …."""
    numbers = [match and int(match[1]) for match in map(_NUMBERED.match, names)]
    return len(numbers) > 0 and numbers in (list(range(1, len(numbers) + 1)), list(range(len(numbers))))


def mangled(name: str) -> str:
    """What R's make.names (check.names = TRUE) makes of a name: a valid name of a variable.

    Examples
    --------
    >>> mangled("1abc-A"), mangled("HLA-DRA"), mangled("g 3")
    ('X1abc.A', 'HLA.DRA', 'g.3')
    """
    made = re.sub(r"[^\w.]", ".", name)
    if not re.match(r"[^\W\d_]|\.(?!\d)", made):
        made = "X" + made
    return made + "." if made in _RESERVED else made


def column_order(
    top: Sequence[str], left: Sequence[str], filename: str
) -> tuple[list[int], list[str], tuple[Note, ...]]:
    """Order of the columns that brings them in line with the rows, the ids that count, and what is said about it.

    Parameters
    ----------
    top, left : sequence of str
        Ids on both axes.
    filename : str

    Raises
    ------
    InvalidInputError
        Different items on the two axes.
    """
    above, beside = [name.strip() for name in top], [name.strip() for name in left]
    as_they_are = list(range(len(above)))
    if above == beside:
        return as_they_are, list(left), ()
    if sorted(above) == sorted(beside):
        place = {name: position for position, name in enumerate(above)}
        note = Note(
            "Rows and columns are in a different order.",
            "The columns are brought into the order of the rows, by id.",
        )
        return [place[name] for name in beside], list(left), (note,)
    changed = [mangled(name) for name in beside]
    if sorted(above) == sorted(changed) and len(set(changed)) == len(changed):
        place = {name: position for position, name in enumerate(above)}
        example = next(k for k, name in enumerate(beside) if name != changed[k])
        note = Note(
            f"R changed ids on top into names of variables: {changed[example]!r} for {beside[example]!r}.",
            "The ids on the left count.",
            "Write the table with check.names = FALSE.",
        )
        return [place[name] for name in changed], list(left), (note,)
    if numbered(above) or numbered(beside):
        told = beside if numbered(above) else above
        note = Note(
            f"The ids on {'top' if told is beside else 'the left'} only count the items "
            f"({listed(above if told is beside else beside, 2)}), as R writes where it has no names.",
            f"The items are called as on {'the left' if told is beside else 'top'} ({listed(told, 2)}), in the same order.",
        )
        return as_they_are, list(left if told is beside else top), (note,)
    only_left = [name for name in beside if name not in set(above)] or beside
    raise InvalidInputError(
        "The ids on top and on the left have to be the same",
        f"{only_left[0]!r} on the left of {filename} more often than on top",
        "A similarity matrix compares its items with themselves",
    )
