"""Graphs as a zip that other programs read: text files as in TUDataset, and a table of ids."""

from __future__ import annotations

import csv
import io
import re
import zipfile

import numpy as np
from numpy.typing import NDArray

from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.inputs.tables.formulas import as_text


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
