"""Parts of a similarity of graphs as a table, and where a part lies in both graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pandas as pd

from kernex_core.gram.graph import Graph
from kernex_core.inputs.names import counted
from kernex_core.kernels.explanation import (
    Explanation,
    Part,
    SharedGraphlet,
    SharedPath,
    SharedRoots,
    SharedSubtree,
    SharedWalk,
)
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from kernex_core.studies.graphs.pictures import Occurrence, along, among, around, on_paths, on_walks

PART_OF_K: Final = "Part of K"
ALL_PATHS: Final = 800
"""Vertices up to which all shortest paths of a kind are marked: every pair is looked at for every edge."""
BOTH: Final = ("Edges in first", "Edges in second")
"""Columns that are one where all paths are as long in both graphs."""
ANY: Final = "•"
"""A vertex whose label does not count."""


@dataclass(frozen=True, eq=False)
class Found:
    """One part in words, and where it lies in the first graph and in the second."""

    words: str
    sides: tuple[Occurrence, Occurrence]


def part_table(made: Explanation) -> pd.DataFrame:
    """Return one row a part, largest first, with its share of K."""
    total = made.total or 1.0
    table = pd.DataFrame(
        [
            {
                **_row(part),
                PART_OF_K: part.contribution,
                "Share, %": round(100.0 * part.contribution / total, 1),
            }
            for part in made.parts
        ]
    )
    lengths = [name for name in BOTH if name in table]
    if lengths and (table[lengths[0]] == table[lengths[1]]).all():
        table = table.drop(columns=lengths[1]).rename(columns={lengths[0]: "Edges"})
    return table


def found_in(part: Part, kernel: GraphKernel, graphs: tuple[Graph, Graph]) -> Found | None:
    """Return the vertices and edges of a part in both graphs; None where nobody can tell."""
    s, t = graphs
    labelled = bool(getattr(kernel, "vertex_labels", True))
    if isinstance(part, SharedWalk):
        vertices = part.vertices if labelled else len(part.vertices)
        edges = part.edges if getattr(kernel, "edge_labels", True) else None
        sides = on_walks(s, vertices, edges), on_walks(t, vertices, edges)
        return Found(f"all walks {walk_words(part)}", sides)
    if isinstance(part, SharedPath):
        ends = part.ends if labelled else None
        if max(s.n_nodes, t.n_nodes) > ALL_PATHS:
            one = along(s, part.path_s), along(t, part.path_t)
            return Found(
                f"one of the {_ends(part)}, {_hops(part)} apart, and a shortest path between them", one
            )
        sides = on_paths(s, ends, part.hops_s), on_paths(t, ends, part.hops_t)
        return Found(f"{_ends(part)}, {_hops(part)} apart, and the shortest paths between them", sides)
    if isinstance(part, SharedSubtree):
        sides = around(s, part.roots_s, part.height), around(t, part.roots_t, part.height)
        reach = f", and what lies within {counted(part.height, 'edge')} of them" if part.height else ""
        return Found(f"vertices that are roots of {part.tree}{reach}", sides)
    if isinstance(part, SharedGraphlet):
        return Found(f"one {part.name} of each graph", (among(s, part.vertices_s), among(t, part.vertices_t)))
    if isinstance(part, SharedRoots):
        below = part.height - 1
        sides = around(s, [part.vertex_s], below), around(t, [part.vertex_t], below)
        return Found(f"two roots, and what lies within {counted(below, 'edge')} of them", sides)
    return None


def walk_words(part: SharedWalk) -> str:
    """Labels along a walk: C –1– C –2– O; where labels do not count, its length."""
    if not any(part.vertices) and not any(part.edges):
        return f"of {counted(part.n_edges, 'edge')}"
    said = [part.vertices[0] or ANY]
    for edge, vertex in zip(part.edges, part.vertices[1:], strict=True):
        said += [f"–{edge}–" if edge else "–", vertex or ANY]
    return " ".join(said)


def _ends(part: SharedPath) -> str:
    if not any(part.ends):
        return "pairs of vertices"
    return f"pairs {part.ends[0] or ANY} … {part.ends[1] or ANY}"


def _hops(part: SharedPath) -> str:
    if part.hops_s == part.hops_t:
        return counted(part.hops_s, "edge")
    return f"{part.hops_s} and {counted(part.hops_t, 'edge')}"


def _row(part: Part) -> dict[str, object]:
    if isinstance(part, SharedWalk):
        return {
            "Walk": walk_words(part), "Edges": part.n_edges, "In first": part.count_s * part.ways,
            "In second": part.count_t * part.ways,
        }  # fmt: skip
    if isinstance(part, SharedPath):
        return {
            "Ends": f"{part.ends[0] or ANY} … {part.ends[1] or ANY}", "Edges in first": part.hops_s,
            "Edges in second": part.hops_t, "In first": part.count_s, "In second": part.count_t,
        }  # fmt: skip
    if isinstance(part, SharedSubtree):
        return {
            "Subtree": part.tree, "Height": part.height, "In first": len(part.roots_s), "In second": len(part.roots_t),
        }  # fmt: skip
    if isinstance(part, SharedGraphlet):
        labels = {"Labels": " ".join(part.labels)} if any(part.labels) else {}
        return {
            "Subgraph": part.name, **labels, "In first": round(part.count_s, 1), "In second": round(part.count_t, 1)
        }  # fmt: skip
    if isinstance(part, SharedRoots):
        label = {"Label": part.label} if part.label else {}
        return {
            **label, "Root in first": part.vertex_s + 1, "Root in second": part.vertex_t + 1, "Levels": part.height
        }  # fmt: skip
    raise TypeError(f"{type(part).__name__} is no part of graphs")
