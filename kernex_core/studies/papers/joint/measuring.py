"""Fig. 1 of "Joint regularization", measured: accuracy of every kernel on the same folds, a kernel a step.

Nothing in here knows what the paper says (`printed` beside it).
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, ReadOnlyArrays
from kernex_core.gram.normalize import cosine_normalize
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Interval, Passes, interval_of
from kernex_core.learning.chance.tried import Tried, same_in_all, trying_in_folds
from kernex_core.learning.folds import APART, CrossValidation
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.scores import majority_floor
from kernex_core.pieces import Pieces
from kernex_core.studies.papers.joint.config import COSTS, NodeWalkConfig
from kernex_core.studies.papers.joint.graph_kernels import (
    ENDS,
    NAMES,
    PreparedGraphs,
    prepare_graphs,
    walks_in_pieces,
)

T = TypeVar("T")


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
    walks = walks_in_pieces(made, name)
    K = yield from _quietly(walks)
    candidate = same_in_all(partial(cut_blocks, cosine_normalize(K)))
    return (yield from _quietly(trying_in_folds(candidate, how, costs=COSTS)))


def _quietly(pieces: Pieces[T]) -> Generator[None, None, T]:
    """Say that something happened, not how much."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: T = end.value
            return result
        yield None


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
