import threading
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from sklearn.svm import SVC

from kernex_core.base.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.conditioning.repairs import Clip
from kernex_core.gram.combine import Product, WeightedSum
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import Center, CosineNormalize, cosine_normalize
from kernex_core.gram.provenance import write_script
from kernex_core.gram.seen import Seen
from kernex_core.gram.split import split_transductively
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.learning import evaluate
from kernex_core.learning import machine as engine
from kernex_core.learning.evaluate import judge, judge_in_steps
from kernex_core.learning.folds import C_GRID, CrossValidation, inner_folds, make_folds
from kernex_core.learning.leakage import evaluation_mode
from kernex_core.learning.learners.contract import Targets, chosen
from kernex_core.learning.learners.support_vectors import SupportVectors
from kernex_core.learning.machine import code_labels
from kernex_core.learning.predict import predict_unlabelled
from kernex_core.runtime import executors as threads
from tests.patience import PATIENCE


def classes_and_kernel(rng, sizes=(14, 10, 8), gap=2.5):
    y = np.repeat([f"c{i}" for i in range(len(sizes))], sizes)
    X = rng.normal(size=(y.size, 4))
    for i in range(len(sizes)):
        X[y == f"c{i}", i] += gap
    return X @ X.T + 0.5 * np.eye(y.size), y


def test_the_numbers_are_those_of_scikit_learn_fold_by_fold(rng):
    K, y = classes_and_kernel(rng)
    config = CrossValidation(folds=5, repeats=2, C=1.0)
    made = judge(K, y, config)
    coded = code_labels(y)
    right, ovr = np.zeros(2), np.zeros((2, 3))
    for train, test, repeat in make_folds(coded.codes, config):
        columns = []
        for c in range(3):
            machine = SVC(kernel="precomputed", C=1.0, tol=1e-6).fit(
                K[np.ix_(train, train)], coded.codes[train] == c
            )
            columns.append(machine.decision_function(K[np.ix_(test, train)]))
        decisions = np.column_stack(columns)
        right[repeat] += (decisions.argmax(axis=1) == coded.codes[test]).sum()
        ovr[repeat] += ((decisions > 0) == (coded.codes[test][:, None] == np.arange(3))).sum(axis=0)
    assert made.multi_class.mean == pytest.approx(right.mean() / 32)
    assert made.multi_class.sd_repeats == pytest.approx(np.std(right / 32, ddof=1))
    np.testing.assert_allclose(made.class_accuracy, ovr.mean(axis=0) / 32)
    assert made.one_vs_rest.mean == pytest.approx((ovr / 32).mean())
    assert made.one_vs_rest.sd_classes == pytest.approx(np.std(ovr.mean(axis=0) / 32, ddof=1))


def test_it_says_what_it_rests_on(rng):
    K, y = classes_and_kernel(rng)
    y = y.copy()
    y[3] = ""
    made = judge(K, y, CrossValidation(folds=2, repeats=4))
    assert (made.n_items, made.n_folds, made.n_repeats, made.n_decisions) == (31, 2, 4, 124)
    assert made.confusion.sum() == 124
    assert made.predicted[3] == -1
    assert made.sizes == (13, 10, 8)
    assert made.one_vs_rest.floor == pytest.approx(2 / 3)
    assert made.multi_class.floor == pytest.approx(13 / 31)
    assert len(made.fold_accuracy) == 8
    assert made.costs == ((10.0, 8),)


def test_labels_are_not_seen_random_ones_give_the_floor(rng):
    K, y = classes_and_kernel(rng, sizes=(40, 40))
    found = [
        judge(K, rng.permutation(y), CrossValidation(repeats=3, seed=s)).multi_class.mean for s in range(8)
    ]
    assert abs(np.mean(found) - 0.5) < 0.08


def test_progress_ends_with_the_result_and_keeps_whole_repetitions(rng, monkeypatch):
    monkeypatch.setenv("KERNEX_THREADS", "1")  # on any machine: fold by fold
    monkeypatch.setattr(engine, "SMALL", 0)  # as large folds, which do not come in one piece
    K, y = classes_and_kernel(rng)
    states = list(judge_in_steps(K, y, CrossValidation(folds=2, repeats=3)))
    done = [state.done for state in states]
    assert done == sorted(done)
    assert done[-1] == states[0].total == 6
    assert [0 if s.judgement is None else s.judgement.n_repeats for s in states] == [n // 2 for n in done]
    partial = next(state.judgement for state in states if state.done == 2)
    assert partial.multi_class.mean == judge(K, y, CrossValidation(folds=2, repeats=1)).multi_class.mean


def test_leave_one_out(rng):
    K, y = classes_and_kernel(rng)
    made = judge(K, y, CrossValidation(folds=0))
    assert (made.n_folds, made.n_repeats) == (32, 1)
    assert np.isnan(made.auc.mean)
    assert made.undefined_auc == 32 * 3


def test_cost_chosen_inside_the_folds_is_told(rng):
    K, y = classes_and_kernel(rng)
    made = judge(K, y, CrossValidation(folds=2, repeats=2, choose_C=True))
    assert sum(count for _, count in made.costs) == 4
    assert all(C in C_GRID for C, _ in made.costs)


def test_what_the_best_cost_of_the_grid_adds_is_told(rng):
    K, y = classes_and_kernel(rng, gap=1.5)
    K = cosine_normalize(K)  # the unit is 1, so that a fixed C is the same
    made = judge(K, y, CrossValidation(folds=2, repeats=3, choose_C=True, seed=4))
    for C, accuracy in made.grid:
        fixed = judge(K, y, CrossValidation(folds=2, repeats=3, C=C, seed=4))
        assert accuracy == pytest.approx(
            fixed.multi_class.mean, abs=0.02
        )  # warm starts end within the tolerance
    assert made.best_in_grid[1] == max(accuracy for _, accuracy in made.grid)
    assert made.optimism == pytest.approx(made.best_in_grid[1] - made.multi_class.mean)
    plain = judge(K, y, CrossValidation())
    assert plain.grid == ()
    assert np.isnan(plain.optimism)


def test_inner_folds_keep_groups_together_and_refit_the_steps(rng):
    K, y = classes_and_kernel(rng)
    groups = np.array([f"g{i % 8}" for i in range(32)])
    seen = []

    def split(train, test):
        seen.append((train, test))
        return split_transductively(GramMatrix(K), train, test)

    train = np.flatnonzero(groups != "g0")
    config = CrossValidation(choose_C=True, grouped=True)
    codes = code_labels(y).codes
    folds = inner_folds(codes, train, config, groups)
    chosen(SupportVectors(), split, Targets(codes, codes.max() + 1), folds, checked=True)
    assert len(seen) == 5
    for inner_train, inner_test in seen:
        assert set(inner_train) | set(inner_test) == set(train)
        assert not set(groups[inner_train]) & set(groups[inner_test])


def test_training_items_that_cannot_be_divided_get_the_fixed_cost():
    codes = np.array([0, 1, 2, 0, 1, 2])
    folds = inner_folds(codes, np.array([0, 1, 2]), CrossValidation(choose_C=True), None)
    assert chosen(SupportVectors(C=3.0), None, Targets(codes, 3), folds, checked=True) == SupportVectors(
        C=3.0
    )


def test_a_long_fold_does_not_silence_the_progress(rng, monkeypatch):
    K, y = classes_and_kernel(rng)
    quick, gate = evaluate._tested, threading.Event()

    def slow(task, fold, blocks):
        assert gate.wait(PATIENCE)
        return quick(task, fold, blocks)

    monkeypatch.setattr(evaluate, "_tested", slow)
    monkeypatch.setattr(engine, "SMALL", 0)  # the first of small folds is done by who asks
    monkeypatch.setattr(threads, "PULSE", 0.04)
    states = judge_in_steps(K, y, CrossValidation(repeats=1))
    first = next(states)
    assert first.done == 0
    assert first.judgement is None
    gate.set()
    assert list(states)[-1].done == 2


def test_a_matrix_that_is_no_kernel_is_judged_only_if_asked_and_told(rng):
    K, y = classes_and_kernel(rng)
    A = rng.normal(size=K.shape) * 2.0
    K = K + A + A.T
    with pytest.raises(NotPositiveSemidefiniteError):
        judge(K, y, CrossValidation())
    made = judge(K, y, CrossValidation(), allow_indefinite=True)
    assert any("no kernel" in note and f"{np.linalg.eigvalsh(K)[0]:.3g}" in note for note in made.notes)
    scope: dict = {}
    exec(write_script([made.recipe], heading="x"), scope)
    assert str(scope["judgement"].multi_class) == str(made.multi_class)  # NaN is not equal to itself


def test_a_margin_that_is_not_hard_is_told(rng):
    K, y = classes_and_kernel(rng, gap=8.0)
    separable = judge(K, y, CrossValidation(C=1e6))
    assert not any("not hard" in note for note in separable.notes)
    X = np.ones((32, 1))
    mixed = judge(X @ X.T, y, CrossValidation(C=1e6))
    assert any("not hard" in note for note in mixed.notes)


def test_unlabelled_items_are_told(rng):
    K, y = classes_and_kernel(rng)
    y = y.copy()
    y[[0, 1]] = ""
    assert any("2 of 32 items have no label" in note for note in judge(K, y, CrossValidation()).notes)


@pytest.mark.parametrize("how", ["labels", "keyword"])
def test_the_script_knows_the_groups(rng, how):
    K, y = classes_and_kernel(rng)
    groups = np.array([f"g{i % 8}" for i in range(32)])
    gram, config = GramMatrix(K), CrossValidation(grouped=True)
    if how == "labels":
        made = judge(gram, Labels(gram.ids, y, groups), config)
    else:
        made = judge(gram, y, config, groups=groups)
    scope: dict = {}
    exec(write_script([made.recipe], heading="x"), scope)
    assert str(scope["judgement"].multi_class) == str(made.multi_class)  # NaN is not equal to itself


def test_a_singleton_class_is_named(rng):
    K, y = classes_and_kernel(rng, sizes=(9, 8, 1))
    made = judge(K, y, CrossValidation(folds=2))
    assert any("c2" in note for note in made.notes)
    assert made.class_recall[2] == 0.0


def test_the_script_gives_the_same_number(rng):
    K, y = classes_and_kernel(rng)
    made = judge(
        GramMatrix(K).then(CosineNormalize()), y, CrossValidation(folds=5, repeats=1, inductive=True)
    )
    scope: dict = {}
    exec(write_script([made.recipe], heading="x"), scope)
    assert str(scope["judgement"].multi_class) == str(made.multi_class)  # NaN is not equal to itself


class TestRefusals:
    @pytest.mark.parametrize(
        ("y", "word"),
        [(["a"] * 4, "only class 'a'"), ([""] * 4, "no labels"), (["a", "b"], "one label an item")],
    )
    def test_labels(self, y, word):
        with pytest.raises(InvalidInputError, match=word):
            judge(np.eye(4), y, CrossValidation())

    def test_labels_of_other_items_or_in_another_order(self, rng):
        K, y = classes_and_kernel(rng)
        gram = GramMatrix(K)
        for refused in (judge, predict_unlabelled):
            arguments = (CrossValidation(),) if refused is judge else ()
            with pytest.raises(InvalidInputError, match="same order"):
                refused(gram, Labels(gram.ids[::-1], y), *arguments)

    def test_unknown_entries(self):
        K = np.eye(4)
        K[0, 1] = K[1, 0] = np.nan
        with pytest.raises(InvalidInputError, match="Complete it first"):
            judge(K, list("aabb"), CrossValidation())

    def test_an_indefinite_matrix(self):
        with pytest.raises(NotPositiveSemidefiniteError, match="repair_psd"):
            judge(np.array([[0.0, 1], [1, 0]]).repeat(2, 0).repeat(2, 1), list("aabb"), CrossValidation())


class TestMode:
    @dataclass(frozen=True)
    class Cheat(Step):
        """Adds the labels to the kernel: the planted leak."""

        name: ClassVar[str] = "cheat"
        sees: ClassVar[Sees] = Sees("fitted", labels=True)
        y: tuple = ()

        def fit(self, K_train, *, items=None):
            at = np.arange(K_train.shape[0]) if items is None else items
            y = np.array(self.y)

            class Fitted(FittedStep):
                def apply(self, K):
                    return K + 100.0 * np.equal.outer(y[at], y[at])

                def apply_cross(self, K_cross, diag, *, items=None):
                    return CrossBlock(K_cross, diag)

            return Fitted()

    def test_it_follows_from_the_steps(self, rng):
        bare = GramMatrix(classes_and_kernel(rng)[0])
        assert evaluation_mode(bare, inductive=False) == evaluation_mode(bare, inductive=True) == "as brought"
        K = GramMatrix(bare.values, seen=Seen())
        assert evaluation_mode(K, inductive=False) == "inductive"
        assert evaluation_mode(K.then(CosineNormalize()), inductive=False) == "inductive"
        assert evaluation_mode(K.then(Center()), inductive=False) == "transductive"
        assert evaluation_mode(K.then(Center()), inductive=True) == "inductive"

    def test_steps_of_an_operand_count(self, rng):
        K = GramMatrix(classes_and_kernel(rng)[0])
        made = K.then(WeightedSum(K.then(self.Cheat(tuple("ab" * 16)))))
        assert evaluation_mode(made, inductive=False) == "leak"

    def test_a_planted_leak_is_tagged_and_gone_when_fitted_inside(self, rng):
        K, y = classes_and_kernel(rng, gap=0.0)
        cheated = GramMatrix(K, seen=Seen()).then(self.Cheat(tuple(y)))
        caught = judge(cheated, y, CrossValidation())
        assert caught.mode == "leak"
        assert caught.multi_class.mean == 1.0
        honest = judge(cheated, y, CrossValidation(inductive=True))
        assert honest.mode == "inductive"
        assert honest.multi_class.mean < 0.7

    def test_an_inductive_judgement_does_not_see_pairs_of_test_items(self, rng):
        K, y = classes_and_kernel(rng)
        A = rng.normal(size=K.shape) * 0.8
        base = K + A + A.T
        config = CrossValidation(folds=2, repeats=1, inductive=True)
        for train, test, _ in make_folds(code_labels(y).codes, config)[:1]:
            noisy = base.copy()
            block = rng.normal(size=(test.size, test.size))
            noisy[np.ix_(test, test)] = block + block.T
            noisy[test, test] = base[test, test]
            from kernex_core.gram.split import split_inductively

            one, two = (
                split_inductively(GramMatrix(M).then(Clip()).then(Center()), train, test)
                for M in (base, noisy)
            )
            np.testing.assert_array_equal(one.K_cross, two.K_cross)


class TestPredict:
    def test_unlabelled_items_get_the_class_of_their_cluster_with_a_margin(self, rng):
        K, y = classes_and_kernel(rng, gap=6.0)
        hidden = [2, 15, 30]
        labels = y.copy()
        labels[hidden] = ""
        made = predict_unlabelled(GramMatrix(K), Labels(GramMatrix(K).ids, labels))
        assert made.labels == tuple(y[hidden])
        assert made.ids == ("3", "16", "31")
        ranked = np.sort(made.decisions, axis=1)
        np.testing.assert_allclose(made.margin, ranked[:, -1] - ranked[:, -2])
        assert (made.margin > 0).all()

    def test_there_has_to_be_something_to_predict(self, rng):
        K, y = classes_and_kernel(rng)
        with pytest.raises(InvalidInputError, match="without a label"):
            predict_unlabelled(GramMatrix(K), y)


def test_a_width_that_all_items_set_is_transductive_whatever_is_fitted_inside():
    rng = np.random.default_rng(3)
    items = Vectors(tuple(map(str, range(12))), rng.normal(size=(12, 3)))
    by_items, given = Gaussian().similarities(items), Gaussian(sigma=1.0).similarities(items)
    for K, mode in ((by_items, "transductive"), (given, "inductive")):
        chain = K.then(CosineNormalize()).take(np.arange(8)).renamed("kept")
        assert evaluation_mode(chain, inductive=True) == mode
        joined = given.take(np.arange(8)).then(Product(chain))
        assert evaluation_mode(joined, inductive=False) == mode
    assert by_items.digest != GramMatrix(by_items.values, by_items.ids, by_items.name).digest


def test_leave_one_out_of_a_kernel_that_knows_nothing_falls_below_the_floor_and_it_is_said():
    y = ["a"] * 10 + ["b"] * 10
    alone = judge(np.eye(20), y, CrossValidation(folds=0))
    assert alone.multi_class.mean == 0.0 < alone.multi_class.floor
    assert any("falls below the floor" in note for note in alone.notes)
    assert not any("below the floor" in note for note in judge(np.eye(20), y, CrossValidation()).notes)


def test_the_same_question_has_the_same_answer_however_long_it_took(rng):
    K, y = rng.normal(size=(30, 4)), np.array(["a", "b"] * 15)
    config = CrossValidation(folds=2, repeats=2)
    first, again = judge(K @ K.T, y, config), judge(K @ K.T, y, config)
    assert first.seconds != again.seconds
    assert first == again


def test_an_interval_is_made_once_and_is_none_of_what_is_compared(rng):
    x, y = rng.normal(size=24), np.array(["a", "b"] * 12)
    one, other = (judge(np.outer(x, x), y, CrossValidation(repeats=2)) for _ in range(2))
    for measure in ("multi_class", "balanced", "auc"):
        assert one.interval(measure) is one.interval(measure)
        assert one.interval(measure) == other.interval(measure)
    assert one.interval("balanced") != one.interval("auc")
    assert one == judge(np.outer(x, x), y, CrossValidation(repeats=2))
