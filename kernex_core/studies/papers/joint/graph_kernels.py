"""The kernels of Fig. 1: walks over joint kernels on vertices for every λ, and over those that they are compared with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.joint.nodes.attributes import NEEDED, REMEDY, NodeColumns, attributes_of, suggested_columns
from kernex_core.joint.nodes.landmarks import landmarks
from kernex_core.joint.nodes.node_kernels import COMBINED, NodeKernels, node_kernels, strip_of
from kernex_core.kernels.graphs.walks_over_nodes import NodeStrip, walk_sums_in_pieces
from kernex_core.parameters import check_choice
from kernex_core.pieces import Pieces, finished
from kernex_core.seeds import repetition_rng
from kernex_core.studies.papers.joint.config import ENZYMES, LAMS, NodeWalkConfig

JOINT: Final = {f"joint, λ = {lam:g}": lam for lam in LAMS}
"""Joint kernels by name."""
ENDS: Final = {"Gaussian": "joint, λ = 1", "linear": "joint, λ = 0"}
"""Which joint kernel is which kernel alone: they are measured once."""
AS_IT_IS: Final = ", as it is"
"""Ends the name of a kernel without landmarks and nugget."""
NAMES: Final = (*JOINT, "sum", "product", *(f"{name}{AS_IT_IS}" for name in COMBINED))
"""Kernels in the order in which they are measured."""


@dataclass(frozen=True, eq=False)
class PreparedGraphs(EqualByContent):
    """Graphs, and the kernels on their vertices.

    Attributes
    ----------
    config : NodeWalkConfig
        With the columns that are taken.
    graphs : GraphSet
    vertices : NodeKernels
    """

    config: NodeWalkConfig
    graphs: GraphSet
    vertices: NodeKernels

    @property
    def unset(self) -> int:
        """Vertices without a discrete attribute: their linear kernel with any other vertex is 0."""
        return int(self.vertices.attributes.unset.sum())

    def strip(self, name: str) -> NodeStrip:
        """The kernel on vertices of that name: one of NAMES or ENDS.

        Raises
        ------
        InvalidInputError
            An unknown name.
        """
        check_choice("A kernel between graphs", name, (*NAMES, *ENDS))
        plain = name.removesuffix(AS_IT_IS)
        if plain != name:
            return self.vertices.plain_strip(plain)
        at = JOINT.get(name)
        return strip_of(self.vertices.combined(name) if at is None else self.vertices.joint(at))


def prepare_graphs(config: NodeWalkConfig, graphs: GraphSet) -> PreparedGraphs:
    """Choose landmarks among all vertices of all graphs, and decompose on them once.

    Raises
    ------
    InvalidInputError
        Graphs whose vertices have no continuous or no discrete attributes.
    """
    columns = config.columns or columns_of(graphs)
    attributes = attributes_of(graphs.graphs, columns)
    Z = landmarks(attributes, config.landmarks, config.choice, rng=repetition_rng(config.seed, 0))
    made = node_kernels(attributes, Z, sigma=config.sigma, nugget=config.nugget)
    return PreparedGraphs(replace(config, columns=columns), graphs, made)


def columns_of(graphs: GraphSet) -> NodeColumns:
    """Columns that are taken where none are given: those of ENZYMES, or by their values.

    Raises
    ------
    InvalidInputError
        Graphs whose vertices have no continuous or no discrete attributes.
    """
    X = graphs.node_attributes
    if X is None:
        raise InvalidInputError(NEEDED, "none", REMEDY)
    found = suggested_columns(X)
    return ENZYMES if X.shape[1] == 18 and found.discrete == ENZYMES.discrete else found


def walks_in_pieces(made: PreparedGraphs, name: str) -> Pieces[FloatArray]:
    """Walk kernel (n, n) between the graphs over the kernel of that name on their vertices."""
    config = made.config
    sums = yield from walk_sums_in_pieces(
        made.graphs.graphs, made.strip(name), config.length, edge_labels=config.edge_labels
    )
    return sums.up_to(config.length)


def graph_kernel(config: NodeWalkConfig, graphs: GraphSet, name: str) -> GramMatrix:
    """One kernel of Fig. 1, by its name; not normalised.

    Parameters
    ----------
    config : NodeWalkConfig
    graphs : GraphSet
    name : str
        "joint, λ = 0.25", "Gaussian", "linear", "sum", "product", or one of the last four with ", as it is".

    Raises
    ------
    InvalidInputError
        An unknown name, or whatever `prepare_graphs` refuses.
    """
    K = finished(walks_in_pieces(prepare_graphs(config, graphs), name))
    origin = call("K", "graph_kernel", config, graphs, name)
    # landmarks, and perhaps the width, were chosen among the vertices of all graphs
    return GramMatrix(K, graphs.ids, f"walks, {name}", origin, ITEMS)
