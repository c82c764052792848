"""Is it better than chance? Permuted labels, beside a loop that is written out."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core import CrossValidation, judge, permutation_test
from kernex_core.base.errors import InvalidInputError
from kernex_core.learning.permutations import LabelOrders, permuting

PROTOCOL = CrossValidation(folds=2, repeats=2, C=1.0)


def items(rng, gap):
    y = np.repeat(["a", "b"], [14, 10])
    X = rng.normal(size=(24, 3)) + gap * (y == "a")[:, None]
    return X @ X.T, y


def test_p_is_counted_by_hand_and_the_largest_of_several_counts(rng):
    K, y = items(rng, 0.8)
    made = permutation_test({"good": K, "noise": np.eye(24)}, y, PROTOCOL, permutations=30)
    assert made.drawn.shape == (30, 2)
    for at, name in enumerate(made.names):
        observed = judge({"good": K, "noise": np.eye(24)}[name], y, PROTOCOL).multi_class.mean
        assert made.observed[at] == observed
        at_least = sum(max(row) >= observed - 1e-12 for row in made.drawn)
        assert made.p(name) == (1 + at_least) / 31
    again = permutation_test({"good": K, "noise": np.eye(24)}, y, PROTOCOL, permutations=30)
    assert again == made
    other = permutation_test({"good": K}, y, replace(PROTOCOL, seed=1), permutations=30)
    assert not np.array_equal(other.drawn[:, 0], made.drawn[:, 0])


@pytest.mark.parametrize("worlds", [15, pytest.param(60, marks=pytest.mark.science)])
def test_labels_that_mean_nothing_have_p_that_is_uniform(worlds):
    """Data sets of noise: p below .1 in about a tenth of them."""
    below = 0
    for seed in range(worlds):
        rng = np.random.default_rng(seed)
        K, y = items(rng, 0.0)
        once = replace(PROTOCOL, repeats=1, seed=seed)
        below += permutation_test({"K": K}, y, once, permutations=19).p("K") <= 0.1
    assert below <= 0.1 * worlds + 3 * np.sqrt(worlds * 0.1 * 0.9)


def test_labels_stay_in_their_groups(rng):
    y = np.array(["a", "b", "a", "", "b", "b", "a", "a"])
    groups = np.array(["g", "g", "g", "g", "h", "h", "", ""])
    seen = set()
    for _ in range(60):
        made = y[LabelOrders.of(y, groups).draw(rng)]
        assert made[3] == ""
        assert sorted(made[:3]) == ["a", "a", "b"]
        # groups of one label exchange theirs: h with the two items that are groups of their own
        assert made[4] == made[5]
        assert sorted([made[4], made[6], made[7]]) == ["a", "a", "b"]
        seen.add(tuple(made))
    assert len(seen) == 9


def test_without_groups_all_labels_are_exchanged(rng):
    y = np.array(["a"] * 5 + [""] + ["b"] * 4)
    made = [y[LabelOrders.of(y, None).draw(rng)] for _ in range(30)]
    assert all(one[5] == "" and sorted(one) == sorted(y) for one in made)
    assert len({tuple(one) for one in made}) > 20


def test_it_tells_how_much_is_done(rng):
    K, y = items(rng, 1.0)
    shares = list(permuting({"K": K}, y, PROTOCOL, permutations=9))
    assert shares == pytest.approx(np.arange(1, 11) / 10)


@pytest.mark.parametrize(
    ("kernels", "options"),
    [({}, {}), ({"K": np.eye(24)}, {"permutations": 0}), ({"K": np.eye(24)}, {"measure": "accuracy"})],
)
def test_nonsense_is_refused(rng, kernels, options):
    with pytest.raises(InvalidInputError):
        permutation_test(kernels, items(rng, 1.0)[1], PROTOCOL, **options)
