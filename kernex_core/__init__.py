"""Kernex: kernels on incomplete, heterogeneous data.

The public names of the core; each is documented where it is defined, and imported from there when it is first asked for.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernex_core.base.errors import (
        InvalidInputError,
        KernexError,
        NotPositiveSemidefiniteError,
        TooLargeError,
    )
    from kernex_core.completion.approximation import Approximation, approximate, extend_kernel
    from kernex_core.completion.complete import Complete, joint_kernel
    from kernex_core.completion.extrapolate import Extrapolation, extrapolate
    from kernex_core.completion.fisher_scores import fisher_map
    from kernex_core.completion.hide import Hide
    from kernex_core.completion.joint import joint_kernel as regularized_kernel
    from kernex_core.completion.joint import joint_path, joint_regularize, pointwise_product, weighted_sum
    from kernex_core.completion.locally_linear import LleKernel, lle_kernel
    from kernex_core.completion.node_kernels import NodeColumns
    from kernex_core.completion.reduced_sets import landmark_errors, reduced_set
    from kernex_core.completion.scattered.fills import hide_pairs
    from kernex_core.completion.scattered.hits import CompletedHits, MissedPair, complete_hits
    from kernex_core.completion.scattered.pairs import CompletedPairs, NextPair, complete_pairs
    from kernex_core.completion.scattered.step import CompletePairs
    from kernex_core.completion.views.complete import CompletedViews, complete_views
    from kernex_core.completion.views.methods import (
        VIEW_COMPLETIONS,
        ViewErrors,
        completed_kernel,
        drawn_views,
        hidden_views,
        view_completion,
        view_errors,
    )
    from kernex_core.conditioning.columns_by_labels import ColumnsByLabels
    from kernex_core.conditioning.empirical_map import EmpiricalMap, StandardisedMap, empirical_map
    from kernex_core.conditioning.impute import (
        IMPUTATIONS,
        ColumnMean,
        FillUnknown,
        ImputedKernel,
        NearestRows,
        fill_unknown,
        impute,
        imputed_similarities,
        nothing_known,
    )
    from kernex_core.conditioning.network_features import FeaturesOnNetwork, PreparedFeatures
    from kernex_core.conditioning.power import (
        Log1p,
        SignedLog,
        SignedPower,
        SpectralMap,
        SquareRootMap,
        signed_log,
        signed_power,
        spectral_map,
        square_root_map,
    )
    from kernex_core.conditioning.repairs import REPAIRS, Clip, Flip, PsdRepair, Shift, Square, repair_psd
    from kernex_core.conditioning.schemes import SCHEMES
    from kernex_core.datasets.catalogue import DATASETS, load_dataset
    from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS, fetch_dataset
    from kernex_core.gram.combine import BroughtSum, JointPath, LearnedSum, Product, WeightedSum
    from kernex_core.gram.diagnostics import Diagnosis, diagnose
    from kernex_core.gram.graph import Graph
    from kernex_core.gram.matrix import GramMatrix
    from kernex_core.gram.normalize import Center, CosineNormalize, MeanNormalize, center, cosine_normalize
    from kernex_core.gram.seen import Seen, from_labels, marked
    from kernex_core.gram.spectrum import kernel_pca
    from kernex_core.inputs.catalogue import FORMATS
    from kernex_core.inputs.dataset import DataSet, Defaults
    from kernex_core.inputs.formats.labels import read_labels
    from kernex_core.inputs.graphs.graph_set import GraphSet
    from kernex_core.inputs.health import HealthReport, health
    from kernex_core.inputs.items.align import Alignment, align, align_with, expand
    from kernex_core.inputs.items.join import join_labels, join_nodes
    from kernex_core.inputs.items.match import MatchedFeatures, Matching, match_features
    from kernex_core.inputs.items.selection import Selection, without_columns
    from kernex_core.inputs.networks.network import Network, neighbour_network
    from kernex_core.inputs.new_items import NewRows, read_new_rows, read_new_vectors
    from kernex_core.inputs.nodes import read_nodes
    from kernex_core.inputs.reading import read_samples
    from kernex_core.inputs.samples import (
        ChosenItems,
        Labels,
        Note,
        Sequences,
        Similarity,
        SparseVectors,
        Vectors,
    )
    from kernex_core.inputs.similarities.distance import (
        CentredSquares,
        GaussianOfDistance,
        InverseDistance,
        ReversedDistance,
    )
    from kernex_core.kernels.catalogue import KERNELS, kernels_for
    from kernex_core.kernels.explanation import Explanation
    from kernex_core.kernels.graphs.all_walks import GeometricWalk, RandomWalk
    from kernex_core.kernels.graphs.graphlet import Graphlet
    from kernex_core.kernels.graphs.shortest_path import ShortestPath
    from kernex_core.kernels.graphs.tree_pattern import TreePattern
    from kernex_core.kernels.graphs.walks import WalkOfOrder
    from kernex_core.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman
    from kernex_core.kernels.networks.common_neighbours import CommonNeighbours, chosen_columns
    from kernex_core.kernels.networks.diffusion import Diffusion, LaplacianPseudoinverse, RegularizedLaplacian
    from kernex_core.kernels.networks.spectrum import NetworkSpectrum, decompose_network
    from kernex_core.kernels.networks.walks import Exponential, VonNeumann
    from kernex_core.kernels.sequences.explain import explain_pair
    from kernex_core.kernels.sequences.kmer_weights import KmerWeights, kmer_weights
    from kernex_core.kernels.sequences.local_alignment import LocalAlignment
    from kernex_core.kernels.sequences.markov_fisher import MarkovChain, MarkovFisher, fit_markov_chain
    from kernex_core.kernels.sequences.mismatch import Mismatch
    from kernex_core.kernels.sequences.profile import ProfileHMM, fit_profile
    from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
    from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
    from kernex_core.kernels.sequences.subsequence import Subsequence
    from kernex_core.kernels.sequences.substitution import SubstitutionMatrix, read_substitution_matrix
    from kernex_core.kernels.vectors.coordinates import Minimum, MinMax, Sinc
    from kernex_core.kernels.vectors.distance import Gaussian, Laplace, Matern, RationalQuadratic
    from kernex_core.kernels.vectors.dot_product import (
        AllSubsets,
        Anova,
        Cosine,
        Linear,
        Polynomial,
        Tanimoto,
    )
    from kernex_core.learning.cells import one_vs_rest_accuracy
    from kernex_core.learning.chance.paired import yates_p
    from kernex_core.learning.chance.verdict import verdict_sentence
    from kernex_core.learning.compare import compare, compare_all, compare_with, judged_verdict, paper_tests
    from kernex_core.learning.copies import Copies, copies_of
    from kernex_core.learning.differences import classes_differ, pairs_differ
    from kernex_core.learning.edges.methods import (
        EDGE_METHODS,
        CanonicalProjection,
        Direct,
        LocalModels,
        MetricLearning,
        PairwiseMachine,
        Spectral,
        TwoStepRidge,
    )
    from kernex_core.learning.evaluate import judge
    from kernex_core.learning.folds import CrossValidation
    from kernex_core.learning.judgement import Judgement
    from kernex_core.learning.leakage import evaluation_state
    from kernex_core.learning.learners.catalogue import LEARNERS
    from kernex_core.learning.learners.contract import cost_of, lam_of
    from kernex_core.learning.learners.logistic import KernelLogistic, LogisticFit, kernel_logistic
    from kernex_core.learning.learners.neighbours import NearestNeighbours
    from kernex_core.learning.learners.on_components import OnComponents
    from kernex_core.learning.learners.process import GaussianProcess
    from kernex_core.learning.learners.reliability import Reliability, fold_reliability, reliability
    from kernex_core.learning.learners.ridge import KernelRidge, RidgePath, kernel_ridge
    from kernex_core.learning.learners.support_vectors import (
        HardMargin,
        SupportVectorRegression,
        SupportVectors,
    )
    from kernex_core.learning.machine import Margin
    from kernex_core.learning.mkl.base_kernels import FeatureGroups, KernelStack
    from kernex_core.learning.mkl.judging import ManyJudgement, judge_many
    from kernex_core.learning.mkl.learn import MklConfig, MklResult, mkl, mkl_path
    from kernex_core.learning.mkl.losses import square_loss_mkl
    from kernex_core.learning.mkl.weightings import (
        WEIGHTINGS,
        AlignmentWeights,
        ByAlignment,
        EqualWeights,
        GivenWeights,
        LearnedWeights,
        Together,
        alignment_weights,
    )
    from kernex_core.learning.permutations import Permuted, permutation_test
    from kernex_core.learning.predict import predict_unlabelled
    from kernex_core.learning.protocol import Components, Protocol
    from kernex_core.learning.regression.evaluate import compare_numbers, judge_numbers, predict_numbers
    from kernex_core.learning.regression.judgement import NumberJudgement, are_numbers
    from kernex_core.learning.relations import related
    from kernex_core.learning.scores import balanced_loss, median_rfp, roc_score
    from kernex_core.runtime.progress import last_state
    from kernex_core.studies.against_chance import combination_chance, completion_chance, together_chance
    from kernex_core.studies.atlas.combination import WeightedConfig, combination_atlas
    from kernex_core.studies.atlas.completion import completion_atlas
    from kernex_core.studies.atlas.diagonals import diagonal_atlas
    from kernex_core.studies.atlas.networks import network_atlas
    from kernex_core.studies.combination import (
        CombinationConfig,
        combination_verdict,
        combining,
        of_each_curve,
        prepare_combination,
    )
    from kernex_core.studies.completion.candidates import verdict_at
    from kernex_core.studies.completion.pairs import PairsConfig
    from kernex_core.studies.completion.share_sweep import joint_curve
    from kernex_core.studies.completion.share_sweep import sweeping as sweeping_shares
    from kernex_core.studies.completion.study import CompletionConfig
    from kernex_core.studies.diagonals.shrink import DiagonalConfig, shrunk_kernel
    from kernex_core.studies.diagonals.strength_sweep import losses_at
    from kernex_core.studies.diagonals.strength_sweep import sweeping as sweeping_strengths
    from kernex_core.studies.evaluation import EvaluationConfig
    from kernex_core.studies.graphs.table import GraphTableConfig, graph_table, graph_table_chance
    from kernex_core.studies.inspection import InspectionConfig
    from kernex_core.studies.many_kernels import ManyConfig, judging_together, noise_kernel
    from kernex_core.studies.map.groups import (
        GROUPINGS,
        Groups,
        GroupsConfig,
        adjusted_rand,
        find_groups,
        group_stability,
        kernel_k_means,
        prepare_groups,
    )
    from kernex_core.studies.map.outliers import OutliersConfig, contradicted_labels, find_outliers
    from kernex_core.studies.map.points import MAPS, MapConfig
    from kernex_core.studies.map.study import (
        MapView,
        PreparedMap,
        kept_by_maps,
        map_kernel,
        place_new,
        prepare_map,
        view_map,
    )
    from kernex_core.studies.model.model import Model, load_model, predict_csv, save_model
    from kernex_core.studies.model.training import train_model
    from kernex_core.studies.networks.edges.judging import judging_edges, judging_missing
    from kernex_core.studies.networks.edges.predicting import predict_edges, rank_unobserved
    from kernex_core.studies.networks.edges.sources import EdgeConfig, edge_state, gene_data
    from kernex_core.studies.networks.features.accuracy import node_weights
    from kernex_core.studies.networks.features.graph_lasso import graph_lasso, judging_lasso
    from kernex_core.studies.networks.layout import network_layout
    from kernex_core.studies.networks.new_nodes import (
        NewNodesConfig,
        Origin,
        columns_of,
        kernel_by_attributes,
        place_nodes,
        placing_nodes,
    )
    from kernex_core.studies.networks.reduced import ReducedConfig, reduce_kernel, reduced_kernel
    from kernex_core.studies.networks.study import (
        diffusions_of,
        prepare_network,
        preparing_network,
        scaled,
        sweeping_network,
        view_network,
    )
    from kernex_core.studies.papers.catalogue import PAPER_TABLES
    from kernex_core.studies.papers.extrapolation.tables import measuring as measuring_extrapolation
    from kernex_core.studies.papers.joint.measuring import NodeWalkConfig, graph_kernel
    from kernex_core.studies.papers.joint.measuring import measuring as measuring_joint
    from kernex_core.studies.papers.joint.theorem import TheoremConfig
    from kernex_core.studies.papers.orthogonal.families import (
        FamiliesConfig,
        measuring_table_6,
        read_families,
    )
    from kernex_core.studies.papers.orthogonal.sparse import read_sparse_vectors
    from kernex_core.studies.papers.orthogonal.tables import (
        ColonConfig,
        HiddenConfig,
        LymphomaConfig,
        OrthogonalConfig,
        ThrombinConfig,
        measuring_table_1,
        measuring_table_2,
        measuring_table_3,
        measuring_table_4,
        measuring_table_5,
    )
    from kernex_core.studies.sequences.classifier import ClassConfig
    from kernex_core.studies.sequences.fisher import FisherConfig, svm_fisher
    from kernex_core.studies.sequences.new_items import classes_of, conditioned_rows
    from kernex_core.studies.sequences.new_items import comparing as comparing_new
    from kernex_core.studies.sequences.table import StringTableConfig, string_table, string_table_chance
    from kernex_core.studies.tournament.entrants import TournamentConfig
    from kernex_core.studies.tournament.tournament import tournament
    from kernex_core.workspace.file import read_workspace, write_workspace
    from kernex_core.workspace.workspace import OpenData, Workspace

    NotConvergedError = KernexError

__all__ = [
    "Alignment", "AlignmentWeights", "AllSubsets", "Anova", "Approximation", "BroughtSum", "ByAlignment",
    "CanonicalProjection", "Center", "CentredSquares", "ChosenItems", "ClassConfig", "Clip", "ColonConfig",
    "ColumnMean", "ColumnsByLabels", "CombinationConfig", "CommonNeighbours", "Complete", "CompletedViews",
    "CompletePairs", "CompletionConfig", "Components", "Copies", "Cosine", "CosineNormalize", "CrossValidation", "DATASETS",
    "DataSet", "Defaults", "Diagnosis", "DiagonalConfig", "Diffusion", "Direct", "EDGE_METHODS", "EdgeConfig",
    "EmpiricalMap", "EqualWeights", "EvaluationConfig", "Explanation", "Exponential", "Extrapolation",
    "FORMATS", "FamiliesConfig", "FeatureGroups", "FeaturesOnNetwork", "FillUnknown", "FisherConfig", "Flip",
    "Gaussian", "GaussianOfDistance", "GaussianProcess", "GeometricWalk", "GivenWeights", "GramMatrix", "Graph", "GraphSet",
    "GROUPINGS", "Groups", "GroupsConfig",
    "GraphTableConfig", "Graphlet", "HardMargin", "HealthReport", "HiddenConfig", "Hide", "IMPUTATIONS",
    "ImputedKernel", "InspectionConfig", "InvalidInputError", "InverseDistance", "JointPath", "Judgement",
    "KERNELS", "KernelLogistic", "KernelRidge", "KernelStack", "KernexError", "KmerWeights", "LEARNERS",
    "Labels", "Laplace", "LaplacianPseudoinverse", "LearnedSum", "LearnedWeights", "Linear", "LleKernel",
    "LocalAlignment", "LocalModels", "Log1p", "LogisticFit", "LymphomaConfig", "ManyConfig", "ManyJudgement",
    "MAPS", "MapConfig", "MapView", "Margin", "MarkovChain", "MarkovFisher", "MatchedFeatures", "Matching", "Matern",
    "MeanNormalize", "MetricLearning", "MinMax", "Minimum", "Mismatch", "MklConfig", "MklResult", "Model",
    "NearestNeighbours",
    "NearestRows", "Network", "NetworkSpectrum", "NewNodesConfig", "NewRows", "NodeColumns", "NodeWalkConfig",
    "NotPositiveSemidefiniteError", "Note", "NumberJudgement", "OnComponents", "OpenData", "Origin",
    "OrthogonalConfig", "OutliersConfig",
    "PAPER_TABLES", "PUBLIC_DATASETS", "PairsConfig", "PairwiseMachine", "Permuted", "Polynomial",
    "PreparedFeatures", "PreparedMap", "Product", "ProfileHMM", "Protocol", "PsdRepair", "REPAIRS",
    "RandomWalk", "RationalQuadratic", "ReducedConfig", "RegularizedLaplacian", "Reliability", "ReversedDistance",
    "RidgePath",
    "SCHEMES", "Seen", "Selection", "Sequences", "Shift", "ShortestPath", "SignedLog", "SignedPower",
    "Similarity", "Sinc", "SmithWaterman", "SparseVectors", "Spectral", "SpectralMap", "Spectrum",
    "SpectrumSum", "Square", "SquareRootMap", "StandardisedMap", "StringTableConfig", "Subsequence",
    "SubstitutionMatrix", "SupportVectorRegression", "SupportVectors", "Tanimoto", "TheoremConfig",
    "ThrombinConfig", "Together", "TooLargeError", "TournamentConfig", "TreePattern", "TwoStepRidge", "VIEW_COMPLETIONS",
    "Vectors", "ViewErrors", "VonNeumann", "WEIGHTINGS", "WalkOfOrder", "WeightedConfig", "WeightedSum", "WeisfeilerLehman",
    "Workspace",
    "adjusted_rand", "align", "align_with", "alignment_weights", "approximate", "are_numbers", "balanced_loss",
    "center", "chosen_columns", "classes_differ",
    "classes_of", "columns_of", "combination_atlas", "combination_chance", "combination_verdict",
    "combining", "compare", "compare_all", "compare_numbers", "compare_with", "comparing_new",
    "CompletedHits", "CompletedPairs", "MissedPair", "NextPair", "complete_hits", "complete_pairs",
    "complete_views", "completed_kernel", "completion_atlas", "completion_chance", "conditioned_rows",
    "contradicted_labels", "copies_of",
    "cosine_normalize", "cost_of", "decompose_network", "diagnose", "diagonal_atlas", "diffusions_of", "drawn_views",
    "edge_state", "empirical_map", "evaluation_state", "expand", "explain_pair", "extend_kernel",
    "extrapolate", "fetch_dataset", "fill_unknown", "find_groups", "find_outliers",
    "fisher_map", "fit_markov_chain", "fit_profile",
    "fold_reliability", "from_labels", "gene_data", "graph_kernel", "graph_lasso", "graph_table",
    "graph_table_chance", "group_stability",
    "health", "hidden_views", "hide_pairs", "impute", "imputed_similarities", "join_labels",
    "join_nodes", "joint_curve", "joint_kernel", "joint_path", "joint_regularize", "judge", "judge_many",
    "judge_numbers", "judged_verdict", "judging_edges", "judging_lasso", "judging_missing", "judging_together",
    "kept_by_maps", "kernel_by_attributes", "kernel_k_means",
    "kernel_logistic", "kernel_pca", "kernel_ridge", "kernels_for", "kmer_weights",
    "lam_of", "landmark_errors", "last_state", "lle_kernel", "load_dataset", "load_model", "losses_at", "map_kernel",
    "marked", "match_features", "measuring_extrapolation", "measuring_joint", "measuring_table_1",
    "measuring_table_2", "measuring_table_3", "measuring_table_4", "measuring_table_5", "measuring_table_6",
    "median_rfp", "mkl", "mkl_path", "neighbour_network", "network_atlas", "network_layout", "node_weights", "noise_kernel",
    "nothing_known", "of_each_curve", "one_vs_rest_accuracy", "pairs_differ", "paper_tests", "permutation_test", "place_new",
    "place_nodes", "placing_nodes", "pointwise_product", "predict_csv", "predict_edges", "predict_numbers",
    "predict_unlabelled", "prepare_combination", "prepare_groups", "prepare_map", "prepare_network", "preparing_network",
    "rank_unobserved", "read_families", "read_labels", "read_new_rows", "read_new_vectors", "read_nodes",
    "read_samples", "read_sparse_vectors", "read_substitution_matrix", "read_workspace", "reduce_kernel",
    "reduced_kernel", "reduced_set", "regularized_kernel", "related", "reliability", "repair_psd", "roc_score", "save_model",
    "scaled", "shrunk_kernel", "signed_log", "signed_power", "spectral_map", "square_loss_mkl", "square_root_map",
    "string_table", "string_table_chance", "svm_fisher", "sweeping_network", "sweeping_shares",
    "sweeping_strengths", "together_chance", "tournament", "train_model", "verdict_at", "verdict_sentence",
    "view_completion", "view_errors", "view_map", "view_network", "weighted_sum", "without_columns",
    "write_workspace", "yates_p",
]  # fmt: skip


@cache
def _homes() -> dict[str, tuple[str, str]]:
    """Module of every public name, and what it is called there: the imports above, which are written once."""
    loader: Any = globals()["__loader__"]  # it has the source wherever that is: in a file, or in an archive
    tree = ast.parse(loader.get_source(__name__))
    found = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {
        each.asname or each.name: (str(node.module), each.name)
        for node in found
        for each in node.names
        if str(node.module).startswith(f"{__name__}.")
    }


_FORMER = {"NotConvergedError": "KernexError"}
"""Nothing raises it any more: what does not converge is counted, and the result says so."""
_CATALOGUES = ("KERNELS", "LEARNERS", "EDGE_METHODS", "WEIGHTINGS", "IMPUTATIONS", "SCHEMES")
"""What is added to one of them is public with the line that it gets there: scripts import it from here."""


if not TYPE_CHECKING:  # to the type checker every other name is none

    def _in_catalogue(name: str) -> object:
        """The kind of that name in a catalogue; None where there is none."""
        every = (
            each for catalogue in _CATALOGUES for each in globals().get(catalogue) or __getattr__(catalogue)
        )
        kinds = (each if isinstance(each, type) else type(each) for each in every)
        return next((kind for kind in kinds if kind.__name__ == name), None)

    def __getattr__(name: str) -> object:
        """Import a public name; it stays."""
        module, there = _homes().get(_FORMER.get(name, name), ("", ""))
        if module:
            found = getattr(import_module(module), there)
        elif name.startswith("_") or (found := _in_catalogue(name)) is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        """Return all public names, imported or not."""
        return sorted({*globals(), *__all__})
