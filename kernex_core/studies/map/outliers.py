"""Who does not belong: items far from all others, and labels that the other items contradict whenever they are asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter, repetition_rng
from kernex_core.completion.neighbour_weights import KernelCloud, check_neighbours, nearest
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.learning.evaluate import judge_in_steps
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.runtime.progress import Steps, blocking, finished, part
from kernex_core.studies.map.groups import kernel_of
from kernex_core.studies.map.points import normalize_parameter, points_in_steps


@dataclass(frozen=True)
class OutliersConfig:
    """How items that do not belong are looked for."""

    n_neighbors: int = parameter(
        5, label="Neighbours", symbol="k", low=1, high=60, step=1,
        help="How many nearest items an item's distance is the mean to; with few, a small odd group looks usual.",
    )  # fmt: skip
    share: float = parameter(
        0.05, label="Outside", low=0.01, high=0.5, step=0.01, unit="%",
        help="ν of the one-class machine: at most about that share of the items lies outside, however odd they are.",
    )  # fmt: skip
    normalize: bool = normalize_parameter()
    repeats: int = parameter(
        10, label="Repetitions", low=2, high=50, step=1,
        help="How often labels are predicted from the other items, in five folds drawn anew, C chosen inside each.",
    )  # fmt: skip
    planted: float = parameter(
        0.05, label="Changed on purpose", low=0.01, high=0.2, step=0.01, unit="%",
        help="Share of the labels that a second run changes at random, to see how many of these are found.",
    )  # fmt: skip
    seed: int = parameter(
        0,
        label="Seed",
        low=0,
        high=2**31 - 1,
        step=1,
        help="Draws folds and the labels that are changed on purpose.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)


# Items far from all others.

BORDER: Final = 1e-3
"""Share of its offset by which the machine may be off for an item on its border."""


@dataclass(frozen=True, eq=False)
class Outliers(ReadOnlyArrays):
    """How odd items are.

    Attributes
    ----------
    far : (n,) float
        Mean distance to the nearest k other items, over the median of these means.
    outside : (n,) float
        Decision of a one-class support vector machine on all items, over its offset: below 0 outside, see `is_outside`.
    near : (n, k) int
        Nearest others, nearest first.
    distances : (n, k) float
        To them.
    notes : tuple of str
    """

    far: FloatArray
    outside: FloatArray
    near: IntArray
    distances: FloatArray
    notes: tuple[str, ...] = ()

    @property
    def is_outside(self) -> BoolArray:
        """(n,) whether the machine leaves an item outside; on the border is not outside."""
        return np.asarray(self.outside < -BORDER)

    @property
    def order(self) -> IntArray:
        """Positions, oddest first: by their distance."""
        return np.argsort(-self.far, kind="stable")


def find_outliers(config: OutliersConfig, source: Vectors | GramMatrix) -> Outliers:
    """Rank items by how far they are from their nearest others, beside a one-class support vector machine.

    The machine takes the kernel as it is, and of vectors a Gaussian kernel as wide as their median distance. Negative
    eigenvalues are clipped, and that is noted.

    Parameters
    ----------
    config : OutliersConfig
    source : Vectors or GramMatrix
        Known everywhere.

    Raises
    ------
    InvalidInputError
        Unknown entries, fewer than five items, or as many neighbours as items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import OutliersConfig, Vectors, find_outliers
    >>> X = np.append(np.linspace(0.0, 1.0, 20), 9.0)[:, None]
    >>> int(find_outliers(OutliersConfig(n_neighbors=2), Vectors(tuple(map(str, range(21))), X)).order[0])
    20
    """
    points = finished(points_in_steps(source, normalize=config.normalize))
    cloud, items = points.cloud, np.arange(points.cloud.n)
    k = check_neighbours(config.n_neighbors, cloud.n)
    squared = cloud.squared(items, items)
    np.fill_diagonal(squared, np.inf)
    near = nearest(squared, k)
    distances = np.sqrt(np.take_along_axis(squared, near, axis=1))
    means = distances.mean(axis=1)
    usual = float(np.median(means)) or float(means.mean()) or 1.0
    if isinstance(cloud, KernelCloud):
        K = cloud.K
    else:
        np.fill_diagonal(squared, 0.0)
        width = float(np.median(squared[np.triu_indices(cloud.n, 1)])) or float(squared.mean()) or 1.0
        K = np.exp(-squared / (2.0 * width))
    return Outliers(means / usual, _one_class(K, config.share), near, distances, points.notes)


def _one_class(K: FloatArray, share: float) -> FloatArray:
    """Schölkopf and others 2001, by scikit-learn; over its offset, so that the scale of K plays no part."""
    from sklearn.svm import OneClassSVM  # slow to import

    K = K / (float(np.diag(K).mean()) or 1.0)
    machine = OneClassSVM(kernel="precomputed", nu=share, tol=1e-6).fit(K)
    offset = abs(float(machine.offset_[0])) or 1.0
    return np.asarray(machine.decision_function(K) / offset)


# Labels that the others contradict.

FOLDS: Final = 5


@dataclass(frozen=True, eq=False)
class Contradicted(ReadOnlyArrays):
    """Labels beside what the other items say, over repeated folds.

    Attributes
    ----------
    share : (n,) float
        Of the repetitions, those in which the other items named another class; NaN for unlabelled items.
    named : (n,) str
        The class that they named most often; "" for unlabelled items.
    changed, found : int
        Labels that a second run changed on purpose, and those of them that were contradicted in every repetition.
    judgement : Judgement
        Of the labels as they are.
    notes : tuple of str
    """

    share: FloatArray
    named: NDArray[np.str_]
    changed: int
    found: int
    judgement: Judgement
    notes: tuple[str, ...] = ()

    @property
    def always(self) -> IntArray:
        """Positions of the items that are contradicted in every repetition."""
        return np.flatnonzero(self.share == 1.0)

    @property
    def accuracy(self) -> float:
        """With which the others name the class of an item: where it is low, contradictions say little."""
        return self.judgement.multi_class.mean


@blocking
def contradicted_labels(
    config: OutliersConfig, source: Vectors | GramMatrix, labels: Labels
) -> Steps[Contradicted]:
    """Predict every label from other items in repeated folds, and say which are contradicted in every repetition.

    A contradicted label may be wrong, or right and hard: to see which way this errs, some labels are changed at random and
    looked for in the same way. Support vector machines, C chosen inside every training fold; copies stay together.

    Parameters
    ----------
    config : OutliersConfig
    source : Vectors or GramMatrix
        Known everywhere; of vectors the linear kernel of centred columns.
    labels : Labels

    Raises
    ------
    InvalidInputError
        Unknown entries, or labels that cannot be judged.

    Examples
    --------
    >>> from kernex_core import OutliersConfig, contradicted_labels, load_dataset
    >>> data = load_dataset("swiss_roll").select(range(0, 500, 10))
    >>> found = contradicted_labels(OutliersConfig(repeats=2), data.samples["points"], data.labels)
    >>> found.share.shape, found.changed
    ((50,), 2)
    """
    points = yield from part(points_in_steps(source, normalize=config.normalize), 0.0, 0.02)
    K = GramMatrix(kernel_of(points), tuple(source.ids), "K")
    if not labels.judgeable:
        raise InvalidInputError(
            "Contradicted labels need two classes at least, of more than one item", "others"
        )
    judged = yield from part(_judging(config, K, labels), 0.02, 0.5)
    wrong = _wrong(judged)
    always = judged.labelled & wrong.all(axis=0)
    changed, at = _planted(config, labels, ~always)
    again = yield from part(_judging(config, K, changed), 0.5, 1.0)
    share = np.where(judged.labelled, wrong.mean(axis=0), np.nan)
    names = np.array([*judged.classes, ""], dtype=np.str_)
    return Contradicted(
        share, names[judged.predicted], at.size, int(_wrong(again)[:, at].all(axis=0).sum()), judged,
        (*points.notes, *judged.notes),
    )  # fmt: skip


def _judging(config: OutliersConfig, K: GramMatrix, labels: Labels) -> Steps[Judgement]:
    validation = CrossValidation(
        folds=FOLDS,
        repeats=config.repeats,
        seed=config.seed,
        choose_C=True,
        grouped=labels.groups is not None,
    )
    made: Judgement | None = None
    for state in judge_in_steps(K, labels, validation, only_last=True):
        made = state.judgement
        yield state.done / state.total
    assert made is not None  # the last state holds every repetition
    return made


def _wrong(judged: Judgement) -> BoolArray:
    """(n_repeats, n) whether an item was named otherwise than it is labelled."""
    return np.asarray(judged.named != judged.codes[None, :])


def _planted(config: OutliersConfig, labels: Labels, eligible: BoolArray) -> tuple[Labels, IntArray]:
    """Labels of which some are another one, drawn as often as classes are large; of items that are not suspicious."""
    rng = repetition_rng(config.seed, 0)
    open_to = np.flatnonzero(eligible & labels.labelled)
    count = min(max(1, round(config.planted * int(labels.labelled.sum()))), open_to.size)
    at = np.sort(rng.choice(open_to, count, replace=False))
    y, pool = labels.y.astype(object), labels.y[labels.labelled]
    for item in at.tolist():
        others = pool[pool != labels.y[item]]
        y[item] = str(rng.choice(others))
    return replace(labels, y=y.astype(np.str_), recipe=None), at
