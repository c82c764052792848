"""Columns of vectors and nodes of a network brought together by id: genes that were measured, and genes in a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays, digest
from kernex_core.gram.positions import as_positions
from kernex_core.gram.provenance import Call, call, method
from kernex_core.inputs.chosen_items import ChosenItems, as_written
from kernex_core.inputs.items.match import difference, loose_note, loose_pairs
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Note, Vectors
from kernex_core.parameters import check_parameters, parameter


@dataclass(frozen=True)
class Matching:
    """How columns and nodes are matched, and what becomes of those without a partner."""

    loosely: bool = parameter(
        False, label="Same without version or case",
        help="Ids that differ only by a version (.1), by upper and lower case or by the name of a data base are the same. "
        "Look at the list of pairs first: F28H1.3 and F28H1.4 are two genes.",
    )  # fmt: skip
    alone: bool = parameter(
        False, label="Keep columns outside the network",
        help="They become nodes without an edge. Otherwise they are left out, of the plain kernel too.",
    )  # fmt: skip
    through: bool = parameter(
        True, label="Pass through nodes that were not measured",
        help="Similarity spreads over them, too. Otherwise they are taken out of the network with their edges.",
    )  # fmt: skip

    most: int = parameter(
        2_000, label="Columns at most", low=2, high=3_000, step=1,
        help="Of more columns on the network those that vary most over all items are used. Labels are not looked at.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class MatchedFeatures(ReadOnlyArrays):
    """Vectors whose columns are nodes of a network.

    Attributes
    ----------
    vectors : Vectors
        One column a measured node, under its id, in the order of the network.
    network : Network
    at : (p,) int
        Node of each column, rising.
    without_node : tuple of str
        Columns that are no node.
    without_column : tuple of str
        Nodes that no column measures.
    notes : tuple of Note
    varied : bool
        Columns were chosen by how much they vary over all items.
    """

    vectors: Vectors
    network: Network
    at: IntArray
    without_node: tuple[str, ...] = ()
    without_column: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    recipe: Call | None = None
    varied: bool = False

    @cached_property
    def digest(self) -> str:
        """SHA-256 of values and network."""
        return digest(self.vectors.digest, self.network.digest, self.at)

    def take(self, items: ArrayLike | ChosenItems) -> MatchedFeatures:
        """Select items by mask or positions; the network stays as it is."""
        written = as_written(items, as_positions(items, self.vectors.n))
        recipe = method("matched", self.recipe, "take", written) if self.recipe else None
        return replace(self, vectors=self.vectors.take(items), recipe=recipe)


def match_features(vectors: Vectors, network: Network, matching: Matching | None = None) -> MatchedFeatures:
    """Match the columns of vectors with the nodes of a network by id.

    Several columns of one node (probes of a gene) are replaced by their mean, entry by entry over those that are known.

    Parameters
    ----------
    vectors : Vectors
        With names of columns.
    network : Network
    matching : Matching, optional

    Raises
    ------
    InvalidInputError
        Columns without names, or none that is a node: with what they differ by, where that is clear.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Network, Vectors
    >>> from kernex_core.inputs.items.matched_features import match_features
    >>> network = Network(("a", "b", "c"), np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> made = match_features(Vectors(("s",), np.array([[3.0, 1.0, 5.0]]), ("c", "a", "x")), network)
    >>> made.vectors.columns, made.at.tolist(), made.without_node, made.without_column
    (('a', 'c'), [0, 2], ('x',), ('b',))
    """
    how = Matching() if matching is None else matching
    recipe = call(
        "matched", "match_features", vectors, network, how,
    )  # fmt: skip
    node_of, notes = _nodes(vectors, network, how)
    outside = tuple(dict.fromkeys(c for c, node in zip(vectors.columns, node_of, strict=True) if node < 0))
    without = tuple(network.ids[k] for k in np.setdiff1d(np.arange(network.n), node_of))
    notes += _left_over(outside, without, how)
    if how.alone and outside:
        place = {name: network.n + k for k, name in enumerate(outside)}
        network = _with_nodes(network, outside)
        every = zip(vectors.columns, node_of.tolist(), strict=True)
        node_of = np.array([place[c] if node < 0 else node for c, node in every], dtype=np.int64)
    X, at, several = _one_column_a_node(vectors.X, node_of)
    notes += _several(several, network)
    columns = at.size
    if varied := columns > how.most:
        kept = _varying(X, how.most)
        X, at = X[:, kept], at[kept]
        notes += (_cut(columns, how.most),)
    if not how.through and at.size < network.n:
        network, at = network.take(at), np.arange(at.size)
    made = Vectors(vectors.ids, X, tuple(network.ids[k] for k in at), vectors.labels)
    return MatchedFeatures(made, network, at, outside, without, notes, recipe, varied)


def _several(nodes: Sequence[int], network: Network) -> tuple[Note, ...]:
    if not nodes:
        return ()
    return (
        Note(
            f"Nodes with several columns: {len(nodes):,} ({listed([network.ids[k] for k in nodes])}).",
            "The mean of their columns stands for them.",
            "Leave out columns on the page Data.",
        ),
    )


def _varying(X: FloatArray, most: int) -> IntArray:
    """Columns with the largest variance over all items, in their order; unknown entries do not count."""
    known = ~np.isnan(X)
    counts = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, X, 0.0).sum(axis=0) / counts
    variance = np.where(known, (X - mean) ** 2, 0.0).sum(axis=0) / counts
    return np.sort(np.argsort(-variance, kind="stable")[:most])


def _cut(columns: int, most: int) -> Note:
    return Note(
        f"Of {columns:,} columns on the network the {most:,} that vary most over all items are used.",
        "The plain kernel has no others. Labels are not looked at, but tested items are: accuracies are transductive.",
        "Choose how many under Matching.",
        "warning",
    )


def _nodes(vectors: Vectors, network: Network, how: Matching) -> tuple[IntArray, tuple[Note, ...]]:
    """Node of every column, −1 = none, and what was said of ids that are nearly the same."""
    if len(vectors.columns) != vectors.X.shape[1]:
        raise InvalidInputError(
            "Columns are matched with nodes by their names", "columns without names",
            "Bring a table whose first line names its columns",
        )  # fmt: skip
    place = {name: k for k, name in enumerate(network.ids)}
    node_of = np.array([place.get(name, -1) for name in vectors.columns], dtype=np.int64)
    free = [name for name, node in zip(vectors.columns, node_of, strict=True) if node < 0]
    taken = {network.ids[node] for node in node_of if node >= 0}
    pairs = loose_pairs(free, [name for name in network.ids if name not in taken])
    if pairs and how.loosely:
        node_of = np.array(
            [
                place[pairs[c]] if c in pairs else node
                for c, node in zip(vectors.columns, node_of, strict=True)
            ],
            dtype=np.int64,
        )
    if (node_of < 0).all():
        differ = difference(vectors.columns, network.ids)
        raise InvalidInputError(
            "Columns are matched with nodes by id, so some ids have to be the same",
            f"columns such as {listed(vectors.columns, 2)}, nodes such as {listed(network.ids, 2)}",
            f"They differ by {differ}: match them without it"
            if differ
            else "Write genes alike in both files, for example by their symbols",
        )
    return node_of, ((loose_note(pairs, how.loosely),) if pairs else ())


def _left_over(outside: Sequence[str], without: Sequence[str], how: Matching) -> tuple[Note, ...]:
    made: tuple[Note, ...] = ()
    if outside:
        made += (
            Note(
                f"Columns that are not in the network: {len(outside):,} ({listed(outside)}).",
                "They are nodes without an edge."
                if how.alone
                else "They are left out, of the plain kernel too.",
                "Choose whether they are kept." if not how.alone else "",
            ),
        )
    if without:
        made += (
            Note(
                f"Nodes that were not measured: {len(without):,} ({listed(without)}).",
                "Similarity spreads over them." if how.through else "They are taken out with their edges.",
                "Choose whether they stay.",
            ),
        )
    return made


def _with_nodes(network: Network, names: tuple[str, ...]) -> Network:
    entries, n = network.adjacency.tocoo(), network.n + len(names)
    wide = sparse.csr_array(sparse.coo_array((entries.data, entries.coords), (n, n)))
    return Network((*network.ids, *names), wide)


def _one_column_a_node(X: FloatArray, node_of: IntArray) -> tuple[FloatArray, IntArray, tuple[int, ...]]:
    """(n, p) one column a node in their order, the nodes (p,), and those of several columns."""
    used = np.flatnonzero(node_of >= 0)
    at, group, sizes = np.unique(node_of[used], return_inverse=True, return_counts=True)
    if sizes.max() == 1:
        return X[:, used[np.argsort(group)]], at, ()
    known = ~np.isnan(X[:, used])
    total, count = np.zeros((X.shape[0], at.size)), np.zeros((X.shape[0], at.size))
    np.add.at(total.T, group, np.where(known, X[:, used], 0.0).T)
    np.add.at(count.T, group, known.T.astype(np.float64))
    mean = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0.0)
    return mean, at, tuple(int(k) for k in at[sizes > 1])
