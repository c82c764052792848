"""Graph lasso: few nodes, chosen along edges, by learning a weight for the kernel of every edge.

min over β of ‖y − Xβ‖²/n + λ Ω(β)², Ω(β) = min Σ_e ‖v_e‖ over Σ_e v_e = β, v_e on the two ends of edge e (Jacob, Obozinski
and Vert, ICML 2009). It is square-loss multiple kernel learning with K_e = x_i x_i' + x_j x_j' for every edge.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.conditioning.network_features import PreparedFeatures, features_kernel
from kernex_core.gram.graph import components
from kernex_core.inputs.items.match import MatchedFeatures
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import Along, NestedChoice, Tried, choice_among
from kernex_core.learning.folds import CrossValidation, Fold, inner_folds
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.mkl.base_kernels import FeatureGroups
from kernex_core.learning.mkl.losses import square_loss_path
from kernex_core.learning.mkl.minimise import GAP
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.runtime.executors import in_order
from kernex_core.studies.networks.features.accuracy import Claim, claim_of, tried_alone

STRENGTHS = (10.0, 7.0, 5.0, 3.0, 2.0, 1.5, 1.0, 0.7, 0.5, 0.3, 0.2, 0.15, 0.1)
"""Penalties in units of the largest slope of a kernel at β = 0: max_e ‖X_e'y‖² / (n y'y)."""
SELECTED = 1e-6
"""Weight on the simplex from which on an edge counts as selected: less is what the gap leaves undecided."""
REST = "other classes"


@dataclass(frozen=True, eq=False)
class EdgeGroups(ReadOnlyArrays):
    """One group an edge between measured nodes, and one for every measured node that has none.

    Attributes
    ----------
    edges : (E, 2) int
        Nodes.
    alone : (k,) int
        Nodes.
    members : (p, E + k) scipy.sparse.csr_array
        1 where column p is in a group.
    """

    edges: IntArray
    alone: IntArray
    members: sparse.csr_array


@dataclass(frozen=True, eq=False)
class LassoStep(ReadOnlyArrays):
    """The graph lasso at one penalty.

    Attributes
    ----------
    strength, lam : float
        The penalty in units of the largest slope, and λ itself.
    beta : (N,) float
        Weights of the nodes; 0 off the selected edges.
    edges : (k,) int
        Selected rows of `EdgeGroups.edges`.
    alone : (k,) int
        Selected nodes without an edge.
    weights : (k,) float
        Of the selected edges, on the simplex of all groups.
    gap : float
        Relative duality gap.
    converged : bool
    steps : int
    """

    strength: float
    lam: float
    beta: FloatArray
    edges: IntArray
    alone: IntArray
    weights: FloatArray
    gap: float
    converged: bool
    steps: int


@dataclass(frozen=True, eq=False)
class GraphLasso(ReadOnlyArrays):
    """A path of the graph lasso, fitted to all labelled items: for looking, not for judging.

    Attributes
    ----------
    of : str
        The class that is 1; all others are −1.
    groups : EdgeGroups
    steps : tuple of LassoStep
        Penalties falling.
    """

    of: str
    groups: EdgeGroups
    steps: tuple[LassoStep, ...]

    def pieces(self, step: LassoStep) -> tuple[IntArray, ...]:
        """Connected components of the selected edges, the largest first; a selected node without an edge is one."""
        n = step.beta.size
        ends = self.groups.edges[step.edges]
        B = sparse.coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), (n, n)).tocsr()
        number = components(sparse.csr_array(B + B.T))
        used = np.union1d(ends.ravel(), step.alone)
        made = [used[number[used] == c] for c in np.unique(number[used])]
        return tuple(sorted(made, key=lambda nodes: (-nodes.size, int(nodes[0]))))


@dataclass(frozen=True, eq=False)
class Recovered(EqualByContent):
    """How much of a planted part of the network was found.

    Attributes
    ----------
    planted : int
        Edges both of whose ends have an effect.
    selected : float
        Share of them that is selected.
    connected : float
        Share of them with both ends in one connected piece of what is selected, that piece which holds most.
    precise : float
        Share of the selected edges that is planted; NaN of none.
    """

    planted: int
    selected: float
    connected: float
    precise: float


def edge_groups(matched: MatchedFeatures) -> EdgeGroups:
    """Groups of columns; an edge with an end that was not measured is none."""
    column = np.full(matched.network.n, -1)
    column[matched.at] = np.arange(matched.at.size)
    i, j = matched.network.adjacency.tocoo().coords
    kept = (i < j) & (column[i] >= 0) & (column[j] >= 0)
    edges = np.column_stack([i[kept], j[kept]]).astype(np.int64)
    alone = np.setdiff1d(matched.at, edges.ravel())
    rows = np.concatenate([column[edges].ravel(), column[alone]])
    groups = np.concatenate([np.repeat(np.arange(len(edges)), 2), len(edges) + np.arange(alone.size)])
    members = sparse.coo_array(
        (np.ones(rows.size), (rows, groups)), (matched.at.size, len(edges) + alone.size)
    )
    return EdgeGroups(edges, alone, sparse.csr_array(members))


def graph_lasso(
    prepared: PreparedFeatures,
    labels: Labels,
    *,
    of: str = "",
    strengths: Sequence[float] = STRENGTHS,
    tolerance: float = GAP,
) -> GraphLasso:
    """Path of the graph lasso over penalties, on all labelled items.

    Parameters
    ----------
    prepared : PreparedFeatures
        Its scaling holds: a column that varies more is chosen sooner, unless it is standardised.
    labels : Labels
    of : str
        One class against all others; "" = the largest.
    strengths : sequence of float
        Above 0, falling: each starts from the one before.
    tolerance : float
        Relative duality gap.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, or no such class.
    """
    name, y = targets(labels, of)
    items = np.flatnonzero(~np.isnan(y))
    X = prepared.scaled_by(items).X[items]
    groups = edge_groups(prepared.matched)
    kernels = FeatureGroups(X, groups.members)
    centred = y[items] - y[items].mean()
    unit, n_edges = slope_unit(kernels, centred), len(groups.edges)
    steps = []
    lams = [strength * unit for strength in strengths]
    found = square_loss_path(kernels, centred, lams, tolerance=tolerance)
    for strength, made in zip(strengths, found, strict=True):
        beta = np.zeros(prepared.matched.network.n)
        beta[prepared.matched.at] = kernels.coefficients(made.weights, made.dual)
        chosen = np.flatnonzero(made.weights > SELECTED)
        edges = chosen[chosen < n_edges]
        alone = groups.alone[chosen[chosen >= n_edges] - n_edges]
        steps.append(
            LassoStep(
                strength,
                made.lam,
                beta,
                edges,
                alone,
                made.weights[edges],
                made.gap,
                made.converged,
                made.steps,
            )
        )
    return GraphLasso(name, groups, tuple(steps))


def targets(labels: Labels, of: str = "") -> tuple[str, FloatArray]:
    """The class that is 1, and 1, −1 or NaN (unlabelled) for every item.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, or no such class.
    """
    classes = [name for name, _ in labels.classes]
    if len(classes) < 2:
        raise InvalidInputError("The graph lasso needs items of at least two classes", str(len(classes)))
    name = of or classes[0]
    if name not in classes:
        raise InvalidInputError(f"One class stands against the others: {', '.join(classes)}", repr(of))
    return name, np.where(labels.y == "", np.nan, np.where(labels.y == name, 1.0, -1.0))


def slope_unit(kernels: FeatureGroups, y: FloatArray) -> float:
    """max_m y'K_m y / (n y'y): λ in these units means the same for more items and other scales."""
    norm = float(y @ y)
    largest = float(kernels.quadratic(y).max())
    return largest / (norm * y.size) if largest > 0.0 else 1.0


def recovered(found: GraphLasso, step: LassoStep, planted: BoolArray) -> Recovered:
    """Compare what is selected with nodes (N,) that are known to have an effect."""
    edges = found.groups.edges
    true = planted[edges].all(axis=1)
    chosen = np.zeros(len(edges), dtype=bool)
    chosen[step.edges] = True
    number = np.full(step.beta.size, -1)
    for k, nodes in enumerate(found.pieces(step)):
        number[nodes] = k
    inside = number[edges[true]]
    together = inside[(inside[:, 0] == inside[:, 1]) & (inside[:, 0] >= 0), 0]
    count = max(int(true.sum()), 1)
    connected = int(np.bincount(together).max()) if together.size else 0
    precise = float((chosen & true).sum() / chosen.sum()) if chosen.any() else float("nan")
    return Recovered(int(true.sum()), float((chosen & true).sum() / count), connected / count, precise)


# Accuracy of the graph lasso against its penalty, beside the plain kernel on the same folds, and its choice judged.


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
