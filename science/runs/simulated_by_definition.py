from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.protein_world import protein_world
from science.runs.simulated_proteins import DOCUMENTED, DOCUMENTED_JOINT, DOCUMENTED_WORLDS, C
from science.table import Row
from tests.oracles.one_vs_rest import accuracies, joint_by_inverses, normalised_and_clipped

TITLE = "Accuracies of the simulated proteins, by definition and scikit-learn alone: what their documentation says."
REPEATS = 5
SMALL = {"REPEATS": 1, "DOCUMENTED_WORLDS": 2}


def world(seed: int) -> FloatArray:
    """One-vs-rest accuracy in %: source and target alone, then the documented cells."""
    made = protein_world(seed)
    assert made.labels is not None
    y, T = made.labels.y, made.kernels["structure"].values
    K = normalised_and_clipped(made.kernels["sequence"].values)
    found = [accuracies(M, y, C=C, repeats=REPEATS, seed=seed)[0] for M in (K, normalised_and_clipped(T))]
    for share, lam in DOCUMENTED_JOINT:
        values = []
        for repeat in range(REPEATS):
            shuffled = np.random.default_rng([seed, repeat]).permutation(made.n)
            joint = joint_by_inverses(K, T, np.sort(shuffled[round(share * made.n) :]), lam)
            values.append(accuracies(joint, y, C=C, repeats=1, seed=10 * seed + repeat)[0])
        found.append(float(np.mean(values)))
    return np.array(found)


def rows(map_: Callable[..., Iterable[FloatArray]]) -> Iterator[Row]:
    mean = np.mean(list(map_(world, range(DOCUMENTED_WORLDS))), axis=0)
    documented = {f"{role} alone": value for role, value in DOCUMENTED.items()}
    documented |= {
        f"{100 * s:.0f} % missing, λ = {lam}": value for (s, lam), value in DOCUMENTED_JOINT.items()
    }
    for what, measured, value in zip(documented, mean, documented.values(), strict=True):
        yield Row(what, float(measured), value, rounding=0.5)
