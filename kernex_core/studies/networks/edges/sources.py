"""What edges are inferred from: each kernel alone, and all of them weighted in several ways, brought to the same genes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kernex_core.conditioning.catalogue import repair_step
from kernex_core.errors import InvalidInputError, NotPositiveSemidefiniteError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import found_in
from kernex_core.gram.seen import LABELS, PAIR, seen_of
from kernex_core.inputs.networks.network import Network
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.learning.copies import Copies, equal_among
from kernex_core.learning.edges.genes import KernelSide, NetworkSide, centred, check_network, repaired
from kernex_core.learning.edges.weights import WEIGHINGS, KernelWeights, learned_weights
from kernex_core.learning.leakage import State, state_of
from kernex_core.validation import as_symmetric, check_kernel


@dataclass(frozen=True, eq=False)
class GeneData(ReadOnlyArrays):
    """Kernels and a network on the same genes.

    Attributes
    ----------
    ids, names : tuple of str
        Genes, and kernels.
    kernels : (M, n, n) float
    A : (n, n) float
        1 where there is an edge; nothing on the diagonal.
    dropped : tuple of str
        Genes that a kernel or the network lacks.
    indefinite : tuple of str
        Similarities that are no kernels: the repair is fitted on the training genes of each split.
    repair : str
        See REPAIRS.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    kernels: FloatArray
    A: FloatArray
    dropped: tuple[str, ...] = ()
    indefinite: tuple[str, ...] = ()
    repair: str = "clip"

    @property
    def sources(self) -> tuple[str, ...]:
        """Kernels by name, then the weighings, where there is more than one kernel."""
        return self.names if len(self.names) == 1 else (*self.names, *WEIGHINGS)


def knows_a_network(K: GramMatrix) -> bool:
    """Whether a network went into a kernel, by its recipe: edges that are hidden from the methods would be in it.

    A kernel that was brought as numbers says nothing of that.
    """
    every = ((each.arguments, each.keywords) for each in K.recipe.calls())
    return any(found_in(given, NetworkKernel) for given in every)


def gene_data(kernels: Mapping[str, GramMatrix], network: Network, *, repair: str = "clip") -> GeneData:
    """Bring kernels and a network to the genes that all of them have, in the network's order.

    Parameters
    ----------
    kernels : mapping of str to GramMatrix
    network : Network
    repair : {"clip", "flip", "shift", "square"}
        Of similarities that are no kernels, fitted on training genes alone.

    Raises
    ------
    InvalidInputError
        No kernel, unknown entries (named), fewer than four genes in common, or no such repair.

    Examples
    --------
    >>> from kernex_core import gene_data, load_dataset
    >>> data = load_dataset("interacting_genes")
    >>> gene_data(data.kernels, data.samples["network"]).sources[-3:]
    ('sum', 'alignment', 'mkl')
    """
    if not kernels:
        raise InvalidInputError("Edges are inferred from at least one kernel of the genes", "none")
    common = set(network.ids).intersection(*(K.ids for K in kernels.values()))
    ids = tuple(gene for gene in network.ids if gene in common)
    if len(ids) < 4:
        raise InvalidInputError(
            "The network and all kernels share at least four genes",
            f"{len(ids)}",
            "Check that their ids are written alike",
        )
    everyone = dict.fromkeys([*network.ids, *(gene for K in kernels.values() for gene in K.ids)])
    made, indefinite = [], []
    for name, K in kernels.items():
        values = K.values[np.ix_(_places(K.ids, ids), _places(K.ids, ids))]
        if np.isnan(values).any():
            raise InvalidInputError(
                "Kernels that edges are inferred from know every similarity",
                f"unknown ones in {name!r}",
                "Complete it first, or select the items that it knows",
            )
        values = as_symmetric(values, repr(name))
        try:
            values = check_kernel(values, repr(name))
        except NotPositiveSemidefiniteError:
            indefinite.append(name)
        made.append(values)
    A = (network.take(_places(network.ids, ids)).adjacency.toarray() != 0.0).astype(np.float64)
    dropped = tuple(gene for gene in everyone if gene not in common)
    method = repair_step(repair).method
    return GeneData(ids, tuple(kernels), np.array(made), A, dropped, tuple(indefinite), method)


def gene_copies(data: GeneData, folds: int, *, together: bool = True) -> Copies:
    """Genes that a kernel does not tell apart, which folds over genes keep together; two different ones a fold are left."""
    return equal_among(list(data.kernels), 2 * folds, together=together)


def edge_state(*kernels: GramMatrix) -> State:
    """What was seen of test genes: by nothing that is judged here, but perhaps where a kernel was made.

    Edges are the labels here: a kernel of a network has seen them.

    Examples
    --------
    >>> from kernex_core import load_dataset
    >>> from kernex_core.studies.networks.edges.sources import edge_state
    >>> edge_state(*load_dataset("interacting_genes").kernels.values()).words
    'transductive'
    """
    return state_of(seen_of(*kernels) | (LABELS if any(map(knows_a_network, kernels)) else PAIR))


def _places(ids: tuple[str, ...], wanted: tuple[str, ...]) -> IntArray:
    at = {gene: place for place, gene in enumerate(ids)}
    return np.array([at[gene] for gene in wanted], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class TrainedGenes(ReadOnlyArrays):
    """One split into training and test genes: all that is fitted, is fitted on the former.

    Attributes
    ----------
    data : GeneData
    train, test : int array
    network : NetworkSide
    kernels : tuple of (n, n) or None
        Centred and scaled; None for one whose training genes are all alike.
    """

    data: GeneData
    train: IntArray
    test: IntArray
    network: NetworkSide
    kernels: tuple[FloatArray | None, ...]

    @classmethod
    def of(cls, data: GeneData, train: IntArray, test: IntArray) -> TrainedGenes:
        """Repair what is no kernel, centre all and cut the network.

        Raises
        ------
        InvalidInputError
            No edge among the training genes, or no kernel that tells them apart.
        """
        A = data.A[np.ix_(train, train)]
        check_network(A)
        step = repair_step(data.repair)
        made = tuple(
            centred(repaired(K, train, step) if name in data.indefinite else K, train)
            for name, K in zip(data.names, data.kernels, strict=True)
        )
        if all(K is None for K in made):
            raise InvalidInputError("A kernel has to tell genes apart", "none does")
        return cls(data, train, test, NetworkSide(A), made)

    def weights(self, source: str) -> KernelWeights:
        """Weights of all kernels in a source, 0 for those that say nothing.

        Parameters
        ----------
        source : str
            A kernel's name, or one of WEIGHINGS.
        """
        used = [m for m, K in enumerate(self.kernels) if K is not None]
        eta = np.zeros(len(self.kernels))
        if source in self.data.names:
            eta[self.data.names.index(source)] = 1.0
            return KernelWeights(eta)
        block = np.ix_(self.train, self.train)
        how = next(each for each in WEIGHINGS if each == source)
        found = learned_weights(how, [K[block] for K in self.kernels if K is not None], self.network)
        eta[used] = found.eta
        return KernelWeights(eta, found.objective, found.gap)

    def side(self, eta: FloatArray) -> KernelSide | None:
        """The weighted kernel; None where only kernels that say nothing have weight."""
        parts = [e * K for e, K in zip(eta, self.kernels, strict=True) if e > 0.0 and K is not None]
        return KernelSide(np.asarray(sum(parts)), self.train, self.test) if parts else None
