"""Local alignment kernel: the sum over all local alignments of two strings, not only the best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.pairwise import Work
from kernex_core.kernels.sequences.alignment_letters import alignable, replaced_remark
from kernex_core.kernels.sequences.explained.aligned import explain_all_alignments
from kernex_core.kernels.sequences.fitting import fit_remark
from kernex_core.kernels.sequences.letters import as_strings
from kernex_core.kernels.sequences.pairwise_kernel import PairwiseKernel
from kernex_core.kernels.sequences.substitution import AUTO, CHOICES, SubstitutionMatrix, substitution_matrix
from kernex_core.kernels.sequences.tables.costs import Costs
from kernex_core.kernels.sequences.tables.local_alignment_numba import alignment_pairs
from kernex_core.kernels.sequences.tables.packed import Packed, pack
from kernex_core.parameters import parameter
from kernex_core.validation import psd_tolerance

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
        costs, engine = Costs(scores, opening, extending, form), alignment_pairs

        def work(pairs: IntArray, meter: IntArray) -> FloatArray:
            logs = np.zeros(pairs.shape[0])
            engine(left, right, pairs, costs, logs, meter)
            if self.log:
                return logs / self.beta
            return np.exp(logs) if meter[0] else _exponential(logs, pairs)

        return work


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
