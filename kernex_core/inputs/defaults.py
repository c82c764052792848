"""What pages start with on one data set."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.frozen import EqualByContent


@dataclass(frozen=True, eq=False)
class Defaults(EqualByContent):
    """Settings that suit a data set; a visitor can change every one of them.

    Attributes
    ----------
    C : float
        Cost of training errors of a support vector machine.
    nugget : float
        ρ, added to the diagonal of a kernel before it is inverted.
    folds, repeats : int
        Of the cross-validation, where a page is about one kernel's losses.
    tau : float
        Time of diffusion on a network.
    """

    C: float = 10.0
    nugget: float = 0.1
    folds: int = 2
    repeats: int = 5
    tau: float = 1.0
