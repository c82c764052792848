import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.empirical_map import EmpiricalMap, StandardisedMap
from kernex_core.conditioning.power import SignedLog, SignedPower, SpectralMap
from kernex_core.conditioning.repairs import Clip
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Passes, interval_of
from kernex_core.learning.chance.paired import recall_by_item
from kernex_core.learning.folds import CrossValidation, Fold, stratified_folds
from kernex_core.learning.machine import Coded, Margin, code_labels, fit_one_vs_rest
from kernex_core.learning.protocol import Components, Judging, Protocol
from kernex_core.learning.scores import balanced_loss
from kernex_core.studies.diagonals.judging import (
    class_balanced_loss,
    component_losses,
    hard_margin_notes,
    neighbour_losses,
    svm_losses,
)
from tests.kernex_core.learning.test_evaluate import classes_and_kernel
from tests.oracles.vectors import load


@pytest.fixture
def problem(rng):
    codes = np.repeat([0, 1, 2], 10)
    X = rng.normal(size=(30, 4)) + 2.0 * np.eye(4)[codes]
    return GramMatrix(X @ X.T), Coded(codes, ("a", "b", "c")), stratified_folds(codes, 3, repeats=2)


def test_the_loss_of_two_classes_is_the_balanced_one(rng):
    truth, guess = rng.integers(2, size=40), rng.integers(2, size=40)
    assert class_balanced_loss(truth, guess) == pytest.approx(balanced_loss(truth, guess, positive=1))
    assert class_balanced_loss(np.array([1, 1]), np.array([1, 0])) == 0.5


@pytest.mark.parametrize("losses", [svm_losses, component_losses])
def test_the_scale_of_the_kernel_does_not_matter(losses, problem):
    K, coded, folds = problem
    first = losses(K, Judging.given(coded, folds, C=1.0))
    for scale in (1e-9, 1e-250):
        for inductive in (False, True):
            second = losses(
                GramMatrix(scale * K.values), Judging.given(coded, folds, C=1.0, inductive=inductive)
            )
            np.testing.assert_allclose(first.values, second.values)
    assert first.by_repeat.shape == (2,)
    assert first.mean < 0.4


STEPS = {
    "map": (EmpiricalMap(SignedPower(0.5)),),
    "standardised map": (StandardisedMap(SignedPower(0.5)),),
    "map with a logarithm": (EmpiricalMap(SignedLog(100.0)),),
    "clip": (SignedPower(0.5), Clip()),
    "eigenvalues": (SpectralMap(SignedPower(0.5)),),
}


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS.keys())
def test_an_inductive_run_is_blind_to_similarities_among_test_items(problem, rng, steps):
    K, coded, _ = problem
    fold = Fold(np.arange(0, 30, 2), np.arange(1, 30, 2), 0)
    noise = rng.normal(size=(15, 15))
    other = K.values.copy()
    # positive semidefinite still, or the spectral map of all items would refuse it
    other[1::2, 1::2] += 50.0 * noise @ noise.T

    def all_losses(values, inductive, order=slice(None)):
        gram = GramMatrix(values)
        for step in steps:
            gram = gram.then(step)
        folds = [Fold(fold.train, fold.test[order], 0)]
        return [
            svm_losses(gram, Judging.given(coded, folds, C=1.0, inductive=inductive)).mean,
            neighbour_losses(gram, Judging.given(coded, folds, C=1.0, inductive=inductive)).mean,
            component_losses(
                gram, Judging.given(coded, folds, C=1.0, components=Components(3), inductive=inductive)
            ).mean,
            component_losses(
                gram, Judging.given(coded, folds, C=1.0, components=Components(3, True), inductive=inductive)
            ).mean,
        ]

    given = all_losses(K.values, True)
    assert given == all_losses(other, True)
    assert given == pytest.approx(all_losses(K.values, True, rng.permutation(15)))
    assert all_losses(K.values, False) != all_losses(other, False)


def test_rows_of_test_items_that_are_swapped_take_their_losses_along(problem):
    """Permuting the test rows of K among themselves permutes predictions: each item keeps its own label."""
    K, coded, _ = problem
    order = np.arange(30)
    order[1::2] = order[1::2][::-1]
    gram = GramMatrix(K.values[np.ix_(order, order)]).then(EmpiricalMap(SignedPower(0.5)))
    fold = Fold(np.arange(0, 30, 2), np.arange(1, 30, 2), 0)
    moved = Coded(coded.codes[order], coded.classes)
    plain = GramMatrix(K.values).then(EmpiricalMap(SignedPower(0.5)))
    for found in (svm_losses, component_losses):
        first = found(plain, Judging.given(coded, [fold], C=1.0, inductive=True))
        assert first.mean == pytest.approx(
            found(gram, Judging.given(moved, [fold], C=1.0, inductive=True)).mean
        )


def test_all_components_are_the_kernel(problem):
    K, coded, folds = problem
    plain = svm_losses(K, Judging.given(coded, folds, C=1.0))
    for inductive in (False, True):
        parts = component_losses(
            K, Judging.given(coded, folds, C=1.0, components=Components(30), inductive=inductive)
        )
        np.testing.assert_allclose(parts.values, plain.values)


def test_contradictory_duplicates_are_told():
    K = GramMatrix(np.kron(np.eye(3), np.ones((4, 4))))
    codes = np.tile([0, 1], 6)
    fold = Fold(np.arange(12), np.arange(12), 0)
    found = svm_losses(K, Judging.given(Coded(codes, ("a", "b")), [fold], C=1e6))
    assert found.training_errors > 0
    assert "not hard everywhere" in hard_margin_notes(found, 1e6)[0]
    assert hard_margin_notes(found, 1.0) == () or "iterations" in hard_margin_notes(found, 1.0)[0]


def test_a_fold_with_one_class_predicts_it(problem):
    K, coded, _ = problem
    fold = Fold(np.arange(5), np.arange(5, 30), 0)
    assert svm_losses(K, Judging.given(coded, [fold], C=1e6, inductive=True)).mean == pytest.approx(2.0 / 3.0)


def test_a_kernel_of_zeros_is_judged_by_chance_and_not_by_an_error(problem):
    _, coded, folds = problem
    found = svm_losses(GramMatrix(np.zeros((30, 30))), Judging.given(coded, folds, C=1e6))
    assert found.mean == pytest.approx(2.0 / 3.0)


def test_components_that_cannot_be_had_are_refused():
    for number in (0, -3, 1.5, 10**6):
        with pytest.raises(InvalidInputError):
            Components(number)


@pytest.mark.parametrize("inductive", [False, True])
@pytest.mark.parametrize("centred", [False, True])
def test_components_are_those_of_scikit_learn_and_of_an_eigendecomposition(problem, centred, inductive):
    from sklearn.decomposition import PCA, TruncatedSVD
    from sklearn.svm import SVC

    K, coded, folds = problem
    root = np.linalg.cholesky(K.values + 1e-9 * np.eye(K.n))  # rows whose products are K
    lost = []
    for fold in folds:
        seen = fold.train if inductive else np.arange(K.n)
        made = PCA(2) if centred else TruncatedSVD(2, algorithm="arpack")
        made.fit(root[seen])
        F = made.transform(root)
        scale = (F[fold.train] ** 2).sum(axis=1).mean()
        G = F @ F.T / scale
        first = SVC(kernel="precomputed", C=1.0, tol=1e-6, decision_function_shape="ovr")
        decisions = []
        for c in range(3):
            first.fit(G[np.ix_(fold.train, fold.train)], np.where(coded.codes[fold.train] == c, 1, -1))
            decisions.append(first.decision_function(G[np.ix_(fold.test, fold.train)]))
        lost.append(class_balanced_loss(coded.codes[fold.test], np.argmax(decisions, axis=0)))
    found = component_losses(
        K, Judging.given(coded, folds, C=1.0, components=Components(2, centred), inductive=inductive)
    )
    np.testing.assert_allclose(found.values, lost, atol=1e-9)


def test_the_asymmetric_margin_adds_the_diagonal_of_the_vector(rng):
    vector = load()["asymmetric_margin_diag"]
    codes = (np.array(vector["input"]["y"]) > 0).astype(int)
    X = rng.normal(size=(5, 7))
    K = X @ X.T
    made = fit_one_vs_rest(K, codes, 2, C=1e6, asymmetry=vector["input"]["c"], tolerance=1e-9)
    ridged = fit_one_vs_rest(K + np.diag(vector["expected"]), codes, 2, C=1e6, tolerance=1e-9)
    plain = fit_one_vs_rest(K, codes, 2, C=1e6, tolerance=1e-9)
    np.testing.assert_allclose(made.coefficients, ridged.coefficients, atol=1e-7)
    assert not np.allclose(made.coefficients, plain.coefficients, atol=1e-5)


def test_the_asymmetric_margin_reaches_the_machine(problem):
    K, coded, folds = problem
    two = Coded((coded.codes > 0).astype(int), ("a", "b"))
    hard = svm_losses(K, Judging.given(two, folds, C=1e6))
    soft = svm_losses(K, Judging.given(two, folds, C=1e6, margin=Margin(asymmetry=1.0)))
    assert hard.problems == soft.problems == len(folds)
    assert hard.iterations > 0
    assert not np.array_equal(hard.values, soft.values) or hard.iterations != soft.iterations
    assert soft.at_bound == 0


def test_without_the_division_a_small_kernel_is_soft(problem):
    K, coded, folds = problem
    raw = svm_losses(
        GramMatrix(1e-12 * K.values), Judging.given(coded, folds, C=1.0, margin=Margin(scaled=False))
    )
    scaled = svm_losses(GramMatrix(1e-12 * K.values), Judging.given(coded, folds, C=1.0))
    assert raw.at_bound > scaled.at_bound
    assert raw.training_errors > scaled.training_errors
    assert "units of this kernel" in hard_margin_notes(raw, 1e6, Margin(scaled=False))[0]
    assert "asymmetric margin is soft" in hard_margin_notes(raw, 1e6, Margin(asymmetry=0.02))[0]


@pytest.mark.parametrize("change", [{"asymmetry": -1.0}, {"asymmetry": float("nan")}, {"scaled": 1}])
def test_margins_out_of_range_are_refused(change):
    with pytest.raises(InvalidInputError):
        Margin(**change)


@pytest.mark.parametrize("losses", [svm_losses, neighbour_losses])
def test_losses_know_which_items_were_missed_and_their_interval(rng, losses):
    """What an item has of it is that of the pooled items, moved to the mean over folds, which uneven folds make another."""
    K, y = classes_and_kernel(rng, sizes=(20, 12), gap=1.0)
    gram = GramMatrix(K)
    how = Judging.of(Labels(gram.ids, y), Protocol(CrossValidation(folds=2, repeats=3, C=1.0)))
    made = losses(gram, how)
    assert made.missed.shape == (3, 32)
    assert (made.codes == how.coded.codes).all()
    for fold, loss in zip(how.folds, made.values, strict=True):
        parts = [fold.test[made.codes[fold.test] == c] for c in (0, 1)]
        assert loss == pytest.approx(np.mean([made.missed[fold.repeat, part].mean() for part in parts]))
    rows = [recall_by_item(row.astype(float), made.codes) for row in made.missed]
    rows = [row + mean - row.mean() for row, mean in zip(rows, made.by_repeat, strict=True)]
    expected = interval_of(rows, Passes(2, 3), classes=made.codes)
    assert (made.interval.low, made.interval.high) == pytest.approx((expected.low, expected.high))
    np.testing.assert_allclose(made.by_item, rows)
    assert made.interval.low < made.mean < made.interval.high


def test_trials_that_test_some_of_the_items_have_no_interval(rng):
    K, y = classes_and_kernel(rng, sizes=(20, 12), gap=1.0)
    order = rng.permutation(32)
    folds = [Fold(order[:16], order[16:], 0), Fold(order[16:], order[:16], 1)]
    made = svm_losses(GramMatrix(K), Judging.given(code_labels(y), folds, C=1.0))
    assert made.interval is None
    assert svm_losses(GramMatrix(K), Judging.given(code_labels(y), folds[:1], C=1.0)).interval is not None
