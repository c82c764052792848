"""What a classifier on a k-mer kernel has learned: one weight for each k-mer, and their sum along a string."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import BoolArray, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.kernels.sequences.letters import Encoded, as_strings, encode, letters_of
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum

FEATURE_LIMIT = 30_000_000
"""Largest number of (window, feature) pairs that are listed."""
TABLE_CODES = 2**24
"""Up to so many possible k-mers, weights are added up in a table of all of them."""


@dataclass(frozen=True, eq=False)
class KmerWeights(ReadOnlyArrays):
    """Weights w of a decision function f(x) = Σ_u w_u φ_u(x) + b.

    Attributes
    ----------
    kernel : Spectrum or Mismatch
        With its alphabet resolved.
    kmers : (N,) str array
        Sorted; every k-mer that is not listed has weight 0.
    weights : (N,) float
    """

    kernel: Spectrum | Mismatch
    kmers: NDArray[np.str_]
    weights: FloatArray

    def heaviest(self, n: int = 20) -> tuple[tuple[str, float], ...]:
        """Return the n k-mers of largest |w|, largest first, ties in alphabetical order."""
        order = np.argsort(-np.abs(self.weights), kind="stable")[:n]
        return tuple((str(self.kmers[i]), float(self.weights[i])) for i in order)

    def windows(self, string: str) -> FloatArray:
        """(|x| − k + 1,) contribution Σ_u w_u of each window's features u; they sum to f(x) − b.

        Windows with a letter outside the alphabet contribute 0.
        """
        encoded = _encoded(self.kernel, [string])
        start, _, whole = encoded.windows(self.kernel.k)
        found = np.zeros(start.size)
        kmers, window = np.unique(_texts(encoded, start[whole], self.kernel.k), return_inverse=True)
        features, of = kmer_features(self.kernel, kmers)
        found[whole] = np.bincount(of, self._lookup(features), minlength=kmers.size)[window]
        return found

    def occurrences(self, string: str) -> FloatArray:
        """(N,) φ_u(x) of the listed k-mers; Σ_u w_u φ_u(x) = f(x) − b."""
        encoded = _encoded(self.kernel, [string])
        start, _, whole = encoded.windows(self.kernel.k)
        kmers, counts = np.unique(_texts(encoded, start[whole], self.kernel.k), return_counts=True)
        features, of = kmer_features(self.kernel, kmers)
        at, listed = self._places(features)
        return np.bincount(at[listed], counts[of[listed]], minlength=self.kmers.size).astype(np.float64)

    def along(self, string: str) -> FloatArray:
        """(|x|,) contribution of each letter: every window's one, shared equally by its letters."""
        k = self.kernel.k
        spread = (
            np.convolve(self.windows(string), np.full(k, 1.0 / k))
            if len(string) >= k
            else np.zeros(len(string))
        )
        return np.asarray(spread, dtype=np.float64)

    def decision(self, string: str, intercept: float = 0.0) -> float:
        """f(x) = Σ_u w_u φ_u(x) + b."""
        return math.fsum(self.windows(string)) + intercept

    def _lookup(self, kmers: NDArray[np.str_]) -> FloatArray:
        at, listed = self._places(kmers)
        found = np.zeros(kmers.size)
        found[listed] = self.weights[at[listed]]
        return found

    def _places(self, kmers: NDArray[np.str_]) -> tuple[IntArray, BoolArray]:
        """Where k-mers stand in the list, and whether they do."""
        if not self.kmers.size:
            return np.zeros(kmers.size, dtype=np.int64), np.zeros(kmers.size, dtype=bool)
        at = np.minimum(np.searchsorted(self.kmers, kmers), self.kmers.size - 1)
        return at, np.asarray(self.kmers[at] == kmers)


def kmer_weights(kernel: Spectrum | Mismatch, strings: Sequence[str], alpha: ArrayLike) -> KmerWeights:
    """Weights of the k-mers in f(x) = Σ_i α_i K(x_i, x) + b: w_u = Σ_i α_i φ_u(x_i).

    Parameters
    ----------
    kernel : Spectrum or Mismatch
        A data-dependent alphabet is resolved on the strings.
    strings : sequence of n str
        The training strings.
    alpha : (n,) array_like
        Signed coefficients: of an SVM y_i a_i, 0 for strings that are no support vectors. On a cosine-normalised
        kernel give α_i / sqrt(K(x_i, x_i)), and divide f(x) − b by sqrt(K(x, x)).

    Raises
    ------
    InvalidInputError
        Another kernel, or coefficients that are not (n,) finite numbers.
    TooLargeError
        More features than FEATURE_LIMIT.

    Notes
    -----
    Leslie, Eskin and Noble (2002), The spectrum kernel: classification by a table of k-mer weights.

    Examples
    --------
    >>> from kernex_core import Spectrum, kmer_weights
    >>> made = kmer_weights(Spectrum(k=2), ["AB", "BC"], [1.0, -0.5])
    >>> {str(u): w for u, w in zip(made.kmers, made.weights.tolist(), strict=True)}
    {'AB': 1.0, 'BC': -0.5}
    """
    if not isinstance(kernel, Spectrum | Mismatch):
        raise InvalidInputError(
            "Weights of k-mers belong to a spectrum or mismatch kernel", type(kernel).__name__
        )
    strings = as_strings(strings)
    coefficients = np.asarray(alpha, dtype=np.float64)
    if coefficients.shape != (len(strings),) or not np.isfinite(coefficients).all():
        raise InvalidInputError(
            f"There has to be one finite coefficient a string ({len(strings)})", f"shape {coefficients.shape}"
        )
    kernel = kernel.resolved(strings)
    encoded = _encoded(kernel, strings)
    start, owner, whole = encoded.windows(kernel.k)
    kmers, window = np.unique(_texts(encoded, start[whole], kernel.k), return_inverse=True)
    totals = np.bincount(window, coefficients[owner[whole]], minlength=kmers.size)
    used = totals != 0.0
    return KmerWeights(kernel, *_summed(kernel, kmers[used], totals[used]))


def kmer_tables(
    kernel: Spectrum | SpectrumSum | Mismatch, strings: Sequence[str], alpha: ArrayLike
) -> tuple[KmerWeights, ...]:
    """`kmer_weights`, one table for each length of k-mers: several for a sum of spectrum kernels.

    A sum over lengths j with weights v_j has the tables of the coefficients v_j α_i; f(x) − b is the sum over all.
    """
    if not isinstance(kernel, SpectrumSum):
        return (kmer_weights(kernel, strings, alpha),)
    weights = (1.0,) * kernel.k if kernel.weights is None else kernel.weights
    coefficients = np.asarray(alpha, dtype=np.float64)
    return tuple(
        kmer_weights(Spectrum(j, kernel.alphabet), strings, weight * coefficients)
        for j, weight in enumerate(weights, 1)
    )


def _encoded(kernel: Spectrum | Mismatch, strings: Sequence[str]) -> Encoded:
    return encode(strings, None if kernel.alphabet is None else letters_of(kernel.alphabet))


def _texts(encoded: Encoded, start: IntArray, k: int) -> NDArray[np.str_]:
    """Return the windows that begin at `start` as strings of k letters."""
    points = np.frombuffer(encoded.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return _joined(points[start[:, None] + np.arange(k)])


def _joined(points: NDArray[np.uint32]) -> NDArray[np.str_]:
    """Strings from code points (n, k)."""
    n, k = points.shape
    return np.ascontiguousarray(points, dtype=np.uint32).view(f"<U{k}").reshape(n)


def kmer_features(kernel: Spectrum | Mismatch, kmers: NDArray[np.str_]) -> tuple[NDArray[np.str_], IntArray]:
    """All features of distinct k-mers, and which of the k-mers each one belongs to."""
    if isinstance(kernel, Spectrum) or kernel.m == 0 or not kmers.size:
        return kmers, np.arange(kmers.size)
    letters = _sorted_letters(kernel)
    table = np.array([ord(letter) for letter in letters], dtype=np.uint32)
    parts = [_joined(table[changed]) for changed in _changed(kernel, kmers, letters)]
    return np.concatenate(parts), np.tile(np.arange(kmers.size), len(parts))


def _summed(
    kernel: Spectrum | Mismatch, kmers: NDArray[np.str_], totals: FloatArray
) -> tuple[NDArray[np.str_], FloatArray]:
    """Features of distinct k-mers, sorted, and the sum of the totals of the k-mers that have them."""
    if isinstance(kernel, Spectrum) or kernel.m == 0 or not kmers.size:
        return kmers, totals
    letters, k = _sorted_letters(kernel), kernel.k
    if len(letters) ** k > TABLE_CODES:
        features, of = kmer_features(kernel, kmers)
        found, at = np.unique(features, return_inverse=True)
        return found, np.bincount(at, totals[of], minlength=found.size).astype(np.float64)
    # numbers in the order of the strings: a table of all of them is twenty times faster than sorting text
    powers = len(letters) ** np.arange(k)[::-1]
    codes = np.concatenate([changed @ powers for changed in _changed(kernel, kmers, letters)])
    present = np.flatnonzero(np.bincount(codes))
    sums = np.bincount(codes, np.tile(totals, codes.size // kmers.size))[present]
    points = np.array([ord(letter) for letter in letters], dtype=np.uint32)
    return _joined(points[present[:, None] // powers % len(letters)]), np.asarray(sums, dtype=np.float64)


def _sorted_letters(kernel: Mismatch) -> str:
    return "".join(sorted(letters_of(str(kernel.alphabet))))


def _changed(kernel: Mismatch, kmers: NDArray[np.str_], letters: str) -> Iterator[IntArray]:
    """Letter numbers (n, k) of the k-mers after each choice of up to m places and shifts of their letters."""
    k = kernel.k
    each = sum(math.comb(k, j) * (len(letters) - 1) ** j for j in range(kernel.m + 1))
    if each * kmers.size > FEATURE_LIMIT:
        raise TooLargeError(
            f"Weights of mismatch features are listed up to {FEATURE_LIMIT:,} (k-mer, feature) pairs",
            f"{kmers.size:,} distinct k-mers with {each:,} features each",
            "Choose fewer mismatches or a shorter k",
        )
    numbers = encode(["".join(kmers)], letters).numbers.reshape(kmers.size, k)
    for j in range(kernel.m + 1):
        for places in itertools.combinations(range(k), j):
            for shifts in itertools.product(range(1, len(letters)), repeat=j):
                changed = numbers.copy()
                changed[:, places] = (changed[:, places] + np.array(shifts, dtype=np.int64)) % len(letters)
                yield changed
