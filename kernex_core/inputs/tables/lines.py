"""Lines of a text: those of few, long ones are taken out of it when they are asked for, so that it is there once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

LONG = 2_000
"""Characters that lines of a text have on average from which on they are not copied."""


def lines_of_text(text: str) -> Sequence[str]:
    """Return the lines of a text, as `text.split("\\n")` does."""
    if LONG * text.count("\n") > len(text):
        return text.split("\n")
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return LongLines(text, starts, len(text))


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
