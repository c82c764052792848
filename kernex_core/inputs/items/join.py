"""Labels joined to items: by id, or by position where there are no ids and the user says so."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import ReadOnlyArrays
from kernex_core.base.parameters import check_choice
from kernex_core.gram.provenance import Call, call, part
from kernex_core.inputs.health import class_notes
from kernex_core.inputs.items.match import Items, difference, ids_of, matched
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Note, Vectors


@dataclass(frozen=True, eq=False)
class LabelJoin(ReadOnlyArrays):
    """Labels joined to items.

    Attributes
    ----------
    labels : Labels
        In the order of the items; "" where there is none.
    matched : int
        Items that were found in the file of labels.
    without_label : tuple of str
        Items that the file does not name.
    without_item : tuple of str
        Ids of the file that are no items.
    duplicates, conflicting : tuple of str
        Ids on several lines, and those of them with different labels.
    singletons : tuple of str
        Classes with one member among the items.
    by_position : bool
        Joined by order, not by id.
    notes : tuple of Note
    """

    labels: Labels
    matched: int
    without_label: tuple[str, ...] = ()
    without_item: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()
    singletons: tuple[str, ...] = ()
    by_position: bool = False
    notes: tuple[Note, ...] = ()


def join_labels(
    items: Items, labels: Labels, *, by_position: bool = False, loosely: bool = False
) -> LabelJoin:
    """Join labels to items by id.

    An item that was numbered because its id occurs more than once takes the label that all lines of that id agree on.

    Parameters
    ----------
    items : sequence of str, or an object with `ids`
    labels : Labels
    by_position : bool
        Allowed only if the labels came without any ids: the k-th label belongs to the k-th item.
    loosely : bool
        Ids that differ only by the ending of a file (.pdb), a version (.1) or the name of a data base (sp|…|) are the same.

    Raises
    ------
    InvalidInputError
        No id in common; labels without ids where `by_position` is not set, or of another number; labels with ids
        where it is set.

    Examples
    --------
    >>> from kernex_core import join_labels, read_labels
    >>> labels = read_labels(b"id,class\\na,x\\nc,y\\n", "labels.csv")
    >>> made = join_labels(("a", "b", "c"), labels)
    >>> made.labels.y.tolist(), made.matched
    (['x', '', 'y'], 2)
    """
    ids = ids_of(items)
    if labels.positional or by_position:
        return _by_position(ids, items, labels, by_position)
    found = matched(ids, items, labels, loosely=loosely)
    at = found.at
    if (at < 0).all():
        raise _no_match(ids, labels.ids)
    known = {labels.ids[k] for k in at if k >= 0}
    y = np.where(at >= 0, labels.y[at], "")
    groups = None if labels.groups is None else np.where(at >= 0, labels.groups[at], "")
    recipe = _recipe(items, labels, **({"loosely": True} if loosely else {}))
    joined = Labels(ids, y, groups, (), recipe, made_from=labels.made_from)
    without_label = tuple(name for name, k in zip(ids, at, strict=True) if k < 0)
    without_item = tuple(name for name in labels.ids if name not in known)
    notes = (
        *_match_notes(int((at >= 0).sum()), without_label, without_item),
        *found.notes,
        *labels.notes[: _kept(labels)],
    )
    return LabelJoin(
        replace(joined, notes=(*notes, *class_notes(joined))),
        int((at >= 0).sum()),
        without_label,
        without_item,
        labels.duplicates,
        labels.conflicting,
        tuple(name for name, size in joined.classes if size == 1),
        False,
        (*notes, *class_notes(joined)),
    )


def _recipe(items: Items, labels: Labels, **options: bool) -> Call | None:
    """The join as a call; only where the labels know where they came from."""
    if labels.recipe is None:
        return None
    left = items if getattr(items, "recipe", None) else ids_of(items)
    made = call("joined", "join_labels", left, labels, **options)
    return part(made, "labels")


def _kept(labels: Labels) -> int:
    """Notes about the file come first; those about its classes are made anew for the items."""
    return len(labels.notes) - len(class_notes(labels))


def _header_line(labels: int, items: int) -> str:
    """Say it where there is one label more than items: the first may name the column."""
    more = labels == items + 1
    return "If the first line names the column, say so (Header line: yes, header='yes'). " if more else ""


def _by_position(ids: tuple[str, ...], items: Items, labels: Labels, by_position: bool) -> LabelJoin:
    if not labels.positional:
        raise InvalidInputError(
            "Labels with ids are joined by id, never by position",
            f"ids such as {labels.ids[0]!r}",
            "Join by id",
        )
    if not by_position:
        raise InvalidInputError(
            "Labels need ids to be joined to items",
            f"one column of {len(labels.ids)} labels without ids",
            _header_line(len(labels.ids), len(ids))
            + "Add a column of ids, or say that the labels are in the order of the items",
        )
    if len(labels.ids) != len(ids):
        raise InvalidInputError(
            "Joined by position, there has to be one label an item",
            f"{len(labels.ids)} labels for {len(ids)} items",
            _header_line(len(labels.ids), len(ids)) + "Add a column of ids",
        )
    note = Note(
        "The labels have no ids.", "They are taken in the order of the items, as was chosen.", "", "warning"
    )
    recipe = _recipe(items, labels, by_position=True)
    joined = Labels(ids, labels.y, labels.groups, (), recipe, made_from=labels.made_from)
    notes = (note, *class_notes(joined))
    alone = tuple(name for name, size in joined.classes if size == 1)
    return LabelJoin(replace(joined, notes=notes), len(ids), singletons=alone, by_position=True, notes=notes)


def _match_notes(matched: int, without_label: Sequence[str], without_item: Sequence[str]) -> list[Note]:
    notes = [Note(f"Items with an entry in the file of labels: {matched:,}.", "Joined by id.", "", "fine")]
    if without_label:
        notes.append(
            Note(
                f"Items that are not in the file of labels: {len(without_label):,} ({listed(without_label)}).",
                "They are kept without a label.",
                "Add them to the file, or keep only labelled items under Selection.",
                "warning",
            )
        )
    if without_item:
        notes.append(
            Note(
                f"Ids of the file of labels that are no items: {len(without_item):,} ({listed(without_item)}).",
                "They are left out.",
            )
        )
    return notes


def _no_match(ids: Sequence[str], others: Sequence[str]) -> InvalidInputError:
    near = next(
        (m[0] for name in ids[:20] if (m := difflib.get_close_matches(name, others[:500], 1, 0.7))), ""
    )
    hint = f"; nearest: {near!r}" if near else ""
    loose = difference(ids, others)
    return InvalidInputError(
        "Labels are joined by id, so some ids have to be the same on both sides",
        f"items such as {listed(ids, 2)}, labels for {listed(others, 2)}{hint}",
        f"They differ by {loose}: match them without it, or write them alike"
        if loose
        else "Write the ids in the file of labels exactly as in the data (white space and case count)",
    )


# The table of items that Kernex writes: id, label, perhaps group, and facts about each item that are no data.

ID: Final = "id"
LABEL: Final = "label"
GROUP: Final = "group"
LETTERS: Final = "letters of "
"""Start of the title of a column that counts the letters of sequences."""
VERTICES: Final = "vertices of "
EDGES: Final = "edges of "
"""Starts of the titles of columns that count those of graphs."""
KNOWN_PAIRS: Final = "known pairs in "
"""Start of the title of a column that counts the known similarities of a kernel."""


def is_item_table(names: Sequence[str]) -> bool:
    """Whether a table has the columns of one that Kernex wrote, so that it is one of labels whatever else it holds."""
    if tuple(names[:2]) != (ID, LABEL):
        return False
    return all(is_fact(name) for name in names[3 if GROUP in names[2:3] else 2 :])


def is_fact(name: str) -> bool:
    """Whether a column of such a table counts something."""
    return name.startswith((LETTERS, VERTICES, EDGES, KNOWN_PAIRS))


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
