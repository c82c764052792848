"""Kernels between graphs beside plain ways of computing them, in one run, as ratios of processor times.

    python -m benchmarks.graphs

Each line is a function of `LINES`. Graphs are generated: vertices in a ring with chords, as many edges and labels as the
enzymes of a public collection have (33 vertices, 62 edges, 3 labels).
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import importlib
import importlib.util
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from kernex_core import (
    GeometricWalk,
    Graph,
    Graphlet,
    GraphSet,
    RandomWalk,
    ShortestPath,
    TreePattern,
    WalkOfOrder,
    WeisfeilerLehman,
)
from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.fetched.graphs import ENZYMES
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from kernex_core.runtime.executors import thread_count
from science.data import AbsentError, collection

GRAPHS, COLLECTION, ESTIMATED = 150, 600, 200
"""Graphs of a Gram matrix, of what stands for ENZYMES, and of kernels whose time is estimated."""
SMALL = {"GRAPHS": 6, "COLLECTION": 6, "ESTIMATED": 4}
"""What a test sets them to."""


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """Least processor time of several runs; the first one, which compiles, does not count."""
    work()
    best = np.inf
    for _ in range(times):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def enzymes(n: int, size: int = 33, edges: int = 62, labels: str = "abc") -> list[Graph]:
    """Graphs with about that many vertices and edges."""
    rng = np.random.default_rng(0)
    made = []
    for _ in range(n):
        vertices = int(rng.integers(size // 2, 3 * size // 2))
        ring = [(i, (i + 1) % vertices) for i in range(vertices)]
        chords = np.sort(rng.integers(vertices, size=(round(edges * vertices / size) - vertices, 2)), axis=1)
        pairs = {(min(e), max(e)) for e in ring} | {(i, j) for i, j in chords.tolist() if i != j}
        made.append(Graph(vertices, sorted(pairs), rng.choice(list(labels), vertices)))
    return made


def product_matrix(g: Graph, h: Graph) -> FloatArray:
    """Dense adjacency of the product of two graphs with labels."""
    assert g.node_labels is not None  # drawn above
    assert h.node_labels is not None
    kept = np.flatnonzero((g.node_labels[:, None] == h.node_labels).ravel())
    return np.asarray(np.kron(g.adjacency.toarray(), h.adjacency.toarray())[np.ix_(kept, kept)])


def against_dense(kernel: GeometricWalk, graphs: list[Graph], few: list[Graph], goal: int) -> None:
    """Print how much faster a pair is than a dense solve of its system, which is built before the clock runs."""
    kernel = replace(kernel, beta=0.9 * kernel.bound_on(graphs))
    beta = kernel.beta or 0.0
    systems = [np.eye(A.shape[0]) - beta * A for A in (product_matrix(g, h) for g in few for h in few)]
    ones = [np.ones(A.shape[0]) for A in systems]

    def dense() -> list[float]:
        return [float(np.linalg.solve(A, one).sum()) for A, one in zip(systems, ones, strict=True)]

    wanted, found = np.reshape(dense(), (len(few),) * 2), kernel.gram(few)
    pairs = len(graphs) * (len(graphs) + 1) / 2
    ours, theirs = seconds(lambda: kernel.gram(graphs)) / pairs, seconds(dense) / len(systems)
    print(
        f"geometric walk, {'with' if kernel.vertex_labels else 'without'} labels, 0.9 of the bound: "
        f"{1e6 * ours:.2f} µs a pair, a dense solve {1e3 * theirs:.2f} ms; {theirs / ours:,.0f} times as fast "
        f"(goal: {goal:,}); largest difference {np.abs(found / wanted - 1.0).max():.0e}"
    )


def labelled() -> None:
    """The Gram matrix of graphs with labels."""
    graphs = enzymes(GRAPHS)
    against_dense(GeometricWalk(), graphs, graphs[:6], 25)


def unlabelled() -> None:
    """The Gram matrix of graphs without labels, their eigenvalues included."""
    graphs = enzymes(GRAPHS)
    without = [Graph(g.n_nodes, g.edges, ["a"] * g.n_nodes) for g in graphs[:3]]
    against_dense(GeometricWalk(vertex_labels=False), graphs, without, 1_000)


def against_peer(kernel: GraphKernel, peer: str, made: Callable[[Any], Any], goal: float) -> None:
    """Print how much faster the Gram matrix of ENZYMES is than by GraKeL, which says the same; where it is installed."""
    if importlib.util.find_spec("grakel") is None:
        print(f"{kernel.title}: GraKeL is not installed")
        return
    graphs, of = read_enzymes()
    theirs = [
        [_both_ways(g), dict(enumerate(g.node_labels if g.node_labels is not None else ())), {}]
        for g in graphs
    ]
    kernels = importlib.import_module("grakel.kernels")
    ours, other = (
        seconds(lambda: kernel.gram(graphs)),
        seconds(lambda: made(kernels).fit_transform(theirs), 1),
    )
    same = np.array_equal(kernel.gram(graphs), made(kernels).fit_transform(theirs))
    print(
        f"{kernel.title}, {len(graphs)} graphs ({of}): {ours:.3f} s, {peer} of GraKeL {other:.3f} s; "
        f"{other / ours:.1f} times as fast (goal: {goal:g}); {'equal' if same else 'NOT EQUAL'}"
    )


def read_enzymes() -> tuple[Sequence[Graph], str]:
    """ENZYMES where it is at hand, else as many generated graphs; and which."""
    try:
        found = collection(ENZYMES).samples["graphs"]
    except AbsentError:
        return enzymes(COLLECTION), "generated"
    assert isinstance(found, GraphSet)
    return found.graphs[:COLLECTION], "ENZYMES"


def _both_ways(graph: Graph) -> set[tuple[int, int]]:
    return {(i, j) for a, b in graph.edges.tolist() for i, j in ((a, b), (b, a))}


def subtrees() -> None:
    """Weisfeiler-Lehman, five iterations."""
    against_peer(
        WeisfeilerLehman(5),
        "WeisfeilerLehman",
        lambda kernels: kernels.WeisfeilerLehman(n_iter=5, base_graph_kernel=kernels.VertexHistogram),
        1.5,
    )


def shortest_paths() -> None:
    """Equal lengths between equal labels."""
    against_peer(ShortestPath(), "ShortestPath", lambda kernels: kernels.ShortestPath(), 4.0)


def estimates() -> None:
    """What is said before, and what it takes of each thread's processor time."""
    graphs = enzymes(ESTIMATED)
    kernels: tuple[GraphKernel, ...] = (
        WalkOfOrder(),
        WalkOfOrder(n=20),
        GeometricWalk(),
        RandomWalk(),
        RandomWalk(stop=0.01),
        TreePattern(),
        WeisfeilerLehman(),
        ShortestPath(),
        Graphlet(k=5),
    )
    for kernel in kernels:
        taken = seconds(partial(kernel.gram, graphs), 1) / thread_count()
        print(f"{kernel}: {taken:.2f} s a thread, estimated {kernel.estimate_seconds(graphs):.2f} s")


LINES = (labelled, unlabelled, subtrees, shortest_paths, estimates)


def main() -> None:
    """Print every line."""
    for line in LINES:
        line()


if __name__ == "__main__":
    main()
