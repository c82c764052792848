"""Classes of graphs that come in files: from a table beside them, from the graphs, their folders or their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.inputs.formats.labels import read as read_table
from kernex_core.inputs.graphs.archive import ENDINGS, Archive, GraphFile, as_text, is_graph_file, shown
from kernex_core.inputs.items.label_columns import LabelOptions
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Labels, Note
from kernex_core.inputs.tables.class_column import as_label

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
