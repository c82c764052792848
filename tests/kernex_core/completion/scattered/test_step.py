"""Completion of pairs as a step: the same as the function on all items; a new item against its own minimum."""

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.completion.scattered.factors import POWER
from kernex_core.completion.scattered.fills import hide_pairs
from kernex_core.completion.scattered.pairs import complete_pairs
from kernex_core.completion.scattered.step import CompletePairs
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.seen import PAIR
from kernex_core.gram.split import split_inductively
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation

N = 36
ASKED = {"strength": 0.1, "rank": 4}


def kernels(seed=0, hidden=0.3):
    """A target of which pairs are hidden, the whole target, a source, and classes."""
    rng = np.random.default_rng(seed)
    y = np.repeat(["a", "b", "c"], N // 3)
    means = dict(zip("abc", rng.normal(size=(3, 5)), strict=True))
    Z = np.array([means[each] for each in y]) + 0.4 * rng.normal(size=(N, 5))
    X = Z + 0.5 * rng.normal(size=(N, 5))
    ids = tuple(f"i{k}" for k in range(N))

    def cosine(A):
        A = A / np.linalg.norm(A, axis=1, keepdims=True)
        return A @ A.T

    whole = GramMatrix(cosine(Z), ids, "target", seen=PAIR)
    return (
        hide_pairs(whole, hidden),
        whole,
        GramMatrix(3.0 * cosine(X), ids, "source", seen=PAIR),
        Labels(ids, y),
    )


@pytest.mark.parametrize("finish", ["keep", "smooth"])
@pytest.mark.parametrize("given", [False, True])
def test_on_all_items_it_is_the_function(given, finish):
    T, _, source, _ = kernels()
    source = source if given else None
    made = T.then(CompletePairs(source, finish=finish, **ASKED))
    assert np.array_equal(made.values, complete_pairs(T, source, finish=finish, **ASKED).values)


@pytest.mark.parametrize("rho", [0.3, np.inf])
@pytest.mark.parametrize("given", [False, True])
def test_a_new_item_has_the_factors_that_cost_least(given, rho):
    """f over its own factors alone, those of the fitted items fixed, with L of all items by an inverse."""
    T, _, source, _ = kernels()
    train, new = np.arange(N - 1), np.array([N - 1])
    step = CompletePairs(source if given else None, rho=rho, **ASKED)
    cross = split_inductively(T.then(step), train, new).K_cross[0]
    made = complete_pairs(T.take(train), source.take(train) if given else None, rho=rho, **ASKED)
    model, U = made.fitted, made.fitted.U
    t, known = T.values[-1, :-1], ~np.isnan(T.values[-1, :-1])
    S = source.values / np.mean(np.diag(source.values)[:-1])
    base = model.m + (model.c * S[-1, :-1] if given else 0.0)
    L = np.eye(N)
    if given and np.isfinite(rho):
        B = np.sign(S) * np.abs(S) ** POWER
        values, vectors = np.linalg.eigh(B[:-1, :-1])
        kept = vectors[:, values > 0.0]
        B[:-1, :-1] = (kept * values[values > 0.0]) @ kept.T
        B[-1, :-1] = B[:-1, -1] = kept @ kept.T @ B[-1, :-1]
        fitted, b = B[:-1, :-1] + rho * np.eye(N - 1), B[-1, :-1]
        B[-1, -1] = max(B[-1, -1], b @ np.linalg.solve(fitted, b))  # so that it is a kernel
        L = np.linalg.inv((B + rho * np.eye(N)) / (np.trace(fitted) / (N - 1)))

    # the gradient of f over u is 0 at what predictions of unknown pairs say, and known pairs stand as they are
    A = (U[known].T @ U[known]) + model.lam * L[-1, -1] * np.eye(U.shape[1])
    u = np.linalg.solve(A, U[known].T @ (t - base)[known] - model.lam * L[-1, :-1] @ U)
    assert np.array_equal(cross[known], t[known])
    assert np.allclose(cross[~known], (base + U @ u)[~known], atol=1e-8)
    assert (~known).sum() > 3


def test_an_item_of_which_nothing_is_known_is_placed_by_the_source():
    T, whole, source, _ = kernels()
    values = np.array(T.values)
    values[-1, :-1] = values[:-1, -1] = np.nan
    train, new = np.arange(N - 1), np.array([N - 1])
    T = GramMatrix(values, T.ids, "target")
    by_source = split_inductively(T.then(CompletePairs(source)), train, new).K_cross[0]
    alone = split_inductively(T.then(CompletePairs()), train, new).K_cross[0]
    assert np.corrcoef(by_source, whole.values[-1, :-1])[0, 1] > 0.7
    assert np.ptp(alone) < 1e-12


def test_inside_the_folds_tested_items_are_not_looked_at():
    T, _, source, labels = kernels()
    K = T.then(CompletePairs(source, rho=1.0, **ASKED))
    validation = CrossValidation(folds=2, repeats=1, inductive=True)
    judged = judge(K, labels, validation, allow_indefinite=True)
    assert judged.state.mode == "inductive"
    assert judged.multi_class.mean > 0.8
    # similarities among tested items change nothing
    test = np.arange(0, N, 4)
    train = np.setdiff1d(np.arange(N), test)
    values = np.array(T.values)
    values[np.ix_(test, test)] = np.where(np.eye(test.size), 1.0, 0.123)
    other = GramMatrix(values, T.ids, "target").then(CompletePairs(source, rho=1.0, **ASKED))
    once, again = (split_inductively(each, train, test).K_cross for each in (K, other))
    assert np.array_equal(once, again)


def test_a_source_of_other_items_is_refused():
    T, _, source, _ = kernels()
    with pytest.raises(InvalidInputError, match="same items"):
        T.then(CompletePairs(source.take(np.arange(9))))
