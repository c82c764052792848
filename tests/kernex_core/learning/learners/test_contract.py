"""Every learner of the catalogue: one contract, on classes and on numbers, alone and inside folds."""

import numpy as np
import pytest

from kernex_core import alignment_weights, kernel_ridge, mkl, predict_numbers
from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.learners.catalogue import LEARNERS
from kernex_core.learning.learners.contract import Targets, cost_of, lam_of
from kernex_core.learning.learners.neighbours import NearestNeighbours, nearest, vote
from kernex_core.learning.learners.on_components import OnComponents
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.learners.support_vectors import HardMargin, SupportVectorRegression, SupportVectors
from kernex_core.learning.machine import fit_one_vs_rest
from kernex_core.learning.mkl.base_kernels import KernelStack
from kernex_core.learning.mkl.losses import square_loss_mkl
from kernex_core.learning.regression.evaluate import judge_numbers
from kernex_core.studies.lessons.smoothness import interpolate

CASES = [pytest.param(each, kind, id=f"{each.__name__}-{kind}") for each in LEARNERS for kind in each.learns]
CLASSES = [each for each in LEARNERS if "classes" in each.learns]
NUMBERS = [each for each in LEARNERS if "numbers" in each.learns]


def world(kind, n=90, classes=3, seed=3):
    """Training block, similarities of new items to it, and what is to be learned of both."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % classes
    X = 0.5 * rng.normal(size=(n, 3)) + 2.0 * np.eye(3)[codes]
    y = X[:, 0] - 0.5 * X[:, 1] ** 2 + 3.0
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 8.0)
    train, new = np.arange(n) < 2 * n // 3, np.arange(n) >= 2 * n // 3
    values = codes if kind == "classes" else y
    targets = Targets(values[train], classes if kind == "classes" else 0)
    return K[np.ix_(train, train)], K[np.ix_(new, train)], targets, values[new]


@pytest.mark.parametrize(("kind_of", "kind"), CASES)
def test_a_learner_learns(kind_of, kind):
    K, cross, targets, truth = world(kind)
    before = digest(K)
    made = kind_of().fit(K, targets).decide(cross)
    assert digest(K) == before
    assert np.isfinite(made).all()
    if kind == "classes":
        assert made.shape == (30, 3)
        assert (made.argmax(axis=1) == truth).mean() >= 0.9
        assert ((made > 0.0) == (truth[:, None] == np.arange(3))).mean() >= 0.9
    else:
        assert made.shape == (30, 1)
        assert ((made[:, 0] - truth) ** 2).mean() < 0.2 * truth.var()


@pytest.mark.parametrize(("kind_of", "kind"), CASES)
def test_neither_the_order_of_items_nor_that_of_the_new_ones_matters(kind_of, kind, rng):
    K, cross, targets, _ = world(kind)
    made = kind_of().fit(K, targets).decide(cross)
    order, new = rng.permutation(len(K)), rng.permutation(len(cross))
    other = kind_of().fit(
        np.ascontiguousarray(K[np.ix_(order, order)]), Targets(targets.values[order], targets.n_classes)
    )
    np.testing.assert_allclose(other.decide(cross[np.ix_(new, order)]), made[new], atol=5e-3)


@pytest.mark.parametrize(("kind_of", "kind"), CASES)
def test_fits_of_the_grid_are_those_of_the_candidates(kind_of, kind):
    K, cross, targets, _ = world(kind)
    learner = kind_of()
    assert len(learner.candidates) == max(len(learner.candidates[0].grid), 1) or isinstance(
        learner, OnComponents
    )
    for each, fit in zip(learner.candidates, learner.fits(K, targets), strict=True):
        np.testing.assert_allclose(fit.decide(cross), each.fit_in_units(K, targets).decide(cross), atol=5e-3)
        assert each.fit(K, targets).not_converged == fit.not_converged == 0
        assert learner.strength == "" or getattr(each, each.strength) == each.value


@pytest.mark.parametrize("kind_of", CLASSES)
def test_two_classes_mirror_one_another_and_a_class_without_items_is_never_named(kind_of):
    K, cross, targets, truth = world("classes", classes=2)
    two = kind_of().fit(K, targets).decide(cross)
    np.testing.assert_allclose(two[:, 0], -two[:, 1], atol=1e-6)
    assert (two.argmax(axis=1) == truth).mean() >= 0.9
    absent = kind_of().fit(K, Targets(targets.values, 3)).decide(cross)
    assert (absent[:, 2] < 0.0).all()
    assert (absent.argmax(axis=1) == two.argmax(axis=1)).all()
    alone = kind_of().fit(K, Targets(np.zeros(len(K), dtype=np.int64), 2)).decide(cross)
    assert (alone[:, 0] > 0.0).all()
    assert (alone[:, 1] < 0.0).all()


@pytest.mark.parametrize("kind_of", NUMBERS)
@pytest.mark.parametrize(("scale", "shift"), [(1000.0, 0.0), (1e-3, 5.0)])
def test_the_unit_of_a_number_does_not_matter(kind_of, scale, shift):
    K, cross, targets, _ = world("numbers")
    made = kind_of().fit(K, targets).decide(cross)
    other = kind_of().fit(K, Targets(scale * targets.values + shift)).decide(cross)
    np.testing.assert_allclose((other - shift) / scale, made, atol=1e-3)
    constant = kind_of().fit(K, Targets(np.full(len(K), 7.0))).decide(cross)
    np.testing.assert_allclose(constant, 7.0, atol=1e-9)


@pytest.mark.parametrize("kind_of", CLASSES)
@pytest.mark.parametrize("choose", [False, True])
def test_any_learner_of_classes_is_judged(kind_of, choose):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3)) + 1.5 * np.eye(3)[np.arange(40) % 2]
    K = GramMatrix(X @ X.T)
    labels = Labels(K.ids, np.array(["a", "b"])[np.arange(40) % 2])
    made = judge(K, labels, CrossValidation(folds=5, repeats=2, choose_C=choose), learner=kind_of())
    assert made.multi_class.mean > 0.7
    assert sum(count for _, count in made.costs) == 10
    chosen = choose and len(kind_of().candidates) > 1
    assert len(made.grid) == (len(kind_of().candidates) if chosen else 0)
    assert f"learner={kind_of.__name__}(" in write_script([made.recipe], heading="x")


@pytest.mark.parametrize("kind_of", NUMBERS)
def test_any_learner_of_numbers_is_judged(kind_of):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3))
    made = judge_numbers(
        X @ X.T, 10.0 * X[:, 0], CrossValidation(folds=5, repeats=2, choose_C=True), learner=kind_of()
    )
    assert made.r2.mean > 0.5
    assert made.spearman.mean > 0.5
    assert sum(count for _, count in made.strengths) == (0 if np.isnan(kind_of().value) else 10)


@pytest.mark.parametrize("kind_of", CLASSES)
@pytest.mark.parametrize("worlds", [4, pytest.param(12, marks=pytest.mark.science)])
def test_permuted_labels_are_at_level_although_the_strength_is_chosen(kind_of, worlds):
    """The mean over worlds of what was chosen inside the folds is ½: nothing of a fold was seen before it."""
    found = []
    for seed in range(worlds):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(40, 4))
        y = rng.permutation(np.array(["a", "b"] * 20))
        config = CrossValidation(folds=5, repeats=1, choose_C=True)
        found.append(judge(X @ X.T, y, config, learner=kind_of()).multi_class.mean)
    # stratified folds make chance fall a little below ½, never above
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    assert -4.0 * error - 0.05 < np.mean(found) - 0.5 < 3.0 * error


@pytest.mark.parametrize("kind_of", NUMBERS)
@pytest.mark.parametrize("worlds", [3, pytest.param(10, marks=pytest.mark.science)])
def test_permuted_numbers_are_not_predicted(kind_of, worlds):
    found = []
    for seed in range(worlds):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(40, 4))
        config = CrossValidation(folds=5, repeats=1, choose_C=True)
        found.append(
            judge_numbers(X @ X.T, rng.permutation(X[:, 0]), config, learner=kind_of()).spearman.mean
        )
    assert np.mean(found) < 3.0 * np.std(found, ddof=1) / np.sqrt(len(found))


def test_the_support_vector_machine_of_the_catalogue_is_the_one_of_judge(rng):
    X = rng.normal(size=(60, 4)) + np.eye(4)[np.arange(60) % 3]
    y = np.array(["a", "b", "c"])[np.arange(60) % 3]
    for config in (CrossValidation(C=2.0, repeats=2), CrossValidation(choose_C=True, repeats=1)):
        plain, named = judge(X @ X.T, y, config), judge(X @ X.T, y, config, learner=SupportVectors(config.C))
        np.testing.assert_array_equal(plain.correct, named.correct)
        assert (plain.costs, plain.grid, plain.auc) == (named.costs, named.grid, named.auc)


def test_a_hard_margin_makes_no_training_errors_whatever_the_unit(rng):
    K, _, targets, _ = world("classes")
    for unit in (1.0, 1e6, 1e-6):
        made = HardMargin().fit(unit * K, targets)
        assert (made.decide(unit * K).argmax(axis=1) == targets.values).all()
        assert made.at_bound == 0
    np.testing.assert_allclose(
        HardMargin().fit(K, targets).coefficients,
        fit_one_vs_rest(K, targets.values, 3, C=1e6, tolerance=1e-4).coefficients,
    )


@pytest.mark.parametrize("k", [1, 2, 4, 5])
def test_votes_of_neighbours_are_those_of_the_function(k):
    K, cross, targets, _ = world("classes")
    found = nearest(cross, np.ones(len(cross)), np.diag(K), k=k)
    decided = NearestNeighbours(k).fit(K, targets).decide(cross)
    np.testing.assert_array_equal(decided.argmax(axis=1), vote(found, targets.values))
    shares = (targets.values[found.positions][:, :, None] == np.arange(3)).mean(axis=1)
    np.testing.assert_allclose(decided, shares - 0.5, atol=1e-5)


def test_all_components_are_the_kernel_itself():
    K, cross, targets, _ = world("numbers")
    whole = OnComponents(500, KernelRidge(1e-2)).fit(K, targets).decide(cross)
    np.testing.assert_allclose(whole, KernelRidge(1e-2).fit(K, targets).decide(cross), atol=1e-6)
    few = OnComponents(2, KernelRidge(1e-2)).fit(K, targets)
    assert few.axes.train.shape == (60, 2)


def test_lambda_and_cost_are_one_another():
    assert lam_of(10.0, 50) == fit_one_vs_rest(np.eye(50), np.arange(50) % 2, 2, C=10.0).lam
    assert cost_of(lam_of(0.3, 17), 17) == pytest.approx(0.3, rel=1e-15)
    for wrong in ((0.0, 5), (-1.0, 5), (1.0, 0), (np.nan, 5)):
        for function in (lam_of, cost_of):
            with pytest.raises(InvalidInputError):
                function(*wrong)


def test_a_learner_is_refused_for_what_it_does_not_learn():
    y = ["a", "b"] * 5
    with pytest.raises(InvalidInputError, match="learns numbers"):
        judge(np.eye(10), y, CrossValidation(), learner=LEARNERS[2]())
    with pytest.raises(InvalidInputError, match="learns classes"):
        judge_numbers(np.eye(10), np.arange(10.0), CrossValidation(), learner=SupportVectors())
    with pytest.raises(InvalidInputError, match="one of LEARNERS"):
        judge(np.eye(10), y, CrossValidation(), learner="ridge")
    K, _, targets, _ = world("numbers")
    with pytest.raises(InvalidInputError, match="learns classes"):
        OnComponents(2, SupportVectors()).fit(K, targets)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [1e300, 1e110, -1e200])
def test_numbers_whose_squares_do_not_fit_are_refused_by_all_that_learn_them(scale):
    """They ran into infinities: an infinite error, and no R², on the page."""
    y, K = scale * np.arange(1.0, 13.0) / 12.0, np.eye(12) + 1.0
    calls = [
        lambda each=each: judge_numbers(K, y, CrossValidation(folds=2), learner=each()) for each in NUMBERS
    ]
    calls += [
        lambda: kernel_ridge(K, y, 0.1),
        lambda: mkl([K, 2.0 * K], y, loss="square"),
        lambda: alignment_weights([K, 2.0 * K], y, numbers=True),
        lambda: square_loss_mkl(KernelStack([K]), y, 0.1),
        lambda: interpolate(K, y),
        lambda: predict_numbers(GramMatrix(K), np.where(np.arange(12) == 3, np.nan, y)),
    ]
    for call in calls:
        with pytest.raises(InvalidInputError, match=r"up to 1e.100 in size.*Divide them"):
            call()
    for each in NUMBERS:
        with pytest.raises(InvalidInputError, match=r"differ.*at most .*Multiply"):
            judge_numbers(K, y / abs(scale) * 1e-150, CrossValidation(folds=2), learner=each())


@pytest.mark.filterwarnings("error")
def test_numbers_that_are_all_the_same_look_like_no_kernel():
    made = alignment_weights([np.eye(5), np.eye(5) + 1.0], np.full(5, 3.0), numbers=True)
    assert made.with_labels.tolist() == [0.0, 0.0]
    assert made.weights.tolist() == [0.5, 0.5]


def test_coefficients_that_are_no_numbers_are_told():
    rng = np.random.default_rng(0)
    K = np.diag(10.0 ** np.linspace(-150, 150, 12))
    with pytest.raises(InvalidInputError, match=r"finite.*Cosine-normalise"):
        judge_numbers(K, rng.normal(size=12), CrossValidation(folds=2), learner=SupportVectorRegression())
