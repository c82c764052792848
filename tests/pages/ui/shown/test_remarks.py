"""What has to be said with numbers stands on the page, under its figure, in report and files, and scripts print it."""

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.compare import written_accuracy, written_protocol
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from pages.evaluate.classes import PRINTED, table
from pages.export.report import Given, build
from pages.ui.figures.bars import Dot, dots
from pages.ui.figures.still.sheet import SheetPanel, sheet
from pages.ui.panels.accuracy import measures
from pages.ui.shown import Page, remarks_words

SENTENCE = "The grid of C ends where it is chosen"


@pytest.fixture(scope="module")
def ended():
    """A kernel of which the smallest C is as good as any other."""
    y = np.array(["a"] * 14 + ["b"] * 6)
    K = GramMatrix(np.ones((20, 20)) + 1e-9 * np.eye(20), name="flat")
    return judge(K, Labels(K.ids, y), CrossValidation(folds=5, repeats=1, choose_C=True))


def test_every_file_of_a_judgement_holds_it(ended):
    (said,) = ended.remarks
    assert said.startswith(SENTENCE)
    assert set(measures(ended)["remarks"]) == {said}
    assert set(table({"flat": ended})["remarks"]) == {said}
    assert written_accuracy(ended)["remarks"] == written_protocol(ended, 0.0)["remarks"] == said
    assert "remarks" in PRINTED


def test_what_holds_of_all_kernels_is_said_once_and_else_with_their_names(ended):
    fixed = judge(ended.subject[0], ended.subject[1], CrossValidation(folds=5, repeats=1))
    assert remarks_words({"one": ended, "two": ended}) == ended.remarks
    assert remarks_words({"one": ended, "two": fixed}) == (f"one: {ended.remarks[0]}",)
    assert remarks_words({"two": fixed}) == ()


def test_figure_and_report_hold_it(ended):
    page = Page("Evaluate", remarks={"a": ended.remarks, "b": ended.remarks})
    picture = dots([Dot("flat", 70.0)], x_title="accuracy, %", floor=70.0)
    assert page.said() == ended.remarks
    svg = sheet("t", {}, [SheetPanel("Side by side", "", picture)], (), page.said()).decode()
    assert svg.count(SENTENCE) == 1
    said = build(page, None, Given("evaluation")).decode()
    assert said.count(SENTENCE) == 1


def test_the_page_says_it_beside_the_number(open_page_test, small_dataset):
    n = small_dataset.n
    flat = GramMatrix(np.ones((n, n)) + 1e-9 * np.eye(n), small_dataset.ids, "flat")
    data = small_dataset.with_kernel("flat", flat)
    at = open_page_test("evaluate/evaluate.py", data)
    at.toggle(key="evaluate.thirty.choose_C").set_value(True).run()
    at.button(key="evaluate.run").click().run()
    assert not at.exception
    (found,) = (each.value for each in at.markdown if SENTENCE in each.value)
    assert "flat" in found.partition(SENTENCE)[0]
