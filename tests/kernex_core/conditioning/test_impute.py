import dataclasses

import numpy as np
import pytest
from sklearn.impute import KNNImputer

from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.impute import (
    IMPUTATIONS,
    ColumnMean,
    ImputedKernel,
    NearestRows,
    imputation_named,
    impute,
    imputed_similarities,
    nothing_known,
)
from kernex_core.gram.normalize import Center
from kernex_core.gram.provenance import call, write_script
from kernex_core.gram.split import split_inductively, split_transductively
from kernex_core.inputs.samples import Vectors
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.kernels.vectors.dot_product import Cosine, Linear
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import evaluation_mode

NAN = np.nan


@pytest.fixture
def X(rng):
    values = rng.normal(size=(24, 7)) + np.repeat([0.0, 1.5], 12)[:, None]
    values[rng.random(values.shape) < 0.15] = NAN
    return values


@pytest.fixture
def vectors(X):
    return Vectors(tuple(f"v{i}" for i in range(len(X))), X)


def test_the_column_mean_is_that_of_the_rows_that_know_the_column():
    fitted = ColumnMean().fit([[1.0, NAN], [3.0, 4.0], [NAN, 8.0]])
    np.testing.assert_array_equal(fitted.apply(np.array([[NAN, 1.0], [9.0, NAN]])), [[2.0, 1.0], [9.0, 6.0]])


@pytest.mark.parametrize("k", [1, 3, 40])
@pytest.mark.parametrize("unknown", [0.02, 0.15, 0.6])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_the_nearest_rows_are_those_of_scikit_learn(k, unknown, offset, rng):
    X = rng.normal(size=(24, 7)) * 3.0 + np.repeat([0.0, 1.5], 12)[:, None] + offset
    X[rng.random(X.shape) < unknown] = NAN
    X[:, 3] = NAN  # nobody knows it
    expected = KNNImputer(n_neighbors=k, keep_empty_features=True).fit(X[:16]).transform(X)
    np.testing.assert_allclose(NearestRows(k=k).fit(X[:16]).apply(X), expected, rtol=1e-12)


@pytest.mark.parametrize("imputation", IMPUTATIONS)
class TestEveryImputation:
    def test_known_entries_stay_and_none_is_unknown_after(self, imputation, X):
        before = X.copy()
        filled = imputation.fit(X).apply(X)
        assert np.isfinite(filled).all()
        known = ~np.isnan(X)
        np.testing.assert_array_equal(filled[known], X[known])
        np.testing.assert_array_equal(X, before)

    def test_a_row_is_filled_alike_whatever_stands_beside_it(self, imputation, X):
        fitted = imputation.fit(X[:12])
        np.testing.assert_array_equal(fitted.apply(X[12:])[3:4], fitted.apply(X[15:16]))

    def test_a_column_that_nobody_knows_becomes_zero_and_is_counted(self, imputation):
        fitted = imputation.fit([[1.0, NAN], [2.0, NAN]])
        assert fitted.empty == 1
        np.testing.assert_array_equal(fitted.apply(np.array([[NAN, NAN]]))[:, 1], [0.0])

    def test_a_row_without_any_known_entry_is_filled(self, imputation):
        filled = imputation.fit([[1.0, 2.0], [3.0, 4.0], [NAN, NAN]]).apply(np.array([[NAN, NAN]]))
        np.testing.assert_allclose(filled, [[2.0, 3.0]])

    def test_an_inductive_split_does_not_look_at_test_rows(self, imputation, vectors, rng):
        train, test = np.arange(0, 24, 2), np.arange(1, 24, 2)
        for kernel in (Linear(), Gaussian()):
            found = split_inductively(imputed_similarities(kernel, vectors, imputation), train, test)
            noisy = vectors.X.copy()
            noisy[test] = rng.normal(size=(12, 7)) * 100.0
            other = imputed_similarities(kernel, dataclasses.replace(vectors, X=noisy), imputation)
            np.testing.assert_array_equal(split_inductively(other, train, test).K_train, found.K_train)
            # one test row depends on no other one
            noisy[test[0]] = vectors.X[test[0]]
            other = imputed_similarities(kernel, dataclasses.replace(vectors, X=noisy), imputation)
            again = split_inductively(other, train, test)
            np.testing.assert_allclose(again.K_cross[0], found.K_cross[0], rtol=1e-12)
            assert again.diag_test[0] == pytest.approx(found.diag_test[0], rel=1e-12)
            # a transductive one has looked
            assert not np.allclose(
                split_transductively(other, train, test).K_train,
                split_transductively(imputed_similarities(kernel, vectors, imputation), train, test).K_train,
            )

    def test_the_split_is_the_kernel_of_rows_filled_from_the_training_rows(self, imputation, vectors):
        train, test = np.arange(16), np.arange(16, 24)
        filled = imputation.fit(vectors.X[train]).apply(vectors.X)
        found = split_inductively(imputed_similarities(Linear(), vectors, imputation), train, test)
        np.testing.assert_allclose(found.K_train, filled[train] @ filled[train].T)
        np.testing.assert_allclose(found.K_cross, filled[test] @ filled[train].T)
        np.testing.assert_allclose(found.diag_test, (filled[test] ** 2).sum(axis=1))


def test_a_data_dependent_parameter_is_set_from_the_training_rows(vectors):
    train = np.arange(10)
    step = imputed_similarities(Gaussian(), vectors).steps[0]
    fitted = step.fit(np.full((10, 10), NAN), items=train)
    assert fitted.kernel == Gaussian().resolved(ColumnMean().fit(vectors.X[train]).apply(vectors.X[train]))


def test_the_kernel_composes_is_judged_and_says_what_it_saw(vectors):
    K = imputed_similarities(Cosine(), vectors, name="genes").then(Center())
    y = np.repeat(["a", "b"], 12)
    made = judge(K, y, CrossValidation(folds=2, repeats=2, inductive=True))
    assert made.multi_class.mean > 0.6
    assert evaluation_mode(K, inductive=True) != evaluation_mode(K, inductive=False)


def test_a_selection_takes_its_vectors_along(vectors):
    K = imputed_similarities(Linear(), vectors)
    half = K.take(np.arange(0, 24, 2))
    np.testing.assert_allclose(
        half.values, imputed_similarities(Linear(), vectors.take(np.arange(0, 24, 2))).values
    )


def test_the_script_makes_the_same_kernel():
    vectors = Vectors(("a", "b", "c"), np.array([[1.0, NAN], [2.0, 5.0], [NAN, 4.0]]))
    K = imputed_similarities(Linear(), vectors, NearestRows(k=1), name="K")
    made = {}
    exec(write_script([K.recipe], heading="x"), made)
    np.testing.assert_array_equal(next(v for k, v in made.items() if k.startswith("k_")).values, K.values)


def test_filling_once_says_so_and_leaves_complete_vectors_alone(vectors):
    filled = impute(vectors, NearestRows(k=2))
    assert np.isfinite(filled.X).all()
    assert "filled by the k nearest rows of all rows" in filled.notes[-1].text
    assert impute(filled) is filled
    named = dataclasses.replace(vectors, recipe=call("v", "read"))
    assert "impute(v, ColumnMean())" in write_script([impute(named).recipe], heading="x")


def test_what_cannot_be_imputed_is_refused(vectors):
    with pytest.raises(InvalidInputError, match="finite or unknown"):
        ColumnMean().fit([[np.inf, 1.0]])
    for bad in (np.ones(3), np.empty((0, 2))):
        with pytest.raises(InvalidInputError, match="rows and columns"):
            NearestRows().fit(bad)
    for imputation in IMPUTATIONS:
        with pytest.raises(InvalidInputError, match="7 columns"):
            imputation.fit(vectors.X).apply(np.ones((1, 3)))
    with pytest.raises(InvalidInputError):
        NearestRows(k=0)
    with pytest.raises(InvalidInputError, match="column mean"):
        imputation_named("mode")
    assert imputation_named("k nearest rows") == NearestRows()
    with pytest.raises(InvalidInputError, match="Only vectors"):
        imputed_similarities(Spectrum(), vectors)
    with pytest.raises(InvalidInputError, match="24 vectors"):
        nothing_known(("a", "b")).then(ImputedKernel(vectors, Linear()))
    step = ImputedKernel(vectors, Linear())
    with pytest.raises(InvalidInputError, match="no positions"):
        step.fit(np.full((24, 24), NAN)).apply_cross(np.full((1, 24), NAN), np.array([NAN]))
