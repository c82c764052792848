"""NetworkKernel: what all kernels on the nodes of one network share."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self, TypeAlias

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray
from kernex_core.gram.graph import Links, as_adjacency, components, isolated, names_of, self_loops
from kernex_core.gram.seen import ITEMS, marked
from kernex_core.kernels.base import AbstractKernel, Operations, Progress, no_progress
from kernex_core.kernels.networks.spectrum import (
    NetworkSpectrum,
    Operator,
    Series,
    check_decomposable,
    check_edge_weights,
    decomposing_network,
)

TOLERANCE = 1e-12
"""Error up to which an expansion is cut, in units of the largest value that the kernel can have."""


Nodes: TypeAlias = Links | NetworkSpectrum
"""Nodes of one network: its weights, what holds them (a Network), or what `decompose_network` makes of either."""


@dataclass(frozen=True)
class NetworkKernel(AbstractKernel[Nodes]):
    """Base of kernels f(L) or f(B) on the nodes of one network; a subclass says what f is.

    Samples are a Network; or its weights B (n, n), dense or sparse: symmetric, self loops are dropped; or the decomposition
    of `decompose_network`, made once for several kernels of one operator.
    """

    data_kind: ClassVar[str] = "network"
    depends: ClassVar[Literal["pair", "network"]] = "network"
    new_items: ClassVar[bool] = False

    @property
    @abc.abstractmethod
    def operator(self) -> Operator:
        """Matrix of the network that f is taken of."""

    @abc.abstractmethod
    def weights(self, eigenvalues: FloatArray) -> FloatArray:
        """f of eigenvalues, never negative; all parameters being set."""

    def resolved_on(self, spectrum: NetworkSpectrum) -> Self:
        """The kernel with every open parameter set from a decomposed network, after checking that it exists on it.

        Raises
        ------
        InvalidInputError
            A parameter beyond its bound, which the message says.
        """
        return self

    def bound_on(self, spectrum: NetworkSpectrum) -> float:
        """Where a slider of the kernel's parameter has to end on this network; infinite: nowhere."""
        return np.inf

    def on(self, spectrum: NetworkSpectrum) -> FloatArray:
        """(n, n) kernel of a network that was decomposed before: one scaled product.

        Raises
        ------
        InvalidInputError
            A decomposition of another matrix of the network, or whatever `resolved_on` refuses.
        """
        return marked(spectrum.kernel(self._checked(spectrum).weights), ITEMS)

    def series(self, B: sparse.csr_array, tolerance: float) -> Series:
        """Expansion of f in Chebyshev polynomials, for networks too large to be decomposed.

        Raises
        ------
        InvalidInputError
            This kernel has none.
        """
        raise InvalidInputError(
            "Chosen columns are expanded in powers of the network",
            f"{self.title}, which has no such expansion that ends",
            "Choose diffusion, or the regularised Laplacian with a small c",
        )

    def adjacency(self, samples: Links, ids: Sequence[str] | None = None) -> sparse.csr_array:
        """Weights of the network after checking that this kernel can take them.

        Raises
        ------
        InvalidInputError
            See `as_adjacency`; negative weights under a Laplacian (the edge is named).
        """
        B = as_adjacency(samples, ids)
        if self.operator != "adjacency":
            check_edge_weights(B, names_of(samples, ids))
        return B

    def check(self, samples: Nodes, ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel."""
        if isinstance(samples, NetworkSpectrum):
            self._checked(samples)
            return
        check_decomposable(self.adjacency(samples, ids).shape[0])

    def gram(self, samples: Nodes, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among the nodes.

        Parameters
        ----------
        samples : Network, (n, n) weights, or NetworkSpectrum
            A decomposition is one of `self.operator`; see `decompose_network`.
        progress : callable

        Raises
        ------
        InvalidInputError
            See `adjacency`, `on` and `resolved_on`.
        TooLargeError
            More than NODE_LIMIT nodes.
        """
        if isinstance(samples, NetworkSpectrum):
            made = self.on(samples)
            progress(1.0)
            return made
        decomposing = decomposing_network(self.adjacency(samples), self.operator)
        while True:
            try:
                progress(0.9 * next(decomposing))
            except StopIteration as end:
                K = self.on(end.value)
                progress(1.0)
                return K

    def cross(self, samples: Nodes, others: Nodes, *, progress: Progress = no_progress) -> FloatArray:
        """Refused: nodes are compared inside one network."""
        raise InvalidInputError(
            "Nodes are compared inside one network",
            "two networks",
            "Bring one network with all nodes; a node that is not in it is reached by extrapolation from its attributes",
        )

    def operations(self, samples: Nodes) -> Operations:
        """See AbstractKernel; about 4 n³ products for the decomposition of a component."""
        if isinstance(samples, NetworkSpectrum):
            blocks = sum(float(block.nodes.size) ** 3 for block in samples.blocks)
            return {"entry": float(samples.n) ** 2, "dense product": blocks}
        B = as_adjacency(samples)
        sizes = np.bincount(components(B)).astype(np.float64)
        return {"entry": float(B.shape[0]) ** 2, "dense product": 5.0 * float((sizes**3).sum())}

    def remarks(self, samples: Nodes) -> tuple[str, ...]:
        """See AbstractKernel: self loops, isolated nodes and components."""
        if isinstance(samples, NetworkSpectrum):
            loops, alone, parts = 0, samples.isolated.size, len(samples.blocks)
        else:
            B, loops = as_adjacency(samples), self_loops(samples)
            alone = isolated(B).size
            parts = int(components(B).max()) + 1 - alone
        said = [f"Self loops are dropped: {loops:,}."] if loops else []
        if alone:
            said.append(f"Nodes without an edge: {alone:,}. Each is similar to itself alone.")
        if parts > 1:
            said.append(
                f"The network has {parts:,} components with edges: between them every similarity is 0."
            )
        return tuple(said)

    def _checked(self, spectrum: NetworkSpectrum) -> Self:
        if spectrum.operator != self.operator:
            raise InvalidInputError(
                f"This kernel needs the decomposition of {self.operator!r}",
                f"that of {spectrum.operator!r}",
                "Use decompose_network(adjacency, kernel.operator)",
            )
        return self.resolved_on(spectrum)
