"""What is to be known about a network: isolated nodes, components, negative weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from kernex_core.gram.adjacency import components, isolated
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note


def structure_notes(B: sparse.csr_array, ids: Sequence[str]) -> tuple[Note, ...]:
    """Notes on the structure of a network (n, n), each with what it means for kernels."""
    notes = []
    alone = isolated(B)
    if alone.size:
        notes.append(
            Note(
                f"Nodes without an edge: {alone.size:,} ({listed([ids[int(k)] for k in alone])}).",
                "Each is similar to itself alone.",
                "Leave them out under Selection.",
            )
        )
    sizes = np.bincount(components(B))
    joined = int((sizes > 1).sum())
    if joined > 1:
        notes.append(
            Note(
                f"The network falls into {joined:,} components with edges; the largest has {sizes.max():,} of "
                f"{len(ids):,} nodes.",
                "Between components every similarity is 0.",
            )
        )
    below = int((B.data < 0.0).sum()) // 2
    if below:
        notes.append(
            Note(
                f"Edges with a negative weight: {below:,}; the lowest is {B.data.min():.6g}.",
                "They stay. Kernels of the Laplacian refuse them, the exponential and von Neumann kernels take them.",
                "Let their size count, or drop them.",
                "warning",
            )
        )
    return tuple(notes)
