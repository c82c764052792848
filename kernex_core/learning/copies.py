"""Items that are copies of one another, and what folds make of them.

An item whose copy is among the training items is found again, not predicted: of 30 items that are there twice, with random
labels, .67 were named rightly. So copies are one group in the folds, unless somebody wants it otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays, first_of, joined
from kernex_core.base.labels import as_labels
from kernex_core.base.validation import EPS, as_symmetric
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import APART, CrossValidation, units_of

ROUNDING = 10.0
"""Squared distances up to ROUNDING n eps ‖K‖ count as 0, as in `psd_tolerance`: what steps on n items leave of equal rows.
‖K‖ is the largest row sum of sizes, and no more than n times the larger of both self-similarities."""
_BLOCK = 512


@dataclass(frozen=True, eq=False)
class Copies(ReadOnlyArrays):
    """Which items are copies, and whether folds keep them together.

    Attributes
    ----------
    units : (n,) int
        Place of the first item that each one is a copy of, its own where there is none before.
    count : int
        Judged items that have a copy among the judged ones.
    different : int
        Different ones among these.
    kept : bool
        Whether folds keep them together.
    aside : int
        Further judged items that a kernel does not tell apart from others, and that are not kept together, because too few
        different items would be left to be divided.
    wanted : bool
        Whether they were to be kept together.
    subject : (kernels, labels, config)
        What they were found from.
    """

    units: IntArray
    count: int = 0
    different: int = 0
    kept: bool = False
    aside: int = 0
    wanted: bool = True
    subject: tuple[tuple[GramMatrix, ...], Labels | NDArray[np.str_], CrossValidation] | None = None

    @property
    def remarks(self) -> tuple[str, ...]:
        """What has to be said with every number, a sentence each."""
        said: tuple[str, ...] = ()
        if self.count:
            what = f"{self.count:,} items are copies ({self.different:,} different ones)"
            if self.kept:
                said += (f"{what}, kept together.",)
            elif not self.wanted:
                said += (
                    f"{what}, kept apart: where one is a training item, its copies are found, not predicted.",
                )
        if self.aside and self.wanted:
            said += (
                f"{self.aside:,} items are the same as others in a kernel that is judged. Too few different ones would be "
                "left for these folds, so that they are not kept together.",
            )
        return said

    @cached_property
    def recipe(self) -> Call | None:
        """How to find them again; None where it is not known what they were found from."""
        if self.subject is None:
            return None
        kernels, labels, config = self.subject
        return call("copies", "copies_of", kernels, labels, config)


def copies_of(
    kernels: Sequence[GramMatrix | ArrayLike], y: Labels | ArrayLike, config: CrossValidation
) -> Copies:
    """Find the items that are copies in any of several kernels, once for all that are compared.

    Parameters
    ----------
    kernels : sequence of (n, n)
        All that are judged on the same folds.
    y : Labels or (n,)
        Labels, "" = in no fold. Labels may say what else is equal (`Labels.copies`), and which groups there are.
    config : CrossValidation
        How many folds there are, and whether copies and groups are kept together.

    Raises
    ------
    InvalidInputError
        Kernels of other items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, copies_of
    >>> x = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 5.0])
    >>> copies_of([np.outer(x, x)], ["a", "b", "a", "b", "a", "b"], CrossValidation(folds=2)).remarks
    ('2 items are copies (1 different ones), kept together.',)
    """
    labels = as_labels(y.y if isinstance(y, Labels) else y)
    codes = np.where(labels == "", -1, first_of(labels.tolist()))
    groups = y.groups if isinstance(y, Labels) else None
    known = y.copies if isinstance(y, Labels) else None
    grams = tuple(
        K if isinstance(K, GramMatrix) else GramMatrix(as_symmetric(K, allow_nan=True)) for K in kernels
    )
    made = found_copies([K.values for K in grams], codes, config, groups=groups, known=known)
    recorded = y if isinstance(y, Labels) else labels
    return replace(made, subject=(grams, recorded, config))


def found_copies(
    kernels: Sequence[FloatArray],
    codes: IntArray,
    config: CrossValidation,
    *,
    groups: NDArray[np.str_] | None = None,
    known: IntArray | None = None,
) -> Copies:
    """The same of classes that are numbered already, −1 = in no fold.

    Parameters
    ----------
    kernels : sequence of (n, n) float
    codes : (n,) int
    config : CrossValidation
    groups : (n,) str, optional
        Kept together as well, if `config.grouped`.
    known : (n,) int, optional
        Place of the first equal item of each, by sequences, vectors or graphs.
    """
    at = np.flatnonzero(codes >= 0)
    relations = [] if known is None else [_within(known, at)]
    for K in kernels:
        if K.shape != (codes.size, codes.size):
            raise InvalidInputError(
                f"Copies are looked for among the {codes.size} items that have labels",
                f"a kernel of shape {K.shape}",
            )
        relations.append(equal_in(K if at.size == len(K) else K[np.ix_(at, at)]))
    together = (
        np.arange(at.size)
        if not config.grouped or groups is None
        else first_of(units_of(groups[at]).tolist())
    )
    return _joined(relations, codes, together, config.folds, wanted=config.copies != APART)


def equal_among(kernels: Sequence[FloatArray], least: int, *, together: bool = True) -> Copies:
    """The same of items without classes, all of which are in folds of their own making.

    Parameters
    ----------
    kernels : sequence of (n, n) float
    least : int
        Different items that have to be left; a kernel that leaves fewer joins none.
    together : bool
        Keep copies together.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.learning.copies import equal_among
    >>> x = np.array([1.0, 2.0, 3.0, 3.0])
    >>> equal_among([np.outer(x, x)], 2).units.tolist()
    [0, 1, 2, 2]
    """
    n = len(kernels[0])
    relations = [equal_in(K) for K in kernels]
    return _joined(relations, np.zeros(n, dtype=np.int64), np.arange(n), least, wanted=together)


def _joined(
    relations: Sequence[IntArray], codes: IntArray, together: IntArray, folds: int, *, wanted: bool
) -> Copies:
    """Join relations among the items of classes (code at least 0) that leave enough different ones."""
    at, alone = np.flatnonzero(codes >= 0), np.arange(codes.size)
    found, left_out = np.arange(at.size), np.arange(at.size)
    # the relation that joins least first, so that a kernel that tells no items apart takes nothing from the others
    for relation in sorted(relations, key=lambda each: -np.unique(each).size):
        more = joined(found, relation)
        if not wanted or _enough(joined(more, together), codes[at], folds):
            found = more
        else:
            left_out = joined(left_out, relation)
    units = alone.copy()
    units[at] = at[found]
    sizes = np.bincount(found, minlength=max(at.size, 1))
    several = sizes[sizes > 1]
    others = int((_copied(left_out) & ~_copied(found)).sum())
    return Copies(units, int(several.sum()), several.size, wanted and several.size > 0, others, wanted)


def equal_in(K: FloatArray) -> IntArray:
    """(n,) place of the first item that a kernel does not tell apart from each one: d² = K_ii + K_jj − 2 K_ij is rounding.

    Their rows have to be the same, too, within what such a d² leaves of the rows of a kernel. That follows from d² where
    all digits are given; of a matrix in few digits, whose neighbours may be at a d² of 0, and of one that is no kernel it
    does not.
    Unknown entries are never the same.

    Parameters
    ----------
    K : (n, n) float
        Symmetric.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core.learning.copies import equal_in
    >>> equal_in(np.array([[1.0, 0.5, 1.0], [0.5, 1.0, 0.5], [1.0, 0.5, 1.0]])).tolist()
    [0, 1, 0]
    """
    n = len(K)
    first = np.arange(n)
    blocks = [slice(begin, min(begin + _BLOCK, n)) for begin in range(0, n, _BLOCK)]
    with np.errstate(invalid="ignore"):
        size = max((float(np.nanmax(np.abs(K[rows]), initial=0.0)) for rows in blocks), default=0.0)
        if size == 0.0:  # of a kernel that is 0 all items are the same; of one that is not known none
            return first if np.isnan(K).any() else np.zeros(n, dtype=np.int64)
        if not 1e-100 < size < 1e100:  # sums and squares of them leave the range of numbers
            K = K / size
        own = np.array(K.diagonal())
        largest = max(float(np.nanmax(own, initial=0.0)), 0.0)
        norm = max(float(np.nansum(np.abs(K[rows]), axis=1).max()) for rows in blocks)
        unit = ROUNDING * n * EPS
        for rows in blocks:
            before = slice(0, rows.stop)
            # no larger than what items of this size can add up to: small ones beside large ones are told apart
            bound = unit * np.minimum(norm, n * np.maximum(own[rows, None], own[None, before]))
            close = own[rows, None] + own[None, before] - 2.0 * K[rows, before] <= bound
            close &= np.arange(rows.stop)[None, :] < np.arange(rows.start, rows.stop)[:, None]
            for i in np.flatnonzero(close.any(axis=1)):
                # those before that are copies of none: all others are compared through them
                others = np.flatnonzero(close[i])
                others = others[first[others] == others]
                same = np.zeros(others.size, dtype=np.bool_)
                for part in np.array_split(np.arange(others.size), max(1, others.size // _BLOCK)):
                    near = np.sqrt(np.maximum(bound[i, others[part]], 0.0) * largest) + bound[i, others[part]]
                    apart = np.abs(K[others[part]] - K[rows.start + i]).max(axis=1, initial=0.0)
                    same[part] = apart <= near
                if same.any():
                    first[rows.start + i] = others[int(same.argmax())]
    return first


def check_same_units(first: NDArray[np.str_] | None, second: NDArray[np.str_] | None) -> None:
    """Refuse to compare kernels that were judged on different folds, because one of them has other copies.

    Raises
    ------
    InvalidInputError
    """
    same = first is second if first is None or second is None else np.array_equal(first, second)
    if not same:
        raise InvalidInputError(
            "Two kernels can only be compared on the same folds",
            "items that are copies in one of them, and are kept together there",
            "Look for copies in both first, and judge each with them: judge(..., copies=copies_of([K, L], y, config))",
        )


def _within(relation: IntArray, at: IntArray) -> IntArray:
    """A relation among some of its items."""
    return first_of(relation[at].tolist())


def _copied(units: IntArray) -> NDArray[np.bool_]:
    return np.asarray(np.bincount(units, minlength=units.size)[units] > 1)


def _enough(units: IntArray, codes: IntArray, folds: int) -> bool:
    """Whether different items are left to be divided: at least as many as folds, and two or more of two classes (of
    numbers of one): a class of which one item alone is different is never there to learn from when it is tested.
    """
    if np.unique(units).size < max(folds, 2):
        return False
    pairs = np.unique(np.column_stack([codes, units]), axis=0)
    several = int((np.bincount(pairs[:, 0]) > 1).sum())
    return several >= min(2, np.unique(codes).size)
