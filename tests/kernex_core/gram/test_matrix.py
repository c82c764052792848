import pickle

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import Center, CosineNormalize
from kernex_core.gram.provenance import write_script
from kernex_core.gram.split import split_inductively, split_transductively


def kernel(rng, n=8, name="a kernel"):
    X = rng.normal(size=(n, 3)) + 0.5
    return GramMatrix(X @ X.T, name=name)


def run(recipe):
    """Value that the recipe's script computes, by a name of our own."""
    scope: dict = {}
    exec(write_script([recipe], heading="test", prints=["len([$0])"]).replace("print", "kept ="), scope)
    script = write_script([recipe], heading="test")
    last = [line for line in script.splitlines() if " = " in line][-1].split(" = ")[0]
    return scope[last]


def test_ids_default_to_numbers_and_have_to_be_distinct():
    assert GramMatrix(np.eye(3)).ids == ("1", "2", "3")
    with pytest.raises(InvalidInputError, match="'a' occurs"):
        GramMatrix(np.eye(3), ids=("a", "b", "a"))
    with pytest.raises(InvalidInputError, match="2 ids"):
        GramMatrix(np.eye(3), ids=("a", "b"))


def test_it_is_frozen_and_survives_pickling(rng):
    K = kernel(rng).then(CosineNormalize())
    again = pickle.loads(pickle.dumps(K))
    assert again.digest == K.digest
    with pytest.raises(ValueError, match="read-only"):
        again.values[0, 0] = 3.0


def test_the_input_array_is_copied():
    mine = np.eye(3)
    K = GramMatrix(mine)
    mine[0, 0] = 5.0
    assert K.values[0, 0] == 1.0


def test_digest_depends_on_values_ids_and_steps(rng):
    K = kernel(rng)
    assert K.digest == GramMatrix(K.values, K.ids, "other name").digest
    changed = K.values.copy()
    changed[2, 2] = np.nextafter(changed[2, 2], 10)
    assert K.digest != GramMatrix(changed).digest
    assert K.digest != GramMatrix(K.values, tuple("abcdefgh")).digest
    assert GramMatrix(np.eye(2)).digest != GramMatrix(np.eye(2)).then(CosineNormalize()).digest


def test_provenance_lists_the_steps_and_the_base(rng):
    K = kernel(rng)
    made = K.then(CosineNormalize()).then(Center())
    assert made.provenance.steps == (CosineNormalize(), Center())
    assert made.base is K
    assert made.provenance.data_digest == K.digest


@pytest.mark.parametrize("selection", [[0, 2, 5, 7], [5, 1]])
def test_taking_items_cuts_the_base_and_applies_the_steps_anew(rng, selection):
    K = kernel(rng)
    cut = K.then(CosineNormalize()).then(Center()).take(selection)
    afresh = GramMatrix(K.values[np.ix_(selection, selection)]).then(CosineNormalize()).then(Center())
    np.testing.assert_array_equal(cut.values, afresh.values)
    assert cut.ids == tuple(K.ids[i] for i in selection)


@pytest.mark.parametrize("wrong", [[], [8], [-1], [True, False]], ids=str)
def test_taking_refuses_nonsense(rng, wrong):
    with pytest.raises(InvalidInputError):
        kernel(rng).take(np.array(wrong, dtype=None if wrong else int))


def test_the_recipe_computes_the_same_matrix(rng):
    K = kernel(rng).then(CosineNormalize()).then(Center()).take([0, 3, 4])
    np.testing.assert_array_equal(run(K.recipe).values, K.values)


def test_the_recipe_keeps_unknown_entries(rng):
    values = kernel(rng).values.copy()
    values[3, :] = values[:, 3] = np.nan
    K = GramMatrix(values)
    np.testing.assert_array_equal(run(K.recipe).values, values)


class TestUnknown:
    def test_a_wholly_unknown_row_is_missing_even_with_a_known_diagonal(self):
        values = np.ones((4, 4))
        values[1, :] = values[:, 1] = np.nan
        values[1, 1] = 1.0
        unknown = GramMatrix(values).unknown
        assert unknown.wholly_unknown.tolist() == [1]
        assert unknown.known.tolist() == [True, False, True, True]
        assert unknown.scattered_pairs == 0
        assert unknown.unknown_pairs == 3

    def test_scattered_pairs_drop_the_worst_items_and_ties_the_last(self):
        values = np.ones((5, 5))
        for i, j in ((0, 1), (0, 2), (3, 4)):
            values[i, j] = values[j, i] = np.nan
        unknown = GramMatrix(values).unknown
        assert unknown.dropped.tolist() == [0, 4]
        assert not unknown.wholly_unknown.size
        assert unknown.scattered_pairs == 3

    def test_known_pairs_are_all_known(self, rng):
        values = np.ones((40, 40))
        holes = rng.random((40, 40)) < 0.03
        values[holes | holes.T] = np.nan
        known = GramMatrix(values).known
        assert known.any()
        assert not np.isnan(values[np.ix_(known, known)]).any()

    def test_an_unknown_diagonal_alone_drops_its_item(self):
        values = np.ones((3, 3))
        values[1, 1] = np.nan
        assert GramMatrix(values).known.tolist() == [True, False, True]

    def test_nothing_unknown(self):
        assert GramMatrix(np.eye(3)).unknown.complete

    def test_everything_unknown(self):
        assert not GramMatrix(np.full((3, 3), np.nan)).known.any()

    def test_known_on_one_side_only_counts_as_unknown_pair_in_the_recording(self):
        values = np.eye(3)
        values[0, 1] = np.nan
        assert GramMatrix(values).unknown.unknown_pairs == 1


class TestSteps:
    def test_cosine_equals_the_definition(self, rng):
        K = kernel(rng)
        d = np.sqrt(np.diag(K.values))
        np.testing.assert_allclose(K.then(CosineNormalize()).values, K.values / np.outer(d, d), rtol=1e-15)

    def test_cosine_of_a_zero_item_is_zero_and_nan_stays_unknown(self):
        values = np.array([[4.0, 2, 0, np.nan], [2, 4, 0, 1], [0, 0, 0, np.nan], [np.nan, 1, np.nan, 1]])
        got = CosineNormalize()(values)
        expected = [[1, 0.5, 0, np.nan], [0.5, 1, 0, 0.5], [0, 0, 0, 0], [np.nan, 0.5, 0, 1]]
        np.testing.assert_allclose(got, expected)

    def test_cosine_refuses_a_negative_self_similarity(self):
        with pytest.raises(InvalidInputError, match="item 2"):
            CosineNormalize()(np.diag([1.0, -1.0]))

    def test_centring_equals_the_projector(self, rng):
        K = kernel(rng).values
        H = np.eye(8) - 1.0 / 8
        np.testing.assert_allclose(Center()(K), H @ K @ H, atol=1e-12)

    def test_an_inductive_split_is_the_feature_space_computation(self, rng):
        X = rng.normal(size=(9, 4))
        K = GramMatrix(X @ X.T).then(CosineNormalize()).then(Center())
        train, test = np.array([0, 1, 2, 4, 6]), np.array([3, 5, 7, 8])
        split = split_inductively(K, train, test)
        unit = X / np.linalg.norm(X, axis=1, keepdims=True)
        mean = unit[train].mean(axis=0)
        np.testing.assert_allclose(split.K_train, (unit[train] - mean) @ (unit[train] - mean).T, atol=1e-12)
        np.testing.assert_allclose(split.K_cross, (unit[test] - mean) @ (unit[train] - mean).T, atol=1e-12)
        np.testing.assert_allclose(split.diag_test, ((unit[test] - mean) ** 2).sum(axis=1), atol=1e-12)

    def test_an_inductive_split_never_sees_pairs_of_test_items(self, rng):
        K = kernel(rng)
        train, test = np.arange(5), np.arange(5, 8)
        noisy = K.values.copy()
        block = rng.normal(size=(3, 3))
        noisy[5:, 5:] = block + block.T
        np.fill_diagonal(noisy, np.diag(K.values))
        one = split_inductively(K.then(CosineNormalize()).then(Center()), train, test)
        two = split_inductively(GramMatrix(noisy).then(CosineNormalize()).then(Center()), train, test)
        np.testing.assert_array_equal(one.K_cross, two.K_cross)

    def test_a_transductive_split_cuts_the_finished_matrix(self, rng):
        K = kernel(rng).then(Center())
        split = split_transductively(K, np.array([0, 1]), np.array([2]))
        np.testing.assert_array_equal(split.K_cross, K.values[[2]][:, [0, 1]])
