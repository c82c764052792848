"""Labels for items that have none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import check_judgeable, code_labels, labels_of
from kernex_core.learning.svm import fit_one_vs_rest
from kernex_core.parameters import check_range


@dataclass(frozen=True, eq=False)
class Predictions(ReadOnlyArrays):
    """Predicted classes of the unlabelled items.

    Attributes
    ----------
    items : (k,) int
        Positions of the unlabelled items.
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


def predict_unlabelled(K: GramMatrix, y: Labels | ArrayLike, *, C: float = 10.0) -> Predictions:
    """Train one C-SVM a class on the labelled items and decide the unlabelled ones.

    Parameters
    ----------
    K : (n, n)
        Positive semidefinite and known everywhere.
    y : (n,) str
        "" = unlabelled.
    C : float
        Above 0.

    Raises
    ------
    InvalidInputError
        Unknown entries, fewer than two classes, or no unlabelled item.
    NotPositiveSemidefiniteError
        Naming the repair.
    """
    C = check_range("C", C, 0.0, open_low=True)
    coded = code_labels(labels_of(y, K, named=True))
    train, new = np.flatnonzero(coded.codes >= 0), np.flatnonzero(coded.codes < 0)
    if new.size == 0:
        raise InvalidInputError("Prediction is for items without a label", "every item has one")
    check_judgeable(K)
    fitted = fit_one_vs_rest(
        K.values[np.ix_(train, train)], coded.codes[train], len(coded.classes), C=C, checked=True
    )
    decisions = fitted.decide(K.values[np.ix_(new, train)])
    ranked = np.sort(decisions, axis=1)
    return Predictions(
        items=new,
        ids=tuple(K.ids[i] for i in new),
        labels=tuple(coded.classes[c] for c in decisions.argmax(axis=1)),
        margin=ranked[:, -1] - ranked[:, -2],
        decisions=decisions,
        classes=coded.classes,
    )
