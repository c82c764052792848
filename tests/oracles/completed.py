"""The numbers of the pages Complete and Evaluate from the formulas alone: NumPy, SciPy, scikit-learn, nothing of Kernex.

Draws are those that docs/pages.md describes: repetition r has SeedSequence([seed, r]).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, norm
from scipy.stats import t as student
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

Matrix = NDArray[np.float64]


def clipped_then_cosine(K: Matrix) -> Matrix:
    """Negative eigenvalues become 0, then every item has length 1."""
    values, vectors = np.linalg.eigh((K + K.T) / 2.0)
    K = (vectors * np.maximum(values, 0.0)) @ vectors.T
    length = np.sqrt(np.diag(K))
    return np.asarray(K / length[:, None] / length[None, :])


def hidden_items(n: int, share: float, seed: int, repetition: int) -> NDArray[np.int64]:
    """The last items of a permutation, a share of all rounded to whole ones."""
    order = np.random.default_rng(np.random.SeedSequence([seed, repetition])).permutation(n)
    return np.asarray(order[n - round(share * n) :])


def joint_kernel(
    source: Matrix, target: Matrix, hidden: NDArray[np.int64], lam: float, rho: float = 0.1
) -> Matrix:
    """W'(λ A⁻¹ + (1 − λ) T⁻¹)⁻¹ W for W = A⁻¹ K[S], with the nugget ρ on both kernels; explicit inverses."""
    n = len(source)
    S = np.setdiff1d(np.arange(n), hidden)
    K = clipped_then_cosine(source) + rho * np.eye(n)
    T = clipped_then_cosine(target[np.ix_(S, S)]) + rho * np.eye(S.size)
    A = K[np.ix_(S, S)]
    W = np.linalg.inv(A) @ K[S]
    middle = np.linalg.inv(lam * np.linalg.inv(A) + (1.0 - lam) * np.linalg.inv(T))
    return np.asarray(W.T @ middle @ W)


def decided(
    K: Matrix, y: NDArray[np.str_], *, C: float, seed: int, repetition: int, folds: int = 2
) -> Matrix:
    """(n, c) decision values by LIBSVM, one machine a class, each item by the fold that it is tested in."""
    state = int(np.random.SeedSequence([seed, repetition]).generate_state(1)[0])
    classes, found = np.unique(y), np.zeros((y.size, np.unique(y).size))
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=state).split(y, y):
        for column, name in enumerate(classes):
            machine = SVC(C=C, kernel="precomputed", tol=1e-6).fit(K[np.ix_(train, train)], y[train] == name)
            found[test, column] = machine.decision_function(K[np.ix_(test, train)])
    return found


def fold_items(y: NDArray[np.str_], *, seed: int, repetition: int, folds: int = 2) -> list[NDArray[np.int64]]:
    """Test items of every fold."""
    state = int(np.random.SeedSequence([seed, repetition]).generate_state(1)[0])
    parts = StratifiedKFold(folds, shuffle=True, random_state=state).split(y, y)
    return [test for _, test in parts]


def right(decisions: Matrix, y: NDArray[np.str_]) -> NDArray[np.bool_]:
    """(n,) whether the class with the largest decision value is the item's."""
    return np.asarray(np.unique(y)[decisions.argmax(axis=1)] == y)


def corrected_t(differences: NDArray[np.float64], folds: int) -> float:
    """Two-sided p of Nadeau and Bengio's t: the variance is taken (1/J + n_test/n_train) times."""
    J = differences.size
    statistic = differences.mean() / np.sqrt((1.0 / J + 1.0 / (folds - 1)) * differences.var(ddof=1))
    return float(2.0 * student.sf(abs(statistic), J - 1))


def factor(folds: int, repeats: int) -> float:
    """What shared training sets make of the variance of a single pass."""
    shared = (folds - 1) / folds
    return 1 + shared + (1 - shared) / repeats


def wilson(p: float, n: float) -> tuple[float, float]:
    """Both shares q with |q − p| = 1.96 √(q (1 − q)/n), by the quadratic formula."""
    z2 = norm.isf(0.025) ** 2 / n
    ends = np.roots([1 + z2, -(2 * p + z2), p * p])
    return float(ends.real.min()), float(ends.real.max())


def p_of_gains(gains: Matrix, folds: int) -> float:
    """The larger of Student's p of one pass, with the factor, and of the exact one of the counts of a pass."""
    variance = np.mean([np.var(row, ddof=1) / row.size for row in gains])
    t = abs(gains.mean()) / np.sqrt(factor(folds, len(gains)) * variance)
    more, less = (round(float(np.mean([(row == side).sum() for row in gains]))) for side in (1, -1))
    return max(float(2 * student.sf(t, gains.shape[1] - 1)), float(binomtest(more, more + less).pvalue))
