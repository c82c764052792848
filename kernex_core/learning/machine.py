"""A support vector machine as it is trained on one fold: its cost, its margin, and the units of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.gram.split import Split
from kernex_core.learning.svm import HARD_MARGIN, TOLERANCE, OneVsRest, fit_one_vs_rest
from kernex_core.parameters import check_parameters, parameter

PAPER_ASYMMETRY = 0.02


def hard_margin_parameter() -> float:
    """Field for C in the protocols of the paper on almost orthogonal patterns, which start with a hard margin."""
    made: float = parameter(
        HARD_MARGIN, label="Cost", symbol="C", help="From 1e6 on a hard margin, in units of the mean diagonal.",
        low=1e-4, high=1e7, logarithmic=True,
    )  # fmt: skip
    return made


@dataclass(frozen=True)
class Margin:
    """What else decides on the margin of a support vector machine besides C."""

    scaled: bool = parameter(
        True,
        label="Divide by the mean diagonal",
        help="Before every training: the kernel over its mean training diagonal. A power changes the scale of a kernel, so "
        "that without this a fixed C means something else at every p.",
    )
    asymmetry: float = parameter(
        0.0,
        label="Asymmetric margin",
        symbol="c",
        help="Adds c × the share of its class among the training items to each training self-similarity, after the "
        f"division: the rarer class gets the harder margin. 0: the same for both. The paper has {PAPER_ASYMMETRY}.",
        low=0.0,
        high=10.0,
        step=0.01,
    )

    def __post_init__(self) -> None:
        check_parameters(self)


SYMMETRIC = Margin()
UNSCALED = Margin(scaled=False)
"""C in the units of the kernel as it is: what the pages Evaluate, Combine and Complete have."""


class Trained(NamedTuple):
    """A machine, and both blocks in the units that it was trained in."""

    machine: OneVsRest
    K_train: FloatArray
    K_cross: FloatArray

    @property
    def decisions(self) -> FloatArray:
        """Decision values (n_test, n_classes) of the test items."""
        return self.machine.decide(self.K_cross)


@dataclass(frozen=True, eq=False)
class Machine(EqualByContent):
    """One C-SVM a class.

    Attributes
    ----------
    C : float
        In units of the mean training diagonal if the margin is scaled; from 1e6 on a hard margin.
    margin : Margin
    tolerance : float
        See `fit_one_vs_rest`.
    checked : bool
        Training blocks are known to be kernels and are not looked at again.
    """

    C: float
    margin: Margin = UNSCALED
    tolerance: float = TOLERANCE
    checked: bool = True

    def train(self, blocks: Split, codes: IntArray, n_classes: int) -> Trained:
        """Train on the training block of a fold.

        Parameters
        ----------
        blocks : Split
        codes : (n_train,) int
            Classes of the training items, 0 to n_classes − 1.
        n_classes : int

        Raises
        ------
        NotPositiveSemidefiniteError
            A block that has to be looked at and is no kernel.
        """
        if not self.checked:
            blocks = blocks.checked()
        K_train, K_cross = blocks.K_train, blocks.K_cross
        if self.margin.scaled:
            mean = float(np.diag(K_train).mean())
            scale = 1.0 / mean if mean > 0.0 else 1.0
            K_train, K_cross = K_train * scale, K_cross * scale
        fitted = fit_one_vs_rest(
            K_train, codes, n_classes, C=self.C, asymmetry=self.margin.asymmetry, tolerance=self.tolerance,
            checked=True,
        )  # fmt: skip
        return Trained(fitted, K_train, K_cross)
