"""Estimators in scikit-learn's own machinery give what the core gives."""

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline

from kernex_core import (
    Center,
    Clip,
    Complete,
    CosineNormalize,
    CrossValidation,
    GramMatrix,
    Graph,
    Shift,
    Spectrum,
    WeisfeilerLehman,
    cosine_normalize,
    joint_kernel,
    judge,
    kernel_logistic,
    kernel_ridge,
)
from kernex_core.gram.split import split_inductively
from kernex_core.sklearn import (
    JointKernel,
    JudgedFolds,
    KernelCompleter,
    KernelTransformer,
    PrecomputedLogistic,
    PrecomputedRidge,
    PrecomputedSVC,
    StepTransformer,
    ViewsCompleter,
)

STRINGS = np.array(["ACGTACGT", "ACGTACGA", "ACGAACGT", "TTTTGGGG", "TTTGGGGG", "TTTTTGGG"] * 2, dtype=object)
Y = (["one"] * 3 + ["two"] * 3) * 2


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 3)) + np.repeat([[0.0], [1.5], [3.0]], 8, axis=0)
    return X, X @ X.T, np.repeat(["a", "b", "c"], 8)


def halves(n):
    return np.arange(0, n, 2), np.arange(1, n, 2)


@pytest.mark.parametrize(
    "steps", [(Center(),), (CosineNormalize(),), (Clip(), CosineNormalize(), Center()), (Shift(),)]
)
def test_steps_are_fitted_on_the_training_block_as_an_inductive_fold_fits_them(drawn, steps):
    _, K, _ = drawn
    K = K - 0.2 * np.abs(K)  # indefinite
    train, test = halves(len(K))
    gram = GramMatrix(K)
    for step in steps:
        gram = gram.then(step)
    expected = split_inductively(gram, train, test)
    made = StepTransformer(steps)
    np.testing.assert_array_equal(made.fit_transform(K[np.ix_(train, train)]), expected.K_train)
    cross = made.transform(K[np.ix_(test, train)], diag=K.diagonal()[test])
    np.testing.assert_array_equal(cross, expected.K_cross)


def test_a_step_that_needs_self_similarities_asks_for_them(drawn):
    _, K, _ = drawn
    made = StepTransformer(CosineNormalize()).fit(K[:12, :12])
    with pytest.raises(ValueError, match=r"similarity of each new item to itself .* diag="):
        made.transform(K[12:, :12])
    even = cosine_normalize(K)  # where all are alike there is nothing to ask
    made = StepTransformer(CosineNormalize()).fit(even[:12, :12])
    np.testing.assert_allclose(made.transform(even[12:, :12]), even[12:, :12])


def test_items_are_compared_as_their_kernel_compares_them():
    kernel = Spectrum(k=2)
    made = KernelTransformer(kernel, steps=(CosineNormalize(),)).fit(STRINGS[:4])
    whole = cosine_normalize(kernel.gram(tuple(STRINGS)))
    np.testing.assert_allclose(made.transform(STRINGS[4:]), whole[4:, :4], rtol=1e-12)
    graphs = [Graph(3, [(0, 1), (1, 2)]), Graph(2, [(0, 1)])]
    walks = KernelTransformer(WeisfeilerLehman()).fit(graphs)
    np.testing.assert_array_equal(walks.transform(graphs), WeisfeilerLehman().gram(graphs))
    with pytest.raises(ValueError, match="compares strings"):
        KernelTransformer(kernel).fit([1, 2])


def test_numbers_of_the_learners_are_those_of_the_core(drawn):
    X, K, y = drawn
    two = y[:16]
    logistic = PrecomputedLogistic(lam=0.1, in_units=False).fit(K[:16, :16], two)
    expected = kernel_logistic(K[:16, :16], two, 0.1).probabilities(K[16:, :16])
    np.testing.assert_allclose(logistic.predict_proba(K[16:, :16])[:, 1], expected, rtol=1e-9)
    ridge = PrecomputedRidge(lam=0.1, in_units=False).fit(K, X[:, 0])
    np.testing.assert_allclose(
        ridge.predict(K), kernel_ridge(K, X[:, 0], 0.1, intercept=True).predict(K), rtol=1e-9
    )
    assert PrecomputedSVC().fit(K, y).decision_function(K).shape == (24, 3)


@pytest.mark.parametrize("learner", [PrecomputedSVC(), PrecomputedLogistic()])
def test_strength_is_in_units_of_the_kernel(drawn, learner):
    _, K, y = drawn
    decided = [learner.fit(scale * K, y).decision_function(scale * K) for scale in (1.0, 1024.0)]
    np.testing.assert_array_equal(*decided)


def test_what_is_no_kernel_is_refused_with_its_repair(drawn):
    _, K, y = drawn
    with pytest.raises(ValueError, match=r"positive semidefinite.*repair_psd"):
        PrecomputedSVC().fit(K - 50.0 * np.eye(24), y)
    with pytest.raises(ValueError, match="symmetric"):
        PrecomputedSVC().fit(K + np.arange(24.0), y)


def test_a_grid_over_kernels_and_costs_in_a_pipeline():
    model = make_pipeline(KernelTransformer(Spectrum(k=1), steps=(CosineNormalize(),)), PrecomputedSVC())
    grid = {"kerneltransformer__kernel": [Spectrum(k=1), Spectrum(k=3)], "precomputedsvc__C": [1.0, 10.0]}
    search = GridSearchCV(model, grid, cv=JudgedFolds(CrossValidation(folds=2, repeats=1)))
    assert search.fit(STRINGS, Y).score(STRINGS, Y) == 1.0


def test_pairwise_matrices_are_cut_in_rows_and_columns_and_groups_stay_together(drawn):
    _, K, y = drawn
    groups = np.arange(24) % 4
    validation = CrossValidation(folds=2, repeats=3, C=1.0, grouped=True)
    gram = cosine_normalize(K)
    expected = judge(gram, y, validation, groups=groups.astype(str)).multi_class.mean
    with sklearn.config_context(enable_metadata_routing=True):
        learner = PrecomputedSVC(C=1.0).set_fit_request(groups=False)
        found = cross_val_score(learner, gram, y, cv=JudgedFolds(validation), params={"groups": groups})
        assert found.mean() == pytest.approx(expected, abs=1e-12)
        chooses = PrecomputedSVC(C=None).set_fit_request(groups=True)
        found = cross_val_score(chooses, gram, y, cv=GroupKFold(2), params={"groups": groups})
        assert found.shape == (2,)


def test_self_similarities_travel_through_a_pipeline(drawn):
    _, K, y = drawn
    validation = CrossValidation(folds=2, repeats=2, C=1.0)
    expected = judge(cosine_normalize(GramMatrix(K)), y, validation).multi_class.mean
    with sklearn.config_context(enable_metadata_routing=True):
        step = StepTransformer(CosineNormalize()).set_transform_request(diag=True)
        found = cross_val_score(
            make_pipeline(step, PrecomputedSVC(C=1.0)), K, y, cv=JudgedFolds(validation),
            params={"diag": K.diagonal()},
        )  # fmt: skip
    assert found.mean() == pytest.approx(expected, abs=1e-12)


def test_completions_are_those_of_the_core(drawn):
    X, K, _ = drawn
    source = GramMatrix(np.exp(-((X[:, None] - X) ** 2).sum(axis=2)))
    T = K.copy()
    T[18:], T[:, 18:] = np.nan, np.nan
    known, (train, test) = np.arange(24) < 18, halves(24)
    expected = joint_kernel(source, K[:18, :18], known, 0.3)
    for made in (
        KernelCompleter(source, lam=0.3).fit_transform(T),
        JointKernel(T, lam=0.3).fit_transform(source),
    ):
        np.testing.assert_allclose(made, expected, rtol=1e-9)
    fold = split_inductively(GramMatrix(T).then(Complete(source, lam=0.3)), train, test)
    completer = KernelCompleter(source, lam=0.3).fit(T[np.ix_(train, train)], items=train)
    np.testing.assert_allclose(completer.transform(T[np.ix_(test, train)], items=test), fold.K_cross)
    joint = JointKernel(T, lam=0.3).fit(source.values[np.ix_(train, train)], items=train)
    np.testing.assert_allclose(joint.transform(source.values[np.ix_(test, train)]), fold.K_cross)
    with pytest.raises(ValueError, match="items="):
        JointKernel(T).fit(source.values[:4, :4])
    with pytest.raises(ValueError, match="Fit it on all items"):
        ViewsCompleter({"source": source}).fit(T).transform(T[:2])


def test_estimators_are_cloned_pickled_and_named():
    model = KernelTransformer(Spectrum(k=2), steps=(CosineNormalize(), Center()))
    twin = clone(model)
    assert twin is not model
    assert twin.get_params() == model.get_params()
    fitted = model.fit(STRINGS)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(STRINGS), fitted.transform(STRINGS))
    frame = twin.set_output(transform="pandas").fit_transform(STRINGS)
    assert frame.columns[0] == "kerneltransformer0"
