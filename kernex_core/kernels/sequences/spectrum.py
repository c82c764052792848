"""Spectrum kernels: strings are similar if they share k-mers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.parameters import check_range, parameter
from kernex_core.kernels.base import Operations, Progress, no_progress
from kernex_core.kernels.counts import count_matrix, multiplied, renumbered
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.sequences.letters import ALPHABETS, Encoded, as_strings, encode, letters_of
from kernex_core.kernels.sequences.shared_parts import PAIR_LIMIT, explain_kmers, explain_lengths
from kernex_core.kernels.sequences.string_kernel import (
    OnStrands,
    short_remark,
    skipped_remark,
    strands_parameter,
)

# Counts of k-mers: sparse features of strings, exact in integers.

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


_ALPHABET_HELP = (
    "Letters that count: protein (20), dna (4), or type the letters themselves. Windows with another letter are "
    "skipped. As declared: those of the kind of sequences; of plain text every letter."
)


@dataclass(frozen=True)
class _KmerKernel(OnStrands):
    k: int = parameter(
        3,
        help="Length of the k-mers that two strings share.",
        label="k-mer length",
        symbol="k",
        low=1,
        high=50,
        step=1,
    )
    alphabet: str | None = parameter(
        None,
        help=_ALPHABET_HELP,
        choices=tuple(ALPHABETS),
        accepts=(str,),
        optional=True,
        auto="as declared",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alphabet is not None:
            letters_of(self.alphabet)

    def features(self, strings: Sequence[str]) -> KmerFeatures:
        """Counts (n, n_kmers) of the k-mers that occur, and which k-mers they are; K = counts counts'."""
        given = as_strings(strings)
        return self._of_strands(given, lambda encoded: count_kmers(encoded, self.k))

    def _of_strands(self, given: Sequence[str], count: Callable[[Encoded], KmerFeatures]) -> KmerFeatures:
        """Features of strings; of both strands (φ(s) + φ(s̄)) / √2, whose products are k(s, t) + k(s, t̄)."""
        if not self.both:
            return count(self._encoded(given))
        found = count(self.resolved(given)._encoded(self.read(given)))
        n = len(given)
        both = sparse.csr_array((found.counts[:n] + found.counts[n:]) / np.sqrt(2.0))
        return KmerFeatures(both, found.kmers, found.skipped[:n])

    def remarks(self, samples: Sequence[str]) -> tuple[str, ...]:
        """See AbstractKernel: strings without k-mers, and windows with unknown letters."""
        strings = as_strings(samples)
        said = short_remark(strings, self.k)
        if self.alphabet is not None:
            _, owner, whole = self._encoded(strings).windows(self.k)
            affected = np.unique(owner[~whole]).size
            said += skipped_remark(int((~whole).sum()), affected, len(strings), self.alphabet, self.k)
        return said

    def operations(self, samples: Sequence[str]) -> Operations:
        """See AbstractKernel."""
        some, f = sampled(as_strings(samples))
        some = self.read(some)  # of both strands as many windows again, and as many products
        encoded, total = self._encoded(some), dict[str, float]()
        for k in self._lengths:
            for kind, number in window_operations(encoded, k, range(k)).items():
                total[kind] = total.get(kind, 0.0) + number
        return for_all(total, f)

    @property
    def _lengths(self) -> Sequence[int]:
        """Lengths of the k-mers that are counted."""
        return (self.k,)

    def _encoded(self, strings: Sequence[str]) -> Encoded:
        return encode(strings, None if self.alphabet is None else letters_of(self.alphabet))


def _spectrum(encoded: Encoded, k: int, n_rows: int, progress: Progress = no_progress) -> FloatArray:
    start, owner, whole = encoded.windows(k)
    codes = window_codes(encoded, start[whole], range(k))
    return gram_of_windows(owner[whole], codes, n_rows, encoded.n, encoded.n_letters**k, progress)


@dataclass(frozen=True)
class Spectrum(_KmerKernel):
    """Spectrum kernel, k(s, t) = Σ_u #_u(s) #_u(t) over all k-mers u.

    #_u(s) counts the occurrences of u in s, overlapping ones included. A string shorter than k has no k-mer:
    similarity 0 to everything. Exact in integers.

    Parameters
    ----------
    k : int
        Length of the k-mers, 1 to 50.
    alphabet : str or None
        "protein", "dna" or the letters themselves: windows with another letter are skipped, and case is ignored
        unless there are lower-case letters among them. None: every letter counts, as it is written.
    strands : {"one", "both"}
        both: of DNA, see `OnStrands`.

    Notes
    -----
    Leslie, Eskin and Noble (2002), The spectrum kernel, PSB 7, equation (1).

    Examples
    --------
    >>> float(Spectrum(k=3).gram(["ABCABCD", "ABCD"])[0, 1])
    3.0
    """

    title: ClassVar[str] = "Spectrum"
    formula: ClassVar[str] = r"k(s,t)=\sum_{u\in A^k}\#_u(s)\,\#_u(t)"
    source: ClassVar[str] = (
        "Leslie, Eskin and Noble, The spectrum kernel, Pacific Symposium on Biocomputing 2002"
    )
    cost: ClassVar[str] = (
        "n L to count, then the sum over k-mers of the squared number of strings that hold it"
    )

    strands: str = strands_parameter()

    def _similarities(self, strings: Sequence[str], n_rows: int, progress: Progress) -> FloatArray:
        return _spectrum(self._encoded(strings), self.k, n_rows, progress)

    def _explained(self, s: str, t: str, top: int, total: float) -> Explanation:
        apart = "k-mers looked up with their places, against a product of count vectors"
        return replace(explain_kmers(self, s, t, top, total=total, common=(1,)), apart=apart)


@dataclass(frozen=True)
class SpectrumSum(_KmerKernel):
    """Blended spectrum, k(s, t) = Σ_{j=1..k} w_j Σ_{u ∈ A^j} #_u(s) #_u(t): all k-mers up to length k.

    Parameters
    ----------
    k : int
        Longest k-mers, 1 to 50.
    alphabet : str or None
        As for `Spectrum`.
    weights : tuple of k floats, optional
        w_1, ..., w_k, at least 0; all 1 by default.
    strands : {"one", "both"}
        both: of DNA, see `OnStrands`.

    Notes
    -----
    Shawe-Taylor and Cristianini (2004), Kernel Methods for Pattern Analysis, section 11.2, blended spectrum.

    Examples
    --------
    >>> from kernex_core import SpectrumSum
    >>> SpectrumSum(k=2).gram(["ABAB", "AB"]).tolist()
    [[13.0, 6.0], [6.0, 3.0]]
    """

    title: ClassVar[str] = "Spectrum sum"
    formula: ClassVar[str] = r"k(s,t)=\sum_{j=1}^{k}w_j\sum_{u\in A^j}\#_u(s)\,\#_u(t)"
    source: ClassVar[str] = (
        "Shawe-Taylor and Cristianini, Kernel Methods for Pattern Analysis, 2004, section 11.2"
    )
    cost: ClassVar[str] = "as the spectrum kernel, k times"

    weights: tuple[float, ...] | None = parameter(
        None,
        help="Weight of each k-mer length from 1 to k; at least 0.",
        symbol="w",
        optional=True,
        auto="all 1",
        hidden=True,
    )
    strands: str = strands_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights is None:
            return
        weights = tuple(check_range("A weight of a k-mer length", w, 0.0) for w in self.weights)
        if len(weights) != self.k:
            raise InvalidInputError(
                f"There has to be one weight for each k-mer length ({self.k})", str(len(weights))
            )
        object.__setattr__(self, "weights", weights)

    def _similarities(self, strings: Sequence[str], n_rows: int, progress: Progress) -> FloatArray:
        return self._sum(self._encoded(strings), n_rows, progress)

    def features(self, strings: Sequence[str]) -> KmerFeatures:
        """Features (n, n_kmers) of all lengths, columns scaled by sqrt(w_j), so that K = counts counts'."""
        return self._of_strands(as_strings(strings), self._counted)

    def _counted(self, encoded: Encoded) -> KmerFeatures:
        parts = [count_kmers(encoded, j) for j in range(1, self.k + 1)]
        counts = sparse.hstack(
            [part.counts * np.sqrt(w) for part, w in zip(parts, self._weights(), strict=True)], format="csr"
        )
        return KmerFeatures(counts, tuple(u for part in parts for u in part.kmers), parts[-1].skipped)

    def _explained(self, s: str, t: str, top: int, total: float) -> Explanation:
        kernels = (Spectrum(k, self.alphabet) for k in range(1, self.k + 1))
        whole = (explain_kmers(each, s, t, PAIR_LIMIT, total=0.0, common=(1,)) for each in kernels)
        apart = "k-mers looked up with their places, against a product of count vectors for each length"
        return replace(
            explain_lengths(zip(self._weights(), whole, strict=True), top, total=total), apart=apart
        )

    @property
    def _lengths(self) -> Sequence[int]:
        return range(1, self.k + 1)

    def _weights(self) -> tuple[float, ...]:
        return (1.0,) * self.k if self.weights is None else self.weights

    def _sum(self, encoded: Encoded, n_rows: int, progress: Progress) -> FloatArray:
        n_columns = encoded.n if n_rows == encoded.n else encoded.n - n_rows
        total = np.zeros((n_rows, n_columns))
        for j, weight in enumerate(self._weights()):
            total += weight * _spectrum(encoded, j + 1, n_rows)
            progress((j + 1) / self.k)
        return total
