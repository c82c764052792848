"""Nodes that are not in the network: their attributes place them in a kernel of those that are, and how well that works."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.extrapolation.approximation import CONSTRAINTS, Constraint
from kernex_core.extrapolation.fisher_scores import FAMILIES, fisher_map
from kernex_core.extrapolation.hide import hidden_items
from kernex_core.extrapolation.new_items import ExtendedKernel, extend_kernel
from kernex_core.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.learning.judgement import NAN
from kernex_core.learning.predict import predict_new
from kernex_core.parameters import check_parameters, parameter
from kernex_core.seeds import repetition_rng


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

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class PlacedNodes(EqualByContent):
    """How well rows of similarities place the hidden nodes.

    Attributes
    ----------
    error : float
        |k − k̂|_F / |k|_F over pairs of a hidden and a known node.
    alignment : float
        Cosine of both blocks, −1 to 1.
    accuracy : float
        Share of the labelled hidden nodes whose class a machine names that was trained on the known ones; NaN without
        labels.
    """

    error: float
    alignment: float
    accuracy: float


@dataclass(frozen=True, eq=False)
class NewNodes(ReadOnlyArrays):
    """Hidden nodes placed by their attributes.

    Attributes
    ----------
    known, hidden : (k,) int, (h,) int
    extended : ExtendedKernel
        With the certificate of the approximation.
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
    placed: PlacedNodes
    baseline: PlacedNodes
    true: PlacedNodes
    floor: float
    notes: tuple[str, ...]


def place_nodes(
    config: NewNodesConfig, K: GramMatrix, attributes: Vectors, labels: Labels | None = None
) -> NewNodes:
    """Hide nodes of a kernel and place them by their attributes (Kernel extrapolation, section 4.2).

    Mean and deviation of the attributes, Q and the classifier come from the known nodes alone. The kernel itself was made of
    the whole network: the error says how far attributes replace edges.

    Parameters
    ----------
    config : NewNodesConfig
    K : (n, n)
        Known everywhere and positive semidefinite.
    attributes : Vectors
        Of the same nodes in the same order, known everywhere.
    labels : Labels, optional

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
    hidden = hidden_items(np.ones(K.n, dtype=bool), config.share, rng=repetition_rng(config.seed, 0))
    known = np.setdiff1d(np.arange(K.n), hidden)
    if hidden.size == 0:
        raise InvalidInputError(
            "At least one node has to be hidden", f"{config.share:g} of {K.n}", "Hide more"
        )
    fitted = fisher_map(attributes.X[known], config.family, bias=config.bias)
    inside = K.take(known)
    extended = extend_kernel(
        inside,
        fitted.apply(attributes.X[known]),
        fitted.apply(attributes.X[hidden]),
        constraint=config.constraint,
    )
    truth = K.values[np.ix_(hidden, known)]
    rows = (extended.cross, np.tile(_mean_row(inside.values), (hidden.size, 1)), truth)
    judged = _Judge(inside, labels, known, hidden, config.C)
    placed, baseline, true = (PlacedNodes(*_agreement(truth, row), judged.accuracy(row)) for row in rows)
    notes = fitted.notes + extended.approximation.notes
    return NewNodes(known, hidden, extended, placed, baseline, true, judged.floor, notes)


def _mean_row(K: FloatArray) -> FloatArray:
    """(n,) mean similarity of each item to the others: what a node nothing is known of is given."""
    n = K.shape[0]
    return np.asarray((K.sum(axis=0) - np.diag(K)) / max(n - 1, 1))


def _agreement(truth: FloatArray, made: FloatArray) -> tuple[float, float]:
    norm, other = float(np.linalg.norm(truth)), float(np.linalg.norm(made))
    error = float(np.linalg.norm(truth - made)) / norm if norm > 0.0 else NAN
    return error, float((truth * made).sum()) / (norm * other) if norm * other > 0.0 else 0.0


@dataclass(frozen=True, eq=False)
class _Judge(EqualByContent):
    """One machine for all ways to place the hidden nodes: trained on the kernel of the known ones."""

    K: GramMatrix
    labels: Labels | None
    known: IntArray
    hidden: IntArray
    C: float

    @property
    def truth(self) -> np.ndarray:
        return self.labels.y[self.hidden] if self.labels is not None else np.array([""])

    @property
    def floor(self) -> float:
        named = self.truth[self.truth != ""]
        return float(np.unique(named, return_counts=True)[1].max() / named.size) if named.size else NAN

    def accuracy(self, rows: FloatArray) -> float:
        named = self.truth != ""
        inside = None if self.labels is None else self.labels.take(self.known)
        if inside is None or not inside.judgeable or not named.any():
            return NAN
        scale = float(np.diag(self.K.values).mean()) or 1.0
        unit = GramMatrix(self.K.values / scale, self.K.ids, self.K.name)
        ids = [str(item) for item in self.hidden]
        found = predict_new(unit, inside, rows / scale, ids, C=self.C)
        return float((np.array(found.labels) == self.truth)[named].mean())
