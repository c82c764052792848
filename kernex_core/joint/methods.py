"""COMPLETIONS: how unknown similarities are made from the known ones and a source kernel. One line a method."""

from __future__ import annotations

import abc
from dataclasses import dataclass
from typing import ClassVar

from kernex_core.extrapolation.baselines import mean_fill, nystroem, zero_fill
from kernex_core.extrapolation.extrapolate import Extrapolation
from kernex_core.frozen import FloatArray, ReadOnlyArrays


@dataclass(frozen=True, eq=False)
class Partly(ReadOnlyArrays):
    """A partly known target with its source.

    Attributes
    ----------
    made : Extrapolation
        Of the known block from the source.
    source : (m, m) float
    T : (s, s) float
        Target on the known items.
    lam : float
        Weight of the source's inverse, for the method that has one.
    """

    made: Extrapolation
    source: FloatArray
    T: FloatArray
    lam: float


class CompletionMethod(abc.ABC):
    """Base of the methods.

    Class attributes
    ----------------
    name : str
        What pages call it; it stands in downloaded scripts.
    leaves_residual : bool
        What the known items do not span of the source can be added.
    """

    name: ClassVar[str]
    leaves_residual: ClassVar[bool] = False

    @abc.abstractmethod
    def values(self, partly: Partly) -> FloatArray:
        """Return the completed (m, m) kernel."""

    def metric(self, partly: Partly) -> FloatArray | None:
        """(s, s) kernel on the known items that is carried to all others, new ones too; None: there is none."""
        return None


class JointMethod(CompletionMethod):
    """W' (λ A^-1 + (1 − λ) T'^-1)^-1 W; see `joint_kernel`."""

    name: ClassVar[str] = "joint"
    leaves_residual: ClassVar[bool] = True

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.path().kernel(partly.lam)

    def metric(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.known_path().kernel(partly.lam)


class Extrapolated(CompletionMethod):
    """W' T W: the limit of the joint kernel at λ → 0."""

    name: ClassVar[str] = "extrapolated"

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.T_hat.copy()

    def metric(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.T_known


class ZeroFill(CompletionMethod):
    """Unknown similarities are 0; see `zero_fill`."""

    name: ClassVar[str] = "zero-fill"

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return zero_fill(partly.T, partly.made.known, partly.source.shape[0])


class MeanFill(CompletionMethod):
    """Unknown similarities are the mean known one; see `mean_fill`."""

    name: ClassVar[str] = "mean-fill"

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return mean_fill(partly.T, partly.made.known, partly.source.shape[0])


class Nystroem(CompletionMethod):
    """The source rebuilt from its known items, without the target; see `nystroem`."""

    name: ClassVar[str] = "nystroem"

    def values(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return nystroem(partly.made, partly.source)

    def metric(self, partly: Partly) -> FloatArray:
        """See CompletionMethod."""
        return partly.made.A


COMPLETIONS: tuple[CompletionMethod, ...] = (
    JointMethod(),
    Extrapolated(),
    ZeroFill(),
    MeanFill(),
    Nystroem(),
)


def completion_named(name: str) -> CompletionMethod:
    """Method of that name; the step that asks has checked it."""
    return next(method for method in COMPLETIONS if method.name == name)
