from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.conditioning.power import Log1p
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.share_sweep import joint_scores, sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare_source
from science import data
from science.table import Row, difference_se
from tests.oracles.one_vs_rest import accuracies, joint_by_inverses, normalised_and_clipped

TITLE = "Logarithms of the TIM barrels' scores, which are indefinite: beside explicit inverses and LIBSVM, 20 repetitions."
REPETITIONS = 20
SMALL = {"REPETITIONS": 2}
SHARES = (0.1, 0.25, 0.5)
LAMS = (0.25, 0.9)
C = 10.0


def repetition(seed: int) -> FloatArray:
    """(engine, share, λ, measure): accuracies in %, one-vs-rest and multi-class; the engines draw on their own."""
    source, target, labels = data.tim_barrels(Log1p())
    config, protocol = CompletionConfig(seed=seed), CrossValidation(C=C, repeats=1, seed=seed)
    *_, state = sweeping(
        config, prepare_source(config, source), target, labels, protocol, shares=SHARES, repeats=1
    )
    ours, others = [], []
    K = normalised_and_clipped(source.values)
    for cell in state.sweep.cells:
        assert cell.share is not None
        shuffled = np.random.default_rng(seed + 1).permutation(source.n)
        known = np.sort(shuffled[round(cell.share * source.n) :])
        for lam in LAMS:
            scores = joint_scores(cell, lam)
            ours.append((100.0 * scores.one_vs_rest, 100.0 * scores.multi_class))
            joint = joint_by_inverses(K, target.values, known, lam)
            others.append(accuracies(joint, labels.y, C=C, repeats=1, seed=seed + 2))
    return np.array([ours, others]).reshape(2, len(SHARES), len(LAMS), 2)


def rows(map_: Callable[..., Iterable[FloatArray]]) -> Iterator[Row]:
    data.tim_barrels()
    found = np.array(list(map_(repetition, [100_000 + 10 * i for i in range(REPETITIONS)])))
    mean, sd = found.mean(axis=0), found.std(axis=0, ddof=1)
    se = difference_se(len(found) ** -0.5, len(found) ** -0.5) * sd.max(axis=0)
    for i, share in enumerate(SHARES):
        for j, lam in enumerate(LAMS):
            for k, measure in enumerate(("one-vs-rest", "multi-class")):
                what = f"{100 * share:.0f} % missing, λ = {lam}, {measure}: other code"
                yield Row(what, mean[0, i, j, k], mean[1, i, j, k], se[i, j, k])
