"""More items than a matrix is made of: a part is chosen first, and the limit can be raised."""

import numpy as np
import pytest

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.samples import Labels, Sequences, Vectors
from pages.server import item_limit
from pages.server.cached import SESSION_BYTES

LIMIT, N = 100, 160
IDS = tuple(f"i{k}" for k in range(N))
LABELS = Labels(IDS, np.where(np.arange(N) % 4 == 0, "rare", "usual"))
VECTORS = Vectors(IDS, np.arange(2.0 * N).reshape(N, 2) % 17.0)
STRINGS = Sequences(IDS, tuple("ACDEFGHIKL"[k % 9 :] for k in range(N)))


def entry(at):
    return at.session_state["kernex"].entries["many"]


def said(at):
    return " ".join(part.value for part in (*at.markdown, *at.caption))


@pytest.fixture
def opened(open_page_test, monkeypatch):
    monkeypatch.setattr(item_limit, "ITEM_LIMIT", LIMIT)

    def open_it(labels=LABELS, samples=VECTORS, path="kernels/kernels.py"):
        return open_page_test(path, DataSet("many", IDS, labels, samples={"v": samples}))

    return open_it


def test_no_matrix_is_made_and_memory_and_time_stand_beside_the_choice(opened):
    at = opened()
    assert not at.error
    assert "160 items: choose a part of them before a matrix is made" in said(at)
    assert "204.8 kB for the matrix (8 n² bytes), up to 1.2 MB to look at it" in said(at)
    assert "100 of 160 items: 80.0 kB for the matrix (8 n² bytes)" in said(at)
    assert "takes about" in said(at)
    assert entry(at).selection is None


@pytest.mark.parametrize("stratified", [False, True])
def test_a_part_is_selected_on_every_page(opened, stratified):
    at = opened()
    at.number_input(key=f"part.size.{LIMIT}").set_value(60)
    at.number_input(key="part.seed").set_value(7)
    if stratified:
        at.segmented_control(key="part.way.True").set_value("stratified by class")
    at.run()
    at.button(key="part.take").click().run()
    assert not at.exception
    spec = Selection(size=60, seed=7, stratified=stratified)
    assert entry(at).selection == spec
    assert entry(at).view.ids == tuple(IDS[k] for k in spec.apply(IDS, LABELS))
    if stratified:
        assert (entry(at).view.labels.y == "rare").sum() == 15
    assert any(value.value == "60" for value in at.metric if value.label == "Items known")


def test_classes_can_be_chosen_and_too_many_items_of_them_are_not_taken(opened):
    at = opened()
    at.segmented_control(key="part.way.True").set_value("chosen classes").run()
    assert at.button(key="part.take").disabled  # all of them
    at.multiselect(key="part.classes.many").set_value(["rare"]).run()
    at.button(key="part.take").click().run()
    assert entry(at).selection == Selection(classes=("rare",))
    assert entry(at).view.n == N // 4


def test_without_labels_there_is_a_random_part_alone(opened):
    at = opened(labels=None)
    assert at.segmented_control(key="part.way.False").options == ["random part"]


def test_the_limit_is_raised_with_its_memory_beside_it(opened):
    at = opened()
    box = at.number_input(key=f"part.limit.{LIMIT}")
    assert box.max == 10_000
    box.set_value(200).run()
    assert "200 items: 320.0 kB for the matrix (8 n² bytes), up to 1.9 MB to look at it" in said(at)
    at.button(key="part.limit.set").click().run()
    assert not at.exception
    assert not any("choose a part" in text.value for text in at.markdown)
    assert "at most 200 items" in said(at)
    assert at.session_state["kernex"].cache.max_bytes == max(SESSION_BYTES, 6 * 8 * 200**2)


def test_the_page_sequences_offers_a_part_too(opened):
    at = opened(samples=STRINGS, path="kernels/strings/strings.py")
    assert not at.error
    assert "160 items: choose a part of them" in said(at)
