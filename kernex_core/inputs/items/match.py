"""Which line of a file of labels speaks of which item: the same id, a repetition of it, or one written otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.matrix import as_positions
from kernex_core.gram.provenance import Call, call, method
from kernex_core.inputs.names import listed
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import ChosenItems, Labels, Note, Vectors, as_written

_BARS = re.compile(r"[a-z]{2,3}\|([^|\s]+)(?:\|.*)?$")
_ENTRY = re.compile(r"^[a-z]{2,3}\|[^|\s]+\|(\S+)$")
_ENDING = re.compile(
    r"\.(?:pdb|cif|mmcif|ent|fa|fasta|faa|fna|a3m|txt|csv|graphml|gml)(?:\.gz)?$", re.IGNORECASE
)
_VERSION = re.compile(r"\.\d{1,2}$")
_NUMBERED = re.compile(r"(.+)_(\d+)$")


class HasIds(Protocol):
    """What has ids: samples, a kernel, a data set."""

    @property
    def ids(self) -> tuple[str, ...]:
        """One distinct id an item."""


Items: TypeAlias = Sequence[str] | HasIds
"""Items, or their ids alone."""


def ids_of(items: Items) -> tuple[str, ...]:
    """Return the ids of items."""
    return tuple(items) if isinstance(items, Sequence) else tuple(items.ids)


@dataclass(frozen=True, eq=False)
class Match(ReadOnlyArrays):
    """Lines of a file of labels for items.

    Attributes
    ----------
    at : (n,) int
        Position of the line of each item; -1 = none.
    notes : tuple of Note
    """

    at: IntArray
    notes: tuple[Note, ...] = ()


def bare(name: str) -> tuple[str, str]:
    """An id without what programs put around it, and what that was, in words ("" = nothing).

    Examples
    --------
    >>> bare("sp|P12345|CATA_HUMAN")
    ('P12345', 'the name of a data base (sp|…|)')
    >>> bare("1abcA.pdb")
    ('1abcA', 'the ending of a file (.pdb)')
    """
    short, found = name.strip(), []
    if "/" in short or "\\" in short:
        path, _, short = short.replace("\\", "/").rpartition("/")
        found.append(f"a path ({path}/)")
    if match := _BARS.match(short):
        found.append(f"the name of a data base ({short.split('|', 1)[0]}|…|)")
        short = match[1]
    if match := _ENDING.search(short):
        found.append(f"the ending of a file ({match[0]})")
        short = short[: match.start()]
    if match := _VERSION.search(short):
        found.append(f"a version ({match[0]})")
        short = short[: match.start()]
    return short, " and ".join(found)


def matched(ids: Sequence[str], items: Items, labels: Labels, *, loosely: bool = False) -> Match:
    """Find the line of every item; see `join_labels`."""
    place = {name: k for k, name in enumerate(labels.ids)}
    at = np.array([place.get(name, -1) for name in ids], dtype=np.int64)
    notes: list[Note] = []
    repeated = _repeated(ids, items, labels)
    again = [int(k) for k in np.flatnonzero(at < 0) if repeated.get(ids[int(k)]) in place]
    for k in again:
        at[k] = place[repeated[ids[k]]]
    if again:
        notes.append(
            Note(
                f"Items that repeat an id: {len(again):,} ({listed([ids[k] for k in again])}).",
                "They take the label that all lines of that id agree on.",
                "Give every item an id of its own in both files.",
                "fine",
            )
        )
    missing = [int(k) for k in np.flatnonzero(at < 0)]
    free = set(labels.ids) - {labels.ids[k] for k in at if k >= 0}
    pairs = loose_pairs([ids[k] for k in missing], sorted(free))
    if pairs and loosely:
        for k in missing:
            at[k] = place[pairs[ids[k]]] if ids[k] in pairs else -1
    if pairs:
        notes.append(loose_note(pairs, loosely))
    return Match(at, tuple(notes))


def difference(ids: Sequence[str], others: Sequence[str]) -> str:
    """By what ids of one list differ from ids of the other, where some are the same without it; "" if none are."""
    pairs = loose_pairs(ids, others)
    return _differences(pairs) if pairs else ""


def _repeated(ids: Sequence[str], items: Items, labels: Labels) -> Mapping[str, str]:
    """Numbered ids with what they were: as the samples remember it, else by ids that the labels have repeated, too."""
    parts = [items, *getattr(items, "samples", {}).values()]
    known = {new: old for part in parts for new, old in getattr(part, "repeated", ())}
    twice, there = set(labels.duplicates), set(ids)
    for name in ids:
        match = _NUMBERED.match(name)
        if match and match[1] in twice and match[1] in there:
            known.setdefault(name, match[1])
    return known


def loose_pairs(ids: Sequence[str], others: Sequence[str]) -> dict[str, str]:
    """Ids with the one of the others that is the same without its surroundings, where that is clear.

    Each way of writing is tried for those that the ways before left over: the accession in an entry of a data base, its
    name there, and both without regard of case.
    """
    pairs: dict[str, str] = {}
    for form in _WAYS:
        used = set(pairs.values())
        found: dict[str, list[str]] = {}
        for name in others:
            if name not in used:
                for short in form(name):
                    found.setdefault(short, []).append(name)
        for name in ids:
            if name in pairs:
                continue
            there = {other for short in form(name) for other in found.get(short, [])}
            if len(there) == 1 and there != {name}:
                pairs[name] = there.pop()
    return pairs


def _entry_name(name: str) -> set[str]:
    """An id without its surroundings, and the name of an entry: "sp|P1|A_HUMAN" gives P1 and A_HUMAN."""
    match = _ENTRY.search(name.strip())
    return {bare(name)[0], *([match[1]] if match else [])}


def _caseless(name: str) -> set[str]:
    return {short.casefold() for short in _entry_name(name)}


_WAYS: tuple[Callable[[str], set[str]], ...] = (lambda name: {bare(name)[0]}, _entry_name, _caseless)


def _differences(pairs: Mapping[str, str]) -> str:
    kinds = [bare(name)[1] for pair in pairs.items() for name in pair]
    by_case = [
        (one, other)
        for one, other in pairs.items()
        if not _entry_name(one) & _entry_name(other) and _caseless(one) & _caseless(other)
    ]
    found = dict.fromkeys(kind for kind in kinds if kind)
    return ", ".join([*found, *(["upper and lower case"] if by_case else [])]) or "white space"


def loose_note(pairs: Mapping[str, str], used: bool) -> Note:
    """Say which ids differ by their surroundings alone, and whether they were taken for the same."""
    one, other = next(iter(pairs.items()))
    text = f"Ids that differ by {_differences(pairs)} alone: {len(pairs):,} ({one} and {other})."
    if used:
        return Note(text, "They are taken for the same items, as was chosen.", "", "note")
    return Note(text, "They are not matched.", "Match ids without it if these are the same items.", "warning")


# Columns of vectors and nodes of a network brought together by id: genes that were measured, and genes in a network.


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
    >>> from kernex_core.inputs.items.match import match_features
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
