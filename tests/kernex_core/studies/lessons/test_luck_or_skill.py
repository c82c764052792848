"""Luck or skill: noise, folds, what is left out, and the planted leak, beside the recorded numbers and scikit-learn."""

import numpy as np
import pytest
from sklearn.model_selection import LeaveOneOut, StratifiedKFold
from sklearn.svm import SVC

from kernex_core.base.errors import InvalidInputError
from kernex_core.runtime.progress import finished
from kernex_core.studies.lessons import luck_or_skill as answers
from kernex_core.studies.lessons import luck_or_skill as leak
from kernex_core.studies.lessons import luck_or_skill as noise


@pytest.fixture(scope="module")
def judged():
    return {
        (folds, C): finished(noise.judging_noise(folds, 0, C)) for folds, C in [(5, 1.0), (0, 0.05), (0, 1.0)]
    }


@pytest.fixture
def recorded(known):
    return {key: value["expected"] for key, value in known.items() if key.startswith("11.")}


def by_scikit(seed, folds, C):
    """Item by item, by other code."""
    Z = np.random.default_rng(seed).standard_normal((40, 10))
    Z /= np.linalg.norm(Z, axis=1, keepdims=True)
    K, y = Z @ Z.T, np.arange(40) % 2
    right = 0
    for train, test in folds.split(K, y):
        machine = SVC(C=C, kernel="precomputed").fit(K[np.ix_(train, train)], y[train])
        right += int((machine.predict(K[np.ix_(test, train)]) == y[test]).sum())
    return right


@pytest.mark.parametrize("seed", [0, 22, 150])
def test_kernels_are_judged_as_scikit_learn_does(judged, seed):
    five = StratifiedKFold(5, shuffle=True, random_state=0)
    assert abs(judged[5, 1.0].right[seed] - by_scikit(seed, five, 1.0)) <= 1
    assert abs(judged[0, 1.0].right[seed] - by_scikit(seed, LeaveOneOut(), 1.0)) <= 1


def test_recorded_counts(judged, recorded):
    want = recorded["11.noise_kernels"]
    found = judged[5, 1.0].first(50)
    assert np.abs(np.array(found.right) - want["right_of_40_seeds_0..49"]).max() <= 1
    assert found.mean == pytest.approx(want["mean"], abs=0.012)
    assert (found.best, found.best_seed) == (want["best"], want["best_seed"])
    again = noise.winner_again(found.best_seed, 1.0)
    assert again.same == found.best_share
    assert again.other == pytest.approx(want["winner_refolded_mean_of_20"], abs=0.012)
    assert again.new == pytest.approx(recorded["11.best_of_50_noise"]["winner_on_fresh_items"], abs=0.03)


def test_recorded_leave_one_out(judged, recorded):
    want = recorded["11.leave_one_out"]
    assert np.abs(judged[0, 1.0].right[:10] - want["loo_C1.0"]).max() <= 1
    assert judged[0, 0.05].right[:50].sum() == want["total_right_of_2000_C0.05"]
    found = noise.identity_right(0, 1.0), noise.identity_right(5, 1.0)
    assert found == (want["loo_identity"], want["five_fold_identity"])


def test_recorded_expectations(recorded):
    """Fresh kernels: fewer worlds than were recorded, so a wider band."""
    want = recorded["11.best_of_50_noise"]
    assert want["expected_best_of_50"] == pytest.approx(
        0.724, abs=0.0006
    )  # 600 such worlds, C = 1, five folds
    parts = noise.lesson_folds(5, 0)
    right = (
        np.array([noise.right_of(noise.noise_kernel(s).values, parts, 1.0) for s in range(5_000, 5_400)]) / 40
    )
    assert right.std() == pytest.approx(want["sd_of_one"], abs=0.008)
    assert noise.best_of_drawn(right)[49] == pytest.approx(want["expected_best_of_50"], abs=0.02)


def test_recorded_leaks(recorded):
    want = recorded["11.planted_leak"]
    rows = [leak.leak_rows(world) for world in range(leak.WORLDS)]
    assert np.abs(np.array([each[2].right for each in rows]) - want["chosen_on_all_40"]).max() <= 1
    assert np.abs(np.array([each[3].right for each in rows]) - want["chosen_inside_fold"]).max() <= 1
    assert all(
        [row.mode for row in each] == ["inductive", "transductive", "leak", "inductive"] for each in rows
    )


def test_the_first_m_are_told(judged):
    found = judged[5, 1.0].first(7)
    right = judged[5, 1.0].right[:7]
    assert found.best == max(found.right)
    assert right[found.best_seed] == found.best
    assert sum(found.histogram) == 7
    assert found.histogram[found.best] >= 1
    assert np.dot(found.histogram, np.arange(41)) == sum(found.right)
    assert found.floor == 0.5
    assert noise.unequal_floor() == 0.75
    assert np.all(np.diff(judged[5, 1.0].drawn) >= 0.0)
    assert judged[5, 1.0].drawn[-1] == pytest.approx(judged[5, 1.0].right.max() / 40)


def test_bets_and_challenges(judged):
    right, low, high = (answers.guess_check(judged[5, 1.0], guess) for guess in (0.7, 0.52, 0.95))
    assert right.right
    assert not low.right
    assert not high.right
    assert right.value == 0.7
    assert "chosen for its luck" in low.said
    assert [answers.never_right_check(judged[key]).right for key in [(0, 0.05), (0, 1.0), (5, 1.0)]] == [
        True,
        False,
        False,
    ]
    assert [answers.leak_check(row).right for row in leak.leak_rows()] == [False, False, True, False]


def test_what_there_is_not_is_refused(judged):
    for wrong in (
        lambda: judged[5, 1.0].first(0),
        lambda: judged[5, 1.0].first(201),
        lambda: noise.lesson_folds(3),
        lambda: finished(noise.judging_noise(5, 0, 0.3)),
    ):
        with pytest.raises(InvalidInputError):
            wrong()
