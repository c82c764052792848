"""The health report of data: each finding with what Kernex does about it and how to choose otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.base.digits import digits_tolerance, few_digits
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.sparse_rows import equal_sparse_rows
from kernex_core.base.validation import ITEM_LIMIT, largest_size, memory_bytes, psd_tolerance, shown_bytes
from kernex_core.gram.diagnostics import repeated_items, repeated_rows
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import KernelSamples
from kernex_core.inputs.graphs.graph_set import GraphSet, graph_notes
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Note, Sequences, Similarity, SparseVectors, Vectors
from kernex_core.inputs.similarities.distance import off_diagonal


def class_notes(labels: Labels) -> tuple[Note, ...]:
    """Notes on classes with one member, on a single class, on numbers that are no classes, and on unlabelled items."""
    notes = []
    alone = [name for name, size in labels.classes if size == 1]
    if labels.measured:
        notes.append(
            Note(
                f"{len(labels.classes):,} different numbers: measurements, not classes.",
                "Evaluate predicts them as numbers.",
                "",
                "fine",
            )
        )
    elif alone:
        notes.append(
            Note(
                f"Classes with one member: {len(alone):,} ({listed(alone, 8)}).",
                "They stay in the data; cross-validation cannot test them.",
                "Keep only classes of a smallest size under Selection.",
                "warning",
            )
        )
    if len(labels.classes) == 1:
        notes.append(
            Note(
                f"There is one class only, {labels.classes[0][0]!r}.",
                "The data can be looked at and completed, but not classified.",
                "Bring labels of at least two classes.",
                "warning",
            )
        )
    without = int((~labels.labelled).sum())
    if without:
        notes.append(
            Note(f"Items without a label: {without:,}.", "They are kept and can be predicted.", "", "fine")
        )
    return tuple(notes)


ALMOST_SQUARE = 2
"""Rows more or fewer than columns with which a table may have been meant for a similarity matrix."""
MOST_CLASS_LIKE = 6
"""Of more columns of few whole numbers nobody means one for the class."""


def vector_notes(
    X: FloatArray, ids: Sequence[str], names: Sequence[str], label: int | None, dropped: Sequence[int]
) -> list[Note]:
    """Say what was odd: a shape that may have been meant for a matrix, the label column, text left out, unknown values.

    Parameters
    ----------
    X : (n, d) float
        NaN = unknown.
    ids : sequence of n str
    names : sequence of str
        Of all columns of the table.
    label : int or None
        Position of the label column among them.
    dropped : sequence of int
        Positions of columns of text that are left out.
    """
    notes = []
    if abs(X.shape[0] - X.shape[1]) <= ALMOST_SQUARE and label is None:
        notes.append(
            Note(
                f"{X.shape[0]} rows and {X.shape[1]} columns of numbers.",
                f"They are read as {X.shape[0]} items with {X.shape[1]} measurements each.",
                "A similarity matrix has as many rows as columns: if one was meant, the file is cut off or has a row or a "
                "column too many."
                if X.shape[0] != X.shape[1]
                else "If they are similarities of the items to one another, choose to read them as a matrix.",
            )
        )
    if X.shape[1] == 1 and label is None:
        notes.append(
            Note(
                "There is one number an item.",
                "It is read as a measurement, by which items are compared.",
                "If it is what is to be predicted of them, choose to read the file as labels.",
                "warning",
            )
        )
    if label is not None:
        notes.append(
            Note(
                f"Column {names[label]!r} holds classes.",
                "It is read as the labels.",
                "Choose another label column.",
                "fine",
            )
        )
    if dropped:
        notes.append(
            Note(
                f"Columns of text: {listed([names[k] for k in dropped])}.",
                "They are left out.",
                "Choose one as the label column or as the id column.",
            )
        )
    missing = np.isnan(X)
    if missing.any():
        rows = [ids[int(k)] for k in np.flatnonzero(missing.any(axis=1))]
        notes.append(
            Note(
                f"{int(missing.sum()):,} of {X.size:,} values are unknown ({100 * missing.mean():.2g} %), in "
                f"{len(rows)} items: {listed(rows)}.",
                "They stay unknown; kernels on vectors say how they treat them.",
                "Fill them before the upload if you know better.",
                "warning",
            )
        )
    return notes


def class_like_notes(names: Sequence[str], labelled: bool) -> list[Note]:
    """Columns of whole numbers that repeat, where there are no labels: one of them may be meant for the class."""
    if labelled or not 0 < len(names) <= MOST_CLASS_LIKE:
        return []
    return [
        Note(
            f"Columns of few whole numbers: {listed(names, MOST_CLASS_LIKE)}.",
            "They are read as measurements.",
            "If one of them holds labels, choose it as the label column, or read the file as labels.",
        )
    ]


ROUNDING = 1e-9
"""Difference, relative to the largest entry, up to which two similarities are the same."""
ON_COMPLETE = "They are missing and can be completed on the page Complete."
ON_TOGETHER = (
    "They are missing; kernels of which none is known everywhere complete each other on Complete together."
)


def size_note(n: int) -> Note:
    """Number of items and what one matrix of them takes."""
    return Note(
        f"{counted(n, 'item')}; one matrix of them takes {shown_bytes(memory_bytes(n))} (8 n² bytes).",
        f"A matrix is made of at most {ITEM_LIMIT:,} items, unless the limit is set to another number.",
        "Of more samples a part is chosen before a matrix is made." if n > ITEM_LIMIT else "",
        "fine",
    )


def unknown_notes(K: GramMatrix) -> tuple[Note, ...]:
    """Items without any similarity, and scattered unknown pairs."""
    found = K.unknown
    if found.complete:
        return ()
    notes = []
    if found.wholly_unknown.size:
        names = [K.ids[int(k)] for k in found.wholly_unknown]
        notes.append(
            Note(
                f"Items without any known similarity to another: {len(names):,} ({listed(names)}).",
                ON_COMPLETE,
                "Leave them out under Selection.",
                "warning",
            )
        )
    if found.scattered_pairs:
        names = [K.ids[int(k)] for k in found.dropped]
        notes.append(
            Note(
                f"Scattered unknown pairs: {found.scattered_pairs:,}. The largest set of items found with all pairs "
                f"known has {counted(int(found.known.sum()), 'item')}.",
                f"Single pairs are completed from all that is known; {len(names):,} items have some ({listed(names)}).",
                "The page Complete fills each with an interval; of hits, read absent pairs as zero or fill them on Kernels.",
                "warning",
            )
        )
    return tuple(notes)


def psd_note(K: GramMatrix, smallest: float | None, mass: float | None, limit: int) -> Note:
    """Whether the (known part of the) matrix is positive semidefinite, if need be within the digits of its numbers."""
    known = np.flatnonzero(K.known)
    n = known.size
    part = "The matrix" if K.unknown.complete else f"The known part ({n:,} items)"
    if n == 0:
        return Note(
            "No item has all its pairs known.", "There is no known part to complete from.", "", "warning"
        )
    if smallest is None or mass is None:
        return Note(
            f"{part} has more than {limit:,} items: its eigenvalues are not computed for this report.",
            "They are computed where they are needed.",
            "Look at the spectrum on the page Kernels.",
        )
    block = K.values if K.unknown.complete else K.values[np.ix_(known, known)]
    if mass == 0.0 and smallest < -psd_tolerance(n, float(np.abs(block).max())) and K.digits >= -smallest:
        return _within_digits(K, part, n, smallest)
    if mass == 0.0:
        return Note(
            f"{part} is positive semidefinite (smallest eigenvalue {smallest:.3g}): a kernel.",
            severity="fine",
        )
    return Note(
        f"{part} is not positive semidefinite: smallest eigenvalue {smallest:.4g}, negative mass {100 * mass:.3g} % "
        "(share of negative eigenvalues in the sum of all absolute ones).",
        "It stays as it is; Complete, Combine and Evaluate clip negative eigenvalues to 0 unless another repair is chosen.",
        "Compare clip, flip, shift and square in the PSD doctor on the page Kernels.",
        "warning",
    )


def _within_digits(K: GramMatrix, part: str, n: int, smallest: float) -> Note:
    coarse = few_digits(K.error_bound, K.values)
    same = K.error_bound.ndim == 0
    units = (
        f"{n:,} × half a unit of the last digit"
        if same
        else "half a unit of each last digit, summed over a row"
    )
    few = " These digits are few: a similarity that is no kernel by less than that cannot be told from one."
    return Note(
        f"{part} is positive semidefinite within the digits of the file: its smallest eigenvalue is {smallest:.3g}, and "
        f"rounding to these digits can make it −{K.digits:.2g} ({units}).{few if coarse else ''}",
        "It counts as a kernel.",
        "Write more digits, or clip the negative eigenvalues on the page Kernels.",
        "warning" if coarse else "fine",
    )


def above_both_note(K: GramMatrix) -> tuple[Note, ...]:
    """Pairs that are more similar than either item is to itself, which no kernel allows (K_ij² ≤ K_ii K_jj)."""
    own = np.diag(K.values)
    # an item whose self-score is unknown cannot be compared
    gaps = np.triu(K.values - np.maximum(own[:, None], own), 1)
    pairs = np.argwhere(gaps > ROUNDING * largest_size(K.values))
    # nothing on the diagonal: distances, of which another note speaks
    if not len(pairs) or not np.nan_to_num(own).any():
        return ()
    shown = [pairs[k] for k in np.argsort(-gaps[tuple(pairs.T)], kind="stable")[:3]]
    named = ", ".join(
        f"{K.ids[i]} and {K.ids[j]}: {K.values[i, j]:.4g} against {own[i]:.4g} and {own[j]:.4g}"
        for i, j in shown
    )
    more = f" and {len(pairs) - 3:,} more" if len(pairs) > 3 else ""
    return (
        Note(
            f"Pairs more similar than either item is to itself: {len(pairs):,} ({named}{more}).",
            "They stay; no kernel has such pairs, so a repair changes them.",
            "Look whether another score column was meant, or whether these items are the same.",
            "warning",
        ),
    )


def diagonal_notes(K: GramMatrix, dominance: float | None, large: float) -> tuple[Note, ...]:
    """Zero or negative diagonal, large diagonal, and matrices that say nothing."""
    diagonal = np.diag(K.values)
    notes = []
    low = np.flatnonzero(diagonal <= 0.0)
    if low.size:
        negative, names = int((diagonal < 0.0).sum()), listed([K.ids[int(k)] for k in low])
        signs = f", {negative:,} of them negative" if negative else ""
        notes.append(
            Note(
                f"Self-similarities that are not positive: {low.size:,}{signs} ({names}).",
                "Cosine normalisation sets those of 0 to 0 altogether, and refuses negative ones.",
                "Repair the matrix, or leave the items out.",
                "warning",
            )
        )
    known = K.values[~np.isnan(K.values)]
    if known.size and (known == known[0]).all():
        notes.append(
            Note(
                f"All entries are {known[0]:g}: the matrix is uninformative, every item is like every other.",
                "Nothing can be learned from it.",
                "Check the export, or build a kernel from sequences or vectors.",
                "warning",
            )
        )
    elif dominance is not None and np.isinf(dominance):
        notes.append(
            Note(
                "All entries off the diagonal are 0: a diagonal matrix is uninformative, no item is like another.",
                "Nothing can be learned from it.",
                "Choose a kernel with more overlap, for example a shorter word length.",
                "warning",
            )
        )
    elif dominance is not None and dominance > large:
        notes.append(
            Note(
                f"Large diagonal: self-similarities are {dominance:.3g} times the mean similarity of others.",
                "The numbers stay; learners tend to memorise each item alone.",
                "See what a power below 1 or a logarithm of the entries does on the page Power p.",
                "warning",
            )
        )
    return tuple(notes)


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
    if isinstance(source, SparseVectors):
        return equal_sparse_rows(source.X)
    if isinstance(source, Vectors):
        first, least = repeated_rows(source.values), 0
    elif (source.values == source.values[0, 0]).all():  # one note on a constant matrix is enough
        return np.arange(source.n)
    else:
        first, least = repeated_items(source.values), 1  # a known diagonal alone says nothing
    known = (~np.isnan(source.values)).sum(axis=1)
    return np.where(known > least, first, np.arange(first.size))
