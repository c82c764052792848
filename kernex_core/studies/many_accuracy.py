"""Study of the page Many kernels: each kernel and each combination on the same folds, weights made inside them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kernex_core.errors import KernexError
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.center import center
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import PAIR
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.copies import copies_of
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.mkl.judging import ManyJudgement, WeightsOfFolds, judge_many_in_pieces
from kernex_core.learning.mkl.learn import mkl
from kernex_core.seeds import check_seed
from kernex_core.studies.many_kernels import ManyConfig
from kernex_core.studies.many_ways import learns_nothing, ways_together


@dataclass(frozen=True, eq=False)
class ManyAccuracy(ReadOnlyArrays):
    """Judgements that are done, all on the same folds.

    Attributes
    ----------
    judged : dict of str to Judgement
        Kernels alone first, then combinations; the last may rest on fewer repetitions while the study runs.
    weights : dict of str to WeightsOfFolds
        Of the combinations whose weights were made inside the folds from labels.
    refused : dict of str to str
    done, total : int
        Folds, over all of them.
    seconds : float
    """

    judged: Mapping[str, Judgement] = field(default_factory=dict)
    weights: Mapping[str, WeightsOfFolds] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    done: int = 0
    total: int = 1
    seconds: float = field(default=0.0, compare=False)

    @property
    def verdict(self) -> Verdict | None:
        """Which is best of all rows: kernels alone and their equal sum are plain baselines; None before all are done."""
        if self.done < self.total or len(self.judged) < 2:
            return None
        return judged_verdict(self.judged, plain=[name for name in self.judged if learns_nothing(name)])


def judging_together(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    config: ManyConfig,
    hand: tuple[float, ...] = (),
) -> Iterator[ManyAccuracy]:
    """Judge each kernel alone, their sums, their joint kernel and their product, see `ways_together`.

    Every kernel is put on its scale by the training block of each fold; weights are made of it and of labels of training
    items, and the joint kernel is fitted on it, too. The product is made entry by entry.

    Parameters
    ----------
    kernels : dict of str to GramMatrix
        Known everywhere, as they came.
    labels : Labels
    validation : CrossValidation
        With C chosen inside the folds that of learned weights is chosen there, too.
    config : ManyConfig
        Scale, C and loss of the learned weights, nugget.
    hand : (M,), optional
        Weights by hand, judged too where they are not equal.
    """
    started = time.perf_counter()
    ways = ways_together(tuple(kernels), config, hand, choose_C=validation.choose_C)
    each = validation.folds * validation.repeats or int(labels.labelled.sum())
    state = ManyAccuracy(total=each * len(ways))
    copies = copies_of(list(kernels.values()), labels, validation)
    for place, (name, way) in enumerate(ways.items()):
        taken = {one: kernels[one] for one in way.names}
        try:
            for part in judge_many_in_pieces(taken, labels, validation, way.together, copies=copies):
                state = _with(state, name, part.made, way.together.weighting.sees_labels)
                yield replace(state, done=place * each + part.done, seconds=time.perf_counter() - started)
        except KernexError as error:
            state = replace(state, refused={**state.refused, name: str(error)})
    yield replace(state, done=state.total, seconds=time.perf_counter() - started)


def _with(state: ManyAccuracy, name: str, made: ManyJudgement | None, learned: bool) -> ManyAccuracy:
    if made is None:
        return state
    assert isinstance(made.judgement, Judgement)  # classes are learned here
    weights = {**state.weights, name: made.weights} if learned else state.weights
    return replace(state, judged={**state.judged, name: made.judgement}, weights=weights)


def alignments_between(kernels: Sequence[GramMatrix]) -> FloatArray:
    """(M, M) cosines between centred kernels, 0 where one is constant."""
    rows = np.array([center(K.values).ravel() for K in kernels])
    sizes = np.linalg.norm(rows, axis=1)
    unit = np.divide(rows, sizes[:, None], out=np.zeros_like(rows), where=sizes[:, None] > 1e-12)
    return np.asarray(unit @ unit.T)


@dataclass(frozen=True, eq=False)
class DecisionParts(ReadOnlyArrays):
    """What each kernel adds to the decision on one item, by a classifier that was trained on all others.

    Attributes
    ----------
    names, classes : tuple of str
        Of the kernels, and of the decisions (one for two classes, for the second of them).
    parts : (M, k) float
        η_m Σ_i γ_ci k_m(x, x_i).
    bias : (k,) float
    weights : (M,) float
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    parts: FloatArray
    bias: FloatArray
    weights: FloatArray


def decision_parts(
    kernels: Sequence[GramMatrix], labels: Labels, config: ManyConfig, item: int
) -> DecisionParts:
    """Learn weights and classifier without an item, and take the decision on it apart.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        On one scale, known everywhere.
    labels : Labels
    config : ManyConfig
        C and loss.
    item : int
        Position.
    """
    at = np.flatnonzero(labels.labelled & (np.arange(len(labels.y)) != item))
    blocks = [K.values[np.ix_(at, at)] for K in kernels]
    made = mkl(blocks, labels.y[at], C=config.C, loss=config.loss)
    parts = made.parts([K.values[item, at][None, :] for K in kernels])[:, 0, :]
    classes = made.classes if parts.shape[1] > 1 else made.classes[-1:]
    return DecisionParts(tuple(K.name for K in kernels), classes, parts, made.bias, made.weights)


def noise_kernel(ids: Sequence[str], seed: int = 0) -> GramMatrix:
    """A Gaussian kernel of six standard normal features that have nothing to do with the items.

    Examples
    --------
    >>> from kernex_core.studies.many_accuracy import noise_kernel
    >>> noise_kernel(("a", "b")).values.shape
    (2, 2)
    """
    names = tuple(map(str, ids))
    X = np.random.default_rng(np.random.SeedSequence([check_seed(seed), 2004])).normal(size=(len(names), 6))
    D = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    origin = call("noise", "noise_kernel", names, seed)
    return GramMatrix(np.exp(-D / 12.0), names, f"noise {seed}", origin, PAIR)
