"""Nodes that are not in the network: their attributes place them in a kernel of those that are, and how well that works."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.approximation import CONSTRAINTS, Constraint, approximate, free_error
from kernex_core.extrapolation.fisher_scores import FAMILIES, FisherMap, fisher_map
from kernex_core.extrapolation.hide import hidden_items
from kernex_core.extrapolation.new_items import ExtendedKernel, extend_kernel
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.positions import as_positions
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.magnitude import length
from kernex_core.parameters import check_parameters, parameter
from kernex_core.seeds import repetition_rng
from kernex_core.studies.networks.later import Origin
from kernex_core.studies.networks.placed_nodes import Judge, PlacedNodes, agreement, mean_row


@dataclass(frozen=True)
class NewNodesConfig:
    """Which nodes are hidden, and what places them again."""

    share: float = parameter(
        0.2, label="Hidden nodes", help="Share of the nodes that are placed by their attributes alone.",
        low=0.05, high=0.9, step=0.05,
    )  # fmt: skip
    family: str = parameter(
        "gaussian", label="Attributes are", help="The distribution whose score is the feature map of the attributes.",
        choices=tuple(each.name for each in FAMILIES), names=tuple(each.title for each in FAMILIES),
    )  # fmt: skip
    bias: bool = parameter(
        True,
        label="Bias row",
        help="One more feature, 1 for every node: scores are centred and know no constant.",
    )
    constraint: Constraint = parameter(
        "free", label="Constraint", choices=CONSTRAINTS,
        help="Free: the best fit. Shear: what is left of the kernel has to be a kernel, which keeps less of it.",
    )  # fmt: skip
    C: float = parameter(
        1.0,
        label="Cost",
        symbol="C",
        help="Cost of training errors of the classifier.",
        low=1e-4,
        high=1e7,
        logarithmic=True,
    )
    seed: int = parameter(0, label="Seed", help="Draws the hidden nodes.", low=0, high=2**31 - 1, step=1)
    repeats: int = parameter(
        5, label="Repetitions", help="How often other nodes are hidden; every number is the mean over them.",
        low=1, high=50, step=1,
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class NewNodes(ReadOnlyArrays):
    """Hidden nodes placed by their attributes.

    Attributes
    ----------
    known, hidden : (k,) int, (h,) int
    extended : ExtendedKernel
        With the certificate of the approximation.
    other_error : float
        Training error with a bias row where `extended` has none, and without one where it has.
    placed, baseline, true : PlacedNodes
        By attributes; every hidden node as similar to a known one as the others are on average; by its own row of the
        kernel, which only nodes in the network have.
    floor : float
        Share of the largest class among the labelled hidden nodes.
    notes : tuple of str
    """

    known: IntArray
    hidden: IntArray
    extended: ExtendedKernel
    other_error: float
    placed: PlacedNodes
    baseline: PlacedNodes
    true: PlacedNodes
    floor: float
    notes: tuple[str, ...]

    @property
    def values(self) -> FloatArray:
        """(n, n) k_Q of all nodes in their order, one positive semidefinite kernel: of known pairs it keeps what Q keeps."""
        n = self.known.size + self.hidden.size
        made = np.empty((n, n))
        made[np.ix_(self.known, self.known)] = self.extended.approximation.K_Q
        made[np.ix_(self.hidden, self.known)] = self.extended.cross
        made[np.ix_(self.known, self.hidden)] = self.extended.cross.T
        made[np.ix_(self.hidden, self.hidden)] = self.extended.block
        return made


def place_nodes(
    config: NewNodesConfig,
    K: GramMatrix,
    attributes: Vectors,
    labels: Labels | None = None,
    *,
    hidden: ArrayLike | None = None,
    repetition: int = 0,
    origin: Origin | None = None,
) -> NewNodes:
    """Hide nodes of a kernel and place them by their attributes (Kernel extrapolation, section 4.2).

    Mean and deviation of the attributes, Q and the classifier come from the known nodes alone. The kernel itself was made of
    the whole network, and so its known part has felt the edges of hidden nodes, unless its `origin` is given.

    Parameters
    ----------
    config : NewNodesConfig
    K : (n, n)
        Known everywhere and positive semidefinite.
    attributes : Vectors
        Of the same nodes in the same order, known everywhere.
    labels : Labels, optional
    hidden : mask or distinct positions, optional
        Nodes to hide; default: a share of them, drawn from SeedSequence([seed, repetition]).
    repetition : int
    origin : Origin, optional
        The known part of the kernel is then made anew, of the network without the hidden nodes: as if they came later.

    Raises
    ------
    InvalidInputError
        Other ids, unknown entries, entries that the family cannot describe, or too few nodes.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> from kernex_core import NewNodesConfig, load_dataset, place_nodes
    >>> data = load_dataset("blocks")
    >>> found = place_nodes(NewNodesConfig(), data.kernels["diffusion"], data.samples["network"].attributes)
    >>> found.placed.error < found.baseline.error
    True
    """
    if attributes.ids != K.ids or (labels is not None and labels.ids != K.ids):
        raise InvalidInputError(
            "Attributes and labels have to be about the nodes of the kernel, in its order", "other ids"
        )
    if not K.unknown.complete:
        raise InvalidInputError(
            "A kernel is needed that is known everywhere", "unknown entries", "Complete it first"
        )
    at = _hidden(config, K.n, hidden, repetition)
    known = np.setdiff1d(np.arange(K.n), at)
    if origin is None:
        inside = K.take(known)
    else:
        inside = origin.without([K.ids[k] for k in at], [K.ids[k] for k in known])
    fitted, extended = _extended(config, inside, attributes, known, at)
    other = _training_error(replace(config, bias=not config.bias), inside.values, attributes.X[known])
    truth = K.values[np.ix_(at, known)]
    rows = (extended.cross, np.tile(mean_row(inside.values), (at.size, 1)), truth)
    judged = Judge(inside, labels, known, at, config.C)
    largest = float(np.abs(K.values).max())
    placed, baseline, true = (
        PlacedNodes(*agreement(truth, row, largest), judged.accuracy(row)) for row in rows
    )
    notes = fitted.notes + extended.approximation.notes
    return NewNodes(known, at, extended, other, placed, baseline, true, judged.floor, notes)


def kernel_by_attributes(
    config: NewNodesConfig,
    K: GramMatrix,
    attributes: Vectors,
    hidden: ArrayLike | None = None,
    repetition: int = 0,
    origin: Origin | None = None,
) -> GramMatrix:
    """The kernel k_Q of all nodes, where those that are hidden are placed by their attributes; see `place_nodes`.

    Examples
    --------
    >>> from kernex_core import NewNodesConfig, load_dataset
    >>> from kernex_core.studies.networks.new_nodes import kernel_by_attributes
    >>> data = load_dataset("blocks")
    >>> K = kernel_by_attributes(NewNodesConfig(), data.kernels["diffusion"], data.samples["network"].attributes)
    >>> K.n, K.name
    (120, 'diffusion by attributes')
    """
    made = place_nodes(config, K, attributes, hidden=hidden, repetition=repetition, origin=origin)
    name = f"{K.name} by attributes"
    how = call(name, "kernel_by_attributes", config, K, attributes, made.hidden, repetition, origin)
    return GramMatrix(made.values, K.ids, name, how, K.has_seen() | ITEMS)


def _hidden(config: NewNodesConfig, n: int, hidden: ArrayLike | None, repetition: int) -> IntArray:
    """Sorted positions of the hidden nodes."""
    if hidden is None:
        at = hidden_items(np.ones(n, dtype=bool), config.share, rng=repetition_rng(config.seed, repetition))
        if at.size == 0:
            raise InvalidInputError(
                "At least one node has to be hidden", f"{config.share:g} of {n}", "Hide more"
            )
        return at
    at = np.unique(as_positions(hidden, n))
    if n - at.size < 2:
        raise InvalidInputError(
            "At least two nodes have to stay in the network", f"{n - at.size}", "Hide fewer"
        )
    return at


def _extended(
    config: NewNodesConfig, K: GramMatrix, attributes: Vectors, known: IntArray, hidden: IntArray
) -> tuple[FisherMap, ExtendedKernel]:
    fitted = fisher_map(attributes.X[known], config.family, bias=config.bias)
    if not fitted.sd.any():
        raise InvalidInputError(
            "At least one attribute has to vary over the known nodes",
            f"{fitted.sd.size} that are the same for all {known.size}",
            "Bring other attributes, or hide other nodes",
        )
    inside, new = fitted.apply(attributes.X[known]), fitted.apply(attributes.X[hidden])
    return fitted, extend_kernel(K, inside, new, constraint=config.constraint)


def _training_error(config: NewNodesConfig, K: FloatArray, X: FloatArray) -> float:
    """|K − K_Q|_F / |K|_F over the items that the map is fitted to."""
    features = fisher_map(X, config.family, bias=config.bias).apply(X)
    if config.constraint == "free":
        left = free_error(K, features)
    else:
        left = approximate(K, features, constraint=config.constraint).residual_norms[2.0]
    norm = length(K)
    return left / norm if norm > 0.0 else 0.0
