"""Where a choice stopped because its grid did: the end of a grid that most folds chose, which has to be said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kernex_core.frozen import EqualByContent


@dataclass(frozen=True, eq=False)
class GridEnd(EqualByContent):
    """The first or last value of a grid, chosen in more than half of the folds.

    Attributes
    ----------
    letter : str
        What was chosen: "C", "λ", "k", "τ".
    value : float
    largest : bool
        Whether it is the largest of the grid, not the smallest.
    times, folds : int
        In how many of how many folds it was chosen.
    """

    letter: str
    value: float
    largest: bool
    times: int
    folds: int

    @property
    def words(self) -> str:
        """In a sentence."""
        end, beyond = ("largest", "larger") if self.largest else ("smallest", "smaller")
        return (
            f"The grid of {self.letter} ends where it is chosen: {self.letter} = {self.value:g}, the {end} that was tried, "
            f"in {self.times} of {self.folds} folds; a {beyond} one may do better."
        )


class Along(NamedTuple):
    """A parameter that candidates differ in: its letter, a value a candidate, and ends beyond which there is nothing."""

    letter: str
    values: tuple[float, ...]
    low: float | None = None
    high: float | None = None


def grid_end(
    letter: str,
    used: Iterable[tuple[float, int]],
    grid: Sequence[float],
    *,
    low: float | None = None,
    high: float | None = None,
) -> GridEnd | None:
    """The end of the grid that more than half of the folds chose; None where there is none.

    Parameters
    ----------
    letter : str
        Name of what is chosen.
    used : iterable of (float, int)
        Each value that was chosen, and in how many folds.
    grid : sequence of float
        What was chosen from; a single value is no choice.
    low, high : float, optional
        Ends beyond which there is nothing, such as one neighbour: a grid that ends there misses nothing.

    Examples
    --------
    >>> from kernex_core.learning.chance.grid_end import grid_end
    >>> grid_end("C", [(1.0, 2), (100.0, 3)], (0.01, 1.0, 100.0)).words.partition(":")[2]
    ' C = 100, the largest that was tried, in 3 of 5 folds; a larger one may do better.'
    >>> grid_end("k", [(1.0, 5)], (1, 3, 5), low=1) is None
    True
    """
    counts = dict(used)
    folds = sum(counts.values())
    if len(set(grid)) < 2:
        return None
    for value, largest, nothing_beyond in ((min(grid), False, low), (max(grid), True, high)):
        times = counts.get(value, 0)
        if 2 * times > folds and value != nothing_beyond:
            return GridEnd(letter, float(value), largest, times, folds)
    return None
