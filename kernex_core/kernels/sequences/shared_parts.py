"""Which k-mers two strings share, or nearly share, where they are, and what each pair of them contributes."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from kernex_core.base.errors import TooLargeError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.kernels.explanation import Explanation, LengthSum, SharedKmer, SharedSubsequence
from kernex_core.kernels.sequences.letters import Codes, encode, letters_of, pack

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


# Which subsequences two strings share, heaviest first, without listing all of them.

TABLE_LIMIT = 40_000_000
"""Largest l |s| |t| that is explained: 8 bytes each are held."""
EXPANSION_LIMIT = 20_000
"""Prefixes that are extended before the search ends with what it has found."""


@dataclass(frozen=True, eq=False)
class _Prefix(EqualByContent):
    """First letters of subsequences, with Σ λ^gaps over their occurrences ending at each letter of s and t."""

    letters: tuple[int, ...]
    ends_s: FloatArray
    ends_t: FloatArray


class OfSubsequences(Protocol):
    """What the subsequences of a string depend on."""

    @property
    def length(self) -> int:
        """Letters of a subsequence."""

    @property
    def decay(self) -> float:
        """λ."""

    @property
    def alphabet(self) -> str | None:
        """Letters that count; None = all."""


def explain_subsequences(
    kernel: OfSubsequences, s: str, t: str, top: int, *, total: float, factor: tuple[float, int]
) -> Explanation:
    """Heaviest shared subsequences, by best-first search over prefixes.

    The contribution of all subsequences with one prefix together is a sum over the table of what can follow; it
    bounds each of them, so that the search finds the heaviest ones first.

    Parameters
    ----------
    kernel : OfSubsequences
    total : float
        K(s, t) as the kernel computes it.
    factor : (float, int)
        Mantissa and binary exponent of λ^(2l), which all subsequences have in common; the tables hold λ^gaps.
    """
    letters = None if kernel.alphabet is None else letters_of(kernel.alphabet)
    a, b = pack([s], letters).codes, pack([t], letters).codes
    if kernel.length * a.size * b.size > TABLE_LIMIT:
        raise TooLargeError(
            f"Two strings are explained up to l |s| |t| = {TABLE_LIMIT:,}",
            f"{kernel.length} × {a.size:,} × {b.size:,}",
            "Choose shorter strings or a shorter subsequence length",
        )
    found, left = _heaviest(kernel, a, b, top) if total > 0.0 else ([], 0.0)
    parts = tuple(_described(kernel, word, a, b, letters) for word in found)
    rest = math.ldexp(left * factor[0], factor[1])
    apart = "a search through words, heaviest first, against dynamic programming that lists none"
    return Explanation(total, parts, rest, "all other shared subsequences", apart=apart)


def _heaviest(kernel: OfSubsequences, a: Codes, b: Codes, top: int) -> tuple[list[tuple[int, ...]], float]:
    """Heaviest words, and what all that were not reached contribute together: the sum over the open prefixes."""
    shared = [int(code) for code in np.intersect1d(a, b) if code >= 0]
    at_s, at_t = ({c: np.flatnonzero(x == c) for c in shared} for x in (a, b))
    follow = _followers(a, b, kernel.length, kernel.decay)
    order = itertools.count()
    queue: list[tuple[float, int, _Prefix]] = [
        (-math.inf, next(order), _Prefix((), np.ones(a.size), np.ones(b.size)))
    ]
    found: list[tuple[int, ...]] = []
    for _ in range(EXPANSION_LIMIT):
        # a whole word at the head of the queue weighs no less than what any open prefix can still give
        while queue and len(found) < top and len(queue[0][2].letters) == kernel.length:
            found.append(heapq.heappop(queue)[2].letters)
        if not queue or len(found) == top:
            break
        prefix = heapq.heappop(queue)[2]
        start = not prefix.letters
        reach_s = prefix.ends_s if start else _reached(prefix.ends_s, kernel.decay)
        reach_t = prefix.ends_t if start else _reached(prefix.ends_t, kernel.decay)
        # its continuations by one letter, each with the sum over all words that begin so
        after = follow[kernel.length - len(prefix.letters) - 1]
        for c in shared:
            bound = _bound(reach_s, reach_t, after, at_s[c], at_t[c])
            if bound > 0.0:
                ends = _only(reach_s, at_s[c]), _only(reach_t, at_t[c])
                heapq.heappush(queue, (-bound, next(order), _Prefix((*prefix.letters, c), *ends)))
    return found, math.fsum(-bound for bound, _, _ in queue)


def _followers(a: Codes, b: Codes, length: int, decay: float) -> list[FloatArray]:
    """For r = 0 to length − 1, an (n, m) table: Σ λ^gaps over r further shared letters after the pair (i, j)."""
    from scipy.signal import lfilter

    match = (a[:, None] == b[None, :]).astype(np.float64)
    tables = [np.ones(match.shape)]
    for _ in range(length - 1):
        here = (match * tables[-1])[::-1, ::-1]
        faded = lfilter([1.0], [1.0, -decay], lfilter([1.0], [1.0, -decay], here, axis=0), axis=1)[::-1, ::-1]
        after = np.zeros(match.shape)
        after[:-1, :-1] = faded[1:, 1:]
        tables.append(after)
    return tables


def _reached(ends: FloatArray, decay: float) -> FloatArray:
    """At each letter, Σ over earlier ends of λ^(letters in between)."""
    from scipy.signal import lfilter

    return np.concatenate([[0.0], lfilter([1.0], [1.0, -decay], ends)[:-1]])


def _bound(reach_s: FloatArray, reach_t: FloatArray, after: FloatArray, i: IntArray, j: IntArray) -> float:
    return float(reach_s[i] @ after[np.ix_(i, j)] @ reach_t[j])


def _only(values: FloatArray, at: IntArray) -> FloatArray:
    kept = np.zeros(values.size)
    kept[at] = values[at]
    return kept


def _described(
    kernel: OfSubsequences, word: tuple[int, ...], a: Codes, b: Codes, letters: str | None
) -> SharedSubsequence:
    weight_s, weight_t = (_weight(word, x, kernel.decay) for x in (a, b))
    return SharedSubsequence(
        "".join(chr(c) if letters is None else letters[c] for c in word),
        weight_s, weight_t, _occurrences(word, a), _occurrences(word, b), _tightest(word, a), _tightest(word, b),
        weight_s * weight_t,
    )  # fmt: skip


def _weight(word: tuple[int, ...], x: Codes, decay: float) -> float:
    """Σ λ^span over the occurrences of the word."""
    ends = (x == word[0]) * decay
    for letter in word[1:]:
        ends = _reached(ends, decay) * decay * (x == letter)
    return float(ends.sum())


def _occurrences(word: tuple[int, ...], x: Codes) -> int:
    counts = [1] + [0] * len(word)
    for code in x.tolist():
        for p in range(len(word), 0, -1):
            if word[p - 1] == code:
                counts[p] += counts[p - 1]
    return counts[-1]


def _tightest(word: tuple[int, ...], x: Codes) -> tuple[int, ...]:
    """Positions of the first occurrence with the fewest gaps."""
    latest: IntArray = np.where(x == word[0], np.arange(x.size), -1)
    for letter in word[1:]:
        before = np.concatenate([[-1], np.maximum.accumulate(latest)[:-1]])
        latest = np.where(x == letter, before, -1)
    spans = np.where(latest >= 0, np.arange(x.size) - latest, x.size)
    end = int(spans.argmin())
    positions = [end]
    for letter in word[-2::-1]:
        positions.append(int(np.flatnonzero(x[: positions[-1]] == letter)[-1]))
    return tuple(reversed(positions))
