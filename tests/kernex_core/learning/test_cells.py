"""Scores of cells and their intervals over items are those of the judgement of the same kernel on the same folds."""

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS, cell_interval, cell_verdict, scores_of, values_of
from kernex_core.learning.compare import compare, judged_verdict
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import UNSCALED
from kernex_core.learning.protocol import Judging, Protocol
from tests.kernex_core.learning.test_evaluate import classes_and_kernel


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("repeats", [1, 4])
def test_an_interval_of_cells_is_that_of_the_judgement(rng, grouped, repeats):
    K, y = classes_and_kernel(rng, sizes=(30, 20, 15), gap=1.0)
    gram = GramMatrix(K)
    y = y.astype(object)
    y[[3, 40]] = ""  # unlabelled
    groups = np.array([f"g{i // 3}" for i in range(65)]) if grouped else None
    labels = Labels(gram.ids, np.asarray(y, dtype=str), groups)
    protocol = CrossValidation(repeats=repeats, grouped=grouped)
    made = judge(gram, labels, protocol)
    cells = [scores_of(K, part) for part in Judging.of(labels, Protocol(protocol, UNSCALED)).repetitions]
    for measure in COLUMNS:
        assert cell_interval(cells, measure) == made.interval(measure)
        np.testing.assert_allclose(values_of(cells, measure), made.by_item(measure))
        assert made.interval(measure).over == ("groups" if grouped else "items")
    by_item = np.array([cell.by_item for cell in cells])
    assert by_item[..., 0].mean() == pytest.approx(made.multi_class.mean)
    assert by_item[..., 1].mean() == pytest.approx(made.one_vs_rest.mean)
    other = np.eye(65)
    judged = {"K": made, "none": judge(GramMatrix(other), labels, protocol)}
    parts = Judging.of(labels, Protocol(protocol, UNSCALED)).repetitions
    celled = {"K": cells, "none": [scores_of(other, part) for part in parts]}
    for measure in COLUMNS:
        best, other = (each.name for each in cell_verdict(celled, measure).candidates)
        compared = compare(judged[best], judged[other], measure).paired
        assert cell_verdict(celled, measure).of(other).against_best == compared
        assert cell_verdict(celled, measure, plain=["none"]) == judged_verdict(
            judged, measure, plain=["none"]
        )
