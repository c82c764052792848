"""What the visitor brings for a table: chosen from the open data set or uploaded, with the classes to set apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.studies.papers.paper_table import PaperTable
from pages.shared.messages import plain
from pages.shared.navigation import go_to
from pages.shared.settings import widgets

MALIGNANT: Final = frozenset({"malignant", "tumour", "tumor", "cancer", "dlbcl", "fl", "cll"})
"""Names of classes that the tables set against the others; the last three are kinds of lymphoma and leukaemia."""
HELP: Final = {
    "Vectors": "Vectors of the open data set.",
    "Kernel": "Kernels of the open data set that are known everywhere.",
}


def prefix(paper: PaperTable) -> str:
    """Return what stands before the names of a table's settings."""
    return f"t{paper.number}_"


class Brought(NamedTuple):
    """What a study takes after its configuration; what it is called, and what else is known of where it is from."""

    data: tuple[object, ...] = ()
    name: str = ""
    known: Mapping[str, object] | None = None


def choose(paper: PaperTable, what: str, names: Sequence[str], dataset: DataSet) -> str:
    """Ask for one of the vectors or kernels of the open data set; `what` is a key of HELP."""
    key = f"{paper.key}.{what.lower()}.{dataset.name}"
    return widgets.choose(f"{prefix(paper)}{what.lower()}", names, key=key, help=HELP[what])


def choose_with_classes(
    paper: PaperTable, what: str, names: Sequence[str], dataset: DataSet, labels: Labels
) -> tuple[str, tuple[str, ...]] | None:
    """Ask for the same, and which classes are set against the others; None where there is nothing to tell apart."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        name = choose(paper, what, names, dataset)
    if one_class(paper, dataset.name, labels):
        return None
    with right:
        positive = chosen_classes(paper, dataset.name, labels)
    class_sizes(labels, positive)
    return name, positive


def chosen_classes(paper: PaperTable, name: str, labels: Labels) -> tuple[str, ...]:
    """Ask which classes are together against the others, where there are more than two."""
    classes = [each for each, _ in labels.classes]
    if len(classes) <= 2:
        return ()
    known = [each for each in classes if each.lower() in MALIGNANT]
    return tuple(
        widgets.several(
            f"{prefix(paper)}positive",
            classes,
            default=known if 0 < len(known) < len(classes) else classes[:1],
            key=f"{paper.key}.positive.{name}",
            help="The paper's tables have two classes.",
        )
    )


def class_sizes(labels: Labels, positive: tuple[str, ...]) -> None:
    """Write how many items stand against how many, and how many are in no fold."""
    sizes = dict(labels.classes)
    alone = int((~labels.labelled).sum())
    without = f"; {alone:,} without a label are in no fold" if alone else ""
    if not positive:
        shown = " against ".join(f"{size:,} {plain(each)}" for each, size in labels.classes)
    else:
        inside = sum(sizes[each] for each in positive)
        shown = f"{inside:,} items against {sum(sizes.values()) - inside:,}"
    if positive or len(sizes) == 2:
        st.caption(f"{shown}{without}")


def one_class(paper: PaperTable, name: str, labels: Labels) -> bool:
    """Say that there is nothing to tell apart."""
    if labels.judgeable:
        return False
    one = f"one class, {plain(labels.classes[0][0])}" if labels.classes else "no classes"
    lacking(
        f"{plain(name)} has {one}. Table {paper.number} is measured as soon as there are items of two classes."
    )
    return True


def lacking(text: str) -> None:
    """Write what is not there yet."""
    st.info(text, icon=":material/upload_file:")


def to_data(paper: PaperTable) -> None:
    """Offer the page Data."""
    if st.button("Bring data", icon=":material/table:", key=f"{paper.key}.bring"):
        go_to("data/data.py")


def complete_kernels(dataset: DataSet | None) -> dict[str, GramMatrix]:
    """Return the kernels of a data set that are known everywhere."""
    return {} if dataset is None else {n: K for n, K in dataset.kernels.items() if K.unknown.complete}
