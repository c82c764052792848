"""Results are one line in a console and a small table in a notebook, whatever arrays they hold."""

import numpy as np

from kernex_core import CrossValidation, GramMatrix, joint_path, judge
from kernex_core.base.frozen import LONGEST_LINE, ReadOnlyArrays
from tests.kernex_core.test_equality import CLASSES, filled


def test_every_result_is_one_short_line_and_a_table(monkeypatch):
    kinds = [each for each in CLASSES if issubclass(each, ReadOnlyArrays)]
    for each in kinds:
        if "shown_rows" in vars(each):  # reads values that these hollow ones do not have
            monkeypatch.setattr(each, "shown_rows", ReadOnlyArrays.shown_rows)
    made = [found for each in kinds if (found := filled(each)) is not None]
    assert len(made) > 50
    for each in made:
        assert len(repr(each)) <= LONGEST_LINE
        assert "\n" not in repr(each)
        assert each._repr_html_().startswith("<table>")


def test_a_judgement_says_its_numbers():
    x = np.arange(12) - 5.5
    made = judge(np.outer(x, x), ["<a>"] * 6 + ["b"] * 6, CrossValidation(folds=2, repeats=3))
    assert repr(made).startswith("Judgement(multi-class accuracy=0.972 ± 0.048 (floor 0.500), ")
    assert "&lt;a&gt; (6), b (6)" in made._repr_html_()
    assert "as brought" in made._repr_html_()


def test_a_matrix_says_its_size_and_its_steps():
    assert repr(GramMatrix(np.eye(3), name="K")) == "GramMatrix(name=K, items=3, unknown=0 pairs, steps=none)"
    assert "float64 (2, 2)" in repr(joint_path(np.eye(2), np.eye(2)))
