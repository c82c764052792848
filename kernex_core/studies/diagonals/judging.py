"""Losses of several classifiers on one kernel and given folds: what the studies of large diagonals share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from kernex_core.errors import NotPositiveSemidefiniteError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.gram.center import Center
from kernex_core.gram.components import kernel_pca
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import Split, split_inductively, split_transductively
from kernex_core.gram.step import Step
from kernex_core.learning.evaluate import THREADS, Coded
from kernex_core.learning.folds import CrossValidation, Fold
from kernex_core.learning.nearest import nearest, vote
from kernex_core.learning.svm import OneVsRest, fit_one_vs_rest
from kernex_core.studies.diagonals.classifiers import PAPER_COMPONENTS, Components
from kernex_core.studies.diagonals.losses import Losses
from kernex_core.studies.diagonals.margin import SYMMETRIC, Margin
from kernex_core.validation import EPS, check_kernel

SVM_TOLERANCE = 1e-4
"""A tenth of the usual one: a hard margin stops late or stops wrong."""


def class_balanced_loss(truth: IntArray, predicted: IntArray) -> float:
    """Mean over the classes that occur of the share of their items that is missed; (FN/P + FP/N)/2 for two."""
    return float(np.mean([(predicted[truth == c] != c).mean() for c in np.unique(truth)]))


def svm_losses(
    K: GramMatrix,
    coded: Coded,
    folds: Sequence[Fold],
    *,
    C: float,
    inductive: bool,
    margin: Margin = SYMMETRIC,
    further: Sequence[Step] = (),
) -> Losses:
    """One C-SVM a class, by default on the kernel divided by its mean training diagonal.

    Parameters
    ----------
    K : GramMatrix
        With `inductive` its steps are fitted anew on the training items of every fold.
    coded : Coded
    folds : sequence of Fold
    C : float
        In units of the mean training diagonal, unless the margin says otherwise; from 1e6 on a hard margin.
    margin : Margin
        Scaling, and c of the asymmetric soft margin, see `fit_one_vs_rest`.
    further : sequence of Step
        Taken after those of K, like them. An inductive run never takes them on all items, where they might fail.
    """
    return _over_folds(partial(_svm_fold, coded, _cut(K, inductive, further), C, margin), folds)


def neighbour_losses(
    K: GramMatrix, coded: Coded, folds: Sequence[Fold], *, inductive: bool, further: Sequence[Step] = ()
) -> Losses:
    """Nearest neighbour by the distance that the kernel induces."""
    cut = _cut(K, inductive, further)

    def one(fold: Fold) -> _FoldLoss:
        blocks, codes = cut(fold.train, fold.test), coded.codes
        found = nearest(blocks.K_cross, blocks.diag_test, np.diag(blocks.K_train))
        return _FoldLoss(class_balanced_loss(codes[fold.test], vote(found, codes[fold.train])))

    return _over_folds(one, folds)


def component_losses(
    K: GramMatrix,
    coded: Coded,
    folds: Sequence[Fold],
    *,
    C: float,
    components: Components = PAPER_COMPONENTS,
    inductive: bool = False,
    margin: Margin = SYMMETRIC,
    further: Sequence[Step] = (),
) -> Losses:
    """SVM on kernel principal components, of the whole matrix or of the training block.

    Parameters
    ----------
    components : Components
        Their number is cut to that of the items there are. Inside a fold they are centred by the training items.
    """
    steps = (*further, Center()) if components.centred else tuple(further)
    if inductive:
        inner = _cut(K, True, steps)

        def cut(train: IntArray, test: IntArray) -> Split:
            return _projected(inner(train, test), components.number)
    else:
        for step in steps:
            K = K.then(step)
        # kernel_pca takes what is tiny for rounding, which similarities of any unit must not be
        unit = float(np.abs(K.values).max()) or 1.0
        F = kernel_pca(K.values / unit, min(components.number, K.n), centred=False).coordinates
        cut = partial(split_transductively, GramMatrix(unit * (F @ F.T)))
    return _over_folds(partial(_svm_fold, coded, cut, C, margin), folds)


class Judging(NamedTuple):
    """How a kernel is judged: classes, folds, and the settings of the classifiers."""

    coded: Coded
    folds: Sequence[Fold]
    validation: CrossValidation
    margin: Margin
    components: Components


def losses_of_all(K: GramMatrix, how: Judging, *, further: Sequence[Step] = ()) -> dict[str, Losses]:
    """Losses of all classifiers: "svm", "neighbour" and "components"."""
    coded, folds, validation, margin, components = how
    inductive, C = validation.inductive, validation.C
    return {
        "svm": svm_losses(K, coded, folds, C=C, inductive=inductive, margin=margin, further=further),
        "neighbour": neighbour_losses(K, coded, folds, inductive=inductive, further=further),
        "components": component_losses(
            K, coded, folds, C=C, components=components, inductive=inductive, margin=margin, further=further
        ),
    }


def check_trained(K: GramMatrix, folds: Sequence[Fold], inductive: bool) -> None:
    """Refuse what no SVM should be trained on; an inductive run must not look at what test items have in common.

    Raises
    ------
    NotPositiveSemidefiniteError
        A similarity that is no kernel.
    """
    try:
        check_kernel(K.values)
        if not (inductive and K.steps):
            return  # blocks on the diagonal of a kernel are kernels
    except NotPositiveSemidefiniteError:
        if not inductive:
            raise
    for fold in folds:
        check_kernel(split_inductively(K, fold.train, fold.test).K_train)


_Cut = Callable[[IntArray, IntArray], Split]


@dataclass(frozen=True, eq=False)
class _FoldLoss(EqualByContent):
    loss: float
    training_errors: int = 0
    at_bound: int = 0
    not_converged: int = 0
    problems: int = 0
    iterations: int = 0


def _cut(K: GramMatrix, inductive: bool, further: Sequence[Step]) -> _Cut:
    if inductive:
        return partial(split_inductively, K, further=further)
    for step in further:
        K = K.then(step)
    return partial(split_transductively, K)


def _svm_fold(coded: Coded, cut: _Cut, C: float, margin: Margin, fold: Fold) -> _FoldLoss:
    blocks, codes, c = cut(fold.train, fold.test), coded.codes, len(coded.classes)
    mean = float(np.diag(blocks.K_train).mean())
    scale = 1.0 / mean if margin.scaled and mean > 0.0 else 1.0
    K_train = blocks.K_train * scale
    fitted = fit_one_vs_rest(
        K_train, codes[fold.train], c, C=C, asymmetry=margin.asymmetry, tolerance=SVM_TOLERANCE, checked=True
    )
    loss = class_balanced_loss(codes[fold.test], predicted(fitted, blocks.K_cross * scale))
    wrong = (fitted.decide(K_train) > 0.0) != (codes[fold.train][:, None] == np.arange(c)[None, :])
    # the problem of two classes is solved once and counted once
    errors = int(wrong[:, 1].sum()) if c == 2 else int(wrong.sum())
    solved = 1 if c == 2 else c
    steps = int(fitted.iterations[:solved].sum())
    return _FoldLoss(loss, errors, fitted.at_bound, fitted.not_converged, solved, steps)


def predicted(fitted: OneVsRest, K_cross: FloatArray) -> IntArray:
    """Class of each row; of two classes the second needs f > 0."""
    return np.asarray(fitted.decide(K_cross).argmax(axis=1), dtype=np.int64)


def _projected(blocks: Split, n_components: int) -> Split:
    """Uncentred components of the training block, and new items on them: z = μ^{-1/2} V' k(X, x)."""
    n = blocks.K_train.shape[0]
    eigenvalues, vectors = eigh(blocks.K_train, check_finite=False)
    eigenvalues, vectors = eigenvalues[::-1][:n_components], vectors[:, ::-1][:, :n_components]
    kept = eigenvalues > n * EPS * float(np.abs(eigenvalues).max())
    roots = np.sqrt(eigenvalues[kept])
    train = vectors[:, kept] * roots
    new = blocks.K_cross @ (vectors[:, kept] / roots)
    return Split(train @ train.T, new @ train.T, np.einsum("ij,ij->i", new, new))


def _over_folds(one: Callable[[Fold], _FoldLoss], folds: Sequence[Fold]) -> Losses:
    with ThreadPoolExecutor(THREADS) as pool:
        made = list(pool.map(one, folds))
    return Losses(
        np.array([fold.loss for fold in made]),
        np.array([fold.repeat for fold in folds], dtype=np.int64),
        sum(fold.training_errors for fold in made),
        sum(fold.at_bound for fold in made),
        sum(fold.not_converged for fold in made),
        sum(fold.problems for fold in made),
        sum(fold.iterations for fold in made),
        all(fold.test.size == 1 for fold in folds),
    )
