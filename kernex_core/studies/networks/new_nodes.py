"""Nodes that are not in the network: their attributes place them in a kernel of those that are, and how well that works."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter, repetition_rng
from kernex_core.base.validation import EPS, length, unit_of
from kernex_core.completion.approximation import (
    CONSTRAINTS,
    Constraint,
    ExtendedKernel,
    approximate,
    extend_kernel,
    free_error,
)
from kernex_core.completion.fisher_scores import FAMILIES, FisherMap, fisher_map
from kernex_core.completion.hide import hidden_items
from kernex_core.gram.matrix import GramMatrix, as_positions
from kernex_core.gram.provenance import call, part
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.learning.judgement import NAN
from kernex_core.learning.predict import predict_new

# Measurements of nodes that can place them: those of the network, whole columns and whole rows.


def attributes_of(network: Network) -> Vectors | None:
    """Attributes of the nodes of a network, with a recipe where it has one.

    Examples
    --------
    >>> from kernex_core import load_dataset
    >>> from kernex_core.studies.networks.new_nodes import attributes_of
    >>> attributes_of(load_dataset("blocks").samples["network"]).X.shape
    (120, 30)
    """
    found = network.attributes
    if found is None or network.recipe is None:
        return found
    recipe = part(network.recipe, "attributes")
    return Vectors(found.ids, found.X, found.columns, found.labels, found.notes, recipe)


def columns_of(vectors: Vectors, columns: Sequence[int]) -> Vectors:
    """Vectors with some of their columns, in the order given.

    Raises
    ------
    InvalidInputError
        No column, or one that there is not.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors
    >>> from kernex_core.studies.networks.new_nodes import columns_of
    >>> columns_of(Vectors(("a", "b"), np.eye(2), ("x", "y")), (1,)).columns
    ('y',)
    """
    at = tuple(int(column) for column in columns)
    width = vectors.X.shape[1]
    if not at or min(at) < 0 or max(at) >= width:
        raise InvalidInputError("At least one column of the attributes is needed", f"{at} of {width}")
    names = tuple(vectors.columns[column] for column in at) if vectors.columns else ()
    recipe = None
    if vectors.recipe is not None:
        recipe = call(
            "attributes", "columns_of", vectors, at,
        )  # fmt: skip
    return Vectors(vectors.ids, vectors.X[:, list(at)], names, vectors.labels, vectors.notes, recipe)


def whole_rows(vectors: Vectors) -> IntArray:
    """(k,) positions of the items whose every entry is known.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors
    >>> from kernex_core.studies.networks.new_nodes import whole_rows
    >>> whole_rows(Vectors(("a", "b"), np.array([[1.0], [np.nan]]))).tolist()
    [0]
    """
    return np.flatnonzero(np.isfinite(vectors.X).all(axis=1)).astype(np.int64)


def well_known_columns(vectors: Vectors) -> tuple[int, ...]:
    """Columns that are known for at least half of the items and are not the same for all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Vectors
    >>> from kernex_core.studies.networks.new_nodes import well_known_columns
    >>> well_known_columns(Vectors(("a", "b", "c"), np.array([[1.0, 1.0], [2.0, np.nan], [3.0, np.nan]])))
    (0,)
    """
    known = np.isfinite(vectors.X)
    most = 2 * known.sum(axis=0) >= max(vectors.n, 1)
    low = np.where(known, vectors.X, np.inf).min(axis=0, initial=np.inf)
    high = np.where(known, vectors.X, -np.inf).max(axis=0, initial=-np.inf)
    return tuple(np.flatnonzero(most & (high > low)).tolist())


# Nodes that come later: the kernel of the known ones, made as if the others had never been there.


@dataclass(frozen=True, eq=False)
class Origin(EqualByContent):
    """The network that a kernel was made of, and how.

    Attributes
    ----------
    network : Network
    kernel : NetworkKernel
        With every parameter set.
    """

    network: Network
    kernel: NetworkKernel

    def without(self, hidden: Sequence[str], known: Sequence[str]) -> GramMatrix:
        """Kernel of the known nodes, in their order, from the network without the hidden ones and their edges.

        Raises
        ------
        InvalidInputError
            Nodes that the network does not have.
        """
        place = {name: at for at, name in enumerate(self.network.ids)}
        lacking = [name for name in (*hidden, *known) if name not in place]
        if lacking:
            raise InvalidInputError(
                "The nodes of the kernel have to be in its network", repr(lacking[0])[:60]
            )
        gone = {place[name] for name in hidden}
        rest = [at for at in range(self.network.n) if at not in gone]
        K = self.kernel.similarities(self.network.take(rest), name=self.kernel.title.lower())
        row = {name: at for at, name in enumerate(K.ids)}
        return K.take([row[name] for name in known])


# How well rows of similarities place hidden nodes: beside the true rows, and by a machine trained on the known nodes.


@dataclass(frozen=True, eq=False)
class PlacedNodes(EqualByContent):
    """How well rows of similarities place the hidden nodes.

    Attributes
    ----------
    error : float
        |k − k̂|_F / |k|_F over pairs of a hidden and a known node.
    alignment : float
        Cosine of both blocks, −1 to 1; like the error NaN where hidden nodes have no similarity to known ones.
    accuracy : float
        Share of the labelled hidden nodes whose class a machine names that was trained on the known ones; NaN without
        labels.
    """

    error: float
    alignment: float
    accuracy: float


def mean_row(K: FloatArray) -> FloatArray:
    """(n,) mean similarity of each item to the others: what a node nothing is known of is given."""
    n = K.shape[0]
    return np.asarray((K.sum(axis=0) - np.diag(K)) / max(n - 1, 1))


def agreement(truth: FloatArray, made: FloatArray, largest: float = 0.0) -> tuple[float, float]:
    """Relative Frobenius distance of two blocks, and their cosine; NaN where the true one is the rounding of 0.

    `largest` is the largest entry of the whole kernel, which says what rounding is.
    """
    if float(np.abs(truth).max(initial=0.0)) <= 100.0 * EPS * largest:
        return NAN, NAN
    norm = length(truth)
    error = length(truth - made) / norm if norm > 0.0 else NAN
    truth, made = truth / unit_of(truth), made / unit_of(made)
    norm, other = float(np.linalg.norm(truth)), float(np.linalg.norm(made))
    return error, float((truth * made).sum()) / (norm * other) if norm * other > 0.0 else 0.0


@dataclass(frozen=True, eq=False)
class Judge(EqualByContent):
    """One machine for all ways to place the hidden nodes: trained on the kernel of the known ones.

    Attributes
    ----------
    K : GramMatrix
        Of the known nodes.
    labels : Labels or None
        Of all nodes.
    known, hidden : (k,) int, (h,) int
    C : float
    """

    K: GramMatrix
    labels: Labels | None
    known: IntArray
    hidden: IntArray
    C: float

    @property
    def truth(self) -> np.ndarray:
        """(h,) classes of the hidden nodes; "" = none."""
        return self.labels.y[self.hidden] if self.labels is not None else np.array([""])

    @property
    def floor(self) -> float:
        """Share of the largest class among the labelled hidden nodes; NaN without any."""
        named = self.truth[self.truth != ""]
        return float(np.unique(named, return_counts=True)[1].max() / named.size) if named.size else NAN

    def accuracy(self, rows: FloatArray) -> float:
        """Share of the labelled hidden nodes that are named rightly by their rows (h, k) of similarities."""
        named = self.truth != ""
        inside = None if self.labels is None else self.labels.take(self.known)
        if inside is None or not inside.judgeable or not named.any():
            return NAN
        scale = float(np.diag(self.K.values).mean()) or 1.0
        unit = GramMatrix(self.K.values / scale, self.K.ids, self.K.name)
        ids = [str(item) for item in self.hidden]
        found = predict_new(unit, inside, rows / scale, ids, C=self.C)
        return float((np.array(found.labels) == self.truth)[named].mean())


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


# Nodes hidden again and again: what placing them by their attributes is worth, with its spread.

WAYS = ("placed", "baseline", "true")


@dataclass(frozen=True, eq=False)
class Placing(ReadOnlyArrays):
    """Repetitions that are done, each with its own hidden nodes.

    Attributes
    ----------
    first : NewNodes
        Of the first repetition.
    error, alignment, accuracy : (done, 3) float
        By attributes, by the mean row, by the node's own row of the kernel (WAYS).
    training, trace : (done,) float
        Training error and share of the trace that is kept.
    other : (done,) float
        Training error with the bias row put in, or left out where it is in.
    floor : (done,) float
    done, total : int
    seconds : float
    """

    first: NewNodes
    error: FloatArray
    alignment: FloatArray
    accuracy: FloatArray
    training: FloatArray
    other: FloatArray
    trace: FloatArray
    floor: FloatArray
    done: int
    total: int
    seconds: float = field(compare=False)


def placing_nodes(
    config: NewNodesConfig,
    K: GramMatrix,
    attributes: Vectors,
    labels: Labels | None = None,
    hidden: ArrayLike | None = None,
    origin: Origin | None = None,
) -> Iterator[Placing]:
    """Place hidden nodes by their attributes; a state a repetition, one where the nodes to hide are given.

    Parameters
    ----------
    config, K, attributes, labels, hidden, origin
        As in `place_nodes`.

    Examples
    --------
    >>> from kernex_core import NewNodesConfig, load_dataset
    >>> from kernex_core.studies.networks.new_nodes import placing_nodes
    >>> data = load_dataset("blocks")
    >>> K, network = data.kernels["diffusion"], data.samples["network"]
    >>> *_, found = placing_nodes(NewNodesConfig(), K, network.attributes, data.labels)
    >>> found.done, bool((found.error[:, 0] < found.error[:, 1]).all())
    (5, True)
    """
    started = time.perf_counter()
    total = config.repeats if hidden is None else 1
    first: NewNodes | None = None
    rows: list[tuple[float, ...]] = []
    for repetition in range(total):
        one = place_nodes(config, K, attributes, labels, hidden=hidden, repetition=repetition, origin=origin)
        first = first or one  # of the others numbers alone: each holds a matrix
        rows.append(_numbers(one))
        yield _state(first, np.array(rows), total, time.perf_counter() - started)


def _numbers(one: NewNodes) -> tuple[float, ...]:
    ways: list[PlacedNodes] = [getattr(one, way) for way in WAYS]
    extended = one.extended
    return (
        *(way.error for way in ways),
        *(way.alignment for way in ways),
        *(way.accuracy for way in ways),
        extended.training_error,
        one.other_error,
        extended.approximation.trace_share,
        one.floor,
    )


def _state(first: NewNodes, rows: FloatArray, total: int, seconds: float) -> Placing:
    error, alignment, accuracy, rest = np.split(rows, (3, 6, 9), axis=1)
    training, other, trace, floor = (rest[:, column].copy() for column in range(4))
    return Placing(
        first, error, alignment, accuracy, training, other, trace, floor, len(rows), total, seconds
    )
