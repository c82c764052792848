"""Fig. 1 of "Joint regularization", measured: accuracy of every kernel on the same folds, a kernel a step.

Nothing in here knows what the paper says (`printed` beside it).
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_choice, check_parameters, parameter, repetition_rng
from kernex_core.completion.extrapolate import nugget_parameter
from kernex_core.completion.node_kernels import (
    CHOICES,
    COMBINED,
    NEEDED,
    REMEDY,
    NodeColumns,
    NodeKernels,
    attributes_of,
    landmarks,
    node_kernels,
    strip_of,
    suggested_columns,
)
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.graphs.walks import NodeStrip, walk_sums_in_steps
from kernex_core.learning.chance.interval import Interval, Passes, interval_of
from kernex_core.learning.chance.paired import DIFFERENT, Paired, corrected_t_p, holm, paired
from kernex_core.learning.chance.tried import Tried, same_in_all, trying_in_folds
from kernex_core.learning.chance.verdict import Verdict, verdict_of
from kernex_core.learning.folds import APART, CrossValidation
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.scores import majority_floor
from kernex_core.runtime.progress import Steps, finished, quietly

# Configuration of Fig. 1 of "Joint regularization": kernels on vertices, landmarks and walks.

LAMS: Final = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
COSTS: Final = (1.0, 10.0, 100.0, 1e3, 1e4)
"""What C is chosen from inside the training folds, of every kernel alike: walks make kernels whose entries are close to 1,
and to one another, for which small C are too small."""
ENZYMES: Final = NodeColumns((2, 3, 4, 5), tuple(range(6, 18)))
"""Four continuous totals and twelve counts among the 18 attributes of ENZYMES."""
ENZYMES_SIGMA: Final = 37.0
"""The paper's width, which suits the raw totals of ENZYMES too: their median distance is about 41."""

PAPER_CLASSES: Final = ("4", "6")
"""How the names of the paper's classes end in ENZYMES: EC 4 (lyases) and EC 6 (ligases)."""


@dataclass(frozen=True)
class NodeWalkConfig:
    """Kernels on vertices with mixed attributes, and the walks that compare graphs with them.

    Attributes
    ----------
    columns : NodeColumns or None
        None: whole numbers from 0 on are discrete, the other columns continuous.
    """

    sigma: float | None = parameter(
        None,
        label="Width",
        symbol=r"\sigma",
        help="Of the Gaussian kernel, in the unit of the continuous attributes as they are. The paper has 37.",
        low=0.0,
        open_low=True,
        optional=True,
        auto="the median distance between two landmarks",
        logarithmic=True,
    )
    nugget: float = nugget_parameter(
        help="Added to the diagonal of every kernel on the landmarks. Without it both spaces share next to nothing.",
        open_low=True,
    )
    landmarks: int = parameter(
        200,
        label="Landmarks",
        symbol="n",
        help="Vertices by which all others are described.",
        low=2,
        high=1000,
        step=10,
    )
    choice: str = parameter(
        "sample",
        label="Choice",
        help="Of the landmarks. sample: drawn evenly among vertices with different attributes. k-means++: each far from "
        "those before it.",
        choices=CHOICES,
    )
    length: int = parameter(
        3, label="Walks up to", symbol="L", help="Edges of the longest walk.", low=0, high=6, step=1
    )
    edge_labels: bool = parameter(
        True,
        label="Edges match by label",
        help="Type and rounded length of an edge have to be equal along two walks. Otherwise all edges are equal.",
    )
    seed: int = parameter(0, label="Seed", help="Draws the landmarks.", low=0, high=2**31 - 1, step=1)
    columns: NodeColumns | None = parameter(
        None, hidden=True, help="Which attributes are continuous, and which discrete."
    )

    def __post_init__(self) -> None:
        check_parameters(self)


# The kernels of Fig. 1: walks over joint kernels on vertices for every λ, and over those that they are compared with.

JOINT: Final = {f"joint, λ = {lam:g}": lam for lam in LAMS}
"""Joint kernels by name."""
ENDS: Final = {"Gaussian": "joint, λ = 1", "linear": "joint, λ = 0"}
"""Which joint kernel is which kernel alone: they are measured once."""
AS_IT_IS: Final = ", as it is"
"""Ends the name of a kernel without landmarks and nugget."""
NAMES: Final = (*JOINT, "sum", "product", *(f"{name}{AS_IT_IS}" for name in COMBINED))
"""Kernels in the order in which they are measured."""


@dataclass(frozen=True, eq=False)
class PreparedGraphs(EqualByContent):
    """Graphs, and the kernels on their vertices.

    Attributes
    ----------
    config : NodeWalkConfig
        With the columns that are taken.
    graphs : GraphSet
    vertices : NodeKernels
    """

    config: NodeWalkConfig
    graphs: GraphSet
    vertices: NodeKernels

    @property
    def unset(self) -> int:
        """Vertices without a discrete attribute: their linear kernel with any other vertex is 0."""
        return int(self.vertices.attributes.unset.sum())

    def strip(self, name: str) -> NodeStrip:
        """The kernel on vertices of that name: one of NAMES or ENDS.

        Raises
        ------
        InvalidInputError
            An unknown name.
        """
        check_choice("A kernel between graphs", name, (*NAMES, *ENDS))
        plain = name.removesuffix(AS_IT_IS)
        if plain != name:
            return self.vertices.plain_strip(plain)
        at = JOINT.get(name)
        return strip_of(self.vertices.combined(name) if at is None else self.vertices.joint(at))


def prepare_graphs(config: NodeWalkConfig, graphs: GraphSet) -> PreparedGraphs:
    """Choose landmarks among all vertices of all graphs, and decompose on them once.

    Raises
    ------
    InvalidInputError
        Graphs whose vertices have no continuous or no discrete attributes.
    """
    columns = config.columns or columns_of(graphs)
    attributes = attributes_of(graphs.graphs, columns)
    Z = landmarks(attributes, config.landmarks, config.choice, rng=repetition_rng(config.seed, 0))
    made = node_kernels(attributes, Z, sigma=config.sigma, nugget=config.nugget)
    return PreparedGraphs(replace(config, columns=columns), graphs, made)


def columns_of(graphs: GraphSet) -> NodeColumns:
    """Columns that are taken where none are given: those of ENZYMES, or by their values.

    Raises
    ------
    InvalidInputError
        Graphs whose vertices have no continuous or no discrete attributes.
    """
    X = graphs.node_attributes
    if X is None:
        raise InvalidInputError(NEEDED, "none", REMEDY)
    found = suggested_columns(X)
    return ENZYMES if X.shape[1] == 18 and found.discrete == ENZYMES.discrete else found


def walks_in_steps(made: PreparedGraphs, name: str) -> Steps[FloatArray]:
    """Walk kernel (n, n) between the graphs over the kernel of that name on their vertices."""
    config = made.config
    sums = yield from walk_sums_in_steps(
        made.graphs.graphs, made.strip(name), config.length, edge_labels=config.edge_labels
    )
    return sums.up_to(config.length)


def graph_kernel(config: NodeWalkConfig, graphs: GraphSet, name: str) -> GramMatrix:
    """One kernel of Fig. 1, by its name; not normalised.

    Parameters
    ----------
    config : NodeWalkConfig
    graphs : GraphSet
    name : str
        "joint, λ = 0.25", "Gaussian", "linear", "sum", "product", or one of the last four with ", as it is".

    Raises
    ------
    InvalidInputError
        An unknown name, or whatever `prepare_graphs` refuses.
    """
    K = finished(walks_in_steps(prepare_graphs(config, graphs), name))
    origin = call("K", "graph_kernel", config, graphs, name)
    # landmarks, and perhaps the width, were chosen among the vertices of all graphs
    return GramMatrix(K, graphs.ids, f"walks, {name}", origin, ITEMS)


@dataclass(frozen=True, eq=False)
class JointFigure(ReadOnlyArrays):
    """Kernels that are done, on the same folds.

    Attributes
    ----------
    tried : dict of str to Tried
        Accuracy of each inside and outside the training items of every fold, by name (`graph_kernels.NAMES`).
    how : Judging
        Folds and classes.
    n_vertices, unset, n_landmarks : int
        Vertices of all graphs, those without a discrete attribute, landmarks.
    sigma : float
        Width that was taken.
    empty : int
        Graphs without vertices: similar to nothing.
    done, total : int
        Kernels.
    seconds : float
    """

    tried: Mapping[str, Tried]
    how: Judging
    n_vertices: int
    unset: int
    n_landmarks: int
    sigma: float
    empty: int
    done: int
    total: int
    seconds: float = field(compare=False)

    def of(self, name: str) -> Tried | None:
        """Return a kernel by one of NAMES or ENDS, which are the joint kernel at λ = 0 and 1; None before it is done."""
        return self.tried.get(ENDS.get(name, name))

    @property
    def n_items(self) -> int:
        """Labelled graphs."""
        return int((self.how.coded.codes >= 0).sum())

    @property
    def n_repeats(self) -> int:
        """How often each graph was judged."""
        return self.how.folds[-1].repeat + 1

    @property
    def n_folds(self) -> int:
        """Folds of one repetition."""
        return len(self.how.folds) // self.n_repeats

    @property
    def floor(self) -> float:
        """Accuracy of always naming the largest class."""
        return majority_floor(self.how.coded.labelled, len(self.how.coded.classes))

    def by_item(self, tried: Tried) -> FloatArray:
        """(n_repeats, n_items) whether each labelled graph was named rightly."""
        return np.asarray(tried.items[:, self.how.coded.codes >= 0])

    def accuracy(self, tried: Tried) -> Accuracy:
        """Accuracy of a kernel with its spreads."""
        by_item = self.by_item(tried)
        groups = None if self.how.groups is None else self.how.groups[self.how.coded.codes >= 0]
        interval = interval_of(by_item, Passes(self.n_folds, self.n_repeats), groups=groups)
        repeats = by_item.mean(axis=1)
        return Accuracy(
            mean=float(repeats.mean()),
            sd_repeats=float(repeats.std(ddof=1)) if repeats.size > 1 else float("nan"),
            sd_folds=float(tried.outside.std(ddof=1)) if tried.outside.size > 1 else float("nan"),
            interval=interval,
        )


@dataclass(frozen=True, eq=False)
class Accuracy(EqualByContent):
    """Mean over repetitions, standard deviations over repetitions and over all folds (NaN of one), interval over graphs."""

    mean: float
    sd_repeats: float
    sd_folds: float
    interval: Interval


def measuring(
    config: NodeWalkConfig,
    graphs: GraphSet,
    labels: Labels,
    validation: CrossValidation,
    *,
    done: JointFigure | None = None,
) -> Iterator[JointFigure | None]:
    """Judge every kernel of NAMES on the same folds; each step yields what there is so far, None where a step takes longer.

    Parameters
    ----------
    config : NodeWalkConfig
    graphs : GraphSet
    labels : Labels
        Of the same items; "" = in no fold, but among those that landmarks are chosen from.
    validation : CrossValidation
        With C chosen inside the folds it is chosen from COSTS, for every kernel.
    done : JointFigure, optional
        What is known already under the same settings: only other kernels are measured.

    Raises
    ------
    InvalidInputError
        Labels of other items or of fewer than two classes, or whatever `prepare_graphs` refuses.
    """
    if labels.ids != graphs.ids:
        raise InvalidInputError("Labels have to be about the same graphs in the same order", "other ids")
    started = time.perf_counter()
    # the paper divided compounds as they are; whatever is equal may stand on both sides
    how = Judging.of(labels, Protocol(replace(validation, copies=APART), UNSCALED))
    yield None
    made = prepare_graphs(config, graphs)
    state = done or _nothing_yet(made, how)
    before = state.seconds
    for name in (name for name in NAMES if name not in state.tried):
        tried = yield from _one(made, how, name)
        known = {**state.tried, name: tried}
        seconds = before + time.perf_counter() - started
        state = replace(state, tried=known, done=len(known), seconds=seconds)
        yield state


def _one(made: PreparedGraphs, how: Judging, name: str) -> Generator[None, None, Tried]:
    walks = walks_in_steps(made, name)
    K = yield from quietly(walks)
    candidate = same_in_all(partial(cut_blocks, cosine_normalize(K)))
    return (yield from quietly(trying_in_folds(candidate, how, costs=COSTS)))


def _nothing_yet(made: PreparedGraphs, how: Judging) -> JointFigure:
    vertices = made.vertices
    return JointFigure(
        tried={},
        how=how,
        n_vertices=vertices.attributes.n,
        unset=made.unset,
        n_landmarks=vertices.Z.size,
        sigma=vertices.sigma,
        empty=int((made.graphs.n_nodes == 0).sum()),
        done=0,
        total=len(NAMES),
        seconds=0.0,
    )


# Who wins: the joint kernel with λ chosen inside the training folds, against each kernel that has the same treatment.

CHOSEN: Final = "joint, λ chosen"
"""What the joint kernel with λ chosen inside the training folds is called."""
BASELINES: Final = ("Gaussian", "linear", "sum", "product")
"""With the landmarks, weights, nugget and normalisation of the joint kernel."""


@dataclass(frozen=True, eq=False)
class ChosenLam(ReadOnlyArrays):
    """The joint kernel with λ chosen in five folds of the training items of every fold.

    Attributes
    ----------
    tried : Tried
        Of what was chosen.
    picked : (n_folds,) int
        Which of JOINT each training fold chose.
    best : str
        The name that looks best on the test folds: a choice in hindsight.
    optimism : float
        What reporting that one adds to the accuracy.
    """

    tried: Tried
    picked: IntArray
    best: str
    optimism: float

    @property
    def picks(self) -> tuple[tuple[str, int], ...]:
        """Every λ that was chosen, with the number of folds."""
        names = tuple(JOINT)
        return tuple((names[at], int((self.picked == at).sum())) for at in np.unique(self.picked).tolist())


@dataclass(frozen=True, eq=False)
class Against(EqualByContent):
    """The joint kernel less another one, on the same folds.

    Attributes
    ----------
    name : str
        Of the other one.
    paired : Paired
        The joint kernel less the other one, of this pair alone.
    holm_p : float
        After Holm's correction for the number of kernels.
    corrected_t_p : float
        What the field's papers test by: corrected resampled t-test over all folds (Nadeau and Bengio 2003), of this pair
        alone; NaN for fewer than four folds. It decides nothing here.
    """

    name: str
    paired: Paired
    holm_p: float
    corrected_t_p: float

    @property
    def difference(self) -> float:
        """Of mean accuracies, as a share."""
        return self.paired.difference

    @property
    def interval(self) -> Interval:
        """Of the difference, for other data sets of this size."""
        return self.paired.interval

    @property
    def p(self) -> float:
        """Of this pair alone."""
        return self.paired.p

    @property
    def told(self) -> int:
        """1: the joint kernel is better; -1: the other one is; 0: they are not told apart."""
        if self.holm_p >= DIFFERENT:
            return 0
        return 1 if self.difference > 0.0 else -1


def chosen_lam(found: JointFigure) -> ChosenLam | None:
    """Choose λ in every fold by what its training items say among themselves; None before every λ is done."""
    joint = [found.tried[name] for name in JOINT if name in found.tried]
    if len(joint) < len(JOINT):
        return None
    picked = np.array([one.inside for one in joint]).argmax(axis=0)
    folds = found.how.folds
    items = np.zeros_like(joint[0].items)
    for fold, at in zip(folds, picked, strict=True):
        items[fold.repeat, fold.test] = joint[at].items[fold.repeat, fold.test]
    rows = np.arange(picked.size)
    inside, outside = (
        np.array([getattr(one, side) for one in joint])[picked, rows] for side in ("inside", "outside")
    )
    tried = Tried(inside, outside, items)
    means = [found.accuracy(one).mean for one in joint]
    best = int(np.argmax(means))
    return ChosenLam(tried, picked, tuple(JOINT)[best], means[best] - found.accuracy(tried).mean)


def shown_kernels(found: JointFigure, chosen: ChosenLam | None) -> dict[str, Tried]:
    """All kernels that are done, by the names of the page: each alone, treated alike, joint, chosen, as they are."""
    singles = {f"{name} alone": found.of(name) for name in ENDS}
    joint = {name: found.of(name) for name in JOINT if name not in ENDS.values()}
    others = {name: found.of(name) for name in NAMES if name not in JOINT}
    treated = {name: one for name, one in others.items() if not name.endswith(AS_IT_IS)}
    as_they_are = {name: one for name, one in others.items() if name.endswith(AS_IT_IS)}
    picked = {CHOSEN: None if chosen is None else chosen.tried}
    ordered = {**singles, **treated, **joint, **picked, **as_they_are}
    return {name: one for name, one in ordered.items() if one is not None}


def figure_verdict(found: JointFigure, chosen: ChosenLam | None) -> Verdict:
    """Which kernel of the figure is best, and who is told apart from it; plain baselines are all that are not joint."""
    shown = shown_kernels(found, chosen)
    return verdict_of(
        {name: found.by_item(one) for name, one in shown.items()},
        Passes(found.n_folds, found.n_repeats),
        plain=[name for name in shown if not name.startswith("joint")],
        groups=_groups(found),
    )


def against(found: JointFigure, joint: Tried) -> tuple[Against, ...]:
    """Compare a joint kernel with those of BASELINES that are done."""
    others = [(name, other) for name in BASELINES if (other := found.of(name)) is not None]
    compared = [_paired(found, joint, other) for _, other in others]
    corrected = holm([each.p for each in compared])
    share = 1.0 / (found.n_folds - 1) if found.n_folds > 1 else 1.0
    return tuple(
        Against(name, each, p, corrected_t_p((joint.outside - other.outside).tolist(), share))
        for (name, other), each, p in zip(others, compared, corrected, strict=True)
    )


def _paired(found: JointFigure, joint: Tried, other: Tried) -> Paired:
    return paired(
        found.by_item(joint),
        found.by_item(other),
        Passes(found.n_folds, found.n_repeats),
        groups=_groups(found),
    )


def _groups(found: JointFigure) -> NDArray[np.str_] | None:
    return None if found.how.groups is None else found.how.groups[found.how.coded.codes >= 0]
