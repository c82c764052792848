"""DataSet: what is known about one set of items, from all its sources, under one list of ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, ReadOnlyArrays, joined
from kernex_core.gram.matrix import GramMatrix, as_positions, check_ids
from kernex_core.inputs.graphs.graph_set import GraphSet, equal_items
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import (
    ChosenItems,
    Labels,
    Note,
    Sequences,
    Similarity,
    SparseVectors,
    Vectors,
    as_written,
)


@dataclass(frozen=True, eq=False)
class Defaults(EqualByContent):
    """Settings that suit a data set; a visitor can change every one of them.

    Attributes
    ----------
    C : float
        Cost of training errors of a support vector machine.
    nugget : float
        ρ, added to the diagonal of a kernel before it is inverted.
    folds, repeats : int
        Of the cross-validation, where a page is about one kernel's losses.
    tau : float
        Time of diffusion on a network.
    unreported : bool
        Unknown pairs are those that a search did not report, because most of them are low.
    """

    C: float = 10.0
    nugget: float = 0.1
    folds: int = 2
    repeats: int = 5
    tau: float = 1.0
    unreported: bool = False


KernelSamples = Sequences | Vectors | SparseVectors | Network | GraphSet
"""What kernels are built from."""
AnySamples = Similarity | KernelSamples
"""What `read_samples` returns."""


def kind_words(kind: str) -> str:
    """A kind of samples as sentences say it: "sequences", "vectors", "nodes of a network"."""
    return "nodes of a network" if kind == Network.kind else kind


@dataclass(frozen=True, eq=False)
class DataSet(ReadOnlyArrays):
    """Items with their labels, samples and kernels, all in the order of `ids`.

    Attributes
    ----------
    name : str
    ids : tuple of str
    labels : Labels or None
    samples : dict of str to Sequences or Vectors
        By name, for example "residues" and "structure".
    kernels : dict of str to GramMatrix
        By name; unknown entries are NaN.
    description : str
        One sentence on what this is and where it comes from.
    simulated : bool
        Made by a seeded generator; pages say so.
    source, target : str
        Names of the kernels that the pages complete from and complete, where the data suggest them.
    defaults : Defaults
        What pages start with on these data.
    notes : tuple of Note
    feature_networks : dict of str to Network
        By name; their nodes are not the items but columns of vectors, such as the genes of expression profiles.
    """

    name: str
    ids: tuple[str, ...]
    labels: Labels | None = None
    samples: Mapping[str, KernelSamples] = field(default_factory=dict)
    kernels: Mapping[str, GramMatrix] = field(default_factory=dict)
    description: str = ""
    simulated: bool = False
    source: str = ""
    target: str = ""
    defaults: Defaults = Defaults()
    notes: tuple[Note, ...] = ()
    feature_networks: Mapping[str, Network] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_ids(self.ids, len(self.ids))
        parts = {**self.samples, **self.kernels} | ({"labels": self.labels} if self.labels else {})
        for title, part in parts.items():
            if part.ids != self.ids:
                raise InvalidInputError(
                    f"All parts of the data set {self.name!r} have to be about the same items in the same order",
                    f"{title!r} has other ids",
                    "Align them by id first",
                )
        super().__post_init__()

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.ids)

    @property
    def judgeable(self) -> Labels | None:
        """The labels, if a classifier can be judged on them, with the items that are equal as samples; see Labels."""
        return self.labels_with_copies if self.labels is not None and self.labels.judgeable else None

    @cached_property
    def labels_with_copies(self) -> Labels | None:
        """The labels, and which items are equal as sequences, vectors or graphs of any of the samples."""
        found = [equal for part in self.samples.values() if (equal := equal_items(part)) is not None]
        if self.labels is None or not found:
            return self.labels
        copies = joined(*found)
        alone = np.array_equal(copies, np.arange(self.n))
        return self.labels if alone else replace(self.labels, copies=copies)

    @property
    def all_partly_known(self) -> bool:
        """Whether there are several kernels, of which none is known everywhere: each is completed from the others."""
        return len(self.kernels) > 1 and not any(K.unknown.complete for K in self.kernels.values())

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that computations depend on."""
        samples = {name: part.digest for name, part in self.samples.items()}
        kernels = {name: part.digest for name, part in self.kernels.items()}
        parts = [list(self.ids), self.labels and self.labels.digest, samples, kernels]
        if self.feature_networks:
            parts.append({name: part.digest for name, part in self.feature_networks.items()})
        return digest(*parts)

    def select(self, items: ArrayLike | ChosenItems) -> DataSet:
        """Keep a selection of the items (mask or positions) in every part."""
        at = as_positions(items, self.n)
        written = as_written(items, at)
        return replace(
            self,
            ids=tuple(self.ids[i] for i in at),
            labels=self.labels.take(written) if self.labels else None,
            samples={name: part.take(written) for name, part in self.samples.items()},
            kernels={name: part.take(at) for name, part in self.kernels.items()},
        )

    def with_kernel(self, name: str, K: GramMatrix) -> DataSet:
        """Add a kernel, or replace the one of that name."""
        return replace(self, kernels={**self.kernels, name: K.renamed(name)})

    def with_samples(self, name: str, samples: KernelSamples) -> DataSet:
        """Add samples of the same items, or replace those of that name."""
        return replace(self, samples={**self.samples, name: samples})

    def with_feature_network(self, name: str, network: Network) -> DataSet:
        """Add a network of columns, or replace the one of that name."""
        return replace(self, feature_networks={**self.feature_networks, name: network})

    def with_labels(self, labels: Labels | None) -> DataSet:
        """Set or remove the labels."""
        return replace(self, labels=labels)
