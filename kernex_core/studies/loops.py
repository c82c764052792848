"""The compiled loops, smallest first, each with a tiny computation that runs it: nobody has to be the first who waits.

    python -m kernex_core.studies.loops           compile what no disk has yet, and say so
    python -m kernex_core.studies.loops asked     compile those whose names come in, a line each, and say when one is done

What is compiled is kept on disk beside the source (`kernex_core.base.jit`), until the file or Numba changes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from kernex_core.base.jit import Loop, NotCompiledError, compiled, without_compiling
from kernex_core.completion.scattered.fills import hide_pairs
from kernex_core.completion.scattered.pairs import complete_pairs
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix
from kernex_core.kernels.base import AnyKernel
from kernex_core.kernels.graphs.all_walks import GeometricWalk, RandomWalk
from kernex_core.kernels.graphs.graphlet import Graphlet
from kernex_core.kernels.graphs.product import step
from kernex_core.kernels.graphs.shortest_path import ShortestPath
from kernex_core.kernels.graphs.tree_pattern import TreePattern
from kernex_core.kernels.graphs.walks import WalkOfOrder
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.profile import fit_profile
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.learning.machine import warm_up
from kernex_core.runtime.executors import submit

STRINGS: Final = ("MKVLAAGIW", "MKILAAGLW", "MKVAGIW")


@dataclass(frozen=True)
class Loops:
    """Loops that are compiled together.

    Attributes
    ----------
    name : str
        What waits for them.
    seconds : float
        Of a processor, to compile them.
    run : callable
        A tiny computation that calls them as every computation does.
    kernels : tuple of type
        Kernels that need them.
    judges : bool
        Whether accuracies need them.
    """

    name: str
    seconds: float = field(compare=False)
    run: Callable[[], object]
    kernels: tuple[type[AnyKernel], ...] = ()
    judges: bool = False


def _graphs() -> Iterator[list[Graph]]:
    """Small graphs with labels, and without."""
    path, ring = [(0, 1), (1, 2), (2, 3)], [(0, 1), (1, 2), (2, 3), (0, 3)]
    yield [Graph(4, path, ["a", "b", "a", "b"]), Graph(4, ring, ["a", "b", "b", "b"])]
    yield [Graph(4, path), Graph(4, ring)]


def _of_graphs(*kernels: AnyKernel) -> None:
    for graphs in _graphs():
        for kernel in kernels:
            kernel.gram(graphs)
            kernel.cross(graphs, graphs)


def _of_strings(kernel: AnyKernel) -> None:
    kernel.gram(STRINGS)


def _of_pairs() -> None:
    X = np.random.default_rng(0).normal(size=(12, 3))
    made = complete_pairs(hide_pairs(GramMatrix(X @ X.T), 0.2))
    made.next_pairs(1)


LOOPS: Final = (
    Loops("shortest paths", 0.6, partial(_of_graphs, ShortestPath()), (ShortestPath,)),
    Loops("graphlets", 1.7, partial(_of_graphs, Graphlet(3), Graphlet(5)), (Graphlet,)),
    Loops("walks", 1.9, partial(_of_graphs, WalkOfOrder()), (WalkOfOrder,)),
    Loops("tree patterns", 2.3, partial(_of_graphs, TreePattern()), (TreePattern,)),
    Loops("local alignment", 2.4, partial(_of_strings, LocalAlignment()), (LocalAlignment,)),
    Loops("weighted walks", 2.8, partial(_of_graphs, GeometricWalk(), RandomWalk()), (GeometricWalk, RandomWalk)),
    Loops("subsequences", 2.8, partial(_of_strings, Subsequence()), (Subsequence,)),
    Loops("support vector machines", 3.5, warm_up, judges=True),
    Loops("profiles", 4.5, partial(fit_profile, STRINGS)),
    Loops("single pairs", 4.5, _of_pairs),
    Loops("Smith-Waterman", 1.0, partial(_of_strings, SmithWaterman()), (SmithWaterman,)),
)  # fmt: skip


def load(loops: Loops) -> bool:
    """Load them from the disk, and return whether it has them."""

    def tried() -> bool:
        try:
            with without_compiling():
                loops.run()
        except NotCompiledError:
            return False
        return True

    # by a thread of the pool: what it spreads it then does itself, under the same prohibition
    return submit(tried).result()


def folder() -> Path | None:
    """Where compiled loops are kept; None where no such folder can be written, and each start compiles them anew."""
    # all are kept in one place, each below its own folder of the source
    return step.folder if isinstance(step, Loop) else None


def _compile_all() -> None:
    missing = [each for each in LOOPS if not load(each)] if compiled() else []
    if missing:
        print(f"Compiling loops, once: about {sum(each.seconds for each in missing):.0f} s")
    for each in missing:
        print(f"  {each.name}", flush=True)
        each.run()


def _compile_asked() -> None:
    by_name = {each.name: each for each in LOOPS}
    for line in sys.stdin:
        by_name[line.strip()].run()
        print(line.strip(), flush=True)


if __name__ == "__main__":
    _compile_asked() if sys.argv[1:] == ["asked"] else _compile_all()
