"""The health report of data: each finding with what Kernex does about it and how to choose otherwise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.digits import digits_tolerance
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.repeated import repeated_items, repeated_rows
from kernex_core.inputs.findings.class_notes import class_notes
from kernex_core.inputs.findings.kernel_notes import (
    above_both_note,
    diagonal_notes,
    psd_note,
    size_note,
    unknown_notes,
)
from kernex_core.inputs.graphs.graph_notes import graph_notes
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.kinds import KernelSamples
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Note, Sequences, Similarity, Vectors
from kernex_core.inputs.similarities.distance import off_diagonal
from kernex_core.validation import memory_bytes, psd_tolerance

SPECTRUM_LIMIT = 2_000
"""Items up to which eigenvalues are computed for the report (about a second); above it the report says so."""
LARGE_DIAGONAL = 10.0
"""Ratio of mean diagonal to mean |off-diagonal| above which items are nearly orthogonal."""


@dataclass(frozen=True, eq=False)
class HealthReport(ReadOnlyArrays):
    """Findings about one source.

    Attributes
    ----------
    title : str
    n : int
        Items.
    memory : int
        Bytes of one Gram matrix of them, 8 n².
    n_known : int
        Items whose pairs are all known (n for samples).
    min_eigenvalue, negative_mass : float or None
        Of the known block: smallest eigenvalue, and sum of |negative| over sum of all |eigenvalues|. None for samples,
        and where the spectrum was not computed.
    dominance : float or None
        Mean diagonal over mean |off-diagonal|; infinite for a diagonal matrix.
    notes : tuple of Note
    """

    title: str
    n: int
    memory: int
    n_known: int
    min_eigenvalue: float | None = None
    negative_mass: float | None = None
    dominance: float | None = None
    notes: tuple[Note, ...] = ()


def health(
    source: GramMatrix | Similarity | KernelSamples,
    labels: Labels | None = None,
    *,
    title: str = "",
    spectrum_limit: int = SPECTRUM_LIMIT,
) -> HealthReport:
    """Look a source over.

    Parameters
    ----------
    source : GramMatrix, Similarity, Sequences, Vectors, Network or GraphSet
        Notes made when it was read come first.
    labels : Labels, optional
        Of the same items.
    title : str
    spectrum_limit : int
        Largest known block whose eigenvalues are computed.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, health
    >>> report = health(GramMatrix(np.array([[1.0, np.nan], [np.nan, 1.0]]), ids=("a", "b")))
    >>> report.notes[1].text
    'Items without any known similarity to another: 2 (a, b).'
    """
    own = source if isinstance(source, GramMatrix) else source.labels
    labels = labels or (own if isinstance(own, Labels) else None)
    read = () if isinstance(source, GramMatrix) else source.notes
    classes = class_notes(labels) if labels is not None else ()
    kernel = source.gram if isinstance(source, Similarity) else source
    named = title or (kernel.name if isinstance(kernel, GramMatrix) else kernel.kind)
    n = len(source.ids)
    if isinstance(kernel, GramMatrix):
        return _of_kernel(kernel, named, (*read, size_note(n)), classes, spectrum_limit)
    graphs = graph_notes(kernel) if isinstance(kernel, GraphSet) else ()
    notes = (*read, size_note(n), *graphs, *_repeated(kernel), *classes)
    return HealthReport(named, n, memory_bytes(n), n, notes=notes)


def _of_kernel(
    K: GramMatrix, title: str, first: tuple[Note, ...], classes: tuple[Note, ...], limit: int
) -> HealthReport:
    unknown = K.unknown
    block = K.values if unknown.complete else K.values[np.ix_(unknown.known, unknown.known)]
    smallest, mass = spectrum_facts(block, K) if 0 < block.shape[0] <= limit else (None, None)
    dominance = diagonal_dominance(K.values)
    notes = (
        *first,
        *unknown_notes(K),
        psd_note(K, smallest, mass, limit),
        *above_both_note(K),
        *diagonal_notes(K, dominance, LARGE_DIAGONAL),
        *_repeated(K),
        *classes,
    )
    return HealthReport(
        title, K.n, memory_bytes(K.n), int(unknown.known.sum()), smallest, mass, dominance, notes
    )


def spectrum_facts(block: FloatArray, K: GramMatrix | None = None) -> tuple[float, float]:
    """Smallest eigenvalue, and negative mass sum |negative| / sum |all| (negatives beyond rounding only)."""
    eigenvalues = np.linalg.eigvalsh(block)
    norm = float(np.abs(eigenvalues).max())
    rounding = psd_tolerance(eigenvalues.size, norm)
    if eigenvalues[0] < -rounding:
        rounding = max(rounding, digits_tolerance(block, K))
    negative = eigenvalues[eigenvalues < -rounding]
    total = float(np.abs(eigenvalues).sum())
    return float(eigenvalues[0]), float(-negative.sum()) / total if total else 0.0


def diagonal_dominance(values: FloatArray) -> float | None:
    """Mean diagonal over mean |off-diagonal|, known entries only; None where one of both is unknown."""
    diagonal = np.diag(values)
    diagonal = diagonal[~np.isnan(diagonal)]
    others = off_diagonal(values)
    if not diagonal.size or not others.size:
        return None
    mean = float(np.abs(others).mean())
    return float(diagonal.mean()) / mean if mean > 0.0 else float("inf")


def _repeated(source: GramMatrix | KernelSamples) -> tuple[Note, ...]:
    """Items that are the same as an earlier one."""
    first = _first_of_each(source)
    pairs = [f"{source.ids[i]} = {source.ids[j]}" for i, j in enumerate(first.tolist()) if i != j]
    if not pairs:
        return ()
    return (
        Note(
            f"Items that are the same as an earlier one: {len(pairs):,} ({listed(pairs)}).",
            "They are kept. Split between training and test they flatter every score.",
            "Give them a common group, or leave them out under Selection.",
            "warning",
        ),
    )


def _first_of_each(source: GramMatrix | KernelSamples) -> IntArray:
    """(n,) position of the first item that is the same; items that nothing is known about are like no other."""
    if isinstance(source, Sequences):
        seen: dict[str, int] = {}
        return np.array([seen.setdefault(text, i) for i, text in enumerate(source.strings)], dtype=np.int64)
    if isinstance(source, GraphSet):  # the same vertices under the same numbers
        of: dict[str, int] = {}
        return np.array([of.setdefault(g.digest, i) for i, g in enumerate(source.graphs)], dtype=np.int64)
    if isinstance(source, Network):  # nodes with the same neighbours are two nodes
        return np.arange(source.n)
    if isinstance(source, Vectors):
        first, least = repeated_rows(source.values), 0
    elif (source.values == source.values[0, 0]).all():  # one note on a constant matrix is enough
        return np.arange(source.n)
    else:
        first, least = repeated_items(source.values), 1  # a known diagonal alone says nothing
    known = (~np.isnan(source.values)).sum(axis=1)
    return np.where(known > least, first, np.arange(first.size))
