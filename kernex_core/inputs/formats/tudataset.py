"""Graphs as a zip of a TUDataset folder: edges, graphs, classes and labels, one a line in files of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import parameter
from kernex_core.gram.provenance import part
from kernex_core.inputs.format import Format, Suggestion
from kernex_core.inputs.graphs.archive import GraphOptions, head_of, member_names, open_archive
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.graphs.tudataset import PART, folders, read_folder
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Labels, Note
from kernex_core.inputs.tables.class_column import as_label
from kernex_core.inputs.upload import Upload


@dataclass(frozen=True)
class TudatasetOptions(GraphOptions):
    """How a TUDataset folder is read."""

    called: Literal["name", "number"] = parameter(
        "name",
        help="What graphs are called; a table of labels is joined by it.",
        label="Ids",
        choices=("name", "number"),
        names=("name and number", "number"),
    )
    dataset: str = parameter(
        "", help="Name of the data set, where the zip holds several; empty: the first.", label="Data set"
    )


def sniff(upload: Upload) -> float:
    """Confidence that an upload is a zip of a TUDataset folder, by what its files are called."""
    if not upload.is_zip:
        return 0.0
    found = [match["part"] for name in member_names(upload) if (match := PART.fullmatch(name))]
    if "A" in found or "graph_indicator" in found:
        return 0.98
    damaged = not member_names(upload) and re.search(rb"_(A|graph_indicator)\.txt", head_of(upload))
    return 0.9 if damaged else 0.5 if found else 0.0


def suggest(upload: Upload) -> Suggestion:
    """The data sets of the zip, where it holds several; the first to begin with."""
    found = folders(member_names(upload))
    parts = {part for each in found.values() for part in each}
    idle = [
        field
        for field, part in (
            ("node_labels", "node_labels"),
            ("edge_labels", "edge_labels"),
            ("attributes", "node_attributes"),
        )
        if part not in parts
    ]
    if len(found) < 2:
        return Suggestion(TudatasetOptions(), idle=(*idle, "dataset"))
    return Suggestion(TudatasetOptions(), {"dataset": ("", *found)}, idle=tuple(idle))


def read(upload: Upload, options: TudatasetOptions) -> GraphSet:
    """Read a TUDataset folder.

    Raises
    ------
    InvalidInputError
        Damaged, encrypted, or files that do not fit together: the file and the line are named.
    TooLargeError
        More members, bytes, graphs, vertices or edges than the limits, before room for them is taken.
    """
    archive = open_archive(upload)
    found = folders(tuple(archive.members))
    if options.dataset and options.dataset not in found:
        raise InvalidInputError(
            f"The data set has to be one of {listed(list(found), 12)}", repr(options.dataset)
        )
    if not found:
        raise InvalidInputError(
            "A TUDataset folder has files such as NAME_A.txt and NAME_graph_indicator.txt",
            f"none in {upload.filename}",
            "Pack the whole folder",
        )
    name = options.dataset or next(iter(found))
    made = read_folder(archive, name, found[name], options)
    ids = tuple(f"{name}_{k}" if options.called == "name" else str(k) for k in made.numbers.tolist())
    recipe = upload.recipe(options)
    labels = None
    if made.classes is not None:
        y = np.array([as_label(label) for label in made.classes], dtype=np.str_)
        labels = Labels(ids, y, recipe=part(recipe, "labels"))
    width = 0 if made.attributes is None else made.attributes.shape[1]
    return GraphSet(
        ids,
        made.sizes,
        made.edges.n_edges,
        made.edges.edges,
        made.node_labels,
        made.edges.labels,
        made.attributes,
        tuple(f"attribute {k}" for k in range(1, width + 1)),
        labels,
        (*_several(name, list(found), options), *made.notes, *_no_classes(labels)),
        recipe,
    )


def _several(name: str, names: list[str], options: TudatasetOptions) -> list[Note]:
    if len(names) == 1:
        return []
    action = "" if options.dataset else f"{name} is read."
    return [Note(f"The zip holds {len(names)} data sets: {listed(names, 8)}.", action, "Choose another one.")]


def _no_classes(labels: Labels | None) -> list[Note]:
    if labels is not None:
        return []
    return [
        Note(
            "There is no file of classes (NAME_graph_labels.txt).",
            "The graphs are not labelled.",
            "Bring a table of id and label beside them.",
        )
    ]


FORMAT = Format(
    "tudataset",
    "Graphs (TUDataset folder, zipped)",
    "graphs",
    ("zip",),
    sniff,
    suggest,
    read,
    TudatasetOptions,
    by_signature=True,
)
