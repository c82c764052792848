"""Graphs that leave as a zip come back the same."""

import io
import zipfile

import numpy as np
import pytest

from kernex_core import Graph, GraphSet, Labels, load_dataset, read_samples
from kernex_core.inputs.graphs.tudataset import tudataset_zip

IDS = ("a", "=1+1", "c")
BARE = GraphSet.of([Graph(2, [(0, 1)]), Graph(3), Graph(1)], IDS)
EMPTY = GraphSet.of(
    [
        Graph(0, node_labels=[], edge_labels=[]),
        Graph(2, [(0, 1)], ["x y", ""], ["1,2"]),
        Graph(0, node_labels=[], edge_labels=[]),
    ],
    IDS,
)
DEMO = load_dataset("like_beside_like").samples["graphs"]


@pytest.mark.parametrize(
    "graphs",
    [BARE, EMPTY, load_dataset("like_beside_like").samples["graphs"]],
    ids=lambda graphs: str(graphs.n_edges.sum()),
)
def test_a_zip_of_graphs_is_read_as_it_was(graphs):
    labels = graphs.labels or Labels(graphs.ids, ["u", "", "v"])
    packed = tudataset_zip(graphs, "my graphs!", labels)
    found = read_samples(packed, "g.zip", "graphs")
    assert found.ids[:2] == ("my_graphs_1", "my_graphs_2")
    assert found.labels.y.tolist() == labels.y.tolist()
    for one, other in zip(graphs.graphs, found.graphs, strict=True):
        assert (one.n_nodes, one.edges.tolist()) == (other.n_nodes, other.edges.tolist())
        for name in ("node_labels", "edge_labels", "node_attributes"):
            before, after = getattr(one, name), getattr(other, name)
            assert (before is None) == (after is None)
            assert before is None or np.array_equal(before, after)
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        table = file.read("my_graphs/ids.csv").decode().splitlines()
    assert table[:2] == ["number,id", f"1,{graphs.ids[0]}"]
    assert table[2] == ("2,'=1+1" if "=1+1" in graphs.ids else f"2,{graphs.ids[1]}")
