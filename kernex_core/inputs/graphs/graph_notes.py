"""What is to be known about graphs: how large they are, which have no vertices or edges, what tells vertices apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Note

WITHOUT_VERTICES: Final = "Graphs without vertices"
"""How a note on them begins: a reader that knows why says it already."""


def described(found: GraphSet) -> str:
    """What vertices and edges carry, as a phrase: "7 labels of vertices, 4 labels of edges"."""
    said = []
    for labels, of in ((found.node_labels, "vertices"), (found.edge_labels, "edges")):
        if labels is not None:
            said.append(f"{counted(np.unique(labels).size, 'label')} of {of}")
    if found.node_attributes is not None:
        said.append(f"{counted(found.node_attributes.shape[1], 'attribute')} of vertices")
    return ", ".join(said) or "no labels"


def graph_notes(found: GraphSet) -> tuple[Note, ...]:
    """Notes on the graphs as they are, each with what it means for kernels."""
    nodes, edges = found.n_nodes, found.n_edges
    notes = [
        Note(
            f"{counted(found.n, 'graph')} of {nodes.min():,} to {nodes.max():,} vertices (mean {nodes.mean():.1f}) and "
            f"{edges.mean():.1f} edges on average; {described(found)}.",
            severity="fine",
        )
    ]
    notes += _bare(found)
    if found.node_labels is None and found.node_attributes is None:
        notes.append(
            Note(
                "Vertices have no labels.",
                "All count as equal: kernels see the shape alone.",
                "Bring labels of the vertices, if there are any.",
            )
        )
    if found.node_labels is not None and (blank := int((found.node_labels == "").sum())):
        notes.append(
            Note(
                f"Vertices without a label, where others have one: {blank:,}.",
                "They are alike, and unlike all others.",
                "Give them a label.",
                "warning",
            )
        )
    return tuple(notes)


def without_vertices(ids: Sequence[str], why: str = "") -> list[Note]:
    """Name graphs without vertices, and say why there are such."""
    if not ids:
        return []
    return [
        Note(
            f"{WITHOUT_VERTICES}: {len(ids):,} ({listed(list(ids))}){why}.",
            "Each has similarity 0 with everything, itself included.",
            "Leave them out under Selection.",
            "warning",
        )
    ]


def _bare(found: GraphSet) -> list[Note]:
    """Graphs without vertices, without edges, and with vertices that no edge reaches."""
    said = any(note.text.startswith(WITHOUT_VERTICES) for note in found.notes)
    notes = [] if said else without_vertices([found.ids[k] for k in np.flatnonzero(found.n_nodes == 0)])
    bare = [found.ids[k] for k in np.flatnonzero((found.n_edges == 0) & (found.n_nodes > 0))]
    if bare:
        notes.append(
            Note(
                f"Graphs without edges: {len(bare):,} ({listed(bare)}).",
                "Kernels see their vertices alone, and some kernels nothing.",
                "Leave them out under Selection.",
                "warning",
            )
        )
    starts = np.cumsum(found.n_nodes) - found.n_nodes
    reached = np.unique(found.edges + np.repeat(starts, found.n_edges)[:, None])
    alone = int(found.n_nodes.sum()) - reached.size - int(found.n_nodes[found.n_edges == 0].sum())
    if alone:
        notes.append(
            Note(f"Vertices that no edge reaches, in graphs with edges: {alone:,}.", "They stay.", "", "fine")
        )
    return notes
