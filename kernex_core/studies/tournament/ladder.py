"""The ladder of a tournament: who took part, what each is worth, and who is told apart from the best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.learning.chance.interval import Interval, Passes
from kernex_core.learning.chance.verdict import Candidate, Verdict, verdict_of
from kernex_core.learning.leakage import State

LEVEL_WITH = 1e-9
"""Values that differ by less are the same, but for rounding."""


@dataclass(frozen=True, eq=False)
class Rung(ReadOnlyArrays):
    """One entrant that was judged.

    Attributes
    ----------
    name, kind, learner : str
    rank : int
        Place of its kind in the catalogue: the smaller, the simpler.
    plain : bool
    state : State
        What it has seen of tested items.
    by_item : (n_repeats, n_items) float
        What each item has of the measure in each repetition.
    interval : Interval
    seconds : float
    """

    name: str
    kind: str
    learner: str
    rank: int
    plain: bool
    state: State
    by_item: FloatArray
    interval: Interval
    seconds: float = field(default=0.0, compare=False)

    @property
    def value(self) -> float:
        """Mean over repetitions."""
        return float(self.by_item.mean())


@dataclass(frozen=True, eq=False)
class Ladder(ReadOnlyArrays):
    """A tournament, as far as it is judged.

    Attributes
    ----------
    rungs : tuple of Rung
        In the order of the catalogue.
    failed : dict of str to str
        Entrants that could not be judged, and why.
    left_out : dict of str to str
        Kernels that were not admitted, and why.
    names : tuple of str
        All entrants, judged or not.
    passes : Passes
    groups : (n_items,) str or None
    floor : float
        The measure of one class for all; NaN of numbers.
    smaller : bool
        Numbers are predicted, and the smallest error is best.
    seconds : float
    """

    rungs: tuple[Rung, ...]
    failed: Mapping[str, str]
    left_out: Mapping[str, str]
    names: tuple[str, ...]
    passes: Passes
    groups: NDArray[np.str_] | None
    floor: float
    smaller: bool = False
    seconds: float = field(default=0.0, compare=False)

    @property
    def done(self) -> int:
        """Entrants that are judged, or cannot be."""
        return len(self.rungs) + len(self.failed)

    @property
    def total(self) -> int:
        """Entrants in all."""
        return len(self.names)

    @property
    def measure(self) -> str:
        """What is judged, in words."""
        return "root mean squared error" if self.smaller else "multi-class accuracy"

    def rung(self, name: str) -> Rung:
        """The entrant of that name."""
        return next(each for each in self.rungs if each.name == name)

    @cached_property
    def verdict(self) -> Verdict | None:
        """Who is best of all that are judged, and who is told apart from it: Holm over all pairs; None before the first."""
        if not self.rungs:
            return None
        made = verdict_of(
            {each.name: each.by_item for each in self.rungs},
            self.passes,
            plain=[each.name for each in self.rungs if each.plain],
            groups=self.groups,
            scale="error" if self.smaller else "share",
            smaller=self.smaller,
        )
        return Verdict(
            tuple(replace(each, interval=self.rung(each.name).interval) for each in made.candidates)
        )

    @property
    def simplest(self) -> Candidate | None:
        """The simplest of the best and of those that are not told apart from it; of equally simple ones the best."""
        if self.verdict is None:
            return None
        level = (self.verdict.best, *self.verdict.as_good)
        return min(level, key=lambda each: self.rung(each.name).rank)

    @cached_property
    def wins(self) -> Mapping[str, float]:
        """In which share of the repetitions each would have won by that repetition alone; level ones share it."""
        values = np.array([each.by_item.mean(axis=1) for each in self.rungs])
        values = values if self.smaller else -values
        first = values <= values.min(axis=0) + LEVEL_WITH
        shares = (first / first.sum(axis=0)).mean(axis=1)
        return {each.name: float(share) for each, share in zip(self.rungs, shares, strict=True)}

    def table(self) -> list[dict[str, object]]:
        """A line an entrant, best first, then those that were not judged, as a file has it."""
        verdict = self.verdict
        simplest = self.simplest
        made: list[dict[str, object]] = []
        for each in () if verdict is None else verdict.candidates:
            rung = self.rung(each.name)
            made.append(
                {
                    "entrant": each.name,
                    "kind": rung.kind,
                    "learner": rung.learner,
                    "plain": each.plain,
                    self.measure.replace(" ", "_").replace("-", "_"): each.value,
                    "interval_from": each.interval.low,
                    "interval_to": each.interval.high,
                    "p_holm_to_best": each.p,
                    "told_apart_from_best": each.told_apart,
                    "simplest_as_good": each is simplest,
                    "wins": self.wins[each.name],
                    "seen": rung.state.words,
                    "seconds": rung.seconds,
                    "not_judged": "",
                }
            )
        for name, reason in {**self.failed, **self.left_out}.items():
            made.append({"entrant": name, "not_judged": reason})
        return made
