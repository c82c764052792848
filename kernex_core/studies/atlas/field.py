"""The atlas of a study: its accuracy along one parameter or two, every cell judged as the study's own page judges it.

One row is one value of the parameter that runs down: what is decomposed for it serves all of its columns. Rows come coarse
to fine, so that a part of them shows the whole. All cells of a row are about the same items, folds and hidden items; they
are compared by the one rule (`verdict_of`), with everything plain that was judged beside them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.learning.chance.interval import Interval, Passes, interval_of
from kernex_core.learning.chance.verdict import Candidate, Verdict, verdict_of
from kernex_core.studies.atlas.axes import NOTHING, Axis, Value
from kernex_core.studies.diagonals.shrink import coarse_first

RowSteps = Generator[None, None, "Row"]
"""Judges a row; None in between, so that others get their turn."""


@dataclass(frozen=True, eq=False)
class Row(ReadOnlyArrays):
    """What was judged at one value of the parameter that runs down.

    Attributes
    ----------
    by_item : (n_columns + n_beside, n_passes, n_items) float
        What each item has of the measure, in each pass: of the columns, then of what does not depend on their parameter.
        NaN in a column that could not be judged.
    beside : tuple of str
        Names of the latter.
    plain : tuple of str
        Those of them that are plain baselines.
    passes : Passes
    groups : (n_items,) str or None
        Groups that were kept together.
    classes : (n_items,) int or None
        Of a measure that is a mean over classes.
    floor : float
        The measure of one class for all.
    items : (n_items,) int
        Positions of the items that are judged.
    """

    by_item: FloatArray
    beside: tuple[str, ...]
    plain: tuple[str, ...]
    passes: Passes
    groups: NDArray[np.str_] | None
    classes: IntArray | None
    floor: float
    items: IntArray

    @cached_property
    def values(self) -> FloatArray:
        """(n_columns + n_beside,) mean over passes and items."""
        return owned(self.by_item.mean(axis=2).mean(axis=1))  # rounded as a page rounds it

    def interval(self, at: int) -> Interval:
        """For other data sets of this size."""
        return interval_of(self.by_item[at], self.passes, groups=self.groups, classes=self.classes)


class _Compared(NamedTuple):
    """A verdict, and what it calls what stands beside cells, by row and name."""

    verdict: Verdict | None
    names: Mapping[tuple[int, str], str]


@dataclass(frozen=True, eq=False)
class Field(ReadOnlyArrays):
    """An atlas, as far as it is filled.

    Attributes
    ----------
    across, down : Axis
        Columns and rows; without a second parameter `down` is `NOTHING`, and there is one row.
    measure : str
        What is judged, in words.
    smaller : bool
        It is a loss: the smallest is best.
    rows : tuple of Row or None
        None where nothing has been judged yet.
    failed : tuple of (int, str)
        Rows that could not be judged, and why.
    seconds : float
    """

    across: Axis
    down: Axis
    measure: str
    smaller: bool
    rows: tuple[Row | None, ...]
    failed: tuple[tuple[int, str], ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @classmethod
    def empty(cls, across: Axis, down: Axis, measure: str, *, smaller: bool = False) -> Field:
        """Return one without any row."""
        return cls(across, down, measure, smaller, (None,) * len(down.values))

    @property
    def done(self) -> int:
        """Rows that are there, or cannot be."""
        return sum(row is not None for row in self.rows) + len(self.failed)

    @property
    def total(self) -> int:
        """Rows in all."""
        return len(self.rows)

    @property
    def beside(self) -> tuple[str, ...]:
        """Names of everything that does not depend on the parameter of the columns."""
        return tuple(dict.fromkeys(name for row in self.rows if row is not None for name in row.beside))

    @cached_property
    def values(self) -> FloatArray:
        """(n_down, n_across) the measure; NaN where it is not known."""
        made = np.full((len(self.rows), len(self.across.values)), np.nan)
        for at, row in enumerate(self.rows):
            if row is not None:
                made[at] = row.values[: made.shape[1]]
        return owned(made)

    @cached_property
    def values_beside(self) -> FloatArray:
        """(n_down, n_beside) the same of what stands beside."""
        made = np.full((len(self.rows), len(self.beside)), np.nan)
        for at, row in enumerate(self.rows):
            for name in row.beside if row is not None else ():
                made[at, self.beside.index(name)] = self._value(at, name)
        return owned(made)

    def interval(self, down: int, across: int) -> Interval | None:
        """Interval of a cell; None where there is none."""
        row = self.rows[down]
        return None if row is None or np.isnan(self.values[down, across]) else row.interval(across)

    def interval_beside(self, down: int, name: str) -> Interval | None:
        """Interval of what stands beside a row."""
        row = self.rows[down]
        return None if row is None or name not in row.beside else row.interval(self._place(row, name))

    def changes(self, down: int) -> FloatArray | None:
        """(n_items, n_across) in which share of the passes each item of a row is named rightly, in each column.

        None of a row that is not there, and of a loss, to which an item adds more than right or wrong.
        """
        row = self.rows[down]
        if row is None or self.smaller:
            return None
        return owned(row.by_item[: len(self.across.values)].mean(axis=1).T.copy())

    def called(self, down: int, across: int) -> str:
        """A cell as a verdict names it: by what is chosen in it."""
        words = self.across.words(across)
        return f"{words}, {self.down.words(down)}" if self.down.is_choice else words

    # Which settings are best, and who is told apart from them. Where the second parameter is a choice, all of the field
    # is one question; where it is a circumstance, every row is one.

    def verdict(self, down: int) -> Verdict | None:
        """Who is best of what is compared with the cells of a row; None before all of it is judged."""
        return self._compared(down).verdict

    def _compared(self, down: int) -> _Compared:
        at = 0 if self.down.is_choice else down
        if at not in self._comparisons:
            self._comparisons[at] = self._comparing(self.compared_with(down))
        return self._comparisons[at]

    @cached_property
    def _comparisons(self) -> dict[int, _Compared]:
        return {}

    def compared_with(self, down: int) -> tuple[int, ...]:
        """Rows whose cells are compared with those of a row: all, where the second parameter is a choice."""
        return tuple(range(len(self.rows))) if self.down.is_choice else (down,)

    def _comparing(self, rows: tuple[int, ...]) -> _Compared:
        there = [(at, row) for at in rows if (row := self.rows[at]) is not None]
        if not there or (self.down.is_choice and self.done < self.total):
            return _Compared(None, {})
        columns = len(self.across.values)
        values: dict[str, FloatArray] = {}
        plain: list[str] = []
        names: dict[tuple[int, str], str] = {}
        for at, row in there:
            for k in range(columns):
                if not np.isnan(row.values[k]):
                    values[self.called(at, k)] = row.by_item[k]
        for at, row in there:
            for name, by_item in zip(row.beside, row.by_item[columns:], strict=True):
                own = [told for (_, other), told in names.items() if other == name]
                # what does not depend on the second parameter either is one candidate
                told = next((each for each in own if np.array_equal(values[each], by_item)), "")
                told = told or (f"{name}, {self.down.words(at)}" if name in values else name)
                names[at, name] = told
                plain += [told] if name in row.plain and told not in values else []
                values[told] = by_item
        if not values:
            return _Compared(None, names)
        first = there[0][1]
        found = verdict_of(
            values,
            first.passes,
            plain=plain,
            groups=first.groups,
            classes=first.classes,
            smaller=self.smaller,
        )
        return _Compared(found, names)

    def candidate(self, down: int, across: int) -> Candidate | None:
        """A cell in its verdict: with its p against the best; None before that is known."""
        made = self.verdict(down)
        if made is None or np.isnan(self.values[down, across]):
            return None
        return made.of(self.called(down, across))

    def candidate_beside(self, down: int, name: str) -> Candidate | None:
        """The same of what stands beside a row."""
        made, names = self._compared(down)
        return None if made is None or (down, name) not in names else made.of(names[down, name])

    @cached_property
    def as_good(self) -> BoolArray:
        """(n_down, n_across) whether a cell is best, or not told apart from the best of what it is compared with."""
        made = np.zeros(self.values.shape, dtype=np.bool_)
        for at in range(len(self.rows)):
            for k in range(len(self.across.values)):
                found = self.candidate(at, k)
                made[at, k] = found is not None and not found.told_apart
        return owned(made)

    def _value(self, down: int, name: str) -> float:
        row = self.rows[down]
        return float("nan") if row is None else float(row.values[self._place(row, name)])

    def _place(self, row: Row, name: str) -> int:
        return len(self.across.values) + row.beside.index(name)

    def table(self) -> list[dict[str, object]]:
        """A line a cell, and one for whatever stands beside, as a file has it."""
        made: list[dict[str, object]] = []
        for at, row in enumerate(self.rows):
            if row is None:
                continue
            own = {} if self.down is NOTHING else {self.down.name: self.down.values[at]}
            for k, value in enumerate(row.values.tolist()):
                cells = len(self.across.values)
                name = row.beside[k - cells] if k >= cells else ""
                found = self.candidate_beside(at, name) if name else self.candidate(at, k)
                ends = None if np.isnan(value) else row.interval(k)
                made.append(
                    {
                        **own,
                        self.across.name: "" if name else self.across.values[k],
                        "judged": name,
                        self.measure.replace(" ", "_"): value,
                        "interval_from": None if ends is None else ends.low,
                        "interval_to": None if ends is None else ends.high,
                        "p_holm_to_best": None if found is None else found.p,
                        "told_apart_from_best": None if found is None else found.told_apart,
                        "items": row.by_item.shape[2],
                    }
                )
        return made


def filling(
    start: Field, judging: Callable[[Value], RowSteps], done: Field | None = None
) -> Iterator[Field | None]:
    """Judge one row after another, both ends and the middle first; a state a row, and None in between.

    Parameters
    ----------
    start : Field
        Empty.
    judging : callable
        Judges the row of a value of `start.down`.
    done : Field, optional
        What an earlier run got to; it is not judged again.
    """
    begun = time.perf_counter()
    made = start if done is None else done
    earlier = made.seconds
    known = {*dict(made.failed), *(at for at, row in enumerate(made.rows) if row is not None)}
    places = coarse_first(tuple(range(made.total)))
    for at in (int(place) for place in places if place not in known):
        try:
            row = yield from judging(made.down.values[at])
        except KernexError as error:  # one value may be refused where the others are not
            made = replace(made, failed=(*made.failed, (at, str(error))))
        else:
            rows = (*made.rows[:at], row, *made.rows[at + 1 :])
            made = replace(made, rows=rows)
        made = replace(made, seconds=earlier + time.perf_counter() - begun)
        yield made


def row_of(
    columns: Iterable[FloatArray | None],
    beside: dict[str, FloatArray],
    plain: Iterable[str],
    *,
    passes: Passes,
    groups: NDArray[np.str_] | None,
    classes: IntArray | None,
    floor: float,
    items: IntArray,
) -> Row:
    """A row of what each candidate has of each item in each pass; None: a column that could not be judged."""
    found = list(columns)
    shape = next(each.shape for each in (*found, *beside.values()) if each is not None)
    cells = [np.full(shape, np.nan) if each is None else each for each in found]
    return Row(
        np.array([*cells, *beside.values()], dtype=np.float64),
        tuple(beside),
        tuple(name for name in plain if name in beside),
        passes,
        groups,
        classes,
        floor,
        items,
    )
