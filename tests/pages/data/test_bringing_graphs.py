"""Zips of graphs on the page Data: what they hold is said, and so is what is wrong with them."""

import pytest

from kernex_core.inputs.graphs.graph_set import GraphSet
from tests.kernex_core.inputs.graphs.zips import PAIR, PATH, folder, zipped
from tests.pages.data.test_bringing_files import added, bring, shown, widget

FOUR = {
    "graph_indicator": "1\n1\n1\n2\n2\n3\n4\n4\n",
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n7, 8\n8, 7\n",
    "node_labels": "0\n1\n2\n0\n1\n0\n0\n1\n",
    "edge_labels": None,
    "node_attributes": None,
    "graph_labels": None,
}


def test_a_folder_becomes_a_data_set_with_its_classes_and_the_way_to_the_page_graphs(open_page_test):
    at = bring(
        open_page_test, "DS.zip", folder(A="1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n3, 3\n", edge_labels=None)
    )
    assert "2 graphs of 2 vertices and 2 edges on average; 3 labels of vertices, 2 attributes" in shown(at)
    assert "itself: 1 (vertex 3, line 7 of DS_A.txt)" in shown(at)
    data = added(at)
    assert isinstance(data.samples["DS"], GraphSet)
    assert data.labels.classes == (("-1", 1), ("1", 1))
    assert "choose what makes two of them alike" in shown(at)
    assert {link.page for link in at.get("page_link")} >= {"graphs"}
    assert "2 graphs of 2 to 3 vertices (mean 2.5)" in shown(at)


def test_labels_are_joined_by_id_and_a_class_can_be_selected(open_page_test):
    at = bring(open_page_test, "DS.zip", folder(**FOUR))
    assert "The graphs are not labelled" in shown(at)
    labels = b"id,class\nDS_1,u\nDS_2,v\nDS_3,u\nDS_4,v\n"
    at.file_uploader[0].upload("labels.csv", labels).run()
    data = added(at)
    assert data.labels.y.tolist() == ["u", "v", "u", "v"]
    assert "Graphs without edges: 1 (DS_3)" in shown(at)
    assert "the same as an earlier one: 1 (DS_4 = DS_2)" in shown(at)
    widget(at, "multiselect", ".classes").set_value(["v"]).run()
    assert not at.exception
    assert "Graphs without edges" not in shown(at)
    assert "2 graphs of 2 to 2 vertices" in shown(at)


def test_files_of_graphs_say_where_labels_and_classes_are_from(open_page_test):
    at = bring(open_page_test, "some.zip", zipped({"u/p.graphml": PATH, "v/q.graphml": PAIR}))
    assert "label vertices by 'type' and edges by 'type'" in shown(at)
    assert "2 classes from the folders of the zip (u, v)" in shown(at)
    widget(at, "selectbox", ".classes").set_value("none").run()
    assert added(at).labels is None


WRONG = {
    "cut off": (folder()[:-30], "a damaged one (File is not a zip file)"),
    "counts": (folder(node_labels="0\n"), "Found: 1 line"),
    "graph to graph": (folder(A="3, 4\n", edge_labels=None), "vertex 3 of graph 1 and vertex 4 of graph 2"),
    "two labels": (folder(edge_labels="7\n9\n8\n8\n7\n7\n"), "'7' (line 1 of DS_A.txt) and '9' (line 2 of DS_A.txt)"),
    "a path": (zipped({"../DS_A.txt": "1, 2\n"}), "one called '../DS_A.txt'"),
    "edges alone": (zipped({"edges.csv": "source,target\na,b\n"}), "a zip archive of edges.csv"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_a_sentence_on_the_page(open_page_test, name):
    data, sentence = WRONG[name]
    at = bring(open_page_test, "DS.zip", data)
    assert sentence in shown(at)
    assert not [button for button in at.button if button.key == "data.add"]


def test_a_label_of_edges_that_differs_can_be_left_out(open_page_test):
    at = bring(open_page_test, "DS.zip", folder(edge_labels="7\n9\n8\n8\n7\n7\n"))
    widget(at, "button_group", ".edge_labels").set_value("ignore").run()
    assert added(at).samples["DS"].edge_labels is None


def test_a_size_that_nobody_has_measured_is_said_to_be_about(open_page_test):
    text = shown(open_page_test("data/data.py"))
    assert "mutagenic? About 25.0 kB to download" in text
    assert "say so? 7.1 kB to download" in text
