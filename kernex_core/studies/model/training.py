"""train_model: what was judged on folds, trained on all items, to be kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import FittedChain
from kernex_core.inputs.dataset import AnySamples
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels, Sequences, SparseVectors, Vectors
from kernex_core.kernels.base import AbstractKernel
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.learners.contract import Learner, Targets
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.machine import code_labels
from kernex_core.learning.predict import chosen_on_all
from kernex_core.learning.regression.judgement import NumberJudgement, numbers_of
from kernex_core.studies.model.model import ERROR, Items, Judged, Model

_FEW = 8
_LOOKED_AT = 2
"""Rows of a kernel that are computed again, to see whether it is of these samples."""


def train_model(
    K: GramMatrix,
    labels: Labels,
    judgement: Judgement | NumberJudgement,
    *,
    learner: Learner | None = None,
    samples: Iterable[AnySamples] = (),
) -> Model:
    """Train on all items that have a class or a number, as inside the folds of a judgement.

    Steps are fitted on these items, and the strength is chosen in folds of them where the judgement chose it inside its own.

    Parameters
    ----------
    K : GramMatrix
        As it was judged.
    labels : Labels
    judgement : Judgement or NumberJudgement
        Of it: what is known of how good it is.
    learner : Learner, optional
        By default that of the judgement; for classes the C-SVM with the C of the protocol.
    samples : iterable of Sequences, Vectors, SparseVectors, GraphSet
        Where those that the kernel was computed from may be: of them new items can be predicted. Without them new items
        are rows of similarities.

    Raises
    ------
    InvalidInputError
        A kernel that reaches no new items: a completed or a learned one.
    NotPositiveSemidefiniteError
        Naming the repair.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, Labels, Linear, Vectors, judge, train_model
    >>> points = Vectors(tuple("abcd"), np.array([[-2.0], [-1.0], [1.0], [2.0]]))
    >>> y = Labels(points.ids, ["low", "low", "high", "high"])
    >>> K = Linear().similarities(points)
    >>> model = train_model(K, y, judge(K, y, CrossValidation(folds=2, repeats=1)), samples=[points])
    >>> model.predict([[3.0], [-3.0]]).labels
    ('high', 'low')
    """
    config = judgement.config
    if learner is None:
        said = (
            judgement.learner if isinstance(judgement, NumberJudgement) else judgement.options.get("learner")
        )
        learner = said if isinstance(said, Learner) else SupportVectors(config.C)
    return trained(K, labels, learner, _judged(judgement, config), samples)


def trained(
    K: GramMatrix, labels: Labels, learner: Learner, judged: Judged, samples: Iterable[AnySamples]
) -> Model:
    """Train a learner whose number is known; see `train_model`."""
    check_judgeable(K)
    config = judged.validation
    classes: tuple[str, ...] = ()
    if judged.smaller:
        targets = Targets(numbers_of(labels, K))
        known = ~np.isnan(targets.values)
    else:
        coded = code_labels(labels.y)
        classes, targets = coded.classes, Targets(coded.codes, len(coded.classes))
        known = coded.codes >= 0
    at = np.flatnonzero(known)
    learner = chosen_on_all(K, labels, targets, learner, config)
    behind = kernel_behind(K, samples)
    part = GramMatrix(
        K.base.values[np.ix_(at, at)], tuple(K.ids[i] for i in at), K.name, seen=K.base.seen
    )  # without what it was cut from, and how that came to be: a model holds its training items alone
    for step in K.steps:
        part = part.then(step.take(at))
    made = Model(
        part,
        None if behind is None else behind[0],
        None if behind is None else _bare(behind[1], at),
        learner,
        config.choose_C and len(learner.candidates) > 1,
        Targets(targets.values[at], targets.n_classes),
        classes,
        judged,
        digest(K.digest, labels.digest),
    )
    assert made.chain is not None  # a kernel that reaches no new items is refused here, not when they come
    return made


def reaches_new(K: GramMatrix) -> bool:
    """Whether the steps of a kernel have a value for items that it was not made of: tried on a few."""
    few = K.take(np.arange(min(K.n, _FEW)))
    base = few.base.values
    try:
        FittedChain.of(few.steps, base).cross(base[:1], base.diagonal()[:1])
    except (KernexError, NotImplementedError):
        return False
    return True


def kernel_behind(K: GramMatrix, samples: Iterable[AnySamples]) -> tuple[AbstractKernel[Any], Items] | None:
    """The kernel that a matrix was computed by, and those of the samples that it was computed from; None where neither is
    known. Rows of it are computed again to see.
    """
    kernels = [
        call.arguments[0]
        for call in K.base.recipe.calls()
        if call.function == ".similarities" and isinstance(call.arguments[0], AbstractKernel)
    ]
    if len(kernels) != 1 or not kernels[0].new_items:
        return None
    for part in samples:
        if not isinstance(part, Items) or part.kind != kernels[0].data_kind or part.ids != K.ids:
            continue
        kernel = kernels[0].of(part)
        at = np.arange(min(_LOOKED_AT, part.n))
        rows, known = kernel.cross(part.take(at).values, part.values), K.base.values[at]
        if np.allclose(rows, known, rtol=1e-9, atol=1e-9 * float(np.abs(known).max(initial=0.0))):
            return kernel, part
    return None


def _bare(samples: Items, at: Any) -> Items:
    """Some of the samples, without notes, labels and recipes."""
    part, ids = samples.take(at), tuple(samples.ids[i] for i in at)
    if isinstance(part, Sequences):
        return Sequences(ids, part.strings, part.alphabet)
    if isinstance(part, Vectors):
        return Vectors(ids, part.X, part.columns)
    if isinstance(part, SparseVectors):
        return SparseVectors(ids, part.X, part.columns)
    return GraphSet.of(part.graphs, ids, attribute_names=part.attribute_names)


def _judged(made: Judgement | NumberJudgement, config: CrossValidation) -> Judged:
    smaller = isinstance(made, NumberJudgement)
    score = made.rmse if isinstance(made, NumberJudgement) else made.multi_class
    interval = made.interval()
    if interval is None:
        raise InvalidInputError("A model is kept with its judged number", "a judgement without a repetition")
    return Judged(
        ERROR if smaller else score.title.lower(), score.mean, interval.low, interval.high, score.floor, made.rests_on,
        made.state.words, config, smaller,
    )  # fmt: skip
