"""Which k-mers two strings share, or nearly share, where they are, and what each pair of them contributes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from kernex_core.errors import TooLargeError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.kernels.sequences.explanation import Explanation, LengthSum, SharedKmer
from kernex_core.kernels.sequences.letters import encode, letters_of
from kernex_core.kernels.sequences.mismatch import Mismatch, common_kmers
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum

PAIR_LIMIT = 20_000_000
"""Largest number of pairs of distinct k-mers that are compared letter by letter."""


def explain_kmers(kernel: Spectrum | Mismatch, s: str, t: str, top: int) -> Explanation:
    """Pairs of k-mers of s and t with the features that both have.

    The spectrum kernel is the sum over k-mers u of count(u, s) count(u, t). The mismatch kernel is the sum over
    pairs of k-mers u of s and v of t of count(u, s) count(v, t) I(d), where I(d) k-mers lie within m mismatches of
    both when u and v differ at d positions.
    """
    kernel = kernel.resolved([s, t])
    total = float(kernel.cross([s], [t])[0, 0])
    found_s, found_t = _positions(kernel, s), _positions(kernel, t)
    kmers_s, kmers_t = list(found_s), list(found_t)
    counts_s, counts_t = _counts(found_s), _counts(found_t)
    i, j, distance, common = _pairs(kernel, kmers_s, kmers_t)
    contributions = counts_s[i] * counts_t[j] * common
    order = np.argsort(-contributions, kind="stable")
    heaviest = order[:top]
    parts = tuple(
        SharedKmer(
            kmers_s[i[p]], kmers_t[j[p]], int(distance[p]), found_s[kmers_s[i[p]]], found_t[kmers_t[j[p]]],
            int(common[p]), float(contributions[p]),
        )
        for p in heaviest
    )  # fmt: skip
    rest = math.fsum(contributions[order[top:]].tolist())
    return Explanation(
        total,
        parts,
        rest,
        "all other pairs of k-mers" if isinstance(kernel, Mismatch) else "all other shared k-mers",
        int(i.size),
    )


def explain_lengths(kernel: SpectrumSum, s: str, t: str, top: int) -> Explanation:
    """K-mers of all lengths that both strings have, with the weight of their length, and what each length adds."""
    weights = (1.0,) * kernel.k if kernel.weights is None else kernel.weights
    total = float(kernel.cross([s], [t])[0, 0])
    parts: list[SharedKmer] = []
    lengths: list[LengthSum] = []
    for k, weight in enumerate(weights, 1):
        of_length = explain_kmers(Spectrum(k, kernel.alphabet), s, t, PAIR_LIMIT)
        scaled = [
            replace(part, contribution=weight * part.contribution)
            for part in of_length.parts
            if isinstance(part, SharedKmer)
        ]
        parts += scaled if weight else []
        lengths.append(LengthSum(k, weight, len(scaled), math.fsum(part.contribution for part in scaled)))
    parts.sort(key=lambda part: (-part.contribution, -len(part.kmer_s)))
    rest = math.fsum(part.contribution for part in parts[top:])
    meaning = "all other shared k-mers"
    return Explanation(total, tuple(parts[:top]), rest, meaning, len(parts), by_length=tuple(lengths))


def _positions(kernel: Spectrum | Mismatch, string: str) -> dict[str, tuple[int, ...]]:
    """Start positions of each k-mer, in order of its first occurrence; windows with unknown letters do not count."""
    encoded = encode([string], None if kernel.alphabet is None else letters_of(kernel.alphabet))
    start, _, whole = encoded.windows(kernel.k)
    found: dict[str, list[int]] = {}
    for at in start[whole].tolist():
        found.setdefault(encoded.text[at : at + kernel.k], []).append(at)
    return {kmer: tuple(at) for kmer, at in found.items()}


def _counts(found: dict[str, tuple[int, ...]]) -> FloatArray:
    return np.array([len(at) for at in found.values()], dtype=np.float64)


def _pairs(
    kernel: Spectrum | Mismatch, kmers_s: list[str], kmers_t: list[str]
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Positions of the k-mers of s and of t that have features in common, their distance, and how many features."""
    if isinstance(kernel, Spectrum) or kernel.m == 0:
        at = {kmer: j for j, kmer in enumerate(kmers_t)}
        same = [(i, at[kmer]) for i, kmer in enumerate(kmers_s) if kmer in at]
        i, j = np.array(same, dtype=np.int64).reshape(-1, 2).T
        return i, j, np.zeros(i.size, dtype=np.int64), np.ones(i.size)
    if len(kmers_s) * len(kmers_t) > PAIR_LIMIT:
        raise TooLargeError(
            f"Mismatch similarities are explained up to {PAIR_LIMIT:,} pairs of distinct k-mers",
            f"{len(kmers_s):,} × {len(kmers_t):,}",
            "Cut the sequences into domains",
        )
    distance = np.zeros((len(kmers_s), len(kmers_t)), dtype=np.int64)
    for letters_s, letters_t in zip(_columns(kmers_s, kernel.k), _columns(kmers_t, kernel.k), strict=True):
        distance += letters_s[:, None] != letters_t[None, :]
    size = len(letters_of(str(kernel.alphabet)))
    common = np.array(
        [common_kmers(kernel.k, kernel.m, d, size) for d in range(kernel.k + 1)], dtype=np.float64
    )
    i, j = np.nonzero(common[distance])
    return i, j, distance[i, j], common[distance[i, j]]


def _columns(kmers: list[str], k: int) -> IntArray:
    """(k, n) code points of the letters of the k-mers."""
    points = np.frombuffer("".join(kmers).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return points.reshape(len(kmers), k).T.astype(np.int64)
