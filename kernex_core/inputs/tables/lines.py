"""Lines of a text, cut out of it only as far as somebody asks for them: most of them nobody does, one by one."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final, overload

import numpy as np

PIECE: Final = 1 << 18
"""Characters that are split at once."""
LONG: Final = 200
"""Characters that lines have on average from which on a step of Python's own for each costs little."""
_MAYBE_BLANK: Final = np.array([chr(k).isspace() or chr(k) == "?" for k in range(256)])
"""By code: letters of Latin-1 that are white space, and what stands for all others."""


class Lines(Sequence[str]):
    """Lines of a text, as `text.split("\\n")` gives them, from one of them on.

    Parameters
    ----------
    text : str
    start : int
        Where the first of them begins.
    """

    def __init__(self, text: str, start: int = 0) -> None:
        self._text, self._start = text, start
        self._starts = [start]  # of the first lines, as far as they were asked for

    @property
    def text(self) -> str:
        """All of them."""
        return self._text[self._start :]

    def has(self, text: str) -> bool:
        """Whether a text that is not empty stands in them."""
        return self._text.find(text, self._start) >= 0

    @cached_property
    def _length(self) -> int:
        return self._text.count("\n", self._start) + 1

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            if at.stop is None and at.step in (None, 1) and (first := at.start or 0) >= 0:
                with suppress(IndexError):
                    return Lines(self._text, self._start_of(first))
                return ()
            if at.stop is not None and min(at.start or 0, at.stop) >= 0:
                return list(itertools.islice(self, at.start, at.stop, at.step))
            return [self[k] for k in range(len(self))[at]]
        return self._line_at(self._start_of(range(len(self))[at] if at < 0 else at))

    def _start_of(self, line: int) -> int:
        while len(self._starts) <= line:
            end = self._text.find("\n", self._starts[-1])
            if end < 0:
                raise IndexError(line)
            self._starts.append(end + 1)
        return self._starts[line]

    def __iter__(self) -> Iterator[str]:
        at, size = self._start, PIECE >> 6  # few lines are wanted as a rule
        while (end := self._text.find("\n", at + size)) >= 0:
            yield from self._text[at:end].split("\n")
            at, size = end + 1, min(2 * size, PIECE)
        yield from self._text[at:].split("\n")

    def blank_at_first(self) -> Iterator[str]:
        """Those that are empty or begin with white space, and perhaps others."""
        if len(self) * LONG < len(self._text) - self._start:
            for k in range(len(self)):
                start = self._start_of(k)
                if not self._text[start : start + 1].strip():
                    yield self._line_at(start)
            return
        codes = np.frombuffer(self.text.encode("latin-1", "replace") + b"\n", np.uint8)
        starts = np.concatenate([[0], np.flatnonzero(codes[:-1] == ord("\n")) + 1])
        maybe = starts[_MAYBE_BLANK[codes[starts]]]
        yield from map(self._line_at, (self._start + maybe).tolist())

    def _line_at(self, start: int) -> str:
        end = self._text.find("\n", start)
        return self._text[start:] if end < 0 else self._text[start:end]

    def __reversed__(self) -> Iterator[str]:
        end = len(self._text)
        while (at := self._text.rfind("\n", self._start, end)) >= 0:
            yield self._text[at + 1 : end]
            end = at
        yield self._text[self._start : end]


def occurs(mark: str, lines: Sequence[str]) -> bool:
    """Whether any of the lines holds a letter; of very many that is looked at without a step of Python's own for each."""
    if isinstance(lines, Lines):
        return lines.has(mark)
    return any(map(operator.contains, lines, itertools.repeat(mark)))


def begins(mark: str, lines: Sequence[str]) -> bool:
    """Whether any of the lines begins with a letter."""
    if isinstance(lines, Lines):
        return lines.has(mark) and (lines[0].startswith(mark) or lines.has("\n" + mark))
    return any(map(str.startswith, lines, itertools.repeat(mark)))


def joined(lines: Sequence[str]) -> str:
    """The text of lines."""
    return lines.text if isinstance(lines, Lines) else "\n".join(lines)
