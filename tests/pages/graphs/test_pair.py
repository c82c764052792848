import numpy as np
import pytest

from kernex_core import ShortestPath, WalkOfOrder
from kernex_core.gram.graph import Graph
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from kernex_core.studies.graphs.pictures import graph_layout, on_walks
from pages.graphs.drawing import DrawnGraph, drawn, label_styles
from pages.graphs.kernel import ALL_PATHS, found_in
from pages.ui.figures.theme import MARK

PATH = "graphs/graphs.py"
WHY = {"graphs_tab": "Why similar?"}


EXPLAINED = [kind for kind in kernels_for("graphs") if kind._explained is not GraphKernel._explained]


@pytest.mark.parametrize("kind", EXPLAINED, ids=lambda kind: kind.__name__)
def test_opens_on_the_nearest_neighbour_with_parts_that_sum_to_the_similarity(
    open_page_test, molecules, kind
):
    at = open_page_test(PATH, molecules, {**WHY, "graph_kernel": kind.title})
    assert not at.error
    graphs = molecules.samples["graphs"]
    kernel = kind.suggested().of(graphs)
    K = kernel.gram(graphs.graphs)
    cosine = K[0] / np.sqrt(np.diagonal(K) * K[0, 0])
    first, second = (box.value for box in at.selectbox if box.label in ("First", "Second"))
    assert first == "m1"
    assert cosine[graphs.ids.index(second)] == pytest.approx(np.delete(cosine, 0).max())
    assert any("Both agree up to rounding" in each.value for each in at.markdown)
    table = at.dataframe[0].value
    assert (np.diff(table["Part of K"]) <= 1e-9).all()
    made = kernel.explain(graphs.graphs[0], graphs.graphs[graphs.ids.index(second)])
    np.testing.assert_allclose(table["Part of K"], [part.contribution for part in made.parts])
    assert any(each.value.startswith("Pink:") for each in at.caption)


def test_a_neighbour_that_is_clicked_and_a_pair_that_is_chosen_elsewhere_are_looked_at(
    open_page_test, molecules
):
    at = open_page_test(PATH, molecules, {**WHY, "graph_kernel": "Walks of n edges"})
    before = next(box.value for box in at.selectbox if box.label == "Second")
    buttons = [each for each in at.button if each.key and each.key.startswith("graphs.1.")]
    assert buttons[0].label == before
    other = buttons[3].label
    buttons[3].click().run()
    assert next(box.value for box in at.selectbox if box.label == "Second") == other


def test_graphs_without_anything_in_common_and_without_vertices_are_told(open_page_test):
    graphs = GraphSet.of(
        [Graph(0, [], []), Graph(2, [(0, 1)], ["a", "a"]), Graph(2, [(0, 1)], ["b", "b"])], ["none", "a", "b"]
    )
    data = DataSet("odd", graphs.ids, samples={"graphs": graphs})
    at = open_page_test(PATH, data, {**WHY, "graph_kernel": "Walks of n edges"})
    assert any("They share nothing that this kernel sees" in each.value for each in at.markdown)
    assert any("one of them has nothing to compare" in each.value for each in at.markdown)


def test_what_a_part_is_made_of_is_marked_in_the_drawing(molecules):
    graphs = molecules.samples["graphs"]
    styles, graph = label_styles(graphs), graphs.graphs[1]
    shown = DrawnGraph(
        "m2",
        graph,
        graph_layout(graph),
        styles.vertices,
        styles.node_codes[1],
        tuple(zip(("1", "2"), ("solid", "double"), strict=True)),  # as bonds are drawn
        styles.edge_codes[1],
    )
    part = WalkOfOrder(n=1).explain(graph, graph).parts[-1]
    found = on_walks(graph, part.vertices, part.edges)
    assert 0 < found.vertices.sum() < graph.n_nodes
    picture = drawn(shown, found, "a walk")
    (halo,) = (
        trace
        for trace in picture.figure.data
        if trace.mode == "markers" and trace.marker.symbol == "circle-open"
    )
    np.testing.assert_allclose(np.column_stack([halo.x, halo.y]), shown.places[found.vertices], atol=1e-5)
    pink = [trace for trace in picture.figure.data if trace.mode == "lines" and trace.line.color == MARK]
    drawn_pink = sum(np.isnan(np.asarray(trace.x, float)).sum() for trace in pink)
    lines = {"1": 1, "2": 2}  # a double edge is two lines
    assert drawn_pink == sum(lines[kind] for kind in graph.edge_labels[found.edges].tolist())
    assert f"{found.vertices.sum()} vertices marked: a walk" in picture.alt


def test_a_pair_of_the_matrix_is_told_in_brief_and_leads_to_both_drawings(open_page_test, molecules):
    at = open_page_test(PATH, molecules, {"graphs_tab": "Kernel", "look": "Pair"})
    state = at.session_state["kernex"]
    state.seen.settings[f"chosen.pair.{state.chosen}"] = ("m3", "m8")
    at.run()
    assert not at.exception
    assert any("before any normalisation" in each.value for each in at.markdown)
    assert any(each.label == "Why similar, part by part" for each in at.button)
    at.session_state["kernex"].memory["graphs.why"] = True
    at.run()
    assert not at.exception
    assert [box.value for box in at.selectbox if box.label in ("First", "Second")] == ["m3", "m8"]


def test_of_large_graphs_one_path_of_a_kind_is_marked():
    s = Graph(ALL_PATHS + 1, [(k, k + 1) for k in range(ALL_PATHS)])
    part = ShortestPath().explain(s, Graph(3, [(0, 1), (1, 2)])).parts[0]
    found = found_in(part, ShortestPath(), (s, Graph(3, [(0, 1), (1, 2)])))
    assert [int(side.vertices.sum()) for side in found.sides] == [2, 2]
    assert [int(side.edges.sum()) for side in found.sides] == [part.hops_s, part.hops_t]
    assert found.words.startswith("one of the")
