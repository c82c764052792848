"""How a text table is written: separator and decimal mark, found out by trying which explains the lines best."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

SAMPLE = 60
"""Rows that are looked at."""
SAMPLE_SIZE = 200_000
WIDTH = 50
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?$")
_SPANNING = re.compile(r'(?:^|\t)"[^"\t]*\t')
"""A mark that begins a field and is not closed in it."""


@dataclass(frozen=True)
class Dialect:
    """How a table is written.

    Attributes
    ----------
    separator : str
        One character; " " stands for any white space.
    decimal_comma : bool
    padded : bool
        A blank follows every separator and belongs to it.
    quoted : bool
        Quotation marks enclose fields; otherwise they are letters like all others, as search tools write them.
    """

    separator: str
    decimal_comma: bool = False
    padded: bool = False
    quoted: bool = True

    @property
    def quoting(self) -> Literal[0, 3]:
        """What the module csv calls it."""
        return csv.QUOTE_MINIMAL if self.quoted else csv.QUOTE_NONE


def find_dialect(lines: Sequence[str]) -> Dialect:
    """Find out how lines are written, from the first of them."""
    sample = list(_sample(lines))
    best = max("\t;, ", key=lambda s: (_fitness(sample, s), -"\t;, ".index(s)))
    # nobody writes a tab inside a field: other marks inside fields say nothing where tabs divide all lines alike
    separator = "\t" if _divides_evenly(sample, "\t") else best
    if separator == " " and not _divides_alike(sample, " "):
        # blanks inside names, below a heading that has none: a mark that divides the heading, too, explains more
        separator = next((mark for mark in ";," if _divides_alike(sample, mark)), separator)
    if separator == ",":  # commas that stand in numbers alone, where another mark divides, are decimal
        separator = next((mark for mark in "; " if _only_decimal_commas(sample, mark)), separator)
    rows = _split(sample, separator)
    # ids such as "0." stand on top or on the left, and are no numbers with a point
    inner = [field.strip() for fields in rows[1:] for field in fields[1:WIDTH]]
    fields = inner or [field.strip() for fields in rows for field in fields[:WIDTH]]
    commas = sum(bool(DECIMAL_COMMA.match(field)) for field in fields)
    points = sum("." in field and bool(NUMBER.match(field)) for field in fields)
    joint = "".join(sample)
    padded = separator in ",;" and 0 < joint.count(separator) == joint.count(separator + " ")
    return Dialect(separator, commas > points, padded, uses_quotes(lines, separator))


def _divides_alike(sample: Sequence[str], mark: str) -> bool:
    """Whether a mark divides all lines, a heading among them, into as many fields, at least two."""
    rows = _split(sample, mark)
    return len({len(fields) for fields in rows}) == 1 and len(rows[0]) > 1


def _only_decimal_commas(sample: Sequence[str], mark: str) -> bool:
    """Whether a mark divides all lines into as many fields, in which commas stand in numbers alone."""
    rows = [line.split() if mark == " " else line.split(mark) for line in sample]
    sizes = {len(fields) for fields in rows[1:] or rows}
    if len(sizes) != 1 or min(sizes) < 2 or len(rows[0]) not in (min(sizes), min(sizes) - 1):
        return False
    with_comma = [field.strip() for fields in rows for field in fields if "," in field]
    return bool(with_comma) and all(map(DECIMAL_COMMA.match, with_comma))


def uses_quotes(lines: Sequence[str], separator: str) -> bool:
    """Whether quotation marks enclose fields.

    They do not where a mark stands at one end of a field alone, if all lines with such marks have as many fields as the
    others once marks are letters, and have not where marks enclose.
    """
    odd = [line for line in lines if '"' in line and not _plainly_enclosed(line, separator)]
    if separator == "\t" and (spanning := [x for x in lines if '"' in x and _SPANNING.search(x)]):
        # nobody writes a tab inside a field: marks are letters where all lines then have as many fields
        sample = [line for line in itertools.islice(lines, SAMPLE) if line.strip()]
        bare = [_bare(line, separator) for line in (*sample, *spanning, *odd)]
        if len(set(bare)) == 1 and bare[0] > 1:
            return False
    if not odd:
        return True
    others = [
        line
        for line in itertools.islice(lines, SAMPLE)
        if line.strip() and _plainly_enclosed(line, separator)
    ]
    even = [_enclosed(line, separator) for line in others]
    enclosing, bare = [_enclosed(line, separator) for line in odd], [_bare(line, separator) for line in odd]
    return _agree(enclosing, even or enclosing) or not _agree(bare, even or bare)


def _agree(widths: Sequence[int], expected: Sequence[int]) -> bool:
    """Whether all numbers of fields are the commonest of the expected ones, and more than one."""
    commonest = max(set(expected), key=expected.count)
    return commonest > 1 and all(width == commonest for width in widths)


def _plainly_enclosed(line: str, separator: str) -> bool:
    """Whether all marks of a line stand at the beginning and at the end of fields, found by counting alone."""
    begin = line.count(f'{separator}"') + line.startswith('"')
    end = line.count(f'"{separator}') + line.endswith('"')
    return begin == end and line.count('"') == 2 * begin


def _bare(line: str, separator: str) -> int:
    """Number of fields if quotation marks mean nothing."""
    return len(line.split() if separator == " " else line.split(separator))


def _enclosed(line: str, separator: str) -> int:
    """Number of fields if quotation marks enclose; 0 if they do so wrongly."""
    space = separator == " "
    reader = csv.reader(
        [line.strip() if space else line], delimiter=separator, skipinitialspace=space, strict=True
    )
    try:
        return len(next(reader, []))
    except csv.Error:
        return 0


def _divides_evenly(sample: Sequence[str], separator: str) -> bool:
    counts = [line.count(separator) for line in sample]
    # a header in the style of R has one field less, and a field in quotation marks may hold anything
    return (
        bool(counts)
        and min(counts[1:] or counts) > 0
        and len(set(counts[1:] or counts)) == 1
        and (counts[0] in (counts[-1], counts[-1] - 1))
    )


def _sample(lines: Sequence[str]) -> Iterator[str]:
    """First lines, fewer of them where they are long."""
    size = 0
    for line in itertools.islice(lines, SAMPLE):
        if line.strip(" "):
            yield line
        size += len(line)
        if size > SAMPLE_SIZE:
            return


def _split(sample: Sequence[str], separator: str) -> list[list[str]]:
    space = separator == " "
    lines = [line.strip() if space else line for line in sample]
    quoting = Dialect(separator, quoted=uses_quotes(lines, separator)).quoting
    try:
        return [
            f for f in csv.reader(lines, delimiter=separator, skipinitialspace=space, quoting=quoting) if f
        ]
    except csv.Error:
        return []


def _fitness(sample: Sequence[str], separator: str) -> float:
    """How well a separator explains the lines: evenness of the number of fields, plus the share of numbers in them."""
    rows = _split(sample, separator)
    several = [len(fields) for fields in rows if len(fields) > 1]
    if not several:
        return 0.0
    commonest = max(set(several), key=lambda count: (several.count(count), count))
    # a header in the style of R has one field less
    fitting = sum(len(f) == commonest or (i == 0 and len(f) == commonest - 1) for i, f in enumerate(rows))
    shown = [field.strip() for fields in rows for field in fields[:WIDTH]]
    numeric = sum(bool(NUMBER.match(field) or DECIMAL_COMMA.match(field)) for field in shown)
    return fitting / len(rows) + numeric / len(shown)
