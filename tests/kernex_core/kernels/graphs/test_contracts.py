"""What every kernel between graphs keeps, on graphs that nobody chose."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import Graph, InvalidInputError, kernels_for
from kernex_core.base.validation import psd_tolerance
from tests.kernex_core.kernels.graphs.examples import drawn, renumbered


@st.composite
def some_graphs(draw):
    """Two to five graphs of 0 to 7 vertices, sparse and dense, with few labels and many."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    drawing = st.tuples(
        st.integers(0, 7),
        st.sampled_from([0.0, 0.2, 0.5, 1.1]),
        st.sampled_from(["a", "abc"]),
        st.sampled_from(["1", "12"]),
    )
    return [drawn(rng, *each) for each in draw(st.lists(drawing, min_size=2, max_size=5))], rng


@pytest.mark.parametrize("kind", kernels_for("graphs"), ids=lambda kind: kind.__name__)
@given(made=some_graphs())
def test_contract_on_random_graphs(kind, made):
    graphs, rng = made
    kernel = kind().resolved(graphs)
    K = kernel.gram(graphs)
    eigenvalues = np.linalg.eigvalsh(K)
    assert np.array_equal(K, K.T)
    assert eigenvalues.min() >= -psd_tolerance(len(graphs), np.abs(eigenvalues).max())
    assert not K[[graph.n_nodes == 0 for graph in graphs]].any()
    assert kernel.gram([renumbered(graph, rng) for graph in graphs[::-1]]) == pytest.approx(
        K[::-1, ::-1], rel=1e-12
    )
    some, others = graphs[:1], graphs[1:]
    blocks = [
        [kernel.gram(some), kernel.cross(some, others)],
        [kernel.cross(others, some), kernel.gram(others)],
    ]
    assert np.block(blocks) == pytest.approx(K, rel=1e-12)


@pytest.mark.parametrize("kind", kernels_for("graphs"), ids=lambda kind: kind.__name__)
def test_no_vertices_and_no_graphs(kind):
    nothing = Graph(0)
    assert kind().gram([nothing, nothing]).tolist() == [[0, 0], [0, 0]]
    for compare in (
        lambda: kind().gram([]),
        lambda: kind().cross([nothing], []),
        lambda: kind().cross([], [nothing]),
    ):
        with pytest.raises(InvalidInputError, match="At least one graph is needed"):
            compare()
