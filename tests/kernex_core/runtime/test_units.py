"""Units of work of every long study: descriptions that anybody's pickle takes, and the same bits wherever they are done."""

import pickle
from concurrent.futures import Future
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import sparse

from kernex_core import (
    Center,
    CompletionConfig,
    CosineNormalize,
    CrossValidation,
    DiagonalConfig,
    Diffusion,
    GramMatrix,
    Hide,
    KernelRidge,
    KernexError,
    Labels,
    LearnedWeights,
    Network,
    Protocol,
    Together,
    TournamentConfig,
    completion_atlas,
    diagonal_atlas,
    judge,
    judge_many,
    judge_numbers,
    last_state,
    network_atlas,
    permutation_test,
    tournament,
)
from kernex_core.runtime import executors
from kernex_core.studies.evaluation import choosing_among

LABELS = Labels(tuple(f"i{k}" for k in range(24)), np.repeat(["a", "b"], 12))
NUMBERS = Labels(LABELS.ids, np.array([f"{k % 7}.5" for k in range(24)]))
TWICE = CrossValidation(folds=2, repeats=2)
CHOSEN = CrossValidation(folds=2, repeats=1, choose_C=True)


class Pickled:
    """Workers that are this process itself; what they are given was pickled."""

    count, lost, given_up = 2, (), ()

    def __init__(self):
        self.calls = 0

    def keep(self, data):
        return bytes(data)

    def submit(self, work, *args):
        self.calls += 1
        future = Future()
        try:
            future.set_result(work(*args))
        except KernexError as error:
            future.set_exception(error)
        return future


@cache
def kernels():
    rng = np.random.default_rng(0)
    made = {}
    for name in ("first", "second"):
        X = rng.normal(size=(24, 4)) + np.arange(24)[:, None] // 12
        made[name] = GramMatrix(X @ X.T, LABELS.ids, name)
    return made


def partly_known():
    return kernels() | {"second": kernels()["second"].then(Hide(tuple(range(1, 24, 2)))).renamed("second")}


def network():
    path = np.eye(24, k=1) + np.eye(24, k=-1)
    return Network(LABELS.ids, sparse.csr_array(path))


def row(states):
    """One row of an atlas is as good as all of them."""
    found = next(state for state in states if state is not None and state.done)
    states.close()
    return found


STUDIES = {
    "judge": lambda: judge(kernels()["first"].then(CosineNormalize()), LABELS, CHOSEN),
    "judge inductively": lambda: judge(
        kernels()["first"].then(Center()), LABELS, replace(CHOSEN, inductive=True), learner=KernelRidge()
    ),
    "judge numbers": lambda: judge_numbers(kernels()["first"], NUMBERS, CHOSEN),
    "judge many": lambda: judge_many(kernels(), LABELS, CHOSEN, Together(LearnedWeights())),
    "nested choice": lambda: last_state(choosing_among(kernels(), LABELS, TWICE)),
    "null model": lambda: permutation_test(kernels(), LABELS, TWICE, permutations=3),
    "tournament": lambda: last_state(tournament(TournamentConfig(), partly_known(), LABELS, TWICE)),
    "tournament of numbers": lambda: last_state(
        tournament(TournamentConfig(), kernels(), NUMBERS, TWICE, "numbers")
    ),
    "diagonal atlas": lambda: row(
        diagonal_atlas(DiagonalConfig(), kernels()["first"], LABELS, Protocol(TWICE))
    ),
    "completion atlas": lambda: row(
        completion_atlas(CompletionConfig(), *partly_known().values(), LABELS, TWICE)
    ),
    "network atlas": lambda: row(network_atlas(Diffusion(), network(), LABELS, TWICE)),
}


@pytest.mark.parametrize("name", STUDIES)
def test_units_of_every_long_study_can_be_pickled_and_are_the_same_bits(name, monkeypatch):
    expected = STUDIES[name]()
    apart = Pickled()
    monkeypatch.setattr(executors, "workers", lambda: apart)
    monkeypatch.setattr(executors, "is_patient", lambda: True)  # as on a page
    monkeypatch.setattr("cloudpickle.dumps", pickle.dumps)
    assert STUDIES[name]() == expected
    assert apart.calls > 0
