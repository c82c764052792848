"""GraphML and GML files, one a graph: vertices, edges and what they carry, put one after another."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.inputs.graphs.archive import Archive, shown
from kernex_core.inputs.graphs.graph_set import check_graph_sizes
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.markup import attribute_of, gml, graphml, undeclared_note
from kernex_core.inputs.samples import Note

ENDINGS: Final = (".graphml", ".gml")
NODE_LABELS: Final = (
    "label", "type", "atom", "atom_type", "element", "symbol", "chem", "class", "category", "kind", "color", "name",
)  # fmt: skip
EDGE_LABELS: Final = (
    "label",
    "type",
    "bond",
    "bond_type",
    "bondtype",
    "order",
    "bond_order",
    "relation",
    "kind",
)
"""Attributes that are taken for labels, the first that is there."""
_FEWEST: Final = 3
"""Vertices from which labels that are all different look like names."""


@dataclass(frozen=True, eq=False)
class GraphFile(EqualByContent):
    """One file.

    Attributes
    ----------
    name : str
        Of the member, with folders.
    vertices : tuple of str
    nodes, edges : tuple of mapping
        Attributes of each vertex and of each edge.
    ends : (m, 2) int array
    about : mapping
        Attributes of the graph itself.
    directed : bool
    others : int
        Further graphs in the file, which are not read.
    undeclared : tuple of str
        Vertices that edges alone name.
    """

    name: str
    vertices: tuple[str, ...]
    nodes: tuple[Mapping[str, object], ...]
    ends: IntArray
    edges: tuple[Mapping[str, object], ...]
    about: Mapping[str, object] = field(default_factory=dict)
    directed: bool = False
    others: int = 0
    undeclared: tuple[str, ...] = ()


def is_graph_file(name: str) -> bool:
    """Whether a member is called like a file of a graph."""
    return name.lower().endswith(ENDINGS)


def read_files(archive: Archive, limit: int, most: int | None = None) -> tuple[GraphFile, ...]:
    """Read every GraphML and GML file of an archive, or the first `most` of them.

    Raises
    ------
    InvalidInputError
        No such file, or one that is damaged (it is named).
    TooLargeError
        More vertices or edges than the limits.
    """
    made: list[GraphFile] = []
    nodes = edges = 0
    for name in itertools.islice(filter(is_graph_file, archive.members), most):
        made.append(_read(archive, name, limit))
        nodes, edges = nodes + len(made[-1].vertices), edges + len(made[-1].ends)
        check_graph_sizes(nodes, edges, archive.filename)
    return tuple(made)


def _read(archive: Archive, name: str, limit: int) -> GraphFile:
    upload = archive.upload(name)
    if not upload.packed.strip():
        raise InvalidInputError(
            "Every file of the zip holds a graph", f"nothing in {shown(name)}", "Leave the empty file out"
        )
    count, undeclared = 1, tuple[str, ...]()
    if name.lower().endswith(".gml"):
        graph: Any = gml(upload, limit, ("id",))  # labels of vertices are no names here
    else:
        graph, count, undeclared = graphml(upload, limit)
    place = {node: k for k, node in enumerate(graph.nodes)}
    listed_edges = list(graph.edges(data=True))
    ends = np.array([(place[a], place[b]) for a, b, _ in listed_edges], np.int64).reshape(-1, 2)
    return GraphFile(
        name,
        tuple(map(str, graph.nodes)),
        tuple(graph.nodes[node] for node in graph.nodes),
        ends,
        tuple(data for _, _, data in listed_edges),
        dict(graph.graph),
        bool(graph.is_directed()),
        count - 1,
        undeclared,
    )


def ids_of_files(names: Sequence[str]) -> tuple[str, ...]:
    """Names of files without their endings; with their folders where files of several are called the same."""
    stems = [PurePosixPath(name).stem for name in names]
    return tuple(
        stems if len(set(stems)) == len(stems) else [str(PurePosixPath(n).with_suffix("")) for n in names]
    )


def keys_of(facts: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    """Attributes that occur, in their order."""
    return tuple(dict.fromkeys(key for each in facts for key in each))


def as_text(value: object) -> str:
    """An attribute as a label: "" for none, whole numbers without a point."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return " ".join(str(value).split())


def chosen_label(
    wanted: str, usual: Sequence[str], parts: Sequence[Sequence[Mapping[str, object]]], of: str
) -> str:
    """Attribute that holds labels: the one that is asked for, else the first usual one that is no name; "" for none.

    Raises
    ------
    InvalidInputError
        There is none that is called as asked for.
    """
    keys = keys_of(each for part in parts for each in part)
    if wanted:
        if wanted not in keys:
            raise InvalidInputError(
                f"The label has to be an attribute of the {of}",
                f"{wanted!r}; they have {listed(keys, 12) or 'none'}",
            )
        return wanted
    by_name = {key.lower(): key for key in reversed(keys)}
    return next((by_name[name] for name in usual if name in by_name and not _names(by_name[name], parts)), "")


def _names(key: str, parts: Sequence[Sequence[Mapping[str, object]]]) -> bool:
    """Whether an attribute tells all vertices of every graph apart."""
    large = [part for part in parts if len(part) >= _FEWEST]
    return bool(large) and all(len({as_text(each.get(key)) for each in part}) == len(part) for part in large)


def labels_by(key: str, facts: Sequence[Mapping[str, object]]) -> NDArray[np.str_] | None:
    """Label of each vertex or edge, or None where there is no such attribute."""
    return np.array([as_text(each.get(key)) for each in facts], dtype=np.str_) if key else None


def attributes_of(
    parts: Sequence[Sequence[Mapping[str, object]]], without: str
) -> tuple[FloatArray | None, tuple[str, ...], list[Note]]:
    """Attributes of vertices that are a finite number everywhere, their names, and a note on the others."""
    columns, left = {}, []
    facts = [each for part in parts for each in part]
    for key in keys_of(facts):
        if key == without:
            continue
        made = attribute_of([each.get(key) for each in facts])
        if made is None or not np.isfinite(made).all():
            left += [] if _names(key, parts) else [key]
        else:
            columns[key] = made
    notes = []
    if left:
        notes.append(
            Note(
                f"Attributes of vertices that are not a number everywhere: {len(left)} ({listed(left)}).",
                "They are not read.",
                "One of them can be the label of the vertices.",
                "fine",
            )
        )
    return (np.column_stack([*columns.values()]) if columns else None), tuple(columns), notes


def file_notes(files: Sequence[GraphFile]) -> list[Note]:
    """Notes on directions, on further graphs in a file, and on vertices that edges alone name."""
    notes = []
    for found, text, action in (
        (
            [each for each in files if each.directed],
            "Files whose edges have a direction",
            "a → b and b → a are one edge.",
        ),
        (
            [each for each in files if each.others],
            "Files that hold several graphs",
            "The first of each is read.",
        ),
    ):
        if found:
            named = listed([shown(each.name) for each in found])
            notes.append(Note(f"{text}: {len(found):,} ({named}).", action, "", "warning"))
    invented = [(name, each.name) for each in files for name in each.undeclared]
    where = f" (in {shown(invented[0][1])})" if invented else ""
    return [*notes, *undeclared_note([name for name, _ in invented], where)]
