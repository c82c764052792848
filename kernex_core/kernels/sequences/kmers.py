"""Counts of k-mers: sparse features of strings, exact in integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.kernels.base import Progress, no_progress
from kernex_core.kernels.counts import count_matrix, multiplied, renumbered
from kernex_core.kernels.sequences.letters import Encoded

DENSE_COLUMNS = 1000
"""Up to so many possible k-mers, counts are kept dense: a matrix product is then faster than sparse bookkeeping."""
LETTERS, FEW = 100_000, 32
"""Letters up to which k-mers are counted on all strings to tell the cost (a tenth of a second), and the fewest strings."""
BY_STRING = ("window", "held k-mer")
_CODE_LIMIT = 2**62


@dataclass(frozen=True, eq=False)
class KmerFeatures(EqualByContent):
    """Counts of the k-mers that occur in some strings.

    Attributes
    ----------
    counts : (n, n_kmers) scipy.sparse.csr_array of float
        Occurrences of each k-mer in each string.
    kmers : tuple of str
        The k-mers of the columns, sorted by the order of the alphabet.
    skipped : (n,) int
        Windows of each string that hold a letter outside the alphabet and do not count.
    """

    counts: sparse.csr_array
    kmers: tuple[str, ...]
    skipped: IntArray


def count_kmers(encoded: Encoded, k: int) -> KmerFeatures:
    """Count the k-mers of every string; windows with an unknown letter are skipped and counted."""
    start, owner, whole = encoded.windows(k)
    codes = window_codes(encoded, start[whole], range(k))
    _, first, column = np.unique(codes, return_index=True, return_inverse=True)
    counts = count_matrix(owner[whole], column, encoded.n, first.size)
    kmers = tuple(encoded.text[s : s + k] for s in start[whole][first].tolist())
    return KmerFeatures(counts, kmers, np.bincount(owner[~whole], minlength=encoded.n).astype(np.int64))


def window_codes(encoded: Encoded, start: IntArray, positions: Sequence[int]) -> IntArray:
    """One number for each window, equal just for windows that agree at the given positions."""
    codes = np.zeros(start.size, dtype=np.int64)
    distinct = 1
    for position in positions:
        if distinct * encoded.n_letters > _CODE_LIMIT:
            # long windows over large alphabets: renumber what occurs, so that codes stay within 64 bits
            found, codes = np.unique(codes, return_inverse=True)
            distinct = found.size
        codes = codes * encoded.n_letters + encoded.numbers[start + position]
        distinct *= encoded.n_letters
    return codes


def gram_of_windows(
    owner: IntArray, codes: IntArray, n_rows: int, n: int, n_codes: int, progress: Progress = no_progress
) -> FloatArray:
    """Products of window counts: rows are the first `n_rows` strings, columns the others (all of them if n_rows = n).

    Parameters
    ----------
    owner, codes : (n_windows,) int
        String and code of each window.
    n_codes : int
        Number of possible codes; few ones are counted densely.
    """
    if n_codes <= DENSE_COLUMNS:
        flat = np.bincount(owner * n_codes + codes, minlength=n * n_codes).astype(np.float64)
        table = flat.reshape(n, n_codes)
        return np.asarray(table[:n_rows] @ (table if n_rows == n else table[n_rows:]).T)
    column, n_columns = renumbered(codes, n_codes)
    counts = count_matrix(owner, column, n, n_columns)
    columns = (counts if n_rows == n else counts[n_rows:]).T.tocsr()
    return multiplied(counts[:n_rows], columns, progress)


def window_operations(encoded: Encoded, k: int, kept: Sequence[int]) -> dict[str, float]:
    """Operations of `gram_of_windows` on all strings, windows of k letters compared at the kept places."""
    start, owner, whole = encoded.windows(k)
    n_codes, pairs = encoded.n_letters ** len(kept), float(encoded.n) ** 2
    made = {"entry": pairs, "window": float(owner.size)}
    if n_codes <= DENSE_COLUMNS:
        return made | {"dense product": pairs * n_codes}
    number, n_numbers = renumbered(window_codes(encoded, start[whole], kept), n_codes)
    held = np.unique(owner[whole] * n_numbers + number) % max(n_numbers, 1)
    # each k-mer is multiplied for every pair of strings that hold it, and for every string that holds it with itself
    strings = np.bincount(held).astype(np.float64)
    shared = float((strings * (strings - 1.0)).sum())
    return made | {"sparse entry": pairs, "held k-mer": float(held.size), "shared k-mer": shared}


def sampled(strings: Sequence[str]) -> tuple[Sequence[str], float]:
    """Strings spread over all, with about LETTERS letters and at least FEW strings, and how many times as many there are."""
    total = sum(map(len, strings))
    count = min(len(strings), max(FEW, len(strings) * LETTERS // max(total, 1)))
    some = [strings[i] for i in np.linspace(0, len(strings) - 1, count).astype(np.int64).tolist()]
    return some, len(strings) / count


def for_all(operations: dict[str, float], f: float) -> dict[str, float]:
    """Operations on f times as many strings: some grow with the strings, the others with their pairs."""
    return {kind: number * (f if kind in BY_STRING else f * f) for kind, number in operations.items()}
