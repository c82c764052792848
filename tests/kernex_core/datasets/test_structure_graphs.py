"""Graphs with mixed attributes and typed edges, drawn from a seed."""

import numpy as np

from kernex_core import load_dataset
from kernex_core.completion.node_kernels import NodeColumns
from kernex_core.datasets.graphs import GRAPHS, SIZES
from kernex_core.studies.papers.joint.measuring import columns_of


def test_vertices_have_measurements_and_counts_and_edges_a_type_and_a_length():
    data = load_dataset("structure_graphs")
    graphs = data.samples["structures"]
    assert graphs.n == GRAPHS
    assert SIZES[0] <= graphs.n_nodes.min() < graphs.n_nodes.max() <= SIZES[1]
    assert dict(data.labels.classes) == {"alike": GRAPHS // 2, "mixed": GRAPHS // 2}
    assert columns_of(graphs) == NodeColumns((0, 1, 2), (3, 4, 5, 6))
    for graph in graphs.graphs:
        along = graph.edges[:, 1] - graph.edges[:, 0] == 1
        kinds = np.array([name.split()[0] for name in graph.edge_labels])
        assert (kinds[along] == "sequence").all()
        assert (kinds[~along] == "space").all()
        assert along.sum() == graph.n_nodes - 1
    assert set(graphs.edge_labels) == {"sequence 1", "sequence 2", "space 4", "space 5"}
    np.testing.assert_allclose(np.diag(data.kernels["walks"].values), 1.0)


def test_classes_differ_in_which_vertices_are_in_contact_alone():
    data = load_dataset("structure_graphs", seed=5)
    graphs, alike = data.samples["structures"].graphs, data.labels.y == "alike"
    means, edges, apart = [], [], []
    for graph in graphs:
        means.append(graph.node_attributes.mean(axis=0))
        edges.append(graph.n_edges / graph.n_nodes)
        i, j = graph.edges[np.char.startswith(graph.edge_labels, "space")].T
        volume = graph.node_attributes[:, 2]
        apart.append(np.abs(volume[i] - volume[j]).mean())
    for same in (*np.transpose(means), np.array(edges)):
        first, second = same[alike], same[~alike]
        spread = np.sqrt(first.var() / first.size + second.var() / second.size)
        assert abs(first.mean() - second.mean()) < 3.5 * spread
    first, second = np.array(apart)[alike], np.array(apart)[~alike]
    assert second.mean() - first.mean() > 5 * np.sqrt(first.var() / first.size + second.var() / second.size)


def test_the_seed_decides():
    first, again, other = (load_dataset("structure_graphs", seed=seed) for seed in (1, 1, 2))
    assert first.digest == again.digest != other.digest
