"""Losses of several classifiers on one kernel and given folds: what the studies of large diagonals share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base import lapack
from kernex_core.base.errors import NotPositiveSemidefiniteError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray, ReadOnlyArrays, read_only
from kernex_core.base.validation import EPS, check_kernel
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import Center
from kernex_core.gram.spectrum import kernel_pca
from kernex_core.gram.split import Split, split_inductively
from kernex_core.gram.step import Step
from kernex_core.learning.chance.interval import Interval, Passes, interval_of, judged_times
from kernex_core.learning.chance.paired import recall_by_item
from kernex_core.learning.folds import Fold
from kernex_core.learning.learners.neighbours import nearest, vote
from kernex_core.learning.machine import (
    HARD_MARGIN,
    SYMMETRIC,
    Coded,
    Cut,
    Machine,
    Margin,
    Measure,
    OneVsRest,
    convergence_note,
    cut_of,
    over_folds_in_steps,
)
from kernex_core.learning.protocol import Judging
from kernex_core.runtime.progress import Steps, finished, part

# Losses of one classifier over folds, and what they say about its margin.


@dataclass(frozen=True, eq=False)
class Losses(ReadOnlyArrays):
    """Balanced losses of one classifier, one a fold.

    Attributes
    ----------
    values : (n_folds,) float
        0 to 1; chance is 1 - 1/classes.
    repeats : (n_folds,) int
        Repetition that each fold belongs to.
    training_errors, at_bound, not_converged : int
        Over all folds and classes: decisions of the wrong sign on training items, coefficients that reached C,
        problems ended before their optimum. All 0 for the nearest neighbour.
    problems, iterations : int
        Two-class problems that were solved, and steps of the solver over all of them; 0 for the nearest neighbour.
    one_a_fold : bool
        Every fold tests one item: then the mean is the plain share that is missed, and folds have no spread.
    missed : (n_repeats, n_items) bool
        Whether an item was missed; empty where repetitions do not test the same items.
    codes : (n_items,) int
        Class of each of them.
    groups : (n_items,) str or None
        Groups that were kept together.
    """

    values: FloatArray
    repeats: IntArray
    training_errors: int = 0
    at_bound: int = 0
    not_converged: int = 0
    problems: int = 0
    iterations: int = 0
    one_a_fold: bool = False
    missed: BoolArray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.bool_))
    codes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    groups: NDArray[np.str_] | None = None

    @cached_property
    def by_repeat(self) -> FloatArray:
        """(n_repeats,) mean over the folds of each repetition."""
        return read_only(np.array([self.values[self.repeats == r].mean() for r in np.unique(self.repeats)]))

    @property
    def mean(self) -> float:
        """Mean over folds."""
        return float(self.values.mean())

    @property
    def sd_folds(self) -> float:
        """Standard deviation over folds, which is the ± of the paper; NaN for one, and for one item a fold."""
        return (
            float(self.values.std(ddof=1)) if self.values.size > 1 and not self.one_a_fold else float("nan")
        )

    @property
    def sd_repeats(self) -> float:
        """Standard deviation over repetitions; NaN for one."""
        means = self.by_repeat
        return float(means.std(ddof=1)) if means.size > 1 else float("nan")

    @cached_property
    def interval(self) -> Interval | None:
        """Interval for other data sets of this size, see `interval_of`; None where repetitions do not test the same items.

        What an item has of it is that of the items pooled over folds, around the mean over folds.
        """
        if not self.missed.size:
            return None
        return interval_of(
            self.by_item,
            self.passes,
            groups=self.groups,
            classes=None if self.one_a_fold else self.codes,
        )

    @property
    def passes(self) -> Passes:
        """In how many folds, and how often, the items were judged."""
        repeats = int(np.unique(self.repeats).size)
        return Passes(self.repeats.size // repeats, repeats)

    @property
    def by_item(self) -> FloatArray:
        """(n_repeats, n_items) what each item has of the loss of a repetition."""
        missed = self.missed.astype(np.float64)
        if self.one_a_fold:
            return missed
        rows = np.array([recall_by_item(row, self.codes) for row in missed])
        return np.asarray(rows + (self.by_repeat - rows.mean(axis=1))[:, None])

    @property
    def n_items(self) -> int:
        """Items that every repetition tests."""
        return int(self.codes.size)

    @property
    def rests_on(self) -> str:
        """What the loss rests on: "296 items, each judged 5 times"."""
        return judged_times(self.n_items, len(self.by_repeat))


def hard_margin_notes(losses: Losses, C: float, margin: Margin = SYMMETRIC) -> tuple[str, ...]:
    """Return what went against a hard margin, in words; nothing for a soft one that converged."""
    said = []
    if C >= HARD_MARGIN and (losses.at_bound or losses.training_errors):
        counts = f"{losses.at_bound:,} coefficients reached C and {losses.training_errors:,} training decisions are wrong"
        if margin.asymmetry > 0.0:
            said.append(f"The asymmetric margin is soft: {counts}.")
        else:
            unit = "" if margin.scaled else " or C is small in the units of this kernel,"
            said.append(
                f"The margin is not hard everywhere: {counts}. Either the kernel cannot tell all training items of "
                f"different classes apart,{unit} or rounding limits it."
            )
    return (*said, *convergence_note(losses.not_converged))


def constant_loss(codes: IntArray, folds: Sequence[Fold]) -> float:
    """Balanced loss, over the same folds, of the best predictor that always names one class.

    1 − 1/c where every fold tests all c classes. A fold without the class that is named is lost, one that holds no other
    class is won; with one item a fold it is the share of items outside the largest class.

    Parameters
    ----------
    codes : (n,) int
        Class of each item.
    folds : sequence of Fold
    """
    lost = np.zeros(int(codes.max()) + 1)
    for fold in folds:
        present = np.unique(codes[fold.test])
        lost += 1.0
        lost[present] -= 1.0 / present.size
    return float(lost.min()) / len(folds)


SVM_TOLERANCE = 1e-4
"""A tenth of the usual one: a hard margin stops late or stops wrong."""


def class_balanced_loss(truth: IntArray, predicted: IntArray) -> float:
    """Mean over the classes that occur of the share of their items that is missed; (FN/P + FP/N)/2 for two."""
    return float(np.mean([(predicted[truth == c] != c).mean() for c in np.unique(truth)]))


def svm_losses(K: GramMatrix, how: Judging, *, further: Sequence[Step] = ()) -> Losses:
    """One C-SVM a class, by default on the kernel divided by its mean training diagonal.

    Parameters
    ----------
    K : GramMatrix
        In an inductive run its steps are fitted anew on the training items of every fold.
    how : Judging
        Its C is in units of the mean training diagonal, unless the margin says otherwise; from 1e6 on a hard margin.
    further : sequence of Step
        Taken after those of K, see `cut_of`.
    """
    return finished(_judging_svm(K, how, further))


def _judging_svm(K: GramMatrix, how: Judging, further: Sequence[Step]) -> Steps[Losses]:
    return _judging_machine(cut_of(K, inductive=how.inductive, further=further), how)


def neighbour_losses(K: GramMatrix, how: Judging, *, further: Sequence[Step] = ()) -> Losses:
    """Nearest neighbour by the distance that the kernel induces."""
    return finished(_judging_neighbour(K, how, further))


def _judging_neighbour(K: GramMatrix, how: Judging, further: Sequence[Step]) -> Steps[Losses]:
    cut = cut_of(K, inductive=how.inductive, further=further)
    return _together((yield from _over_folds(partial(_by_neighbour, how.coded.codes), cut, how.folds)), how)


def _by_neighbour(codes: IntArray, fold: Fold, blocks: Split) -> _FoldLoss:
    found = nearest(blocks.K_cross, blocks.diag_test, np.diag(blocks.K_train))
    return _fold_loss(codes[fold.test], vote(found, codes[fold.train]))


def component_losses(K: GramMatrix, how: Judging, *, further: Sequence[Step] = ()) -> Losses:
    """SVM on kernel principal components, of the whole matrix or, in an inductive run, of the training block.

    Their number is cut to that of the items there are. Inside a fold they are centred by the training items.
    """
    return finished(_judging_components(K, how, further))


def _judging_components(K: GramMatrix, how: Judging, further: Sequence[Step]) -> Steps[Losses]:
    components = how.protocol.components
    steps = (*further, Center()) if components.centred else tuple(further)
    if how.inductive:
        inner = cut_of(K, inductive=True, further=steps)
        return _judging_machine(partial(_projected, inner, components.number), how)
    for step in steps:
        K = K.then(step)
    # kernel_pca takes what is tiny for rounding, which similarities of any unit must not be
    unit = float(np.abs(K.values).max()) or 1.0
    F = kernel_pca(K.values / unit, min(components.number, K.n), centred=False).coordinates
    return _judging_machine(cut_of(GramMatrix(unit * (F @ F.T)), inductive=False), how)


CLASSIFIERS: Final[Mapping[str, Callable[[GramMatrix, Judging, Sequence[Step]], Steps[Losses]]]] = {
    "svm": _judging_svm,
    "neighbour": _judging_neighbour,
    "components": _judging_components,
}
"""What judges a kernel on the page Power p, by name."""


def judging_all(K: GramMatrix, how: Judging, *, further: Sequence[Step] = ()) -> Steps[dict[str, Losses]]:
    """Losses of all CLASSIFIERS, in steps of at most a quarter of a second, or of one fold."""
    found = {}
    for place, (name, judging) in enumerate(CLASSIFIERS.items()):
        found[name] = yield from part(
            judging(K, how, further), place / len(CLASSIFIERS), (place + 1) / len(CLASSIFIERS)
        )
    return found


def check_trained(K: GramMatrix, how: Judging) -> None:
    """Refuse what no SVM should be trained on; an inductive run must not look at what test items have in common.

    Raises
    ------
    NotPositiveSemidefiniteError
        A similarity that is no kernel.
    """
    try:
        check_kernel(K.values, given=K)
        if not (how.inductive and K.steps):
            return  # blocks on the diagonal of a kernel are kernels
    except NotPositiveSemidefiniteError:
        if not how.inductive:
            raise
    for fold in how.folds:
        split_inductively(K, fold.train, fold.test).checked()


@dataclass(frozen=True, eq=False)
class _FoldLoss(EqualByContent):
    loss: float
    missed: BoolArray
    training_errors: int = 0
    at_bound: int = 0
    not_converged: int = 0
    problems: int = 0
    iterations: int = 0


def _over_folds(measure: Measure[_FoldLoss], cut: Cut, folds: Sequence[Fold]) -> Steps[list[_FoldLoss]]:
    made: list[_FoldLoss] = []
    for batch in over_folds_in_steps(measure, cut, folds):
        made += batch
        yield len(made) / len(folds)
    return made


def _judging_machine(cut: Cut, how: Judging) -> Steps[Losses]:
    machine = how.protocol.machine(tolerance=SVM_TOLERANCE)
    return _together((yield from _over_folds(partial(_by_machine, machine, how.coded), cut, how.folds)), how)


def _by_machine(machine: Machine, coded: Coded, fold: Fold, blocks: Split) -> _FoldLoss:
    codes, c = coded.codes, len(coded.classes)
    made = machine.train(blocks, codes[fold.train], c)
    fitted = made.machine
    tested = _fold_loss(codes[fold.test], predicted(fitted, made.K_cross))
    wrong = (fitted.decide(made.K_train) > 0.0) != (codes[fold.train][:, None] == np.arange(c)[None, :])
    # the problem of two classes is solved once and counted once
    errors = int(wrong[:, 1].sum()) if c == 2 else int(wrong.sum())
    solved = 1 if c == 2 else c
    steps = int(fitted.iterations[:solved].sum())
    return replace(
        tested, training_errors=errors, at_bound=fitted.at_bound, not_converged=fitted.not_converged,
        problems=solved, iterations=steps,
    )  # fmt: skip


def _fold_loss(truth: IntArray, given: IntArray) -> _FoldLoss:
    return _FoldLoss(class_balanced_loss(truth, given), np.asarray(given != truth))


def predicted(fitted: OneVsRest, K_cross: FloatArray) -> IntArray:
    """Class of each row; of two classes the second needs f > 0."""
    return np.asarray(fitted.decide(K_cross).argmax(axis=1), dtype=np.int64)


def _projected(cut: Cut, n_components: int, train: IntArray, test: IntArray) -> Split:
    """Uncentred components of the training block, and new items on them: z = μ^{-1/2} V' k(X, x)."""
    blocks = cut(train, test)
    n = blocks.K_train.shape[0]
    eigenvalues, vectors = lapack.eigh(blocks.K_train)
    eigenvalues, vectors = eigenvalues[::-1][:n_components], vectors[:, ::-1][:, :n_components]
    kept = eigenvalues > n * EPS * float(np.abs(eigenvalues).max())
    roots = np.sqrt(eigenvalues[kept])
    old = vectors[:, kept] * roots
    new = blocks.K_cross @ (vectors[:, kept] / roots)
    return Split(old @ old.T, new @ old.T, np.einsum("ij,ij->i", new, new))


def _together(made: Sequence[_FoldLoss], how: Judging) -> Losses:
    folds = how.folds
    missed, items = _by_item(made, folds)
    return Losses(
        np.array([fold.loss for fold in made]),
        np.array([fold.repeat for fold in folds], dtype=np.int64),
        sum(fold.training_errors for fold in made),
        sum(fold.at_bound for fold in made),
        sum(fold.not_converged for fold in made),
        sum(fold.problems for fold in made),
        sum(fold.iterations for fold in made),
        all(fold.test.size == 1 for fold in folds),
        missed,
        how.coded.codes[items],
        None if how.groups is None else how.groups[items],
    )


def _by_item(made: Sequence[_FoldLoss], folds: Sequence[Fold]) -> tuple[BoolArray, IntArray]:
    """(n_repeats, n_items) missed or not, and positions of the items; empty unless every repetition tests each once."""
    repeats = [fold.repeat for fold in folds]
    tested, missed = [], []
    for r in sorted(set(repeats)):
        mine = [place for place, repeat in enumerate(repeats) if repeat == r]
        at = np.concatenate([folds[place].test for place in mine])
        order = np.argsort(at)
        tested.append(at[order])
        missed.append(np.concatenate([made[place].missed for place in mine])[order])
    items = tested[0]
    if np.unique(items).size < items.size or any(not np.array_equal(items, other) for other in tested):
        return np.zeros((0, 0), dtype=np.bool_), np.zeros(0, dtype=np.int64)
    return np.array(missed), items
