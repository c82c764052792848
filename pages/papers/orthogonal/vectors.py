"""What the visitor brings for Tables 2 and 5: vectors with classes; and whether they are the paper's."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.datasets.fetch import PUBLIC_DATASETS
from kernex_core.errors import KernexError
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.papers.orthogonal.classes import two_classes
from kernex_core.studies.papers.orthogonal.origin import COLON_DATA, LYMPHOMA_DATA, Origin, expression_origin
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.messages import guard, plain
from pages.shared.navigation import go_to

COLON: Final = (
    "**What to bring**: raw expression intensities above 0, one row a sample and one column a gene, with a column *label* "
    "of two classes (CSV, TSV, Excel). The paper has the colon samples of Alon et al. 1999, 62 × 2000: 40 tumour, 22 normal "
    "(in R `plsgenomics::Colon`)."
)
LYMPHOMA: Final = (
    "**What to bring**: log ratios with empty cells where a value is unknown, one row a sample and one column a gene, with "
    "a column *label*; leave out every other column. The paper has the lymphoma samples of Alizadeh et al. 2000, "
    "96 × 4026, malignant against the others: 61 and 35 in the text, 62 and 34 in the only labels that could be found."
)

PUBLIC: Final = {2: "colon", 5: "lymphoma"}
"""The public data set of each table that takes vectors."""
PAPER_DATA: Final = {2: COLON_DATA, 5: LYMPHOMA_DATA}
MALIGNANT: Final = frozenset({"malignant", "tumour", "tumor", "cancer", "dlbcl", "fl", "cll"})
"""Names of classes that the tables set against the others; the last three are kinds of lymphoma and leukaemia."""

Subject = tuple[Vectors, Labels, tuple[str, ...]]


def vectors_with_classes(table: int, bring: str) -> Subject | None:
    """Return vectors of the chosen data set, its labels, and the classes that are set against the others."""
    st.markdown(bring)
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
        positive = chosen_classes(table, dataset.name, labels)
    class_sizes(labels, positive)
    subject = (found[name], labels, positive)
    if not expression(table, *subject).same:
        _fetch(table)
    return subject


def name() -> str:
    """Return what the open data set is called."""
    return workspace.current_name() or ""


@cached
def expression(table: int, vectors: Vectors, labels: Labels, positive: tuple[str, ...]) -> Origin:
    """Return whether these are the paper's data and classes."""
    try:
        return expression_origin(PAPER_DATA[table], vectors.X, two_classes(labels, positive))
    except KernexError:
        return Origin(False)  # what is wrong with the classes is said where the table would stand


def chosen_classes(table: int, name: str, labels: Labels) -> tuple[str, ...]:
    """Ask which classes are together against the others, where there are more than two."""
    classes = [each for each, _ in labels.classes]
    if len(classes) <= 2:
        return ()
    known = [each for each in classes if each.lower() in MALIGNANT]
    return tuple(
        st.multiselect(
            "These classes against the others",
            classes,
            default=known if 0 < len(known) < len(classes) else classes[:1],
            persist_state="session",
            key=f"papers.orthogonal.{table}.positive.{name}",
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
                if public.title in workspace.datasets() and public.title != workspace.current_name():
                    workspace.switch(public.title)
                else:
                    workspace.add(public.load())
                st.rerun()
        to_data(table)


def to_data(table: int) -> None:
    """Offer the page Data."""
    if st.button("Bring data", icon=":material/table:", key=f"papers.orthogonal.{table}.bring"):
        go_to("data/data.py")
