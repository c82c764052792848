"""Graphs as a zip of GraphML or GML files, one a graph."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.parameters import parameter
from kernex_core.base.validation import check_item_count
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.formats.graph_classes import SOURCES, Source, classes_of
from kernex_core.inputs.graphs.archive import (
    EDGE_LABELS,
    NODE_LABELS,
    GraphFile,
    GraphOptions,
    ListedEdges,
    MergedEdges,
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
from kernex_core.inputs.options import SampleOptions
from kernex_core.inputs.samples import Note
from kernex_core.inputs.upload import Upload

LOOKED_AT: Final = 20
"""Files whose attributes are offered as labels."""


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
