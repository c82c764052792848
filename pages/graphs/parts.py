"""Parts of a similarity of graphs as a table, and where a part lies in both graphs."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from kernex_core.gram.graph import Graph
from kernex_core.kernels.explanation import Explanation, Part
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from pages.graphs.drawing import Marked


@dataclass(frozen=True, eq=False)
class Found:
    """Where one part lies in the first graph and in the second."""

    sides: tuple[Marked, Marked]


def part_table(made: Explanation, kernel: GraphKernel) -> pd.DataFrame:
    """Return one row a part, largest first."""
    return pd.DataFrame()


def found_in(part: Part, kernel: GraphKernel, graphs: tuple[Graph, Graph]) -> Found | None:
    """Return the vertices and edges of a part in both graphs."""
    return None
