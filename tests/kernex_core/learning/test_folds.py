import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import repetition_seed
from kernex_core.learning.folds import CrossValidation, make_folds

CODES = np.repeat([0, 1, 2], [11, 6, 4])


@pytest.mark.parametrize("k", [2, 5, 10])
def test_every_item_is_tested_once_a_repetition_and_never_trained_on_then(k):
    folds = make_folds(CODES, CrossValidation(folds=k, repeats=3))
    for repeat in range(3):
        tests = np.concatenate([fold.test for fold in folds if fold.repeat == repeat])
        assert sorted(tests) == list(range(21))
    assert all(not set(fold.train) & set(fold.test) for fold in folds)
    assert all(fold.train.size + fold.test.size == 21 for fold in folds)


def test_classes_are_spread_evenly():
    for fold in make_folds(CODES, CrossValidation(folds=2)):
        counts = np.bincount(CODES[fold.test], minlength=3)
        assert abs(counts - [5.5, 3, 2]).max() <= 0.5


def test_leave_one_out_has_nothing_to_repeat():
    folds = make_folds(CODES, CrossValidation(folds=0, repeats=7))
    assert [fold.test.tolist() for fold in folds] == [[i] for i in range(21)]


def test_unlabelled_items_are_in_no_fold():
    codes = CODES.copy()
    codes[[0, 20]] = -1
    for fold in make_folds(codes, CrossValidation(folds=2)):
        assert not {0, 20} & {*fold.train, *fold.test}


def test_the_seed_decides():
    def tests(seed):
        return [fold.test.tolist() for fold in make_folds(CODES, CrossValidation(seed=seed))]

    assert tests(3) == tests(3)
    assert tests(3) != tests(4)


@pytest.mark.parametrize("k", [2, 5, 0])
def test_groups_are_never_split(k):
    groups = np.array([f"g{i // 3}" for i in range(21)])
    folds = make_folds(CODES, CrossValidation(folds=k, repeats=2, grouped=True), groups=groups)
    assert folds
    for fold in folds:
        assert not set(groups[fold.train]) & set(groups[fold.test])


def test_items_without_a_group_are_groups_of_their_own():
    groups = np.array([f"g{i // 3}" if i < 6 else "" for i in range(21)])
    folds = make_folds(CODES, CrossValidation(folds=5, repeats=1, grouped=True), groups=groups)
    assert sum(bool(fold.test.size) for fold in folds) == 5
    assert max(fold.test.size for fold in folds) < 10


@pytest.mark.parametrize(
    ("codes", "config", "groups", "word"),
    [
        ([0, -1], CrossValidation(), None, "two labelled"),
        ([0, 0, 1, 1], CrossValidation(folds=5), None, "Use fewer folds"),
        ([0, 0, 1, 1], CrossValidation(grouped=True), None, "group column"),
        ([0, 0, 1, 1], CrossValidation(grouped=True), ["a"] * 4, "at least as many groups"),
        ([0, 0, 1, 1, 2], CrossValidation(folds=5, grouped=True), list("abcde"), "Use fewer folds"),
    ],
)
def test_what_cannot_be_divided_is_refused(codes, config, groups, word):
    with pytest.raises(InvalidInputError, match=word):
        make_folds(np.array(codes), config, groups=None if groups is None else np.array(groups))


@pytest.mark.parametrize(
    "wrong", [{"folds": 3}, {"repeats": 0}, {"C": 0.0}, {"C": np.inf}, {"seed": -1}, {"inductive": 1}]
)
def test_the_protocol_is_checked(wrong):
    with pytest.raises(InvalidInputError):
        CrossValidation(**wrong)


@st.composite
def classes_in_groups(draw):
    """Codes with small classes and gaps in the numbering, and groups of very unequal sizes."""
    n = draw(st.integers(6, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    codes = rng.choice([0, 1, 3, 4], n, p=[0.5, 0.3, 0.15, 0.05])
    codes[:5] = 0  # a class that can be divided
    codes[rng.permutation(n)[: draw(st.integers(0, n // 4))]] = -1
    groups = np.array([f"g{g:02}" for g in rng.integers(draw(st.integers(6, 40)), size=n)])
    return codes, groups, draw(st.sampled_from([2, 5])), draw(st.integers(0, 2**31 - 1))


@pytest.mark.filterwarnings("ignore:The least populated class")
@given(problem=classes_in_groups(), grouped=st.booleans())
def test_folds_are_those_of_scikit_learn(problem, grouped):
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    codes, groups, k, seed = problem
    items = np.flatnonzero(codes >= 0)
    own = codes[items]
    assume(np.bincount(own).max() >= k)
    assume(not grouped or np.unique(groups[items]).size >= k)
    config = CrossValidation(folds=k, repeats=2, seed=seed, grouped=grouped)
    found = iter(make_folds(codes, config, groups=groups))
    for repeat in range(2):
        kind = StratifiedGroupKFold if grouped else StratifiedKFold
        splitter = kind(k, shuffle=True, random_state=repetition_seed(seed, repeat))
        for train, test in splitter.split(own, own, *([groups[items]] if grouped else [])):
            if train.size and test.size:
                fold = next(found)
                np.testing.assert_array_equal(fold.train, items[train])
                np.testing.assert_array_equal(fold.test, items[test])
                assert fold.repeat == repeat
    assert next(found, None) is None
