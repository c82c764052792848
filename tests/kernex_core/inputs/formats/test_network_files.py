"""Adjacency matrices, MatrixMarket, GraphML and GML: read like networkx and SciPy read them, and never run."""

import io

import networkx as nx
import numpy as np
import pytest
from scipy import sparse
from scipy.io import mmwrite

from kernex_core import InvalidInputError, KernexError, TooLargeError, read_samples
from kernex_core.inputs.networks import markup
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload
from tests.oracles.networks import random_network


def said(network):
    return " ".join(f"{note.text} {note.action}" for note in network.notes)


def as_csv(B, ids=None):
    rows = [",".join(["", *ids])] if ids else []
    rows += [",".join([*([ids[k]] if ids else []), *(f"{x:.17g}" for x in row)]) for k, row in enumerate(B)]
    return "\n".join(rows).encode()


def as_npz(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def as_market(B):
    out = io.BytesIO()
    mmwrite(out, B)
    return out.getvalue()


def graphml(graph):
    out = io.BytesIO()
    nx.write_graphml(graph, out)
    return out.getvalue()


def gml(graph):
    return "\n".join(nx.generate_gml(graph)).encode()


@pytest.mark.parametrize(
    "make", [as_csv, lambda B: as_npz(values=B), lambda B: as_market(sparse.coo_array(B)), as_market]
)
def test_a_matrix_is_its_network(rng, make):
    B = random_network(rng, n=9, isolated=1)
    network = read_samples(make(B), "b", kind="network")
    assert network.ids == tuple("123456789")
    assert np.array_equal(network.adjacency.toarray(), B)
    assert "Nodes without an edge: 1 (9)" in said(network)


def test_ids_of_a_matrix_are_those_of_the_nodes(rng):
    B = (random_network(rng, n=5, density=0.6) > 0).astype(float)
    ids = ["u", "v", "w", "x", "y"]
    assert read_samples(as_csv(B, ids), "b.csv", "network").ids == tuple(ids)
    assert read_samples(as_npz(adjacency=B, ids=np.array(ids)), "b.npz").ids == tuple(ids)
    assert read_samples(as_npz(values=B > 0), "b.npz").kind == "network"
    assert read_samples(as_npz(values=B), "b.npz", meaning="similarity").kind == "similarity"
    assert read_samples(as_csv(B + np.eye(5)), "b.csv").kind == "similarity"


def test_a_matrix_with_a_direction_loops_and_unknown_entries():
    network = read_samples(b",a,b,c\na,5,2,\nb,3,0,0\nc,0,1,0\n", "b.csv", kind="network", format="adjacency")
    assert network.adjacency.toarray().tolist() == [[0, 3, 0], [3, 0, 1], [0, 1, 0]]
    for part in ("edges of this file have a direction", "to itself: 1 (a)", "Unknown entries: 1"):
        assert part in said(network)


def test_matrix_market_is_a_network_or_similarities_as_chosen():
    data = b"%%MatrixMarket matrix coordinate real symmetric\n% made by hand\n3 3 3\n1 1 2\n2 1 .5\n3 3 1\n"
    offered = [guess.format.name for guess in rank_formats(Upload("k.mtx", data)) if guess.confidence > 0]
    assert offered == ["matrix_market", "matrix_market_similarity", "matrix_market_vectors"]
    assert read_samples(data, "k.mtx").n_edges == 1
    K = read_samples(data, "k.mtx", kind="similarity").gram.values
    assert K.tolist() == [[2, 0.5, 0], [0.5, 0, 0], [0, 0, 1]]
    unknown = read_samples(data, "k.mtx", kind="similarity", absent="unknown").gram
    assert unknown.unknown.unknown_pairs > 0
    dense = as_market(np.array([[2.0, 0.5], [0.5, 1.0]]))
    assert read_samples(dense, "k.mtx").kind == "similarity"
    directed = b"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n"
    assert "have a direction" in said(read_samples(directed, "k.mtx"))


@pytest.mark.parametrize(
    ("head", "error", "message"),
    [
        ("coordinate real general\n3 4 1\n1 1 1\n", InvalidInputError, "as many rows as columns"),
        ("coordinate complex general\n3 3 1\n1 1 1 1\n", InvalidInputError, "complex general"),
        ("coordinate real skew-symmetric\n3 3 1\n2 1 1\n", InvalidInputError, "skew-symmetric"),
        ("coordinate real general\n3 3 99999\n1 1 1\n", InvalidInputError, "99,999 entries"),
        ("coordinate real general\n9000000 9000000 1\n1 1 1\n", TooLargeError, "9,000,000 nodes"),
        ("array real general\n900000 900000\n1\n", InvalidInputError, "room for less"),
        ("coordinate real general\n3 3 2\n1 1 1\n7 1 1\n", InvalidInputError, "whole MatrixMarket"),
        ("coordinate real general\nmany\n", InvalidInputError, "begins with its layout"),
    ],
)
def test_bad_matrix_market_files_are_refused_before_room_is_taken(head, error, message):
    with pytest.raises(error, match=message):
        read_samples(b"%%MatrixMarket matrix " + head.encode(), "k.mtx", kind="network")
    with pytest.raises(KernexError):
        read_samples(b"%%MatrixMarket matrix " + head.encode(), "k.mtx", kind="similarity")


@pytest.mark.parametrize("write", [graphml, gml])
def test_graphs_come_back_as_networkx_wrote_them(write):
    graph = nx.les_miserables_graph()
    network = read_samples(write(graph), "g.any")
    assert network.ids == tuple(graph.nodes)
    assert np.array_equal(network.adjacency.toarray(), nx.to_numpy_array(graph))
    alike = read_samples(write(graph), "g.any", weight_attribute="")
    assert np.array_equal(alike.adjacency.toarray(), nx.to_numpy_array(graph, weight=None))


@pytest.mark.parametrize("write", [graphml, gml])
def test_attributes_of_nodes_are_labels_and_measurements(write):
    graph = nx.karate_club_graph()
    for node, facts in graph.nodes(data=True):
        facts["size"] = float(graph.degree(node))
        facts["nick"] = f"member {node}"
    network = read_samples(write(graph), "g.any")
    assert dict(network.labels.classes) == {"Mr. Hi": 17, "Officer": 17}
    assert network.attributes.columns == ("size",)
    assert network.attributes.X[0, 0] == 16.0
    by_size = read_samples(write(graph), "g.any", label_attribute="size")
    assert by_size.labels.y[0] == "16.0"
    with pytest.raises(InvalidInputError, match="they have club, size, nick"):
        read_samples(write(graph), "g.any", label_attribute="age")


def test_numbered_nodes_with_names_are_called_by_them():
    graph = nx.Graph()
    graph.add_node("n0", name="TP53")
    graph.add_node("n1", name="MDM2")
    graph.add_edge("n0", "n1")
    network = read_samples(graphml(graph), "g.graphml")
    assert network.ids == ("TP53", "MDM2")
    assert "the attribute 'name' names them" in said(network)


@pytest.mark.parametrize("write", [graphml, gml])
def test_direction_and_several_edges_are_said(write):
    graph = nx.MultiDiGraph([("a", "b"), ("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")])
    network = read_samples(write(graph), "g.any")
    assert network.adjacency.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    for part in ("have a direction", "in either direction: 2", "to itself: 1 (c)"):
        assert part in said(network)


def test_edges_that_gml_repeats_without_saying_so_are_read():
    text = b"graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] edge [ source 1 target 0 ] ]"
    assert read_samples(text, "g.gml").n_edges == 1


BOMB = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
<graphml><graph edgedefault="undirected"><node id="&b;"/></graph></graphml>"""
FILE = b"""<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]><graphml><graph><node id="&x;"/></graph></graphml>"""


@pytest.mark.parametrize(
    "data", [BOMB, FILE, BOMB.decode().encode("utf-16"), FILE.replace(b"<!DOCTYPE", b"\n <!DOCTYPE")]
)
def test_entities_are_refused(data):
    with pytest.raises(InvalidInputError, match="document type or entities"):
        read_samples(data, "g.graphml", kind="network", format="graphml")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<graphml>" + b"<a>" * 60 + b"</a>" * 60 + b"</graphml>", "more than 50 deep"),
        (b"<graphml><graph>", "whole GraphML file"),
        (b"<graphml></graphml>", "holds a graph"),
        (b"<graphml><graph edgedefault='undirected'><node id='a'/></graph></graphml>", "at least two nodes"),
        (b"graph [ node [ id 0 label", "whole GML file"),
        (b"graph [ " + b"node [ " * 3000, "whole GML file"),
        (b'graph [ node [ id 0 label "a" ] node [ id 1 label "b" ] ]', "at least one edge"),
        (
            b'graph [ node [ id 0 label "a" ] node [ id 1 label "b" ] edge [ source 0 target 1 weight "x" ] ]',
            "'x' between 'a' and 'b'",
        ),
    ],
)
def test_hostile_and_damaged_files_are_refused_with_a_sentence(data, message):
    with pytest.raises(InvalidInputError, match=message):
        read_samples(data, "g.any", kind="network")


def test_nothing_in_a_file_is_evaluated():
    names = "__import__('os').getcwd()", "[1, 2]"
    nodes = " ".join(f'node [ id {k} label "{name}" ]' for k, name in enumerate(names))
    text = f"graph [ {nodes} edge [ source 0 target 1 ] ]"
    assert read_samples(text.encode(), "g.gml").ids == names


def test_large_files_are_refused_before_they_are_read(monkeypatch):
    data = graphml(nx.path_graph(30))
    with pytest.raises(TooLargeError, match="At most 20 nodes"):
        read_samples(data, "g.graphml", limit=20)
    with pytest.raises(TooLargeError, match="At most 20 nodes"):
        read_samples(gml(nx.path_graph(30)), "g.gml", limit=20)
    monkeypatch.setattr(markup, "MARKUP_LIMIT", 100)
    with pytest.raises(TooLargeError, match="list of edges"):
        read_samples(data, "g.graphml")


YED = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
<key for="port" id="d0" yfiles.type="portgraphics"/><key for="node" id="d1" yfiles.type="nodegraphics"/>
<key for="edge" id="d2" yfiles.type="edgegraphics"/><key for="node" id="d3"/>
<key for="edge" id="d4" attr.name="{name}" attr.type="{type}"/><graph edgedefault="undirected">
<node id="n0"><data key="d1"><y:ShapeNode><y:NodeLabel>CDK1</y:NodeLabel></y:ShapeNode></data><data key="d3">x</data></node>
<node id="n1"><data key="d1"><y:ShapeNode><y:NodeLabel>PLK1</y:NodeLabel></y:ShapeNode></data></node>
<edge source="n0" target="n1"><data key="d4">{value}</data>{picture}</edge></graph></graphml>"""


@pytest.mark.parametrize("type_", ["python", "", "int", "boolean", "java.lang.Double", "double", "string"])
def test_attributes_of_types_that_other_programs_have_are_what_their_values_are(type_):
    data = YED.format(name="weight", type=type_, value="0.5", picture="").encode()
    network = read_samples(data, "y.graphml")
    assert network.ids == ("CDK1", "PLK1")
    assert network.adjacency.toarray()[0, 1] == 0.5


@pytest.mark.parametrize("value", ["strong", "nan?", "1e"])
def test_a_weight_that_is_no_number_is_refused_whatever_type_it_is_said_to_have(value):
    for type_ in ("python", "double", "int"):
        with pytest.raises(InvalidInputError, match="Every weight has to be a number"):
            read_samples(YED.format(name="weight", type=type_, value=value, picture="").encode(), "y.graphml")


def test_numbers_drawn_beside_edges_are_no_weights_without_a_question():
    picture = (
        '<data key="d2"><y:PolyLineEdge><y:EdgeLabel> 0.7 <y:Model/></y:EdgeLabel></y:PolyLineEdge></data>'
    )
    data = YED.format(name="url", type="string", value="", picture=picture).encode()
    with pytest.raises(InvalidInputError, match=r"labels of the edges are numbers.*weight_attribute='label'"):
        read_samples(data, "y.graphml")
    assert read_samples(data, "y.graphml", weight_attribute="label").adjacency.toarray()[0, 1] == 0.7
    assert read_samples(data, "y.graphml", weight_attribute="").adjacency.toarray()[0, 1] == 1.0
