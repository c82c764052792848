import numpy as np
import pytest
from sklearn import metrics

from kernex_core.base.errors import InvalidInputError
from kernex_core.learning import scores
from tests.oracles.vectors import load


def test_vectors():
    vectors = load()
    case = vectors["balanced_loss"]
    assert scores.balanced_loss(case["input"]["y"], case["input"]["pred"]) == case["expected"]
    case = vectors["roc_ties"]
    assert scores.roc_score(case["input"]["y"], case["input"]["scores"]) == pytest.approx(case["expected"])
    case = vectors["rfp_odd_ties"]
    assert scores.median_rfp(case["input"]["y"], case["input"]["scores"]) == pytest.approx(
        case["expected"]["rfp"]
    )
    assert scores.roc_score(case["input"]["y"], case["input"]["scores"]) == pytest.approx(
        case["expected"]["roc"]
    )
    case = vectors["trivial_ovr_accuracy_9_classes"]
    truth = np.repeat(np.arange(9), case["inputs"]["sizes"])
    assert scores.one_vs_rest_floor(truth, 9) == pytest.approx(case["expected"][0])


@pytest.mark.parametrize(("c", "wanted"), [(2, 0.75), (3, 2 / 3), (4, 0.75)])
def test_knowing_nothing_reaches_what_the_best_constant_answers_do(c, wanted):
    truth = np.array([0] * 9 + [1] * 3) if c == 2 else np.repeat(np.arange(c), 4)
    # the same decision values for every item: all no, or one class named
    constant = [np.full(c, -1.0), *(2.0 * np.eye(c) - 1.0)]
    reached = [scores.one_vs_rest_by_class(truth, np.tile(row, (truth.size, 1))).mean() for row in constant]
    assert scores.chance_level(truth, c) == pytest.approx(max(reached)) == pytest.approx(wanted)


def test_against_scikit_learn(rng):
    truth, predicted = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    table = scores.confusion_counts(truth, predicted, 4)
    np.testing.assert_array_equal(table, metrics.confusion_matrix(truth, predicted))
    assert scores.balanced_accuracy(table) == pytest.approx(metrics.balanced_accuracy_score(truth, predicted))
    assert scores.matthews(table) == pytest.approx(metrics.matthews_corrcoef(truth, predicted))
    values = rng.integers(0, 6, 60) * 1.0
    assert scores.auc(truth == 2, values) == pytest.approx(metrics.roc_auc_score(truth == 2, values))


def test_areas_of_all_classes_are_those_of_each_and_nan_where_a_class_is_missing(rng):
    truth, decisions = rng.integers(0, 3, 40), rng.integers(0, 5, (40, 4)) * 1.0
    found = scores.auc_by_class(truth, decisions)
    np.testing.assert_allclose(found[:3], [scores.auc(truth == c, decisions[:, c]) for c in range(3)])
    assert np.isnan(found[3])
    assert np.isnan(scores.auc_by_class(np.zeros(3, dtype=int), np.ones((3, 2)))).all()


def test_one_vs_rest_counts_the_sign_of_each_class_and_zero_is_no():
    truth = np.array([0, 1, 1])
    decisions = np.array([[1.0, -1], [0.0, 0.0], [0.5, 2]])
    np.testing.assert_allclose(scores.one_vs_rest_by_class(truth, decisions), [2 / 3, 2 / 3])


def test_a_missing_class_is_not_defined_or_leaves_the_other_term():
    assert np.isnan(scores.roc_score([1, 1], [0.1, 0.2], positive=1))
    assert np.isnan(scores.median_rfp([-1, -1], [0.1, 0.2], positive=1))
    assert scores.balanced_loss([1, 1, 1], [1, -1, 1]) == pytest.approx(1 / 3)


def test_constant_predictions_have_no_correlation():
    assert scores.matthews(np.array([[3, 0], [2, 0]])) == 0.0


def test_nonsense_is_refused():
    with pytest.raises(InvalidInputError):
        scores.balanced_loss([], [])
    with pytest.raises(InvalidInputError, match="Two labels"):
        scores.roc_score([1, 2, 3], [0.1, 0.2, 0.3])
    with pytest.raises(InvalidInputError):
        scores.balanced_loss([1, 0], [1])


def test_wins_of_all_classes_at_once_are_those_of_one_class_by_itself(rng):
    for n in (1, 2, 40):
        truth, decisions = rng.integers(0, 4, n), rng.normal(size=(n, 4))
        decisions[:, 1], decisions[:, 2] = decisions[:, 1].round(), -np.inf
        found = scores.mann_whitney_2u_by_class(truth, decisions)
        for c in range(4):
            d = decisions[:, c]
            twice = 2 * (d[:, None] > d[None, :]) + (d[:, None] == d[None, :])
            others = (truth == c)[:, None] != (truth == c)[None, :]
            assert found[c].tolist() == (twice * others).sum(axis=1).tolist()
