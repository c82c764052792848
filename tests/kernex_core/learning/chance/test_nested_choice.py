"""Nested choice among kernels, beside naive loops, the judgement of each kernel alone, and noise."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import cut_blocks
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import choosing_candidate, same_in_all
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation, inner_folds
from kernex_core.learning.machine import UNSCALED, fit_one_vs_rest
from kernex_core.learning.protocol import Judging, Protocol

PROTOCOL = CrossValidation(repeats=3, C=1.0, seed=5)


@pytest.fixture
def three(rng):
    """Three kernels that know more and more, of 60 items in three classes."""
    y = np.repeat(["a", "b", "c"], [30, 18, 12])
    means = np.equal.outer(y, ["a", "b", "c"]).astype(float)
    kernels = {}
    for name, noise in (("dim", 2.5), ("fair", 1.5), ("good", 1.2)):
        X = means + noise * rng.normal(size=(60, 3))
        kernels[name] = GramMatrix(X @ X.T)
    return kernels, Labels(kernels["dim"].ids, y)


def chosen(kernels, labels, protocol=PROTOCOL, measure="multi_class"):
    how = Judging.of(labels, Protocol(protocol, UNSCALED))
    candidates = ((name, same_in_all(partial(cut_blocks, K.values))) for name, K in kernels.items())
    *_, last = choosing_candidate(candidates, len(kernels), how, measure=measure)
    return last, how


def names_of(K, codes, train, test):
    present, own = np.unique(codes[train], return_inverse=True)
    fitted = fit_one_vs_rest(K[np.ix_(train, train)], own, present.size, C=1.0)
    return present[fitted.decide(K[np.ix_(test, train)]).argmax(axis=1)]


def named_rightly(K, codes, train, test):
    return int((names_of(K, codes, train, test) == codes[test]).sum())


def test_it_is_the_two_loops_written_out(three):
    kernels, labels = three
    found, how = chosen(kernels, labels)
    codes, right = how.coded.codes, np.zeros(3)
    for at, fold in enumerate(how.folds):
        scores = [
            sum(
                named_rightly(K.values, codes, i.train, i.test)
                for i in inner_folds(codes, fold.train, PROTOCOL, None)
            )
            for K in kernels.values()
        ]
        assert found.picked[at] == int(np.argmax(scores))
        right[fold.repeat] += named_rightly(
            list(kernels.values())[np.argmax(scores)].values, codes, fold.train, fold.test
        )
    assert found.by_repeat == pytest.approx(right / 60)
    assert sum(times for _, times in found.picks) == len(how.folds) == 6


@pytest.mark.parametrize(
    ("measure", "field"),
    [("multi_class", "multi_class"), ("one_vs_rest", "one_vs_rest"), ("recall", "balanced")],
)
def test_each_kernel_alone_has_the_accuracy_of_its_judgement(three, measure, field):
    kernels, labels = three
    found, _ = chosen(kernels, labels, measure=measure)
    means = [getattr(judge(K, labels, PROTOCOL), field).mean for K in kernels.values()]
    assert found.alone.mean(axis=1) == pytest.approx(means)
    assert found.best == (list(kernels)[int(np.argmax(means))], pytest.approx(max(means)))
    assert found.optimism == pytest.approx(max(means) - found.mean)


def test_the_choice_by_recall_is_the_two_loops_written_out(three):
    """A kernel that sees the small class alone is chosen by recall where accuracy takes another."""
    kernels, labels = three
    rare = labels.y == "c"
    kernels["rare"] = GramMatrix(kernels["dim"].values + 30.0 * np.outer(rare, rare))
    found, how = chosen(kernels, labels, measure="recall")
    codes, values = how.coded.codes, [K.values for K in kernels.values()]
    named = np.full((3, 60), -1)
    for at, fold in enumerate(how.folds):
        scores = []
        for K in values:
            inner = np.full(60, -1)
            for i in inner_folds(codes, fold.train, PROTOCOL, None):
                inner[i.test] = names_of(K, codes, i.train, i.test)
            scores.append(balanced_accuracy_score(codes[fold.train], inner[fold.train]))
        assert found.picked[at] == int(np.argmax(scores))
        named[fold.repeat, fold.test] = names_of(values[np.argmax(scores)], codes, fold.train, fold.test)
    assert found.by_repeat == pytest.approx([balanced_accuracy_score(codes, each) for each in named])


@pytest.mark.parametrize("protocol", [PROTOCOL, replace(PROTOCOL, choose_C=True), replace(PROTOCOL, folds=0)])
def test_a_choice_of_one_is_its_judgement_with_its_interval(three, protocol):
    kernels, labels = three
    found, _ = chosen({"good": kernels["good"]}, labels, protocol)
    alone = judge(kernels["good"], labels, protocol)
    assert found.mean == pytest.approx(alone.multi_class.mean)
    assert found.optimism == pytest.approx(0.0)
    assert (found.interval.low, found.interval.high) == (alone.interval().low, alone.interval().high)


def test_groups_stay_together_inside_the_training_items_too(three):
    kernels, labels = three
    groups = np.array([f"g{i // 3}" for i in range(60)])
    protocol = replace(PROTOCOL, grouped=True)
    found, how = chosen(kernels, replace(labels, groups=groups), protocol)
    assert found.interval.over == "groups"
    for fold in how.folds:
        for inner in inner_folds(how.coded.codes, fold.train, protocol, how.groups):
            assert not set(groups[inner.train]) & set(groups[inner.test])


def test_labels_of_test_items_have_no_part_in_the_choice(three):
    kernels, labels = three
    found, how = chosen(kernels, labels)
    candidates = [(name, same_in_all(partial(cut_blocks, K.values))) for name, K in kernels.items()]
    for at, fold in enumerate(how.folds):
        codes = how.coded.codes.copy()
        codes[fold.test] = (codes[fold.test] + 1) % 3
        other = replace(how, coded=replace(how.coded, codes=codes), folds=(fold._replace(repeat=0),))
        *_, again = choosing_candidate(candidates, 3, other)
        assert again.picked[0] == found.picked[at]


@pytest.mark.parametrize("worlds", [5, pytest.param(12, marks=pytest.mark.science)])
def test_the_best_of_noise_is_too_good_and_choosing_it_is_worth_nothing(worlds):
    """Fifteen kernels that know nothing: the highest is some twelve points above chance, the nested figure is not."""
    rng, best, nested = np.random.default_rng(1), [], []
    for _ in range(worlds):
        y = rng.permutation(np.repeat(["a", "b"], 20))
        kernels = {}
        for name in range(15):
            X = rng.normal(size=(40, 5))
            kernels[str(name)] = GramMatrix(X @ X.T)
        found, _ = chosen(kernels, Labels(kernels["0"].ids, y), replace(PROTOCOL, repeats=2))
        best.append(found.best[1])
        nested.append(found.mean)
    error = np.std(nested, ddof=1) / np.sqrt(worlds)
    assert np.mean(best) > 0.5 + 0.08
    assert abs(np.mean(nested) - 0.5) < 3.0 * error


def test_balanced_scores_are_means_over_folds_of_the_mean_recall(three):
    kernels, labels = three
    found, how = chosen({"good": kernels["good"]}, labels, measure="balanced")
    K, codes, by_repeat = kernels["good"].values, how.coded.codes, np.zeros((3, 2))
    for at, fold in enumerate(how.folds):
        recalls = []
        for c in range(3):
            of_class = fold.test[codes[fold.test] == c]
            recalls.append(named_rightly(K, codes, fold.train, of_class) / of_class.size)
        by_repeat[fold.repeat, at % 2] = np.mean(recalls)
    assert found.by_repeat == pytest.approx(by_repeat.mean(axis=1))


def test_where_training_items_cannot_be_divided_the_first_is_taken():
    K, labels = GramMatrix(np.eye(4)), Labels(("1", "2", "3", "4"), ["a", "a", "b", "b"])
    found, _ = chosen({"one": K, "two": GramMatrix(np.eye(4))}, labels)
    assert set(found.picked.tolist()) == {0}


def test_no_kernel_is_refused(three):
    with pytest.raises(InvalidInputError, match="at least one kernel"):
        chosen({}, three[1])
