"""KERNELS: every kernel there is, one line each. Widgets, contract tests and comparisons follow from this tuple."""

from __future__ import annotations

from kernex_core.kernels.base import AnyKernel
from kernex_core.kernels.graphs.all_walks import GeometricWalk, RandomWalk
from kernex_core.kernels.graphs.graphlet import Graphlet
from kernex_core.kernels.graphs.shortest_path import ShortestPath
from kernex_core.kernels.graphs.tree_pattern import TreePattern
from kernex_core.kernels.graphs.walks import WalkOfOrder
from kernex_core.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman
from kernex_core.kernels.networks.common_neighbours import CommonNeighbours
from kernex_core.kernels.networks.diffusion import Diffusion, LaplacianPseudoinverse, RegularizedLaplacian
from kernex_core.kernels.networks.walks import Exponential, VonNeumann
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.markov_fisher import MarkovFisher
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.vectors.coordinates import Minimum, MinMax, Sinc
from kernex_core.kernels.vectors.distance import Gaussian, Laplace, Matern, RationalQuadratic
from kernex_core.kernels.vectors.dot_product import AllSubsets, Anova, Cosine, Linear, Polynomial, Tanimoto

KERNELS: tuple[type[AnyKernel], ...] = (
    # vectors
    Linear,
    Polynomial,
    Gaussian,
    Laplace,
    Cosine,
    Minimum,
    Sinc,
    AllSubsets,
    Anova,
    Tanimoto,
    MinMax,
    Matern,
    RationalQuadratic,
    # sequences
    Spectrum,
    SpectrumSum,
    Mismatch,
    Subsequence,
    LocalAlignment,
    SmithWaterman,
    MarkovFisher,
    # networks
    Diffusion,
    Exponential,
    VonNeumann,
    RegularizedLaplacian,
    LaplacianPseudoinverse,
    CommonNeighbours,
    # graphs
    WalkOfOrder,
    GeometricWalk,
    RandomWalk,
    ShortestPath,
    Graphlet,
    WeisfeilerLehman,
    TreePattern,
)


def kernels_for(data_kind: str) -> tuple[type[AnyKernel], ...]:
    """Kernels for one kind of data ("vectors", "sequences", "network", "graphs"), in the order of the catalogue.

    Examples
    --------
    >>> from kernex_core import kernels_for
    >>> [kernel.__name__ for kernel in kernels_for("vectors")][:3]
    ['Linear', 'Polynomial', 'Gaussian']
    """
    return tuple(kernel for kernel in KERNELS if kernel.data_kind == data_kind)
