"""Scores of decisions, each with the score that a predictor without any knowledge gets."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.base.labels import as_labels
from kernex_core.base.validation import as_numbers


def confusion_counts(truth: IntArray, predicted: IntArray, n_classes: int) -> IntArray:
    """(n_classes, n_classes) counts; rows are the true classes."""
    return np.bincount(truth * n_classes + predicted, minlength=n_classes**2).reshape(n_classes, n_classes)


def one_vs_rest_by_class(truth: IntArray, decisions: FloatArray) -> FloatArray:
    """(n_classes,) accuracy of "is it class c?", decided by the sign of that class's own decision value.

    f(x) > 0 means yes, as in the papers.
    """
    return np.asarray(decided_rightly(truth, decisions).mean(axis=0))


def one_vs_rest_by_item(truth: IntArray, decisions: FloatArray) -> FloatArray:
    """(n,) share of the decisions "is it class c?" that are right for an item; their mean is that over classes."""
    return np.asarray(decided_rightly(truth, decisions).mean(axis=1))


def decided_rightly(truth: IntArray, decisions: FloatArray) -> BoolArray:
    """(n, n_classes) whether "is it class c?" is answered rightly, by the sign of the decision value."""
    member = truth[:, None] == np.arange(decisions.shape[1])[None, :]
    return np.asarray((decisions > 0.0) == member)


def one_vs_rest_floor(truth: IntArray, n_classes: int) -> float:
    """Mean one-vs-rest accuracy of always saying no: 1 − 1/c, whatever the sizes (88.9 % for nine classes).

    What the papers' measure is read beside. With two classes naming the larger one reaches more: see `chance_level`.
    """
    sizes = np.bincount(truth, minlength=n_classes)
    return float((1.0 - sizes / truth.size).mean())


def chance_level(truth: IntArray, n_classes: int) -> float:
    """Chance level of one-vs-rest accuracy: `one_vs_rest_floor`, and of two classes `majority_floor`.

    With two classes "is it this one?" is one question asked twice. Naming the larger class answers both, and is as often
    right as in multi-class accuracy.
    """
    return majority_floor(truth, 2) if n_classes == 2 else one_vs_rest_floor(truth, n_classes)


def majority_floor(truth: IntArray, n_classes: int) -> float:
    """Accuracy of always naming the largest class."""
    return float(np.bincount(truth, minlength=n_classes).max() / truth.size)


def balanced_accuracy(confusion: IntArray) -> float:
    """Mean recall over the classes that occur; floor 1/c."""
    sizes = confusion.sum(axis=1)
    present = sizes > 0
    return float((np.diag(confusion)[present] / sizes[present]).mean())


def matthews(confusion: IntArray) -> float:
    """Multi-class Matthews correlation (Gorodkin 2004, eq. 8), −1 to 1; 0 if only one class occurs or is predicted."""
    t, p = confusion.sum(axis=1).astype(np.float64), confusion.sum(axis=0).astype(np.float64)
    total, correct = t.sum(), float(np.trace(confusion))
    denominator = np.sqrt(total**2 - (p**2).sum()) * np.sqrt(total**2 - (t**2).sum())
    return float((correct * total - (t * p).sum()) / denominator) if denominator > 0.0 else 0.0


def auc(positive: NDArray[np.bool_], scores: FloatArray) -> float:
    """Share of (positive, negative) pairs in the right order, ties half; NaN without both kinds."""
    own, others = scores[positive], scores[~positive]
    if own.size == 0 or others.size == 0:
        return float("nan")
    return float(mann_whitney_2u(own, others).sum() / (2 * own.size * others.size))


def mann_whitney_2u(own: FloatArray, others: FloatArray) -> IntArray:
    """(k,) twice how many others (n,) each score (k,) exceeds, a tie counted once: the sum is 2 U of Mann and Whitney."""
    ranked = np.sort(others)
    return np.asarray(np.searchsorted(ranked, own, "left") + np.searchsorted(ranked, own, "right"))


def mann_whitney_2u_by_class(truth: IntArray, decisions: FloatArray) -> IntArray:
    """(n_classes, n) `mann_whitney_2u` of each item against those of the other kind (of the class or not), by its decisions.

    All classes are sorted at once: one by one, most of the time would go into calls.
    """
    n, c = decisions.shape
    order = np.argsort(decisions.T, axis=1)
    ranked = np.take_along_axis(decisions.T, order, axis=1)
    member = truth[order] == np.arange(c)[:, None]
    first = np.broadcast_to(np.arange(n), (c, n))
    last = first + 1
    rises = ranked[:, 1:] != ranked[:, :-1]
    if not rises.all():  # ties have the first and the last place in common
        first = np.where(np.pad(rises, ((0, 0), (1, 0))), first, 0)
        first = np.maximum.accumulate(first, axis=1)
        last = np.where(np.pad(rises, ((0, 0), (0, 1))), last, n)
        last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    before = np.zeros((c, n + 1), dtype=np.int64)
    np.cumsum(member, axis=1, out=before[:, 1:])
    members = np.take_along_axis(before, first, axis=1) + np.take_along_axis(before, last, axis=1)
    wins = np.empty((c, n), dtype=np.int64)
    np.put_along_axis(wins, order, np.where(member, first + last - members, members), axis=1)
    return wins


def auc_by_class(truth: IntArray, decisions: FloatArray, wins: IntArray | None = None) -> FloatArray:
    """(n_classes,) `auc` of each class against the rest; NaN for a class without both kinds of items.

    `wins` are `mann_whitney_2u_by_class`, where somebody has them.
    """
    wins = mann_whitney_2u_by_class(truth, decisions) if wins is None else wins
    member = truth == np.arange(wins.shape[0])[:, None]
    sizes = member.sum(axis=1)
    pairs = 2 * sizes * (truth.size - sizes)
    areas = np.full(sizes.size, np.nan)
    np.divide((wins * member).sum(axis=1), pairs, out=areas, where=pairs > 0)
    return areas


def balanced_loss(y_true: ArrayLike, y_pred: ArrayLike, *, positive: object = None) -> float:
    """(FN/P + FP/N)/2; a class that is absent leaves the other term alone (Schoelkopf et al. 2002).

    Parameters
    ----------
    y_true, y_pred : (n,)
        Two values.
    positive : optional
        The positive label; the larger of two by default.

    Raises
    ------
    InvalidInputError
        Empty, or of different lengths.

    Examples
    --------
    >>> from kernex_core import balanced_loss
    >>> balanced_loss([1, 1, -1, -1, -1, -1], [1, -1, -1, -1, -1, 1])
    0.375
    """
    truth, predicted = _binary(y_true, positive), _binary(y_pred, positive, y_true)
    if truth.size != predicted.size:
        raise InvalidInputError(f"There has to be one prediction a label ({truth.size})", str(predicted.size))
    terms = [float((~predicted[truth]).mean())] if truth.any() else []
    terms += [float(predicted[~truth].mean())] if (~truth).any() else []
    return sum(terms) / len(terms)


def roc_score(y_true: ArrayLike, scores: ArrayLike, *, positive: object = None) -> float:
    """[#(s⁺ > s⁻) + ½ #(s⁺ = s⁻)] / (P N); NaN if a class is absent.

    Parameters
    ----------
    y_true : (n,)
        Two values.
    scores : (n,) float
        Larger = more like a positive; finite.
    positive : optional
        The positive label; the larger of two by default.

    Raises
    ------
    InvalidInputError
        More than two labels, or scores that are not one finite number a label.

    Examples
    --------
    >>> from kernex_core import roc_score
    >>> roc_score([1, 1, -1, -1], [0.9, 0.5, 0.5, 0.1])
    0.875
    """
    truth = _binary(y_true, positive)
    return auc(truth, _one_a_label(scores, truth.size))


def median_rfp(y_true: ArrayLike, scores: ArrayLike, *, positive: object = None) -> float:
    """Rate of false positives at the median positive, #{s⁻ >= median(s⁺)}/N; ties count against. NaN if absent.

    Parameters and errors as in `roc_score`.

    Examples
    --------
    >>> from kernex_core import median_rfp
    >>> median_rfp([1, 1, 1, -1, -1], [0.9, 0.5, 0.1, 0.6, 0.2])
    0.5
    """
    truth = _binary(y_true, positive)
    values = _one_a_label(scores, truth.size)
    if truth.all() or not truth.any():
        return float("nan")
    return float((values[~truth] >= np.median(values[truth])).mean())


def _one_a_label(scores: ArrayLike, n: int) -> FloatArray:
    values = as_numbers(scores, "Scores")
    if values.shape != (n,):
        raise InvalidInputError(
            f"There has to be one score a label ({n})", f"an array of shape {values.shape}"
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise InvalidInputError("Scores have to be finite", f"{values[bad[0]]} at position {bad[0] + 1}")
    return values


def _two_kinds(y: ArrayLike) -> NDArray[np.generic]:
    """Labels as they are, text or numbers; `as_labels` would make 1 and 1.0 two of them."""
    as_labels(y)
    values = np.asarray(y)
    if values.size == 0:
        raise InvalidInputError("There has to be at least one label", "none")
    # a list of mixed kinds is an array of objects, which has no order
    return values.astype(np.str_) if values.dtype.hasobject else values


def _binary(y: ArrayLike, positive: object, reference: ArrayLike | None = None) -> NDArray[np.bool_]:
    values = _two_kinds(y)
    others = values if reference is None else _two_kinds(reference)
    if (values.dtype.kind == "U") != (others.dtype.kind == "U"):
        raise InvalidInputError("Labels and predictions have to be of one kind", "texts and numbers")
    known = np.unique(np.concatenate([values, others]))
    if known.size > 2:
        raise InvalidInputError("Two labels are expected", f"{known.size} different ones")
    if positive is not None:
        return np.asarray(values == positive)
    # a single label is taken for what it looks like: 1, True or "+" is positive
    if known.size == 1:
        return np.full(values.size, bool(known[0] in (1, "1", "+", "+1")))
    return np.asarray(values == known[1])
