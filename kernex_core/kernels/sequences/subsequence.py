"""Subsequence kernel: strings are similar if they share subsequences, the more so with few gaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.jit import jit
from kernex_core.base.parameters import parameter
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.pairwise import Work
from kernex_core.kernels.sequences.letters import (
    ALPHABETS,
    UNKNOWN_RIGHT,
    Codes,
    Packed,
    as_strings,
    letters_of,
    pack,
)
from kernex_core.kernels.sequences.shared_parts import explain_subsequences
from kernex_core.kernels.sequences.string_kernel import PairwiseKernel, short_remark

# Subsequence kernel of many pairs by row dynamic programming, compiled by Numba.
#
# Both forms compute the sum over common subsequences of `decay ** gaps`, so that the common factor
# `decay ** (2 length)` can neither underflow nor hide an overflow; the caller multiplies it in.

_UP = 2.0**256
_DOWN = 2.0**-256
_HIGH = 2.0**128
_LOW = 2.0**-128


def subsequence_pairs(
    left: Packed, right: Packed, pairs: IntArray, length: int, decay: float, out: FloatArray, meter: IntArray
) -> None:
    """Fill `out` (P, 2) with mantissa and exponent of each pair: the sum is out[0] * 2 ** (256 out[1]).

    `meter` is [stop, cells done]: a nonzero first entry ends the work, the second one grows with it.
    """
    compiled_pairs(left.codes, left.starts, right.codes, right.starts, pairs, length, decay, out, meter)


@jit
def compiled_pairs(
    a: Codes, a_starts: IntArray, b: Codes, b_starts: IntArray, pairs: IntArray,
    length: int, decay: float, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """The loop of `subsequence_pairs` over arrays, which is all that Numba takes."""
    for p in range(pairs.shape[0]):
        s = a[a_starts[pairs[p, 0]] : a_starts[pairs[p, 0] + 1]]
        t = b[b_starts[pairs[p, 1]] : b_starts[pairs[p, 1] + 1]]
        total, exponent = 0.0, 0
        if s.size >= length and t.size >= length:
            total = plain_sum(s, t, length, decay, meter)
            if not trusted(total, s.size, t.size, length, decay):
                total, exponent = scaled_sum(s, t, length, decay, meter)
        if meter[0] != 0:
            return
        out[p, 0] = total
        out[p, 1] = exponent


@jit
def trusted(total: float, n: int, m: int, length: int, decay: float) -> bool:
    """Whether no term that float64 lost on the way can matter to `total` by more than rounding does.

    A lost value is below 2.3e-308 and grows by at most min(n m, (1 - decay)^-2) in each later layer.
    """
    if not math.isfinite(total):
        return False
    if decay == 1.0 or -(n + m) * math.log(decay) < 690.0:
        return True
    if total <= 0.0:
        return False
    growth = min(math.log(n * m), -2.0 * math.log1p(-decay))
    lost = math.log(n * m * length) + (length - 1) * growth - 708.0
    return math.log(total) > lost + 37.0


@jit
def plain_sum(s: Codes, t: Codes, length: int, decay: float, meter: IntArray) -> float:
    """Sum of decay ** gaps in float64.

    Row p of `B` holds, for the last row i of the table and each prefix of t, the sum over matches of length
    p + 1 that end at or before it, decayed to this cell; R is the part of it that ends in row i.
    """
    m = t.size
    B = np.zeros((max(length - 1, 1), m + 1))
    total = 0.0
    for i in range(s.size):
        if meter[0] != 0:
            return 0.0
        letter, p = s[i], length - 2
        if length == 1:
            for j in range(m):
                total += 1.0 if t[j] == letter else 0.0
        # layers from the longest down, because each reads the row before of the layer below
        while p >= 1:
            top = two_layers(B, p, t, letter, decay)
            total += top if p == length - 2 else 0.0
            p -= 2
        if p == 0:
            top = lowest_layer(B, t, letter, decay)
            total += top if length == 2 else 0.0
        meter[1] += m
    return total


@jit
def two_layers(B: FloatArray, p: int, t: Codes, letter: int, decay: float) -> float:
    """Take layers p and p − 1 to the next row in one pass, whose chains of sums overlap in time.

    Returns the sum of what layer p held before the letters that match: matches one longer than its own.
    """
    upper, lower, lowest = B[p], B[p - 1], B[max(p - 2, 0)]
    at_bottom = p == 1
    R_upper, R_lower, above, below, total = 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(t.size):
        hit = t[j] == letter
        total += above if hit else 0.0
        R_upper = R_upper * decay + (below if hit else 0.0)
        R_lower = R_lower * decay + ((1.0 if at_bottom else lowest[j]) if hit else 0.0)
        # what the row before held here is what the next letter continues
        above, below = upper[j + 1], lower[j + 1]
        upper[j + 1] = R_upper + decay * above
        lower[j + 1] = R_lower + decay * below
    return total


@jit
def lowest_layer(B: FloatArray, t: Codes, letter: int, decay: float) -> float:
    """Take layer 0 to the next row; returns the sum of what it held before the letters that match."""
    row = B[0]
    R, before, total = 0.0, 0.0, 0.0
    for j in range(t.size):
        hit = t[j] == letter
        total += before if hit else 0.0
        R = R * decay + (1.0 if hit else 0.0)
        before = row[j + 1]
        row[j + 1] = R + decay * before
    return total


@jit
def add(v: float, e: int, w: float, f: int) -> tuple[float, int]:
    """v 2^(256 e) + w 2^(256 f), normalised to a mantissa between 2^-128 and 2^128; terms 2^-256 smaller vanish."""
    if w == 0.0:
        f = e
    elif v == 0.0:
        e = f
    if e > f:
        v, e = v + (w * _DOWN if e == f + 1 else 0.0), e
    elif f > e:
        v, e = w + (v * _DOWN if f == e + 1 else 0.0), f
    else:
        v += w
    if v >= _HIGH:
        return v * _DOWN, e + 1
    while 0.0 < v < _LOW:
        v, e = v * _UP, e - 1
    return v, e


@jit
def scaled_sum(s: Codes, t: Codes, length: int, decay: float, meter: IntArray) -> tuple[float, int]:
    """As `plain_sum`, with one exponent a cell: exact to rounding whatever the size; zero only if it is zero."""
    m = t.size
    B = np.zeros((max(length - 1, 1), m + 1))
    E = np.zeros((max(length - 1, 1), m + 1), dtype=np.int64)
    # a 0 that stands here would be a type of its own to Numba, for which `add` is compiled anew
    none: int = E[0, 0]
    total, exponent = 0.0, none
    for i in range(s.size):
        if meter[0] != 0:
            return 0.0, none
        letter = s[i]
        for j in range(m):
            if t[j] == letter:
                if length == 1:
                    total, exponent = add(total, exponent, 1.0, none)
                else:
                    total, exponent = add(total, exponent, B[length - 2, j], E[length - 2, j])
        # from the longest prefixes down, so that B[p − 1] is still that of the row before; R sums along the row
        for p in range(length - 2, -1, -1):
            R, e = 0.0, none
            for j in range(m):
                R, e = add(R * decay, e, 0.0, e)
                if t[j] == letter:
                    if p == 0:
                        R, e = add(R, e, 1.0, none)
                    else:
                        R, e = add(R, e, B[p - 1, j], E[p - 1, j])
                B[p, j + 1], E[p, j + 1] = add(R, e, decay * B[p, j + 1], E[p, j + 1])
    return total, exponent


@dataclass(frozen=True)
class Subsequence(PairwiseKernel):
    """Subsequence kernel, k(s, t) = Σ_u Σ_{i: s[i]=u} Σ_{j: t[j]=u} λ^(span(i) + span(j)) over all words u of length l.

    i and j run over increasing index tuples; span(i) = i_l − i_1 + 1 counts the letters from the first to the
    last one. A string shorter than l has no subsequence of length l: similarity 0 to everything.

    Parameters
    ----------
    length : int
        Length l of the subsequences, at least 1.
    decay : float
        λ, above 0 and at most 1: the factor that each letter of the span costs.
    alphabet : str or None
        "protein", "dna" or the letters themselves: other letters match nothing, not even themselves, and count as
        gaps; case is ignored unless there are lower-case letters among them. None: every character counts as it
        is written.

    Notes
    -----
    Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins (2002), Text classification using string kernels,
    JMLR 2, section 3. Dynamic programming over λ^gaps, O(l |s| |t|) a pair; the common factor λ^(2l) is multiplied
    in last. Where a value lies outside the range of float64 an error says so; it is never 0, infinite or NaN.

    Examples
    --------
    >>> float(Subsequence(length=2, decay=0.25).gram(["cat", "car"])[0, 1])
    0.00390625
    """

    title: ClassVar[str] = "Subsequence"
    cell: ClassVar[str] = "subsequence cell"
    formula: ClassVar[str] = (
        r"k(s,t)=\sum_{u\in A^l}\;\sum_{i:\,s[i]=u}\;\sum_{j:\,t[j]=u}\lambda^{(i_l-i_1+1)+(j_l-j_1+1)}"
    )
    source: ClassVar[str] = (
        "Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins, Text classification using string kernels, JMLR 2002"
    )
    cost: ClassVar[str] = "n² pairs, each l |s| |t|"

    length: int = parameter(
        3, help="Length of the subsequences that two strings share.", label="Subsequence length", symbol="l",
        low=1, high=1000, step=1,
    )  # fmt: skip
    decay: float = parameter(
        0.25, help="Factor that each letter from the first to the last one of a subsequence costs.", label="Decay",
        symbol=r"\lambda", low=0.0, high=1.0, open_low=True, step=0.05,
    )  # fmt: skip
    alphabet: str | None = parameter(
        None, help="Letters that count: protein (20), dna (4), or type the letters themselves. Others match nothing. "
        "As declared: those of the kind of sequences; of plain text every character.",
        choices=tuple(ALPHABETS), accepts=(str,), optional=True,
        auto="as declared",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alphabet is not None:
            letters_of(self.alphabet)

    def remarks(self, samples: Sequence[str]) -> tuple[str, ...]:
        """See AbstractKernel: strings without a subsequence, and letters that match nothing."""
        strings = as_strings(samples)
        said = short_remark(strings, self.length)
        if self.alphabet is not None:
            unknown = int((self._packed(strings, None)[0].codes < 0).sum())
            if unknown:
                said += (
                    f"{unknown:,} letters outside {letters_of(self.alphabet)} match nothing and count as gaps.",
                )
        return said

    @property
    def _layers(self) -> int:
        return max(1, self.length - 1)

    def _packed(self, strings: Sequence[str], others: Sequence[str] | None) -> tuple[Packed, Packed]:
        letters = None if self.alphabet is None else letters_of(self.alphabet)
        return pack(strings, letters), pack(strings if others is None else others, letters, UNKNOWN_RIGHT)

    def _explained(self, s: str, t: str, top: int, total: float) -> Explanation:
        factor = power(float(self.decay), 2 * int(self.length))
        return explain_subsequences(self, s, t, top, total=total, factor=factor)

    def _work(self, left: Packed, right: Packed) -> Work:
        factor = power(float(self.decay), 2 * int(self.length))
        return partial(self._some, left, right, factor)

    def _some(
        self, left: Packed, right: Packed, factor: tuple[float, int], pairs: IntArray, meter: IntArray
    ) -> FloatArray:
        # a smaller one makes every similarity that is not 0 underflow, and needs no more than to be told from 0
        decay = max(float(self.decay), 1e-200)
        sums = np.zeros((pairs.shape[0], 2))
        subsequence_pairs(left, right, pairs, int(self.length), decay, sums, meter)
        return _in_range(sums, factor, pairs)


def power(base: float, exponent: int) -> tuple[float, int]:
    """Mantissa (0.5 to 1) and binary exponent of base ** exponent for base > 0, right to rounding."""
    exact = Fraction(base) ** exponent
    shift = exact.numerator.bit_length() - exact.denominator.bit_length()
    mantissa, rest = math.frexp(float(exact / Fraction(2) ** shift))
    return mantissa, shift + rest


def _in_range(sums: FloatArray, factor: tuple[float, int], pairs: IntArray) -> FloatArray:
    """Values sums[:, 0] 2^(256 sums[:, 1]) times the factor, refused where float64 has no normal number for them."""
    mantissa, exponent = np.frexp(sums[:, 0] * factor[0])
    exponent = exponent + 256 * sums[:, 1].astype(np.int64) + factor[1]
    outside = (mantissa != 0.0) & ((exponent > 1024) | (exponent < -1021))
    if outside.any():
        worst = int(np.flatnonzero(outside)[0])
        size = (math.log2(mantissa[worst]) + exponent[worst]) * math.log10(2.0)
        i, j = (int(position) + 1 for position in pairs[worst])
        raise InvalidInputError(
            "Each subsequence similarity has to lie within the range of float64, 1e−308 to 1e308",
            f"1e{size:+.0f} between sequences {i} and {j}",
            "Choose a shorter subsequence length or a smaller decay"
            if size > 0
            else "Choose a shorter subsequence length or a decay closer to 1",
        )
    return np.ldexp(mantissa, np.clip(exponent, -2000, 2000).astype(np.int64))
