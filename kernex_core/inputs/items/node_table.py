"""A table of nodes joined to a network: labels, attributes, and nodes without an edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import sparse

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import ReadOnlyArrays
from kernex_core.gram.provenance import call, part
from kernex_core.inputs.items.join import join_labels
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Note, Vectors
from kernex_core.parameters import check_choice


@dataclass(frozen=True, eq=False)
class NodeJoin(ReadOnlyArrays):
    """A network with what a table says about its nodes.

    Attributes
    ----------
    network : Network
    without_line : tuple of str
        Nodes that the table does not have.
    without_edge : tuple of str
        Lines of the table that no edge names.
    notes : tuple of Note
        The same in sentences (also in `network.notes`).
    """

    network: Network
    without_line: tuple[str, ...] = ()
    without_edge: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


def join_nodes(
    network: Network, table: Labels | Vectors, *, new_nodes: Literal["isolated", "ignore"] = "isolated"
) -> NodeJoin:
    """Join labels and attributes of nodes to a network by id.

    Parameters
    ----------
    network : Network
    table : Labels or Vectors
        What `read_labels`, `read_nodes` or `read_samples(kind="vectors")` made of the table. Labels of the table replace
        those of the network; columns of numbers take the place of its attributes. What the table does not have stays.
    new_nodes : {"isolated", "ignore"}
        What a line is whose id no edge names: a node without an edge, or nothing.

    Raises
    ------
    InvalidInputError
        No id in common, or a table without ids.

    Examples
    --------
    >>> from kernex_core import join_nodes, read_labels, read_samples
    >>> network = read_samples(b"source,target\\na,b\\nb,c\\n", "edges.csv")
    >>> made = join_nodes(network, read_labels(b"id,label\\na,x\\nb,y\\nc,x\\nd,y\\n", "nodes.csv"))
    >>> made.network.ids, made.network.labels.y.tolist(), made.without_edge
    (('a', 'b', 'c', 'd'), ['x', 'y', 'x', 'y'], ('d',))
    """
    check_choice("What a new node is", new_nodes, ("isolated", "ignore"))
    known = set(network.ids)
    if known.isdisjoint(table.ids) or (isinstance(table, Labels) and table.positional):
        raise InvalidInputError(
            "A table of nodes is joined to a network by id, so they need ids in common",
            f"none (network: {listed(network.ids, 2)}; table: {listed(table.ids, 2)})",
            "Choose the column of ids, or write the ids alike in both files",
        )
    new = tuple(name for name in table.ids if name not in known)
    lines = set(table.ids)
    lacking = tuple(name for name in network.ids if name not in lines)
    ids = network.ids + (new if new_nodes == "isolated" else ())
    notes = _notes(lacking, new, new_nodes)
    labels = table if isinstance(table, Labels) else table.labels
    if labels is not None:
        labels = join_labels(ids, labels).labels
    elif network.labels is not None:
        labels = join_labels(ids, network.labels).labels
    measured = table if isinstance(table, Vectors) else network.attributes
    attributes = None if measured is None else _attributes(measured, ids)
    n = len(ids)
    wide = sparse.csr_array(
        sparse.coo_array((network.adjacency.tocoo().data, network.adjacency.tocoo().coords), (n, n))
    )
    recipe = call(
        "joined",
        "join_nodes",
        network,
        table,
        new_nodes=new_nodes,
    )
    made = Network(ids, wide, labels, attributes, (*network.notes, *notes))
    whole = network.recipe is not None and table.recipe is not None
    if whole:
        made = replace(made, recipe=part(recipe, "network"))
    return NodeJoin(made, lacking, new, notes)


def _notes(lacking: Sequence[str], new: Sequence[str], new_nodes: str) -> tuple[Note, ...]:
    notes = []
    if lacking:
        notes.append(
            Note(
                f"Nodes that the table does not have: {len(lacking):,} ({listed(lacking)}).",
                "They have no label and no attributes of it.",
            )
        )
    if new:
        alone = new_nodes == "isolated"
        notes.append(
            Note(
                f"Lines of the table that no edge names: {len(new):,} ({listed(new)}).",
                "They are nodes without an edge, each similar to itself alone."
                if alone
                else "They are left out.",
                "Choose whether they are nodes.",
            )
        )
    return tuple(notes)


def _attributes(table: Vectors, ids: tuple[str, ...]) -> Vectors:
    """Rows of the table in the order of the nodes; unknown where it has none."""
    place = {name: k for k, name in enumerate(table.ids)}
    X = np.full((len(ids), table.X.shape[1]), np.nan)
    for row, name in enumerate(ids):
        if name in place:
            X[row] = table.X[place[name]]
    return Vectors(ids, X, table.columns)
