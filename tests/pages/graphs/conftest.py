import numpy as np
import pytest

from kernex_core.gram.graph import Graph
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels


def molecule(rng, kind):
    """A ring of C with a tail; of the second kind the tail ends in O, over a double bond."""
    ring, tail = int(rng.integers(4, 7)), int(rng.integers(1, 4))
    edges = [(i, (i + 1) % ring) for i in range(ring)] + [
        (i, i + 1) for i in range(ring - 1, ring + tail - 1)
    ]
    labels = ["C"] * ring + ["N"] * (tail - 1) + [("N", "O")[kind]]
    kinds = ["1"] * (len(edges) - 1) + [("1", "2")[kind]]
    return Graph(ring + tail, edges, labels, kinds)


@pytest.fixture
def molecules():
    """Thirty labelled graphs of two classes."""
    rng = np.random.default_rng(0)
    y = np.array(["plain", "oxide"])[np.arange(30) % 2]
    ids = tuple(f"m{k}" for k in range(1, 31))
    labels = Labels(ids, y)
    found = GraphSet.of([molecule(rng, k % 2) for k in range(30)], ids, labels=labels)
    return DataSet("molecules", ids, labels, samples={"graphs": found})
