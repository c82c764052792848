"""What the visitor brings for Table 4: sparse vectors, or a kernel; and files that stay while other pages are looked at."""

from __future__ import annotations

from typing import Final, NamedTuple

import streamlit as st

from kernex_core.errors import KernexError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.inputs.upload import Upload
from kernex_core.studies.papers.orthogonal.classes import two_classes
from kernex_core.studies.papers.orthogonal.origin import Origin, thrombin_origin
from kernex_core.studies.papers.orthogonal.sparse import SparseVectors, read_sparse_vectors
from pages.papers.orthogonal.vectors import chosen_classes, class_sizes, to_data
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.figures.theme import number
from pages.shared.messages import guard, plain
from pages.shared.uploads import read_upload, upload

THROMBIN: Final = (
    "**What to bring**: one labelled vector a line, `label index:value index:value …` (SVMlight) or `label,0,1,0,…` as in "
    "KDD Cup 2001, also gzipped. The paper has thrombin: 1909 × 139,351 binary features, 42 actives (label A against I). "
    "The full table is never held; what is not 0 is kept. Or bring a kernel and labels on the page Data."
)


class KernelSubject(NamedTuple):
    """Kernel, labels, classes against the others; a name; number of features and share that is not 0 where known."""

    K: GramMatrix
    labels: Labels
    positive: tuple[str, ...]
    name: str
    n_features: int | None = None
    share: float | None = None

    def origin(self) -> Origin:
        """Return whether this may be the paper's thrombin."""
        try:
            coded = two_classes(self.labels, self.positive)
        except KernexError:
            return Origin(False)  # what is wrong with the classes is said where the table would stand
        diagonal = float(self.K.values.diagonal().mean())
        return thrombin_origin(coded, diagonal, self.n_features, self.share)


def kernel_with_classes(table: int) -> KernelSubject | None:
    """Return a kernel with labels: of sparse vectors that are uploaded here, or of the chosen data set."""
    st.markdown(THROMBIN)
    file = kept_upload(
        "Sparse vectors", key=f"papers.orthogonal.{table}.file",
        types=["svm", "svmlight", "libsvm", "data", "csv", "txt", "gz"],
        help="SVMlight or KDD Cup lines; at most 50 MB packed.",
    )  # fmt: skip
    if file is not None:
        return _of_file(table, file)
    dataset = workspace.current()
    kernels = complete_kernels(dataset)
    if dataset is None or not kernels or dataset.labels is None:
        st.info(
            f"Table {table} is measured as soon as there are sparse vectors, or an open data set with a kernel that is "
            "known everywhere and labels.",
            icon=":material/upload_file:",
        )
        to_data(table)
        return None
    left, right = st.columns(2, vertical_alignment="bottom")
    name = left.selectbox(
        "Kernel", list(kernels), key=f"papers.orthogonal.{table}.kernel.{dataset.name}", persist_state="session",
        help="Kernels of the open data set that are known everywhere.",
    )  # fmt: skip
    if _one_class(dataset.name, dataset.labels):
        return None
    with right:
        positive = chosen_classes(table, dataset.name, dataset.labels)
    class_sizes(dataset.labels, positive)
    return KernelSubject(kernels[name], dataset.labels, positive, name)


def _of_file(table: int, file: Upload) -> KernelSubject | None:
    with st.spinner(f"Reading {plain(file.filename)}"):
        read = read_upload(file, sparse_vectors)
    if read is None or _one_class(file.filename, read.labels):
        return None
    K = None
    with guard():
        K = sparse_kernel(file.packed, file.filename)
    if K is None:
        return None
    st.caption(
        f"{plain(file.filename)}: {read.X.shape[0]:,} × {read.n_features:,}, of which {read.X.shape[1]:,} features occur; "
        f"{number(100.0 * read.share_of_entries)} % are not 0; diagonal {number(float(K.values.diagonal().mean()))} on "
        "average."
    )
    positive = chosen_classes(table, file.filename, read.labels)
    class_sizes(read.labels, positive)
    return KernelSubject(K, read.labels, positive, file.filename, read.n_features, read.share_of_entries)


def _one_class(name: str, labels: Labels) -> bool:
    """Say that there is nothing to tell apart."""
    if labels.judgeable:
        return False
    one = f"one class, {plain(labels.classes[0][0])}" if labels.classes else "no classes"
    st.info(
        f"{plain(name)} has {one}. Table 4 is measured as soon as there are items of two classes.",
        icon=":material/upload_file:",
    )
    return True


def kept_upload(label: str, *, key: str, types: list[str], help: str) -> Upload | None:
    """Ask for one file; it stays for this session when its widget goes, until it is let go of or another one comes."""
    file = upload(label, key=key, types=types, help=help)
    if file is not None:
        workspace.remember(f"{key}.kept", file)
        return file
    kept: Upload | None = workspace.recall(f"{key}.kept")
    if kept is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{plain(kept.filename)} is still here.", width="content")
            if st.button("Let go of it", key=f"{key}.forget", type="tertiary", icon=":material/close:"):
                workspace.remember(f"{key}.kept", None)
                st.rerun()
    return kept


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
