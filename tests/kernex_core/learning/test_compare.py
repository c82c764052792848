import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.chance.paired import corrected_t_p, holm, mcnemar_p, yates_p
from kernex_core.learning.compare import compare, compare_all, compare_with, judged_verdict, paper_tests
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from tests.kernex_core.learning.test_evaluate import classes_and_kernel


def test_two_kernels_on_the_same_folds(rng):
    K, y = classes_and_kernel(rng)
    noise = np.eye(len(y))
    good, bad = (judge(M, y, CrossValidation(repeats=2)) for M in (K, noise))
    made = compare(good, bad)
    assert made.difference == pytest.approx(good.multi_class.mean - bad.multi_class.mean)
    assert made.paired.first_better > made.paired.second_better
    assert made.told_apart
    assert made.p < 0.01
    assert compare(good, good).p == 1.0
    assert not compare(good, good).told_apart
    with pytest.raises(InvalidInputError, match="same items and folds"):
        compare(good, judge(K, y, CrossValidation(repeats=3)))


def test_several_kernels_are_compared_two_by_two_and_corrected_for_being_many(rng):
    K, y = classes_and_kernel(rng, sizes=(30, 30), gap=3.0)
    config = CrossValidation(repeats=3)
    made = {
        "good": judge(K, y, config),
        "noise": judge(np.eye(60), y, config),
        "worse": judge(K + 20.0 * np.eye(60), y, config),
    }
    pairs = compare_all(made)
    assert [(pair.first, pair.second) for pair in pairs] == [
        ("good", "noise"),
        ("good", "worse"),
        ("noise", "worse"),
    ]
    plain = [pair.comparison.p for pair in pairs]
    assert [pair.p for pair in pairs] == pytest.approx(holm(plain))
    assert min(pair.p for pair in pairs) == pytest.approx(3 * min(plain))
    assert pairs[0].p < 0.01
    assert [pair.told_apart for pair in pairs] == [p < 0.05 for p in holm(plain)]
    with pytest.raises(InvalidInputError, match="at least two"):
        compare_all({"good": made["good"]})


def test_the_warning_stands_beside_yates_always(rng):
    K, y = classes_and_kernel(rng)
    for repeats in (1, 2):
        made = judge(K, y, CrossValidation(repeats=repeats))
        assert "far too small or far too large" in paper_tests(made, made).warning


def test_every_p_is_of_the_measure_that_it_names(rng):
    K, y = classes_and_kernel(rng, gap=1.0)
    a, b = (judge(M, y, CrossValidation(repeats=3)) for M in (K, np.eye(len(y)) + 0.3 * K))
    made, n = paper_tests(a, b), 96
    assert made.yates_p == yates_p(n * a.one_vs_rest.mean, n * b.one_vs_rest.mean, n)
    assert made.yates_multi_class_p == yates_p(n * a.multi_class.mean, n * b.multi_class.mean, n)
    gains = np.array(a.fold_accuracy) - np.array(b.fold_accuracy)
    assert made.corrected_t_p == corrected_t_p(gains, 1.0)
    only = [int((one.correct[0] & ~other.correct[0]).sum()) for one, other in ((a, b), (b, a))]
    assert [made.only_first, made.only_second] == only
    assert made.mcnemar_p == mcnemar_p(*only)


def test_a_reference_is_compared_with_every_other(rng):
    K, y = classes_and_kernel(rng, sizes=(20, 20))
    config = CrossValidation(repeats=2)
    made = {name: judge(M, y, config) for name, M in {"a": K, "b": np.eye(40), "c": K + np.eye(40)}.items()}
    pairs = compare_with(made, "b")
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("c", "b")]
    assert [pair.p for pair in pairs] == pytest.approx(holm([pair.comparison.p for pair in pairs]))
    for wrong in ({"a": made["a"]}, made):
        with pytest.raises(InvalidInputError):
            compare_with(wrong, "a" if len(wrong) == 1 else "z")


@pytest.mark.parametrize("measure", ["multi_class", "one_vs_rest", "balanced", "matthews"])
@pytest.mark.parametrize("half", [4, 5])
def test_no_measure_of_named_classes_has_a_p_below_what_differently_named_items_can_say(
    measure: str, half: int
) -> None:
    # one item that is named otherwise moves the recall of all: signs alone said .008 of eight items
    x = np.r_[np.full(half, 3.0), np.full(half, -3.0)] + 0.01 * np.arange(2 * half)
    y = ["a"] * half + ["b"] * half
    for repeats in (1, 5, 20):
        protocol = CrossValidation(folds=2, repeats=repeats)
        judged = {
            name: judge(K, y, protocol) for name, K in {"x": np.outer(x, x), "none": np.eye(2 * half)}.items()
        }
        otherwise = (judged["x"].named != judged["none"].named).sum(axis=1).mean()
        least = min(1.0, 2.0 * 0.5 ** np.rint(otherwise))
        assert compare(judged["x"], judged["none"], measure).p >= least - 1e-12
        assert judged_verdict(judged, measure).candidates[1].p >= least - 1e-12
