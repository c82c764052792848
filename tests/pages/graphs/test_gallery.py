import json

import networkx as nx
import numpy as np
import pytest

from kernex_core.gram.graph import Graph
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from pages.graphs.drawing import CARDS_LARGEST as LARGEST
from pages.graphs.drawing import LINES, MOST_EDGES, UNIT, cards, edge_lines, label_note, label_styles

PATH = "graphs/graphs.py"


def gallery(at):
    """What the gallery on a page draws."""
    (found,) = (e.proto for e in at.get("bidi_component") if e.proto.component_name.endswith("kernex_graphs"))
    return json.loads(found.json)


def shown(at):
    return [card["id"] for card in gallery(at)["cards"]]


def test_a_page_of_cards_says_what_the_graphs_are(open_page_test, molecules):
    at = open_page_test(PATH, molecules)
    graphs = molecules.samples["graphs"]
    data = gallery(at)
    assert [card["id"] for card in data["cards"]] == list(graphs.ids[:24])
    assert [v["name"] for v in data["vertices"]] == ["C", "N", "O"]  # most frequent first
    assert [(e["name"], e["style"]) for e in data["edges"]] == [("1", "solid"), ("2", "dash")]
    for k, card in enumerate(data["cards"]):
        graph = graphs.graphs[k]
        assert card["notes"] == [
            str(molecules.labels.y[k]),
            f"{graph.n_nodes} vertices, {graph.n_edges} edges",
        ]
        assert [data["vertices"][code]["name"] for code in card["vertices"]] == graph.node_labels.tolist()
        assert [data["edges"][code]["name"] for code in card["kinds"]] == graph.edge_labels.tolist()
        assert np.reshape(card["edges"], (-1, 2)).tolist() == graph.edges.tolist()
        at_places = np.reshape(card["xy"], (-1, 2)) / UNIT
        assert np.hypot(*(at_places[graph.edges[:, 0]] - at_places[graph.edges[:, 1]]).T).max() < 1.6


def test_filters_by_id_class_and_size_and_says_when_nothing_is_left(open_page_test, molecules):
    at = open_page_test(PATH, molecules)
    at.text_input(key="graphs.gallery.search").set_value("M2").run()
    assert shown(at) == ["m2", *(f"m{k}" for k in range(20, 30))]
    at.multiselect[0].set_value(["oxide"]).run()
    assert shown(at) == [name for name in ["m2", *(f"m{k}" for k in range(20, 30))] if int(name[1:]) % 2 == 0]
    at.text_input(key="graphs.gallery.search").set_value("").run()
    sizes = molecules.samples["graphs"].n_nodes
    at.slider[0].set_value((8, 9)).run()
    wanted = [k for k in range(30) if k % 2 and 8 <= sizes[k] <= 9]
    assert shown(at) == [f"m{k + 1}" for k in wanted]
    at.text_input(key="graphs.gallery.search").set_value("nobody").run()
    assert not [e for e in at.get("bidi_component") if e.proto.component_name.endswith("kernex_graphs")]
    assert any("No graph is like that" in each.value for each in at.markdown)


@pytest.mark.parametrize("labelled", [True, False])
def test_odd_graphs_are_drawn_or_told(open_page_test, labelled):
    many = nx.gnm_random_graph(200, 2 * MOST_EDGES, seed=0)
    large = LARGEST + 1
    graphs = [
        Graph(0),
        Graph(3),
        Graph(200, list(many.edges)),
        Graph(large, [(k, k + 1) for k in range(large - 1)]),
    ]
    if labelled:
        graphs = [
            Graph(
                g.n_nodes,
                g.edges,
                [f"v{k % 13}" for k in range(g.n_nodes)],
                [f"e{k % 7}" for k in range(g.n_edges)],
            )
            for g in graphs
        ]
    found = GraphSet.of(graphs, ["empty", "bare", "many", "large"])
    at = open_page_test(PATH, DataSet("odd", found.ids, samples={"graphs": found}))
    data = gallery(at)
    empty, bare, crowded, big = data["cards"]
    assert empty["instead"] == "no vertices"
    assert not empty["xy"]
    assert len(bare["xy"]) == 6
    assert not bare["edges"]
    assert len(crowded["edges"]) == 2 * MOST_EDGES
    assert f"{MOST_EDGES:,} edges drawn" in crowded["notes"]
    assert "not drawn" in big["instead"]
    assert not big["xy"]
    if labelled:
        assert data["vertices"][-1]["name"] == "4 other labels"
        assert len(data["vertices"]) == 10
        assert [e["style"] for e in data["edges"]] == list(LINES)
        assert data["edges"][-1]["name"] == "3 others"
        assert max(crowded["kinds"]) == len(LINES) - 1
    else:
        said = " ".join(each.value for each in at.caption)
        assert "The vertices have no labels" in said
        assert "The edges have no labels" in said


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        (["aromatic", "SINGLE", "Double", "triple"], ["dash", "solid", "double", "triple"]),
        (["=", "-", ":", "#"], ["double", "solid", "dash", "triple"]),
        (["1", "2", "3"], ["solid", "dash", "longdash"]),
        (["ionic", "double", "single"], ["longdash", "double", "solid"]),
        ([*"abcdef", "single"], ["longdash", "dashdot", "solid", "dot"]),
    ],
)
def test_bonds_are_drawn_as_bonds_and_nothing_else_is(names, lines):
    told, place = edge_lines(names)
    assert [line for _, line in told] == lines
    assert set(place) == set(names)
    assert all(told[k][0] in (name, "4 others") for name, k in place.items())


def test_of_graphs_without_any_edge_nothing_is_said_of_edges():
    assert not [said for said in label_note(GraphSet.of([Graph(2), Graph(1)])) if "edges" in said]


def test_a_page_of_the_largest_cards_stays_below_half_a_megabyte():
    dense = Graph(LARGEST, list(nx.gnm_random_graph(LARGEST, 3 * MOST_EDGES, seed=0).edges))
    found = GraphSet.of([dense] * 24)
    assert len(json.dumps(cards(found, range(24), None, ()), separators=(",", ":"))) < 500_000


def test_labels_have_one_style_in_all_graphs(molecules):
    graphs = molecules.samples["graphs"]
    styles = label_styles(graphs)
    for graph, codes in zip(graphs.graphs, styles.node_codes, strict=True):
        assert [styles.vertices[code].name for code in codes.tolist()] == graph.node_labels.tolist()


def test_data_without_graphs_are_told_what_to_bring(open_page_test, small_dataset):
    at = open_page_test(PATH, small_dataset)
    said = " ".join(each.value for each in at.markdown)
    assert "these data are none" in said
    assert len(at.file_uploader) == 1
    assert [each.label for each in at.button if "MUTAG" in each.label]


def test_chosen_graphs_are_marked_and_can_be_shown_alone(open_page_test, molecules):
    at = open_page_test(PATH, molecules)
    state = at.session_state["kernex"]
    with state.changing() as space:
        space.contents = space.contents.with_setting("chosen.items.molecules", ("m2", "m30"))
    at.run()
    assert not at.exception
    assert [card["id"] for card in gallery(at)["cards"] if card["chosen"]] == [
        "m2"
    ]  # m30 is on the other page
    at.segmented_control(key="graphs.gallery.which").set_value("chosen").run()
    assert not at.exception
    assert shown(at) == ["m2", "m30"]
    at.button(key="graphs.gallery.only").click().run()
    assert shown(at) == ["m2", "m30"]
