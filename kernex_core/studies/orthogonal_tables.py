"""Balanced loss against p for both bases of the empirical map, in independent repetitions: what Tables 2 to 5 share.

Nothing in here knows what the paper prints (`studies.published`); a test moves the seed and sees these numbers move.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import Coded
from kernex_core.learning.folds import Fold
from kernex_core.studies.diagonal_folds import Losses, svm_losses
from kernex_core.studies.orthogonal_patterns import ALL_POINTS, TRAIN_ONLY

BASES = {ALL_POINTS: False, TRAIN_ONLY: True}
"""Column: whether it is inductive."""
Powers = tuple[float | None, ...]

Part = tuple[GramMatrix, Sequence[Fold]]
"""A kernel and the folds that it is judged on: one for all folds, or one a fold where it was made inside it."""


@dataclass(frozen=True, eq=False)
class Repetition(ReadOnlyArrays):
    """One run through all folds.

    Attributes
    ----------
    losses : dict of str to (n_folds, n_powers) float
        Balanced loss by column of BASES.
    training_errors, at_bound, not_converged : int
        Over all machines: 0 where every margin was hard and every solver stopped by itself.
    """

    losses: dict[str, FloatArray]
    training_errors: int
    at_bound: int
    not_converged: int


@dataclass(frozen=True, eq=False)
class PowerTable(ReadOnlyArrays):
    """Repetitions that are done.

    Attributes
    ----------
    powers : tuple of float or None
        Rows; None is the kernel as it is.
    losses : dict of str to (done, n_folds, n_powers) float
    aside : (done, n_folds) float
        Balanced loss without what the table adds (Table 2: without noise); no columns where there is no such row.
    training_errors, at_bound, not_converged : int
    done, total : int
        Repetitions.
    seconds : float
    notes : tuple of str
        What was assumed about the data, in words.
    """

    powers: Powers
    losses: dict[str, FloatArray]
    aside: FloatArray
    training_errors: int
    at_bound: int
    not_converged: int
    done: int
    total: int
    seconds: float
    notes: tuple[str, ...] = ()

    def mean(self, column: str) -> FloatArray:
        """(n_powers,) mean over all folds."""
        return np.asarray(self._of(column).mean(axis=(0, 1)))

    def sd(self, column: str) -> FloatArray:
        """(n_powers,) standard deviation over all folds, the paper's ±."""
        values = self._of(column)
        return np.asarray(values.reshape(-1, len(self.powers)).std(axis=0, ddof=1))

    def sd_repetitions(self, column: str) -> FloatArray:
        """(n_powers,) standard deviation of the mean of one repetition; NaN for one."""
        means = self._of(column).mean(axis=1)
        return np.asarray(means.std(axis=0, ddof=1) if self.done > 1 else np.full(len(self.powers), np.nan))

    def se(self, column: str) -> FloatArray:
        """(n_powers,) standard error of the mean: folds of one repetition share items, so repetitions are the units."""
        return np.asarray(self.sd_repetitions(column) / np.sqrt(self.done))

    def _of(self, column: str) -> FloatArray:
        if column not in self.losses:
            raise InvalidInputError(f"A column is one of {', '.join(self.losses)}", repr(column))
        return self.losses[column]


def repetition(parts: Sequence[Part], coded: Coded, powers: Powers, *, C: float) -> Repetition:
    """Losses of a support vector machine on every fold, for every p and for both bases.

    Parameters
    ----------
    parts : sequence of (GramMatrix, folds)
    coded : Coded
    powers : tuple of float or None
    C : float
        In units of the mean training diagonal; from 1e6 on a hard margin.
    """
    made: dict[str, list[FloatArray]] = {column: [] for column in BASES}
    counts = np.zeros(3, dtype=np.int64)
    for p in powers:
        step = None if p is None else EmpiricalMap(SignedPower(p))
        mapped = [(K if step is None else K.then(step), folds) for K, folds in parts]
        for column, inductive in BASES.items():
            found = [svm_losses(K, coded, folds, C=C, inductive=inductive) for K, folds in mapped]
            made[column].append(np.concatenate([each.values for each in found]))
            counts += np.sum([_went_wrong(each) for each in found], axis=0)
    losses = {column: np.array(rows).T for column, rows in made.items()}
    return Repetition(losses, *counts.tolist())


def _went_wrong(losses: Losses) -> tuple[int, int, int]:
    return losses.training_errors, losses.at_bound, losses.not_converged


class Running:
    """Collects repetitions and says what there is so far."""

    def __init__(self, powers: Powers, total: int, notes: tuple[str, ...] = ()) -> None:
        self.powers, self.total, self.notes = powers, total, notes
        self.started = time.perf_counter()
        self.made: list[Repetition] = []
        self.aside: list[FloatArray] = []

    def add(self, made: Repetition, aside: FloatArray | None = None) -> PowerTable:
        """Return the table with one repetition more."""
        self.made.append(made)
        if aside is not None:
            self.aside.append(aside)
        done = len(self.made)
        return PowerTable(
            powers=self.powers,
            losses={column: np.array([each.losses[column] for each in self.made]) for column in BASES},
            aside=np.array(self.aside) if self.aside else np.empty((done, 0)),
            training_errors=sum(each.training_errors for each in self.made),
            at_bound=sum(each.at_bound for each in self.made),
            not_converged=sum(each.not_converged for each in self.made),
            done=done,
            total=self.total,
            seconds=time.perf_counter() - self.started,
            notes=self.notes,
        )


def last(states: Iterator[PowerTable]) -> PowerTable:
    """Return the finished table."""
    made = list(states)
    return made[-1]


def two_classes(labels: Labels | None, positive: tuple[str, ...] = ()) -> Coded:
    """Code labels as two classes.

    Parameters
    ----------
    labels : Labels or None
        "" = unlabelled: code −1, in no fold.
    positive : tuple of str
        Classes that are together against all others; may stay empty where there are two.

    Raises
    ------
    InvalidInputError
        No labels; not two classes and none named; a class that is not there; nothing left on one side.
    """
    if labels is None or not labels.classes:
        raise InvalidInputError(
            "This table needs labels of two classes", "no labels", "Bring them on the page Data"
        )
    names = sorted(name for name, _ in labels.classes)
    if not positive and len(names) == 2:
        positive = (names[1],)
    unknown = [name for name in positive if name not in names]
    if not positive or unknown or len(set(positive)) == len(names):
        raise InvalidInputError(
            "This table sets some classes against the others",
            f"{len(names)} classes, of which {', '.join(positive) or 'none'} were chosen",
            f"Choose some but not all of {', '.join(names)}",
        )
    member = np.isin(labels.y, positive)
    codes = np.where(labels.labelled, member, -1).astype(np.int64)
    rest = [name for name in names if name not in positive]
    return Coded(codes, (" + ".join(rest), " + ".join(positive)))
