"""Columns of a table of vectors that say the class: codes and names of classes that were read as measurements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray
from kernex_core.base.sparse_rows import occurring
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import AnyVectors, Labels, Note, SparseVectors

FEW = 0.25
"""Share of the known items up to which the number of values makes a column look like a code, not like a measurement."""
NEARLY = 0.05
"""Share of the known items that may speak against a column that nearly says the class."""
OF_CHANCE = 0.2
"""They may be at most this share of the items that a guess of the commonest value or class gets wrong."""
MOST_NEARLY = 12
"""More values, and more than there are classes: 95 % of the items right is what a good measurement can do."""
LEVEL = 0.05
"""Expected number of columns in the table that would tell as much if the classes were dealt out at random."""
BLOCK = 1 << 20
"""Values that are looked at together: bounds the memory."""

Kind = Literal["code", "doubt", "order"]


@dataclass(frozen=True)
class LeakingColumn:
    """A column that tells the class of the items.

    Attributes
    ----------
    column : int
        Position.
    name : str
        "column 3" where columns have no names.
    kind : {"code", "doubt", "order"}
        One value a class without exception; few values that say the class in another way or nearly; many values, with
        those of every class in a stretch of its own.
    how : str
        In words.
    """

    column: int
    name: str
    kind: Kind
    how: str


def leaking_columns(
    vectors: AnyVectors, labels: Labels | Sequence[str] | IntArray
) -> tuple[LeakingColumn, ...]:
    """Find the columns that tell the class of the items better than chance can in a table of this size.

    With m known items, of which class c has m_c, a labelling in which k values say one of C classes each, but for e items,
    is one of at most Cᵏ · C(m, e) · (C − 1)ᵉ among m! / Π m_c! equally likely ones; a class that says the value, the same
    the other way round; C! / (m! / Π m_c!) for classes in stretches. Their ratio times the number of such columns has to be
    at most LEVEL (Bonferroni).

    Parameters
    ----------
    vectors : Vectors or SparseVectors
        (n, d); unknown entries count for nothing, and a column that most labelled items lack is not looked at. Of sparse
        ones, every column that has an entry counts as one that could have told the class.
    labels : Labels, or (n,) str or int
        "" or a negative number: no class, not looked at.

    Returns
    -------
    tuple of LeakingColumn
        In the order of the columns.
    """
    codes = class_numbers(labels)
    # by class, so that a stable sort by value keeps the classes of one value together
    rows = np.flatnonzero(codes >= 0)
    rows = rows[np.argsort(codes[rows], kind="stable")]
    codes = codes[rows]
    if codes.size == 0 or codes[0] == codes[-1]:
        return ()
    width = max(1, BLOCK // codes.size)
    if isinstance(vectors, SparseVectors):
        looks, tests = _looks_of_sparse(vectors.X[rows], codes, width)
    else:
        X = vectors.X[rows]
        looks = [_looked(X[:, at : at + width], codes, at) for at in range(0, X.shape[1], width)]
        n_few = sum(int(look.few.sum()) for look in looks)
        tests = {"few": n_few, "many": sum(look.few.size for look in looks) - n_few}
    found = [each for look in looks for each in (*_few(look, tests["few"]), *_many(look, tests["many"]))]
    found.sort(key=lambda each: each.column)
    named = vectors.columns
    return tuple(
        replace(each, name=(named[each.column].strip() if named else "") or f"column {each.column + 1}")
        for each in found
    )


def _looks_of_sparse(X: sparse.csr_array, codes: IntArray, width: int) -> tuple[list[_Look], dict[str, int]]:
    """The same of the columns that alone can tell the class: at least half of the items of some class are not 0 there.

    A class whose items are 0 for the most part is 0 as a rule, and if all were, the column would say nothing. Every column
    that has an entry counts as a test of either kind.
    """
    d = X.shape[1]
    places, counts = occurring(np.repeat(codes, np.diff(X.indptr)) * d + X.indices)
    at = occurring(places[2 * counts >= np.bincount(codes)[places // d]] % d)[0]
    by_column = sparse.csc_array(X) if at.size else sparse.csc_array(X.shape)
    looks = []
    for begin in range(0, at.size, width):
        part = at[begin : begin + width]
        look = _looked(np.asarray(by_column[:, part].toarray(), dtype=np.float64), codes, 0)
        looks.append(replace(look, at=part[look.at]))
    tests = occurring(X.indices)[0].size
    return looks, {"few": tests, "many": tests}


def class_numbers(labels: Labels | Sequence[str] | IntArray) -> IntArray:
    """Classes as whole numbers from 0; −1 = none."""
    given = np.asarray(labels.y if isinstance(labels, Labels) else labels)
    none = given == "" if given.dtype.kind == "U" else given < 0
    numbers = np.full(given.size, -1, dtype=np.int64)
    numbers[~none] = np.unique(given[~none], return_inverse=True)[1]
    return numbers


@dataclass(frozen=True, eq=False)
class _Look(EqualByContent):
    """What sorting tells about w columns at once.

    Attributes
    ----------
    at : (w,) int
        Positions in the table, of columns that most items have.
    value, label : (w, n) int
        Rank of the value, and the class, of every item, in the order of the values; unknown ones come last.
    m, k, c, pairs, changes : (w,) int
        Known items, distinct values, classes, distinct pairs of both, and changes of class in the order of the values.
    few : (w,) bool
        Whether the values are few enough for a code.
    sizes : (w, C) int
        Known items of each class.
    """

    at: IntArray
    value: IntArray
    label: IntArray
    m: IntArray
    k: IntArray
    c: IntArray
    pairs: IntArray
    changes: IntArray
    few: BoolArray
    sizes: IntArray


def _looked(X: FloatArray, codes: IntArray, first: int) -> _Look:
    X = np.ascontiguousarray(X.T)
    m = (~np.isnan(X)).sum(axis=1)
    use = np.flatnonzero(2 * m > codes.size)
    X, m = X[use], m[use]
    order = np.argsort(X, axis=1, kind="stable")
    ordered, label = np.take_along_axis(X, order, axis=1), codes[order]
    inside = np.arange(1, codes.size) < m[:, None]
    rises = (ordered[:, 1:] != ordered[:, :-1]) & inside
    changes = (label[:, 1:] != label[:, :-1]) & inside
    value = np.zeros(X.shape, dtype=np.int64)
    value[:, 1:] = np.cumsum(rises, axis=1)
    onehot = (codes[:, None] == np.arange(codes[-1] + 1)).astype(float)
    sizes = ((~np.isnan(X)).astype(float) @ onehot).astype(np.int64)
    k, c = 1 + rises.sum(axis=1), (sizes > 0).sum(axis=1)
    few = (k > 1) & (c > 1) & (k <= np.maximum(2.0, FEW * m))
    pairs = 1 + (rises | changes).sum(axis=1)
    return _Look(use + first, value, label, m, k, c, pairs, changes.sum(axis=1), few, sizes)


def _few(look: _Look, tests: int) -> Iterator[LeakingColumn]:
    """Columns of few values: those that say the class, nearly say it, or follow from it."""
    pure = look.few & (look.pairs == look.k)
    chance = _chance(look.m, look.k, look.c, look.sizes)
    sure = pure & (chance + np.log(max(tests, 1)) <= np.log(LEVEL))
    for j in np.flatnonzero(sure):
        k, one_each = int(look.k[j]), look.k[j] == look.c[j]
        how = f"each of its {k:,} values " + ("is one class" if one_each else "occurs in one class alone")
        yield LeakingColumn(int(look.at[j]), "", "code" if one_each else "doubt", how)
    # an item that speaks against it makes at most one pair more
    spare = NEARLY * look.m
    near = look.few & ~pure & (look.k <= np.maximum(look.c, MOST_NEARLY))
    near &= (look.pairs <= look.k + spare) | (look.pairs <= look.c + spare)
    for k in np.unique(look.k[near]):
        chosen = np.flatnonzero(near & (look.k == k))
        most = max(1, BLOCK // (int(k) * look.sizes.shape[1] + look.label.shape[1]))
        for at in range(0, chosen.size, most):
            yield from _nearly(look, chosen[at : at + most], int(k), tests)


def _nearly(look: _Look, chosen: IntArray, k: int, tests: int) -> Iterator[LeakingColumn]:
    """Columns of k values that are not pure, by their tables of values against classes."""
    n_classes = look.sizes.shape[1]
    m, sizes = look.m[chosen], look.sizes[chosen]
    known = np.arange(look.label.shape[1]) < m[:, None]
    cell = (np.arange(chosen.size)[:, None] * k + look.value[chosen]) * n_classes + look.label[chosen]
    table = np.bincount(cell[known], minlength=chosen.size * k * n_classes).reshape(-1, k, n_classes)
    counts, c = table.sum(axis=2), look.c[chosen]
    says = _odd(m, table.max(axis=2).sum(axis=1), sizes)
    follows = _odd(m, table.max(axis=1).sum(axis=1), counts)
    level = np.log(LEVEL) - np.log(max(tests, 1))
    says_it = (says >= 0) & (_chance(m, np.full_like(m, k), c, sizes, says) <= level)
    follows_it = (follows >= 0) & (_chance(m, c, np.full_like(m, k), counts, follows) <= level)
    for j in np.flatnonzero(says_it | follows_it):
        right, of = int(m[j] - (says[j] if says_it[j] else follows[j])), f"of {int(m[j]):,} items"
        if says_it[j]:
            how = f"{right:,} {of} have the class that is usual for their value"
        elif follows[j] == 0:
            how = "all items of a class have the same value"
        else:
            how = f"{right:,} {of} have the value that is usual in their class"
        yield LeakingColumn(int(look.at[chosen[j]]), "", "doubt", how)


def _odd(m: IntArray, right: IntArray, sizes: IntArray) -> IntArray:
    """Number of items that speak against a rule, −1 where they are too many for it to count."""
    odd, guessed = m - right, m - sizes.max(axis=1)
    return np.where((odd <= NEARLY * m) & (odd <= OF_CHANCE * guessed), odd, -1)


def _many(look: _Look, tests: int) -> Iterator[LeakingColumn]:
    """Columns of many values in which every class has a stretch of its own: row numbers, scores, strong measurements."""
    apart = ~look.few & (look.k > 1) & (look.c > 1) & (look.pairs == look.k) & (look.changes == look.c - 1)
    chance = gammaln(look.c + 1.0) - _arrangements(look.m, look.sizes)
    for j in np.flatnonzero(apart & (chance + np.log(max(tests, 1)) <= np.log(LEVEL))):
        yield LeakingColumn(int(look.at[j]), "", "order", "every class has a range of values of its own")


def _chance(
    m: IntArray, k: IntArray, c: IntArray, sizes: IntArray, odd: IntArray | None = None
) -> FloatArray:
    """Log of a bound on the probability that k groups say one of c classes each, but for `odd` items, by chance."""
    e = np.zeros(m.shape) if odd is None else np.maximum(odd, 0).astype(float)
    exceptions = gammaln(m + 1.0) - gammaln(e + 1.0) - gammaln(m - e + 1.0) + e * np.log(np.maximum(c - 1, 1))
    made: FloatArray = k * np.log(c) + exceptions - _arrangements(m, sizes)
    return made


def _arrangements(m: IntArray, sizes: IntArray) -> FloatArray:
    """Log of the number of ways to deal classes of these sizes out to m items."""
    made: FloatArray = gammaln(m + 1.0) - gammaln(sizes + 1.0).sum(axis=1)
    return made


MOST_NAMES = 8
_NOTHING: Final = "would be worth nothing: the answer is among the features"

_SAID: Final[Mapping[Kind, tuple[str, str, str, str]]] = {
    "code": (
        "This column says the class: {}.",
        "These columns say the class: {}.",
        f"Accuracies with {{}} {_NOTHING}.",
        "Leave {} out, unless it really was measured.",
    ),
    "doubt": (
        "Does this column say the class in other words? {}.",
        "Do these columns say the class in other words? {}.",
        f"If so, accuracies with {{}} {_NOTHING}.",
        "Leave {} out then; what was measured stays.",
    ),
    "order": (
        "Was this column measured? {}.",
        "Were these columns measured? {}.",
        "A strong measurement does this, but so do a row number of sorted items and a score made from the class: "
        "accuracies with {} would then be worth nothing.",
        "Leave {} out then; what was measured stays.",
    ),
}


def leak_groups(found: Sequence[LeakingColumn]) -> tuple[tuple[Kind, tuple[LeakingColumn, ...]], ...]:
    """Columns by kind, the surest first; kinds without any are left out."""
    groups = [(kind, tuple(each for each in found if each.kind == kind)) for kind in _SAID]
    return tuple((kind, members) for kind, members in groups if members)


def leak_note(kind: Kind, found: Sequence[LeakingColumn]) -> Note:
    """One finding about columns of one kind: a statement about codes, a question about the others."""
    one, many, action, choice = _SAID[kind]
    named = [f"{_short(each.name)} ({each.how})" for each in found[:MOST_NAMES]]
    more = f" and {len(found) - MOST_NAMES:,} more" if len(found) > MOST_NAMES else ""
    it = "it" if len(found) == 1 else "them"
    text = (one if len(found) == 1 else many).format(", ".join(named) + more)
    said = choice.format(it)
    return Note(
        text,
        action.format(it),
        said if len(found) == 1 else said.replace("unless it really was", "unless they really were"),
        "note" if kind == "order" else "warning",
    )


def leak_warnings(found: Sequence[LeakingColumn]) -> tuple[Note, ...]:
    """Return one note a kind, the surest first."""
    return tuple(leak_note(kind, members) for kind, members in leak_groups(found))


def _short(name: str) -> str:
    return listed([name])
