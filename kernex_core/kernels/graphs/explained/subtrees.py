"""Weisfeiler-Lehman labels that two graphs share, written out as trees."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import IntArray
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.graphs.coded import CodedGraphs
from kernex_core.kernels.graphs.explained.listed import explained
from kernex_core.kernels.parts_of_graphs import SharedSubtree

LONGEST = 300
"""Letters after which a tree is cut off."""


def explain_subtrees(graphs: CodedGraphs, codes: IntArray, top: int, total: float) -> Explanation:
    """List the labels that most vertices of two graphs share.

    Parameters
    ----------
    graphs : CodedGraphs
        The two graphs.
    codes : (N, iterations + 1) int
        Label of each vertex after each iteration; no two iterations share a number.
    """
    border, height = int(graphs.starts[1]), codes.shape[1] - 1
    size = int(codes.max(initial=-1)) + 1
    counts = [np.bincount(part.ravel(), minlength=size) for part in (codes[:border], codes[border:])]

    def part(code: int) -> SharedSubtree:
        vertices, iterations = np.nonzero(codes == code)
        first, second = vertices[vertices < border], vertices[vertices >= border] - border
        tree = written(graphs, int(vertices[0]), int(iterations[0]))
        contribution = float(first.size) * float(second.size)
        return SharedSubtree(
            tree, int(iterations[0]), tuple(first.tolist()), tuple(second.tolist()), contribution
        )

    apart = "vertices with each label counted one by one, against a product of sparse counts"
    rest = f"all other labels of iterations 0 to {height}"
    return explained(counts[0].astype(np.float64) * counts[1], part, top, total, apart, rest)


def written(graphs: CodedGraphs, vertex: int, height: int) -> str:
    """Write the tree of walks of up to `height` edges from a vertex: alike for equal trees, unless cut off at LONGEST."""
    label = (graphs.label_names or ("",))[graphs.labels[vertex]] or "•"
    if height == 0 or graphs.rows[vertex] == graphs.rows[vertex + 1]:
        return label
    parts, letters = [], len(label)
    for p in range(graphs.rows[vertex], graphs.rows[vertex + 1]):
        kind = (graphs.edge_label_names or ("",))[graphs.edge_labels[p]]
        parts.append((f"[{kind}]" if kind else "") + written(graphs, int(graphs.neighbours[p]), height - 1))
        letters += len(parts[-1]) + 1
        if letters > LONGEST:
            break
    made = f"{label}({','.join(sorted(parts))})"
    return made if len(made) <= LONGEST else made[: LONGEST - 1] + "…"
