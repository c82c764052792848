"""What the page is about in this run: a table of the paper, on which data and with which settings; its kept results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import streamlit as st

from kernex_core.base.errors import KernexError, NotPositiveSemidefiniteError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.studies.papers.catalogue import tables_of
from kernex_core.studies.papers.orthogonal.families import FamilyTable
from kernex_core.studies.papers.orthogonal.power_table import PowerTable, two_classes
from kernex_core.studies.papers.paper_table import Origin, PaperTable
from pages.server.cached import CachedFunction, cached
from pages.server.messages import plain
from pages.server.navigation import go_to
from pages.ui import widgets

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# What the visitor brings for a table: chosen from the open data set or uploaded, with the classes to set apart.

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
        go_to("data")


def complete_kernels(dataset: DataSet | None) -> dict[str, GramMatrix]:
    """Return the kernels of a data set that are known everywhere."""
    return {} if dataset is None else {n: K for n, K in dataset.kernels.items() if K.unknown.complete}


Found = PowerTable | FamilyTable
TABLES: Final = {paper.number: paper for paper in tables_of("orthogonal")}


class AskedTable(NamedTuple):
    """What is to be measured: a table of the paper, its configuration, what was brought, and whether it is the paper's."""

    paper: PaperTable
    config: DataclassInstance
    brought: Brought
    origin: Origin

    @property
    def args(self) -> tuple[object, ...]:
        """Return what the study takes."""
        return (self.config, *self.brought.data)

    @property
    def steps(self) -> str:
        """Return what a run does one after another, in words."""
        paper = self.paper
        if paper.steps:
            return paper.steps
        repeats = int(getattr(self.config, paper.asked[0][0]))
        what = paper.repeats.several if repeats > 1 else paper.repeats.each
        return f"rows ({repeats} {what}, {len(paper.rows)} rows each)"

    def settings(self) -> dict[str, object]:
        """Return settings, the data's name and its classes, for files."""
        made: dict[str, object] = asdict(self.config)
        if self.paper.data.kind in ("vectors", "kernel"):
            labels, positive = cast(tuple[Labels, tuple[str, ...]], self.brought.data[1:3])
            second, first = two_classes(labels, positive).classes
            made |= {"data": self.brought.name, "classes": f"{first} against {second}"}
        return made


def steps(number: int, *args: object, done: Found | None = None) -> Iterator[Found]:
    """Return the study's partial results, from the start or from what is done."""
    return cast(Iterator[Found], TABLES[number].study(*args, done=done))


@cached(shared=True)
def generated(number: int, *args: object) -> Found:
    """Return the whole table on data that Kernex draws: the same for every visitor."""
    return list(steps(number, *args))[-1]


@cached
def begun(number: int, *args: object) -> Found:
    """Return the whole table; the page keeps a visitor's partial one under this key."""
    return list(steps(number, *args))[-1]


@cached
def refused(number: int, *args: object) -> tuple[str, str, str] | None:
    """Return what the study finds wrong with data or settings, before a button offers to measure them."""
    try:
        TABLES[number].study(*args)
    except NotPositiveSemidefiniteError as error:
        return error.expected, error.found, "Repair it on the page Kernels and keep the repaired kernel"
    except KernexError as error:
        return error.expected, error.found, error.remedy
    return None


@cached
def origin(number: int, *data: object, **known: object) -> Origin:
    """Return whether these are the paper's data and classes."""
    return TABLES[number].data.origin(*data, **known)


def shared(paper: PaperTable) -> CachedFunction[..., Found] | None:
    """Return where whole tables are kept for everybody: only those on data that nobody brought."""
    return generated if paper.data.kind == "generated" else None


# Where what is measured is drawn: below its button, in place of what is printed.


def measured_below(
    running: Callable[[], Found | None],
    before: Found | None,
    printed: Callable[[], None],
    draw: Callable[[Found], None],
) -> None:
    """Draw what is measured below its button; what is printed stands there until there is something.

    Parameters
    ----------
    running : callable
        Draws the button and returns what is measured, or None.
    before : object or None
        What is known before anything runs.
    printed : callable
        Draws what the paper prints.
    draw : callable
        Draws what is measured.
    """
    head, waiting = st.container(), st.empty()
    below = st.empty() if before is None else st.container()
    if before is None:
        with waiting.container():
            printed()
    with head:
        found = running()
    if found is not None:
        waiting.empty()
        with below.container():
            draw(found)
