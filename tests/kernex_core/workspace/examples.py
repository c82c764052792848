"""A small workspace with every kind of data, for the tests of its file."""

import numpy as np
from scipy import sparse

from kernex_core import (
    DataSet,
    GramMatrix,
    Labels,
    Network,
    Note,
    OpenData,
    Selection,
    Sequences,
    SparseVectors,
    Spectrum,
    Vectors,
    Workspace,
    expand,
    read_samples,
)
from kernex_core.completion.complete import Complete
from kernex_core.completion.hide import Hide
from kernex_core.completion.scattered.step import CompletePairs
from kernex_core.conditioning.columns_by_labels import ColumnsByLabels, columns_by_labels
from kernex_core.conditioning.empirical_map import EmpiricalMap
from kernex_core.conditioning.impute import FillUnknown, ImputedKernel, NearestRows, imputed_similarities
from kernex_core.conditioning.network_features import FeaturesOnNetwork, features_kernel, prepare_features
from kernex_core.conditioning.repairs import Clip
from kernex_core.gram.combine import BroughtSum, LearnedSum, Product, WeightedSum
from kernex_core.gram.graph import Graph
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.provenance import call
from kernex_core.gram.seen import Seen
from kernex_core.inputs.dataset import Defaults
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.items.match import match_features
from kernex_core.kernels.catalogue import KERNELS
from kernex_core.kernels.networks.diffusion import Diffusion
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.kernels.vectors.dot_product import Linear
from kernex_core.workspace.catalogue import STEPS

IDS = ("a", "β", "$1", "'c\"", "<b>e</b>")


def gram(n=5, seed=0, ids=IDS):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    return GramMatrix(X @ X.T + np.eye(n), ids[:n], "gram")


def matrices():
    K = gram()
    part = K.take([0, 2, 3])
    unknown = np.array(K.values)
    unknown[1, :] = unknown[:, 1] = np.nan
    unknown[0, 2] = unknown[2, 0] = -0.0
    labels = Labels(
        IDS, ["x", "x", "", "y", "y"], ["1", "2", "3", "4", "5"], positional=True, made_from="a tree"
    )
    data = DataSet(
        "matrices", IDS, labels, {}, {"whole": K.renamed("whole"), "holes": GramMatrix(unknown, IDS, "holes")},
        description="<script>alert(1)</script>", defaults=Defaults(C=np.float64(3.0), nugget=1e-300),
        notes=(Note("Five items.", severity="warning"),),
    )  # fmt: skip
    normal = K.then(CosineNormalize())
    kept = {
        "joint": K.then(Hide((1, 3))).then(Clip()).then(Complete(normal, lam=0.3)),
        "sum": normal.then(WeightedSum(gram(seed=1), 0.25)),
        "learned": normal.then(LearnedSum(gram(seed=1), 0.25)),
        "brought": normal.then(BroughtSum(gram(seed=1), 0.25)),
        "part": part.then(EmpiricalMap()),
        "expanded": expand(part, IDS).then(FillUnknown("mean")),
        "factors": expand(part, IDS).then(CompletePairs(normal, rank=2)),
    }
    return OpenData(
        data, {name: kernel.renamed(name) for name, kernel in kept.items()}, Selection(classes=("x", "y"))
    )


def samples():
    strings = Sequences(IDS, ("ABC", "", "A" * 30, "ÄÖ", "\udc80"), "text", repeated=(("a", "β"),))
    X = np.arange(10.0).reshape(5, 2)
    X[2, 1] = np.nan
    vectors = Vectors(IDS, X, ("u", "v"))
    genes = Network(("v", "u", "w"), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    few = SparseVectors(IDS, sparse.csr_array(np.where(np.arange(35.0).reshape(5, 7) % 4 == 0, 0.1, 0.0)))
    parts = {"strings": strings, "vectors": vectors, "few": few}
    data = DataSet("samples", IDS, None, parts, {}, simulated=True)
    profiles = prepare_features(match_features(vectors, genes), scaling="standardised")
    on_network = features_kernel(profiles, Diffusion(tau=2.0)).take([0, 1, 3, 4])
    chosen = columns_by_labels(Vectors(IDS, np.nan_to_num(X)), Labels(IDS, ["x", "x", "y", "", "y"]), 1)
    kept = {"imputed": imputed_similarities(Gaussian(), vectors), "on network": on_network, "chosen": chosen}
    kept["few"] = Linear().similarities(few)
    return OpenData(data.with_feature_network("genes", genes), kept)


def network():
    edges = sparse.csr_array(np.array([[0, 1.5, 0], [1.5, 0, 2], [0, 2, 0]]))
    nodes = Network(IDS[:3], edges, attributes=Vectors(IDS[:3], np.ones((3, 1)), ("w",)))
    return OpenData(DataSet("network", IDS[:3], samples={"edges": nodes}))


def graphs():
    pair = (
        Graph(3, [(0, 1), (1, 2)], ["C", "O", "C"], ["1", "2"], np.eye(3)[:, :2]),
        Graph(1, (), ["N"], (), [[0, 1]]),
    )
    labels = Labels(IDS[:2], ["x", "y"])
    return OpenData(
        DataSet("graphs", IDS[:2], labels, {"graphs": GraphSet.of(pair, IDS[:2], attribute_names=("u", "v"))})
    )


def sequences():
    read = read_samples(b">a\nACDE\n>b\nACD\n>c\nEEE\n", "three.fasta", kind="sequences")
    data = DataSet("read", read.ids, None, {"three": read})
    return OpenData(
        data, {"words": Spectrum(2).similarities(read.take([2, 0]), name="words")}, Selection(size=2)
    )


def history():
    """A kernel whose origin names one of every kind of value that has a default, and of those that have none."""
    given = (
        ImputedKernel,
        FeaturesOnNetwork,
        ColumnsByLabels,
        Complete,
        WeightedSum,
        LearnedSum,
        BroughtSum,
        Product,
    )
    steps = [kind() for kind in (*STEPS, *KERNELS) if kind not in given]
    recipe = call("chosen", "expand", "x")
    letters = SubstitutionMatrix("AB", ((1.0, 0.5), (0.5, 2.0)))
    others = [
        Product(gram()),
        NearestRows(),
        letters,
        recipe,
        b"bytes",
        [1],
        -np.inf,
    ]
    origin = call("K", "expand", *steps, *others)
    return OpenData(
        DataSet(
            "history", IDS, kernels={"K": GramMatrix(gram().values, IDS, "K", origin, seen=Seen(items=True))}
        )
    )


def workspace():
    settings = {"combine": {"lam": 0.25, "kernels": ["a", None, True, 3]}, "empty": {}}
    return Workspace(
        (matrices(), samples(), network(), graphs(), sequences(), history()), "samples", settings
    )
