"""Lines of a text: those of few, long ones are taken out of it when they are asked for, so that it is there once."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

LONG = 2_000
"""Characters that lines of a text have on average from which on they are not copied."""
MARKS = "#\"'"
"""Letters that change how a table is read, and that most files have none of."""


def lines_of_text(text: str) -> Sequence[str]:
    """Return the lines of a text, as `text.split("\\n")` does."""
    if LONG * text.count("\n") > len(text):
        return ShortLines(text.split("\n"), (mark for mark in MARKS if mark not in text))
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return LongLines(text, starts, len(text))


def occurs(mark: str, lines: Sequence[str]) -> bool:
    """Whether any of the lines holds a letter; of very many that is looked at without a step of Python's own for each."""
    if isinstance(lines, ShortLines) and mark in lines.lacks:
        return False
    return any(map(operator.contains, lines, itertools.repeat(mark)))


class ShortLines(list[str]):
    """Lines of a text, with those of MARKS that it lacks: nobody looks for these again line by line.

    Parameters
    ----------
    lines, lacks : iterables of str
    """

    def __init__(self, lines: Iterable[str], lacks: Iterable[str]) -> None:
        super().__init__(lines)
        self.lacks = frozenset(lacks)

    def behind(self, first: int) -> ShortLines:
        """All lines from one on."""
        return ShortLines(self[first:], self.lacks) if first else self


class LongLines(Sequence[str]):
    """Some lines of a text that follow each other.

    Parameters
    ----------
    text : str
    starts : list of int
        Where each begins.
    end : int
        Where the last one ends.
    """

    def __init__(self, text: str, starts: list[int], end: int) -> None:
        self._text, self._starts, self._end = text, starts, end

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, int):
            first = range(len(self))[at]
            return self._text[self._starts[first] : self._end_of(first)]
        chosen = range(len(self))[at]
        if at.step not in (None, 1):
            return [self[k] for k in chosen]
        end = self._end_of(chosen[-1]) if chosen else self._end
        return LongLines(self._text, self._starts[at], end)

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    def _end_of(self, line: int) -> int:
        return self._starts[line + 1] - 1 if line + 1 < len(self._starts) else self._end
