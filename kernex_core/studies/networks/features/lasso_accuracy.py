"""Accuracy of the graph lasso against its penalty, beside the plain kernel on the same folds, and its choice judged."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from kernex_core.conditioning.network_features import features_kernel
from kernex_core.conditioning.projected_features import PreparedFeatures
from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.grid_end import Along
from kernex_core.learning.chance.nested_choice import NestedChoice, choice_among
from kernex_core.learning.chance.tried import Tried
from kernex_core.learning.folds import CrossValidation, Fold
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.mkl.base_kernels import FeatureGroups
from kernex_core.learning.mkl.square_loss import square_loss_path
from kernex_core.learning.nested import inner_folds
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.studies.networks.features.accuracy import Claim, claim_of, tried_alone
from kernex_core.studies.networks.features.graph_lasso import (
    REST,
    STRENGTHS,
    EdgeGroups,
    edge_groups,
    slope_unit,
    targets,
)
from kernex_core.threads import in_order


@dataclass(frozen=True, eq=False)
class LassoAccuracy(ReadOnlyArrays):
    """Accuracies over the repetitions that are done; columns are scaled, and paths fitted, by the training items alone.

    Attributes
    ----------
    strengths : tuple of float
        Penalties, in units of the largest slope among the training items.
    accuracy, sd : (n_strengths,) float
        Mean over items and repetitions, and standard deviation over repetitions (NaN of one).
    plain : float
        Support vector machine on the plain kernel, on the same folds.
    floor : float
        Of always naming the larger class.
    nested : NestedChoice
        The choice of the penalty, made again inside every training fold.
    claim : Claim
        That choice beside the plain kernel.
    done, total : int
        Repetitions.
    seconds : float
    """

    strengths: tuple[float, ...]
    accuracy: FloatArray
    sd: FloatArray
    plain: float
    floor: float
    nested: NestedChoice
    claim: Claim
    done: int
    total: int
    seconds: float = field(compare=False)


class _Judged(NamedTuple):
    inside: FloatArray
    outside: FloatArray
    items: FloatArray


def judging_lasso(
    prepared: PreparedFeatures,
    labels: Labels,
    validation: CrossValidation,
    *,
    of: str = "",
    strengths: Sequence[float] = STRENGTHS,
) -> Iterator[LassoAccuracy]:
    """Judge every penalty of the graph lasso; a state a repetition.

    Parameters
    ----------
    prepared : PreparedFeatures
    labels : Labels
    validation : CrossValidation
        Its C is that of the plain kernel. Inductive whatever it says.
    of : str
        One class against all others; "" = the largest.
    strengths : sequence of float
        Above 0, falling.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, or no such class.
    """
    started = time.perf_counter()
    name, y = targets(labels, of)
    two = two_classes(labels, name)
    groups, plain = edge_groups(prepared.matched), features_kernel(prepared)
    how = Judging.of(two, Protocol(replace(validation, inductive=True), UNSCALED), kernels=(plain,))
    parts: list[_Judged] = []
    shown = tuple(f"{strength:g}" for strength in strengths)
    codes = how.coded.codes
    floor = float(np.bincount(codes[codes >= 0]).max() / (codes >= 0).sum())
    for done, repetition in enumerate(how.repetitions, 1):
        work = partial(_one, prepared, groups, y, how, tuple(strengths))
        parts += in_order(work, repetition.folds)
        so_far = replace(how, folds=how.folds[: len(parts)])
        tried = _as_tried(parts, so_far)
        spent = time.perf_counter() - started
        along = Along("the penalty", tuple(strengths))
        nested = choice_among(shown, tried, so_far, "multi_class", len(strengths), spent, along=along)
        claim = claim_of(nested, tried_alone(plain, so_far), so_far)
        means = nested.alone
        sd = means.std(axis=1, ddof=1) if done > 1 else np.full(len(strengths), np.nan)
        yield LassoAccuracy(
            tuple(strengths), means.mean(axis=1), sd, claim.plain, floor, nested, claim, done,
            len(how.repetitions), spent,
        )  # fmt: skip


def two_classes(labels: Labels, of: str) -> Labels:
    """One class against all others; of two classes the labels as they are."""
    if len(labels.classes) == 2:
        return labels
    y = np.where(labels.y == "", "", np.where(labels.y == of, of, REST))
    return Labels(labels.ids, y, labels.groups, copies=labels.copies)


def _one(
    prepared: PreparedFeatures,
    groups: EdgeGroups,
    y: FloatArray,
    how: Judging,
    strengths: tuple[float, ...],
    fold: Fold,
) -> _Judged:
    """Which test items every penalty names rightly, and what share of inner test items."""
    items = _right(prepared, groups, y, strengths, fold)
    inner = inner_folds(how.coded.codes, fold.train, how.protocol.validation, how.groups)
    found = [_right(prepared, groups, y, strengths, each) for each in inner]
    inside = np.hstack(found).mean(axis=1) if found else np.zeros(len(strengths))
    return _Judged(inside, items.mean(axis=1), items)


def _right(
    prepared: PreparedFeatures,
    groups: EdgeGroups,
    y: FloatArray,
    strengths: tuple[float, ...],
    fold: Fold,
) -> FloatArray:
    """(n_strengths, n_test) 1 where a test item is named rightly by a path that is fitted to the training items."""
    X = prepared.scaled_by(fold.train).X
    kernels = FeatureGroups(X[fold.train], groups.members)
    mean = float(y[fold.train].mean())
    centred = y[fold.train] - mean
    unit = slope_unit(kernels, centred)
    rows = []
    for made in square_loss_path(kernels, centred, [strength * unit for strength in strengths]):
        scores = X[fold.test] @ kernels.coefficients(made.weights, made.dual) + mean
        rows.append(np.where(scores >= 0.0, 1.0, -1.0) == y[fold.test])
    return np.array(rows, dtype=np.float64)


def _as_tried(parts: Sequence[_Judged], how: Judging) -> list[Tried]:
    """One `Tried` a penalty."""
    made = []
    for k in range(parts[0].inside.size):
        items = np.zeros((how.folds[-1].repeat + 1, how.coded.codes.size))
        for fold, part in zip(how.folds, parts, strict=True):
            items[fold.repeat, fold.test] = part.items[k]
        inside, outside = (
            np.array([getattr(part, name)[k] for part in parts]) for name in ("inside", "outside")
        )
        made.append(Tried(inside, outside, items))
    return made
