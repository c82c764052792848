"""Why two strings are similar: one entry of a string kernel as a sum of parts that can be looked at."""

from __future__ import annotations

from kernex_core.kernels.base import AnyKernel
from kernex_core.kernels.explanation import Explanation


def explain_pair(kernel: AnyKernel, s: str, t: str, top: int = 20) -> Explanation:
    """`kernel.explain(s, t, top)`: decompose K(s, t); see AbstractKernel.explain.

    Examples
    --------
    >>> from kernex_core import Spectrum, explain_pair
    >>> made = explain_pair(Spectrum(k=2), "ABCABC", "ABC")
    >>> [(part.kmer_s, part.contribution) for part in made.parts], made.total
    ([('AB', 2.0), ('BC', 2.0)], 4.0)
    """
    return kernel.explain(s, t, top)
