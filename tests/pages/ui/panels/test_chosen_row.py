import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import HeatmapScale
from pages.ui.matrices import Panel
from pages.ui.one_kernel.look import TABS
from pages.ui.panels.item_map import pair_table

STRINGS = ("ACDEFGHIKACDACD", "ACDEFGIKLACDEFG", "MNPQRSTVWMNPQR", "MNPQRSTVWYMNPQ")
IDS = ("one", "two", "three", "four")


def pair_of(at, *ids):
    state = at.session_state["kernex"]
    state.seen.settings[f"chosen.pair.{state.chosen}"] = ids


def test_the_table_has_every_panel_exactly_and_says_what_is_unknown():
    K = np.array([[1264.256, -0.000123456], [-0.000123456, np.nan]])
    panels = [Panel("A*", "", K, HeatmapScale(0.0, 1.0))]
    made = pair_table(panels, Items(("x", "y_z")), (0, 1), {"B": 2 * K})
    assert made["similarity"] == ["A\\*", "B"]
    assert made["with each other"] == ["−0.000123456", "−0.000246912"]
    assert made["x with itself"] == ["1,264.26", "2,528.51"]
    assert made["y\\_z with itself"] == ["unknown", "unknown"]


def test_panels_of_one_title_are_told_apart_and_powers_are_printed_as_everywhere():
    K = np.array([[1234567.0, -4.47571e-05], [-4.47571e-05, 1e-09]])
    panels = [Panel("A", note, K, HeatmapScale(0.0, 1.0)) for note in ("before", "completed", "")]
    made = pair_table(
        [*panels, Panel("B", "before", K, HeatmapScale(0.0, 1.0))], Items(("x", "y")), (0, 1), {}
    )
    assert made["similarity"] == ["A, before", "A, completed", "A", "B"]
    assert made["with each other"][0].replace("\u00a0", " ") == "−4.47571 × 10⁻⁵"
    assert made["x with itself"][0].replace("\u00a0", " ") == "1.23457 × 10⁶"
    assert made["y with itself"][0] == "10⁻⁹"


PARTS = {
    "complete/complete": "complete.tab",
    "combine/combine": "combine.tab",
    "kernels/kernels": "kernels.tab",
    "kernels/power/power": "diagonals.tab",
}


@pytest.mark.parametrize(
    "path", ["complete/complete", "combine/combine", "kernels/kernels", "kernels/power/power"]
)
def test_a_pair_that_was_chosen_anywhere_is_looked_at_on_every_page(open_page_test, path, small_dataset):
    data = small_dataset.with_kernel("target", small_dataset.kernels["source"].renamed("target"))
    at = open_page_test(f"{path}.py", data)
    pair_of(at, "item3", "item27")
    if path in PARTS:
        at.session_state[PARTS[path]] = "Pair"  # as a click on a cell opens it
    at.run()
    assert not at.exception
    boxes = [box for box in at.selectbox if box.label in ("First item", "Second item")]
    assert [box.value for box in boxes] == ["item3", "item27"]
    boxes[1].select("item5").run()
    assert [b.value for b in at.selectbox if b.label in ("First item", "Second item")] == ["item3", "item5"]
    if path == "kernels/kernels":
        K = data.kernels["source"].values
        shown = next(t.value for t in at.table if "with each other" in t.value.columns)
        assert float(shown["with each other"].iloc[0].replace("−", "-")) == pytest.approx(K[3, 5], rel=1e-5)
    assert any("cannot be told from a matrix" in caption.value for caption in at.caption)


def test_a_pair_goes_to_the_page_sequences_with_its_reasons(open_page_test):
    K = GramMatrix(np.eye(4), IDS, "K")
    labels = Labels(IDS, np.array(["a", "a", "b", "b"]))
    data = DataSet("d", IDS, labels, {"strings": Sequences(IDS, STRINGS)}, {"K": K})
    at = open_page_test("kernels/strings/strings.py", data, {"look": "Pair"})
    pair_of(at, "two", "one")
    at.session_state[TABS] = "Pair"
    at.run()
    assert not at.exception
    assert any("before any normalisation" in m.value for m in at.markdown)
    at.session_state["kernex"].memory["sequences.why"] = True
    at.run()
    assert [box.value for box in at.selectbox if box.label in ("First", "Second")] == ["two", "one"]
