from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.candidates import OTHER_JOINT, contestants
from kernex_core.studies.completion.share_sweep import SweepCell, joint_scores, other_joint_scores, sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare_source
from science import data
from science.table import Row
from tests.oracles.completed import Matrix, clipped_then_cosine, decided, hidden_items, joint_kernel, right

TITLE = (
    "Digits in one view completed from another: everything that Complete judges, beside inverses and LIBSVM."
)
REPETITIONS = 10
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
LAMS = (0.25, 0.5)
SMALL = {"REPETITIONS": 1, "SHARES": (0.5,)}
FOLDS, C, RHO = 5, 1.0, 0.1
CONFIG = CompletionConfig(nugget=RHO)
WITHOUT_LAM = [each for each in contestants(CONFIG, "source") if each.role not in ("joint", OTHER_JOINT)]
NAMES = (*(f"{kind}, λ = {lam}" for lam in LAMS for kind in ("joint", "with the residual")),
         *(each.name for each in WITHOUT_LAM))  # fmt: skip


def repetition(seed: int) -> FloatArray:
    """(2, shares, contestants) multi-class accuracies in %: ours, and by other code on the same draws."""
    source, target, labels = data.digits()
    config, protocol = (
        CompletionConfig(nugget=RHO, seed=seed),
        CrossValidation(folds=FOLDS, repeats=1, C=C, seed=seed),
    )
    *_, state = sweeping(config, prepare_source(config, source), target, labels, protocol, shares=SHARES)
    alone = state.sweep.levels["source"][0].multi_class
    ours = [_ours(cell, alone) for cell in state.sweep.cells]
    others = [_by_formulas(source.values, target.values, labels.y, share, seed) for share in SHARES]
    return 100.0 * np.array([ours, others])


def _ours(cell: SweepCell, alone: float) -> list[float]:
    found: list[float] = []
    for lam in LAMS:
        other = other_joint_scores(cell, lam)
        assert other is not None  # the constraint is shear
        found += [joint_scores(cell, lam).multi_class, other.multi_class]
    return found + [
        alone if each.role == "source" else cell.plain[each.role].multi_class for each in WITHOUT_LAM
    ]


def _by_formulas(source: Matrix, target: Matrix, y: np.ndarray, share: float, seed: int) -> list[float]:
    """The same by explicit inverses and machines of LIBSVM; the order is that of NAMES."""
    n = y.size
    hidden = hidden_items(n, share, seed, 0)
    known = np.setdiff1d(np.arange(n), hidden)
    K, T = clipped_then_cosine(source), clipped_then_cosine(target[np.ix_(known, known)])
    A_inverse = np.linalg.inv(K[np.ix_(known, known)] + RHO * np.eye(known.size))
    Phi = K[known] + RHO * np.eye(n)[known]
    rebuilt = Phi.T @ A_inverse @ Phi
    beyond = K + RHO * np.eye(n) - rebuilt
    beyond[known], beyond[:, known] = 0.0, 0.0
    joint = {lam: joint_kernel(source, target, hidden, lam, RHO) for lam in LAMS}
    kernels = [M for lam in LAMS for M in (joint[lam], joint[lam] + beyond / lam)]
    filled = {
        value: np.full((n, n), value) for value in (0.0, float(T[~np.eye(known.size, dtype=bool)].mean()))
    }
    for value, M in filled.items():
        np.fill_diagonal(M, 1.0)
        M[np.ix_(known, known)] = T
        values, vectors = np.linalg.eigh(M)
        filled[value] = (vectors * np.maximum(values, 0.0)) @ vectors.T
    W = A_inverse @ Phi
    by_name = dict(zip(("extrapolated", "nystroem"), (W.T @ T @ W, rebuilt), strict=True))
    by_name |= dict(zip(("zero-fill", "mean-fill"), filled.values(), strict=True)) | {"source": K}
    kernels += [by_name[each.role] for each in WITHOUT_LAM if each.role in by_name]
    found = [
        float(right(decided(M, y, C=C, seed=seed, repetition=0, folds=FOLDS), y).mean()) for M in kernels
    ]
    place = len(NAMES) - len(WITHOUT_LAM) + [each.role for each in WITHOUT_LAM].index("two machines")
    two = _two_machines(K, T, known, y, seed)
    return [*found[:place], float(right(two, y).mean()), *found[place:]]


def _two_machines(K: Matrix, T: Matrix, known: np.ndarray, y: np.ndarray, seed: int) -> Matrix:
    """Decisions of the source, and of known items those of the target on every class that it has examples of and others."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC

    found = decided(K, y, C=C, seed=seed, repetition=0, folds=FOLDS)
    state = int(np.random.SeedSequence([seed, 0]).generate_state(1)[0])
    place = {int(item): at for at, item in enumerate(known)}
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=state).split(y, y):
        seen, asked = ([int(i) for i in part if int(i) in place] for part in (train, test))
        for column, name in enumerate(np.unique(y)):
            member = y[seen] == name
            if asked and 0 < member.sum() < len(seen):
                rows, cols = [place[i] for i in asked], [place[i] for i in seen]
                machine = SVC(C=C, kernel="precomputed", tol=1e-6).fit(T[np.ix_(cols, cols)], member)
                found[asked, column] = machine.decision_function(T[np.ix_(rows, cols)])
    return found


def rows(map_: Callable[..., Iterable[FloatArray]]) -> Iterator[Row]:
    data.digits()
    found = np.array(list(map_(repetition, range(REPETITIONS))))
    ours, others = found.mean(axis=0)
    for i, share in enumerate(SHARES):
        for j, name in enumerate(NAMES):
            # the draws are the same; hidden items that a fill makes all alike are decided by the last digit
            yield Row(
                f"{100 * share:.0f} % hidden, {name}: other code", ours[i, j], others[i, j], rounding=0.5
            )
