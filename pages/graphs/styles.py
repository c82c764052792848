"""How labels of vertices and edges are drawn, the same in the gallery and beside each other: colour and marker, and line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.frozen import IntArray, ReadOnlyArrays
from kernex_core.gram.graph import Graph
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from pages.shared.cached import cached
from pages.shared.figures.theme import CLASS_COLOURS, SERIES, ClassStyle, class_styles, ranked_classes

LINES: Final = ("solid", "dash", "longdash", "dashdot", "dot")
"""Lines of labels that are no bonds, by how frequent they are; none is a bond's, and the last one stands for all further
labels, where there are more."""
BONDS: Final = {
    "single": "solid", "-": "solid", "double": "double", "=": "double", "triple": "triple", "#": "triple",
    "aromatic": "dash", ":": "dash",
}  # fmt: skip
"""Lines of bonds as chemists draw them, by the label in small letters."""
BESIDE_BONDS: Final = tuple(line for line in LINES if line not in BONDS.values())
"""Lines of the other labels where some are bonds."""
MOST: Final = len(CLASS_COLOURS) - 1
"""Place of the style that all further labels share."""


@dataclass(frozen=True, eq=False)
class LabelStyles(ReadOnlyArrays):
    """Styles of the labels of a set of graphs.

    Attributes
    ----------
    vertices : tuple of ClassStyle
        Most frequent label first; of more than ten the last is that of all others.
    edges : tuple of (name, line)
        Likewise; the line is one of LINES, or a bond's.
    node_codes, edge_codes : tuple of int arrays
        Of each graph: place in `vertices` and `edges` of each vertex and edge.
    """

    vertices: tuple[ClassStyle, ...]
    edges: tuple[tuple[str, str], ...]
    node_codes: tuple[IntArray, ...]
    edge_codes: tuple[IntArray, ...]


@cached(public=True)
def label_styles(graphs: GraphSet) -> LabelStyles:
    """Return how the labels of all graphs are drawn; where there are none, all are drawn alike."""
    vertices: tuple[ClassStyle, ...] = (ClassStyle("", int(graphs.n_nodes.sum()), SERIES.colour, "circle"),)
    edges: tuple[tuple[str, str], ...] = (("", LINES[0]),)
    nodes, kinds = np.zeros(int(graphs.n_nodes.sum()), np.int64), np.zeros(len(graphs.edges), np.int64)
    if graphs.node_labels is not None and graphs.node_labels.size:
        labels = _named(graphs.node_labels)
        vertices = tuple(
            replace(each, name=each.name.replace("other classes", "other labels")) if k == MOST else each
            for k, each in enumerate(class_styles(labels.tolist()))
        )
        nodes = _codes(labels, len(vertices))
    if graphs.edge_labels is not None and graphs.edge_labels.size:
        labels = _named(graphs.edge_labels)
        edges, place = edge_lines([name for name, _ in ranked_classes(labels.tolist())])
        names, at = np.unique(labels, return_inverse=True)
        kinds = np.array([place[str(name)] for name in names], np.int64)[at]
    return LabelStyles(
        vertices,
        edges,
        tuple(np.split(nodes, np.cumsum(graphs.n_nodes)[:-1])),
        tuple(np.split(kinds, np.cumsum(graphs.n_edges)[:-1])),
    )


def edge_lines(names: Sequence[str]) -> tuple[tuple[tuple[str, str], ...], dict[str, int]]:
    """Return (name, line) of what is told apart, and the place there of each label; most frequent label first."""
    bonds = {name: BONDS[name.lower()] for name in names if name.lower() in BONDS}
    lines = BESIDE_BONDS if bonds else LINES
    others = [name for name in names if name not in bonds]
    alone = others if len(others) <= len(lines) else others[: len(lines) - 1]
    line = bonds | dict(zip(alone, lines, strict=False))
    told = [(name, line[name]) for name in names if name in line]
    place = {name: k for k, (name, _) in enumerate(told)}
    if further := others[len(alone) :]:
        place |= dict.fromkeys(further, len(told))
        told.append((f"{len(further)} others", lines[-1]))
    return tuple(told), place


def _named(labels: NDArray[np.str_]) -> NDArray[np.str_]:
    return np.where(labels == "", "no label", labels)


def _codes(labels: NDArray[np.str_], styles: int) -> IntArray:
    names, at = np.unique(labels, return_inverse=True)
    rank = {name: min(k, styles - 1) for k, (name, _) in enumerate(ranked_classes(labels.tolist()))}
    return np.array([rank[str(name)] for name in names], np.int64)[at]


def sizes(graph: Graph) -> str:
    """Numbers of vertices and edges."""
    return f"{counted(graph.n_nodes, 'vertex')}, {counted(graph.n_edges, 'edge')}"


def label_note(graphs: GraphSet) -> Sequence[str]:
    """What is not labelled, in words."""
    said = []
    if graphs.node_labels is None:
        said.append(
            "The vertices have no labels: all are drawn alike, and every kernel counts them as equal."
        )
    if graphs.node_attributes is not None:
        said.append("The vertices have attributes, which the kernels on this page do not look at.")
    if graphs.edge_labels is None and len(graphs.edges):
        said.append("The edges have no labels.")
    return said
