"""Local alignment kernel: the sum over all local alignments of two strings, not only the best one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.base.jit import jit
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import psd_tolerance
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.pairwise import Work
from kernex_core.kernels.sequences.explain import explain_all_alignments
from kernex_core.kernels.sequences.letters import Codes, Costs, Packed, as_strings, pack
from kernex_core.kernels.sequences.string_kernel import PairwiseKernel, fit_remark
from kernex_core.kernels.sequences.substitution import (
    AUTO,
    CHOICES,
    SubstitutionMatrix,
    alignable,
    replaced_remark,
    substitution_matrix,
)

# Local alignment kernel of many pairs, compiled by Numba: linear, scaled and log-space forms of one recursion.
#
#     M[i,j] = exp(beta S(x_i, y_j)) (1 + M + X + Y at [i-1,j-1])
#     X[i,j] = exp(-beta open) M[i-1,j] + exp(-beta extend) X[i-1,j]
#     Y[i,j] = exp(-beta open) (M + X at [i,j-1]) + exp(-beta extend) Y[i,j-1]
#     K = 1 + sum over i,j of M[i,j]
#
# X must not follow Y: sets of pairs with gaps in both strings would be counted twice.

_UP = 2.0**256
_DOWN = 2.0**-256
_HIGH = 2.0**128
_LOW = 2.0**-128
_START = 2.0**-664
"""Weight of the empty start in the linear form: it leaves room for K up to 2^1687, log K = 1169."""
_LOG_2 = math.log(2.0)
_LINEAR, _SCALED, _LOG = 0, 1, 2


def alignment_pairs(
    left: Packed, right: Packed, pairs: IntArray, costs: Costs, out: FloatArray, meter: IntArray
) -> None:
    """Fill `out` (P,) with log K of each pair; `meter` is [stop, cells done]."""
    compiled_pairs(
        left.codes, left.starts, right.codes, right.starts, pairs,
        costs.scores, costs.opening, costs.extending, costs.form, out, meter,
    )  # fmt: skip


@jit
def compiled_pairs(
    a: Codes, a_starts: IntArray, b: Codes, b_starts: IntArray, pairs: IntArray,
    scores: FloatArray, opening: float, extending: float, form: int, out: FloatArray, meter: IntArray,
) -> None:  # fmt: skip
    """The loop of `alignment_pairs` over arrays, which is all that Numba takes."""
    weights = np.exp(scores)
    for p in range(pairs.shape[0]):
        s = a[a_starts[pairs[p, 0]] : a_starts[pairs[p, 0] + 1]]
        t = b[b_starts[pairs[p, 1]] : b_starts[pairs[p, 1] + 1]]
        if form == _LOG:
            out[p] = log_space(s, t, scores, opening, extending, meter)
        else:
            value = math.inf
            if form == _LINEAR:
                value = linear(s, t, weights, math.exp(-opening), math.exp(-extending), meter)
            if not math.isfinite(value):
                value = scaled(s, t, weights, math.exp(-opening), math.exp(-extending), meter)
            out[p] = value
        if meter[0] != 0:
            return


@jit
def linear(
    s: Codes, t: Codes, weights: FloatArray, opening: float, extending: float, meter: IntArray
) -> float:
    """Return log K by plain float64 sums from a small start weight; inf where they overflow.

    What underflows is below 1e-108 of the start, which has every continuation that it has.
    """
    m = t.size
    M, X, T = np.zeros(m + 1), np.zeros(m + 1), np.zeros(m + 1)
    total = 0.0
    for i in range(s.size):
        if meter[0] != 0 or not math.isfinite(total):
            return math.inf
        # M, X and T = M + X + Y hold row i − 1 from j on, row i before it; `diagonal` is T[i−1,j−1], `left` M + X at [i,j−1]
        row = weights[s[i]]
        diagonal, left, y, row_sum = 0.0, 0.0, 0.0, 0.0
        for j in range(1, m + 1):
            x = opening * M[j] + extending * X[j]
            y = opening * left + extending * y
            match = row[t[j - 1]] * (_START + diagonal)
            diagonal = T[j]
            left = match + x
            M[j], X[j], T[j] = match, x, left + y
            row_sum += match
        total += row_sum
        meter[1] += m
    if total < 1.0:
        return math.log1p(total / _START)
    return math.log(total) + 664.0 * _LOG_2


@jit
def scaled(
    s: Codes, t: Codes, weights: FloatArray, opening: float, extending: float, meter: IntArray
) -> float:
    """Return log K with one exponent a cell, in units of 2^256, shared by M, X and Y of the cell.

    The parts of a cell differ by no more than weights of 2^245 (LINEAR_LIMIT) allow, so that a shift by up to three
    exponents keeps what matters. One exponent a row would be wrong: rows hold alignments of unequal size.
    """
    m = t.size
    M, X, T = np.zeros(m + 1), np.zeros(m + 1), np.zeros(m + 1)
    E = np.zeros(m + 1, dtype=np.int64)
    total, exponent = 0.0, 0
    for i in range(s.size):
        if meter[0] != 0:
            return math.inf
        row = weights[s[i]]
        diagonal, diagonal_e = 0.0, 0
        left, y, left_e = 0.0, 0.0, 0
        for j in range(1, m + 1):
            # all three neighbours are brought to the largest of their exponents
            up_e = E[j]
            e = max(diagonal_e, max(up_e, left_e))
            match = (
                row[t[j - 1]] * ((1.0 if diagonal_e == 0 else 0.0) + diagonal) * scaled_down(e - diagonal_e)
            )
            x = (opening * M[j] + extending * X[j]) * scaled_down(e - up_e)
            y = (opening * left + extending * y) * scaled_down(e - left_e)
            diagonal, diagonal_e = T[j], up_e
            # and the cell to the exponent that suits it; none is below 0, where the start has its 1
            top = match + x + y
            while top >= _HIGH:
                match, x, y, top, e = match * _DOWN, x * _DOWN, y * _DOWN, top * _DOWN, e + 1
            while top < _LOW and e > 0:
                match, x, y, top, e = match * _UP, x * _UP, y * _UP, top * _UP, e - 1
            left, left_e = match + x, e
            M[j], X[j], T[j], E[j] = match, x, left + y, e
            if e > exponent:
                total, exponent = total * scaled_down(e - exponent) + match, e
            else:
                total += match * scaled_down(exponent - e)
            if total >= _HIGH:
                total, exponent = total * _DOWN, exponent + 1
        meter[1] += m
    if exponent == 0:
        return math.log1p(total)
    return math.log(total) + 256.0 * exponent * _LOG_2


@jit
def scaled_down(steps: int) -> float:
    """2^(-256 steps) for steps >= 0; four steps and more are nothing."""
    if steps == 0:
        return 1.0
    if steps == 1:
        return _DOWN
    if steps == 2:
        return _DOWN * _DOWN
    return _DOWN * _DOWN * _DOWN if steps == 3 else 0.0


@jit
def log_add(x: float, y: float) -> float:
    """log(exp(x) + exp(y))."""
    if x < y:
        x, y = y, x
    if y == -math.inf:
        return x
    return x + math.log1p(math.exp(y - x))


@jit
def log_space(
    s: Codes, t: Codes, scores: FloatArray, opening: float, extending: float, meter: IntArray
) -> float:
    """Return log K with logarithms in every cell: valid for any beta, and slow."""
    m = t.size
    M, X, T = np.full(m + 1, -np.inf), np.full(m + 1, -np.inf), np.full(m + 1, -np.inf)
    total = 0.0
    for i in range(s.size):
        if meter[0] != 0:
            return math.inf
        row = scores[s[i]]
        diagonal, left, y = -math.inf, -math.inf, -math.inf
        for j in range(1, m + 1):
            match = row[t[j - 1]] + log_add(0.0, diagonal)
            x = log_add(M[j] - opening, X[j] - extending)
            y = log_add(left - opening, y - extending)
            diagonal = T[j]
            left = log_add(match, x)
            M[j], X[j], T[j] = match, x, log_add(left, y)
            total = log_add(total, match)
        meter[1] += m
    return total


LINEAR_LIMIT = 170.0
"""Largest beta |S|, beta open and beta extend at which exponents a cell apart from each other by 2^256 suffice."""
LARGEST_LOG = float(np.log(np.finfo(np.float64).max))
DIAGONAL_BETA = 0.1
"""Above it the cosine-normalised kernel of real proteins is close to the identity."""


@dataclass(frozen=True, eq=False)
class LetterCheck(EqualByContent):
    """Whether the letters that occur make the local alignment sum a kernel.

    Attributes
    ----------
    positive_semidefinite : bool
        Whether exp(beta S) is positive semidefinite on the letters, which makes the kernel so on all their strings.
    letters : str
        The letters that occur, after replacements.
    smallest_eigenvalue : float
        Of exp(beta S) over its largest entry.
    reason : str
        One sentence for the page.
    """

    positive_semidefinite: bool
    letters: str
    smallest_eigenvalue: float
    reason: str


@dataclass(frozen=True)
class LocalAlignment(PairwiseKernel):
    """Local alignment kernel, K(s, t) = Σ_π exp(β (Σ_(i,j)∈π S(s_i, t_j) − gaps(π))) over all local alignments π.

    An alignment is a set of pairs (i, j), increasing in both; the empty one counts 1, so K("", t) = 1. Gaps count
    only between pairs: `gap_open` for the first letter left out of one string, `gap_extend` for each further one.
    Computed by

        M[i,j] = e^(β S(s_i,t_j)) (1 + M[i−1,j−1] + X[i−1,j−1] + Y[i−1,j−1])
        X[i,j] = e^(−β open) M[i−1,j] + e^(−β extend) X[i−1,j]
        Y[i,j] = e^(−β open) (M[i,j−1] + X[i,j−1]) + e^(−β extend) Y[i,j−1],        K = 1 + Σ_ij M[i,j]

    (Y follows X but X never Y, or alignments with gaps in both strings would count twice).

    Parameters
    ----------
    beta : float
        β > 0; log K / β tends to the Smith-Waterman score as it grows:
        0 ≤ log K / β − SW ≤ log C(|s| + |t|, |s|) / β.
    gap_open, gap_extend : float
        Cost of the first and of each further letter of a gap, at least 0.
    matrix : str or SubstitutionMatrix
        "auto" as for `SmithWaterman`: NUC.4.4 for nucleotides, 3DI for Foldseek's letters, else BLOSUM62.
    log : bool
        Return log K / β instead of K.

    Notes
    -----
    K is a kernel where exp(β S) is positive semidefinite on the letters that occur (`is_kernel`); log K / β never is
    one for certain, so both count as a similarity that a named repair makes a kernel. On proteins K at β = 0.5 passes
    float64, and normalised it is the identity: use log=True, then `CosineNormalize`, then a repair, for example
    `repair_psd(K, "clip")`; or K itself at β about 0.05. U is read as C, O as K, J as X where the matrix has no such
    letter; gap characters are left out; any other letter is read as X (see `alignment_letters`).

    Saigo, Vert, Ueda and Akutsu (2004), Protein homology detection using string alignment kernels,
    Bioinformatics 20, equations (5) to (11).

    Examples
    --------
    >>> float(LocalAlignment(beta=0.1, gap_open=2).gram(["AWCA", "AACA"])[0, 1].round(3))
    94.818
    """

    title: ClassVar[str] = "Local alignment"
    cell: ClassVar[str] = "local alignment cell"
    formula: ClassVar[str] = (
        r"K(s,t)=\sum_{\pi}\exp\Bigl(\beta\bigl(\sum_{(i,j)\in\pi}S(s_i,t_j)-\mathrm{gaps}(\pi)\bigr)\Bigr)"
    )
    source: ClassVar[str] = (
        "Saigo, Vert, Ueda and Akutsu, Protein homology detection using string alignment kernels, Bioinformatics 2004"
    )
    cost: ClassVar[str] = "n² pairs, each |s| |t|"
    positive_semidefinite: ClassVar[bool] = False

    beta: float = parameter(
        0.5, help="Weight of good alignments: small values count all alignments alike, large ones only the best.",
        symbol=r"\beta", low=0.0, high=1000.0, open_low=True, step=0.05, logarithmic=True,
    )  # fmt: skip
    gap_open: float = parameter(
        11, help="Cost of the first letter of a gap.", label="Gap opening", low=0.0, high=1000.0, step=1.0
    )
    gap_extend: float = parameter(
        1, help="Cost of each further letter of a gap.", label="Gap extension", low=0.0, high=1000.0, step=1.0
    )
    matrix: str | SubstitutionMatrix = parameter(
        AUTO, help="Scores of pairs of letters; auto: NUC.4.4 for nucleotides, 3DI for Foldseek's letters, else BLOSUM62.",
        label="Substitution matrix", symbol="S", choices=CHOICES, accepts=(SubstitutionMatrix,),
    )  # fmt: skip
    log: bool = parameter(
        False, help="Return log K / β, which fits whatever the length, instead of K.", label="Logarithm"
    )

    @classmethod
    def suggested(cls) -> Self:
        """See AbstractKernel: the logarithm, because K of two proteins of usual length is beyond float64."""
        return cls(log=True)

    def check(self, samples: Sequence[str], ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel: limits, and letters that nothing in the matrix stands for."""
        strings = as_strings(samples, ids)
        alignable(strings, substitution_matrix(self.resolved(strings).matrix), ids)

    def is_kernel(self, samples: Sequence[str]) -> LetterCheck:
        """Whether this is a kernel on strings of the letters that occur, by the eigenvalues of exp(β S) on them."""
        strings = as_strings(samples)
        self = self.resolved(strings)
        matrix = substitution_matrix(self.matrix)
        used = np.unique(self._packed(strings, None)[0].codes)
        letters = "".join(matrix.letters[i] for i in used)
        scores = self.beta * matrix.array[np.ix_(used, used)]
        E = np.exp(scores - scores.max(initial=0.0)) if used.size else np.ones((1, 1))
        smallest = float(np.linalg.eigvalsh(E)[0])
        fine = smallest >= -psd_tolerance(E.shape[0], float(np.linalg.norm(E, 2)))
        verdict = (
            "is positive semidefinite"
            if fine
            else f"has the negative eigenvalue {smallest:.2g} (scaled to 1)"
        )
        reason = f"exp(β S) of {matrix.name} at β = {self.beta:g} {verdict} on the letters {letters}"
        if self.log:
            return LetterCheck(False, letters, smallest, f"log K / β is a similarity; {reason}.")
        return LetterCheck(fine, letters, smallest, f"{reason}: K is a {'kernel' if fine else 'similarity'}.")

    def remarks(self, samples: Sequence[str]) -> tuple[str, ...]:
        """See AbstractKernel: letters that are replaced, whether it is a kernel, and the large diagonal."""
        matrix = substitution_matrix(self.resolved(as_strings(samples)).matrix)
        said = (
            *fit_remark(samples, matrix),
            *replaced_remark(samples, matrix),
            self.is_kernel(samples).reason,
        )
        if not self.log and self.beta > DIAGONAL_BETA:
            said += (
                f"At β = {self.beta:g} the normalised kernel of real proteins is close to the identity: "
                "take log K / β, or β about 0.05.",
            )
        return said

    def _explained(self, s: str, t: str, top: int, total: float) -> Explanation:
        return explain_all_alignments(self, s, t, top, total=total)

    def _packed(self, strings: Sequence[str], others: Sequence[str] | None) -> tuple[Packed, Packed]:
        matrix = substitution_matrix(self.resolved(strings).matrix)
        left = pack(alignable(strings, matrix), matrix.letters)
        return left, left if others is None else pack(alignable(others, matrix), matrix.letters)

    def _work(self, left: Packed, right: Packed) -> Work:
        scores = np.ascontiguousarray(self.beta * substitution_matrix(self.matrix).array)
        opening, extending = float(self.beta * self.gap_open), float(self.beta * self.gap_extend)
        form = 0 if max(float(np.abs(scores).max()), opening, extending) < LINEAR_LIMIT else 2
        return partial(self._some, left, right, Costs(scores, opening, extending, form))

    def _some(
        self, left: Packed, right: Packed, costs: Costs, pairs: IntArray, meter: IntArray
    ) -> FloatArray:
        logs = np.zeros(pairs.shape[0])
        alignment_pairs(left, right, pairs, costs, logs, meter)
        if self.log:
            return logs / self.beta
        return np.exp(logs) if meter[0] else _exponential(logs, pairs)


def _exponential(logs: FloatArray, pairs: IntArray) -> FloatArray:
    """Return exp(log K), refused where float64 has no number for it."""
    worst = int(logs.argmax())
    if logs[worst] > LARGEST_LOG:
        i, j = (int(position) + 1 for position in pairs[worst])
        raise InvalidInputError(
            f"The local alignment sum K fits float64 up to log K = {LARGEST_LOG:.1f}",
            f"log K = {logs[worst]:.1f} between sequences {i} and {j}",
            "Take its logarithm, log K / β (log=True; “Logarithm” among the parameters), or a smaller β",
        )
    return np.asarray(np.exp(logs))
