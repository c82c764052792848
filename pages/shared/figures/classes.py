"""Which classes have a colour of their own where there are more than ten: the nine largest, or those that a visitor chose.

    classes = Classes(("a", "b", None), coloured=("b",))     # to be used like the names themselves
    class_styles(classes)                                    # "b" in its colour, all others in grey

A class keeps its colour on every page, also where only some of the items are shown, and while others come and go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, overload

MOST: Final = 9
"""Classes that are chosen to have a colour; the tenth is that of all others."""


@dataclass(frozen=True)
class Classes(Sequence[str | None]):
    """Class of each item, with the choice of those that are coloured.

    Attributes
    ----------
    names : tuple of str or None
        None or "" = unlabelled.
    coloured : tuple of str
        By the place of their colour; "" where a colour is free. Empty: the largest ones are.
    """

    names: tuple[str | None, ...]
    coloured: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str | None]:
        return iter(self.names)

    @overload
    def __getitem__(self, at: int) -> str | None: ...
    @overload
    def __getitem__(self, at: slice) -> Classes: ...
    def __getitem__(self, at: int | slice) -> str | Classes | None:
        return Classes(self.names[at], self.coloured) if isinstance(at, slice) else self.names[at]


def coloured_of(classes: Sequence[str | None]) -> tuple[str, ...]:
    """Return the choice that comes with the classes of items; empty where nobody has chosen."""
    return classes.coloured if isinstance(classes, Classes) else ()


def like(classes: Sequence[str | None], names: Sequence[str | None]) -> Sequence[str | None]:
    """Return the classes of other items of the same data, with the same choice.

    Examples
    --------
    >>> like(Classes(("a", "b"), ("b",)), ["a"])
    Classes(names=('a',), coloured=('b',))
    """
    coloured = coloured_of(classes)
    return Classes(tuple(names), coloured) if coloured else names


def recoloured(before: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the choice by the place of the colour: who stays keeps its own, who is new takes one that is free.

    Parameters
    ----------
    before : sequence of str
        The choice until now; "" where a colour is free.
    wanted : sequence of str
        The choice from now on, of which the first nine count.

    Examples
    --------
    >>> recoloured(["a", "b", "c"], ["a", "c", "d"])
    ('a', 'd', 'c', '', '', '', '', '', '')
    """
    wanted = list(wanted)[:MOST]
    held = [name if name in wanted else "" for name in before][:MOST]
    held += [""] * (MOST - len(held))
    new = iter([name for name in wanted if name not in held])
    return tuple(name or next(new, "") for name in held)
