"""Notes on a Gram matrix: size, unknown entries, eigenvalues and diagonal."""

from __future__ import annotations

import numpy as np

from kernex_core.digits import few_digits
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Note
from kernex_core.symmetry import largest_size
from kernex_core.validation import ITEM_LIMIT, memory_bytes, psd_tolerance, shown_bytes

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
                f"It is the known set; {len(names):,} more items count as missing ({listed(names)}).",
                "Fill the pairs before the upload, or read absent pairs as zero.",
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
    coarse = few_digits(K.errors, K.values)
    same = K.errors.ndim == 0
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
