"""Graphs of the TUDataset collection: MUTAG, ENZYMES and PROTEINS as sets of labelled graphs.

Their home publishes no digests. The numbers of MUTAG and ENZYMES are at hand, though not the zips as they are packed there:
what is downloaded has to say the same, graph by graph (SHA-256 of the graphs, whatever the spelling of the files). Of
PROTEINS its counts are known: a file with other counts is refused, and the first download with these is trusted. Sizes of
the zips are estimates.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Labels


@dataclass(frozen=True, eq=False)
class GraphCollection(EqualByContent):
    """One data set of the collection.

    Attributes
    ----------
    name : str
        Of its files.
    n, vertices, edges : int
        Graphs, and vertices and edges of all.
    classes : mapping of str to int
        Sizes.
    description : str
    class_names, vertex_names, edge_names : mapping of str to str
        What labels of the files stand for, where that is known.
    """

    name: str
    n: int
    vertices: int
    edges: int
    classes: Mapping[str, int]
    description: str
    class_names: Mapping[str, str] = field(default_factory=dict)
    vertex_names: Mapping[str, str] = field(default_factory=dict)
    edge_names: Mapping[str, str] = field(default_factory=dict)
    attribute_names: tuple[str, ...] = ()

    def graphs(self, content: bytes) -> GraphSet:
        """Graphs of a zip, as its files say.

        Raises
        ------
        InvalidInputError
            No such zip, or other counts.
        """
        found = read_samples(content, f"{self.name}.zip", "graphs", format="tudataset", dataset=self.name)
        assert isinstance(found, GraphSet)
        classes = {} if found.labels is None else dict(found.labels.classes)
        here = (found.n, int(found.n_nodes.sum()), int(found.n_edges.sum()), classes)
        if here != (self.n, self.vertices, self.edges, dict(self.classes)):
            raise InvalidInputError(
                f"{self.name} has {self.n:,} graphs, {self.vertices:,} vertices, {self.edges:,} edges and the classes "
                f"{dict(self.classes)}",
                f"{here[0]:,}, {here[1]:,}, {here[2]:,} and {classes}",
            )
        return found

    def zip_digest(self, content: bytes) -> str:
        """SHA-256 of a zip with these counts."""
        self.graphs(content)
        return hashlib.sha256(content).hexdigest()

    def content_digest(self, content: bytes) -> str:
        """SHA-256 of the graphs: of each its class, and its vertices, edges, labels and attributes (8 digits)."""
        found = self.graphs(content)
        assert found.labels is not None  # the counts of the classes are right
        hashed = hashlib.sha256()
        for graph, label in zip(found.graphs, found.labels.y.tolist(), strict=True):
            parts = [label, graph.n_nodes, graph.edges.ravel().tolist()]
            parts += [None if v is None else v.tolist() for v in (graph.node_labels, graph.edge_labels)]
            hashed.update(repr(parts).encode())
            if graph.node_attributes is not None:
                hashed.update(" ".join(f"{x:.7e}" for x in graph.node_attributes.ravel().tolist()).encode())
        return hashed.hexdigest()

    def read(self, content: bytes) -> DataSet:
        """Data set of a zip, labels called by what they stand for; see `graphs`."""
        found = self.graphs(content)
        assert found.labels is not None
        labels = Labels(found.ids, _called(found.labels.y, self.class_names))
        made = replace(
            found,
            node_labels=_renamed(found.node_labels, self.vertex_names),
            edge_labels=_renamed(found.edge_labels, self.edge_names),
            attribute_names=self.attribute_names or found.attribute_names,
            labels=labels,
        )
        return DataSet(
            name=self.name,
            ids=found.ids,
            labels=labels,
            samples={"graphs": made},
            description=self.description,
            defaults=Defaults(folds=10, repeats=1),
        )


MUTAG = GraphCollection(
    "MUTAG",
    188,
    3_371,
    3_721,
    {"1": 125, "-1": 63},
    "Real: 188 nitroaromatic compounds, 125 of which are mutagenic to Salmonella typhimurium (Debnath et al. 1991). "
    "Vertices are atoms without hydrogens, edges are bonds (Kriege and Mutzel 2012).",
    {"1": "mutagenic", "-1": "not mutagenic"},
    dict(zip("0123456", ("C", "N", "O", "F", "I", "Cl", "Br"), strict=True)),
    dict(zip("0123", ("aromatic", "single", "double", "triple"), strict=True)),
)
ENZYMES = GraphCollection(
    "ENZYMES",
    600,
    19_580,
    37_282,
    dict.fromkeys("123456", 100),
    "Real: 600 enzymes, 100 of each class of the enzyme commission (Borgwardt et al. 2005; Schomburg et al. 2004). "
    "Vertices are elements of secondary structure with 18 measurements; edges join neighbours in the sequence or in "
    "space. Class k of the files is taken for EC k, which they do not say.",
    {str(k): f"EC {k}" for k in range(1, 7)},
)
PROTEINS = GraphCollection(
    "PROTEINS",
    1_113,
    43_471,
    81_044,
    {"1": 663, "2": 450},
    "Real: 1,113 proteins, 663 enzymes and 450 others (Borgwardt et al. 2005; Dobson and Doig 2003). Vertices are "
    "elements of secondary structure; edges join neighbours in the sequence or in space. Class 1 is taken for the "
    "enzymes, by its size.",
    {"1": "enzyme", "2": "other"},
)


def _called(values: np.ndarray, names: Mapping[str, str]) -> np.ndarray:
    return np.array([names.get(value, value) for value in values.tolist()], dtype=np.str_)


def _renamed(values: np.ndarray | None, names: Mapping[str, str]) -> np.ndarray | None:
    return None if values is None else _called(values, names)
