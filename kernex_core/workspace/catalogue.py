"""VALUES: every kind of value that a workspace file may hold, by name. Nothing else is ever made from one."""

from __future__ import annotations

from typing import Final

from kernex_core.completion.complete import Complete
from kernex_core.completion.hide import Hide
from kernex_core.completion.scattered.step import CompletePairs
from kernex_core.conditioning.columns_by_labels import ColumnsByLabels
from kernex_core.conditioning.empirical_map import EmpiricalMap, StandardisedMap
from kernex_core.conditioning.impute import ColumnMean, FillUnknown, ImputedKernel, NearestRows
from kernex_core.conditioning.network_features import FeaturesOnNetwork, PreparedFeatures
from kernex_core.conditioning.power import Log1p, SignedLog, SignedPower, SpectralMap, SquareRootMap
from kernex_core.conditioning.repairs import Clip, Flip, Shift, Square
from kernex_core.gram.combine import BroughtSum, LearnedSum, Product, WeightedSum
from kernex_core.gram.matrix import Cut, GramMatrix
from kernex_core.gram.normalize import Center, CosineNormalize, MeanNormalize
from kernex_core.gram.provenance import Call, File
from kernex_core.gram.seen import Seen
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.items.match import MatchedFeatures, Matching
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Note, Sequences, SparseVectors, Vectors
from kernex_core.inputs.similarities.distance import (
    CentredSquares,
    GaussianOfDistance,
    InverseDistance,
    ReversedDistance,
)
from kernex_core.kernels.catalogue import KERNELS
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.workspace.workspace import OpenData, Workspace

DATA: Final = (
    Workspace,
    OpenData,
    DataSet,
    Selection,
    Defaults,
    Note,
    Labels,
    Sequences,
    Vectors,
    SparseVectors,
    Network,
    GraphSet,
    GramMatrix,
)
HISTORY: Final = (
    Call,
    File,
    Cut,
    Seen,
    SubstitutionMatrix,
    ColumnMean,
    NearestRows,
    MatchedFeatures,
    Matching,
    PreparedFeatures,
)
STEPS: Final = (
    Clip,
    Flip,
    Shift,
    Square,
    SpectralMap,
    SquareRootMap,
    EmpiricalMap,
    StandardisedMap,
    SignedPower,
    SignedLog,
    Log1p,
    FillUnknown,
    CompletePairs,
    ImputedKernel,
    FeaturesOnNetwork,
    ColumnsByLabels,
    Hide,
    Complete,
    WeightedSum,
    LearnedSum,
    BroughtSum,
    Product,
    Center,
    CosineNormalize,
    MeanNormalize,
    GaussianOfDistance,
    ReversedDistance,
    InverseDistance,
    CentredSquares,
)
VALUES: Final[dict[str, type]] = {kind.__name__: kind for kind in (*DATA, *HISTORY, *STEPS, *KERNELS)}
"""By the name that stands in files: a class that moves keeps its place here, one that is renamed keeps its name."""
