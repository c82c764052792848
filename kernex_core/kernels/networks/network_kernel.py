"""NetworkKernel: what all kernels on the nodes of one network share."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.gram.adjacency import Links, as_adjacency, components, isolated, self_loops
from kernex_core.kernels.base import AbstractKernel, Progress, no_progress
from kernex_core.kernels.cost import Operations
from kernex_core.kernels.networks.chebyshev import Series
from kernex_core.kernels.networks.spectrum import (
    NetworkSpectrum,
    Operator,
    check_decomposable,
    check_edge_weights,
    decomposing_network,
)

TOLERANCE = 1e-12
"""Error up to which an expansion is cut, in units of the largest value that the kernel can have."""


@dataclass(frozen=True)
class NetworkKernel(AbstractKernel[Links]):
    """Base of kernels f(L) or f(B) on the nodes of one network; a subclass says what f is.

    Samples are the weights B (n, n) of the network, dense or sparse: symmetric, self loops are dropped.
    """

    data_kind: ClassVar[str] = "network"
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
        return spectrum.kernel(self._checked(spectrum).weights)

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
            check_edge_weights(B, ids)
        return B

    def check(self, samples: Links, ids: Sequence[str] | None = None) -> None:
        """See AbstractKernel."""
        check_decomposable(self.adjacency(samples, ids).shape[0])

    def gram(self, samples: Links, *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among the nodes.

        Raises
        ------
        InvalidInputError
            See `adjacency` and `resolved_on`.
        TooLargeError
            More than NODE_LIMIT nodes.
        """
        decomposing = decomposing_network(self.adjacency(samples), self.operator)
        while True:
            try:
                progress(0.9 * next(decomposing))
            except StopIteration as end:
                K = self.on(end.value)
                progress(1.0)
                return K

    def cross(self, samples: Links, others: Links, *, progress: Progress = no_progress) -> FloatArray:
        """Refused: nodes are compared inside one network."""
        raise InvalidInputError(
            "Nodes are compared inside one network",
            "two networks",
            "Bring one network with all nodes; a node that is not in it is reached by extrapolation from its attributes",
        )

    def operations(self, samples: Links) -> Operations:
        """See AbstractKernel; about 4 n³ products for the decomposition of a component."""
        B = as_adjacency(samples)
        sizes = np.bincount(components(B)).astype(np.float64)
        return {"entry": float(B.shape[0]) ** 2, "dense product": 5.0 * float((sizes**3).sum())}

    def remarks(self, samples: Links) -> tuple[str, ...]:
        """See AbstractKernel: self loops, isolated nodes and components."""
        B, loops = as_adjacency(samples), self_loops(samples)
        said = [f"Self loops are dropped: {loops:,}."] if loops else []
        alone = isolated(B).size
        if alone:
            said.append(f"Nodes without an edge: {alone:,}. Each is similar to itself alone.")
        parts = int(components(B).max()) + 1 - alone
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
