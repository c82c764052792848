"""Which k-mers two strings share, or nearly share, where they are, and what each pair of them contributes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from kernex_core.errors import TooLargeError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.kernels.explanation import Explanation, LengthSum, SharedKmer
from kernex_core.kernels.sequences.letters import encode, letters_of

PAIR_LIMIT = 20_000_000
"""Largest number of pairs of distinct k-mers that are compared letter by letter."""


class OfKmers(Protocol):
    """What the k-mers of a string depend on."""

    @property
    def k(self) -> int:
        """Length of the k-mers."""

    @property
    def alphabet(self) -> str | None:
        """Letters that count; None = all."""


def explain_kmers(
    kernel: OfKmers, s: str, t: str, top: int, *, total: float, common: Sequence[int]
) -> Explanation:
    """Pairs of k-mers of s and t with the features that both have.

    K is the sum over pairs of k-mers u of s and v of t of count(u, s) count(v, t) I(d), where I(d) features are common
    to k-mers that differ at d positions: 1 at d = 0 and none beyond for the spectrum kernel, and for the mismatch
    kernel the number of k-mers within m mismatches of both.

    Parameters
    ----------
    kernel : OfKmers
        Its alphabet is resolved.
    total : float
        K(s, t) as the kernel computes it.
    common : sequence of int
        I(d) for d = 0, 1, ...; 0 beyond its end.
    """
    found_s, found_t = _positions(kernel, s), _positions(kernel, t)
    kmers_s, kmers_t = list(found_s), list(found_t)
    counts_s, counts_t = _counts(found_s), _counts(found_t)
    i, j, distance, features = _pairs(kernel.k, kmers_s, kmers_t, common)
    contributions = counts_s[i] * counts_t[j] * features
    order = np.argsort(-contributions, kind="stable")
    parts = tuple(
        SharedKmer(
            kmers_s[i[p]], kmers_t[j[p]], int(distance[p]), found_s[kmers_s[i[p]]], found_t[kmers_t[j[p]]],
            int(features[p]), float(contributions[p]),
        )
        for p in order[:top]
    )  # fmt: skip
    rest = math.fsum(contributions[order[top:]].tolist())
    return Explanation(total, parts, rest, "all other shared k-mers", int(i.size))


def explain_lengths(
    of_lengths: Iterable[tuple[float, Explanation]], top: int, *, total: float
) -> Explanation:
    """K-mers of all lengths that both strings have, with the weight of their length, and what each length adds.

    Parameters
    ----------
    of_lengths : iterable of (weight, Explanation)
        For k = 1, 2, ..., with all their parts.
    total : float
    """
    parts: list[SharedKmer] = []
    lengths: list[LengthSum] = []
    for k, (weight, of_length) in enumerate(of_lengths, 1):
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


def _positions(kernel: OfKmers, string: str) -> dict[str, tuple[int, ...]]:
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
    k: int, kmers_s: list[str], kmers_t: list[str], common: Sequence[int]
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Positions of the k-mers of s and of t that have features in common, their distance, and how many features."""
    if not any(common[1:]):
        at = {kmer: j for j, kmer in enumerate(kmers_t)}
        same = [(i, at[kmer]) for i, kmer in enumerate(kmers_s) if kmer in at]
        i, j = np.array(same, dtype=np.int64).reshape(-1, 2).T
        return i, j, np.zeros(i.size, dtype=np.int64), np.full(i.size, float(common[0]))
    if len(kmers_s) * len(kmers_t) > PAIR_LIMIT:
        raise TooLargeError(
            f"Mismatch similarities are explained up to {PAIR_LIMIT:,} pairs of distinct k-mers",
            f"{len(kmers_s):,} × {len(kmers_t):,}",
            "Cut the sequences into domains",
        )
    distance = np.zeros((len(kmers_s), len(kmers_t)), dtype=np.int64)
    for letters_s, letters_t in zip(_columns(kmers_s, k), _columns(kmers_t, k), strict=True):
        distance += letters_s[:, None] != letters_t[None, :]
    features = np.zeros(k + 1)
    features[: len(common)] = common
    i, j = np.nonzero(features[distance])
    return i, j, distance[i, j], features[distance[i, j]]


def _columns(kmers: list[str], k: int) -> IntArray:
    """(k, n) code points of the letters of the k-mers."""
    points = np.frombuffer("".join(kmers).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return points.reshape(len(kmers), k).T.astype(np.int64)
