from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.conditioning.impute import ColumnMean
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import Center
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.learning.folds import Fold, stratified_folds
from kernex_core.learning.machine import Coded
from kernex_core.learning.protocol import Judging
from kernex_core.studies.diagonals.judging import svm_losses
from kernex_core.studies.papers.orthogonal import power_table as judging_powers
from kernex_core.studies.papers.orthogonal.power_table import (
    ALL_POINTS,
    TRAIN_ONLY,
    Drawn,
    judged_row,
    last,
    two_classes,
)
from kernex_core.studies.papers.orthogonal.tables import (
    THROMBIN_POWERS,
    ColonConfig,
    HiddenConfig,
    LymphomaConfig,
    ThrombinConfig,
    expression_profiles,
    filled_parts,
    hidden_variables,
    measuring_table_2,
    measuring_table_3,
    measuring_table_4,
    measuring_table_5,
    sparse_noise_kernel,
)

MANY_2 = [0.499, 0.379, 0.344, 0.295, 0.279, 0.287, 0.292, 0.285, 0.285, 0.292, 0.306]
"""Over 400 draws of noise with seeds from 50,000, standard errors .003."""
SPEC_3 = [0.259, 0.298, 0.270, 0.256, 0.231, 0.210, 0.196, 0.191, 0.208, 0.222, 0.246]
SPEC_5 = [0.038, 0.033, 0.022, 0.015, 0.015, 0.018, 0.025, 0.046, 0.054, 0.085, 0.114]


def items(X, y):
    ids = tuple(f"s{i}" for i in range(len(X)))
    return Vectors(ids, np.asarray(X, dtype=float)), Labels(ids, np.asarray(y, dtype=str))


@pytest.fixture(scope="module")
def colon(shared):
    table = pd.read_csv(shared / "data" / "colon" / "colon_62x2000.csv.gz")
    return items(table.iloc[:, 1:], table["label"])


@pytest.fixture(scope="module")
def lymphoma(shared):
    table = pd.read_csv(shared / "data" / "lymphoma" / "lymphoma_96x4026.csv.gz")
    return items(table.iloc[:, 4:], np.where(table["dettling62"] == 1, "malignant", "other"))


class TestTable2:
    def test_the_preparation_gives_the_paper_s_matrix(self, colon):
        X = expression_profiles(colon[0].X)
        K = X @ X.T
        expected = [0.410811861, 0.3310199638, 0.4160181426, 0.1721141872, 0.390808409, 0.6057068603]
        np.testing.assert_allclose(K[:4, :4][np.triu_indices(4, 1)], expected, atol=1e-8)
        np.testing.assert_allclose(np.diag(K), 1.0)

    def test_noise_makes_the_diagonal_large(self):
        K = sparse_noise_kernel(60, 10_000, rng=np.random.default_rng(0))
        # a hundred squares of uniform numbers, and one shared feature a pair on average
        assert np.diag(K).mean() == pytest.approx(100 / 3, rel=0.1)
        assert K[np.triu_indices(60, 1)].mean() == pytest.approx(0.25, rel=0.1)

    def test_every_item_has_as_many_noise_features(self):
        # of n_features = 100 one is drawn: the diagonal is its square, the matrix has rank of the features that occur
        K = sparse_noise_kernel(30, 100, rng=np.random.default_rng(1))
        assert (np.diag(K) > 0.0).all()
        assert (np.diag(K) < 1.0).all()
        root = np.sqrt(np.diag(K))
        shared = K / np.outer(root, root)
        assert np.isclose(shared, np.round(shared)).all()
        assert 0.0 < shared[np.triu_indices(30, 1)].mean() < 0.05
        assert not sparse_noise_kernel(4, 0, rng=np.random.default_rng(1)).any()

    def test_a_gene_or_sample_without_variance_becomes_zero(self):
        X = expression_profiles(np.array([[1.0, 2.0, 4.0], [1.0, 3.0, 1.0], [2.0, 2.0, 2.0]]))
        assert np.isfinite(X).all()

    @pytest.mark.parametrize(
        ("bad", "said"), [(0.0, "raw intensities"), (-1.0, "raw intensities"), (np.nan, "known")]
    )
    def test_what_has_no_logarithm_is_refused(self, bad, said):
        with pytest.raises(InvalidInputError, match=said):
            expression_profiles(np.array([[1.0, bad], [2.0, 3.0]]))

    def test_a_few_draws_show_the_shape(self, colon):
        table = last(measuring_table_2(ColonConfig(draws=3), *colon))
        # draws differ by .06: so much may three be away from many
        np.testing.assert_allclose(table.mean(ALL_POINTS), MANY_2, atol=3.5 * 0.06 / np.sqrt(3.0))
        self._check(table)

    def _check(self, table):
        assert table.mean(ALL_POINTS)[0] > 0.45
        assert table.aside.mean() == pytest.approx(0.180, abs=0.03)
        # printed .36 of the map's first rows are far below what training points alone as its basis give
        assert (table.mean(TRAIN_ONLY)[1:4] - table.mean(ALL_POINTS)[1:4] > 0.03).all()
        assert table.training_errors == table.at_bound == table.not_converged == 0


class TestTable3:
    def test_the_kernel_is_that_of_all_monomials(self):
        K, coded = hidden_variables(20, rng=np.random.default_rng(0))
        rng = np.random.default_rng(0)
        h = np.hstack(
            [rng.normal(size=(20, 10)) + 0.5 * (2.0 * coded.codes[:, None] - 1.0), rng.normal(size=(20, 10))]
        )
        np.testing.assert_allclose(K.values, (h @ h.T + 1.0) ** 4)
        assert coded.codes.sum() == 10

    def test_a_few_data_sets_show_the_shape(self):
        table = last(measuring_table_3(HiddenConfig(data_sets=4)))
        bound = 0.05 + 3.0 * table.sd_repetitions(TRAIN_ONLY).max() / 2.0
        np.testing.assert_allclose(table.mean(TRAIN_ONLY), SPEC_3, atol=bound)
        assert table.mean(TRAIN_ONLY)[1:].min() < table.mean(TRAIN_ONLY)[1]

    def test_the_seed_moves_the_numbers(self):
        first, second = (
            last(measuring_table_3(HiddenConfig(data_sets=1, n=40, seed=seed))) for seed in (0, 9)
        )
        assert not np.array_equal(first.losses[ALL_POINTS], second.losses[ALL_POINTS])


class TestTable4:
    def test_a_kernel_is_judged_in_eight_folds(self, rng):
        X = rng.normal(size=(32, 3)) + np.repeat([0.0, 3.0], 16)[:, None]
        _, labels = items(X, np.repeat(["a", "b"], 16))
        table = last(measuring_table_4(ThrombinConfig(repeats=1), GramMatrix(X @ X.T, labels.ids), labels))
        assert table.losses[ALL_POINTS].shape == (1, 8, len(THROMBIN_POWERS))
        assert np.isnan(table.sd_repetitions(ALL_POINTS)).all()

    def test_an_indefinite_or_unknown_matrix_is_refused(self):
        _, labels = items(np.zeros((16, 1)), np.repeat(["a", "b"], 8))
        with pytest.raises(NotPositiveSemidefiniteError):
            next(measuring_table_4(ThrombinConfig(), GramMatrix(1.0 - np.eye(16)), labels))
        with pytest.raises(InvalidInputError, match="known everywhere"):
            next(measuring_table_4(ThrombinConfig(), GramMatrix(np.full((16, 16), np.nan)), labels))


class TestTable5:
    def test_one_repetition_shows_the_shape(self, lymphoma):
        table = last(measuring_table_5(LymphomaConfig(repeats=2), *lymphoma))
        np.testing.assert_allclose(table.mean(ALL_POINTS), SPEC_5, atol=0.04)
        assert (
            "19,667 unknown entries (5.1 %) were filled by column mean, from the training rows"
            in table.notes[0]
        )

    def test_the_fill_of_a_fold_does_not_look_at_its_test_rows(self, rng):
        X = rng.normal(size=(20, 6))
        X[rng.random(X.shape) < 0.2] = np.nan
        vectors, _ = items(X, ["a"] * 20)
        fold = Fold(np.arange(10), np.arange(10, 20), 0)
        noisy = X.copy()
        noisy[10:] = 50.0 * rng.normal(size=(10, 6))
        for inside, same in ((True, True), (False, False)):
            config = LymphomaConfig(inside=inside)
            blocks = [
                filled_parts(config, replace(vectors, X=rows), [fold])[0][0].values[:10, :10]
                for rows in (X, noisy)
            ]
            assert np.array_equal(*blocks) is same

    def test_every_imputation_can_be_chosen(self, rng):
        X = rng.normal(size=(20, 6))
        X[::3, 2] = np.nan
        vectors, _ = items(X, ["a"] * 20)
        fold = Fold(np.arange(18), np.arange(18, 20), 0)
        means, nearest = (
            filled_parts(LymphomaConfig(imputation=title), vectors, [fold])[0][0].values
            for title in ("column mean", "k nearest rows")
        )
        filled = ColumnMean().fit(X[:18]).apply(X)
        filled /= np.linalg.norm(filled, axis=1, keepdims=True)
        np.testing.assert_allclose(means, filled @ filled.T)
        assert not np.allclose(means, nearest)


class TestTwoClasses:
    def test_some_classes_stand_against_the_others(self):
        _, labels = items(np.zeros((5, 1)), ["a", "b", "c", "", "a"])
        coded = two_classes(labels, ("b", "c"))
        assert coded.codes.tolist() == [0, 1, 1, -1, 0]
        assert coded.classes == ("a", "b + c")

    @pytest.mark.parametrize("positive", [(), ("d",), ("a", "b", "c")])
    def test_what_is_no_division_is_refused(self, positive):
        _, labels = items(np.zeros((3, 1)), ["a", "b", "c"])
        with pytest.raises(InvalidInputError, match="sets some classes"):
            two_classes(labels, positive)

    @pytest.mark.parametrize(
        ("y", "found"), [(None, "no labels"), (["", ""], "no labels"), (["a", "a"], "only 'a'")]
    )
    def test_no_or_one_class_is_refused(self, y, found):
        labels = None if y is None else items(np.zeros((2, 1)), y)[1]
        with pytest.raises(InvalidInputError, match=f"labels of two classes. Found: {found}"):
            two_classes(labels)

    @pytest.mark.parametrize(("first", "refused"), [(7, True), (8, False)])
    def test_a_class_has_an_item_for_every_fold(self, first, refused):
        _, labels = items(np.zeros((30, 1)), ["a"] * first + ["b"] * (30 - first))
        if refused:
            with pytest.raises(InvalidInputError, match=r"at least 8 items.* Found: 7 of 'a'"):
                two_classes(labels, folds=8)
        assert two_classes(labels, folds=first).classes == ("a", "b")

    @pytest.mark.parametrize("few", [1, 4, 7, 9])
    def test_every_table_refuses_classes_that_are_smaller_than_its_folds(self, few):
        vectors, labels = items(np.exp(np.eye(30)), ["a"] * few + ["b"] * (30 - few))
        for start in (
            lambda: measuring_table_2(ColonConfig(), vectors, labels),
            lambda: measuring_table_5(LymphomaConfig(), vectors, labels),
            *(
                [lambda: measuring_table_4(ThrombinConfig(), GramMatrix(np.eye(30)), labels)]
                if few < 8
                else []
            ),
        ):
            with pytest.raises(InvalidInputError, match=f"Found: {few} of 'a'"):
                start()


class Found(NamedTuple):
    losses: dict
    training_errors: int
    at_bound: int


class TestRepetition:
    """What the tables rest on, on the inputs that are hard."""

    CODED = Coded(np.tile([0, 1], 12), ("−", "+"))

    def run(self, K, folds=None, coded=CODED, powers=(None, 0.5, 0.1)):
        """Balanced losses (n_folds, n_powers) by column, and two counts."""
        folds = stratified_folds(coded.codes, 4) if folds is None else folds
        rows = [judged_row(Drawn([(GramMatrix(K), folds)], coded), p, C=1e6) for p in powers]
        losses = {column: np.array([row.losses[column] for row in rows]).T for column in rows[0].losses}
        return Found(losses, *np.sum([row.against[:2] for row in rows], axis=0).tolist())

    def test_an_inductive_run_does_not_see_entries_among_test_rows(self, rng):
        X = rng.normal(size=(24, 30))
        K = X @ X.T
        folds = [Fold(np.arange(0, 16), np.arange(16, 24), 0)]
        noisy = K.copy()
        noise = rng.normal(size=(8, 8)) * 100.0
        noisy[16:, 16:] = np.where(np.eye(8, dtype=bool), K[16:, 16:], noise + noise.T)
        before, after = self.run(K, folds), self.run(noisy, folds)
        np.testing.assert_array_equal(before.losses[TRAIN_ONLY], after.losses[TRAIN_ONLY])
        # the map of all points looks at them
        assert not np.array_equal(before.losses[ALL_POINTS], after.losses[ALL_POINTS])

    def test_the_order_of_the_test_rows_does_not_matter_to_an_inductive_run(self, rng):
        X = rng.normal(size=(24, 30)) + 0.4 * self.CODED.codes[:, None]
        K = X @ X.T
        order = np.concatenate([np.arange(16), 16 + rng.permutation(8)])
        folds = [Fold(np.arange(16), np.arange(16, 24), 0)]
        moved = Coded(self.CODED.codes[order], self.CODED.classes)
        before, after = self.run(K, folds), self.run(K[np.ix_(order, order)], folds, moved)
        np.testing.assert_array_equal(before.losses[TRAIN_ONLY], after.losses[TRAIN_ONLY])

    def test_zero_diagonals_exact_zeros_and_negative_entries_give_losses(self, rng):
        X = rng.normal(size=(24, 3)) * (rng.random((24, 3)) < 0.4)
        X[5] = X[6] = 0.0
        K = X @ X.T
        assert (K == 0.0).any()
        assert (K < 0.0).any()
        assert K[5, 5] == 0.0
        for losses in self.run(K).losses.values():
            assert np.isfinite(losses).all()
        for losses in self.run(np.zeros((24, 24))).losses.values():
            np.testing.assert_allclose(losses, 0.5)

    def test_contradictory_duplicates_end_and_are_counted(self):
        X = np.repeat(np.eye(6), 4, axis=0)
        found = self.run(X @ X.T)
        assert found.at_bound > 0
        assert found.training_errors > 0

    def test_a_training_fold_of_one_class_predicts_it(self):
        found = self.run(np.eye(24), [Fold(np.arange(0, 24, 2), np.arange(1, 24, 2), 0)])
        for losses in found.losses.values():
            np.testing.assert_array_equal(losses, 1.0)

    def test_a_kernel_as_it_is_is_judged_once_for_both_bases(self, rng, monkeypatch):
        X = rng.normal(size=(24, 30))
        K, folds = GramMatrix(X @ X.T), stratified_folds(self.CODED.codes, 4)
        seen = []

        def counted(K, how):
            seen.append(how.inductive)
            return svm_losses(K, how)

        monkeypatch.setattr(judging_powers, "svm_losses", counted)
        row = judged_row(Drawn([(K, folds)], self.CODED), None, C=0.01)
        assert seen == [False]
        np.testing.assert_array_equal(row.losses[ALL_POINTS], row.losses[TRAIN_ONLY])
        alone = [
            svm_losses(K, Judging.given(self.CODED, folds, C=0.01, inductive=inductive))
            for inductive in (False, True)
        ]
        assert row.against[1] == alone[0].at_bound > 0
        np.testing.assert_array_equal(alone[0].values, alone[1].values)
        # a kernel that something has been done to is fitted anew on training points
        seen.clear()
        judged_row(Drawn([(K.then(Center()), folds)], self.CODED), None, C=0.01)
        assert seen == [False, True]

    @pytest.mark.parametrize("p", [0.0, -0.5, 1.5, np.nan])
    def test_p_out_of_range_is_refused(self, p):
        with pytest.raises(InvalidInputError):
            self.run(np.eye(24), powers=(p,))


@pytest.mark.parametrize(
    ("config", "change"),
    [
        (ColonConfig(), {"draws": 0}),
        (ColonConfig(), {"noise": -1}),
        (HiddenConfig(), {"n": 10}),
        (HiddenConfig(), {"C": 0.0}),
        (ThrombinConfig(), {"repeats": 0}),
        (LymphomaConfig(), {"imputation": "mode"}),
        (LymphomaConfig(), {"seed": -1}),
    ],
)
def test_settings_out_of_range_are_refused(config, change):
    with pytest.raises(InvalidInputError):
        replace(config, **change)


@pytest.fixture(scope="module")
def starts():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 12)) + np.repeat([0.0, 1.5], 12)[:, None]
    X[0, 0] = np.nan
    vectors, labels = items(X, np.repeat(["a", "b"], 12))
    intensities, _ = items(np.exp(np.nan_to_num(X)), labels.y)
    K = GramMatrix(np.nan_to_num(X) @ np.nan_to_num(X).T)
    return {
        2: lambda done=None: measuring_table_2(
            ColonConfig(draws=2, noise=500), intensities, labels, done=done
        ),
        3: lambda done=None: measuring_table_3(HiddenConfig(data_sets=2, n=20), done=done),
        4: lambda done=None: measuring_table_4(ThrombinConfig(repeats=2), K, labels, done=done),
        5: lambda done=None: measuring_table_5(LymphomaConfig(repeats=2), vectors, labels, done=done),
    }


class TestGoingOn:
    """Repetition r depends on seed + r alone: what was stopped goes on, and what is done is not measured again."""

    @pytest.mark.parametrize("number", [2, 3, 4, 5])
    def test_every_stop_leads_to_the_same_table(self, number, starts):
        states = list(starts[number]())
        rows = len(states[0].powers)
        assert [s.done for s in states] == list(range(1, 2 * rows + 1))
        assert {s.total for s in states} == {2 * rows}
        for at in (0, 3, rows - 1, rows, 2 * rows - 2):
            rest = list(starts[number](states[at]))
            assert [s.done for s in rest] == list(range(at + 2, 2 * rows + 1))
            for column in (ALL_POINTS, TRAIN_ONLY):
                np.testing.assert_array_equal(rest[-1].losses[column], states[-1].losses[column])
            np.testing.assert_array_equal(rest[-1].aside, states[-1].aside)
            assert rest[-1].notes == states[-1].notes
            assert rest[-1].at_bound == states[-1].at_bound
            assert rest[-1].seconds > states[at].seconds
        assert not list(starts[number](states[-1]))

    def test_what_is_not_done_yet_has_no_number(self, starts):
        states = list(starts[4]())
        rows = len(THROMBIN_POWERS)
        early, later = states[2], states[rows + 2]
        assert (early.repetitions, later.repetitions, later.planned) == (0, 1, 2)
        assert np.isfinite(early.mean(ALL_POINTS)).tolist() == [True] * 3 + [False] * (rows - 3)
        assert np.isnan(early.se(ALL_POINTS)).all()
        # one repetition of a row has no standard error, two have
        assert np.isfinite(later.se(ALL_POINTS)).tolist() == [True] * 3 + [False] * (rows - 3)
        assert np.isfinite(later.mean(ALL_POINTS)).all()
        np.testing.assert_array_equal(later.mean(ALL_POINTS)[3:], states[rows - 1].mean(ALL_POINTS)[3:])
        assert early.by_unit(ALL_POINTS).shape == (0, rows)
        np.testing.assert_allclose(states[-1].by_unit(ALL_POINTS).mean(axis=0), states[-1].mean(ALL_POINTS))
        with pytest.raises(InvalidInputError, match="goes on to 5 repetitions"):
            next(measuring_table_3(HiddenConfig(data_sets=5), done=states[-1]))

    def test_a_kernel_that_is_0_says_so(self):
        _, labels = items(np.zeros((16, 1)), np.repeat(["a", "b"], 8))
        table = next(measuring_table_4(ThrombinConfig(), GramMatrix(np.zeros((16, 16))), labels))
        assert "0 everywhere" in table.notes[0]


def test_a_column_that_is_not_there_is_refused():
    with pytest.raises(InvalidInputError, match="A column is one of"):
        last(measuring_table_3(HiddenConfig(data_sets=1, n=20))).mean("SVM")
