"""What the visitor brings for Table 4: sparse vectors, or a kernel with classes."""

from __future__ import annotations

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.upload import Upload
from kernex_core.studies.papers.orthogonal.sparse import SparseVectors
from kernex_core.studies.papers.paper_table import PaperTable
from pages.papers.orthogonal.brought import (
    Brought,
    choose_with_classes,
    chosen_classes,
    class_sizes,
    complete_kernels,
    lacking,
    one_class,
    to_data,
)
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.figures.theme import number
from pages.shared.files.kept import kept_upload
from pages.shared.files.uploads import read_upload
from pages.shared.messages import guard, plain
from pages.shared.readers import tasks


def kernel_with_classes(paper: PaperTable) -> Brought | None:
    """Return a kernel with labels: of sparse vectors that are uploaded here, or of the chosen data set."""
    file = kept_upload(
        "Sparse vectors", key=f"{paper.key}.file", types=["svm", "svmlight", "libsvm", "data", "csv", "txt", "gz"],
        help="SVMlight or KDD Cup lines; at most 50 MB packed.",
    )  # fmt: skip
    if file is not None:
        return _of_file(paper, file)
    dataset = workspace.current()
    kernels = complete_kernels(dataset)
    if dataset is None or not kernels or dataset.labels is None:
        lacking(
            f"Table {paper.number} is measured as soon as there are sparse vectors, or an open data set with a kernel that "
            "is known everywhere and labels."
        )
        to_data(paper)
        return None
    chosen = choose_with_classes(paper, "Kernel", list(kernels), dataset, dataset.labels)
    if chosen is None:
        return None
    name, positive = chosen
    return Brought((kernels[name], dataset.labels, positive), name)


def _of_file(paper: PaperTable, file: Upload) -> Brought | None:
    read = read_upload(file, tasks.sparse_vectors)
    if read is None or one_class(paper, file.filename, read.labels):
        return None
    K = None
    with guard():
        K = sparse_kernel(read)
    if K is None:
        return None
    st.caption(
        f"{plain(file.filename)}: {read.X.shape[0]:,} × {read.n_features:,}, of which {read.X.shape[1]:,} features occur; "
        f"{number(100.0 * read.share_of_entries)}\u00a0% are not 0; diagonal {number(float(K.values.diagonal().mean()))} on "
        "average."
    )
    positive = chosen_classes(paper, file.filename, read.labels)
    class_sizes(read.labels, positive)
    known = {"n_features": read.n_features, "share": read.share_of_entries}
    return Brought((K, read.labels, positive), file.filename, known)


@cached
def sparse_kernel(vectors: SparseVectors) -> GramMatrix:
    """Return the linear kernel of sparse vectors."""
    return vectors.kernel()
