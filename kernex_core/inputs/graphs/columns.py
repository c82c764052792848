"""Text files with one vertex, edge or graph a line: numbers and labels, and which line is wrong."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.graphs.graph_set import EDGE_LIMIT, GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.inputs.tables.table import as_text
from kernex_core.inputs.upload import Upload


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
