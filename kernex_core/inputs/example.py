"""One number of what was read, which a person can check against the file, and what it means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.inputs.dataset import AnySamples
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.options import Question
from kernex_core.inputs.samples import Labels, Sequences, Similarity, SparseVectors, Vectors

NOT_LISTED = ("Items without a listed", "No item has a listed", "The file does not say what an item has")
"""How notes begin on a diagonal that was filled."""
LETTERS = 12
COLUMNS = 2


def example_of(read: AnySamples | Labels, column: str = "", questions: Sequence[Question] = ()) -> str:
    """Say what was read by its first number, with its meaning, as a sentence without its end.

    Parameters
    ----------
    read : samples or Labels
    column : str
        Name of the column that the numbers come from, if there is one.
    questions : sequence of Question
        What the file settled: of distances these hold the number of the file, `read` holds what it became.

    Examples
    --------
    >>> from kernex_core import read_samples
    >>> from kernex_core.inputs.example import example_of
    >>> example_of(read_samples(b",a,b\\na,1,0.2\\nb,0.2,1\\n", "k.csv"))
    'a–b → 0.2; larger is more alike; 1 of 1 pairs known; 1 with themselves'
    """
    of = f" ({column})" if column else ""
    if isinstance(read, Similarity):
        return _of_matrix(read, of, questions)
    if isinstance(read, Network):
        return _of_network(read, of)
    if isinstance(read, GraphSet):
        return (
            f"{read.ids[0]}: {read.n_nodes[0]:,.0f} vertices, {read.n_edges[0]:,.0f} edges" if read.n else ""
        )
    if isinstance(read, Sequences):
        first = read.strings[0] if read.n else ""
        return (
            f"{read.ids[0]} → {first[:LETTERS]}{'…' if len(first) > LETTERS else ''}, {len(first):,} letters"
        )
    if isinstance(read, Labels):
        return f"{read.ids[0]} → {read.y[0] or 'without a label'}{of}" if len(read.ids) else ""
    return _of_sparse(read) if isinstance(read, SparseVectors) else _of_vectors(read)


def is_distance(read: Similarity) -> bool:
    """Whether the file held distances."""
    return read.recipe is not None and read.recipe.keywords.get("meaning") == "distance"


def _of_matrix(read: Similarity, of: str, questions: Sequence[Question]) -> str:
    K, said = read.gram.values, []
    far = next((each for each in questions if each.option == "meaning" and each.decided == "distance"), None)
    distance = is_distance(read)
    if distance and far is not None:
        said.append(f"{far.example}{of}")
    elif (first := _first_known(K)) is not None:
        i, j = first
        said.append(f"{read.ids[i]}–{read.ids[j]} → {_number(K[i, j])}{of}")
    said.append("larger is further apart" if distance else "larger is more alike")
    pairs = read.n * (read.n - 1) // 2
    said.append(f"{pairs - read.gram.unknown.between:,} of {pairs:,} pairs known")
    own = np.diag(K)
    if np.isnan(own).all():
        said.append("unknown with themselves")
    else:
        low, high = np.nanmin(own), np.nanmax(own)
        size = f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
        filled = any(note.text.startswith(NOT_LISTED) and "unknown" not in note.action for note in read.notes)
        said.append(f"{size} with themselves{', which is not in the file' if filled else ''}")
    return "; ".join(said)


def _first_known(K: FloatArray) -> tuple[int, int] | None:
    """The first pair of two items that is known, row by row."""
    for i, row in enumerate(K):
        known = ~np.isnan(row[i + 1 :])
        if known.any():
            return i, i + 1 + int(known.argmax())
    return None


def _number(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")


def _of_network(read: Network, of: str) -> str:
    edges = read.adjacency.tocoo()
    if not edges.nnz:
        return "no edges"
    i, j, weight = int(edges.row[0]), int(edges.col[0]), edges.data[0]
    return f"{read.ids[i]}–{read.ids[j]} weighs {_number(weight)}{of}"


def _of_vectors(read: Vectors) -> str:
    if not read.n or not read.X.shape[1]:
        return ""
    names = read.columns or tuple(f"number {k + 1}" for k in range(read.X.shape[1]))
    first = read.X[0, :COLUMNS]
    shown = [
        f"{name} {'unknown' if np.isnan(x) else _number(x)}" for name, x in zip(names, first, strict=False)
    ]
    return f"{read.ids[0]} → {', '.join(shown)}{', …' if read.X.shape[1] > COLUMNS else ''}; a row is an item"


def _of_sparse(read: SparseVectors) -> str:
    """The first item that has anything: its first features that are not 0, counted from 1."""
    counts = np.diff(read.X.indptr)
    row = int((counts > 0).argmax())
    begin = int(read.X.indptr[row])
    places, values = read.X.indices[begin : begin + COLUMNS], read.X.data[begin : begin + COLUMNS]
    shown = [
        f"{read.columns[k] if read.columns else f'number {k + 1}'} is {_number(x)}"
        for k, x in zip(places[: counts[row]].tolist(), values[: counts[row]].tolist(), strict=True)
    ]
    more = ", …" if counts[row] > COLUMNS else ""
    return f"{read.ids[row]} → {', '.join(shown) or 'nothing'}{more}; {counts[row]:,} of {read.X.shape[1]:,} not zero"
