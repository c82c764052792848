"""Multiple kernel learning: weights on the simplex that make a learner's objective least, with the gap that proves it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.labels import as_labels
from kernex_core.base.parameters import check_choice, check_range
from kernex_core.base.validation import as_symmetric, check_kernel
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import from_labels
from kernex_core.learning.learners.contract import Targets, as_targets, lam_of
from kernex_core.learning.mkl.base_kernels import NORMALISATIONS, KernelStack, normalised_alone
from kernex_core.learning.mkl.losses import HingeObjective, SquareObjective
from kernex_core.learning.mkl.minimise import GAP, METHODS, minimise, minimise_sharply

# Kernels that are to be weighed: checked, put on one scale, and with what is to be learned of their items.

Kernels = Mapping[str, GramMatrix | ArrayLike] | Sequence[GramMatrix | ArrayLike]
LOSSES = ("hinge", "square")
_UNEVEN = 2.0
"""Kernels whose mean self-similarities differ by more than this factor are told, unless they were normalised."""


@dataclass(frozen=True)
class MklConfig:
    """How weights are learned.

    Attributes
    ----------
    C : float
        Cost; λ = 1/(2nC).
    loss : {"hinge", "square"}
        Of support vector machines, or of kernel ridge regression without an intercept.
    method : {"projected gradient", "SimpleMKL"}
    normalize : {"none", "mean", "cosine", "centred"}
        What is done to every kernel first, see NORMALISATIONS.
    tolerance : float
        Relative duality gap.
    """

    C: float = 1.0
    loss: str = "hinge"
    method: str = "projected gradient"
    normalize: str = "none"
    tolerance: float = GAP

    def __post_init__(self) -> None:
        check_range("C", self.C, 1e-9, 1e9)
        check_choice("The loss", self.loss, LOSSES)
        check_choice("The method", self.method, tuple(METHODS))
        check_choice("The normalisation", self.normalize, tuple(NORMALISATIONS))
        check_range("The tolerance", self.tolerance, 0.0)


@dataclass(frozen=True, eq=False)
class MklProblem(ReadOnlyArrays):
    """Kernels that are normalised, and what is to be learned: ready to be solved for any C."""

    names: tuple[str, ...]
    stack: KernelStack
    units: FloatArray
    targets: Targets
    classes: tuple[str, ...]
    notes: tuple[str, ...] = ()


def problem_of(
    kernels: Kernels,
    y: ArrayLike,
    config: MklConfig,
) -> MklProblem:
    """Check and normalise kernels, and number the classes."""
    named = named_kernels(kernels)
    made = [
        normalised_alone(check_kernel(as_symmetric(K, repr(name)), repr(name), given=K), config.normalize)
        for name, K in named.items()
    ]
    shapes = {K.shape for K, _ in made}
    if len(shapes) > 1:
        raise InvalidInputError(
            "All kernels have to be about the same items",
            str([len(K) for K, _ in made]),
            "Align them by id first",
        )
    stack = KernelStack(np.array([K for K, _ in made]))
    targets, classes = _targets(y, stack.n_items, config.loss)
    means = np.array([np.diag(K).mean() for K, _ in made])
    notes: tuple[str, ...] = ()
    if config.normalize == "none" and means.max() > _UNEVEN * means.min():
        notes = (
            f"Mean self-similarities of the kernels lie between {means.min():.3g} and {means.max():.3g}: a larger kernel "
            "gets weight for its size alone. Normalise them.",
        )
    return MklProblem(tuple(named), stack, np.array([unit for _, unit in made]), targets, classes, notes)


def named_kernels(
    kernels: Kernels,
) -> dict[str, GramMatrix | ArrayLike]:
    """Kernels by name: their own, or K1, K2, … where they have none or the same.

    Raises
    ------
    InvalidInputError
        None, or nothing that holds kernels.
    """
    if isinstance(kernels, Mapping):
        named = {str(name): K for name, K in kernels.items()}
    elif isinstance(kernels, str | bytes | GramMatrix) or not hasattr(kernels, "__iter__"):
        raise InvalidInputError("Several kernels are needed, as a list or by name", type(kernels).__name__)
    else:
        given = list(kernels)
        own = [K.name if isinstance(K, GramMatrix) else "" for K in given]
        alike = "" in own or len(set(own)) < len(own)
        named = {f"K{m + 1}" if alike else own[m]: K for m, K in enumerate(given)}
    if not named:
        raise InvalidInputError("At least one kernel is needed", "none")
    return named


def _targets(y: ArrayLike, n: int, loss: str) -> tuple[Targets, tuple[str, ...]]:
    labels = as_labels(y, n)
    given = np.asarray(y)
    if loss == "square" and given.dtype.kind in "iufb":
        return Targets(as_targets(y, n)), ()
    values = given if given.dtype.kind in "iufb" else labels
    names, codes = np.unique(values, return_inverse=True)
    if names.size < 2 or (labels == "").any():
        raise InvalidInputError(
            "Weights are learned from items of at least two classes, each with a label",
            "one class" if names.size < 2 else "items without a label",
            "Leave out items without a label",
        )
    return Targets(codes.astype(np.int64), names.size), tuple(map(str, names))


MOST_STEPS = 400


@dataclass(frozen=True, eq=False)
class MklResult(ReadOnlyArrays):
    """Weights of several kernels, and the functions that go with them.

    Attributes
    ----------
    names : tuple of str
    weights : (M,) float
        At least 0, sum 1; exactly 0 for kernels that are not used. Of equal kernels only the summed weight is certain.
        It remembers that labels made it (`SeenArray`), as `kernel` does: an accuracy of what is built with either is a
        leak, and says so.
    gap : float
        How far the objective is above the least at most, relative to it.
    objective : float
        J at the weights, summed over the problems of several classes.
    kernel : (n, n) float
        Weighted sum of the normalised kernels.
    coefficients : (k, n) float
        Of f_c(x) = Σ_m weight_m Σ_i coefficients_ci k_m(x, x_i) + bias_c; one row for two classes (above 0: the larger
        label) and for numbers, else one a class.
    bias : (k,) float
    classes : tuple of str
        In the order of their codes; () for numbers.
    units : (M,) float
        What the similarities of each kernel were divided by at the end of its normalisation.
    config : MklConfig
    lam : float
        λ = 1/(2nC).
    converged : bool
    solves : int
        How often the objective was computed: support vector machines of every class, or a linear system.
    path : (steps + 1, 2) float
        Objective and gap after every step.
    course : (steps + 1, M) float
        Weights after every step.
    notes : tuple of str
    """

    names: tuple[str, ...]
    weights: FloatArray
    gap: float
    objective: float
    kernel: FloatArray
    coefficients: FloatArray
    bias: FloatArray
    classes: tuple[str, ...]
    units: FloatArray
    config: MklConfig
    lam: float
    converged: bool
    solves: int
    path: FloatArray
    course: FloatArray
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("weights", "kernel", "course"):
            object.__setattr__(self, name, from_labels(getattr(self, name)))
        super().__post_init__()

    @property
    def support(self) -> tuple[str, ...]:
        """Kernels with a weight above 0."""
        return tuple(name for name, weight in zip(self.names, self.weights, strict=True) if weight > 0.0)

    def parts(self, K_crosses: Sequence[ArrayLike]) -> FloatArray:
        """(M, n_new, k) what every kernel adds to the decision of new items; their sum and the bias are the decision.

        Parameters
        ----------
        K_crosses : sequence of (n_new, n)
            One a kernel, normalised as the kernels were.
        """
        return np.stack(
            [w * (np.asarray(K) @ self.coefficients.T) for w, K in zip(self.weights, K_crosses, strict=True)]
        )


def mkl(
    kernels: Kernels,
    y: ArrayLike,
    *,
    C: float = 1.0,
    loss: str = "hinge",
    method: str = "projected gradient",
    normalize: str = "none",
    tolerance: float = GAP,
) -> MklResult:
    """Learn weights of kernels: minimise J(d) over d >= 0, Σ d_m = 1.

    Hinge: J(d) is the optimum of a C-SVM on Σ d_m K_m (Lanckriet et al. 2004; Rakotomamonjy et al. 2008). Square:
    J(d) = λ y'(K_d + nλI)⁻¹ y, λ = 1/(2nC). Several classes: one problem each against the rest, all with the same weights,
    whose objectives are added. Weights mean nothing unless the kernels are on one scale: normalise them.

    Parameters
    ----------
    kernels : mapping or sequence of (n, n)
        At least one; positive semidefinite, of the same items in the same order.
    y : (n,)
        Classes; with the square loss numbers are learned as they are, without an intercept.
    C, loss, method, normalize, tolerance
        See MklConfig.

    Raises
    ------
    InvalidInputError
        Kernels or labels of other items, one class, a parameter outside its range.
    NotPositiveSemidefiniteError
        Naming the kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import mkl
    >>> x, noise = np.array([2.0, 1.0, -1.0, -2.0]), np.array([1.0, -1.0, 1.0, -1.0])
    >>> made = mkl({"signal": np.outer(x, x), "noise": np.outer(noise, noise)}, ["a", "a", "b", "b"], C=0.1)
    >>> made.weights.round(3).tolist(), made.gap < 1e-3
    ([1.0, 0.0], True)
    """
    config = MklConfig(C, loss, method, normalize, tolerance)
    return learned(problem_of(kernels, y, config), config)


def mkl_path(
    kernels: Kernels,
    y: ArrayLike,
    costs: Sequence[float],
    config: MklConfig | None = None,
) -> Iterator[MklResult]:
    """Weights for several C in the order given, each from the weights of the one before.

    Parameters
    ----------
    kernels, y : see `mkl`
    costs : sequence of float
    config : MklConfig, optional
        All but C.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import mkl_path
    >>> x, noise = np.array([2.0, 1.0, -1.0, -2.0]), np.array([1.0, -1.0, 1.0, -1.0])
    >>> path = mkl_path([np.outer(x, x), np.outer(noise, noise)], ["a", "a", "b", "b"], (0.01, 1.0))
    >>> [made.weights.round(3).tolist() for made in path]
    [[1.0, 0.0], [1.0, 0.0]]
    """
    config = MklConfig() if config is None else config
    problem = problem_of(kernels, y, config)
    start: FloatArray | None = None
    for C in costs:
        made = learned(problem, replace(config, C=C), start)
        # a weight of 0 has a gradient all the same, so nothing is lost by starting there
        start = np.asarray(made.weights)
        yield made


def learned(problem: MklProblem, config: MklConfig, start: FloatArray | None = None) -> MklResult:
    """Solve a problem from given weights on, equal ones by default."""
    count, lam = problem.stack.n_kernels, lam_of(config.C, problem.stack.n_items)
    columns = problem.targets.columns
    hinge = HingeObjective(problem.stack, problem.targets, config.C) if config.loss == "hinge" else None
    look = SquareObjective(problem.stack, columns, lam).look if hinge is None else hinge.look
    begin = np.full(count, 1.0 / count) if start is None else start
    if config.method == "projected gradient":
        made = minimise_sharply(look, begin, tolerance=config.tolerance, most_steps=MOST_STEPS)
    else:
        made = minimise(look, begin, tolerance=config.tolerance, most_steps=MOST_STEPS, method=config.method)
    weights = made.last.weights
    # the machine that the bias belongs to is the last that was solved, which need not be that of these weights
    last = made.last.at if hinge is None else hinge.look(weights)
    notes = problem.notes
    if not made.converged:
        notes += (
            f"The gap is still {made.last.at.gap:.2g} after {made.steps:,} steps: weights are not exact.",
        )
    return MklResult(
        problem.names, weights, made.last.at.gap, made.last.at.value, problem.stack.weighted(weights),
        last.dual.T if hinge is None else last.dual, np.zeros(columns.shape[1]) if hinge is None else hinge.bias,
        problem.classes, problem.units, config, lam, made.converged, made.last.evaluations, made.path, made.weights, notes,
    )  # fmt: skip
