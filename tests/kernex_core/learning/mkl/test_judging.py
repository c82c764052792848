"""Several kernels judged as one: everything that looks at labels or training blocks does so inside the fold."""

import numpy as np
import pytest
from sklearn.svm import SVC

from kernex_core.base.errors import InvalidInputError
from kernex_core.completion.joint import pointwise_product, weighted_sum
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.power import SignedPower
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation, inner_folds, make_folds
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.mkl import minimise
from kernex_core.learning.mkl.judging import judge_many, judge_many_in_steps
from kernex_core.learning.mkl.learn import mkl
from kernex_core.learning.mkl.weightings import (
    WEIGHT_COSTS,
    WEIGHTINGS,
    ByAlignment,
    EqualWeights,
    GivenWeights,
    LearnedWeights,
    Together,
    alignment_weights,
)
from kernex_core.learning.regression.evaluate import judge_numbers

CONFIG = CrossValidation(folds=5, repeats=2, C=1.0)


def world(seed=0, n=40, signal=1.5):
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 2
    X = rng.normal(size=(n, 4))
    X[:, 0] += signal * codes
    kernels = {f"k{j}": GramMatrix(np.exp(-((X[:, [j]] - X[:, j]) ** 2) / 2)) for j in range(4)}
    ids = kernels["k0"].ids
    return kernels, Labels(ids, np.array(["a", "b"])[codes]), X


def ways():
    return [GivenWeights((0.25,) * 4) if each is GivenWeights else each() for each in WEIGHTINGS]


@pytest.mark.parametrize("weighting", ways(), ids=lambda way: type(way).__name__)
def test_every_weighting_is_judged_and_written_as_a_script(weighting):
    kernels, labels, X = world()
    made = judge_many(kernels, labels, CONFIG, Together(weighting))
    assert made.judgement.multi_class.mean > 0.6
    assert made.weights.by_fold.shape == (10, 4)
    np.testing.assert_allclose(made.weights.by_fold.sum(axis=1), 1.0)
    np.testing.assert_allclose(made.weights.mean, made.weights.by_fold.mean(axis=0))
    assert made.weights.names == tuple(kernels)
    assert made.recipe.function == "judge_many"
    numbers = judge_many(kernels, 3.0 * X[:, 0] + 9.0, CONFIG, Together(weighting, numbers=True))
    assert numbers.judgement.r2.mean > 0.3
    if weighting.sees_labels:
        assert made.weights.mean.argmax() == numbers.weights.mean.argmax() == 0
        assert made.weights.used[0] == 1.0


def test_weights_of_a_fold_are_those_of_its_training_items():
    kernels, labels, _ = world()
    made = judge_many(kernels, labels, CONFIG, Together(LearnedWeights(C=0.5)))
    aligned = judge_many(kernels, labels, CONFIG, Together(ByAlignment()))
    codes = (labels.y == "b").astype(np.int64)
    for row, fold in enumerate(make_folds(codes, CONFIG)):
        blocks = [K.values[np.ix_(fold.train, fold.train)] for K in kernels.values()]
        wanted = mkl(blocks, labels.y[fold.train], C=0.5).weights
        np.testing.assert_allclose(made.weights.by_fold[row], wanted, atol=2e-2)
        wanted = alignment_weights(blocks, labels.y[fold.train]).weights
        np.testing.assert_allclose(aligned.weights.by_fold[row], wanted, atol=1e-9)


def test_similarities_of_test_items_change_no_weight():
    """Bit for bit, although kernels are normalised: that is done by the training block, too."""
    kernels, labels, _ = world()
    config = CrossValidation(folds=2, repeats=1)
    fold = make_folds((labels.y == "b").astype(np.int64), config)[0]
    hidden = {name: GramMatrix(with_other_tests(K.values, fold.test)) for name, K in kernels.items()}
    for way in (LearnedWeights(choose_C=True), ByAlignment()):
        together = Together(way, kind="joint")
        seen, unseen = (judge_many(each, labels, config, together) for each in (kernels, hidden))
        np.testing.assert_array_equal(seen.weights.by_fold[0], unseen.weights.by_fold[0])
        assert not np.array_equal(seen.weights.by_fold[1], unseen.weights.by_fold[1])


def with_other_tests(K, test):
    """A kernel whose rows of test items are others: those of new items of the same length."""
    other = np.eye(len(K))
    train = np.setdiff1d(np.arange(len(K)), test)
    other[np.ix_(train, train)] = K[np.ix_(train, train)]
    return other


def named_rightly(blocks, y, train, test, C_weights):
    """Items of `test` that an SVM of scikit-learn names rightly, with weights that training items make."""
    own = [K[np.ix_(train, train)] for K in blocks]
    unit = np.mean([np.diag(K) for K in own])
    weights = mkl([K / unit for K in own], y[train], C=C_weights).weights
    K = np.tensordot(weights, blocks, 1)
    machine = SVC(C=1.0, kernel="precomputed", tol=1e-8).fit(K[np.ix_(train, train)], y[train])
    return int((machine.predict(K[np.ix_(test, train)]) == y[test]).sum())


def test_the_cost_of_weights_is_chosen_by_loops_inside_the_fold():
    kernels, labels, _ = world(seed=3, signal=1.0)
    config, blocks, picked = (
        CrossValidation(folds=2, repeats=1, C=1.0),
        [K.values for K in kernels.values()],
        [],
    )
    together = Together(LearnedWeights(choose_C=True), normalize="none")
    made = judge_many(kernels, labels, config, together)
    codes = (labels.y == "b").astype(np.int64)
    for fold in make_folds(codes, config):
        inner = inner_folds(codes, fold.train, config, None)
        right = [sum(named_rightly(blocks, labels.y, *one[:2], C) for one in inner) for C in WEIGHT_COSTS]
        picked.append(WEIGHT_COSTS[int(np.argmax(right))])
    assert dict(made.weights.costs) == {C: picked.count(C) for C in picked}
    assert judge_many(kernels, labels, config, Together(LearnedWeights())).weights.costs == ()


@pytest.mark.parametrize(
    ("way", "kind"),
    [(LearnedWeights(choose_C=True), "weighted sum"), (ByAlignment(), "joint")],
    ids=["mkl", "joint by alignment"],
)
@pytest.mark.parametrize("worlds", [3, pytest.param(12, marks=pytest.mark.science)])
def test_permuted_labels_are_at_level_with_all_that_is_made_inside(way, kind, worlds):
    found = []
    for seed in range(worlds):
        kernels, labels, _ = world(seed, signal=0.0)
        config = CrossValidation(folds=5, repeats=1, choose_C=True)
        found.append(judge_many(kernels, labels, config, Together(way, kind=kind)).judgement.multi_class.mean)
    error = np.std(found, ddof=1) / np.sqrt(worlds)
    assert -4.0 * error - 0.05 < np.mean(found) - 0.5 < 3.0 * error


def test_equal_and_given_weights_are_the_weighted_sum():
    kernels, labels, X = world()
    for way, weights in ((EqualWeights(), None), (GivenWeights((0.7, 0.1, 0.2, 0.0)), (0.7, 0.1, 0.2, 0.0))):
        K = weighted_sum(list(kernels.values()), weights)
        wanted = np.tensordot(
            [0.25] * 4 if weights is None else weights, [K.values for K in kernels.values()], 1
        )
        np.testing.assert_allclose(K.values, wanted, atol=1e-12)
        plain = judge(K, labels, CONFIG)
        many = judge_many(kernels, labels, CONFIG, Together(way, normalize="none"))
        np.testing.assert_array_equal(many.judgement.correct, plain.correct)
        numbers = judge_many(kernels, X[:, 0], CONFIG, Together(way, "none", KernelRidge(0.1), numbers=True))
        alone = judge_numbers(K, X[:, 0], CONFIG, learner=KernelRidge(0.1))
        np.testing.assert_allclose(numbers.judgement.predicted, alone.predicted, atol=1e-9)
    product = pointwise_product(list(kernels.values()))
    np.testing.assert_allclose(
        product.values, np.prod([K.values for K in kernels.values()], axis=0), atol=1e-12
    )
    assert len(product.steps) == 3


def test_steps_of_an_inductive_run_are_fitted_in_the_fold_and_the_worst_mode_is_told():
    kernels, labels, _ = world()
    kernels["k1"] = kernels["k1"].then(EmpiricalMap(SignedPower(0.5)))
    modes = [
        judge_many(
            kernels, labels, CrossValidation(inductive=inductive), Together(EqualWeights())
        ).judgement.state.words
        for inductive in (False, True)
    ]
    assert modes == ["transductive, as brought", "as brought"]


def test_pieces_end_in_the_whole():
    kernels, labels, _ = world()
    together = Together(LearnedWeights(), learner=SupportVectors(1.0))
    states = list(judge_many_in_steps(kernels, labels, CONFIG, together))
    assert states[-1].done == states[-1].total == 10
    assert states[-1].made == judge_many(kernels, labels, CONFIG, together)


def test_threads_change_no_bit_of_weights_that_quasi_newton_steps_find(rng, monkeypatch):
    y = np.where(rng.random(240) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(240, 5)) + np.outer(y, [1.0, 0.6, 0.4, 0.0, 0.0])
    kernels = [
        GramMatrix(np.exp(-((X[:, [j]] - X[:, j]) ** 2) / (2 * s**2)))
        for s in (0.25, 0.5, 1.0)
        for j in range(5)
    ]
    steps, made = [], []
    plain = minimise.quasi_newton
    monkeypatch.setattr(minimise, "quasi_newton", lambda *a, **k: steps.append(1) or plain(*a, **k))
    for setting in ("1", "8"):
        monkeypatch.setenv("KERNEX_THREADS", setting)
        labels = np.where(y > 0.0, "a", "b")
        made.append(
            judge_many(kernels, labels, CrossValidation(folds=5, repeats=1), Together(LearnedWeights(C=0.1)))
        )
    assert steps
    np.testing.assert_array_equal(made[0].weights.by_fold, made[1].weights.by_fold)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"kernels": {"a": np.eye(4)}}, "GramMatrix"),
        ({"kernels": [GramMatrix(np.eye(2)), GramMatrix(np.eye(2), ids=("x", "y"))]}, "same items"),
        ({"together": Together("mkl")}, "WEIGHTINGS"),
        ({"together": Together(EqualWeights(), kind="mean")}, "combination"),
        ({"together": Together(GivenWeights((0.5, 0.5)))}, "one weight"),
    ],
)
def test_what_cannot_be_is_refused(wrong, words):
    given = {"kernels": [GramMatrix(np.eye(8))], "y": ["a", "b"] * 4, "config": CrossValidation()}
    with pytest.raises(InvalidInputError, match=words):
        judge_many(**{**given, "together": Together(EqualWeights()), **wrong})
    with pytest.raises(InvalidInputError, match="sum to 1"):
        GivenWeights((0.5, 0.6))
    with pytest.raises(InvalidInputError, match="same items"):
        weighted_sum([GramMatrix(np.eye(2)), GramMatrix(np.eye(2), ids=("x", "y"))])
