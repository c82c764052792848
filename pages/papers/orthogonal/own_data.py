"""What the visitor brings: vectors with classes for Tables 2 and 5; sequences and a table of their families for Table 6."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Vectors
from kernex_core.inputs.upload import Upload
from kernex_core.studies.papers.orthogonal.families import FamiliesConfig, FamilyTable
from kernex_core.studies.papers.orthogonal.paper import RFP, ROC, FamilyComparison, Mean, is_scop
from kernex_core.studies.papers.orthogonal.paper import SCORES_OF_FAMILY_COMPARISON as SCORES
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, TRAIN_ONLY
from kernex_core.studies.papers.orthogonal.sparse import SparseTable
from kernex_core.studies.papers.paper_table import PaperTable
from pages.papers.orthogonal.losses import margins, row_names
from pages.papers.orthogonal.subject import (
    Brought,
    choose,
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
from pages.server.declared import setting
from pages.server.digits import number
from pages.server.messages import guard, plain
from pages.server.readers import tasks
from pages.ui import shown as drawn
from pages.ui import widgets
from pages.ui.figures.chart import Items, Picture, Spec
from pages.ui.figures.scatter import MapAxes, item_map
from pages.ui.figures.theme import INK
from pages.ui.files import kept_upload, read_upload
from pages.ui.frame import panel_title
from pages.ui.panels.linked import draw

# What the visitor brings for Tables 2 and 5: vectors with classes; the paper's can be fetched.


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


# What the visitor brings for Table 6: a kernel of sequences, and a table of their families.


def kernel_with_families(paper: PaperTable) -> Brought | None:
    """Return a kernel of the open data set and an uploaded table of families."""
    left, right = st.columns(2)
    with right:
        file = kept_upload(
            "Table of families", key=f"{paper.key}.file", types=["csv", "tsv", "txt"],
            help="CSV or TSV; commas, semicolons or tabs.",
        )  # fmt: skip
    with left:
        K = _kernel(paper)
    families = None if file is None else read_upload(file, tasks.families)
    return None if K is None or families is None else Brought((K, families), K.name)


def _kernel(paper: PaperTable) -> GramMatrix | None:
    dataset = workspace.current()
    kernels = complete_kernels(dataset)
    if dataset is None or not kernels:
        lacking(
            f"Nothing is open. Table {paper.number} needs a kernel of the sequences."
            if dataset is None
            else "The open data set has no kernel that is known everywhere."
        )
        to_data(paper)
        return None
    return kernels[choose(paper, "Kernel", list(kernels), dataset)]


# Table 6 as it is drawn: printed beside measured, family by family, and what the numbers fit.

SHORT = {ALL_POINTS: "all points", TRAIN_ONLY: "train only"}
NAMES = {RFP: "RFP", ROC: "ROC"}


def printed(paper: PaperTable) -> None:
    """Draw what the paper prints, where nothing is measured yet."""
    panel_title(f"Table {paper.number}, published", f"mean over {paper.repeats.printed} families")
    cells = _cells(paper)
    for each in paper.beside:
        if each.name not in cells["kernel"]:
            cells["kernel"].append(each.name)
        cells[each.column].append(f"{each.printed.mean:.4f}")
    drawn.table("orthogonal.printed", cells)


def show(paper: PaperTable, found: FamilyTable) -> None:
    """Draw the verdict and every family."""
    compared = FamilyComparison(paper, found)
    verdict(compared)
    with st.container(gap="xsmall", key="maps"):
        scatters(compared)


def numbers(paper: PaperTable, found: FamilyTable, config: FamiliesConfig, name: str) -> None:
    """Draw the table and how much is done."""
    table(FamilyComparison(paper, found))
    _about(found, config, name)


def _about(found: FamilyTable, config: FamiliesConfig, name: str) -> None:
    """Write how much is done and how the margins were."""
    soft = f"asymmetric margin, soft by *c* = {config.asymmetry:g}: " if config.asymmetry > 0.0 else ""
    counts = (found.training_errors, found.at_bound, found.not_converged)
    how = (
        margins(*counts)
        if not soft or any(counts)
        else "no coefficient reached C, no training decision is wrong"
    )
    st.caption(f"{len(found.names)} families of {plain(name)} · {number(found.seconds, 1)} s · {soft}{how}")


def table(compared: FamilyComparison) -> None:
    """Draw means over families with their standard errors."""
    paper, found = compared.paper, compared.found
    judged = is_scop(found.names)
    words = "mean ± standard error over families, without those whose test items are of one kind"
    if judged:
        words += "; outside: further from the printed mean than 2 SE of the difference, both means taken to be equally sure"
    panel_title(f"Table {paper.number}, published beside measured", words)
    cells = _cells(paper, "" if judged else f", {paper.data.name}")
    whole, begun = divmod(found.done, len(found.names))
    for column, short in SHORT.items():
        for score in SCORES:
            means = compared.means(score, column)
            made = [cell(mean, judged=judged) for mean in means]
            if begun:  # a mean over some of the families is no row of the table
                made[whole] = f"{cell(means[whole])} :gray[{begun} of {len(found.names)} families]"
            cells[f"{NAMES[score]}, {short}"] = made
    drawn.table("orthogonal.table", cells)


def verdict(compared: FamilyComparison) -> None:
    """Write how many rows fit with each basis, once all are measured."""
    found, rows = compared.found, len(compared.found.powers)
    if not is_scop(found.names) or found.done < found.total:
        return
    said = [
        f"{NAMES[score]} **{compared.inside(score, ALL_POINTS)} of {rows}** with all points and "
        f"**{compared.inside(score, TRAIN_ONLY)}** with training points"
        for score in SCORES
    ]
    st.markdown(
        "The text says that training points are the basis of the map. Rows within 2 SE: "
        + "; ".join(said)
        + ("." if compared.tells else ". The numbers cannot tell which of the two it was.")
    )


SETTINGS = (setting("scatter", "Family by family at p"),)


def scatters(compared: FamilyComparison) -> None:
    """Draw every family's ROC score with the map against the kernel as it is, as in the paper's Fig. 3."""
    found, key, measured = compared.found, compared.paper.key, compared.measured()
    if not measured:
        return
    p = widgets.pick(
        "scatter", measured, default=0.2 if 0.2 in measured else measured[-1],
        key=f"{key}.scatter.p", help="ROC score with the map against the kernel as it is.",
    )  # fmt: skip
    row = found.powers.index(p)
    for place, (column, slot) in enumerate(zip(SHORT, st.columns(2, gap="medium"), strict=True)):
        with slot, st.container(gap="xxsmall"):
            better, worse, both = compared.better(column, row)
            panel_title(column, f"**{better}** families above the line, **{worse}** below, of {both}")
            roc = found.roc[column]
            draw(scatter(found.names, roc[:, 0], roc[:, row], f"p = {p:g}"), f"{key}.scatter.{place}")


def scatter(names: tuple[str, ...], was: FloatArray, now: FloatArray, title: str) -> Picture:
    """One point a family, and the line where nothing changes."""
    axes = MapAxes(("ROC, kernel as it is", f"ROC, {title}"))
    items = Items(names, ["family"] * len(names))
    picture = item_map(np.column_stack([was, now]), items, axes=axes, height=300)
    low = float(np.nanmin([0.9, np.nanmin(was, initial=1.0), np.nanmin(now, initial=1.0)])) - 0.03
    line: Spec = {
        "type": "line", "x0": low, "y0": low, "x1": 1.02, "y1": 1.02, "line": {"color": INK, "width": 1},
        "layer": "below",
    }  # fmt: skip
    same: Spec = {"range": [low, 1.02]}
    return picture.with_layout({"xaxis": same, "yaxis": same, "shapes": [line]})


def cell(mean: Mean, *, judged: bool = False) -> str:
    """Return "**0.8251** ± 0.0123 outside": a mean over families, and whether it is far from the printed one."""
    if math.isnan(mean.value):
        return "…"
    if math.isnan(mean.se):
        return f"**{mean.value:.4f}**"
    outside = " :orange[outside]" if judged and mean.difference.outside else ""
    return f"**{mean.value:.4f}** :gray[± {mean.se:.4f}]{outside}"


def _cells(paper: PaperTable, of: str = "") -> dict[str, list[str]]:
    return {
        "kernel": row_names(paper.rows),
        **{
            f"{score}{of}": [f"{each.mean:.4f}" for each in values] for score, values in paper.printed.items()
        },
    }
