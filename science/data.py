"""Data sets that runs need and that are not part of the repository."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.fetched.graphs import ENZYMES, GraphCollection
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.step import Step
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels, Sequences, Vectors
from kernex_core.kernels.networks.diffusion import Diffusion
from kernex_core.studies.papers.joint.measuring import PAPER_CLASSES

FOLDER = Path(os.environ.get("KERNEX_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "data"
LEAST_MEMBERS = 10


class AbsentError(Exception):
    """The data of a run are not on this machine."""


def path(*parts: str) -> Path:
    """A file beside the repository, or where KERNEX_SHARED says.

    Raises
    ------
    AbsentError
        It is not there.
    """
    found = FOLDER.joinpath(*parts)
    if not found.exists():
        raise AbsentError(str(found))
    return found


def colon() -> tuple[Vectors, Labels]:
    """62 tissues, 2,000 genes."""
    table = pd.read_csv(path("colon", "colon_62x2000.csv.gz"))
    return _items(table.iloc[:, 1:].to_numpy(float), table["label"].to_numpy(str))


def lymphoma() -> tuple[Vectors, Labels]:
    """96 samples, 4,026 genes, by Dettling's classes: 62 malignant ones against the others."""
    table = pd.read_csv(path("lymphoma", "lymphoma_96x4026.csv.gz"))
    classes = np.where(table["dettling62"] == 1, "malignant", "other")
    return _items(table.iloc[:, 4:].to_numpy(float), classes)


def tim_barrels(step: Step | None = None) -> tuple[GramMatrix, GramMatrix, Labels]:
    """Residues, structures and superfamilies of 296 domains: superfamilies of at least 10."""
    labels = pd.read_csv(path("scop_tim_barrel", "c1_labels.tsv"), sep="\t").set_index("domain")
    tables = [
        pd.read_csv(path("scop_tim_barrel", file), index_col=0)
        for file in ("c1_sw_blosum62_score.csv.gz", "c1_sw_foldseek3di_score.csv.gz")
    ]
    y = labels.loc[list(tables[0].index), "superfamily"].to_numpy(str)
    names, counts = np.unique(y, return_counts=True)
    keep = np.isin(y, names[counts >= LEAST_MEMBERS])
    kernels = [GramMatrix(table.to_numpy(float), tuple(table.index)).take(keep) for table in tables]
    source, target = (K if step is None else K.then(step) for K in kernels)
    return source, target, Labels(source.ids, y[keep])


def barrel_sequences() -> tuple[Sequences, Labels]:
    """Residues themselves of the same domains as `tim_barrels`, in the same order."""
    _, _, labels = tim_barrels()
    text = path("scop_tim_barrel", "c1_aa.fasta").read_text(encoding="utf-8")
    records = (record.partition("\n") for record in text.split(">")[1:])
    strings = {head.split()[0]: "".join(lines.split()) for head, _, lines in records}
    return Sequences(labels.ids, tuple(strings[name] for name in labels.ids)), labels


def collection(made: GraphCollection) -> DataSet:
    """Graphs of a folder of the TUDataset collection, read as the zip that it comes in."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for part in sorted(path(made.name).glob(f"{made.name}_*.txt")):
            file.write(part, part.name)
    return made.read(content.getvalue())


def _items(X: FloatArray, y: NDArray[np.str_]) -> tuple[Vectors, Labels]:
    ids = tuple(f"s{i}" for i in range(len(X)))
    return Vectors(ids, X), Labels(ids, y)


def lyases_and_ligases() -> tuple[GraphSet, Labels]:
    """Classes 4 and 6 of ENZYMES, 100 graphs each, in the order of the files."""
    data = collection(ENZYMES)
    (graphs,) = (part for part in data.samples.values() if isinstance(part, GraphSet))
    assert data.labels is not None
    at = [i for i, name in enumerate(data.labels.y) if name.endswith(PAPER_CLASSES)]
    return graphs.take(at), data.labels.take(at)


def digits() -> tuple[GramMatrix, GramMatrix, Labels]:
    """Two of the six views of 200 handwritten digits that CVKT's authors made: source and target of a completion."""
    from scipy.io import loadmat

    K = loadmat(path("cvkt_digits", "digits_K_n200.mat"))["K"]
    y = loadmat(path("cvkt_digits", "digits_labels_n200.mat"))["y"].ravel().astype(int).astype(str)
    ids = tuple(f"d{i}" for i in range(len(y)))
    source, target = (GramMatrix(K[:, :, view], ids, name) for view, name in ((0, "source"), (2, "target")))
    return source, target, Labels(ids, y)


def yeast() -> tuple[dict[str, GramMatrix], Labels]:
    """134 proteins of yeast that communicate, whether each is of the intracellular signalling cascade, and diffusion."""
    nodes = pd.read_csv(path("ppi_yeast_sand", "ppiCC_nodes.csv"))
    edges = pd.read_csv(path("ppi_yeast_sand", "ppiCC_edges.csv")).to_numpy()
    ids = tuple(nodes["name"])
    A = np.zeros((len(ids), len(ids)))
    A[edges[:, 0], edges[:, 1]] = A[edges[:, 1], edges[:, 0]] = 1.0
    kernels = {f"τ = {tau:g}": GramMatrix(Diffusion(tau=tau).gram(A), ids) for tau in (1.0, 5.0)}
    return kernels, Labels(ids, np.where(nodes["ICSC"] == 1, "signalling", "other"))
