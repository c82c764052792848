"""Why two strings are similar: one entry of a string kernel as a sum of parts that can be looked at."""

from __future__ import annotations

from typing import Any

from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.explanation import Explanation


def explain_pair(kernel: AbstractKernel[Any], s: str, t: str, top: int = 20) -> Explanation:
    """`kernel.explain(s, t, top)`: decompose K(s, t); see AbstractKernel.explain."""
    return kernel.explain(s, t, top)
