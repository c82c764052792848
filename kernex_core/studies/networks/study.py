"""Diffusion on a network: decomposed once, then every τ is one scaled product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import method
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.networks.network import Network
from kernex_core.kernels.networks.diffusion import Diffusion
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import (
    NetworkSpectrum,
    Operator,
    check_edge_weights,
    decomposing_network,
)
from kernex_core.pieces import Pieces, finished

TAUS: Final = (0.0, 0.1, 0.3, 1.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0, 50.0, 200.0)
"""Values of τ that accuracy is drawn against."""


@dataclass(frozen=True, eq=False)
class PreparedNetwork(ReadOnlyArrays):
    """A network with its decomposition, from which every kernel of the same matrix follows.

    Attributes
    ----------
    network : Network
    spectrum : NetworkSpectrum
    """

    network: Network
    spectrum: NetworkSpectrum

    @property
    def digest(self) -> str:
        """That of the network, and which of its matrices was decomposed."""
        return f"{self.network.digest}-{self.spectrum.operator}"

    def gram(self, kernel: NetworkKernel) -> GramMatrix:
        """A kernel of all nodes with ids and recipe, made from the decomposition.

        Raises
        ------
        InvalidInputError
            A kernel of another matrix of the network, or a parameter beyond its bound.
        """
        made = kernel.resolved_on(self.spectrum)
        name = made.title.lower()
        recipe = method(name, made, "similarities", self.network) if self.network.recipe else None
        return GramMatrix(made.on(self.spectrum), self.network.ids, name, recipe, ITEMS)


@dataclass(frozen=True, eq=False)
class NetworkView(ReadOnlyArrays):
    """What a page shows of one kernel.

    Attributes
    ----------
    kernel : NetworkKernel
        With every parameter set.
    gram : GramMatrix
    eigenvalues : (n,) float
        x of the decomposed matrix, ascending.
    weights : (n,) float
        f(x): e^(−τx) for diffusion.
    node : int
    column : (n,) float
        k(·, node).
    nearest : (n − 1,) int
        The other nodes, the most similar first.
    bound : float
        Where the slider of the parameter ends; infinite: nowhere.
    remarks : tuple of str
    """

    kernel: NetworkKernel
    gram: GramMatrix
    eigenvalues: FloatArray
    weights: FloatArray
    node: int
    column: FloatArray
    nearest: IntArray
    bound: float
    remarks: tuple[str, ...]


def prepare_network(network: Network, operator: Operator = "normalized") -> PreparedNetwork:
    """Decompose a network once, for every value of every kernel of that matrix; `preparing_network` to its end.

    Examples
    --------
    >>> from kernex_core import load_dataset, prepare_network
    >>> prepared = prepare_network(load_dataset("karate_club").samples["network"])
    >>> prepared.spectrum.eigenvalues[:2].round(3).tolist()
    [0.0, 0.11]
    """
    return finished(preparing_network(network, operator))


def preparing_network(network: Network, operator: Operator = "normalized") -> Pieces[PreparedNetwork]:
    """Decompose a network, in pieces of a fraction of a second.

    Parameters
    ----------
    network : Network
    operator : {"normalized", "unnormalized", "adjacency"}
        What the kernels to come are made of: `kernel.operator`.

    Raises
    ------
    InvalidInputError
        Negative weights under a Laplacian.
    TooLargeError
        More nodes than are decomposed; `chosen_columns` then serves single nodes.

    Examples
    --------
    >>> from kernex_core import load_dataset, preparing_network
    >>> [share <= 1.0 for share in preparing_network(load_dataset("karate_club").samples["network"])]
    [True]
    """
    if operator != "adjacency":
        check_edge_weights(network.adjacency, network.ids)  # where an edge is named by the ids of its nodes
    spectrum = yield from decomposing_network(network.adjacency, operator)
    return PreparedNetwork(network, spectrum)


def view_network(prepared: PreparedNetwork, kernel: NetworkKernel, node: int = 0) -> NetworkView:
    """What a page shows of one kernel: one scaled product.

    Parameters
    ----------
    prepared : PreparedNetwork
    kernel : NetworkKernel
        Of the matrix that was decomposed; Diffusion(tau) for the slider τ.
    node : int
        Whose column is shown.

    Raises
    ------
    InvalidInputError
        No such node, or whatever `PreparedNetwork.gram` refuses.

    Examples
    --------
    >>> from kernex_core import Diffusion, load_dataset, prepare_network, view_network
    >>> prepared = prepare_network(load_dataset("florentine_families").samples["network"])
    >>> found = view_network(prepared, Diffusion(tau=1.0), node=1)
    >>> found.gram.ids[found.node], [found.gram.ids[k] for k in found.nearest[:2]]
    ('Medici', ['Acciaiuoli', 'Salviati'])
    """
    n = prepared.network.n
    if not 0 <= node < n:
        raise InvalidInputError(f"The chosen node has to lie in 0 to {n - 1}", str(node))
    gram = prepared.gram(kernel)
    made = kernel.resolved_on(prepared.spectrum)
    column = gram.values[:, node]
    order = np.argsort(-column, kind="stable")
    eigenvalues = prepared.spectrum.eigenvalues
    return NetworkView(
        made,
        gram,
        eigenvalues,
        made.weights(eigenvalues),
        node,
        column,
        order[order != node],
        made.bound_on(prepared.spectrum),
        made.remarks(prepared.network.adjacency),
    )


def diffusions_of(prepared: PreparedNetwork, taus: tuple[float, ...] = TAUS) -> tuple[Diffusion, ...]:
    """Diffusion kernels of the Laplacian that was decomposed.

    Raises
    ------
    InvalidInputError
        The adjacency matrix was decomposed.

    Examples
    --------
    >>> from kernex_core import diffusions_of, load_dataset, prepare_network
    >>> prepared = prepare_network(load_dataset("karate_club").samples["network"], "unnormalized")
    >>> diffusions_of(prepared, (2.0,))
    (Diffusion(tau=2.0, laplacian='unnormalized'),)
    """
    laplacian = prepared.spectrum.operator
    if laplacian == "adjacency":
        raise InvalidInputError(
            "Diffusion needs a Laplacian", "the adjacency matrix", "Prepare the network anew"
        )
    return tuple(Diffusion(tau, laplacian) for tau in taus)
