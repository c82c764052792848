"""What every solver of the C-SVM dual is given."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.frozen import EqualByContent, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class OneVsRestProblem(EqualByContent):
    """One two-class dual a class, or a single one for two classes, on a precomputed kernel.

    Attributes
    ----------
    K : (n, n) float
        Writable and contiguous: the compiled loop knows one kind of array only.
    codes : (n,) int
        Class of each item.
    problems : int
        Number of classes; 1 for two: the problem of the second one, so that its sign is that of the larger label.
    C, asymmetry : float
        Box of the coefficients, and what is added to the diagonal by the share of the own class.
    tolerance : float
    max_iter : int
        Of each problem.
    """

    K: FloatArray
    codes: IntArray
    problems: int
    C: float
    asymmetry: float
    tolerance: float
    max_iter: int
