"""Study of new sequences: their rows of a kernel, neighbours, completed similarities and classes; no matrix is made anew."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import carried
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.learning.learners.neighbours import Nearest, nearest
from kernex_core.learning.predict import Predictions, predict_new
from kernex_core.studies.completion.study import Completion, joint_values

SHOWN_NEIGHBOURS = 5
TIES_LIMIT = 3_000_000
"""Pairs up to which equal distances are told apart by similarity."""
PACE = (0.08, 0.25)
"""Seconds between which a piece of rows should take; more are taken at a time below, fewer above."""
NOTHING = 1e-9
"""Cosine to every item up to which a new item shares nothing with the data."""


@dataclass(frozen=True, eq=False)
class ComparedRows(ReadOnlyArrays):
    """Similarities of new items to the items of a kernel.

    Attributes
    ----------
    ids : tuple of n_new str
    raw : (done, n) float
        As the kernel makes them, before any step.
    raw_own : (done,) float
        Self-similarities, likewise.
    total : int
        n_new; fewer rows than that are done while they are computed.
    """

    ids: tuple[str, ...]
    raw: FloatArray
    raw_own: FloatArray
    total: int

    @property
    def done(self) -> int:
        """Items whose row is computed."""
        return int(self.raw.shape[0])


@dataclass(frozen=True, eq=False)
class ConditionedRows(ReadOnlyArrays):
    """Similarities of new items after the steps of a kernel: made once, they serve every λ, C and number of neighbours.

    Attributes
    ----------
    ids : tuple of n_new str
    cross : (n_new, n) float
    own : (n_new,) float
        Self-similarities.
    origin : str
        SHA-256 of the data and the steps of that kernel.
    """

    ids: tuple[str, ...]
    cross: FloatArray
    own: FloatArray
    origin: str


@dataclass(frozen=True, eq=False)
class Extended(ReadOnlyArrays):
    """A completed kernel carried to new items.

    Attributes
    ----------
    ids : tuple of n_new str
    lam : float
    extrapolated : (n_new, m) float
        W_new' T W: similarities in the target that follow from those in the source.
    joint : (n_new, m) float
        W_new' J(λ) W.
    explained : (n_new,) float
        Share of each item's own source similarity, with the nugget, that the known items explain, 0 to 1.
    """

    ids: tuple[str, ...]
    lam: float
    extrapolated: FloatArray
    joint: FloatArray
    explained: FloatArray


def comparing(
    kernel: AbstractKernel[Sequence[str]], samples: Sequences, new: Sequences
) -> Iterator[ComparedRows]:
    """Compute the rows of new items, a few of them at a time; every state holds all that are done.

    Parameters
    ----------
    kernel : AbstractKernel
        On strings. Parameters that depend on the data are set from the samples, as in their matrix.
    samples, new : Sequences

    Raises
    ------
    InvalidInputError, TooLargeError
        Strings that the kernel refuses.
    """
    kernel = kernel.of(samples)
    kernel.check(new.strings, new.ids)
    raw, own = np.zeros((0, samples.n)), np.zeros(0)
    size = 1
    while own.size < new.n:
        began, part = time.perf_counter(), new.strings[own.size : own.size + size]
        raw = np.vstack([raw, kernel.cross(part, samples.strings)])
        own = np.append(own, kernel.own(part))
        yield ComparedRows(new.ids, raw, own, new.n)
        seconds = time.perf_counter() - began
        size = 2 * size if seconds < PACE[0] else max(1, size // 2) if seconds > PACE[1] else size


def conditioned_rows(K: GramMatrix, rows: ComparedRows) -> ConditionedRows:
    """Carry the rows that are done through the steps of K, which are fitted on the items of K alone: decomposes K.

    Raises
    ------
    InvalidInputError
        A matrix of other items, or with a step that reaches no new items.
    """
    if rows.raw.shape[1] != K.n:
        raise InvalidInputError(f"Similarities to {K.n} items are needed", f"to {rows.raw.shape[1]}")
    made = carried(K.steps, K.base.values, rows.raw, rows.raw_own)
    return ConditionedRows(rows.ids[: rows.done], made.K_cross, made.diag_test, digest(K.provenance))


def neighbours_of(K: GramMatrix, rows: ConditionedRows, k: int = SHOWN_NEIGHBOURS) -> Nearest:
    """The k nearest items of K for each new one, by the distance that K induces.

    Raises
    ------
    InvalidInputError
        Rows of another kernel.
    """
    _check_origin(K, rows)
    k = min(k, K.n)
    if rows.cross.size > TIES_LIMIT:
        return nearest(rows.cross, rows.own, np.diag(K.values), k=k)
    found = nearest(rows.cross, rows.own, np.diag(K.values), k=K.n)
    # similarities too small to show in a distance still say which item is nearer
    similar = np.take_along_axis(rows.cross, found.positions, axis=1)
    order = np.lexsort((-similar, found.squared_distances))[:, :k]
    return Nearest(
        np.take_along_axis(found.positions, order, axis=1),
        np.take_along_axis(found.squared_distances, order, axis=1),
    )


def unrelated(K: GramMatrix, rows: ComparedRows) -> tuple[str, ...]:
    """Ids of new items that share nothing with any item: their nearest item is any, their class that of the offsets.

    Before the steps of K: |k(new, i)| is at most NOTHING · sqrt(k(new, new) k(i, i)) for every i.
    """
    # roots first: the product of two self-similarities of long strings is beyond float64
    norms = np.outer(np.sqrt(np.abs(rows.raw_own)), np.sqrt(np.abs(np.diag(K.base.values))))
    found = (np.abs(rows.raw) <= NOTHING * norms).all(axis=1)
    return tuple(rows.ids[at] for at in np.flatnonzero(found))


def classes_of(K: GramMatrix, labels: Labels, rows: ConditionedRows, C: float) -> Predictions:
    """Classes of the new items by C-SVMs that were trained on the labelled items of K.

    Raises
    ------
    InvalidInputError
        Rows of another kernel, or fewer than two classes.
    """
    _check_origin(K, rows)
    return predict_new(K, labels, rows.cross, rows.ids, C=C)


def extended(made: Completion, rows: ConditionedRows, lam: float) -> Extended:
    """Carry a completed target to new items by way of the source (Kernel extrapolation, 5.3): W_new = A^-1 k_S.

    Parameters
    ----------
    made : Completion
    rows : ConditionedRows
        Of its source.
    lam : float
        0 to 1.

    Raises
    ------
    InvalidInputError
        Rows of another kernel, or λ out of range.
    """
    _check_origin(made.source, rows)
    found = made.extrapolation
    k_S = rows.cross[:, found.known]
    W_new = found.weights_of(k_S)
    # W is the identity on the known items, so that their rows of the path are the path of the known items
    J = replace(made.path, F=made.path.F[found.known]).kernel(lam)
    explained = np.einsum("is,si->i", k_S, W_new)
    whole = rows.own + found.nugget
    share = np.divide(explained, whole, out=np.zeros_like(whole), where=whole > 0.0)
    extrapolated, joint = W_new.T @ found.T_known @ found.W, W_new.T @ J @ found.W
    return Extended(rows.ids, lam, extrapolated, joint, np.clip(share, 0.0, 1.0))


def joint_classes(made: Completion, labels: Labels, found: Extended, C: float) -> Predictions:
    """Classes of the new items by the joint kernel, at the λ to which `found` was carried.

    Raises
    ------
    InvalidInputError
        A joint kernel with its residual, or normalised afterwards: rows of new items have neither.
    """
    if made.config.residual or made.config.normalize_after:
        raise InvalidInputError(
            "New items are placed in the joint kernel itself",
            "a residual" if made.config.residual else "a normalisation afterwards",
            "Switch both off",
        )
    K = GramMatrix(joint_values(made, found.lam), made.source.ids, made.known_target.name)
    return predict_new(K, labels, found.joint, found.ids, C=C)


def _check_origin(K: GramMatrix, rows: ConditionedRows) -> None:
    """Refuse rows of another kernel; the record is compared, as a matrix made anew may differ by rounding."""
    if rows.origin != digest(K.provenance):
        raise InvalidInputError(
            "Rows that went through the steps of this kernel are needed",
            "rows of another kernel, or of other steps",
            "Make them with conditioned_rows",
        )
