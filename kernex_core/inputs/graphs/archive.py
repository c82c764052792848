"""A zip of text files: looked over before anything is unpacked; what members are called is never a path."""

from __future__ import annotations

import itertools
import stat
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import parameter
from kernex_core.inputs.graphs.graph_set import check_graph_sizes
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.networks.markup import attribute_of, gml, graphml, undeclared_note
from kernex_core.inputs.options import SampleOptions
from kernex_core.inputs.samples import Note
from kernex_core.inputs.upload import Members, Upload, open_zip

UNPACKED: Final = 200_000_000
"""Bytes that they may have together."""
_PACKED_AGAIN: Final = (".zip", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".zst")
_LEFT_BY_SYSTEMS: Final = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
_HEAD: Final = 1 << 16


@dataclass(frozen=True)
class Archive:
    """Files of a zip by name; folders are part of a name, and of nothing else.

    Attributes
    ----------
    filename : str
        Of the zip.
    members : mapping of str to ZipInfo
        In the order of the archive.
    """

    filename: str
    file: Members
    members: Mapping[str, zipfile.ZipInfo]

    def upload(self, name: str) -> Upload:
        """One member as a file of its own.

        Raises
        ------
        InvalidInputError
            Damaged.
        TooLargeError
            All that was unpacked is beyond UNPACKED.
        """
        return Upload(PurePosixPath(name).name, self.file.read(self.members[name]))


def shown(name: str) -> str:
    """Name of a member for a sentence: of one line, and not too long."""
    plain = "".join(c if c.isprintable() else "?" for c in name)
    return plain if len(plain) <= 60 else "…" + plain[-59:]


def member_names(upload: Upload) -> tuple[str, ...]:
    """What the members of a zip are called, unchecked; () where it has too many, or no directory that can be read."""
    return upload.remembered("zip names", lambda: _names(upload))


def _names(upload: Upload) -> tuple[str, ...]:
    if not upload.is_zip:
        return ()
    try:
        with open_zip(upload.data, upload.filename, sys.maxsize) as file:  # nothing is unpacked here
            return tuple(name.replace("\\", "/") for name in file.names)
    except KernexError:
        return ()


def head_of(upload: Upload) -> bytes:
    """First and last bytes, where the names of members stand also if the directory is damaged."""
    return upload.data[:_HEAD] + upload.data[-_HEAD:]


def open_archive(upload: Upload) -> Archive:
    """Open a zip of text files.

    Raises
    ------
    InvalidInputError
        Damaged or encrypted; members that are links, archives again, that leave their folder or that occur twice.
    TooLargeError
        More members or bytes than the limits, before anything is unpacked.
    """
    file = open_zip(upload.data, upload.filename, UNPACKED)
    members: dict[str, zipfile.ZipInfo] = {}
    for info in file.infos:
        name = _checked(info, upload.filename)
        parts = PurePosixPath(name).parts
        if info.is_dir() or not parts or parts[0] in _LEFT_BY_SYSTEMS or parts[-1] in _LEFT_BY_SYSTEMS:
            continue
        if name in members:
            raise _refused(upload.filename, "each file once", f"{shown(name)} twice", "Pack it again")
        members[name] = info
    return Archive(upload.filename, file, members)


def _checked(info: zipfile.ZipInfo, filename: str) -> str:
    """Name of a member with / between folders, if there is nothing wrong with it."""
    name = info.orig_filename.replace("\\", "/")
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or ":" in parts[0] or not name.isprintable():
        raise _refused(
            filename, "names inside one folder", f"one called {shown(name)!r}", "Pack the folder again"
        )
    if info.flag_bits & 0x1:
        raise _refused(
            filename,
            "files that are not encrypted",
            f"{shown(name)}, encrypted",
            "Pack it without a password",
        )
    if stat.S_ISLNK(info.external_attr >> 16):
        raise _refused(filename, "files", f"the link {shown(name)}", "Pack the file that it leads to")
    if name.lower().endswith(_PACKED_AGAIN):
        raise _refused(
            filename,
            "text files",
            f"the archive {shown(name)} inside it",
            "Unpack that, and pack its files alone",
        )
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refused(
            filename,
            "files packed by deflate",
            f"{shown(name)}, packed in another way",
            "Pack it as a plain zip",
        )
    return name


def _refused(filename: str, holds: str, found: str, remedy: str) -> InvalidInputError:
    return InvalidInputError(f"A zip of graphs holds {holds}", f"{found}, in {filename}", remedy)


# Listed edges of many graphs made what a GraphSet holds: each edge once, no loops, none from graph to graph.

Names = Callable[[int], str]


@dataclass(frozen=True, eq=False)
class ListedEdges(ReadOnlyArrays):
    """Edges as files list them; N vertices of n graphs, graph after graph.

    Attributes
    ----------
    ends : (M, 2) int array
        Vertices, counted from 0 through all graphs.
    sizes : (n,) int array
        Vertices of each graph.
    labels : (M,) str array or None
    where, vertex, graph : callable
        What the k-th listed edge, a vertex and a graph are called in a sentence.
    both_ways : bool
        The format lists an edge in both directions.
    """

    ends: IntArray
    sizes: IntArray
    where: Names
    vertex: Names
    graph: Names
    labels: NDArray[np.str_] | None = None
    both_ways: bool = False


@dataclass(frozen=True, eq=False)
class MergedEdges(ReadOnlyArrays):
    """Edges as a GraphSet holds them, with notes on what became of the others."""

    edges: IntArray
    n_edges: IntArray
    labels: NDArray[np.str_] | None
    notes: tuple[Note, ...]


def merge(given: ListedEdges) -> MergedEdges:
    """Make each edge one, whichever way and however often it is listed.

    Raises
    ------
    InvalidInputError
        An edge between two graphs, or one with two labels; both are named.
    """
    n_vertices = int(given.sizes.sum())
    graph_of = np.repeat(np.arange(given.sizes.size), given.sizes)
    u, v = given.ends.T
    _check_within(given, graph_of)
    loops, notes = np.flatnonzero(u == v), []
    if loops.size:
        named = [f"{given.vertex(int(u[k]))}, {given.where(int(k))}" for k in loops[:3]]
        more = f" and {loops.size - 3:,} more" if loops.size > 3 else ""
        notes.append(
            Note(
                f"Edges from a vertex to itself: {loops.size:,} ({'; '.join(named)}{more}).",
                "They are dropped.",
            )
        )
    kept = np.flatnonzero(u != v)
    pair = np.minimum(u, v)[kept] * n_vertices + np.maximum(u, v)[kept]
    order = kept[np.argsort(pair, kind="stable")]
    pair = np.sort(pair)
    start = np.r_[True, pair[1:] != pair[:-1]] if pair.size else np.empty(0, np.bool_)
    of, first = np.cumsum(start) - 1, order[start]
    if given.labels is not None:
        _check_labels(given, order, first[of])
    notes += _times(given, u[order] < v[order], of, first)
    ends = np.sort(given.ends[first], axis=1)
    starts = np.cumsum(given.sizes) - given.sizes
    at = graph_of[ends[:, 0]]
    return MergedEdges(
        ends - starts[at][:, None],
        np.bincount(at, minlength=given.sizes.size).astype(np.int64),
        None if given.labels is None else given.labels[first],
        tuple(notes),
    )


def _check_within(given: ListedEdges, graph_of: IntArray) -> None:
    u, v = given.ends.T
    across = np.flatnonzero(graph_of[u] != graph_of[v])
    if across.size:
        k = int(across[0])
        both = " and ".join(
            f"{given.vertex(int(end))} of {given.graph(int(graph_of[end]))}" for end in (u[k], v[k])
        )
        raise InvalidInputError(
            "An edge joins vertices of one graph",
            f"one between {both}, {given.where(k)} ({across.size:,} such in all)",
            "Correct the edge, or the graph that a vertex belongs to",
        )


def _check_labels(given: ListedEdges, order: IntArray, first: IntArray) -> None:
    assert given.labels is not None
    other = np.flatnonzero(given.labels[order] != given.labels[first])
    if other.size:
        one, two = int(first[other[0]]), int(order[other[0]])
        ends = " and ".join(given.vertex(int(end)) for end in given.ends[two])
        raise InvalidInputError(
            "An edge has one label, whichever way it is listed",
            f"{str(given.labels[one])!r} ({given.where(one)}) and {str(given.labels[two])!r} ({given.where(two)}) "
            f"between {ends} ({other.size:,} such in all)",
            "Write one label, or leave the labels of edges out",
        )


def _times(given: ListedEdges, forward: NDArray[np.bool_], of: IntArray, first: IntArray) -> list[Note]:
    """Notes on how often edges are listed."""
    n = first.size
    there, back = np.bincount(of[forward], minlength=n), np.bincount(of[~forward], minlength=n)
    once = np.flatnonzero((there == 0) | (back == 0))
    again = int((np.maximum(there - 1, 0) + np.maximum(back - 1, 0)).sum())
    notes = []
    if given.both_ways and 0 < once.size == n:
        notes.append(Note("Every edge is listed in one direction.", "It joins both ways.", "", "fine"))
    elif given.both_ways and once.size:
        named = listed([given.where(int(first[k])) for k in once[:4]])
        notes.append(
            Note(
                f"Edges listed in one direction, where the others are in both: {once.size:,} of {n:,} ({named}).",
                "They join both ways like the others.",
                "Look whether lines are missing.",
                "warning",
            )
        )
    if again:
        notes.append(Note(f"Repetitions of edges: {counted(again, 'line')}.", "Each edge counts once."))
    return notes


# GraphML and GML files, one a graph: vertices, edges and what they carry, put one after another.

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
    return next(
        (by_name[name] for name in usual if name in by_name and not _names_in_markup(by_name[name], parts)),
        "",
    )


def _names_in_markup(key: str, parts: Sequence[Sequence[Mapping[str, object]]]) -> bool:
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
            left += [] if _names_in_markup(key, parts) else [key]
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


# What a user can choose when graphs are read, whatever format they come in.

Use: TypeAlias = Literal["use", "ignore"]


def _use(of: str, label: str) -> Any:
    return parameter(
        "use",
        help=f"Whether {of} are read.",
        label=label,
        choices=("use", "ignore"),
        names=("read", "left out"),
    )


@dataclass(frozen=True)
class GraphOptions(SampleOptions):
    """Options of every format that holds graphs."""

    node_labels: Use = _use("labels of vertices", "Labels of vertices")
    edge_labels: Use = _use("labels of edges", "Labels of edges")
    attributes: Use = _use("numbers that describe the vertices", "Attributes")
