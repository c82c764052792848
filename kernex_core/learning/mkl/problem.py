"""Kernels that are to be weighed: checked, put on one scale, and with what is to be learned of their items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.labels import as_labels
from kernex_core.learning.learners.contract import Targets, as_targets
from kernex_core.learning.mkl.base_kernels import KernelStack
from kernex_core.learning.mkl.minimise import GAP, METHODS
from kernex_core.learning.mkl.normalise import NORMALISATIONS, normalised_alone
from kernex_core.parameters import check_choice, check_range
from kernex_core.validation import as_symmetric, check_kernel

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
