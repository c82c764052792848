"""One-vs-rest accuracy by scikit-learn, fold by fold, and the joint kernel by its definition with inverses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC


def normalised_and_clipped(K: NDArray[np.float64]) -> NDArray[np.float64]:
    length = np.sqrt(np.diag(K))
    values, vectors = np.linalg.eigh(K / np.outer(length, length))
    return np.asarray((vectors * np.clip(values, 0.0, None)) @ vectors.T)


def accuracies(
    K: NDArray[np.float64], y: NDArray[np.str_], *, C: float, repeats: int = 5, seed: int = 0
) -> tuple[float, float]:
    """Mean one-vs-rest accuracy and multi-class accuracy, in %, of stratified two-fold cross-validation."""
    classes = np.unique(y)
    truth = y[:, None] == classes
    binary, multiclass = [], []
    for repeat in range(repeats):
        decided = np.zeros(truth.shape)
        folds = StratifiedKFold(2, shuffle=True, random_state=1000 * seed + repeat).split(y, y)
        for train, test in folds:
            for column in range(classes.size):
                machine = SVC(kernel="precomputed", C=C).fit(K[np.ix_(train, train)], truth[train, column])
                decided[test, column] = machine.decision_function(K[np.ix_(test, train)])
        binary.append(((decided > 0) == truth).mean())
        multiclass.append((decided.argmax(axis=1) == truth.argmax(axis=1)).mean())
    return float(100.0 * np.mean(binary)), float(100.0 * np.mean(multiclass))


def joint_by_inverses(
    K_source: NDArray[np.float64],
    T: NDArray[np.float64],
    known: NDArray[np.int64],
    lam: float,
    nugget: float = 0.1,
) -> NDArray[np.float64]:
    """K_joint on all items; K_source conditioned, T raw and read on the known block only."""
    K = K_source + nugget * np.eye(len(K_source))
    T_known = normalised_and_clipped(T[np.ix_(known, known)]) + nugget * np.eye(len(known))
    A = K[np.ix_(known, known)]
    J = np.linalg.inv(lam * np.linalg.inv(A) + (1.0 - lam) * np.linalg.inv(T_known))
    W = np.linalg.inv(A) @ K[known]
    return np.asarray(W.T @ J @ W)
