"""Nodes that come later: the kernel of the known ones, made as if the others had never been there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.networks.network import Network
from kernex_core.kernels.networks.network_kernel import NetworkKernel


@dataclass(frozen=True, eq=False)
class Origin(EqualByContent):
    """The network that a kernel was made of, and how.

    Attributes
    ----------
    network : Network
    kernel : NetworkKernel
        With every parameter set.
    """

    network: Network
    kernel: NetworkKernel

    def without(self, hidden: Sequence[str], known: Sequence[str]) -> GramMatrix:
        """Kernel of the known nodes, in their order, from the network without the hidden ones and their edges.

        Raises
        ------
        InvalidInputError
            Nodes that the network does not have.
        """
        place = {name: at for at, name in enumerate(self.network.ids)}
        lacking = [name for name in (*hidden, *known) if name not in place]
        if lacking:
            raise InvalidInputError(
                "The nodes of the kernel have to be in its network", repr(lacking[0])[:60]
            )
        gone = {place[name] for name in hidden}
        rest = [at for at in range(self.network.n) if at not in gone]
        K = self.kernel.similarities(self.network.take(rest), name=self.kernel.title.lower())
        row = {name: at for at, name in enumerate(K.ids)}
        return K.take([row[name] for name in known])
