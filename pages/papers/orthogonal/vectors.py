"""What the visitor brings for Tables 2 and 5: vectors with classes; the paper's can be fetched."""

from __future__ import annotations

import streamlit as st

from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Vectors
from kernex_core.inputs.upload import Upload
from kernex_core.studies.papers.orthogonal.sparse import SparseTable
from kernex_core.studies.papers.paper_table import PaperTable
from pages.papers.orthogonal.subject import (
    Brought,
    choose_with_classes,
    chosen_classes,
    class_sizes,
    complete_kernels,
    lacking,
    one_class,
    origin,
    to_data,
)
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number
from pages.server.messages import guard, plain
from pages.server.readers import tasks
from pages.ui.files import kept_upload, read_upload


def vectors_with_classes(paper: PaperTable) -> Brought | None:
    """Return vectors of the chosen data set, its labels, and the classes that are set against the others."""
    dataset = workspace.current()
    found = {} if dataset is None else {n: s for n, s in dataset.samples.items() if isinstance(s, Vectors)}
    labels = None if dataset is None else dataset.judgeable
    if dataset is None or not found or labels is None:
        missing = "vectors with classes" if dataset is None or not found else "labels of two classes"
        where = (
            "Nothing is open"
            if dataset is None
            else f"The open data set {plain(dataset.name)} has no {missing}"
        )
        lacking(f"{where}. Table {paper.number} is measured as soon as there are {missing}.")
        _fetch(paper)
        return None
    chosen = choose_with_classes(paper, "Vectors", list(found), dataset, labels)
    if chosen is None:
        return None
    name, positive = chosen
    brought = Brought((found[name], labels, positive), workspace.current_name() or "")
    if not origin(paper.number, *brought.data).same:
        _fetch(paper)
    return brought


def _fetch(paper: PaperTable) -> None:
    """Offer the paper's data, and the page Data."""
    public = next(entry for entry in PUBLIC_DATASETS if entry.name == paper.data.public)
    here = "kept on this machine" if public.cached() else f"{public.size / 1e6:.1f} MB to download"
    with st.container(horizontal=True):
        asked = st.button(
            f"Fetch {public.title}", icon=":material/download:", key=f"{paper.key}.fetch",
            help=f"The paper's data: {here}, {public.licence}. They become a data set of your workspace.",
        )  # fmt: skip
        to_data(paper)
    if asked:
        with guard(), st.spinner(f"Fetching {public.title}"):
            if public.title in workspace.datasets() and public.title != workspace.current_name():
                workspace.switch(public.title)
            else:
                workspace.add(public.load())
            st.rerun()


# What the visitor brings for Table 4: sparse vectors, or a kernel with classes.


def kernel_with_classes(paper: PaperTable) -> Brought | None:
    """Return a kernel with labels: of sparse vectors that are uploaded here, or of the chosen data set."""
    file = kept_upload(
        "Sparse vectors", key=f"{paper.key}.file", types=["svm", "svmlight", "libsvm", "data", "csv", "txt", "gz"],
        help="SVMlight or KDD Cup lines; at most 200 MB packed.",
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
def sparse_kernel(vectors: SparseTable) -> GramMatrix:
    """Return the linear kernel of sparse vectors."""
    return vectors.kernel()
