"""How a text table is written: separator and decimal mark, found out by trying which explains the lines best."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SAMPLE = 60
"""Rows that are looked at."""
SAMPLE_SIZE = 200_000
WIDTH = 50
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?$")


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
    """

    separator: str
    decimal_comma: bool = False
    padded: bool = False


def find_dialect(lines: Sequence[str]) -> Dialect:
    """Find out how lines are written, from the first of them."""
    sample = list(_sample(lines))
    separator = max("\t;, ", key=lambda s: (_fitness(sample, s), -"\t;, ".index(s)))
    rows = _split(sample, separator)
    # ids such as "0." stand on top or on the left, and are no numbers with a point
    inner = [field.strip() for fields in rows[1:] for field in fields[1:WIDTH]]
    fields = inner or [field.strip() for fields in rows for field in fields[:WIDTH]]
    commas = sum(bool(DECIMAL_COMMA.match(field)) for field in fields)
    points = sum("." in field and bool(NUMBER.match(field)) for field in fields)
    joint = "".join(sample)
    padded = separator in ",;" and 0 < joint.count(separator) == joint.count(separator + " ")
    return Dialect(separator, commas > points, padded)


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
    try:
        return [f for f in csv.reader(lines, delimiter=separator, skipinitialspace=space) if f]
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
