"""A support vector machine in which edges and pairs without one weigh the same, however few edges there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kernex_core.frozen import BoolArray, FloatArray

if TYPE_CHECKING:
    from sklearn.svm import SVC

ITERATIONS: Final = 100_000
"""Of each machine: on a kernel with many equal rows the solver need not end."""


def balanced_machine(K: FloatArray, joined: BoolArray, C: float) -> SVC:
    """Fit a C-SVM on K (m, m) with class weights m / (2 m_c); `joined` (m,) has both values."""
    from sklearn.svm import SVC  # slow to import

    edges, size = int(joined.sum()), joined.size
    weights = {False: size / (2.0 * (size - edges)), True: size / (2.0 * edges)}
    machine = SVC(C=C, kernel="precomputed", class_weight=weights, tol=1e-4, max_iter=ITERATIONS)
    machine.fit(K, joined)
    return machine
