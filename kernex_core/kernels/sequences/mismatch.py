"""Mismatch kernel: strings are similar if they share k-mers up to a few mismatches."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.kernels.base import Operations, Progress
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.sequences.letters import (
    ALPHABETS,
    Encoded,
    as_strings,
    encode,
    guess_alphabet,
    letters_of,
)
from kernex_core.kernels.sequences.shared_parts import explain_kmers
from kernex_core.kernels.sequences.spectrum import (
    for_all,
    gram_of_windows,
    sampled,
    window_codes,
    window_operations,
)
from kernex_core.kernels.sequences.string_kernel import (
    OnStrands,
    short_remark,
    skipped_remark,
    strands_parameter,
)

MASK_LIMIT = 20_000
"""Most choices of kept positions, each of which costs one Gram matrix."""
_EXACT = 2**53


@dataclass(frozen=True)
class Mismatch(OnStrands):
    """Mismatch kernel, k(s, t) = Σ_u Φ_u(s) Φ_u(t) over all k-mers u of an alphabet.

    Φ_u(s) is the number of windows of s that differ from u in at most m letters. m = 0 gives the spectrum kernel.
    The value depends on the size of the alphabet: AC against AC at (2, 1) is 3, 7 and 39 for 2, 4 and 20 letters.

    Parameters
    ----------
    k : int
        Length of the k-mers, 1 to 50.
    m : int
        Mismatches allowed, 0 to k.
    alphabet : str or None
        "protein", "dna" or the letters themselves. None: that of the declared kind, and of plain strings the one
        that `guess_alphabet` finds on the fitting items; `resolved` sets it. Windows with a letter outside it are
        skipped. Case is ignored unless there are lower-case letters in it.
    strands : {"one", "both"}
        both: of DNA, see `OnStrands`.

    Notes
    -----
    Leslie, Eskin, Weston and Noble (2002), Mismatch string kernels for SVM protein classification, NIPS 15. With
    N_d(s, t) the number of window pairs at Hamming distance d and I(d) the number of k-mers within m of both
    windows, k(s, t) = Σ_{d ≤ 2m} I(d) N_d(s, t). The N_d follow from spectrum kernels on masked windows: G_j, summed
    over all ways to leave out j positions, is Σ_d C(k − d, j − d) N_d, hence
    N_d = Σ_j (−1)^(d − j) C(k − j, d − j) G_j.
    All of it in integers below 2^53, so exact.

    Examples
    --------
    >>> float(Mismatch(k=2, m=1, alphabet="dna").gram(["AC"])[0, 0])
    7.0
    """

    title: ClassVar[str] = "Mismatch"
    formula: ClassVar[str] = (
        r"k(s,t)=\sum_{u\in A^k}\Phi_u(s)\,\Phi_u(t),\quad \Phi_u(s)=\#\{\text{windows } v:\ d_H(u,v)\le m\}"
    )
    source: ClassVar[str] = "Leslie, Eskin, Weston and Noble, Mismatch string kernels, NIPS 2002"
    cost: ClassVar[str] = "as the spectrum kernel, once for every choice of up to 2m of the k places"

    k: int = parameter(
        3, help="Length of the k-mers.", label="k-mer length", symbol="k", low=1, high=50, step=1
    )
    m: int = parameter(
        1, help="Letters in which a k-mer may differ.", label="Mismatches", symbol="m", low=0, high=10, step=1
    )
    alphabet: str | None = parameter(
        None,
        help="Letters of the k-mers: protein (20), dna (4), or type the letters themselves. As declared: those of the kind "
        "of sequences; of plain text the letters that fit.",
        symbol="A",
        choices=tuple(ALPHABETS),
        accepts=(str,),
        optional=True,
        auto="as declared",
    )
    strands: str = strands_parameter()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.m > self.k:
            raise InvalidInputError(f"At most k = {self.k} letters of a k-mer can mismatch", f"m = {self.m}")
        masks = sum(math.comb(self.k, j) for j in range(min(2 * self.m, self.k) + 1))
        if masks > MASK_LIMIT:
            raise TooLargeError(
                f"A mismatch kernel costs one spectrum kernel for each choice of positions, at most {MASK_LIMIT:,}",
                f"{masks:,} for k = {self.k} and m = {self.m}",
                "Choose a shorter k or fewer mismatches",
            )
        if self.alphabet is not None:
            letters_of(self.alphabet)

    def resolved(self, samples: Sequence[str]) -> Self:
        """Return the kernel with the alphabet set from the strings, if it was open; of both strands DNA."""
        if self.both:
            return super().resolved(samples)
        return (
            self if self.alphabet is not None else replace(self, alphabet=guess_alphabet(as_strings(samples)))
        )

    def remarks(self, samples: Sequence[str]) -> tuple[str, ...]:
        """See AbstractKernel: the alphabet, strings without k-mers, and windows with unknown letters."""
        strings = as_strings(samples)
        kernel = self.resolved(strings)
        alphabet = str(kernel.alphabet)
        letters = letters_of(alphabet)
        _, owner, whole = encode(strings, letters).windows(self.k)
        affected = int(np.unique(owner[~whole]).size)
        said = (f"K-mers are over the {len(letters)} letters {letters}.",)
        skipped = skipped_remark(int((~whole).sum()), affected, len(strings), alphabet, self.k)
        return said + short_remark(strings, self.k) + skipped

    def operations(self, samples: Sequence[str]) -> Operations:
        """See AbstractKernel; of all ways to leave out as many places one is counted."""
        some, f = sampled(as_strings(samples))
        some = self.read(some)  # of both strands as many windows again, and as many products
        alphabet = letters_of(str(self.resolved(samples).alphabet))
        encoded, total = encode(some, alphabet), dict[str, float]()
        for j, factor in enumerate(mask_factors(self.k, self.m, encoded.n_letters)):
            if factor:
                for kind, number in window_operations(encoded, self.k, range(self.k - j)).items():
                    total[kind] = total.get(kind, 0.0) + math.comb(self.k, j) * number
        return for_all(total, f)

    def _explained(self, s: str, t: str, top: int, total: float) -> Explanation:
        kernel = self.resolved([s, t])
        size = len(letters_of(str(kernel.alphabet)))
        common = [common_kmers(self.k, self.m, d, size) for d in range(min(2 * self.m, self.k) + 1)]
        return replace(
            explain_kmers(kernel, s, t, top, total=total, common=common),
            rest_meaning="all other pairs of k-mers",
            apart="all pairs of k-mers compared letter by letter, against sums of masked spectrum kernels",
        )

    def _similarities(self, strings: Sequence[str], n_rows: int, progress: Progress) -> FloatArray:
        encoded = encode(strings, letters_of(str(self.alphabet)))
        start, owner, whole = encoded.windows(self.k)
        start, owner = start[whole], owner[whole]
        factors = mask_factors(self.k, self.m, encoded.n_letters)
        self._check_exact(factors, int(np.bincount(owner, minlength=1).max()))
        n_columns = encoded.n if n_rows == encoded.n else encoded.n - n_rows
        total = np.zeros((n_rows, n_columns))
        jobs = list(_masks(self.k, factors))
        for done, (factor, kept) in enumerate(jobs, 1):
            total += factor * _masked(encoded, start, owner, kept, n_rows)
            progress(done / len(jobs))
        return total

    def _check_exact(self, factors: Sequence[int], windows: int) -> None:
        # the largest partial sum: every G_j is at most C(k, j) windows²
        bound = sum(abs(factor) * math.comb(self.k, j) for j, factor in enumerate(factors)) * windows**2
        if bound >= _EXACT:
            raise TooLargeError(
                "A mismatch kernel is computed in whole numbers up to 2^53 = 9e15",
                f"sums up to {bound:.1e}, with {windows:,} windows in one sequence",
                "Choose a shorter k, fewer mismatches, or shorter sequences",
            )


def _masks(k: int, factors: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    for j, factor in enumerate(factors):
        if factor:
            for kept in itertools.combinations(range(k), k - j):
                yield factor, kept


def _masked(
    encoded: Encoded, start: IntArray, owner: IntArray, kept: tuple[int, ...], n_rows: int
) -> FloatArray:
    codes = window_codes(encoded, start, kept)
    return gram_of_windows(owner, codes, n_rows, encoded.n, encoded.n_letters ** len(kept))


def mask_factors(k: int, m: int, n_letters: int) -> tuple[int, ...]:
    """Weights c_j with k(s, t) = Σ_j c_j G_j(s, t), j = 0, ..., min(2m, k): how often the masked kernels count.

    c_j = Σ_{d ≥ j} I(d) (−1)^(d − j) C(k − j, d − j).
    """
    furthest = min(2 * m, k)
    common = [common_kmers(k, m, d, n_letters) for d in range(furthest + 1)]
    return tuple(
        sum(common[d] * (-1) ** (d - j) * math.comb(k - j, d - j) for d in range(j, furthest + 1))
        for j in range(furthest + 1)
    )


def common_kmers(k: int, m: int, d: int, n_letters: int) -> int:
    """I(d): number of k-mers within m mismatches of both of two k-mers that differ at d positions.

    Such a k-mer agrees at a of the d positions with the first one, at b others with the second one, with neither at
    the rest, and differs from both at r of the k − d positions where they agree; 0 for d > 2m.
    """
    return sum(
        math.comb(d, a)
        * math.comb(d - a, b)
        * max(n_letters - 2, 0) ** (d - a - b)
        * math.comb(k - d, r)
        * (n_letters - 1) ** r
        for a in range(d + 1)
        for b in range(d - a + 1)
        for r in range(k - d + 1)
        if d - a + r <= m and d - b + r <= m
    )
