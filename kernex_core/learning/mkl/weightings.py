"""Ways to weigh several kernels: equal, given, learned with a loss, or by alignment; labels of training items at most."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.gram.center import center
from kernex_core.joint.regularize import check_weights
from kernex_core.learning.folds import C_GRID
from kernex_core.learning.learners.contract import Targets
from kernex_core.learning.mkl.alignment import WAYS, aligned
from kernex_core.learning.mkl.base_kernels import KernelStack
from kernex_core.learning.mkl.learn import learned
from kernex_core.learning.mkl.minimise import GAP
from kernex_core.learning.mkl.problem import LOSSES, MklConfig, MklProblem
from kernex_core.parameters import check_parameters, parameter

WEIGHT_COSTS = C_GRID
"""What C of learned weights is chosen among inside the folds, over the mean diagonal of the kernels' training blocks: of
equally good ones the smallest, which keeps noise out."""


class Weighed(NamedTuple):
    """Weights (M,), the relative gap of learned ones (NaN of others), and whether they came to their end."""

    weights: FloatArray
    gap: float = float("nan")
    converged: bool = True


@dataclass(frozen=True)
class Weighting(ABC):
    """A way to weigh kernels; knows nothing of data until `weigh`.

    Class attributes
    ----------------
    title, summary : str
    sees_labels : bool
        Of training items; of no others ever.
    """

    title: ClassVar[str]
    summary: ClassVar[str]
    sees_labels: ClassVar[bool] = False

    @property
    def candidates(self) -> tuple[Self, ...]:
        """Itself, or what is chosen among inside every fold; of equally good ones the first is taken."""
        return (self,)

    @property
    def cost(self) -> float:
        """C of learned weights; NaN where nothing is learned by one."""
        return float("nan")

    @abstractmethod
    def weigh(self, stack: KernelStack, targets: Targets) -> Weighed:
        """Weights on the simplex for kernels that are normalised, and what is to be learned of their items."""


@dataclass(frozen=True)
class EqualWeights(Weighting):
    """1/M each: the mean of the kernels."""

    title: ClassVar[str] = "Sum"
    summary: ClassVar[str] = "all kernels the same weight"

    def weigh(self, stack: KernelStack, targets: Targets) -> Weighed:
        """See Weighting."""
        return Weighed(np.full(stack.n_kernels, 1.0 / stack.n_kernels))


@dataclass(frozen=True)
class GivenWeights(Weighting):
    """Weights that somebody chose, on the simplex; one of them 1 is that kernel alone."""

    title: ClassVar[str] = "Weighted sum"
    summary: ClassVar[str] = "weights by hand"
    weights: tuple[float, ...] = parameter((1.0,), help="One a kernel, at least 0, sum 1.", hidden=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", tuple(map(float, self.weights)))
        check_weights(self.weights, len(self.weights))

    def weigh(self, stack: KernelStack, targets: Targets) -> Weighed:
        """See Weighting."""
        return Weighed(check_weights(self.weights, stack.n_kernels))


@dataclass(frozen=True)
class LearnedWeights(Weighting):
    """Multiple kernel learning: the weights at which the learner's objective is least."""

    title: ClassVar[str] = "MKL"
    summary: ClassVar[str] = "weights at which the objective of a learner is least"
    sees_labels: ClassVar[bool] = True
    C: float = parameter(
        1.0, label="Cost", symbol="C", low=1e-4, high=1e4, logarithmic=True,
        help="Of training errors while weights are learned; λ = 1/(2nC). A small C keeps noise out.",
    )  # fmt: skip
    loss: str = parameter(
        "hinge",
        label="Loss",
        choices=LOSSES,
        help="Of support vector machines, or squared errors; numbers have the latter.",
    )
    tolerance: float = parameter(
        GAP, label="Gap", low=1e-6, high=0.1, help="Relative duality gap.", hidden=True
    )
    choose_C: bool = parameter(
        False,
        label="Choose this C inside the folds",
        help=f"Among {', '.join(f'{C:g}' for C in WEIGHT_COSTS)}, by folds of the training items, in units of "
        "the kernels' mean diagonal.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def candidates(self) -> tuple[Self, ...]:
        """See Weighting."""
        if not self.choose_C:
            return (self,)
        return tuple(replace(self, C=C, choose_C=False) for C in WEIGHT_COSTS)

    @property
    def cost(self) -> float:
        """See Weighting."""
        return self.C

    def weigh(self, stack: KernelStack, targets: Targets) -> Weighed:
        """See Weighting; numbers and squared errors without their mean, as a learner with an intercept has them."""
        loss = "hinge" if targets.n_classes and self.loss == "hinge" else "square"
        if targets.n_classes and np.unique(targets.values).size < 2:
            return EqualWeights().weigh(stack, targets)
        if loss == "square":
            stack = KernelStack(np.array([center(K) for K in stack.values]))
        if not targets.n_classes:
            values = targets.values - targets.values.mean()
            spread = float(values.std())
            targets = replace(targets, values=values / spread if spread > 0.0 else values)
        problem = MklProblem((), stack, np.ones(stack.n_kernels), targets, ())
        made = learned(problem, MklConfig(C=self.C, loss=loss, tolerance=self.tolerance))
        return Weighed(made.weights, made.gap, made.converged)


@dataclass(frozen=True)
class ByAlignment(Weighting):
    """Weights by the alignment of kernels with the labels."""

    title: ClassVar[str] = "Alignment"
    summary: ClassVar[str] = "weights by how much kernels look like the labels'"
    sees_labels: ClassVar[bool] = True
    way: str = parameter(
        "together",
        label="Weigh",
        choices=WAYS,
        help="Each by its own alignment, or all so that their sum is aligned best.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)

    def weigh(self, stack: KernelStack, targets: Targets) -> Weighed:
        """See Weighting."""
        if np.unique(targets.values).size < 2:
            return EqualWeights().weigh(stack, targets)
        return Weighed(aligned(stack, targets, (), self.way).weights)


WEIGHTINGS: tuple[type[Weighting], ...] = (EqualWeights, GivenWeights, LearnedWeights, ByAlignment)
"""All ways, in the order in which pages offer them."""


def check_weighting(weighting: Weighting) -> None:
    """Refuse what is no way to weigh kernels.

    Raises
    ------
    InvalidInputError
    """
    if not isinstance(weighting, Weighting):
        raise InvalidInputError("A weighting is one of WEIGHTINGS, such as LearnedWeights()", repr(weighting))
