"""Study of the page Many kernels: which items kernels have, on one scale, weighed and made one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.hyperparameters import nugget_parameter
from kernex_core.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.center import Center
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize, MeanNormalize
from kernex_core.gram.step import Step
from kernex_core.inputs.items.align import expand
from kernex_core.inputs.samples import Labels
from kernex_core.joint.combined import joint_kernel, pointwise_product, weighted_sum
from kernex_core.learning.mkl.alignment import AlignmentWeights, alignment_weights
from kernex_core.learning.mkl.learn import MklResult, mkl
from kernex_core.learning.mkl.minimise import METHODS
from kernex_core.learning.mkl.normalise import NORMALISATIONS
from kernex_core.learning.mkl.problem import LOSSES
from kernex_core.parameters import check_parameters, parameter

KINDS = ("weighted sum", "joint", "product")
WAYS = ("by hand", "equal", "alignment", "MKL")
NORMALISING: dict[str, tuple[Step, ...]] = {
    "none": (),
    "mean": (MeanNormalize(),),
    "cosine": (CosineNormalize(),),
    "centred": (Center(), MeanNormalize()),
}


@dataclass(frozen=True)
class ManyConfig:
    """How several kernels are made one."""

    normalize: str = parameter(
        "cosine", label="Scale", choices=tuple(NORMALISATIONS),
        help="Weights mean nothing unless kernels are on one scale: a kernel with ten times larger values has ten times the "
        "say. cosine: each item of length 1. mean: each kernel divided by its mean self-similarity. centred: its mean "
        "taken out first. none: as they came.",
    )  # fmt: skip
    kind: str = parameter(
        "weighted sum", label="Combine by", choices=KINDS,
        help="Weighted sum: features side by side. Joint: the harmonic sum of joint regularization, large only where "
        "every kernel is. Product: entry by entry, without weights.",
    )  # fmt: skip
    weigh: str = parameter(
        "by hand", label="Weights", choices=WAYS,
        help="By hand: sliders, whose sum stays 1. Equal: 1/M each. Alignment: the sum looks most like the classes. "
        "MKL: the objective of a classifier is least. The last two look at the labels of all items here; below, where "
        "they are judged, at those of training items alone.",
    )  # fmt: skip
    C: float = parameter(
        0.1, label="Cost of MKL", symbol="C", low=1e-3, high=100.0, logarithmic=True,
        help="Of training errors while weights are learned. A small C keeps noise out, a large one lets every kernel in.",
    )  # fmt: skip
    loss: str = parameter(
        "hinge",
        label="Loss",
        choices=LOSSES,
        help="hinge: of support vector machines. square: squared errors.",
    )
    method: str = parameter(
        "projected gradient",
        label="Solver",
        choices=tuple(METHODS),
        help="Both end at the same weights, up to the gap; SimpleMKL needs several times as many solves. Shown here; "
        "inside folds weights are learned by the first.",
    )
    nugget: float = nugget_parameter(help="Added to every diagonal before the inverses of the joint kernel.")

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class Coverage(ReadOnlyArrays):
    """Which items each kernel has.

    Attributes
    ----------
    names, ids : tuple of str
        Of the kernels, and of the items.
    known : (V, n) bool
    """

    names: tuple[str, ...]
    ids: tuple[str, ...]
    known: BoolArray

    @property
    def complete(self) -> bool:
        """Whether every kernel has every item."""
        return bool(self.known.all())

    @property
    def in_some(self) -> IntArray:
        """Positions of items that at least one kernel has."""
        return np.flatnonzero(self.known.any(axis=0))

    @property
    def in_all(self) -> IntArray:
        """Positions of items that every kernel has."""
        return np.flatnonzero(self.known.all(axis=0))


def coverage(kernels: Mapping[str, GramMatrix]) -> Coverage:
    """Which items each of several kernels has; all on the same ids."""
    first = next(iter(kernels.values()))
    return Coverage(tuple(kernels), first.ids, np.array([K.known for K in kernels.values()]))


def on_items(K: GramMatrix, ids: Sequence[str]) -> GramMatrix:
    """A kernel of other items on these: those that it lacks are unknown, those that are not among these are left out.

    Raises
    ------
    InvalidInputError
        No item in common, or a step that holds similarities of the old items alone.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix
    >>> from kernex_core.studies.many_kernels import on_items
    >>> on_items(GramMatrix(np.eye(2), ("b", "z")), ("a", "b")).values.tolist()
    [[nan, nan], [nan, 1.0]]
    """
    place = {name: k for k, name in enumerate(K.ids)}
    common = [place[name] for name in ids if name in place]
    if not common:
        raise InvalidInputError(f"The kernel {K.name!r} has to have items in common with these", "none")
    return expand(K.take(np.array(common)), ids)


def normalised_kernel(K: GramMatrix, how: str) -> GramMatrix:
    """A kernel on the scale of that name, with the record of it; see NORMALISATIONS."""
    try:
        for step in NORMALISING[how]:
            K = K.then(step)
    except InvalidInputError as error:  # of several kernels it has to be said which
        raise InvalidInputError(
            error.expected,
            f"{error.found} of {K.name!r}",
            "Repair it on the page Kernels and keep that, leave it out, or choose another scale",
        ) from None
    return K


@dataclass(frozen=True, eq=False)
class WeighedKernels(ReadOnlyArrays):
    """Weights of several kernels.

    Attributes
    ----------
    weights : (M,) float
        On the simplex.
    from_labels : bool
        Whether labels of all items made them.
    learned : MklResult or None
    aligned : AlignmentWeights or None
    """

    weights: FloatArray
    from_labels: bool = False
    learned: MklResult | None = None
    aligned: AlignmentWeights | None = None


def weigh(
    kernels: Sequence[GramMatrix], labels: Labels | None, config: ManyConfig, hand: Sequence[float] = ()
) -> WeighedKernels:
    """Weigh kernels that are on one scale.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        Normalised, known everywhere.
    labels : Labels, optional
        Of the same items; those without one are left out.
    config : ManyConfig
    hand : (M,)
        Weights by hand.

    Raises
    ------
    InvalidInputError
        Weights are to be learned, and there are no classes.
    """
    count = len(kernels)
    if config.weigh == "equal" or config.kind == "product":
        return WeighedKernels(np.full(count, 1.0 / count))
    if config.weigh == "by hand":
        return WeighedKernels(np.asarray(hand, dtype=np.float64))
    if labels is None:
        raise InvalidInputError(
            "Weights are learned from classes", "none", "Bring labels on the page Data, or weigh by hand"
        )
    at = np.flatnonzero(labels.labelled)
    blocks, y = [K.values[np.ix_(at, at)] for K in kernels], labels.y[at]
    if config.weigh == "alignment":
        aligned = alignment_weights(blocks, y)
        return WeighedKernels(aligned.weights, True, aligned=aligned)
    learned = mkl(blocks, y, C=config.C, loss=config.loss, method=config.method)
    return WeighedKernels(learned.weights, True, learned=learned)


def combined(
    kernels: Sequence[GramMatrix], weighed: WeighedKernels, config: ManyConfig, name: str
) -> GramMatrix:
    """One kernel of several that are on one scale, with the record of all of them."""
    if config.kind == "product":
        return pointwise_product(kernels).renamed(name)
    weights = weighed.weights
    if config.kind == "joint":
        return joint_kernel(kernels, weights, config.nugget, name, from_labels=weighed.from_labels)
    return weighted_sum(kernels, weights, from_labels=weighed.from_labels).renamed(name)
