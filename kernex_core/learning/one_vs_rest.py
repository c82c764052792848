"""The papers' measure: accuracy of "is it class c?", class by class, with the floor that belongs beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.gram.matrix import GramMatrix, as_gram
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.folds import LEAVE_ONE_OUT, Fold, stratified_folds
from kernex_core.learning.machine import Machine, code_labels, cross_decisions, labels_of
from kernex_core.learning.scores import one_vs_rest_by_class, one_vs_rest_floor


@dataclass(frozen=True, eq=False)
class OneVsRestAccuracy(ReadOnlyArrays):
    """Accuracy of one C-SVM a class against all other classes.

    Attributes
    ----------
    per_class : (n_classes,) float
        0 to 1.
    classes : tuple of str
        Largest first.
    mean : float
        Over classes.
    floor : float
        Mean accuracy of always saying no, 1 − 1/c: 88.9 % for nine classes.
    sd_classes : float
        Standard deviation over classes.
    """

    per_class: FloatArray
    classes: tuple[str, ...]
    mean: float
    floor: float
    sd_classes: float


def one_vs_rest_accuracy(
    K: GramMatrix | ArrayLike, y: ArrayLike, *, C: float, folds: int, rng: np.random.Generator
) -> OneVsRestAccuracy:
    """Cross-validated one-vs-rest accuracy, once over the items; `judge` gives repeats, spreads and other scores.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : Labels or (n,) str
        "" = unlabelled, not counted.
    C : float
        Above 0.
    folds : int
        2 and more, stratified; 0 = leave-one-out.
    rng : numpy.random.Generator
        Draws the folds.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, unknown entries, more folds than the largest class has members.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import one_vs_rest_accuracy
    >>> x, y = np.arange(12.0), np.repeat(["a", "b"], 6)
    >>> rng = np.random.default_rng(0)
    >>> made = one_vs_rest_accuracy(np.outer(x - 5.5, x - 5.5), y, C=1.0, folds=2, rng=rng)
    >>> made.mean, made.floor
    (1.0, 0.5)
    """
    C = check_range("C", C, 0.0, open_low=True)
    if not isinstance(rng, np.random.Generator):
        raise InvalidInputError(
            "rng has to be a random generator", type(rng).__name__, "Write rng=np.random.default_rng(0)"
        )
    gram = as_gram(K)
    coded = code_labels(labels_of(y, gram, named=isinstance(K, GramMatrix)))
    check_judgeable(gram)
    items = np.flatnonzero(coded.codes >= 0)
    if isinstance(folds, bool) or not isinstance(folds, int | np.integer):
        raise InvalidInputError("The number of folds has to be a whole number", repr(folds))
    if folds == LEAVE_ONE_OUT:
        parts = tuple(Fold(np.delete(items, i), items[i : i + 1], 0) for i in range(items.size))
    else:
        parts = stratified_folds(coded.codes, int(folds), seed=int(rng.integers(2**31)))
    decisions = np.vstack(cross_decisions(gram.values, coded, parts, Machine(C)))
    truth = coded.codes[np.concatenate([part.test for part in parts])]
    per_class = one_vs_rest_by_class(truth, decisions)
    c = len(coded.classes)
    return OneVsRestAccuracy(
        per_class,
        coded.classes,
        float(per_class.mean()),
        one_vs_rest_floor(truth, c),
        float(per_class.std(ddof=1)),
    )
