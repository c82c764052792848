"""The button Figure takes what the page shows, in its order, under its titles, with settings in words."""

import ast
import xml.etree.ElementTree as ET

import pytest

from kernex_core.base.parameters import parameters
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig
from pages.ui.shown import Page, spelt, unmarked
from tests.conftest import REPOSITORY

PAGES = {
    "complete/complete.py": (["Known", "Extrapolated", "Joint", "Error"], ["Accuracy over the hidden share"]),
    "kernels/kernels.py": (["Similarity"], ["Spectrum", "Map"]),
}


def test_markup_is_left_out():
    assert unmarked("*λ* = 0.25, **joint** :small[of `x`] a\\_b \\[c\\]") == "λ = 0.25, joint of x a_b [c]"
    assert unmarked("100.0 [98.2, 100.0] :small[:gray[± 2 [sd]]]") == "100.0 [98.2, 100.0] ± 2 [sd]"


def test_settings_in_words():
    said = spelt(CompletionConfig(share=0.25, residual=True))
    assert said["Hidden share of the target"] == "25 %"
    assert said["Keep the residual"] == "yes"
    assert said["Nugget ρ"] == "0.1"
    assert "_" not in "".join([*said, *said.values()])
    folds = parameters(CrossValidation)["folds"]
    assert spelt(CrossValidation(folds=0))["Folds"] == (
        folds.names[folds.choices.index(0)] if folds.names else "0"
    )


def test_whoever_draws_a_chart_a_number_or_a_table_notes_it():
    for file in sorted((REPOSITORY / "pages").rglob("*.py")):
        called = [
            ast.unparse(node.func)
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Call)
        ]
        deep = called.count("item_space")  # no sheet of paper turns: the same map is drawn flat beside it
        assert called.count("st.plotly_chart") <= called.count("registry.show") + deep, file
        assert len(
            [c for c in called if (c.endswith(".metric") and c != "drawn.metric") or c == "st.table"]
        ) <= 3 * (file.name == "shown.py") + 2 * (file.name == "answer.py")


@pytest.mark.parametrize("path", PAGES)
def test_all_pictures_of_a_page_are_taken(open_page_test, small_dataset, path):
    from pages.ui.figures.still.sheet import sheet

    at = open_page_test(path, small_dataset)
    page = at.session_state["kernex"].memory["shown.page"]
    assert isinstance(page, Page)
    titles = [panel.title for panel in page.panels()]
    matrices, charts = PAGES[path]
    assert len([t for t in titles if t in matrices]) >= len(matrices) - 1
    assert [t for t in titles if t in charts] == charts
    assert set(page.classes()) == {"a", "b", "c"}
    text = " ".join(" ".join(ET.fromstring(sheet("t", {}, page.panels())).itertext()).split())
    assert all(title in text for title in titles)
    before = list(page.pictures)
    at.run()
    assert list(at.session_state["kernex"].memory["shown.page"].pictures) == before
