"""Files of a TUDataset folder: vertices, edges and graphs, one a line, counted from 1 through all graphs."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.validation import check_item_count
from kernex_core.inputs.graphs.archive import Archive, GraphOptions, ListedEdges, MergedEdges, merge
from kernex_core.inputs.graphs.graph_set import EDGE_LIMIT, GraphSet, check_graph_sizes, without_vertices
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels, Note
from kernex_core.inputs.tables.table import as_text
from kernex_core.inputs.upload import Upload

# Text files with one vertex, edge or graph a line: numbers and labels, and which line is wrong.


def lines_of(upload: Upload, wanted: int = 0) -> list[str]:
    """Lines without white space around them; of the blank ones at the end as many as make `wanted` lines.

    Raises
    ------
    InvalidInputError
        No text.
    """
    if not upload.packed.strip():
        return [""] * min(wanted, upload.packed.count(b"\n"))
    every = [" ".join(line.split()) for line in upload.text.removesuffix("\n").split("\n")]
    while len(every) > wanted and not every[-1]:
        every.pop()
    return every


def whole_numbers(upload: Upload, width: int, what: str) -> IntArray:
    """(lines, width) whole numbers between commas or white space.

    Raises
    ------
    InvalidInputError
        Naming the first line that holds something else.
    """
    found = _numbers(upload, width, np.int64, what)
    return np.asarray(found, dtype=np.int64)


def real_numbers(upload: Upload, what: str) -> FloatArray:
    """(lines, d) finite numbers, d as in the first line; see `whole_numbers`."""
    first = upload.text.lstrip().split("\n", 1)[0] if upload.packed.strip() else ""
    found = np.asarray(_numbers(upload, len(_fields(first)), np.float64, what), dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(found).all(axis=1))
    if bad.size:
        raise _wrong(upload, what, int(bad[0]), lines_of(upload))
    return found


def _numbers(upload: Upload, width: int, kind: Any, what: str) -> NDArray[Any]:
    if not upload.packed.strip():
        return np.empty((0, width), kind)
    text = upload.text.rstrip()
    count = text.count("\n") + 1
    if count > EDGE_LIMIT:
        raise TooLargeError(
            f"At most {EDGE_LIMIT:,} lines are read",
            f"{count:,} in {upload.filename}",
            "Bring a part of the graphs",
        )
    try:
        # bytes: a stream of text takes four bytes a letter
        stream = io.BytesIO(text.replace(",", " ").encode())
        found = np.loadtxt(stream, dtype=kind, comments=None, ndmin=2)
    except (ValueError, OverflowError):
        found = np.empty((0, 0), kind)
    if found.shape != (count, width):
        lines = lines_of(upload)
        raise _wrong(upload, what, _first_wrong(lines, width, kind), lines)
    return found


def _fields(line: str) -> list[str]:
    return line.replace(",", " ").split()


def _first_wrong(lines: list[str], width: int, kind: Any) -> int:
    for k, line in enumerate(lines):
        fields = _fields(line)
        if len(fields) != width:
            return k
        try:
            np.array([kind(field) for field in fields], dtype=kind)
        except (ValueError, OverflowError):
            return k
    return len(lines) - 1


def _wrong(upload: Upload, what: str, k: int, lines: list[str]) -> InvalidInputError:
    line = lines[k]
    found = repr(line if len(line) <= 40 else line[:39] + "…") if line else "nothing"
    return InvalidInputError(
        f"Every line of {upload.filename} holds {what}", f"{found} in line {k + 1:,}", "Correct that line"
    )


def tudataset_zip(graphs: GraphSet, name: str, labels: Labels | None = None) -> bytes:
    """Bytes of a zip that `read_samples` reads again.

    Parameters
    ----------
    graphs : GraphSet
    name : str
        Of the data set, and of its files.
    labels : Labels, optional
        Of the same graphs; their own by default.
    """
    stem = re.sub(r"\W+", "_", name).strip("_") or "graphs"
    classes = labels if labels is not None else graphs.labels
    starts = np.cumsum(graphs.n_nodes) - graphs.n_nodes
    pairs = graphs.edges + np.repeat(starts, graphs.n_edges)[:, None] + 1
    parts = {
        "A": [f"{a}, {b}" for i, j in pairs.tolist() for a, b in ((i, j), (j, i))],
        "graph_indicator": np.repeat(np.arange(1, graphs.n + 1), graphs.n_nodes).astype(str).tolist(),
        "graph_labels": None if classes is None else _lines(classes.y),
        "node_labels": _lines(graphs.node_labels),
        "edge_labels": _lines(graphs.edge_labels, 2),
        "node_attributes": None
        if graphs.node_attributes is None
        else [", ".join(map(repr, row)) for row in graphs.node_attributes.tolist()],
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, lines in parts.items():
            if lines is not None:
                archive.writestr(f"{stem}/{stem}_{part}.txt", "".join(f"{line}\n" for line in lines))
        archive.writestr(f"{stem}/ids.csv", _table(graphs))
    return out.getvalue()


def _lines(values: NDArray[np.str_] | None, times: int = 1) -> list[str] | None:
    if values is None:
        return None
    return [" ".join(value.split()) for value in np.repeat(values, times).tolist()]


def _table(graphs: GraphSet) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["number", "id"])
    rows.writerows([k, as_text(name)] for k, name in enumerate(graphs.ids, 1))
    return out.getvalue()


PART: Final = re.compile(
    r"(?:.*/)?(?P<name>[^/]+?)_(?P<part>A|graph_indicator|graph_labels|node_labels|edge_labels|node_attributes|"
    r"edge_attributes|graph_attributes)\.txt"
)
"""What a file of a data set DS is called: DS_A.txt, DS_graph_indicator.txt, ..."""
_NEEDED: Final = ("A", "graph_indicator")
_NOT_READ: Final = {"graph_attributes": "numbers of graphs", "edge_attributes": "numbers of edges"}


@dataclass(frozen=True, eq=False)
class Folder(ReadOnlyArrays):
    """Content of a folder; graphs are consecutive, and vertices, too.

    Attributes
    ----------
    numbers : (n,) int array
        Of the graphs in the files.
    sizes : (n,) int array
        Vertices of each.
    edges : MergedEdges
    classes : list of str or None
    """

    numbers: IntArray
    sizes: IntArray
    edges: MergedEdges
    node_labels: NDArray[np.str_] | None
    attributes: FloatArray | None
    classes: tuple[str, ...] | None
    notes: tuple[Note, ...] = field(default=())


def folders(names: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Members by data set and part.

    Raises
    ------
    InvalidInputError
        Two files for one part.
    """
    found: dict[str, dict[str, str]] = {}
    for name in names:
        if (match := PART.fullmatch(name)) is None:
            continue
        parts = found.setdefault(match["name"], {})
        if match["part"] in parts:
            raise InvalidInputError(
                "A data set has one file of each kind", f"{parts[match['part']]} and {name}", "Leave one out"
            )
        parts[match["part"]] = name
    return found


def read_folder(archive: Archive, name: str, parts: Mapping[str, str], options: GraphOptions) -> Folder:
    """Read the files of one data set.

    Raises
    ------
    InvalidInputError
        A file that is missing, a line that is wrong, or numbers of lines that do not fit; file and line are named.
    TooLargeError
        More graphs, vertices or edges than the limits.
    """
    missing = [f"{name}_{part}.txt" for part in _NEEDED if part not in parts]
    if missing:
        raise InvalidInputError(
            f"A data set in the format of TUDataset has the files {name}_A.txt and {name}_graph_indicator.txt",
            f"no {' and no '.join(missing)} in {archive.filename}",
            "Pack the whole folder",
        )
    files = {part: archive.upload(member) for part, member in parts.items() if part not in _NOT_READ}
    indicator = _indicator(files["graph_indicator"])
    highest = int(indicator.max())
    classes = tuple(lines_of(files["graph_labels"], highest)) if "graph_labels" in files else None
    numbers, of, notes = _graphs(indicator, classes, files, options.limit)
    order = np.argsort(of, kind="stable")
    if (np.diff(of) < 0).any():
        notes.append(
            Note(
                f"{files['graph_indicator'].filename} is not sorted by graph.",
                "Vertices were brought together; within a graph they keep their order.",
                "",
                "fine",
            )
        )
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    sizes = np.bincount(of, minlength=numbers.size).astype(np.int64)
    edges = _edges(files, rank, sizes, numbers, options)
    labels = _node_labels(files, order.size) if options.node_labels == "use" else None
    X = _attributes(files, order.size) if options.attributes == "use" else None
    notes += [*edges.notes, *_not_read(parts)]
    return Folder(
        numbers,
        sizes,
        edges,
        None if labels is None else labels[order],
        None if X is None else X[order],
        classes,
        tuple(notes),
    )


def _indicator(file: Upload) -> IntArray:
    found = whole_numbers(file, 1, "the number of a graph, one line a vertex")[:, 0]
    if not found.size:
        raise InvalidInputError(
            "There has to be at least one vertex", f"none in {file.filename}", "Pack the whole folder"
        )
    if found.min() < 1:
        k = int(np.argmax(found < 1))
        raise InvalidInputError(
            "Graphs are counted from 1",
            f"{found[k]} in line {k + 1:,} of {file.filename}",
            "Add 1 to every number",
        )
    return found


def _graphs(
    indicator: IntArray, classes: tuple[str, ...] | None, files: Mapping[str, Upload], limit: int
) -> tuple[IntArray, IntArray, list[Note]]:
    """Numbers of the graphs, the position of each vertex's graph among them, and notes."""
    present, of = np.unique(indicator, return_inverse=True)
    highest, where = int(present[-1]), files["graph_indicator"].filename
    check_item_count(max(present.size, 0 if classes is None else len(classes)), limit)
    if classes is not None and len(classes) >= highest:
        return np.arange(1, len(classes) + 1), indicator - 1, _without_vertices(present, len(classes), files)
    if classes is not None and len(classes) != present.size:
        raise InvalidInputError(
            f"There has to be one class a graph: {highest:,} graphs by {where}",
            f"{counted(len(classes), 'line')} in {files['graph_labels'].filename}",
            "Write one line for every graph, blank where its class is unknown",
        )
    if highest == present.size:
        return present, of.ravel(), []
    first = int(np.argmax(present != np.arange(1, present.size + 1))) + 1
    note = Note(
        f"Numbers of graphs that no vertex has in {where}: {highest - present.size:,}, {first:,} the first.",
        "They are not taken for graphs.",
        "A file of classes with a line for each number makes them graphs without vertices.",
        "warning",
    )
    return present, of.ravel(), [note]


def _without_vertices(present: IntArray, n: int, files: Mapping[str, Upload]) -> list[Note]:
    """Say which lines of classes make graphs that no vertex is in."""
    empty = np.setdiff1d(np.arange(1, n + 1), present)
    name = files["graph_labels"].filename.removesuffix("_graph_labels.txt").rpartition("/")[2]
    why = f", {counted(n, 'line')} of classes, and no vertex has their numbers in {files['graph_indicator'].filename}"
    return without_vertices([f"{name}_{k}" for k in empty.tolist()], why)


def _edges(
    files: Mapping[str, Upload], rank: IntArray, sizes: IntArray, numbers: IntArray, options: GraphOptions
) -> MergedEdges:
    file = files["A"]
    ends = whole_numbers(file, 2, "two vertices")
    check_graph_sizes(rank.size, len(ends), file.filename)
    outside = np.flatnonzero(((ends < 1) | (ends > rank.size)).any(axis=1))
    if outside.size:
        k = int(outside[0])
        found = f"{ends[k, 0]}, {ends[k, 1]} in line {k + 1:,} of {file.filename}"
        remedy = "Add 1 to every number" if ends.min() == 0 else "Pack the files of one data set"
        raise InvalidInputError(
            f"Vertices are counted from 1 to {rank.size:,}, the lines of {files['graph_indicator'].filename}",
            found,
            remedy,
        )
    labels = None
    if "edge_labels" in files and options.edge_labels == "use":
        labels = _one_a_line(files["edge_labels"], len(ends), f"lines of {file.filename}")
    order = np.argsort(rank)
    return merge(
        ListedEdges(
            rank[ends - 1].reshape(-1, 2),
            sizes,
            lambda k: f"line {k + 1:,} of {file.filename}",
            lambda v: f"vertex {order[v] + 1:,}",
            lambda g: f"graph {numbers[g]:,}",
            labels,
            both_ways=True,
        )
    )


def _node_labels(files: Mapping[str, Upload], n: int) -> NDArray[np.str_] | None:
    if "node_labels" not in files:
        return None
    return _one_a_line(files["node_labels"], n, f"vertices by {files['graph_indicator'].filename}")


def _attributes(files: Mapping[str, Upload], n: int) -> FloatArray | None:
    if "node_attributes" not in files:
        return None
    file = files["node_attributes"]
    found = real_numbers(file, "the same number of finite numbers")
    if len(found) != n:
        raise _count(file, len(found), n, f"vertices by {files['graph_indicator'].filename}")
    return found


def _one_a_line(file: Upload, n: int, of: str) -> NDArray[np.str_]:
    lines = lines_of(file, n)
    if len(lines) != n:
        raise _count(file, len(lines), n, of)
    return np.array([line.replace(", ", ",") for line in lines], dtype=np.str_)


def _count(file: Upload, found: int, n: int, of: str) -> InvalidInputError:
    return InvalidInputError(
        f"{file.filename} has one line for each of the {n:,} {of}",
        counted(found, "line"),
        "Pack the files of one data set, whole; or leave this one out",
    )


def _not_read(parts: Mapping[str, str]) -> list[Note]:
    return [
        Note(f"{parts[part].rpartition('/')[2]} holds {what}.", "It is not read.", "", "fine")
        for part, what in _NOT_READ.items()
        if part in parts
    ]
