"""Items that are copies: found in data and kernels, one group in the folds, said, and taken back by a switch."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from kernex_core import compare, copies_of, cosine_normalize, judge_many, permutation_test
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import joined
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet, equal_items
from kernex_core.inputs.samples import Labels, Sequences, Vectors
from kernex_core.learning.copies import equal_in
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation, make_folds
from kernex_core.learning.learners.neighbours import NearestNeighbours
from kernex_core.learning.mkl.weightings import EqualWeights, Together
from kernex_core.learning.regression.evaluate import judge_numbers
from kernex_core.studies.evaluation import EvaluationConfig, choosing_kernel, evaluating

CONFIG = CrossValidation(folds=5, repeats=1, C=1.0)
SEEDS = 40


def twice(seed, n=30, d=10):
    """Items that are there twice, one after another, with random labels."""
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.normal(size=(n, d)), 2, axis=0)
    return X, np.repeat(rng.permutation(["a", "b"] * (n // 2)), 2)


def units(found):
    return len(set(found.tolist()))


def test_random_labels_of_items_that_are_there_twice_are_not_predicted():
    """Kept together the accuracy is at one half and its interval holds it; apart twins are found again."""
    together, apart, held = [], [], 0
    for seed in range(SEEDS):
        X, y = twice(seed)
        K = cosine_normalize(X @ X.T)
        made = judge(K, y, CONFIG)
        together.append(made.multi_class.mean)
        held += made.interval().low <= 0.5 <= made.interval().high
        apart.append(judge(K, y, replace(CONFIG, copies="apart")).multi_class.mean)
    error = np.std(together, ddof=1) / np.sqrt(SEEDS)
    assert abs(np.mean(together) - 0.5) < 4.0 * error
    assert np.mean(apart) > np.mean(together) + 5.0 * error
    assert held >= binom(SEEDS, 0.95).ppf(1e-3)
    assert made.remarks == ("60 items are copies (30 different ones), kept together.",)
    assert made.interval().over == "groups"
    assert made.interval().units == 30


def test_a_switch_takes_it_back_and_that_is_said_as_well():
    X, y = twice(0)
    made = judge(X @ X.T, y, replace(CONFIG, copies="apart"))
    assert made.groups is None
    assert made.remarks[0].startswith("60 items are copies (30 different ones), kept apart")
    nearest = judge(X @ X.T, y, replace(CONFIG, copies="apart"), learner=NearestNeighbours(1))
    assert nearest.multi_class.mean > 0.75
    np.testing.assert_array_equal(
        made.named, judge(X @ X.T, y, replace(CONFIG, copies="apart"), groups=None).named
    )


@pytest.mark.parametrize("choose", [False, True])
def test_no_fold_and_no_inner_fold_splits_copies(choose, monkeypatch):
    from kernex_core.learning import folds as nested

    X, y = twice(1)
    seen = []
    real = nested.folds_keeping

    def watched(codes, config, together):
        made = real(codes, config, together)
        seen.extend(made)
        return made

    monkeypatch.setattr(nested, "folds_keeping", watched)
    found = judge(X @ X.T, y, replace(CONFIG, choose_C=choose))
    assert bool(seen) is choose
    for fold in seen:
        assert not set((fold.train // 2).tolist()) & set((fold.test // 2).tolist())
    assert found.copies.kept


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1.0, 1e150, 1e300])
@pytest.mark.parametrize("n", [8, 700])
def test_what_a_kernel_does_not_tell_apart_is_found_at_any_scale(scale, n, rng):
    X = rng.normal(size=(n, 40))
    X[5], X[n - 1] = X[2], X[0]
    found = equal_in(scale * (X @ X.T))
    assert np.flatnonzero(found != np.arange(n)).tolist() == [5, n - 1]
    assert (found[5], found[n - 1]) == (2, 0)


def test_near_items_small_ones_and_orthogonal_ones_are_told_apart(rng):
    X = rng.normal(size=(50, 20))
    X[7] = X[3] + 1e-4 * rng.normal(size=20)
    assert units(equal_in(X @ X.T)) == 50
    assert units(equal_in(np.eye(50))) == 50
    small = X * 10.0 ** rng.uniform(-6, 6, size=(50, 1))  # a polynomial kernel ranges so far
    assert units(equal_in(small @ small.T)) == 50
    assert units(equal_in(cosine_normalize(small @ small.T))) == 50


def test_neighbours_in_few_digits_are_no_copies(rng):
    """Items that are near one another have d² = 0 in two decimals, but rows that differ; copies have the same rows."""
    x = np.sort(rng.uniform(size=60))
    K = np.round(np.exp(-0.5 * (x[:, None] - x) ** 2), 2)
    d = np.diag(K)[:, None] + np.diag(K) - 2.0 * K
    assert (d[np.triu_indices(60, 1)] == 0.0).sum() > 100
    assert units(equal_in(K)) > 20
    K[:, 9], K[9] = K[:, 4], K[4]
    K[9, 9] = K[4, 4]
    assert equal_in(K)[9] == equal_in(K)[4]


def test_of_an_indefinite_matrix_a_negative_distance_is_none(rng):
    A = rng.normal(size=(20, 20))
    assert units(equal_in(A + A.T - 3.0 * np.eye(20))) == 20


def test_unknown_similarities_are_never_the_same():
    K = np.ones((4, 4))
    K[1, 2] = K[2, 1] = np.nan
    assert equal_in(K).tolist() == [0, 1, 2, 0]
    assert equal_in(np.full((3, 3), np.nan)).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("K", "kept"),
    [
        (np.zeros((20, 20)), False),
        (np.ones((20, 20)), False),
        (np.kron(np.eye(2), np.ones((10, 10))), False),  # each class is one point
        (np.kron(np.eye(4), np.ones((5, 5))), False),  # four points for five folds
        (np.kron(np.eye(10), np.ones((2, 2))), True),
    ],
)
def test_where_too_few_different_items_would_be_left_that_is_said_and_nothing_is_refused(K, kept):
    y = np.repeat(["a", "b"], 10)
    made = judge(K, y, CONFIG)
    assert made.copies.kept is kept
    (said,) = made.remarks
    assert said.endswith("kept together.")
    if not kept:
        assert "20 items are the same as others in a kernel that is judged" in said
        np.testing.assert_array_equal(made.named, judge(K, y, replace(CONFIG, copies="apart")).named)


def test_a_kernel_that_tells_nothing_apart_takes_nothing_from_the_others():
    X, y = twice(2)
    found = copies_of([np.ones((60, 60)), X @ X.T], y, CONFIG)
    assert (found.kept, found.count, found.different) == (True, 60, 30)
    assert len(found.remarks) == 1  # the others are the same items


def test_copies_and_given_groups_are_joined():
    X, y = twice(3, n=10)
    groups = np.array(["g" if i in (1, 2, 19) else "" for i in range(20)])
    labels = Labels(tuple(f"i{i}" for i in range(20)), y, groups)
    made = judge(GramMatrix(X @ X.T, labels.ids), labels, replace(CONFIG, folds=2, grouped=True))
    # 0 and 1 are copies, 1 and 2 of a group, 2 and 3 copies, and 19 of that group with its copy 18
    assert len({made.groups[i] for i in (0, 1, 2, 3, 18, 19)}) == 1
    assert len(set(made.groups)) == 8


def test_relations_are_joined_through_several_items():
    first, second = np.array([0, 0, 2, 2, 4, 5]), np.array([0, 1, 1, 3, 3, 5])
    assert joined(first, second).tolist() == [0, 0, 0, 0, 0, 5]
    assert joined(first).tolist() == first.tolist()


def test_kernels_that_are_compared_have_the_same_folds(rng):
    """Copies in one of them are kept together in all."""
    X, y = twice(4)
    ids = tuple(f"i{i}" for i in range(60))
    kernels = {
        "twice": GramMatrix(X @ X.T, ids, "twice"),
        "other": GramMatrix((Z := rng.normal(size=(60, 80))) @ Z.T, ids, "other"),
    }
    labels = Labels(ids, y)
    *_, found = evaluating(EvaluationConfig(), kernels, labels, CONFIG)
    one, other = found.judgements.values()
    np.testing.assert_array_equal(one.groups, other.groups)
    assert compare(one, other).n_repeats == 1
    assert one.remarks == other.remarks
    *_, nested = choosing_kernel(EvaluationConfig(), kernels, labels, CONFIG)
    assert nested.alone[:, 0].tolist() == [each.multi_class.mean for each in (one, other)]
    assert nested.interval.over == "groups"
    # each by itself has other folds, and they are not compared
    with pytest.raises(InvalidInputError, match="copies_of"):
        compare(*(judge(K, labels, CONFIG) for K in kernels.values()))
    script = write_script([other.recipe], heading="x")
    assert "copies_of((" in script


def test_numbers_and_several_kernels_keep_them_together_too(rng):
    X, y = twice(5)
    numbers = np.repeat(rng.normal(size=30), 2)
    made, apart = (
        judge_numbers(X @ X.T, numbers, replace(CONFIG, copies=way)) for way in ("together", "apart")
    )
    assert made.remarks[0].startswith("60 items are copies")
    assert made.interval().units == 30
    assert made.r2.mean < apart.r2.mean
    many = judge_many([GramMatrix(X @ X.T)], y, CONFIG, Together(EqualWeights()))
    assert many.judgement.groups is not None


@pytest.mark.parametrize("worlds", [6, pytest.param(12, marks=pytest.mark.science)])
def test_labels_of_copies_are_permuted_as_one(worlds):
    """Labels of items that are there twice are random: twins that the permutation tore apart would make them look known."""
    found = []
    for seed in range(worlds):
        X, y = twice(seed, n=16)
        found.append(permutation_test({"K": X @ X.T}, y, replace(CONFIG, folds=2), permutations=19).p("K"))
    assert np.mean(np.array(found) <= 0.1) < 0.5
    assert np.mean(found) > 0.25


def test_only_labelled_items_are_counted():
    X, y = twice(6)
    y = y.copy()
    y[1::2] = ""
    y[1] = y[0]
    made = judge(X @ X.T, y, CONFIG)
    assert made.remarks == ("2 items are copies (1 different ones), kept together.",)


def test_leave_one_out_leaves_all_copies_out():
    X, y = twice(7, n=12)
    made = judge(X @ X.T, y, replace(CONFIG, folds=0))
    assert made.n_folds == 12


def test_equal_sequences_vectors_and_graphs_are_found():
    assert equal_items(Sequences(("a", "b", "c"), ("AC", "AD", "AC"))).tolist() == [0, 1, 0]
    X = np.array([[0.0, np.nan], [1.0, 2.0], [-0.0, np.nan], [1.0, np.nan]])
    assert equal_items(Vectors(("a", "b", "c", "d"), X)).tolist() == [0, 1, 0, 3]
    path = Graph(4, [(0, 1), (1, 2), (2, 3)], node_labels=["C", "C", "C", "O"])
    renumbered = Graph(4, [(3, 0), (0, 2), (2, 1)], node_labels=["C", "O", "C", "C"])
    star = Graph(4, [(0, 1), (0, 2), (0, 3)], node_labels=["C", "C", "C", "O"])
    moved = Graph(4, [(0, 1), (1, 2), (2, 3)], node_labels=["C", "O", "C", "C"])
    assert equal_items(GraphSet.of([path, star, renumbered, moved])).tolist() == [0, 1, 0, 3]


def test_equal_samples_of_a_data_set_are_kept_together_in_a_kernel_that_tells_them_apart(rng):
    ids = tuple(f"i{i}" for i in range(20))
    strings = tuple("ACDEFGHIKL"[i // 2] * 5 for i in range(20))
    y = np.array(["a", "b"])[np.arange(20) // 2 % 2]
    Z = rng.normal(size=(20, 30))
    data = DataSet("d", ids, Labels(ids, y), {"s": Sequences(ids, strings)}, {"K": GramMatrix(Z @ Z.T, ids)})
    made = judge(data.kernels["K"], data.judgeable, CONFIG)
    assert made.remarks == ("20 items are copies (10 different ones), kept together.",)
    some = data.select(np.arange(1, 20))
    assert judge(some.kernels["K"], some.judgeable, CONFIG).copies.count == 18
    assert data.labels.copies is None


def test_without_copies_nothing_changes(rng):
    X = rng.normal(size=(40, 6))
    y = np.array(["a", "b"] * 20)
    made = judge(X @ X.T, y, CONFIG)
    assert made.remarks == ()
    assert made.groups is None
    assert "copies" not in made.recipe.keywords
    assert [f.test.tolist() for f in make_folds(made.codes, CONFIG)] == [
        f.test.tolist() for f in make_folds(made.codes, replace(CONFIG, copies="apart"))
    ]
