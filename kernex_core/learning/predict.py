"""Labels for items that have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.labels import as_labels
from kernex_core.base.parameters import check_range
from kernex_core.base.validation import as_matrix
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.copies import found_copies
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.folds import CrossValidation, inner_folds, kept_together
from kernex_core.learning.learners.contract import Fitted, Learner, Targets, check_learns, chosen
from kernex_core.learning.machine import FINE_TOLERANCE, code_labels, cut_of, fit_one_vs_rest, labels_of


@dataclass(frozen=True, eq=False)
class Predictions(ReadOnlyArrays):
    """Predicted classes of unlabelled or of new items.

    Attributes
    ----------
    items : (k,) int
        Their positions: in the kernel, or among the new items.
    ids, labels : tuple of str
    margin : (k,) float
        Largest decision value minus the runner-up: small = undecided.
    decisions : (k, n_classes) float
    classes : tuple of str
    """

    items: IntArray
    ids: tuple[str, ...]
    labels: tuple[str, ...]
    margin: FloatArray
    decisions: FloatArray
    classes: tuple[str, ...]


def predict_unlabelled(
    K: GramMatrix, y: Labels | ArrayLike, *, C: float = 10.0, learner: Learner | None = None
) -> Predictions:
    """Train one C-SVM a class, or another learner, on the labelled items and decide the unlabelled ones.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : (n,) str
        "" = unlabelled.
    C : float
        Above 0; of the C-SVM.
    learner : Learner, optional
        One that learns classes, instead of the C-SVM.

    Raises
    ------
    InvalidInputError
        Unknown entries, fewer than two classes, a learner of numbers, or no unlabelled item.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, predict_unlabelled
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0, 3.0])
    >>> K = GramMatrix(np.outer(x, x), ids=("a", "b", "c", "d", "new"))
    >>> made = predict_unlabelled(K, ["low", "low", "high", "high", ""])
    >>> made.ids, made.labels
    (('new',), ('high',))
    """
    new = np.flatnonzero(labels_of(y, K, named=True) == "")
    if new.size == 0:
        raise InvalidInputError("Prediction is for items without a label", "every item has one")
    return _decided(K, y, K.values[new], new, tuple(K.ids[i] for i in new), C, learner)


def predict_new(
    K: GramMatrix, y: Labels | ArrayLike, K_cross: ArrayLike, ids: Sequence[str], *, C: float = 10.0
) -> Predictions:
    """Train one C-SVM a class on the labelled items of a kernel and decide items that are not in it.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : (n,) str
        "" = unlabelled.
    K_cross : (n_new, n)
        Similarities of the new items to those of K, after the same steps.
    ids : sequence of n_new str
    C : float
        Above 0.

    Raises
    ------
    InvalidInputError
        Unknown entries, another shape, or fewer than two classes.
    NotPositiveSemidefiniteError
        Naming the repair.
    """
    rows = as_matrix(K_cross, "K_cross")
    if rows.shape != (len(ids), K.n):
        raise InvalidInputError(
            f"Similarities of {len(ids)} new items to {K.n} items are needed",
            f"an array of shape {rows.shape}",
        )
    return _decided(K, y, rows, np.arange(len(ids)), tuple(ids), C)


def chosen_on_all(
    K: GramMatrix, y: Labels | None, targets: Targets, learner: Learner, how: CrossValidation
) -> Learner:
    """The learner with its strength chosen in folds of all items that have a target, as inside the folds of a judgement.

    Parameters
    ----------
    K : GramMatrix
        Known to be a kernel.
    y : Labels or None
        Where groups and copies are known from.
    targets : Targets
        Of all items; -1 or NaN = none.
    learner : Learner
        Returned as it is unless `how.choose_C`.
    how : CrossValidation
    """
    if not how.choose_C:
        return learner
    known = targets.values >= 0 if targets.n_classes else ~np.isnan(targets.values)
    codes = np.where(known, targets.values if targets.n_classes else 0, -1).astype(np.int64)
    groups = None if y is None or y.groups is None else as_labels(y.groups, K.n)
    copies = found_copies([K.values], codes, how, groups=groups, known=None if y is None else y.copies)
    together = kept_together(how, groups, copies.units if copies.kept else None)
    least = 2 if targets.n_classes else 1
    folds = inner_folds(codes, np.flatnonzero(known), how, together, least_classes=least)
    return chosen(learner, cut_of(K, inductive=False), targets, folds, checked=True)


def _decided(
    K: GramMatrix,
    y: Labels | ArrayLike,
    rows: FloatArray,
    items: IntArray,
    ids: tuple[str, ...],
    C: float,
    learner: Learner | None = None,
) -> Predictions:
    C = check_range("C", C, 0.0, open_low=True)
    coded = code_labels(labels_of(y, K, named=True))
    train = np.flatnonzero(coded.codes >= 0)
    check_judgeable(K)
    block, codes, c = K.values[np.ix_(train, train)], coded.codes[train], len(coded.classes)
    fitted: Fitted
    if learner is None:
        fitted = fit_one_vs_rest(block, codes, c, C=C, checked=True, tolerance=FINE_TOLERANCE)
    else:
        check_learns(learner, "classes")
        fitted = learner.fit(block, Targets(codes, c))
    decisions = fitted.decide(rows[:, train])
    ranked = np.sort(decisions, axis=1)
    return Predictions(
        items=items,
        ids=ids,
        labels=tuple(coded.classes[c] for c in decisions.argmax(axis=1)),
        margin=ranked[:, -1] - ranked[:, -2],
        decisions=decisions,
        classes=coded.classes,
    )
