"""Walks that two graphs share, against every walk listed and against dense product graphs."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from kernex_core import GeometricWalk, Graph, InvalidInputError, RandomWalk, TooLargeError, WalkOfOrder
from kernex_core.base.validation import LARGEST_ENTRY
from kernex_core.kernels.graphs import product as radius
from kernex_core.kernels.graphs import product as spectra
from kernex_core.kernels.graphs import walks as walk_kernel
from kernex_core.kernels.graphs.product import Walks, sums
from tests.kernex_core.kernels.graphs.examples import drawn, renumbered, small, vectors
from tests.oracles import graph_walks as oracle

READ = [{"vertex_labels": v, "edge_labels": e} for v, e in itertools.product([True, False], repeat=2)]
readings = pytest.mark.parametrize("read", READ, ids=["both", "vertices", "edges", "neither"])


def table(function, graphs, others=None, **read):
    return np.array([[function(g, h, **read) for h in others or graphs] for g in graphs])


@readings
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_walks_of_an_order_are_those_that_one_lists(rng, n, read):
    graphs = small(rng)
    wanted = table(oracle.common_walks, graphs, length=n, **read)
    assert np.array_equal(WalkOfOrder(n=n, **read).gram(graphs), wanted)
    assert np.array_equal(WalkOfOrder(n=n, **read).cross(graphs[4:], graphs), wanted[4:])


def test_what_a_graph_remembers_holds_in_every_company_and_reading(rng):
    graphs = small(rng)
    for of, vertex_labels, edge_labels in itertools.product(
        (graphs, graphs[2:4]), (True, False), (True, False)
    ):
        read = {"vertex_labels": vertex_labels, "edge_labels": edge_labels}
        wanted = 1.0 / max(oracle.radius(g, **read) for g in of)
        assert GeometricWalk(**read).bound_on(of) == pytest.approx(wanted, rel=1e-12)


@readings
def test_geometric_walks_are_a_series_of_orders_and_a_dense_solve(rng, read):
    graphs = small(rng)
    bound = GeometricWalk(**read).bound_on(graphs)
    assert bound == pytest.approx(1.0 / max(oracle.radius(g, **read) for g in graphs), rel=1e-12)
    beta = 0.01 * bound
    series = sum(beta**n * table(oracle.common_walks, graphs, length=n, **read) for n in range(4))
    assert GeometricWalk(beta=beta, **read).gram(graphs) == pytest.approx(series, rel=1e-7)
    for share in (0.5, 0.9, 0.999):
        kernel = GeometricWalk(beta=share * bound, **read)
        assert kernel.gram(graphs) == pytest.approx(
            table(oracle.geometric, graphs, beta=share * bound, **read), rel=1e-10
        )


@readings
def test_random_walks_are_the_chances_of_walks_and_a_dense_solve(rng, read):
    graphs = small(rng)
    few = graphs[:6]
    series = sum(table(oracle.common_chance, few, length=n, stop=0.95, **read) for n in range(5))
    assert RandomWalk(stop=0.95, **read).gram(few) == pytest.approx(series, rel=1e-9)
    for stop in (1.0, 0.5, 0.1, 0.001):
        wanted = table(oracle.random, graphs, stop=stop, **read)
        assert RandomWalk(stop=stop, **read).gram(graphs) == pytest.approx(wanted, rel=1e-10)


def test_reference_values(shared):
    cases = list(vectors(shared, "WalkOfOrder"))
    assert len(cases) == 4
    for case, graphs in cases:
        assert WalkOfOrder(n=case["inputs"]["n"]).gram(graphs).tolist() == case["expected"]


def test_isolated_vertices_count_at_length_0_only_and_a_random_walk_stops_there_for_sure():
    single, edge = Graph(1, node_labels=["a"]), Graph(2, [(0, 1)], ["a", "b"])
    pair = [single, edge]
    assert WalkOfOrder(n=0).gram(pair).tolist() == [[1, 1], [1, 2]]
    assert WalkOfOrder(n=1).gram(pair).tolist() == [[0, 0], [0, 2]]
    assert GeometricWalk(beta=0.5).gram(pair).tolist() == [[1, 1], [1, 4]]
    # stop² Σ (1 − stop)^2k over both starts of four
    q = 0.25
    both = 2 / 4 * q**2 / (1 - (1 - q) ** 2)
    assert RandomWalk(stop=q).gram(pair) == pytest.approx(np.array([[1, q / 2], [q / 2, both]]), rel=1e-14)


@pytest.mark.parametrize(
    "kernel", [WalkOfOrder(n=5), GeometricWalk(), RandomWalk()], ids=lambda k: type(k).__name__
)
def test_only_labels_and_edges_matter_not_numbers(rng, kernel):
    graphs = [drawn(rng, size, 0.3) for size in (7, 12, 20)]
    again = [renumbered(graph, rng) for graph in graphs]
    kernel = kernel.resolved(graphs)
    assert kernel.resolved(again) == kernel
    assert kernel.gram(again) == pytest.approx(kernel.gram(graphs), rel=1e-12)
    assert kernel.cross(graphs, again) == pytest.approx(kernel.gram(graphs), rel=1e-12)


@pytest.mark.parametrize(
    "kernel", [WalkOfOrder(n=4), GeometricWalk(), RandomWalk()], ids=lambda k: type(k).__name__
)
def test_eigenvalues_of_each_graph_and_edges_of_products_say_the_same(rng, kernel):
    """Where all labels are equal the one is used; one other label and it is the other."""
    graphs = [drawn(rng, size, 0.3, "a", "1") for size in (5, 9, 14)]
    kernel = kernel.resolved(graphs)
    through_products = kernel.gram([*graphs, Graph(1, node_labels=["b"])])[:3, :3]
    assert kernel.gram(graphs) == pytest.approx(through_products, rel=1e-12)


def test_graphs_without_labels_count_all_vertices_as_equal(rng):
    graphs = small(rng)
    bare = [Graph(g.n_nodes, g.edges) for g in graphs]
    for kind in (WalkOfOrder, GeometricWalk, RandomWalk):
        assert np.array_equal(kind().gram(bare), kind(vertex_labels=False, edge_labels=False).gram(graphs))


def test_beta_is_half_the_bound_and_kept_for_new_graphs(rng):
    graphs = small(rng)
    kernel = GeometricWalk().resolved(graphs)
    assert kernel.beta == pytest.approx(0.5 * kernel.bound_on(graphs), rel=1e-5)
    new = drawn(rng, 6, 0.9, "a", "1")
    assert GeometricWalk().resolved([new]).beta < kernel.beta
    wanted = table(oracle.geometric, graphs, [new], beta=kernel.beta)
    assert kernel.cross(graphs, [new]) == pytest.approx(wanted, rel=1e-10)


def test_the_bound_of_all_pairs_follows_from_the_graphs_alone(rng):
    graphs = small(rng)
    for g, h in itertools.combinations(graphs, 2):
        _, A = oracle.product(g, h)
        if A.size:
            assert (
                np.abs(np.linalg.eigvalsh(A)).max() <= math.sqrt(oracle.radius(g) * oracle.radius(h)) + 1e-12
            )


def test_a_graph_that_breaks_the_bound_is_refused_by_its_name(rng):
    small_ones = [drawn(rng, 4, 0.5) for _ in range(3)]
    kernel = GeometricWalk().resolved(small_ones)
    clique = drawn(rng, 12, 1.1, "a", "1")
    with pytest.raises(
        InvalidInputError, match=r"product of large with itself.*\n?.*Choose a smaller β, or leave"
    ):
        kernel.check([small_ones[0], clique], ["x", "large"])
    with pytest.raises(InvalidInputError, match="product of graph 4 with itself"):
        kernel.cross(small_ones, [clique])
    kernel.check(small_ones, ["x", "y", "z"])
    bound = GeometricWalk().bound_on(small_ones)
    with pytest.raises(InvalidInputError, match="has to stay below"):
        GeometricWalk(beta=bound).gram(small_ones)
    said = " ".join(GeometricWalk().remarks(small_ones))
    assert f"below {bound:.6g}" in said
    assert "50 % of it" in said


def test_without_edges_any_weight_will_do():
    points = [Graph(2, node_labels=["a", "b"]), Graph(3, node_labels=["a"] * 3)]
    assert GeometricWalk().bound_on(points) == math.inf
    assert GeometricWalk().gram(points).tolist() == [[2, 3], [3, 9]]
    assert GeometricWalk(beta=100.0).gram(points).tolist() == [[2, 3], [3, 9]]
    assert not any("bound" in said for said in GeometricWalk().remarks(points))


@pytest.mark.parametrize("name", [["a"] * 30, ["b", *["a"] * 29]])
def test_numbers_beyond_what_is_held_are_refused_with_a_sentence(name):
    clique = Graph(30, np.argwhere(np.triu(np.ones((30, 30)), 1)), name)
    assert LARGEST_ENTRY < 29.0**200
    with pytest.raises(InvalidInputError, match=r"between graphs 1 and 1.*walks of n edges"):
        WalkOfOrder(n=100).gram([clique])


@pytest.mark.parametrize("length", [1, 2, 3, 10, 400])
def test_the_largest_eigenvalue_of_a_path_and_of_scattered_stars(length):
    """In closed form; a path is where neighbouring eigenvalues are close, a star alone is hidden among single edges."""

    def of(graph):
        A = csr_array(graph.adjacency)
        return radius.largest_eigenvalue(A.indptr.astype(np.int64), A.indices.astype(np.int32))

    path = Graph(length + 1, [(i, i + 1) for i in range(length)])
    assert of(path) == pytest.approx(2.0 * math.cos(math.pi / (length + 2)), rel=1e-10)
    edges = [(2 * i, 2 * i + 1) for i in range(500)]
    star = Graph(1001 + length, [*edges, *((1000, 1001 + i) for i in range(length))])
    assert of(star) == pytest.approx(math.sqrt(length), rel=1e-12)


def test_steps_are_counted_and_too_many_are_refused_before_they_begin(rng, monkeypatch):
    graphs = [drawn(rng, size, 0.4) for size in (4, 6, 9)]
    wanted = sum(oracle.product(g, h)[1].sum() for g, h in itertools.combinations_with_replacement(graphs, 2))
    assert walk_kernel.product_sizes(WalkOfOrder().coded(graphs))[1] == wanted
    monkeypatch.setattr(walk_kernel, "PAIR_LIMIT", 10)
    with pytest.raises(TooLargeError, match=r"\(graphs 3 and 3\)"):
        WalkOfOrder().gram(graphs)
    monkeypatch.setattr(walk_kernel, "STEP_LIMIT", 10)
    with pytest.raises(TooLargeError, match="hours"):
        RandomWalk().gram(graphs)
    monkeypatch.setattr(spectra, "VERTEX_LIMIT", 8)
    with pytest.raises(TooLargeError, match=r"9 \(graph 3\)"):
        RandomWalk(vertex_labels=False, edge_labels=False).gram(graphs)


def test_a_sum_that_does_not_converge_is_no_number(rng):
    path = Graph(300, [(i, i + 1) for i in range(299)], ["b", *["a"] * 299])
    found = WalkOfOrder().coded([path])
    ones = np.ones(300)
    # radii that are not those of the graph promise an end that does not come
    work = sums(found, Walks(ones, ones, ones, 0.2499, np.zeros(1), alike=True), found.sizes, 0)
    with pytest.raises(InvalidInputError, match="no end in sight for graphs 1 and 1"):
        work(np.array([[0, 0]]), np.zeros(2, np.int64))


def test_a_large_pair_is_left_where_it_is_when_asked_to_stop(rng):
    graph = drawn(rng, 60, 0.3)
    found = WalkOfOrder().coded([graph])
    work = sums(found, RandomWalk(stop=0.001).walks(found), found.sizes, 0)
    assert work(np.array([[0, 0]]), np.array([1, 0]))[0] == 0.0


@pytest.mark.parametrize("vertex_labels", [True, False])
def test_grakel_counts_walks_alike_where_it_says_the_same(rng, vertex_labels):
    """Its labelled baseline has a vertex for every pair, also where labels differ; labels of edges it does not know."""
    grakel = pytest.importorskip("grakel")
    graphs = [drawn(rng, size, 0.5) for size in (3, 5, 6, 8)]
    given = [grakel.Graph(g.adjacency.toarray(), dict(enumerate(oracle.labels(g)))) for g in graphs]
    ours = GeometricWalk(vertex_labels=vertex_labels, edge_labels=False)
    beta = 0.5 * ours.bound_on(graphs)
    kind = grakel.RandomWalkLabeled if vertex_labels else grakel.RandomWalk
    theirs = kind(lamda=beta, method_type="baseline", kernel_type="geometric").fit_transform(given)
    equal = WalkOfOrder(n=0, vertex_labels=vertex_labels).gram(graphs)
    sizes = np.array([g.n_nodes for g in graphs])
    made = replace(ours, beta=beta).gram(graphs) + np.outer(sizes, sizes) - equal
    assert made == pytest.approx(theirs, rel=1e-10)
