"""The step that sees labels: what it chooses, that it is tagged, and that inside a fold it sees no tested label."""

import numpy as np
import pytest
from scipy.stats import f_oneway

from kernex_core import CrossValidation, Labels, Vectors, judge
from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.columns_by_labels import ColumnsByLabels, columns_by_labels, variance_between
from kernex_core.gram.provenance import write_script
from kernex_core.gram.split import split_inductively
from kernex_core.learning.leakage import evaluation_mode


def world(rng, n=40, d=500):
    ids = tuple(f"s{k}" for k in range(n))
    return Vectors(ids, rng.normal(size=(n, d))), Labels(ids, np.array(["a", "b"] * (n // 2)))


def test_of_two_classes_it_is_the_squared_correlation(rng):
    X, y = rng.normal(size=(30, 8)) + 5.0, np.where(rng.random(30) < 0.3, "a", "b")
    expected = [np.corrcoef(X[:, j], y == "a")[0, 1] ** 2 for j in range(8)]
    np.testing.assert_allclose(variance_between(X, y), expected)


def test_of_several_classes_columns_are_in_the_order_of_their_variance_ratio(rng):
    X, y = rng.normal(size=(31, 9)), np.array([*list("abc" * 10), ""])
    X[:, 4] += 2.0 * (y == "c")
    F = [f_oneway(*(X[y == c, j] for c in "abc")).statistic for j in range(9)]
    assert np.argsort(variance_between(X, y)).tolist() == np.argsort(F).tolist()


def test_a_constant_column_tells_nothing(rng):
    X = np.column_stack([np.full(6, 0.1), [1, 1, 1, -1, -1, -1]])
    assert variance_between(X, np.array(list("aaabbb"))).tolist() == [0.0, 1.0]


def test_inside_a_fold_labels_and_rows_of_test_items_are_not_seen(rng):
    vectors, labels = world(rng)
    train, test = np.arange(30), np.arange(30, 40)
    blocks = split_inductively(columns_by_labels(vectors, labels, 5), train, test)
    columns = np.argsort(-variance_between(vectors.X[train], labels.y[train]))[:5]
    chosen = vectors.X[:, columns]
    np.testing.assert_allclose(blocks.K_train, chosen[train] @ chosen[train].T / 5)
    np.testing.assert_allclose(blocks.K_cross, chosen[test] @ chosen[train].T / 5)
    np.testing.assert_allclose(blocks.diag_test, (chosen[test] ** 2).sum(axis=1) / 5)
    turned = Labels(labels.ids, np.where(np.arange(40) < 30, labels.y, np.where(labels.y == "a", "b", "a")))
    again = split_inductively(columns_by_labels(vectors, turned, 5), train, test)
    assert np.array_equal(again.K_train, blocks.K_train)


def test_noise_is_judged_well_where_it_leaks_and_the_tag_says_so(rng):
    vectors, labels = world(rng)
    K = columns_by_labels(vectors, labels)
    assert evaluation_mode(K, inductive=False) == "leak"
    assert evaluation_mode(K, inductive=True) == "inductive"
    found = [
        judge(K, labels, CrossValidation(folds=5, repeats=2, C=1.0, inductive=each)) for each in (False, True)
    ]
    assert [one.mode for one in found] == ["leak", "inductive"]
    assert found[0].multi_class.mean > 0.85
    assert found[1].multi_class.mean < 0.75


def test_items_are_taken_with_their_vectors_and_labels(rng):
    vectors, labels = world(rng)
    K, at = columns_by_labels(vectors, labels, 5), np.array([3, 0, 8, 7, 5])
    again = columns_by_labels(vectors.take(at), labels.take(at), 5)  # fitted anew, as every step is
    assert np.array_equal(K.take(at).values, again.values)
    step = K.steps[0].take(at)
    assert (step.vectors.ids, step.labels.ids) == (step.labels.ids, tuple(vectors.ids[i] for i in at))


def test_the_script_makes_the_same_kernel(rng):
    vectors, labels = world(rng, n=6, d=4)
    K, made = columns_by_labels(vectors, labels, 2), {}
    exec(write_script([K.recipe], heading="x"), made)
    assert any(np.array_equal(getattr(value, "values", 0), K.values) for value in made.values())


def test_nonsense_is_refused(rng):
    vectors, labels = world(rng, n=6, d=3)
    unknown = vectors.X.copy()
    unknown[0, 0] = np.nan
    one = Labels(labels.ids, np.array(["a"] * 6))
    for wrong in (
        lambda: columns_by_labels(Vectors(vectors.ids, unknown), labels),
        lambda: columns_by_labels(vectors, one),
        lambda: columns_by_labels(vectors.take([0, 1]), labels),
        lambda: columns_by_labels(vectors, Labels(tuple("uvwxyz"), labels.y)),
        lambda: columns_by_labels(vectors, labels, 0),
        lambda: ColumnsByLabels(vectors, labels)(np.eye(3)),
        lambda: ColumnsByLabels(vectors, labels).fit(np.eye(6)).apply_cross(np.eye(6), np.ones(6)),
    ):
        with pytest.raises(InvalidInputError):
            wrong()
