"""Every kind of sample object."""

from __future__ import annotations

from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Sequences, Similarity, Vectors

KernelSamples = Sequences | Vectors | Network | GraphSet
"""What kernels are built from."""
AnySamples = Similarity | KernelSamples
"""What `read_samples` returns."""


def kind_words(kind: str) -> str:
    """A kind of samples as sentences say it: "sequences", "vectors", "nodes of a network"."""
    return "nodes of a network" if kind == Network.kind else kind
