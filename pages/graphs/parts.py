"""Parts of a similarity of graphs as a table, and where a part lies in both graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pandas as pd

from kernex_core.gram.graph import Graph
from kernex_core.inputs.names import counted
from kernex_core.kernels.explanation import Explanation, Part, SharedWalk
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from kernex_core.studies.graphs.occurrences import Occurrence, on_walks

PART_OF_K: Final = "Part of K"


@dataclass(frozen=True, eq=False)
class Found:
    """One part in words, and where it lies in the first graph and in the second."""

    words: str
    sides: tuple[Occurrence, Occurrence]


def part_table(made: Explanation) -> pd.DataFrame:
    """Return one row a part, largest first, with its share of K."""
    total = made.total or 1.0
    return pd.DataFrame(
        [
            {
                **_row(part),
                PART_OF_K: part.contribution,
                "Share, %": round(100.0 * part.contribution / total, 1),
            }
            for part in made.parts
        ]
    )


def found_in(part: Part, kernel: GraphKernel, graphs: tuple[Graph, Graph]) -> Found | None:
    """Return the vertices and edges of a part in both graphs; None where nobody can tell."""
    if isinstance(part, SharedWalk):
        vertices = part.vertices if getattr(kernel, "vertex_labels", True) else len(part.vertices)
        edges = part.edges if getattr(kernel, "edge_labels", True) else None
        first, second = (on_walks(graph, vertices, edges) for graph in graphs)
        return Found(f"on walks {walk_words(part)}", (first, second))
    return None


def walk_words(part: SharedWalk) -> str:
    """Labels along a walk: C –1– C –2– O; where labels do not count, its length."""
    if not any(part.vertices) and not any(part.edges):
        return f"of {counted(part.n_edges, 'edge')}"
    said = [part.vertices[0] or "•"]
    for edge, vertex in zip(part.edges, part.vertices[1:], strict=True):
        said += [f"–{edge}–" if edge else "–", vertex or "•"]
    return " ".join(said)


def _row(part: Part) -> dict[str, object]:
    if isinstance(part, SharedWalk):
        return {
            "Walk": walk_words(part), "Edges": part.n_edges, "In first": part.count_s * part.ways,
            "In second": part.count_t * part.ways,
        }  # fmt: skip
    raise TypeError(type(part).__name__)
