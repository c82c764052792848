"""What the visitor brings for Tables 2, 4, 5 and 6: vectors with classes, a kernel with classes, sparse vectors."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.datasets.fetch import PUBLIC_DATASETS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.orthogonal_sparse import SparseVectors, read_sparse_vectors
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.messages import guard, plain
from pages.shared.navigation import go_to
from pages.shared.uploads import read_upload, upload

COLON: Final = (
    "**What to bring**: raw expression intensities above 0, one row a sample and one column a gene, with a column *label* "
    "of two classes (CSV, TSV, Excel). The paper has the colon samples of Alon et al. 1999, 62 × 2000: 40 tumour, 22 normal "
    "(fetched by the button below, or in R `plsgenomics::Colon`)."
)
LYMPHOMA: Final = (
    "**What to bring**: log ratios with empty cells where a value is unknown, one row a sample and one column a gene, with "
    "a column *label*; leave out every other column. The paper has the lymphoma samples of Alizadeh et al. 2000, "
    "96 × 4026, malignant against the others (fetched by the button below)."
)
THROMBIN: Final = (
    "**What to bring**: one labelled vector a line, `label index:value index:value …` (SVMlight) or `label,0,1,0,…` as in "
    "KDD Cup 2001, also gzipped. The paper has thrombin: 1909 × 139,351 binary features, 42 actives (label A against I). "
    "The full table is never held; what is not 0 is kept. Or bring a kernel and labels on the page Data."
)

PUBLIC: Final = {2: "colon", 5: "lymphoma"}
"""The public data set of each table that takes vectors."""

Subject = tuple[Vectors, Labels, tuple[str, ...]]
KernelSubject = tuple[GramMatrix, Labels, tuple[str, ...]]


def vectors_with_classes(table: int, bring: str) -> Subject | None:
    """Return vectors of the chosen data set, its labels, and the classes that are set against the others."""
    st.markdown(bring)
    dataset = workspace.current()
    found = {} if dataset is None else {n: s for n, s in dataset.samples.items() if isinstance(s, Vectors)}
    if dataset is None or not found or dataset.labels is None or len(dataset.labels.classes) < 2:
        missing = "vectors with classes" if dataset is None or not found else "labels of two classes"
        where = (
            "Nothing is open"
            if dataset is None
            else f"The open data set {plain(dataset.name)} has no {missing}"
        )
        st.info(
            f"{where}. Table {table} is measured as soon as there are {missing}.",
            icon=":material/upload_file:",
        )
        _fetch(table)
        return None
    left, right = st.columns(2, vertical_alignment="bottom")
    name = left.selectbox(
        "Vectors", list(found), key=f"papers.orthogonal.{table}.vectors.{dataset.name}", persist_state="session",
        help="Vectors of the open data set.",
    )  # fmt: skip
    with right:
        positive = _positive(table, dataset.name, dataset.labels)
    return found[name], dataset.labels, positive


def kernel_with_classes(table: int) -> KernelSubject | None:
    """Return a kernel with labels: of sparse vectors that are uploaded here, or of the chosen data set."""
    st.markdown(THROMBIN)
    file = upload(
        "Sparse vectors", key=f"papers.orthogonal.{table}.file", types=["svm", "svmlight", "libsvm", "data", "txt", "gz"],
        help="SVMlight or KDD Cup lines; at most 50 MB packed.",
    )  # fmt: skip
    if file is not None:
        read = read_upload(file, sparse_vectors)
        if read is None:
            return None
        K = sparse_kernel(file.data, file.name)
        st.caption(
            f"{plain(file.name)}: {read.X.shape[0]:,} × {read.X.shape[1]:,}, {100.0 * read.share_of_entries:.2g} % are not "
            f"0; diagonal {K.values.diagonal().mean():,.4g} on average."
        )
        return K, read.labels, _positive(table, file.name, read.labels)
    dataset = workspace.current()
    kernels = {} if dataset is None else {n: K for n, K in dataset.kernels.items() if K.unknown.complete}
    if dataset is None or not kernels or dataset.labels is None:
        st.info(
            f"Table {table} is measured as soon as there are sparse vectors, or an open data set with a kernel that is "
            "known everywhere and labels.",
            icon=":material/upload_file:",
        )
        _to_data(table)
        return None
    left, right = st.columns(2, vertical_alignment="bottom")
    name = left.selectbox(
        "Kernel", list(kernels), key=f"papers.orthogonal.{table}.kernel.{dataset.name}", persist_state="session",
        help="Kernels of the open data set that are known everywhere.",
    )  # fmt: skip
    st.caption(f"{plain(dataset.name)} is no thrombin: what is printed stands beside it only for its shape.")
    with right:
        return kernels[name], dataset.labels, _positive(table, dataset.name, dataset.labels)


@cached
def sparse_vectors(data: bytes, filename: str) -> SparseVectors:
    """Return sparse vectors of an uploaded file."""
    return read_sparse_vectors(data, filename)


@cached
def sparse_kernel(data: bytes, filename: str) -> GramMatrix:
    """Return the linear kernel of an uploaded file."""
    return sparse_vectors(data, filename).kernel()


def complete_kernels(dataset: DataSet | None) -> dict[str, GramMatrix]:
    """Return the kernels of a data set that are known everywhere."""
    return {} if dataset is None else {n: K for n, K in dataset.kernels.items() if K.unknown.complete}


def _positive(table: int, name: str, labels: Labels) -> tuple[str, ...]:
    """Ask which classes are together against the others, where there are more than two."""
    classes = [each for each, _ in labels.classes]
    if len(classes) == 2:
        st.caption(" against ".join(f"{size} {plain(each)}" for each, size in labels.classes))
        return ()
    return tuple(
        st.multiselect(
            "These classes against the others",
            classes,
            default=classes[:1],
            persist_state="session",
            key=f"papers.orthogonal.{table}.positive.{name}",
            help="The paper's tables have two classes.",
        )
    )


def _fetch(table: int) -> None:
    """Offer the paper's data, and the page Data."""
    public = next(entry for entry in PUBLIC_DATASETS if entry.name == PUBLIC[table])
    here = "kept on this machine" if public.cached() else f"{public.size / 1e6:.1f} MB to download"
    with st.container(horizontal=True):
        if st.button(
            f"Fetch {public.title}", icon=":material/download:", key=f"papers.orthogonal.{table}.fetch",
            help=f"The paper's data: {here}, {public.licence}. They become a data set of this session.",
        ):  # fmt: skip
            with guard(), st.spinner(f"Fetching {public.title}"):
                workspace.add(public.load())
                st.rerun()
        _to_data(table)


def _to_data(table: int) -> None:
    if st.button("Bring data", icon=":material/table:", key=f"papers.orthogonal.{table}.bring"):
        go_to("data/data.py")
