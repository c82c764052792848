"""What a user brings: similarities, sequences, vectors and labels, each with ids and with notes on what was odd."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy import sparse

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, first_of
from kernex_core.base.sparse_rows import as_sparse_rows
from kernex_core.gram.matrix import LONGEST_NAME, GramMatrix, as_positions, check_ids
from kernex_core.gram.provenance import Call, method

# Positions of chosen items that know how they were chosen, so that a script says so and does not list them.


@dataclass(frozen=True, eq=False)
class ChosenItems(ReadOnlyArrays):
    """What `take` and `select` accept in place of positions.

    Attributes
    ----------
    at : (k,) int
        Positions, rising.
    recipe : Call
        How they can be found again.
    """

    at: IntArray
    recipe: Call

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.generic]:
        return np.array(self.at, dtype=dtype)


def as_written(items: ArrayLike | ChosenItems, at: IntArray) -> IntArray | ChosenItems:
    """What a recipe says about chosen items: how they were chosen where they know, else their positions."""
    return items if isinstance(items, ChosenItems) else at


@dataclass(frozen=True)
class Note:
    """One finding about data: what was found, what Kernex does about it, and how to choose otherwise.

    Attributes
    ----------
    text : str
        What was found, as a sentence with numbers and ids.
    action : str
        What Kernex does about it.
    choice : str
        How to choose otherwise.
    severity : {"fine", "note", "warning"}
    """

    text: str
    action: str = ""
    choice: str = ""
    severity: Literal["fine", "note", "warning"] = "note"


FEWEST_NUMBERS = 3
"""Different numbers from which on labels may be meant as numbers: 0 and 1 are classes."""


@dataclass(frozen=True, eq=False)
class Labels(ReadOnlyArrays):
    """Class labels of items.

    Attributes
    ----------
    ids : tuple of str
    y : (n,) str array
        Class of each item; "" = unlabelled.
    groups : (n,) str array or None
        Items of one group must not be split between training and test.
    positional : bool
        They came without ids; `ids` are then "1", "2", ... and say nothing about items.
    duplicates, conflicting : tuple of str
        Ids that the file had more than once, and those of them with different labels (left unlabelled).
    made_from : str
        What similarities the classes were made of, in words; "" = they say something else about the items. A kernel
        that is judged by classes made of itself is judged by its own answers.
    copies : (n,) int array or None
        Place of the first item that each one equals, as a sequence, a vector or a graph; None: not looked at.
    """

    ids: tuple[str, ...]
    y: NDArray[np.str_]
    groups: NDArray[np.str_] | None = None
    notes: tuple[Note, ...] = ()
    recipe: Call | None = None
    positional: bool = False
    duplicates: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()
    made_from: str = ""
    copies: IntArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", tuple(map(str, self.ids)))
        check_ids(self.ids, len(self.ids))
        object.__setattr__(self, "y", np.asarray(self.y, dtype=np.str_))
        if self.y.shape != (len(self.ids),):
            raise InvalidInputError(f"There has to be one label an item ({len(self.ids)})", str(self.y.shape))
        if self.y.size and self.y.dtype.itemsize > 4 * LONGEST_NAME:
            raise InvalidInputError(
                f"The name of a class has at most {LONGEST_NAME:,} letters",
                f"one that begins with {max(self.y, key=len)[:40]!r}",
                "Choose the column of classes",
            )
        if self.groups is not None:
            object.__setattr__(self, "groups", np.asarray(self.groups, dtype=np.str_))
            if self.groups.shape != self.y.shape:
                raise InvalidInputError(
                    f"There has to be one group an item ({len(self.ids)})", str(self.groups.shape)
                )
        super().__post_init__()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of ids, labels, groups and copies."""
        parts = [list(self.ids), self.y, self.groups]
        return digest(*parts) if self.copies is None else digest(*parts, self.copies)

    @property
    def labelled(self) -> NDArray[np.bool_]:
        """(n,) mask of the items that have a label."""
        return np.asarray(self.y != "")

    @cached_property
    def classes(self) -> tuple[tuple[str, int], ...]:
        """(class, size), largest first, ties by name; unlabelled items do not count."""
        names, counts = np.unique(self.y[self.labelled], return_counts=True)
        return tuple(sorted(zip(names.tolist(), counts.tolist(), strict=True), key=lambda c: (-c[1], c[0])))

    @cached_property
    def measured(self) -> bool:
        """Whether these are rather measurements than classes: different numbers, of which hardly any two items share one."""
        if 2 * len(self.classes) <= int(self.labelled.sum()):
            return False
        try:
            return (
                len({float(name) for name, _ in self.classes if np.isfinite(float(name))}) >= FEWEST_NUMBERS
            )
        except ValueError:
            return False

    @property
    def judgeable(self) -> bool:
        """Whether there are at least two classes, one of several items, so that a classifier can be right or wrong."""
        return len(self.classes) > 1 and self.classes[0][1] > 1 and not self.measured

    def take(self, items: ArrayLike | ChosenItems) -> Labels:
        """Select items by mask or positions."""
        positions = as_positions(items, len(self.ids))
        groups = None if self.groups is None else self.groups[positions]
        written = as_written(items, positions)
        recipe = method("labels", self.recipe, "take", written) if self.recipe else None
        ids = tuple(self.ids[i] for i in positions)
        copies = None if self.copies is None else first_of(self.copies[positions].tolist())
        return Labels(
            ids, self.y[positions], groups, self.notes, recipe, made_from=self.made_from, copies=copies
        )


@dataclass(frozen=True, eq=False)
class Samples(ReadOnlyArrays):
    """Base of the sample kinds: named items with notes, perhaps with labels of their own file."""

    kind: ClassVar[str]
    ids: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", tuple(map(str, self.ids)))
        check_ids(self.ids, len(self.ids))
        super().__post_init__()

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Similarity(Samples):
    """A similarity matrix as it was brought (distances already converted); `others`: further ones of its file."""

    kind: ClassVar[str] = "similarity"
    gram: GramMatrix
    labels: Labels | None = None
    notes: tuple[Note, ...] = ()
    recipe: Call | None = None
    others: tuple[Similarity, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of ids and values."""
        return self.gram.digest

    def take(self, items: ArrayLike) -> Similarity:
        """Select items by mask or positions."""
        positions = as_positions(items, self.n)
        gram = self.gram.take(positions)
        recipe = method("samples", self.recipe, "take", positions) if self.recipe else None
        labels = self.labels.take(positions) if self.labels else None
        made = replace(self, ids=gram.ids, gram=gram, labels=labels, recipe=recipe)
        return replace(made, others=tuple(each.take(positions) for each in self.others))


T = TypeVar("T", "Sequences", "Vectors", "SparseVectors")
SequenceKind = Literal["protein", "dna", "structure", "text"]


@dataclass(frozen=True, eq=False)
class Sequences(Samples):
    """Named strings over one alphabet.

    Attributes
    ----------
    strings : tuple of str
    alphabet : {"protein", "dna", "structure", "text"}
        Kind of letters; "structure" is a structure alphabet such as Foldseek's 3Di.
    repeated : tuple of (str, str)
        Ids that were numbered because the file had them more than once, with what they were: ("g1_2", "g1").
    """

    kind: ClassVar[str] = "sequences"
    strings: tuple[str, ...]
    alphabet: SequenceKind = "protein"
    labels: Labels | None = None
    notes: tuple[Note, ...] = ()
    recipe: Call | None = None
    repeated: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "strings", tuple(self.strings))
        if len(self.strings) != len(self.ids):
            raise InvalidInputError(
                f"There has to be one id a sequence ({len(self.strings)})", str(len(self.ids))
            )
        super().__post_init__()

    @property
    def values(self) -> tuple[str, ...]:
        """What kernels take."""
        return self.strings

    @cached_property
    def digest(self) -> str:
        """SHA-256 of ids, strings and alphabet."""
        return digest(list(self.ids), list(self.strings), self.alphabet)

    def take(self, items: ArrayLike | ChosenItems) -> Sequences:
        """Select items by mask or positions."""
        at = as_positions(items, self.n)
        return _taken(self, items, at, strings=tuple(self.strings[i] for i in at))


@dataclass(frozen=True, eq=False)
class Vectors(Samples):
    """Named rows of numbers.

    Attributes
    ----------
    X : (n, d) float
        NaN = missing.
    columns : tuple of str
    """

    kind: ClassVar[str] = "vectors"
    X: FloatArray
    columns: tuple[str, ...] = ()
    labels: Labels | None = None
    notes: tuple[Note, ...] = ()
    recipe: Call | None = None

    @property
    def values(self) -> FloatArray:
        """What kernels take."""
        return self.X

    @cached_property
    def digest(self) -> str:
        """SHA-256 of ids, values and column names."""
        return digest(list(self.ids), self.X, list(self.columns))

    def take(self, items: ArrayLike | ChosenItems) -> Vectors:
        """Select items by mask or positions."""
        at = as_positions(items, self.n)
        return _taken(self, items, at, X=self.X[at])


@dataclass(frozen=True, eq=False)
class SparseVectors(Samples):
    """Named rows of numbers of which only those that are not 0 are held: room and time go with these alone.

    Kernels on vectors take them; what needs a whole table (maps, columns on a network, imputation) takes `Vectors`.

    Attributes
    ----------
    X : (n, d) scipy.sparse.csr_array
        Finite; columns rise, nothing is listed twice, and no zeros are.
    columns : tuple of str
        Names of the columns, or none.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from kernex_core import Linear, SparseVectors
    >>> words = SparseVectors(("a", "b"), csr_array([[0.0, 2.0, 0.0], [1.0, 3.0, 0.0]]))
    >>> words.share, Linear().similarities(words).values.tolist()
    (0.5, [[4.0, 6.0], [6.0, 10.0]])
    """

    kind: ClassVar[str] = "vectors"
    X: sparse.csr_array
    columns: tuple[str, ...] = ()
    labels: Labels | None = None
    notes: tuple[Note, ...] = ()
    recipe: Call | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "X", as_sparse_rows(self.X, self.ids))
        n, d = self.X.shape
        if n != len(self.ids) or len(self.columns) not in (0, d):
            raise InvalidInputError(
                f"Vectors have one row an item ({len(self.ids):,}) and one name a column",
                f"{n:,} rows, {d:,} columns and {len(self.columns):,} names",
            )
        super().__post_init__()

    @property
    def values(self) -> sparse.csr_array:
        """What kernels take."""
        return self.X

    @property
    def share(self) -> float:
        """Share of the numbers that are not 0."""
        n, d = self.X.shape
        return float(self.X.nnz / (n * d))

    @property
    def described(self) -> str:
        """Size as sentences say it: "800 items × 100,000 features, 1.0 % not zero"."""
        percent = 100.0 * self.share
        shown = f"{percent:.1f}" if percent >= 0.1 or not percent else f"{percent:.1g}"
        return f"{self.n:,} items × {self.X.shape[1]:,} features, {shown} % not zero"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of ids, values and column names."""
        return digest(list(self.ids), self.X, list(self.columns))

    def take(self, items: ArrayLike | ChosenItems) -> SparseVectors:
        """Select items by mask or positions."""
        at = as_positions(items, self.n)
        return _taken(self, items, at, X=self.X[at])


AnyVectors = Vectors | SparseVectors
"""Rows of numbers, with their zeros or without."""


def _taken(samples: T, items: ArrayLike | ChosenItems, at: IntArray, **changed: Any) -> T:
    written = as_written(items, at)
    recipe = method("samples", samples.recipe, "take", written) if samples.recipe else None
    labels = samples.labels.take(written) if samples.labels else None
    return replace(samples, ids=tuple(samples.ids[i] for i in at), labels=labels, recipe=recipe, **changed)
