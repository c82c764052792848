import itertools

import numpy as np
import pytest
from scipy.linalg import expm

from kernex_core import Graph
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.kernels.graphs.shared_walks import product_graph, walk_totals
from kernex_core.studies.lessons import heat_and_walks as heat
from kernex_core.studies.lessons import heat_and_walks as trees
from kernex_core.studies.lessons import heat_and_walks as walks
from tests.oracles import graph_walks as oracle

LAPLACIANS = {"normalised": "normalized", "plain": "unnormalized"}
GRAPHS = {"path": heat.PATH, "barbell": heat.BARBELL}
BOTH = pytest.mark.parametrize("graph", ["path", "barbell"])


@BOTH
@pytest.mark.parametrize("laplacian", LAPLACIANS)
def test_heat(known, graph, laplacian):
    wanted = known[f"9.diffusion_{graph}_{laplacian}"]["expected"]
    made = heat.heat(GRAPHS[graph], LAPLACIANS[laplacian])
    for tau in (0.0, 0.5, 2.0, 10.0):
        np.testing.assert_allclose(made.rows[heat.TIMES.index(tau)], wanted[f"tau_{tau:g}"], atol=2e-6)
    if laplacian == "normalised":
        np.testing.assert_allclose(made.limit, wanted["limit_row1"], atol=2e-6)
        assert made.overtaken == pytest.approx(wanted["source_overtaken_at"], abs=2e-6)
        assert made.overtaker == (1 if graph == "path" else 2)
    else:
        np.testing.assert_allclose(made.limit, np.full(6, 1 / 6), atol=1e-12)
        np.testing.assert_allclose(made.rows.sum(axis=1), 1.0, atol=1e-12)
        assert (made.overtaken, made.overtaker) == (None, None)
    np.testing.assert_allclose(made.rows[-1], made.limit, atol=0.02)


def test_any_graph_follows_the_matrix_exponential(rng):
    A = np.triu(rng.random((7, 7)) < 0.4, 1)
    graph = heat.small_graph(7, [tuple(edge) for edge in np.argwhere(A).tolist()])
    L = np.diag(A.sum(0) + A.sum(1)) - A - A.T
    np.testing.assert_allclose(heat.row(graph, 0.7, "unnormalized", 3), expm(-0.7 * L)[3], atol=1e-12)


def test_nothing_leaves_a_component_and_a_lonely_node_keeps_all():
    graph = heat.small_graph(4, [(0, 1)])
    made = heat.heat(graph, source=3)
    assert made.rows.tolist() == [[0.0, 0.0, 0.0, 1.0]] * len(heat.TIMES)
    assert made.limit.tolist() == [0.0, 0.0, 0.0, 1.0]
    assert heat.heat(graph).rows[:, 2:].tolist() == [[0.0, 0.0]] * len(heat.TIMES)
    assert heat.heat(graph).overtaken is None  # two nodes meet in the limit alone


def test_what_cannot_be_drawn():
    with pytest.raises(TooLargeError, match="12 nodes"):
        heat.small_graph(13, [])
    with pytest.raises(InvalidInputError, match="needs a node"):
        heat.small_graph(0, [])
    with pytest.raises(InvalidInputError, match="starts"):
        heat.heat(heat.PATH, source=6)
    assert (np.diff(heat.TIMES) > 0).all()


def test_bet_and_challenge(known):
    assert heat.right_bet() == 1
    assert heat.right_time() == pytest.approx(
        known["9.diffusion_path_normalised"]["expected"]["source_overtaken_at"], abs=2e-6
    )
    assert [heat.check(tau).right for tau in (0.5, 2.02, 2.04, 2.06, 2.08, 10.0)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]
    assert "still behind" in heat.check(0.5).said
    assert "earlier" in heat.check(10.0).said


@BOTH
def test_walks_and_paths(known, graph):
    made, wanted = walks.ways(GRAPHS[graph]), known[f"9.walks_{graph}"]["expected"]
    assert made.walks.tolist() == wanted["walks"]
    assert made.paths.tolist() == wanted["paths"]


def test_paths_of_twelve_nodes_in_a_clique():
    full = Graph(12, list(itertools.combinations(range(12), 2)))
    assert walks.ways(full).paths.tolist() == [12, 132, 1320, 11880, 95040, 665280]


def test_product(known):
    wanted = known["9.product_graph"]["expected"]
    made = walks.matched(2)
    assert made.totals.tolist() == wanted["G1G2"]
    assert (made.product.graph.n_nodes, made.product.graph.n_edges) == (
        wanted["product_nodes"],
        wanted["product_edges_G1G2"],
    )
    assert made.pairs == wanted["all_walk_pairs_n2"]
    assert made.cosine == pytest.approx(wanted["cosine_n2"], abs=1e-6)
    assert made.bound == pytest.approx(wanted["geometric_bound"], abs=1e-6)
    for of, count in (("G1", "count_s"), ("G2", "count_t")):
        both = {"".join(w.vertices)[::step]: getattr(w, count) for w in made.words for step in (1, -1)}
        assert both == dict(wanted[f"words_n2_{of}"])
    for of, pair in (("G1G1", [walks.FIRST] * 2), ("G2G2", [walks.SECOND] * 2)):
        assert walk_totals(product_graph(*pair).graph, 5).tolist() == wanted[of]


@pytest.mark.parametrize("n", range(6))
def test_walks_of_the_product_are_shared_walks(n):
    made = walks.matched(n)
    assert made.value == made.totals[n] == oracle.common_walks(walks.FIRST, walks.SECOND, n)
    assert made.value == sum(word.contribution for word in made.words)


def test_product_without_labels():
    path = Graph(3, [(0, 1), (1, 2)])
    made = product_graph(walks.FIRST, path, vertex_labels=False)
    assert made.graph.node_labels is None
    assert (
        walk_totals(made.graph, 3).tolist() == (walk_totals(walks.FIRST, 3) * walk_totals(path, 3)).tolist()
    )
    with pytest.raises(TooLargeError, match="10,000 pairs"):
        product_graph(Graph(200), Graph(200))
    with pytest.raises(InvalidInputError, match="shorter walks"):
        walk_totals(Graph(10, list(itertools.combinations(range(10), 2))), 400)


def test_trees(known):
    wanted, made = known["9.any_subset_trees"]["expected"], trees.trees()
    assert [made.K[0, 0], made.K[0, 1], made.K[1, 1]] == pytest.approx(
        [wanted["K11"], wanted["K12"], wanted["K22"]], rel=1e-6
    )
    assert (made.ratio, made.of_roots) == pytest.approx(
        (wanted["ratio"], wanted["ratio_root_pair_children_only"]), rel=1e-6
    )
    assert made.matchings < 1
