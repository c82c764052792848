"""GramMatrix: similarities between n named items, NaN where unknown, with the record of how they came to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kernex_core.base.digests import digest
from kernex_core.base.digits import half_units, spectral_bound
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import (
    BoolArray,
    EqualByContent,
    FloatArray,
    IntArray,
    ReadOnlyArrays,
    Rows,
    owned,
    read_only,
)
from kernex_core.base.validation import as_square, as_symmetric
from kernex_core.gram.provenance import Call, call, method
from kernex_core.gram.seen import BROUGHT, Seen, SeenArray, seen_of
from kernex_core.gram.step import FittedStep, Step, carried_error_bound, nearest_kernel

# Which items: positions from a mask or a list, and ids that are one distinct name an item.


def as_positions(items: ArrayLike, n: int) -> IntArray:
    """Positions of selected items from a mask or from positions, in the order given.

    Raises
    ------
    InvalidInputError
        Nothing selected, or out of range.
    """
    try:
        given = np.asarray(items)
    except ValueError as error:
        raise InvalidInputError("A selection has to be a mask or a list of positions", str(error)) from None
    if given.ndim != 1 or (given.size and given.dtype.kind not in "bui"):
        raise InvalidInputError(
            "A selection has to be a mask or a list of whole numbers", f"{given.dtype} of shape {given.shape}"
        )
    positions = np.flatnonzero(given) if given.dtype == np.bool_ else given.astype(np.int64)
    if given.dtype == np.bool_ and given.size != n:
        raise InvalidInputError(f"A selection has to say yes or no for each of {n} items", str(given.size))
    if positions.size == 0:
        raise InvalidInputError("At least one item has to be selected", "none")
    if positions.min() < 0 or positions.max() >= n:
        raise InvalidInputError(f"Selected positions have to lie in 0 to {n - 1}", str(positions))
    return positions.astype(np.int64)


LONGEST_NAME = 10_000
"""Letters of an id, or of a class: each picture, table and sentence of a page carries them."""


def check_ids(ids: Sequence[str], n: int) -> None:
    """Refuse ids that are not one distinct name an item, or that nobody could write anywhere.

    Raises
    ------
    InvalidInputError
        Naming the first repeated id, or the longest.
    """
    if len(ids) != n:
        raise InvalidInputError(f"There has to be one id an item ({n})", f"{len(ids)} ids")
    if max(map(len, ids), default=0) > LONGEST_NAME:
        longest = max(ids, key=len)
        raise InvalidInputError(
            f"An id has at most {LONGEST_NAME:,} letters",
            f"{len(longest):,}, beginning with {longest[:40]!r}",
            "Write shorter ids; in FASTA a blank ends the id",
        )
    if len(set(ids)) != n:
        seen: set[str] = set()
        twice = next(i for i in ids if i in seen or seen.add(i))  # type: ignore[func-returns-value]
        raise InvalidInputError("Ids have to be distinct", f"{twice!r} occurs more than once")


# Which items of a partly unknown similarity matrix are known, and which pairs are not.


@dataclass(frozen=True, eq=False)
class UnknownEntries(ReadOnlyArrays):
    """Unknown entries (NaN) of a symmetric matrix, sorted out.

    Attributes
    ----------
    known : (n,) bool
        Largest set (greedy) of items whose pairs are all known; the rest can be completed.
    wholly_unknown : (k,) int
        Items with no known entry off the diagonal.
    dropped : (d,) int
        Items that do have known entries, but had to leave the known set because of scattered unknown pairs.
    unknown_pairs : int
        Unordered pairs i <= j that are unknown, those of an item with itself among them.
    unknown_selves : int
        Items whose similarity to themselves is unknown.
    scattered_pairs : int
        Those of them in which neither item is wholly unknown.
    """

    known: BoolArray
    wholly_unknown: IntArray
    dropped: IntArray
    unknown_pairs: int
    unknown_selves: int
    scattered_pairs: int

    @property
    def complete(self) -> bool:
        """Whether every pair is known."""
        return self.unknown_pairs == 0

    @property
    def between(self) -> int:
        """Number of unknown pairs of two items, of n (n − 1) / 2."""
        return self.unknown_pairs - self.unknown_selves


def unknown_entries(values: FloatArray) -> UnknownEntries:
    """Find the unknown entries of a square matrix; a pair counts as unknown if either of its entries is NaN.

    The known set is found greedily and deterministically: while an unknown pair is left, the item with the most
    unknown pairs leaves, of several the last one.
    """
    missing = np.isnan(values)
    missing |= missing.T
    n = missing.shape[0]
    if not missing.any():
        nobody = np.zeros(0, dtype=np.int64)
        return UnknownEntries(np.ones(n, dtype=np.bool_), nobody, nobody, 0, 0, 0)
    diagonal = np.diag(missing).copy()
    # a row without any known similarity to another item is wholly unknown, whatever its diagonal says
    off_diagonal_known = (~missing).sum(axis=1) - ~diagonal
    wholly = (off_diagonal_known == 0) & (missing.any(axis=1)) if n > 1 else diagonal
    among_others = missing[np.ix_(~wholly, ~wholly)]
    keep = ~wholly
    keep[np.flatnonzero(~wholly)[_removed(among_others)]] = False
    return UnknownEntries(
        known=keep,
        wholly_unknown=np.flatnonzero(wholly),
        dropped=np.flatnonzero(~keep & ~wholly),
        unknown_pairs=_pairs(missing),
        unknown_selves=int(diagonal.sum()),
        scattered_pairs=_pairs(among_others),
    )


def _removed(missing: BoolArray) -> IntArray:
    """Positions that leave, in order, until no unknown pair is left."""
    counts = missing.sum(axis=1).astype(np.int64)
    # an item whose own diagonal is unknown cannot stay even when no other pair of it is unknown
    removed: list[int] = []
    n = missing.shape[0]
    while n and counts.max() > 0:
        item = n - 1 - int(counts[::-1].argmax())
        counts -= missing[item]
        counts[item] = -n
        counts[removed] = -n
        removed.append(item)
    return np.array(removed, dtype=np.int64)


def _pairs(missing: BoolArray) -> int:
    return int((missing.sum() + np.diag(missing).sum()) // 2)


@dataclass(frozen=True, eq=False)
class Provenance(EqualByContent):
    """Where a Gram matrix came from: the digest of its data and its chain of steps.

    Attributes
    ----------
    data_digest : str
        SHA-256 of the base matrix (ids and values) before the first step.
    steps : tuple of Step
        What was done since, in order.
    """

    data_digest: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class GramMatrix(ReadOnlyArrays):
    """Symmetric similarities of n items.

    Parameters
    ----------
    values : (n, n) array_like
        NaN = unknown; must be symmetric up to rounding, and is made exactly so.
    ids : sequence of str, optional
        One distinct id an item; "1", "2", ... by default.
    name : str
        What the kernel is called on pages.
    origin : Call, optional
        How the values can be computed again; given by whoever made them.
    seen : Seen
        What the values depend on besides the two items of each pair, before the first step: no fold can undo that.
        Whoever makes the values says it; of a bare matrix nobody knows. See `has_seen`.

    Raises
    ------
    InvalidInputError
        Not square, not numeric, infinite, asymmetric, or ids that are too many, too few or not distinct.
    """

    values: FloatArray
    ids: tuple[str, ...] = None  # type: ignore[assignment]
    name: str = "gram"
    origin: Call | None = None
    seen: Seen = BROUGHT
    _base: GramMatrix | None = field(default=None, repr=False)
    _steps: tuple[Step, ...] = field(default=(), repr=False)
    _cut: Cut | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.values, SeenArray):
            said = self.values.seen if self.seen == BROUGHT else self.seen | self.values.seen
            object.__setattr__(self, "seen", said)
            object.__setattr__(self, "values", np.asarray(self.values))
        title = f"The similarity matrix {self.name!r}"
        n = (
            as_square(self.values, title, allow_nan=True).shape[0]
            if self._base is None
            else self.values.shape[0]
        )
        if self._base is None or self.ids is not self._base.ids:
            ids = tuple(str(i + 1) for i in range(n)) if self.ids is None else tuple(map(str, self.ids))
            check_ids(ids, n)
            object.__setattr__(self, "ids", ids)
        if self._base is None:  # a derived matrix is symmetric by construction
            values = as_symmetric(
                self.values, title, ids=self.ids, allow_nan=True, any_size=True, shared=True
            )
            object.__setattr__(self, "values", owned(values))
        super().__post_init__()

    def shown_rows(self) -> Rows:
        """See ReadOnlyArrays."""
        steps = ", ".join(step.name for step in self.steps) or "none"
        unknown = f"{self.unknown.unknown_pairs:,} pairs"
        return ("name", self.name), ("items", f"{self.n:,}"), ("unknown", unknown), ("steps", steps)

    @property
    def n(self) -> int:
        """Number of items."""
        return int(self.values.shape[0])

    def __len__(self) -> int:
        return self.n

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        values = self.values if dtype is None else self.values.astype(dtype, copy=False)
        return values.copy() if copy else values

    @cached_property
    def digest(self) -> str:
        """SHA-256 of ids, values and steps."""
        steps = [(type(step), step) for step in self._steps]
        return digest(list(self.ids), self.values, steps, self.base.seen)

    @cached_property
    def unknown(self) -> UnknownEntries:
        """The unknown entries, sorted out."""
        return unknown_entries(self.values)

    @cached_property
    def units(self) -> FloatArray:
        """Half a unit of the last digit of each entry of a base, see `half_units`; a part of a matrix has those of it."""
        if self._cut is None:
            return half_units(self.values)
        units = self._cut.whole.units
        return units if units.ndim == 0 else units[np.ix_(self._cut.at, self._cut.at)]

    @cached_property
    def error_bound(self) -> FloatArray:
        """How far entries are off at most by the digits that the base was given in, carried through every step: (n, n), or
        of no dimension where it is the same everywhere, 0 where numbers have all digits.
        """
        return owned(np.array(carried_error_bound(self.base.values, self.base.units, self._steps)))

    @property
    def digits(self) -> float:
        """Size up to which a negative eigenvalue of the known block comes of the digits of the numbers alone."""
        errors, known = self.error_bound, self.known
        return spectral_bound(errors if errors.ndim == 0 else errors[np.ix_(known, known)], int(known.sum()))

    @cached_property
    def nearest(self) -> FloatArray:
        """The values; in the known block the nearest kernel, where the digits alone keep it from being one."""
        return nearest_kernel(self.values, self.known, self.digits) if self.error_bound.any() else self.values

    @property
    def known(self) -> BoolArray:
        """(n,) mask of a largest set of items whose pairs are all known."""
        return self.unknown.known

    @property
    def base(self) -> GramMatrix:
        """The matrix before the first step."""
        return self if self._base is None else self._base

    @cached_property
    def recipe(self) -> Call:
        """How to compute this matrix again."""
        if self._base is None:
            if self._cut is not None:
                return method(self.name, self._cut.whole, "take", self._cut.at)
            said = {} if self.seen == BROUGHT else {"seen": self.seen}
            return self.origin or call(self.name, "GramMatrix", self.values, ids=self.ids, **said)
        made = self._base.recipe
        for step in self._steps:
            made = method(self.name, made, "then", step)
        return made

    @property
    def steps(self) -> tuple[Step, ...]:
        """What was done since the base matrix, in order."""
        return self._steps

    @property
    def provenance(self) -> Provenance:
        """Digest of the data and chain of steps; the same as calls is `recipe`."""
        return Provenance(self.base.digest, self._steps)

    def then(self, step: Step, fitted: FittedStep | None = None) -> GramMatrix:
        """Fit `step` on all items and apply it; the result remembers it.

        `fitted` is the step fitted on all items, where somebody has done that already.
        """
        fitted = step.fit(self.nearest if step.needs_kernel else self.values) if fitted is None else fitted
        made = fitted.apply(self.values)
        # what a step has just made is nobody else's
        values = owned(made) if made.base is None else read_only(made)
        return GramMatrix(
            values, self.ids, self.name, None, self.base.seen, _base=self.base, _steps=(*self._steps, step)
        )

    def has_seen(self, *, inductive: bool = False) -> Seen:
        """What the values depend on besides the two items of each pair, every step and operand counted.

        Parameters
        ----------
        inductive : bool
            Whether the steps are fitted inside every training fold.
        """
        found = self.base.seen
        for step in self._steps:
            found |= step.sees.when(inductive=inductive)
            for operand in operands_of(step):
                found |= operand.has_seen(inductive=inductive)
        return found

    def take(self, items: ArrayLike) -> GramMatrix:
        """Select items (mask or positions): the base matrix is cut, then the steps are applied anew."""
        positions = as_positions(items, self.n)
        base = self.base
        cut = GramMatrix(
            base.values[np.ix_(positions, positions)],
            tuple(base.ids[i] for i in positions),
            self.name,
            seen=base.seen,
            _cut=Cut(base, positions),
        )
        for step in self._steps:
            cut = cut.then(step.take(positions))
        return cut

    def renamed(self, name: str) -> GramMatrix:
        """Return the same matrix under another name."""
        return replace(self, name=name)


@dataclass(frozen=True, eq=False)
class Cut(ReadOnlyArrays):
    """Which part of which matrix another one is; digits are those of the whole.

    Attributes
    ----------
    whole : GramMatrix
        Without steps.
    at : (k,) int
        Positions in it.
    """

    whole: GramMatrix
    at: IntArray


def operands_of(step: Step) -> list[GramMatrix]:
    """Matrices that a step holds: the source of a completion, the other kernel of a sum."""
    return [value for value in vars(step).values() if isinstance(value, GramMatrix)]


def as_gram(K: GramMatrix | ArrayLike) -> GramMatrix:
    """A Gram matrix as it is; of an array one that remembers what the array says that it has seen.

    Raises
    ------
    InvalidInputError
        See `as_symmetric`.
    """
    if isinstance(K, GramMatrix):
        return K
    return GramMatrix(as_symmetric(K, allow_nan=True), seen=seen_of(K))


Matrix = TypeVar("Matrix", GramMatrix, FloatArray)
