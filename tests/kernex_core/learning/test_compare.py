import numpy as np
import pytest

from kernex_core.errors import InvalidInputError
from kernex_core.learning.chance.tests import holm, yates_p
from kernex_core.learning.compare import compare, compare_all, compare_with
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from tests.kernex_core.learning.test_evaluate import classes_and_kernel


def test_two_kernels_on_the_same_folds(rng):
    K, y = classes_and_kernel(rng)
    noise = np.eye(len(y))
    good, bad = (judge(M, y, CrossValidation(repeats=2)) for M in (K, noise))
    made = compare(good, bad)
    assert made.difference == pytest.approx(good.multi_class.mean - bad.multi_class.mean)
    assert made.only_first > made.only_second
    assert made.mcnemar_p < 0.01
    assert compare(good, good).mcnemar_p == 1.0
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
    plain = [pair.comparison.mcnemar_p for pair in pairs]
    assert [pair.mcnemar_p for pair in pairs] == pytest.approx(holm(plain))
    assert min(pair.mcnemar_p for pair in pairs) == pytest.approx(3 * min(plain))
    assert pairs[0].mcnemar_p < 0.01
    with pytest.raises(InvalidInputError, match="at least two"):
        compare_all({"good": made["good"]})


def test_the_warning_stands_beside_yates_always(rng):
    K, y = classes_and_kernel(rng)
    for repeats in (1, 2):
        made = judge(K, y, CrossValidation(repeats=repeats))
        assert "far too small or far too large" in compare(made, made).warning


def test_every_p_is_of_the_measure_that_it_names(rng):
    K, y = classes_and_kernel(rng, gap=1.0)
    a, b = (judge(M, y, CrossValidation(repeats=3)) for M in (K, np.eye(len(y)) + 0.3 * K))
    made, n = compare(a, b), 96
    assert made.yates_p == yates_p(n * a.one_vs_rest.mean, n * b.one_vs_rest.mean, n)
    assert made.yates_multi_class_p == yates_p(n * a.multi_class.mean, n * b.multi_class.mean, n)
    assert made.one_vs_rest_difference == a.one_vs_rest.mean - b.one_vs_rest.mean
    wide = max(one.interval().half_width for one in (a, b))
    assert made.half_width == wide
    assert made.told_apart == (abs(made.difference) > wide)
    assert not compare(a, a).told_apart


def test_a_reference_is_compared_with_every_other(rng):
    K, y = classes_and_kernel(rng, sizes=(20, 20))
    config = CrossValidation(repeats=2)
    made = {name: judge(M, y, config) for name, M in {"a": K, "b": np.eye(40), "c": K + np.eye(40)}.items()}
    pairs = compare_with(made, "b")
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("c", "b")]
    assert [pair.corrected_t_p for pair in pairs] == pytest.approx(
        holm([pair.comparison.corrected_t_p for pair in pairs])
    )
    for wrong in ({"a": made["a"]}, made):
        with pytest.raises(InvalidInputError):
            compare_with(wrong, "a" if len(wrong) == 1 else "z")
