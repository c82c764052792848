"""Why two strings are similar: one entry of a string kernel as a sum of parts that can be looked at."""

from __future__ import annotations

from typing import Any

from kernex_core.errors import InvalidInputError
from kernex_core.kernels.sequences.explain_alignment import explain_all_alignments, explain_best_alignment
from kernex_core.kernels.sequences.explain_kmers import explain_kmers, explain_lengths
from kernex_core.kernels.sequences.explain_subsequence import explain_subsequences
from kernex_core.kernels.sequences.explanation import Explanation
from kernex_core.kernels.sequences.letters import as_strings
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.parameters import check_range


def explain_pair(kernel: Any, s: str, t: str, top: int = 20) -> Explanation:
    """Decompose K(s, t), without normalisation; the parts and the rest sum to it.

    Parameters
    ----------
    kernel : Spectrum, SpectrumSum, Mismatch, Subsequence, SmithWaterman or LocalAlignment
        With its data-dependent defaults resolved.
    s, t : str
    top : int
        Number of parts that are listed; alignments are always complete.

    Returns
    -------
    Explanation
        The parts and the rest are added up apart from K(s, t), which the kernel itself computes.
        Spectrum, sum of spectra and mismatch: pairs of k-mers with positions, count × count × features in common.
        Subsequence: shared words with their tightest occurrences, Σ λ^span × Σ λ^span.
        Smith-Waterman: the columns of a best alignment with their scores.
        Local alignment: log K / β as the columns of the best alignment plus what all others add; K as 1 plus the
        alignments that end with each pair of letters. Both with the probability of each aligned pair.

    Raises
    ------
    InvalidInputError
        Another kernel, `top` below 1, or a similarity that float64 cannot hold.
    TooLargeError
        Strings so long that the tables do not fit; the message says the limit.
    """
    as_strings([s, t])
    check_range("The number of parts", top, 1)
    if isinstance(kernel, Spectrum | Mismatch):
        return explain_kmers(kernel, s, t, top)
    if isinstance(kernel, SpectrumSum):
        return explain_lengths(kernel, s, t, top)
    if isinstance(kernel, Subsequence):
        return explain_subsequences(kernel, s, t, top)
    if isinstance(kernel, SmithWaterman):
        return explain_best_alignment(kernel, s, t)
    if isinstance(kernel, LocalAlignment):
        return explain_all_alignments(kernel, s, t, top)
    raise InvalidInputError(
        "Similarities of spectrum, mismatch, subsequence and alignment kernels are explained part by part",
        str(getattr(kernel, "title", type(kernel).__name__)),
    )
