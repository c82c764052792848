import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.impute import FILLS
from kernex_core.datasets.catalogue import load_dataset
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.inspection import filling


def filled(K, labels, validation):
    return list(filling(K, labels, validation))[-1].rows


def test_absence_is_informative():
    data = load_dataset("structure_hits")
    rows = {
        row.method: row for row in filled(data.kernels["structure hits"], data.labels, CrossValidation(C=1.5))
    }
    assert list(rows) == list(FILLS)
    assert rows["mean"].judgement.multi_class.mean < 0.7 < rows["zero"].judgement.multi_class.mean
    assert (
        rows["zero"].min_eigenvalue
        < rows["half the lowest"].min_eigenvalue
        < rows["lowest"].min_eigenvalue
        < 0
    )
    for row in rows.values():
        assert row.min_eigenvalue == pytest.approx(np.linalg.eigvalsh(row.gram.values)[0])


def test_without_labels_there_is_no_accuracy_and_without_unknown_pairs_nothing_to_fill():
    data = load_dataset("structure_hits")
    assert {row.judgement for row in filled(data.kernels["structure hits"], None, CrossValidation())} == {
        None
    }
    with pytest.raises(InvalidInputError, match="unknown pairs"):
        next(filling(data.kernels["structure"], None, CrossValidation()))


def test_the_ways_that_are_done_are_not_done_again():
    data = load_dataset("structure_hits")
    given = (data.kernels["structure hits"], data.labels, CrossValidation(repeats=1))
    states = list(filling(*given))
    assert [state.done for state in states] == sorted(state.done for state in states)
    assert (states[-1].done, len(states[-1].rows)) == (100, len(FILLS))
    half = next(state for state in states if len(state.rows) == 2)
    rest = list(filling(*given, done=half))
    assert rest[0].rows == half.rows
    scores = [[row.judgement.multi_class for row in run[-1].rows] for run in (rest, states)]
    assert scores[0] == scores[1]
    assert len(rest) < len(states)
