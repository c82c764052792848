"""Subsequence and alignment similarities straight from their definitions, by enumeration."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction


def subsequence_weights(s: str, length: int, decay: float) -> dict[str, Fraction]:
    """Exact feature of every word: sum of decay ** span over all its index tuples."""
    weights: dict[str, Fraction] = defaultdict(Fraction)
    for at in itertools.combinations(range(len(s)), length):
        weights["".join(s[i] for i in at)] += Fraction(decay) ** (at[-1] - at[0] + 1)
    return weights


def subsequence_kernel(s: str, t: str, length: int, decay: float) -> Fraction:
    a, b = subsequence_weights(s, length, decay), subsequence_weights(t, length, decay)
    return sum((a[u] * b[u] for u in a.keys() & b.keys()), Fraction(0))


def gap_cost(left_out: int, gap_open: float, gap_extend: float) -> float:
    return gap_open + gap_extend * (left_out - 1) if left_out else 0.0


def alignments(s: str, t: str) -> list[tuple[tuple[int, int], ...]]:
    """All sets of index pairs that increase in both strings, the empty one first."""
    found: list[tuple[tuple[int, int], ...]] = []
    for size in range(min(len(s), len(t)) + 1):
        for rows in itertools.combinations(range(len(s)), size):
            every = itertools.combinations(range(len(t)), size)
            found.extend(tuple(zip(rows, columns, strict=True)) for columns in every)
    return found


def alignment_score(
    pairs: tuple[tuple[int, int], ...], s: str, t: str, score: Callable[[str, str], float],
    gap_open: float, gap_extend: float,
) -> float:  # fmt: skip
    total = sum(score(s[i], t[j]) for i, j in pairs)
    for (i, j), (p, q) in itertools.pairwise(pairs):
        total -= gap_cost(p - i - 1, gap_open, gap_extend) + gap_cost(q - j - 1, gap_open, gap_extend)
    return total


def alignment_kernel(
    s: str, t: str, score: Callable[[str, str], float], beta: float, gap_open: float, gap_extend: float
) -> float:
    scores = (alignment_score(pairs, s, t, score, gap_open, gap_extend) for pairs in alignments(s, t))
    return math.fsum(math.exp(beta * value) for value in scores)


def best_alignment_score(
    s: str, t: str, score: Callable[[str, str], float], gap_open: float, gap_extend: float
) -> float:
    return max(alignment_score(pairs, s, t, score, gap_open, gap_extend) for pairs in alignments(s, t))
