"""Subsequence kernel: strings are similar if they share subsequences, the more so with few gaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.pairwise import Work
from kernex_core.kernels.sequences.explained.shared_subsequences import explain_subsequences
from kernex_core.kernels.sequences.letters import ALPHABETS, as_strings, letters_of
from kernex_core.kernels.sequences.pairwise_kernel import PairwiseKernel
from kernex_core.kernels.sequences.string_kernel import short_remark
from kernex_core.kernels.sequences.tables.packed import UNKNOWN_RIGHT, Packed, pack
from kernex_core.kernels.sequences.tables.subsequence_numba import subsequence_pairs
from kernex_core.parameters import parameter


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
        length, engine = int(self.length), subsequence_pairs
        factor = power(float(self.decay), 2 * length)
        # a smaller one makes every similarity that is not 0 underflow, and needs no more than to be told from 0
        decay = max(float(self.decay), 1e-200)

        def work(pairs: IntArray, meter: IntArray) -> FloatArray:
            sums = np.zeros((pairs.shape[0], 2))
            engine(left, right, pairs, length, decay, sums, meter)
            return _in_range(sums, factor, pairs)

        return work


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
