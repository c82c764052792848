"""Joint kernels on vertices and random walks over them: what a page waits for, beside a goal on two cores.

    python -m benchmarks.joint_nodes

200 graphs, EC 4 and EC 6 of ENZYMES, with 18 attributes a vertex: the real ones where KERNEX_SHARED has them, else
generated ones of their size. Times are wall and processor times of this process.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from kernex_core.gram.graph import Graph
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.runtime.progress import finished
from kernex_core.studies.papers.joint.measuring import (
    ENZYMES,
    ENZYMES_SIGMA,
    JOINT,
    LAMS,
    NodeWalkConfig,
    measuring,
    prepare_graphs,
    walks_in_steps,
)
from science.data import AbsentError, lyases_and_ligases

T = TypeVar("T")
EVERY, FOLDS, REPEATS = 1, 10, 5
"""Every how many-th graph is taken; the folds of the page."""
SMALL = {"EVERY": 20, "FOLDS": 2, "REPEATS": 1}
"""What a test sets them to."""


def timed(what: str, work: Callable[[], T], goal: float | None = None) -> T:
    wall, cpu = time.perf_counter(), time.process_time()
    made = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    beside = "" if goal is None else f"   goal {goal:g} s"
    print(f"{what:48} {wall:7.2f} s   processor {cpu:7.2f} s{beside}", flush=True)
    return made


def generated() -> tuple[GraphSet, Labels]:
    """200 graphs of 10 to 60 vertices, two edges a vertex."""
    rng = np.random.default_rng(0)
    graphs = []
    for _ in range(200):
        n = int(rng.integers(10, 60))
        pairs = rng.integers(0, n, (2 * n, 2))
        X = np.hstack([rng.normal(0, 40, (n, 6)), rng.poisson(1.0, (n, 12))])
        graphs.append(Graph(n, pairs[pairs[:, 0] != pairs[:, 1]], node_attributes=X))
    made = GraphSet.of(graphs)
    return made, Labels(made.ids, np.array(["4", "6"])[np.arange(200) % 2])


def main() -> None:
    try:
        graphs, labels = lyases_and_ligases()
    except AbsentError:
        graphs, labels = generated()
    at = range(0, graphs.n, EVERY)
    graphs, labels = graphs.take(at), labels.take(at)
    print(f"{graphs.n} graphs, {int(graphs.n_nodes.sum()):,} vertices, {int(graphs.n_edges.sum()):,} edges")
    config = NodeWalkConfig(sigma=ENZYMES_SIGMA, columns=ENZYMES)
    one, *further = (name for name, lam in JOINT.items() if 0.0 < lam < 1.0)
    made = timed("landmarks and decomposition", lambda: prepare_graphs(config, graphs))
    timed(f"first λ, walks up to 3: {one}", lambda: finished(walks_in_steps(made, one)), 60.0)
    for name in further:
        timed(f"further λ: {name}", lambda name=name: finished(walks_in_steps(made, name)), 20.0)  # type: ignore[misc]
    validation = CrossValidation(folds=FOLDS, repeats=REPEATS, choose_C=True)
    gaps: list[float] = []
    timed(
        f"the page: {len(LAMS)} λ and 6 kernels, {FOLDS * REPEATS} folds, C nested",
        lambda: _run(config, graphs, labels, validation, gaps),
    )
    print(f"longest time without a sign of life {max(gaps):.2f} s")


def _run(
    config: NodeWalkConfig, graphs: GraphSet, labels: Labels, validation: CrossValidation, gaps: list[float]
) -> None:
    last = time.perf_counter()
    for _ in measuring(config, graphs, labels, validation):
        gaps.append(time.perf_counter() - last)
        last = time.perf_counter()


if __name__ == "__main__":
    main()
