"""Zips of TUDataset folders: what is in them, and a sentence for each damage."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core import KernexError, health, read_samples
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.graphs import graph_set
from kernex_core.inputs.graphs import tudataset as columns
from kernex_core.inputs.graphs.graph_set import graph_notes
from tests.kernex_core.inputs.graphs.zips import FOLDER, folder, zipped


def texts(found):
    return " ".join(f"{note.text} {note.action}" for note in found.notes)


def test_every_part_of_a_folder_is_read():
    found = read_samples(folder(), "DS.zip")
    assert found.kind == "graphs"
    assert found.ids == ("DS_1", "DS_2")
    assert found.labels.y.tolist() == ["1", "-1"]
    one, two = found.graphs
    assert (one.n_nodes, one.edges.tolist()) == (3, [[0, 1], [1, 2]])
    assert (one.node_labels.tolist(), one.edge_labels.tolist()) == (["0", "1", "2"], ["7", "8"])
    assert two.node_attributes.tolist() == [[1, 4], [1000, 5]]
    assert found.attribute_names == ("attribute 1", "attribute 2")
    assert found.notes == ()


@pytest.mark.parametrize("name", ["MUTAG", "ENZYMES"])
def test_real_folders_are_read_as_they_are_described(shared, name):
    files = {f"{name}/{file.name}": file.read_bytes() for file in (shared / "data" / name).iterdir()}
    found = read_samples(zipped(files), f"{name}.zip")
    n, nodes, edges, classes, d = {
        "MUTAG": (188, 3371, 3721, {"1": 125, "-1": 63}, None),
        "ENZYMES": (600, 19580, 37282, dict.fromkeys("123456", 100), 18),
    }[name]
    assert (found.n, found.n_nodes.sum(), found.n_edges.sum()) == (n, nodes, edges)
    assert dict(found.labels.classes) == classes
    assert (found.node_attributes is None) == (d is None)
    assert d is None or (found.node_attributes.shape[1], np.unique(found.node_labels).size) == (18, 3)
    # each graph by lines of the files, counted otherwise
    indicator = files[f"{name}/{name}_graph_indicator.txt"].decode().split()
    for k in (0, 7, n - 1):
        assert found.graphs[k].n_nodes == indicator.count(str(k + 1))
    pairs = {tuple(sorted(map(int, line.split(b",")))) for line in files[f"{name}/{name}_A.txt"].splitlines()}
    first = indicator.index("8")
    within = {(a - first - 1, b - first - 1) for a, b in pairs if indicator[a - 1] == "8"}
    assert set(map(tuple, found.graphs[7].edges.tolist())) == within
    assert found.notes == ()


def test_vertices_of_a_graph_may_stand_apart():
    # the same graphs, vertices listed 4, 1, 5, 2, 3 of the sorted file
    mixed = folder(
        graph_indicator="2\n1\n2\n1\n1\n",
        A="2,4\n4,2\n4,5\n5,4\n1,3\n3,1\n",
        node_labels="0\n0\n1\n1\n2\n",
        node_attributes="1,4\n.5,1\n1e3,5\n1.5,2\n2,3\n",
    )
    found, sorted_one = read_samples(mixed, "DS.zip"), read_samples(folder(), "DS.zip")
    assert found.digest == sorted_one.digest
    assert "not sorted by graph" in texts(found)


LOOPS_AND_TIMES = {
    "a loop": ({"A": FOLDER["A"] + "3, 3\n", "edge_labels": None}, "itself: 1 (vertex 3, line 7 of DS_A.txt). They"),
    "once": ({"A": "2, 1\n2, 3\n4, 5\n", "edge_labels": None}, "listed in one direction. It joins both ways"),
    "once and twice": (
        {"A": "2, 1\n2, 3\n3, 2\n4, 5\n", "edge_labels": None},
        "where the others are in both: 2 of 3 (line 1 of DS_A.txt, line 4 of DS_A.txt)",
    ),
    "again": ({"A": FOLDER["A"] + "1, 2\n", "edge_labels": None}, "Repetitions of edges: 1 line. Each edge counts once"),
    "graph attributes": ({"graph_attributes": "1\n2\n"}, "DS_graph_attributes.txt holds numbers of graphs. It is not read"),
    "edge attributes": ({"edge_attributes": "1\n" * 6}, "DS_edge_attributes.txt holds numbers of edges. It is not read"),
    "no classes": ({"graph_labels": None}, "no file of classes (NAME_graph_labels.txt). The graphs are not labelled"),
    "a number without vertices": (
        {"graph_indicator": "1\n1\n1\n3\n3\n", "graph_labels": None},
        "that no vertex has in DS_graph_indicator.txt: 1, 2 the first",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS_AND_TIMES)
def test_what_is_odd_is_said_and_the_graphs_stay(name):
    changed, sentence = LOOPS_AND_TIMES[name]
    found = read_samples(folder(**changed), "DS.zip")
    assert sentence in texts(found)
    assert [graph.edges.tolist() for graph in found.graphs] == [[[0, 1], [1, 2]], [[0, 1]]]


REFUSED = {
    "no edges file": ({"A": None}, "no DS_A.txt in DS.zip. Pack the whole folder"),
    "no indicator": ({"graph_indicator": None}, "no DS_graph_indicator.txt"),
    "no vertices": ({"graph_indicator": "\n"}, "at least one vertex. Found: none in DS_graph_indicator.txt"),
    "a word": ({"A": "1, 2\n2, one\n"}, "DS_A.txt holds two vertices. Found: '2, one' in line 2"),
    "three numbers": ({"A": "1, 2\n2, 1, 1\n"}, "'2, 1, 1' in line 2"),
    "half a vertex": ({"A": "1, 2.5\n"}, "'1, 2.5' in line 1"),
    "a blank line": ({"A": "1, 2\n\n2, 1\n"}, "nothing in line 2"),
    "counted from 0": ({"A": "0, 1\n1, 0\n"}, "counted from 1 to 5, .* Found: 0, 1 in line 1 of DS_A.txt. Add 1"),
    "beyond the last": ({"A": "1, 2\n5, 6\n"}, "Found: 5, 6 in line 2 of DS_A.txt"),
    "graphs from 0": ({"graph_indicator": "0\n0\n0\n1\n1\n"}, "Graphs are counted from 1. Found: 0 in line 1"),
    "graph to graph": (
        {"A": "1, 2\n3, 4\n", "edge_labels": None},
        r"one between vertex 3 of graph 1 and vertex 4 of graph 2, line 2 of DS_A.txt \(1 such in all\)",
    ),
    "two labels": (
        {"edge_labels": "7\n9\n8\n8\n7\n7\n"},
        r"'7' \(line 1 of DS_A.txt\) and '9' \(line 2 of DS_A.txt\) between vertex 2 and vertex 1",
    ),
    "few edge labels": ({"edge_labels": "7\n"}, "one line for each of the 6 lines of DS_A.txt. Found: 1 line"),
    "many node labels": ({"node_labels": "0\n" * 6}, "each of the 5 vertices by DS_graph_indicator.txt. Found: 6 lines"),
    "few attributes": ({"node_attributes": "1, 2\n" * 4}, "DS_node_attributes.txt has one line for each of the 5"),
    "unknown attribute": ({"node_attributes": "1, 2\n" * 4 + "1, nan\n"}, "finite numbers. Found: '1, nan' in line 5"),
    "ragged attributes": ({"node_attributes": "1, 2\n" * 4 + "1\n"}, "'1' in line 5"),
    "few classes": ({"graph_labels": "1\n", "graph_indicator": "1\n1\n1\n2\n3\n"}, "one class a graph: 3 graphs"),
    "binary": ({"A": b"\x89PNG\r\n\x1a\n" + bytes(99)}, "a PNG picture"),
    "a number that is none": ({"A": "1, 99999999999999999999\n"}, "in line 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_damage_is_named_with_its_file_and_line(name):
    changed, sentence = REFUSED[name]
    with pytest.raises(KernexError, match=f"(?s){sentence}") as caught:
        read_samples(folder(**changed), "DS.zip")
    assert caught.value.remedy


def test_a_line_of_classes_without_vertices_is_a_graph_without_vertices():
    found = read_samples(folder(graph_labels="1\n-1\n1\n\n"), "DS.zip")
    assert (found.n, found.n_nodes.tolist(), found.n_edges.tolist()) == (3, [3, 2, 0], [2, 1, 0])
    for notes in (found.notes, health(found).notes):  # said when it is read, and once
        assert " ".join(note.text for note in notes).count("Graphs without vertices: 1 (DS_3)") == 1


def test_a_number_that_no_vertex_has_is_told_where_classes_make_it_a_graph():
    found = read_samples(folder(graph_labels="1\n-1\n1\n", graph_indicator="1\n1\n1\n3\n3\n"), "DS.zip")
    assert found.n_nodes.tolist() == [3, 0, 2]
    assert any("Graphs without vertices: 1 (DS_2)" in note.text for note in found.notes)


def test_graphs_without_edges_and_vertices_alone_are_graphs():
    found = read_samples(folder(A="1, 2\n2, 1\n", edge_labels="7\n7\n"), "DS.zip")
    said = " ".join(note.text for note in graph_notes(found))
    assert found.n_edges.tolist() == [1, 0]
    assert "Graphs without edges: 1 (DS_2)" in said
    assert "no edge reaches, in graphs with edges: 1" in said
    none = read_samples(folder(A="", edge_labels=None), "DS.zip")
    assert none.n_edges.tolist() == [0, 0]


def test_blank_labels_at_the_end_are_labels():
    found = read_samples(folder(node_labels="0\n1\n2\n0\n\n", graph_labels="1\n\n"), "DS.zip")
    assert found.node_labels.tolist()[-1] == ""
    assert found.labels.y.tolist() == ["1", ""]
    assert "without a label, where others have one: 1" in " ".join(n.text for n in graph_notes(found))


def test_parts_can_be_left_out_and_ids_be_numbers():
    found = read_samples(
        folder(edge_labels="7\n9\n8\n8\n7\n7\n", node_attributes="nan\n"), "DS.zip", "graphs",
        edge_labels="ignore", attributes="ignore", node_labels="ignore", called="number",
    )  # fmt: skip
    assert found.ids == ("1", "2")
    assert (found.node_labels, found.edge_labels, found.node_attributes) == (None, None, None)


def test_one_of_several_data_sets_is_chosen():
    both = zipped(
        {f"{name}_{part}.txt": FOLDER[part] for name in ("P", "Q") for part in ("A", "graph_indicator")}
    )
    assert read_samples(both, "both.zip").ids == ("P_1", "P_2")
    assert read_samples(both, "both.zip", dataset="Q").ids == ("Q_1", "Q_2")
    with pytest.raises(KernexError, match="one of P, Q"):
        read_samples(both, "both.zip", dataset="R")


def test_too_many_vertices_or_graphs_are_refused_before_they_are_made(monkeypatch):
    with pytest.raises(KernexError, match="At most 2 items"):
        read_samples(folder(graph_labels="1\n" * 3), "DS.zip", limit=2)
    monkeypatch.setattr(columns, "EDGE_LIMIT", 5)
    with pytest.raises(KernexError, match=r"At most 5 lines are read. Found: 6 in DS_A\.txt"):
        read_samples(folder(), "DS.zip")
    monkeypatch.undo()
    monkeypatch.setattr(graph_set, "VERTEX_LIMIT", 4)
    with pytest.raises(KernexError, match="4 vertices"):
        read_samples(folder(), "DS.zip")


def test_the_recipe_reads_the_same_graphs_again(tmp_path, monkeypatch):
    (tmp_path / "DS.zip").write_bytes(folder())
    monkeypatch.chdir(tmp_path)
    found = read_samples(folder(), "DS.zip", edge_labels="ignore")
    for recipe, part in ((found.recipe, found), (found.labels.recipe, found.labels)):
        scope = {}
        exec(write_script([replace(recipe, name="again")], heading="x"), scope)
        again = scope["again"]
        assert again.digest == part.digest
