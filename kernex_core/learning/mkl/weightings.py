"""Ways to weigh several kernels: equal, given, learned with a loss, or by alignment; labels of training items at most."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, NamedTuple, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_parameters, parameter
from kernex_core.base.validation import EPS, unit_of
from kernex_core.completion.joint import KINDS, check_weights, combined_blocks
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import center
from kernex_core.gram.seen import from_labels
from kernex_core.gram.split import Split
from kernex_core.learning.folds import C_GRID, Fold
from kernex_core.learning.learners.contract import Learner, Targets, goodness_inside, mean_diagonal
from kernex_core.learning.machine import Cut, WeighedSplit, cut_of
from kernex_core.learning.mkl.base_kernels import KernelStack, normalised
from kernex_core.learning.mkl.learn import LOSSES, Kernels, MklConfig, MklProblem, learned, problem_of
from kernex_core.learning.mkl.minimise import GAP

# Weights by alignment: how much a kernel looks like the one that the labels make, and how alike kernels are.
#
# Cristianini, Shawe-Taylor, Elisseeff and Kandola, NIPS 2001; centred, and with weights for all kernels together: Cortes,
# Mohri and Rostamizadeh, Algorithms for learning kernels based on centered alignment, JMLR 2012.

WAYS = ("each", "together")


@dataclass(frozen=True, eq=False)
class AlignmentWeights(ReadOnlyArrays):
    """Weights of several kernels by their alignment.

    Attributes
    ----------
    names : tuple of str
    weights : (M,) float
        At least 0, sum 1; equal ones where no kernel is aligned with the labels. It remembers that labels made it.
    with_labels : (M,) float
        ⟨HK_mH, TT'⟩ / (‖HK_mH‖ ‖TT'‖), −1 to 1, for the centred columns T of the targets.
    between : (M, M) float
        The same of every two kernels, 0 to 1.
    """

    names: tuple[str, ...]
    weights: FloatArray
    with_labels: FloatArray
    between: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", from_labels(self.weights))
        super().__post_init__()


def alignment_weights(
    kernels: Kernels, y: ArrayLike, *, way: str = "together", normalize: str = "none", numbers: bool = False
) -> AlignmentWeights:
    """Weigh kernels by their alignment with the labels.

    Parameters
    ----------
    kernels : mapping or sequence of (n, n)
        Positive semidefinite, of the same items.
    y : (n,)
        Classes; or numbers.
    way : {"each", "together"}
        In proportion to each kernel's own alignment; or the weights at which the sum of the kernels is aligned best.
    normalize : {"none", "mean", "cosine", "centred"}
        What is done to every kernel first.
    numbers : bool
        Whether y are numbers to be learned as such.

    Raises
    ------
    InvalidInputError
        Kernels or labels of other items, or one class.
    NotPositiveSemidefiniteError
        Naming the kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import alignment_weights
    >>> x, noise = np.array([2.0, 1.0, -1.0, -2.0]), np.array([1.0, -1.0, 1.0, -1.0])
    >>> made = alignment_weights([np.outer(x, x), np.outer(noise, noise)], ["a", "a", "b", "b"])
    >>> made.weights.round(3).tolist(), made.with_labels.round(3).tolist()
    ([1.0, 0.0], [0.9, 0.0])
    """
    check_choice("The way", way, WAYS)
    problem = problem_of(kernels, y, MklConfig(loss="square" if numbers else "hinge", normalize=normalize))
    return aligned(problem.stack, problem.targets, problem.names, way)


def aligned(stack: KernelStack, targets: Targets, names: tuple[str, ...], way: str) -> AlignmentWeights:
    """The same of kernels that are normalised; see `alignment_weights`."""
    scales = np.array([unit_of(K) for K in stack.values])
    given = stack.values / scales[:, None, None]
    centred = np.array([center(K) for K in given])
    sizes = np.sqrt((centred * centred).sum(axis=(1, 2)))
    flat = sizes <= EPS * stack.n_items * np.abs(given).max(axis=(1, 2))
    units = np.where(flat, 1.0, sizes)
    unit = np.where(flat[:, None, None], 0.0, centred / units[:, None, None])
    T = targets.columns - targets.columns.mean(axis=0)
    size = float(np.linalg.norm(T.T @ T))  # 0 of numbers that are all the same
    with_labels = np.einsum("ik,mij,jk->m", T, unit, T, optimize=True) / (size or 1.0)
    rows = unit.reshape(len(unit), -1)
    between = rows @ rows.T
    if way == "each":
        weights = np.maximum(with_labels, 0.0)
    else:
        values, vectors = np.linalg.eigh(between)
        kept = values > len(values) * EPS * values.max(initial=0.0)
        root = np.sqrt(values[kept])[:, None] * vectors[:, kept].T
        weights = (
            scipy.optimize.nnls(root, root @ np.linalg.pinv(between) @ with_labels)[0]
            if kept.any()
            else np.zeros(len(values))
        )
        weights = weights / units * (scales.min() / scales)  # for the kernels as they are, not at length 1
    total = float(weights.sum())
    weights = weights / total if total > 0.0 else np.full(len(weights), 1.0 / len(weights))
    return AlignmentWeights(names, weights, with_labels, between)


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


@dataclass(frozen=True, eq=False)
class Together(EqualByContent):
    """How several kernels become one inside a fold.

    Attributes
    ----------
    weighting : Weighting
    normalize : {"none", "mean", "cosine", "centred"}
        By the training block of every fold.
    learner : Learner, optional
        The C-SVM of the config, or kernel ridge for numbers, by default. `choose_C` of the config chooses its strength
        inside the folds; the C of learned weights is that of the weighting, or chosen there where the weighting says so.
    numbers : bool
        Whether numbers are learned.
    kind : {"weighted sum", "joint", "product"}
        See `combined_blocks`: the joint kernel is fitted on the training block, too. A product has no weights.
    nugget : float
        ρ of the joint kernel.
    """

    weighting: Weighting
    normalize: str = "mean"
    learner: Learner | None = None
    numbers: bool = False
    kind: str = "weighted sum"
    nugget: float = 0.1


def check_together(together: Together) -> None:
    """Refuse what is no way to make one kernel of several.

    Raises
    ------
    InvalidInputError
    """
    if not isinstance(together, Together):
        raise InvalidInputError("How kernels become one has to be a Together(...)", type(together).__name__)
    check_weighting(together.weighting)
    check_choice("A combination", together.kind, tuple(KINDS))


@dataclass(frozen=True, eq=False)
class Deciding(EqualByContent):
    """What a fold decides by where something is chosen among its training items.

    Attributes
    ----------
    targets : Targets
        Of all items; only those of training items are looked at.
    learner : Learner
    several : bool
        Its strength is chosen, too.
    inner : callable
        Folds of training items.
    checked : bool
        Training blocks are known to be kernels.
    """

    targets: Targets
    learner: Learner
    several: bool
    inner: Callable[[IntArray], Sequence[Fold]]
    checked: bool = True


def cut_together(
    kernels: Sequence[GramMatrix], together: Together, deciding: Deciding, *, inductive: bool
) -> Cut:
    """How several kernels are cut: normalised, weighed and combined by the training block and its labels alone.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        Of the same items.
    together : Together
    deciding : Deciding
    inductive : bool
        Their own steps are fitted inside the fold, too.
    """
    cuts = [cut_of(K, inductive=inductive) for K in kernels]
    return partial(_cut_by_best, cuts, together, deciding)


def _cut_by_best(
    cuts: Sequence[Cut], together: Together, deciding: Deciding, train: IntArray, test: IntArray
) -> Split:
    way = together.weighting
    candidates = way.candidates
    if len(candidates) < 2:
        return _made(cuts, together, deciding.targets, way, train, test)
    way = _best(candidates, cuts, together, deciding, train)
    made = _made(cuts, together, deciding.targets, way, train, test)
    inside = partial(_made, cuts, together, deciding.targets, way)
    return replace(made, cost=way.cost, _inside=inside)


def _best(
    candidates: Sequence[Weighting],
    cuts: Sequence[Cut],
    together: Together,
    deciding: Deciding,
    train: IntArray,
) -> Weighting:
    """The candidate that does best in folds of the training items, of equally good ones the first."""
    folds = deciding.inner(train)
    if not folds:
        return together.weighting
    learner = deciding.learner

    def good(way: Weighting) -> float:
        cut = partial(_made, cuts, together, deciding.targets, way)
        return float(
            goodness_inside(
                learner, cut, deciding.targets, folds, checked=deciding.checked, several=deciding.several
            ).max()
        )

    return candidates[int(np.argmax([good(way) for way in candidates]))]


def _made(
    cuts: Sequence[Cut], together: Together, targets: Targets, way: Weighting, train: IntArray, test: IntArray
) -> WeighedSplit:
    parts = [normalised(each(train, test), together.normalize)[0] for each in cuts]
    own = replace(targets, values=targets.values[train])
    stack = np.array([part.K_train for part in parts])
    if len(together.weighting.candidates) > 1:  # C of the weights is chosen: in units of the kernels
        stack /= mean_diagonal(stack.mean(axis=0))
    # plain: whatever labels made them are those of training items
    weights = np.asarray(way.weigh(KernelStack(stack), own).weights)
    made = combined_blocks(parts, weights, kind=together.kind, nugget=together.nugget)
    return WeighedSplit(made.K_train, made.K_cross, made.diag_test, weights=weights)
