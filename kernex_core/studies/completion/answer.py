"""What the page Complete says at one λ, computed once: the joint kernel, and its accuracy at every share that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.frozen import ReadOnlyArrays
from kernex_core.studies.completion.study import CompletionView
from kernex_core.studies.completion.sweep import Curve, Sweep, joint_curve


@dataclass(frozen=True, eq=False)
class JointAccuracy(ReadOnlyArrays):
    """Accuracy of the joint kernel at one λ.

    Attributes
    ----------
    curves : tuple of (Curve, Curve)
        Multi-class and one-vs-rest, one pair a sweep.
    """

    curves: tuple[tuple[Curve, Curve], ...]

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
    return JointAccuracy(tuple(joint_curve(sweep, lam) for sweep in sweeps))
