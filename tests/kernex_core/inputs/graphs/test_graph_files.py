"""Zips of GraphML and GML files, one a graph."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core import KernexError, read_samples
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.formats import graph_files, tudataset
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload
from tests.kernex_core.inputs.graphs.zips import PAIR, PATH, folder, graphml, zipped

GML = 'graph [ node [ id 0 label "C" ] node [ id 1 label "O" ] edge [ source 0 target 1 type "1" ] ]'


def texts(found):
    return " ".join(f"{note.text} {note.action}" for note in found.notes)


def test_files_are_graphs_with_the_usual_labels():
    found = read_samples(zipped({"all/p.graphml": PATH, "all/q.graphml": PAIR}), "some.zip", "graphs")
    assert found.ids == ("p", "q")
    one, two = found.graphs
    assert (one.edges.tolist(), two.edges.tolist()) == ([[0, 1], [1, 2]], [[0, 1]])
    assert (one.node_labels.tolist(), one.edge_labels.tolist()) == (["C", "C", "O"], ["1", "2"])
    assert (two.node_labels.tolist(), found.labels) == (["C", "O"], None)
    assert "label vertices by 'type' and edges by 'type'" in texts(found)


def test_gml_labels_are_labels_and_no_names():
    # "C" and "O" tell the two vertices apart, which a network would call them by
    found = read_samples(zipped({"p.graphml": PATH, "q.gml": GML}), "some.zip", node_label="label")
    assert found.graphs[1].node_labels.tolist() == ["C", "O"]
    assert found.graphs[0].node_labels.tolist() == [""] * 3


def test_vertices_that_edges_alone_name_are_told():
    odd = graphml({"x": "C", "y": "C"}, {("x", "y"): "1", ("y", "zz"): "2", ("zz", "w"): "1"})
    found = read_samples(zipped({"p.graphml": PATH, "odd.graphml": odd}), "some.zip", "graphs")
    assert found.n_nodes.tolist() == [3, 4]
    assert "no <node> declares: 2, zz the first (in odd.graphml)" in texts(found)
    assert "declares" not in texts(read_samples(zipped({"p.graphml": PATH, "q.graphml": PAIR}), "some.zip"))
    assert "no <node> declares: 2, zz the first." in texts(read_samples(odd.encode(), "odd.graphml"))


TABLE = "id,class\nm2.graphml,a\nm1,b\nm9,c\n"
CLASSES = {
    "a table": (
        {"m1.graphml": PATH, "m2.graphml": PAIR, "classes.csv": TABLE, "README.txt": "hello"},
        ["b", "a"], "the table classes.csv",
    ),
    "folders": ({"x/a/m1.graphml": PATH, "x/b/m1.graphml": PAIR}, ["a", "b"], "the folders of the zip (a, b)"),
    "names": (
        {"pos_1.graphml": PATH, "pos_2.graphml": PAIR, "neg_1.graphml": PATH, "neg_12.graphml": PAIR},
        ["pos", "pos", "neg", "neg"], "the names of the files (neg, pos)",
    ),
    "the graphs": (
        {
            f"m{k}.graphml": graphml(
                {"x": "C"}, {}, '<key id="y" for="graph" attr.name="class" attr.type="string"/>', f'<data key="y">{y}</data>'
            )
            for k, y in enumerate("uv")
        },
        ["u", "v"], "the attribute 'class' of the graphs",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_found_and_said(name):
    members, y, sentence = CLASSES[name]
    found = read_samples(zipped(members), "some.zip")
    assert found.labels.y.tolist() == y
    assert sentence in texts(found)
    assert read_samples(zipped(members), "some.zip", classes="none").labels is None


def test_graphs_that_a_table_does_not_name_are_unlabelled_and_said():
    members = {"m1.graphml": PATH, "m2.graphml": PAIR, "y.csv": "id,class\nm1,b\n"}
    found = read_samples(zipped(members), "some.zip", classes="table")
    assert found.labels.y.tolist() == ["b", ""]
    assert "1 class from the table y.csv. 1 graph without one" in texts(found)


def test_files_of_one_name_are_called_with_their_folders():
    found = read_samples(zipped({"a/m.graphml": PATH, "b/m.graphml": PAIR}), "some.zip")
    assert found.ids == ("a/m", "b/m")


def test_names_of_vertices_are_no_labels_and_numbers_are_attributes():
    keys = (
        '<key id="w" for="node" attr.name="mass" attr.type="double"/>'
        '<key id="n" for="node" attr.name="name" attr.type="string"/>'
    )
    nodes = "".join(
        f'<node id="{k}"><data key="n">v{k}</data><data key="w">{k}.5</data></node>' for k in range(3)
    )
    text = f'<?xml version="1.0"?><graphml>{keys}<graph edgedefault="directed">{nodes}</graph></graphml>'
    found = read_samples(zipped({"p.graphml": text, "q.graphml": text}), "some.zip")
    assert found.node_labels is None
    assert found.attribute_names == ("mass",)
    assert np.array_equal(found.node_attributes[:, 0], [0.5, 1.5, 2.5] * 2)
    assert "have a direction: 2 (p.graphml, q.graphml)" in texts(found)


TWICE = graphml({"x": "C", "y": "C"}, {("x", "y"): "1", ("x", "x"): "1"})
OTHER = PAIR.replace("</graph>", '<edge source="x" target="y"><data key="e">2</data></edge></graph>')
REFUSED = {
    "one graph": ({"p.graphml": PATH}, "1 in some.zip. .*bring its file as it is: a network"),
    "no graph in it": ({"p.graphml": PATH, "q.graphml": "<graphml></graphml>"}, "holds a graph. Found: none in q.graphml"),
    "an empty file": ({"p.graphml": PATH, "q.graphml": ""}, "nothing in q.graphml"),
    "cut off": ({"p.graphml": PATH, "q.graphml": PATH[:200]}, "q.graphml has to be a whole GraphML file"),
    "entities": (
        {"p.graphml": PATH, "q.graphml": '<!DOCTYPE x [<!ENTITY a "b">]>' + PATH.partition("?>")[2]},
        "document type or entities.*q.graphml",
    ),
    "two labels of an edge": ({"p.graphml": PATH, "q.graphml": OTHER}, r"'1' \(q.graphml\) and '2' \(q.graphml\)"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_damage_is_named_with_its_file(name):
    members, sentence = REFUSED[name]
    with pytest.raises(KernexError, match=f"(?s){sentence}") as caught:
        read_samples(zipped(members), "some.zip")
    assert caught.value.remedy


def test_loops_are_dropped_and_options_that_do_not_fit_named():
    packed = zipped({"p.graphml": PATH, "q.graphml": TWICE})
    found = read_samples(packed, "some.zip")
    assert "itself: 1 (vertex x, q.graphml)" in texts(found)
    for options, sentence in (
        ({"node_label": "mass"}, "attribute of the vertices. Found: 'mass'; they have type"),
        ({"edge_label": "mass"}, "attribute of the edges"),
        ({"classes": "folders"}, "Classes were to come from the folders"),
    ):
        with pytest.raises(KernexError, match=sentence):
            read_samples(packed, "some.zip", **options)


def test_the_recipe_reads_the_same_graphs_again(tmp_path, monkeypatch):
    packed = zipped({"pos/p.graphml": PATH, "neg/q.graphml": PAIR})
    (tmp_path / "some.zip").write_bytes(packed)
    monkeypatch.chdir(tmp_path)
    found = read_samples(packed, "some.zip", edge_labels="ignore")
    for recipe, part in ((found.recipe, found), (found.labels.recipe, found.labels)):
        scope = {}
        exec(write_script([replace(recipe, name="again")], heading="x"), scope)
        again = scope["again"]
        assert again.digest == part.digest


@pytest.mark.parametrize(
    "packed", [folder(), zipped({"a.graphml": PATH, "b.graphml": PAIR}, 0)], ids=["DS", "stored"]
)
def test_no_other_format_takes_a_zip_of_graphs(packed):
    first, *others = rank_formats(Upload("network.zip", packed))
    assert first.format.kind == "graphs"
    assert all(guess.confidence == 0.0 for guess in others)
    with pytest.raises(KernexError, match=r"A network was expected.*looks like: Graphs"):
        read_samples(packed, "network.zip", "network")


def test_a_zip_of_something_else_says_what_is_in_it():
    edges = zipped({"edges.csv": "source,target\na,b\n"})
    for kind in (None, "graphs", "network"):
        with pytest.raises(KernexError, match=r"a zip archive of edges\.csv\. Unpack it"):
            read_samples(edges, "edges.zip", kind)
    with pytest.raises(KernexError, match=r"list of edges.*Graphs come as a zip"):
        read_samples(b"source,target\na,b\nb,c\n", "edges.csv", "graphs")


def test_what_there_is_to_choose_is_offered_and_nothing_else():
    files = zipped({"p.graphml": PATH, "q.graphml": PAIR})
    made = graph_files.suggest(Upload("some.zip", files))
    assert (made.choices, made.idle) == ({"node_label": ("", "type"), "edge_label": ("", "type")}, ())
    bare = graphml({"x": None, "y": None}, {("x", "y"): None})
    made = graph_files.suggest(Upload("some.zip", zipped({"p.graphml": bare, "q.graphml": bare})))
    assert made.choices == {}
    assert set(made.idle) == {"node_label", "node_labels", "edge_label", "edge_labels"}
    assert graph_files.suggest(Upload("some.zip", files[:-30])).choices == {}
    made = tudataset.suggest(Upload("DS.zip", folder(edge_labels=None, node_attributes=None)))
    assert (made.choices, set(made.idle)) == ({}, {"edge_labels", "attributes", "dataset"})
