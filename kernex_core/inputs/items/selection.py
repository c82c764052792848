"""Selection: which items are kept, by class, class size, label pattern, id or chance, once for every page."""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, IntArray, owned
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.provenance import call, method, part
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import AnyVectors, ChosenItems, Labels, Note, SparseVectors, Vectors
from kernex_core.inputs.tables.columns import find_column

PATTERN_LIMIT = 200


@dataclass(frozen=True)
class Selection:
    """Items that satisfy every condition that is set.

    Classes are counted among the items that satisfy the other conditions. Items without a label are dropped as soon
    as a condition is about labels.

    Attributes
    ----------
    classes : tuple of str or None
        Classes that are kept; None keeps all.
    min_class_size : int
        Smallest number of items of a class.
    label_pattern : str
        Pattern as in a shell: * for anything, ? for one character, [ab] for one of these; "" = all.
    ids : tuple of str or None
        Ids that are kept.
    size : int or None
        Number of items drawn at random from those that satisfy everything else; None keeps all.
    stratified : bool
        Every class keeps its share of them, within one item.
    seed : int
        Of the draw.
    """

    classes: tuple[str, ...] | None = parameter(
        None, help="Classes that are kept.", label="Classes", optional=True, auto="all"
    )
    min_class_size: int = parameter(
        1, help="Smallest number of items of a class.", label="Smallest class", low=1
    )
    label_pattern: str = parameter(
        "", help="Labels that are kept, such as c.1.* (* anything, ? one character).", label="Label pattern"
    )
    ids: tuple[str, ...] | None = parameter(
        None, help="Ids that are kept.", label="Ids", optional=True, auto="all"
    )
    size: int | None = parameter(
        None,
        help="Number of items drawn at random from those that satisfy everything else.",
        label="Random part",
        low=1,
        optional=True,
        auto="all",
        step=1,
    )
    stratified: bool = parameter(
        False, help="Every class keeps its share of the random part, within one item.", label="Stratified"
    )
    seed: int = parameter(0, help="Another number draws other items.", label="Seed", low=0, step=1)

    def __post_init__(self) -> None:
        check_parameters(self)
        if len(self.label_pattern) > PATTERN_LIMIT:
            raise InvalidInputError(
                f"A label pattern has at most {PATTERN_LIMIT} characters", str(len(self.label_pattern))
            )

    @property
    def by_label(self) -> bool:
        """Whether a condition is about labels."""
        drawn = self.size is not None and self.stratified
        return drawn or self.classes is not None or self.min_class_size > 1 or bool(self.label_pattern)

    def apply(self, ids: Sequence[str], labels: Labels | None = None) -> IntArray:
        """Positions of the items that are kept, in their order.

        Parameters
        ----------
        ids : sequence of str, length n
        labels : Labels, optional
            Of the same items in the same order.

        Raises
        ------
        InvalidInputError
            Nothing is left, or a condition is about labels and there are none.
        """
        keep: BoolArray = np.ones(len(ids), dtype=np.bool_)
        if self.ids is not None:
            wanted = set(self.ids)
            keep &= np.array([name in wanted for name in ids], dtype=np.bool_)
            _check_left(keep, f"no item has an id among {listed(self.ids)}")
        if self.by_label:
            keep &= self._labelled(ids, labels, keep)
        at = np.flatnonzero(keep).astype(np.int64)
        if self.size is None or self.size >= at.size:
            return at
        rng = np.random.default_rng(self.seed)
        if self.stratified and labels is not None:
            return _stratified(at, labels, self.size, rng)
        return np.sort(rng.choice(at, self.size, replace=False))

    def items(self, dataset: DataSet) -> IntArray | ChosenItems:
        """Positions of the items of a data set that are kept; of a random part with how they were drawn. See `apply`."""
        at = self.apply(dataset.ids, dataset.labels)
        made = [each.recipe for each in dataset.samples.values() if each.recipe is not None]
        labels = [dataset.labels.recipe] if self.by_label and dataset.labels is not None else []
        if self.size is None or not made or None in labels:
            return at
        ids = part(made[0], "ids")
        return ChosenItems(at, method("chosen", self, "apply", ids, *labels))

    def _labelled(self, ids: Sequence[str], labels: Labels | None, keep: BoolArray) -> BoolArray:
        if labels is None or len(labels.ids) != len(ids):
            raise InvalidInputError(
                "A selection by class needs labels of the items", "none", "Add labels first"
            )
        y = labels.y
        keep = keep & labels.labelled
        if self.classes is not None:
            keep &= np.isin(y, list(self.classes))
            _check_left(keep, f"no item is in {listed(self.classes)}; classes are {_classes(labels)}")
        if self.label_pattern:
            keep &= np.array(
                [fnmatch.fnmatchcase(str(label), self.label_pattern) for label in y], dtype=np.bool_
            )
            _check_left(keep, f"no label fits {self.label_pattern!r}; classes are {_classes(labels)}")
        names, inverse, sizes = np.unique(y[keep], return_inverse=True, return_counts=True)
        large = np.zeros_like(keep)
        large[keep] = sizes[inverse] >= self.min_class_size
        largest = int(sizes.max(initial=0))
        _check_left(
            large,
            f"the largest of {names.size} classes has {largest} items, fewer than {self.min_class_size}",
        )
        return large


def _stratified(at: IntArray, labels: Labels, size: int, rng: np.random.Generator) -> IntArray:
    """Draw from every class its share of `size`; what rounding leaves goes to the largest remainders."""
    _, inverse, sizes = np.unique(labels.y[at], return_inverse=True, return_counts=True)
    exact = size * sizes / at.size
    quota = np.floor(exact).astype(np.int64)
    quota[np.argsort(-(exact - quota), kind="stable")[: size - int(quota.sum())]] += 1
    drawn = [rng.choice(at[inverse == c], quota[c], replace=False) for c in range(sizes.size)]
    return np.sort(np.concatenate(drawn))


def _classes(labels: Labels) -> str:
    return listed([name for name, _ in labels.classes], 6)


def _check_left(keep: BoolArray, found: str) -> None:
    if not keep.any():
        raise InvalidInputError("A selection has to leave at least one item", found, "Widen the selection")


V = TypeVar("V", bound=AnyVectors)


def without_columns(vectors: V, columns: Sequence[str | int]) -> V:
    """Leave columns out, with a note that names them; items, labels and everything else stay.

    Parameters
    ----------
    vectors : Vectors or SparseVectors
        (n, d).
    columns : sequence of str or int
        Names, or numbers from 1 where a column has no name or shares it with another.

    Returns
    -------
    Vectors or SparseVectors
        With a recipe of its own, if there was one.

    Raises
    ------
    InvalidInputError
        Not vectors, no such column, or no column left.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors, without_columns
    >>> vectors = Vectors(("a", "b"), np.array([[1.0, 7.0], [2.0, 9.0]]), columns=("age", "code"))
    >>> without_columns(vectors, ["code"]).X.tolist()
    [[1.0], [2.0]]
    """
    if not isinstance(vectors, Vectors | SparseVectors):
        raise InvalidInputError("Columns are left out of Vectors", type(vectors).__name__)
    given = _checked(columns)
    d = vectors.X.shape[1]
    names = vectors.columns
    gone = sorted({_position(asked, names, d) for asked in given})
    if not gone:
        return vectors
    stay = np.setdiff1d(np.arange(d), gone)
    if not stay.size:
        raise InvalidInputError(
            "At least one column has to stay", f"all {d:,} columns to be left out", "Keep one of them"
        )
    shown = [(names[j] if names else "") or f"column {j + 1}" for j in gone]
    note = Note(
        f"Columns that were left out: {listed(shown, 8)}.",
        f"{stay.size:,} stay.",
        "To have them back, bring the file again.",
        "fine",
    )
    recipe = call("samples", "without_columns", vectors, given) if vectors.recipe else None
    kept = tuple(names[j] for j in stay) if names else ()
    notes = (*vectors.notes, note)
    if isinstance(vectors, SparseVectors):
        X = sparse.csr_array(sparse.csc_array(vectors.X)[:, stay])
        return replace(vectors, X=X, columns=kept, notes=notes, recipe=recipe)
    return replace(vectors, X=owned(vectors.X[:, stay]), columns=kept, notes=notes, recipe=recipe)


def column_keys(vectors: AnyVectors, positions: Sequence[int]) -> tuple[str | int, ...]:
    """What `without_columns` takes for the columns at these positions (from 0): names where they are clear."""
    names = vectors.columns
    if not names:
        return tuple(int(j) + 1 for j in positions)
    clear = Counter(names)
    return tuple(
        names[j] if names[j] and names[j] == names[j].strip() and clear[names[j]] == 1 else int(j) + 1
        for j in positions
    )


def _checked(columns: object) -> tuple[str | int, ...]:
    asked = tuple(columns) if isinstance(columns, list | tuple) else None
    if asked is None or not all(
        isinstance(each, str | int | np.integer) and not isinstance(each, bool) for each in asked
    ):
        raise InvalidInputError(
            "Columns to leave out have to be a list of names or of numbers from 1", repr(columns)[:60]
        )
    return asked


def _position(asked: str | int, names: Sequence[str], d: int) -> int:
    if isinstance(asked, str) and names:
        return find_column(asked, names, "A column to leave out", "these vectors")
    if isinstance(asked, str) and not asked.isdecimal():
        raise InvalidInputError(
            "Columns without names are left out by their numbers, from 1", repr(asked)[:60]
        )
    if not 1 <= int(asked) <= d:
        raise InvalidInputError(f"Numbers of columns have to lie in 1 to {d}", str(asked)[:20])
    return int(asked) - 1
