"""Parts that two graphs share, other than walks: paths, subtrees, small subgraphs, and roots of trees."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.frozen import EqualByContent


@dataclass(frozen=True, eq=False)
class SharedPath(EqualByContent):
    """Pairs of vertices with the same labels, as far from each other in one graph as in the other, or nearly.

    Attributes
    ----------
    ends : tuple of two str
        Labels of the vertices; "" where they do not count.
    hops_s, hops_t : int
        Edges of the shortest path between them in each graph; they differ only where the kernel lets them.
    count_s, count_t : int
        Pairs of vertices, whichever comes first.
    path_s, path_t : tuple of int
        One shortest path in each graph, as its vertices.
    contribution : float
        2 count_s count_t, 4 if both labels are the same (both orders of both pairs), times c − |hops_s − hops_t|.
    """

    ends: tuple[str, str]
    hops_s: int
    hops_t: int
    count_s: int
    count_t: int
    path_s: tuple[int, ...]
    path_t: tuple[int, ...]
    contribution: float


@dataclass(frozen=True, eq=False)
class SharedSubtree(EqualByContent):
    """A label of Weisfeiler-Lehman: vertices from which both graphs look alike for some edges.

    Attributes
    ----------
    tree : str
        The label written out, "C(C,O(C,H))": the neighbours of each vertex in brackets, the vertex it was reached from
        among them; "[=]" before a neighbour is the label of the edge to it. Cut off at LONGEST letters.
    height : int
        Iteration: edges that it reaches.
    roots_s, roots_t : tuple of int
        Vertices of each graph that have it; their counts are the lengths.
    contribution : float
        Count in s times count in t.
    """

    tree: str
    height: int
    roots_s: tuple[int, ...]
    roots_t: tuple[int, ...]
    contribution: float


@dataclass(frozen=True, eq=False)
class SharedGraphlet(EqualByContent):
    """A small connected subgraph of both graphs.

    Attributes
    ----------
    name : str
        In words: "triangle of 3"; by its number of edges where it has no name.
    edges : tuple of pairs of int
        Of its vertices 0 to k − 1.
    labels : tuple of str
        Of its vertices; "" where they do not count.
    count_s, count_t : float
        Sets of vertices in each graph; not whole where they are estimated.
    vertices_s, vertices_t : tuple of int
        One such set in each graph, vertex by vertex.
    contribution : float
        count_s times count_t.
    """

    name: str
    edges: tuple[tuple[int, int], ...]
    labels: tuple[str, ...]
    count_s: float
    count_t: float
    vertices_s: tuple[int, ...]
    vertices_t: tuple[int, ...]
    contribution: float


@dataclass(frozen=True, eq=False)
class SharedRoots(EqualByContent):
    """A vertex of each graph, and what trees with these roots contribute.

    Attributes
    ----------
    label : str
        Of both; "" where labels do not count.
    vertex_s, vertex_t : int
    height : int
        Levels of vertices of the trees.
    contribution : float
        k_h(u, v).
    """

    label: str
    vertex_s: int
    vertex_t: int
    height: int
    contribution: float


PartOfGraphs = SharedPath | SharedSubtree | SharedGraphlet | SharedRoots
