"""Tree patterns: by enumeration, by vectors, and why the formula of the slides is no kernel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.gram.graph import Graph
from kernex_core.kernels.graphs import tree_pattern
from kernex_core.kernels.graphs.tree_pattern import TreePattern
from kernex_core.kernels.graphs.walks import WalkOfOrder
from tests.kernex_core.kernels.graphs.some_graphs import graphs, vectors
from tests.oracles import graph_features as oracle

VARIANTS = st.sampled_from(["size", "branching"])


@given(
    some=st.lists(graphs(most=5), min_size=1, max_size=3),
    height=st.integers(1, 3),
    lam=st.sampled_from([0.3, 1.0, 2.0]),
    variant=VARIANTS,
    labels=st.tuples(st.booleans(), st.booleans()),
)
def test_as_enumerated(some, height, lam, variant, labels):
    K = TreePattern(height, lam, variant, *labels).gram(some)
    wanted = [[oracle.tree_pattern(a, b, height, lam, variant, *labels) for b in some] for a in some]
    assert pytest.approx(np.array(wanted), rel=1e-12) == K


@given(some=st.lists(graphs(), min_size=1, max_size=3), height=st.integers(1, 5), variant=VARIANTS)
def test_without_branches_walks_are_left(some, height, variant):
    assert np.array_equal(TreePattern(height, 0.0, variant).gram(some), WalkOfOrder(height - 1).gram(some))
    near = TreePattern(height, 1e-9, variant).gram(some)
    assert pytest.approx(WalkOfOrder(height - 1).gram(some), rel=1e-4) == near


def test_vectors(shared):
    seen = 0
    for case, parts in vectors(shared, "tree pattern"):
        given_ = case["inputs"]
        variant = {"branch": "branching"}.get(given_["variant"], given_["variant"])
        K = TreePattern(given_["height"], given_["lam"], variant).gram(parts)
        assert pytest.approx(np.array(case["expected"]), rel=1e-12) == K, case["name"]
        seen += 1
    assert seen == 3


def tree(children, leaves):
    edges = [(0, 1 + c) for c in range(children)]
    edges += [(1 + c, 1 + children + c * leaves + leaf) for c in range(children) for leaf in range(leaves)]
    return Graph(1 + children + children * leaves, edges, ["r", *"c" * children, *"l" * (children * leaves)])


def test_all_sets_of_pairs_of_neighbours_give_no_kernel_and_matchings_do():
    """K(a,b)² > K(a,a) K(b,b): a page says so, and this is what it says."""
    a, b = tree(2, 10), tree(4, 6)
    printed = np.array([[oracle.every_subset(x, y, 3, 0.1) for y in (a, b)] for x in (a, b)])
    assert printed == pytest.approx(
        np.array([[5294079816454.255, 2003760322508.7646], [2003760322508.7646, 19763618178.73765]]),
        rel=1e-10,
    )
    assert printed[0, 1] ** 2 / (printed[0, 0] * printed[1, 1]) == pytest.approx(38.37378214590701, rel=1e-10)
    for variant in ("size", "branching"):
        K = TreePattern(3, 0.1, variant).gram([a, b])
        assert K[0, 1] ** 2 < K[0, 0] * K[1, 1]


def test_numbers_of_vertices_do_not_matter(rng):
    n = 12
    edges = np.argwhere(np.triu(rng.random((n, n)) < 0.3, 1))
    one = Graph(n, edges, rng.choice(["a", "b"], n), rng.choice(["-", "="], len(edges)))
    order = rng.permutation(n)
    other = Graph(n, order[one.edges], one.node_labels[np.argsort(order)], one.edge_labels)
    K = TreePattern(4, 0.5).gram([one, other])
    assert np.ptp(K) < 1e-12 * K.max()


def test_what_is_refused(monkeypatch):
    star = Graph(14, [(0, j) for j in range(1, 14)])
    with pytest.raises(TooLargeError, match="13 at vertex 0 of 'hub'"):
        TreePattern().check([Graph(1), star], ["one", "hub"])
    with pytest.raises(TooLargeError, match="of graph 1"):
        TreePattern().cross([star], [star])
    full = Graph(6, [(i, j) for i in range(6) for j in range(i)])
    with pytest.raises(InvalidInputError, match=r"between graphs 1 and 1 .*smaller trees"):
        TreePattern(10, 1e9).gram([full])
    monkeypatch.setattr(tree_pattern, "STEP_LIMIT", 10.0)
    with pytest.raises(TooLargeError, match="hours"):
        TreePattern().gram([full])
    monkeypatch.setattr(tree_pattern, "PAIR_LIMIT", 10)
    with pytest.raises(TooLargeError, match=r"10 pairs of vertices.*36"):
        TreePattern().gram([full])
