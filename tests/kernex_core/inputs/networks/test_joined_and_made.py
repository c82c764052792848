"""Tables of nodes joined to networks, and networks made of vectors."""

import pickle

import numpy as np
import pytest

from kernex_core import (
    InvalidInputError,
    Labels,
    Network,
    Vectors,
    align,
    health,
    join_nodes,
    neighbour_network,
    read_labels,
    read_samples,
)
from kernex_core.gram.provenance import write_script

EDGES = b"source,target\na,b\nb,c\nc,d\n"


def test_a_table_brings_labels_attributes_and_nodes_without_an_edge():
    network = read_samples(EDGES, "e.csv")
    table = read_samples(b"id,size,class\nc,3,x\na,1,y\ne,5,x\nb,,y\n", "n.csv", kind="vectors")
    made = join_nodes(network, table)
    assert made.network.ids == ("a", "b", "c", "d", "e")
    assert made.network.labels.y.tolist() == ["y", "y", "x", "", "x"]
    assert made.network.attributes.columns == ("size",)
    assert np.array_equal(made.network.attributes.X.ravel(), [1, np.nan, 3, np.nan, 5], equal_nan=True)
    assert (made.without_line, made.without_edge) == (("d",), ("e",))
    assert made.network.n_edges == 3
    assert [note.text for note in made.notes] == [
        "Nodes that the table does not have: 1 (d).", "Lines of the table that no edge names: 1 (e).",
    ]  # fmt: skip
    left = join_nodes(network, table, new_nodes="ignore").network
    assert left.ids == network.ids
    with pytest.raises(InvalidInputError, match="ids in common"):
        join_nodes(network, Labels(("u", "v"), np.array(["x", "y"])))


def test_the_script_of_a_join_makes_it_again(tmp_path, monkeypatch):
    (tmp_path / "e.csv").write_bytes(EDGES)
    (tmp_path / "l.csv").write_bytes(b"id,label\na,x\nb,y\nc,x\nz,y\n")
    monkeypatch.chdir(tmp_path)
    made = join_nodes(
        read_samples(EDGES, "e.csv"), read_labels((tmp_path / "l.csv").read_bytes(), "l.csv")
    ).network
    names = {}
    exec(write_script([made.recipe], heading="Made by a test"), names)
    assert names["network"].digest == made.digest
    assert names["network"].labels.y.tolist() == made.labels.y.tolist()


@pytest.mark.parametrize("mutual", [False, True])
@pytest.mark.parametrize("weights", ["one", "gaussian"])
def test_neighbours_are_those_of_a_double_loop(rng, mutual, weights):
    X = rng.standard_normal((25, 3))
    vectors = Vectors(tuple(f"v{k}" for k in range(25)), X)
    network = neighbour_network(vectors, 4, weights=weights, mutual=mutual)
    D = np.array([[np.sqrt(((x - y) ** 2).sum()) for y in X] for x in X])
    near = [sorted((j for j in range(25) if j != i), key=lambda j, i=i: D[i, j])[:4] for i in range(25)]
    sigma = np.median([D[i, j] for i in range(25) for j in near[i]])
    for i in range(25):
        for j in range(25):
            joined = (j in near[i] and i in near[j]) if mutual else (j in near[i] or i in near[j])
            weight = 1.0 if weights == "one" else np.exp(-(D[i, j] ** 2) / (2 * sigma**2))
            assert network.adjacency[i, j] == pytest.approx(weight if joined and i != j else 0.0)
    assert network.attributes is vectors


def test_neighbours_refuse_what_they_cannot_be_made_of():
    vectors = Vectors(("a", "b", "c"), np.array([[0.0], [1.0], [np.nan]]))
    with pytest.raises(InvalidInputError, match="known everywhere"):
        neighbour_network(vectors, 1)
    for wrong in (0, 2, 1.5, True):
        with pytest.raises(InvalidInputError, match="from 1 to 1"):
            neighbour_network(vectors.take([0, 1]), wrong)


def test_a_network_is_read_only_also_after_it_was_stored():
    network = Network(("a", "b"), [[0, 2], [2, 0]])
    again = pickle.loads(pickle.dumps(network))
    assert again == network
    assert again.digest == network.digest
    for one in (network, again):
        with pytest.raises(ValueError, match="read-only"):
            one.adjacency.data[0] = 1.0
    given = np.array([[0.0, 1.0], [1.0, 0.0]])
    held = Network(("a", "b"), given)
    given[0, 1] = given[1, 0] = 7.0
    assert held.adjacency[0, 1] == 1.0


def test_a_network_and_measurements_of_its_nodes_are_aligned():
    network = read_samples(EDGES, "e.csv")
    vectors = Vectors(("c", "b", "x"), np.eye(3))
    data = align({"network": network, "x": vectors}).data
    assert data.ids == ("b", "c")
    assert data.samples["network"].adjacency.toarray().tolist() == [[0, 1], [1, 0]]
    assert health(network).n == 4
    with pytest.raises(InvalidInputError, match="about its nodes"):
        Network(("a", "b"), [[0, 1], [1, 0]], attributes=vectors)
