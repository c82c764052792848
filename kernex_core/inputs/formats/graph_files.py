"""Graphs as a zip of GraphML or GML files, one a graph; and where their classes come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.formats.labels import read as read_table
from kernex_core.inputs.graphs.archive import (
    EDGE_LABELS,
    ENDINGS,
    NODE_LABELS,
    Archive,
    GraphFile,
    GraphOptions,
    ListedEdges,
    MergedEdges,
    as_text,
    attributes_of,
    chosen_label,
    file_notes,
    head_of,
    ids_of_files,
    is_graph_file,
    keys_of,
    labels_by,
    member_names,
    merge,
    open_archive,
    read_files,
    shown,
)
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.items.label_columns import LabelOptions
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.options import SampleOptions
from kernex_core.inputs.samples import Labels, Note
from kernex_core.inputs.tables.class_column import as_label
from kernex_core.inputs.upload import Upload

LOOKED_AT: Final = 20
"""Files whose attributes are offered as labels."""

Source: TypeAlias = Literal["auto", "table", "graph", "folders", "names", "none"]
SOURCES: Final[Mapping[Source, str]] = {
    "auto": "found out",
    "table": "a table in the zip",
    "graph": "an attribute of the graphs",
    "folders": "the folders",
    "names": "the names of the files",
    "none": "nowhere",
}
"""Where classes may come from, in words."""
_TABLES: Final = (".csv", ".tsv", ".txt", ".tab", ".xlsx")
_ABOUT: Final = ("class", "graph_class", "graph_label", "label", "y", "target", "category")
_NUMBER: Final = re.compile(r"[\s_.-]*\d+$")
_FEWEST: Final = 2
"""Graphs of a class, on average, for the names of files to name classes."""

Found: TypeAlias = tuple[list[str], str]
"""A class for every graph, "" where there is none, and where it is from, as a phrase."""


@dataclass(frozen=True)
class GraphFilesOptions(GraphOptions):
    """How files of graphs are read."""

    node_label: str = parameter(
        "",
        help="Attribute of the vertices that is their label; empty: found by its name.",
        label="Vertex label",
    )
    edge_label: str = parameter(
        "", help="Attribute of the edges that is their label; empty: found by its name.", label="Edge label"
    )
    classes: Source = parameter(
        "auto",
        help="Where the classes of the graphs are from.",
        label="Classes from",
        choices=tuple(SOURCES),
        names=tuple(SOURCES.values()),
    )


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a zip of graphs, by what its files are called."""
    if not upload.is_zip:
        return 0.0
    names = member_names(upload)
    if any(map(is_graph_file, names)):
        return 0.95
    return 0.85 if not names and re.search(rb"\.(graphml|gml)\b", head_of(upload)) else 0.0


def suggest(upload: Upload) -> Suggestion:
    """Labels from the attributes that are usually called so; classes from a table, the graphs, folders or names."""
    choices: dict[str, tuple[str, ...]] = {}
    idle = []
    try:
        files = read_files(open_archive(upload), SampleOptions().limit, LOOKED_AT)
    except KernexError:  # reading it will say what is wrong
        return Suggestion(GraphFilesOptions())
    for field, used, keys in (
        ("node_label", "node_labels", keys_of(node for each in files for node in each.nodes)),
        ("edge_label", "edge_labels", keys_of(edge for each in files for edge in each.edges)),
    ):
        if keys:
            choices[field] = ("", *keys)
        elif len(files) < LOOKED_AT:
            idle += [field, used]
    return Suggestion(GraphFilesOptions(), choices, idle=tuple(idle))


def read(upload: Upload, options: GraphFilesOptions) -> GraphSet:
    """Read files of graphs.

    Raises
    ------
    InvalidInputError
        Damaged, encrypted, fewer than two graphs, or a file that is no graph (it is named).
    TooLargeError
        More files, bytes, vertices or edges than the limits.
    """
    archive = open_archive(upload)
    count = sum(map(is_graph_file, archive.members))
    check_item_count(count, options.limit)
    if count < 2:
        raise InvalidInputError(
            "A zip of graphs has several GraphML or GML files, one a graph",
            f"{count} in {upload.filename}",
            "If the nodes of one graph are the items, bring its file as it is: a network",
        )
    files = read_files(archive, options.limit)
    ids = ids_of_files([each.name for each in files])
    key = (
        chosen_label(options.node_label, NODE_LABELS, [each.nodes for each in files], "vertices")
        if options.node_labels == "use"
        else ""
    )
    facts = [node for each in files for node in each.nodes]
    X, columns, notes = (
        attributes_of([each.nodes for each in files], key) if options.attributes == "use" else (None, (), [])
    )
    edges, kind = _edges(files, options)
    labels, said = classes_of(archive, files, ids, options.classes)
    recipe = upload.recipe(options)
    if labels is not None:
        labels = replace(labels, recipe=part(recipe, "labels"))
    return GraphSet(
        ids,
        np.array([len(each.vertices) for each in files]),
        edges.n_edges,
        edges.edges,
        labels_by(key, facts),
        edges.labels,
        X,
        columns,
        labels,
        (*_read_as(key, kind), *said, *file_notes(files), *edges.notes, *notes),
        recipe,
    )


def _edges(files: tuple[GraphFile, ...], options: GraphFilesOptions) -> tuple[MergedEdges, str]:
    """Edges of all files, and the attribute that is their label."""
    key = (
        chosen_label(options.edge_label, EDGE_LABELS, [each.edges for each in files], "edges")
        if options.edge_labels == "use"
        else ""
    )
    sizes = np.array([len(each.vertices) for each in files])
    starts = np.cumsum(sizes) - sizes
    names = [name for each in files for name in each.vertices]
    of = np.repeat(np.arange(len(files)), [len(each.ends) for each in files])
    listed = ListedEdges(
        np.concatenate([each.ends + start for each, start in zip(files, starts, strict=True)]),
        sizes,
        lambda k: shown(files[int(of[k])].name),
        lambda v: f"vertex {names[v]}",
        lambda g: shown(files[g].name),
        labels_by(key, [edge for each in files for edge in each.edges]),
    )
    return merge(listed), key


def _read_as(node: str, edge: str) -> list[Note]:
    said = [f"vertices by {node!r}"] if node else []
    said += [f"edges by {edge!r}"] if edge else []
    if not said:
        return []
    return [Note(f"Attributes label {' and '.join(said)}.", "", "Choose other attributes.", "fine")]


# Classes of graphs: from a table beside them, from the graphs, their folders or their names.


def classes_of(
    archive: Archive, files: Sequence[GraphFile], ids: tuple[str, ...], source: Source
) -> tuple[Labels | None, list[Note]]:
    """Labels of the graphs, and a note that says where they are from.

    Raises
    ------
    InvalidInputError
        There are no classes where they were to be looked for.
    """
    tried: dict[Source, Callable[[], Found | None]] = {
        "table": lambda: _table(archive, files, ids),
        "graph": lambda: _about(files),
        "folders": lambda: _folders(files),
        "names": lambda: _names(files),
    }
    asked = tuple(tried) if source == "auto" else (source,) if source in tried else ()
    for name in asked:
        if (found := tried[name]()) is not None:
            y, where = found
            labels = Labels(ids, np.array(y, dtype=np.str_))
            return labels, _notes(labels, where)
    if source in tried:
        raise InvalidInputError(
            f"Classes were to come from {SOURCES[source]}",
            f"none there in {archive.filename}",
            "Choose another source",
        )
    said = Note("The graphs are not labelled.", "", "Bring a table of id and label beside them.")
    return None, [said] if source == "auto" else []


def _notes(labels: Labels, where: str) -> list[Note]:
    lacking = int((~labels.labelled).sum())
    more = f" {counted(lacking, 'graph')} without one." if lacking else ""
    text = f"{counted(len(labels.classes), 'class')} from {where}.{more}"
    return [Note(text, "", "Choose another source of classes.", "warning" if lacking else "fine")]


def _table(archive: Archive, files: Sequence[GraphFile], ids: tuple[str, ...]) -> Found | None:
    """The table of id and class that names most graphs."""
    best: Found | None = None
    for name in archive.members:
        if is_graph_file(name) or not name.lower().endswith(_TABLES):
            continue
        try:
            upload = archive.upload(name)
            read = read_table(upload, LabelOptions())
        except KernexError:  # a table of something else, or a text to be read
            continue
        if read.positional:
            continue
        of = {_bare(key): y for key, y in zip(read.ids, read.y.tolist(), strict=True)}
        y = [of.get(_bare(item), of.get(PurePosixPath(item).name, "")) for item in ids]
        if any(y) and (best is None or sum(map(bool, y)) > sum(map(bool, best[0]))):
            best = y, f"the table {shown(name)}"
    return best


def _bare(name: str) -> str:
    """An id without the ending of a file and without folders."""
    plain = name.strip().replace("\\", "/")
    for ending in ENDINGS:
        plain = plain.removesuffix(ending)
    return plain


def _about(files: Sequence[GraphFile]) -> Found | None:
    for key in _ABOUT:
        y = [as_label(as_text({k.lower(): v for k, v in each.about.items()}.get(key))) for each in files]
        if len(set(y) - {""}) > 1:
            return y, f"the attribute {key!r} of the graphs"
    return None


def _folders(files: Sequence[GraphFile]) -> Found | None:
    y = [PurePosixPath(each.name).parent.name for each in files]
    return (y, f"the folders of the zip ({listed(sorted(set(y)))})") if len(set(y)) > 1 else None


def _names(files: Sequence[GraphFile]) -> Found | None:
    """What stands before the number at the end of a name, if names share it."""
    stems = [PurePosixPath(each.name).stem for each in files]
    y = [_NUMBER.sub("", stem) for stem in stems]
    named = set(y)
    if len(named) < 2 or "" in named or len(y) < _FEWEST * len(named):
        return None
    return y, f"the names of the files ({listed(sorted(named))})"


FORMAT = Format(
    "graph_files",
    "Graphs (GraphML or GML files, zipped)",
    "graphs",
    ("zip",),
    sniff,
    suggest,
    read,
    GraphFilesOptions,
    by_signature=True,
)
