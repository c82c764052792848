"""One walk through the lesson; its numbers are tested with the core, here they are compared with it."""

import numpy as np
import pytest

from kernex_core.studies.lessons import heat_and_walks as heat
from kernex_core.studies.lessons.heat_and_walks import matched, trees, ways
from pages.learn.heat_and_walks.pictures import BARBELL_SKETCH, ONE_NODE, PATH_SKETCH, sketch_of
from tests.pages.learn.walk import Walk


def bars_of(walk, panel, mark=0):
    return walk.picture()["picture"]["panels"][panel]["marks"][mark]["y"]


def test_walk():
    walk = Walk("heat_and_walks")
    assert walk.offered()
    assert not bars_of(walk, 1, 1)  # where it ends says who is ahead
    walk.bet("1")
    right, because = walk.verdict()
    assert not right
    assert "heat" in because
    assert bars_of(walk, 1) == pytest.approx(heat.row(heat.PATH, 10.0), abs=1e-5)
    assert walk.readings()["most"] == "node 2, 0.175"
    assert "source overtaken" not in walk.readings()  # it is asked for
    assert walk.check() == (False, heat.check(10.0).said)
    walk.set(tau=2.06)
    assert walk.check() == (True, heat.check(2.06).said)
    walk.set(laplacian="unnormalized")
    assert walk.readings()["sum of all"] == "1.000"
    assert not walk.check()[0]
    page = walk.carry()
    assert page.select_slider(key="tau").value == 2.06


def test_the_other_pictures_and_what_they_carry():
    walk = Walk("heat_and_walks", bet="-", haw_look="Walks against paths", haw_graph=BARBELL_SKETCH.text)
    found = ways(heat.BARBELL)
    assert bars_of(walk, 1) == found.walks.tolist()
    assert bars_of(walk, 1, 2) == found.paths.tolist()
    walk.set(look="product")
    shown = walk.readings()
    assert (shown["matched walks"], shown["of all pairs of walks"], shown["cosine"]) == ("36", "180", "0.949")
    assert sum(bars_of(walk, 3)) == matched(2).value
    walk.set(look="trees")
    made = trees()
    assert bars_of(walk, 2) == pytest.approx([made.ratio, made.of_roots, made.matchings], rel=1e-5)
    walk.set(look="product")
    walk.set(n=3)
    page = walk.carry()
    assert page.selectbox(key="graph_kernel").value == "Walks of n edges"
    assert page.slider(key="WalkOfOrder.n").value == 3
    assert page.sidebar.selectbox(key="data").value == "two graphs of the lesson"


def test_the_drawn_graph_is_carried():
    walk = Walk("heat_and_walks", bet="-", haw_graph=BARBELL_SKETCH.text, haw_tau="3.5")
    assert bars_of(walk, 1) == pytest.approx(heat.row(heat.BARBELL, 3.5), abs=1e-5)
    assert "τ = " in walk.readings()["source overtaken"]
    page = walk.carry("networks.data")
    assert page.sidebar.selectbox(key="data").value == "graph of the lesson"
    assert page.select_slider(key="tau").value == 3.5


def test_a_graph_is_drawn_node_by_node():
    sketch = ONE_NODE.with_node(0.2, 0.31, 0).with_node(0.9, 1.0, 1).with_node(0.5, 0.1, None)
    sketch = sketch.with_edge_or_without(3, 0).with_edge_or_without(0, 1).moved(2, -0.2, 0.5)
    assert sketch.edges == ((1, 2), (0, 3))
    assert sketch.places == ((50, 50), (20, 31), (0, 50), (50, 10))
    assert sketch_of(sketch.text) == sketch
    assert sketch.without(0).edges == ((0, 1),)
    full = ONE_NODE
    for _ in range(20):
        full = full.with_node(0.5, 0.5, 0)
    assert full.n == heat.MOST_NODES
    assert sketch_of(full.text) == full
    assert ONE_NODE.without(0) == ONE_NODE


@pytest.mark.parametrize("text", ["", "5050", "5050~ab~a", "5050.6060~aa~a", "5050~~b", "x~y~z"])
def test_what_says_no_graph_is_the_path(text):
    assert sketch_of(text) == PATH_SKETCH
    assert np.array_equal(sketch_of(text).graph.edges, heat.PATH.edges)


def test_words_of_the_field_are_explained_by_hover():
    walk = Walk("heat_and_walks", bet="-")
    hints = [each.help for each in walk.at.markdown if each.help]
    assert any("**Laplacian**" in each and "**Diffusion**" in each for each in hints)
    assert any(each.startswith("**Laplacian**") for each in hints)
