"""What the page Complete says at one λ, computed once: the joint kernel, and its accuracy at every share that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.frozen import ReadOnlyArrays
from kernex_core.learning.cells import CellScores
from kernex_core.studies.completion.share_sweep import (
    Curve,
    Sweep,
    curves_of,
    joint_scores,
    other_joint_scores,
)
from kernex_core.studies.completion.study import CompletionView
from kernex_core.threads import one_blas_thread


@dataclass(frozen=True, eq=False)
class JointAccuracy(ReadOnlyArrays):
    """Accuracy of the joint kernel at one λ.

    Attributes
    ----------
    curves : tuple of (Curve, Curve)
        Multi-class and one-vs-rest, one pair a sweep.
    scores : tuple of CellScores
        Of the share that the page shows, one a repetition.
    other : tuple of CellScores
        The same of the joint kernel with the residual, or without it where the page's own keeps it; empty where there is
        none. It is judged for the share that is shown only: for all of them a move of λ would cost twice as much.
    """

    curves: tuple[tuple[Curve, Curve], ...]
    scores: tuple[CellScores, ...] = ()
    other: tuple[CellScores, ...] = ()

    @property
    def here(self) -> tuple[Curve, Curve]:
        """Those of the share that the page shows, which is the first."""
        return self.curves[0]


@dataclass(frozen=True, eq=False)
class Answer(ReadOnlyArrays):
    """Everything that a move of λ changes.

    Attributes
    ----------
    view : CompletionView
    accuracy : JointAccuracy or None
        None without classes.
    """

    view: CompletionView
    accuracy: JointAccuracy | None = None

    @property
    def lam(self) -> float:
        """The weight of the source."""
        return self.view.lam


def joint_accuracy(sweeps: Sequence[Sweep], lam: float) -> JointAccuracy:
    """Judge the joint kernel at λ once for each sweep; the share that is shown comes first.

    This is nearly all that a move of λ costs: one support vector machine a class, fold, repetition and share.
    """
    with one_blas_thread:
        scores = [tuple(joint_scores(cell, lam) for cell in sweep.cells) for sweep in sweeps]
    curves = (curves_of(sweep, made) for sweep, made in zip(sweeps, scores, strict=True))
    return JointAccuracy(tuple(curves), scores[0])


def other_joint(sweep: Sweep, lam: float) -> tuple[CellScores, ...]:
    """Judge the other joint kernel of `other_joint_scores` at λ for the share that is shown; empty where there is none."""
    with one_blas_thread:
        found = [other_joint_scores(cell, lam) for cell in sweep.cells]
    return tuple(scores for scores in found if scores is not None)


def of_all(parts: Sequence[JointAccuracy], other: tuple[CellScores, ...] = ()) -> JointAccuracy:
    """Put together what was judged at the same λ for one sweep after another; the share that is shown comes first."""
    return JointAccuracy(tuple(curve for part in parts for curve in part.curves), parts[0].scores, other)
