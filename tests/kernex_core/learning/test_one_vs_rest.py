import numpy as np
import pytest

from kernex_core import GramMatrix, cosine_normalize, one_vs_rest_accuracy
from kernex_core.errors import InvalidInputError
from tests.kernex_core.learning.test_evaluate import classes_and_kernel


def test_it_counts_each_class_and_knows_its_floor(rng):
    K, y = classes_and_kernel(rng, gap=8.0)
    made = one_vs_rest_accuracy(K, y, C=10.0, folds=3, rng=np.random.default_rng(1))
    assert made.classes == ("c0", "c1", "c2")
    np.testing.assert_allclose(made.per_class, 1.0)
    assert (made.mean, made.floor) == (1.0, pytest.approx(2 / 3))


def test_a_cost_of_next_to_nothing_says_no_to_everything(rng):
    K, y = classes_and_kernel(rng, sizes=(20, 18, 16, 14))
    made = one_vs_rest_accuracy(K, y, C=1e-6, folds=2, rng=rng)
    assert made.mean == pytest.approx(made.floor)


def test_leave_one_out_needs_no_chance(rng):
    K, y = classes_and_kernel(rng)
    one, two = (
        one_vs_rest_accuracy(K, y, C=1.0, folds=0, rng=np.random.default_rng(seed)) for seed in (1, 2)
    )
    np.testing.assert_array_equal(one.per_class, two.per_class)


def test_unlabelled_items_do_not_count(rng):
    K, y = classes_and_kernel(rng)
    some = y.copy()
    some[[0, 20]] = ""
    keep = some != ""
    one = one_vs_rest_accuracy(K, some, C=1.0, folds=2, rng=np.random.default_rng(3))
    two = one_vs_rest_accuracy(K[np.ix_(keep, keep)], y[keep], C=1.0, folds=2, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(one.per_class, two.per_class)


@pytest.mark.parametrize("folds", [1, 2.0, True, 500])
def test_folds_that_cannot_be(rng, folds):
    K, y = classes_and_kernel(rng)
    with pytest.raises(InvalidInputError):
        one_vs_rest_accuracy(K, y, C=1.0, folds=folds, rng=rng)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "one_vs_rest", "multi_class"),
    [("c1_sw_3di_score.csv.gz", 95.2, 87.0), ("c1_sw_blosum62_score.csv.gz", 91.7, 73.4)],
)
def test_tim_barrels_alone(shared, file, one_vs_rest, multi_class):
    """The last line of the table "On real TIM barrels" of joint-regularization.md."""
    import pandas as pd

    from kernex_core import CrossValidation, judge

    folder = shared / "data" / "scop_tim_barrel"
    scores = pd.read_csv(folder / file, index_col=0)
    labels = pd.read_csv(folder / "c1_labels.tsv", sep="\t", index_col=0).loc[scores.index, "superfamily"]
    keep = labels.map(labels.value_counts()).to_numpy() >= 10
    K = cosine_normalize(GramMatrix(scores.to_numpy()[np.ix_(keep, keep)].astype(float)))
    made = judge(K, labels.to_numpy()[keep].astype(str), CrossValidation(folds=2, repeats=5, C=10.0))
    assert made.n_items == 296
    assert 100 * made.one_vs_rest.mean == pytest.approx(one_vs_rest, abs=0.8)
    assert 100 * made.multi_class.mean == pytest.approx(multi_class, abs=2.5)
    print(file, made.one_vs_rest, made.multi_class)
