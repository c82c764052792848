"""One table of "Almost orthogonal patterns": what it takes, its run, and published beside measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import KernexError
from kernex_core.inputs.samples import Note
from kernex_core.studies.papers.orthogonal.families import FamiliesConfig, FamilyTable
from kernex_core.studies.papers.paper_table import Kind, PaperTable
from pages.papers.orthogonal import families_table, files, losses
from pages.papers.orthogonal.brought import Brought
from pages.papers.orthogonal.families import kernel_with_families
from pages.papers.orthogonal.run import measured_below
from pages.papers.orthogonal.sparse import kernel_with_classes
from pages.papers.orthogonal.subject import (
    AskedTable,
    Found,
    begun,
    origin,
    refused,
    shared,
    steps,
)
from pages.papers.orthogonal.vectors import vectors_with_classes
from pages.shared.frame import PageFrame
from pages.shared.messages import findings, guard, show_error
from pages.shared.panels.keep import Drawing, Offer, Result, keep_row, none_drawn
from pages.shared.panels.staged import Staged, run_study
from pages.shared.shown import registry
from pages.shared.shown.words import spelt

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

BRING: Final[dict[Kind, Callable[[PaperTable], Brought | None]]] = {
    "vectors": vectors_with_classes,
    "kernel": kernel_with_classes,
    "families": kernel_with_families,
}


class Places(NamedTuple):
    """Where the numbers of a table and what is beside them stand, if that part is open, and what is given away."""

    table: Any
    more: Any
    files: DeltaGenerator


def show(page: PageFrame, paper: PaperTable, config: DataclassInstance, places: Places) -> None:
    """Draw one table of the paper."""
    brought = _brought(page, paper)
    if brought is None:
        _printed(paper)
        return
    asked = AskedTable(paper, config, brought, origin(paper.number, *brought.data, **(brought.known or {})))
    registry.current().data = (
        brought.name if brought.data else ""
    )  # of its own data a table says what they are
    wrong = refused(paper.number, *asked.args)
    if wrong is not None:
        show_error(KernexError(*wrong))
        _printed(paper)
        return
    if not asked.origin.same:
        what = "What is printed stands beside it for its shape only."
        findings([Note(asked.origin.text, what, severity="warning")])
    study: Staged[Found] = Staged(
        begun, steps, (paper.number, *asked.args), resumes=True, shared=shared(paper)
    )
    measured_below(
        lambda: run_study(
            study.leading,
            key=paper.key,
            what=asked.steps,
            automatic=paper.quick(*asked.args),
            label="Measure",
        ),
        study.known(),
        lambda: _printed(paper),
        lambda found: _draw(asked, found, places),
    )


def _brought(page: PageFrame, paper: PaperTable) -> Brought | None:
    """Say what is generated, or ask for what the table needs."""
    if paper.data.kind == "generated":
        page.badge("simulated", "orange", ":material/science:", paper.data.text)
        return Brought()
    st.markdown(f"**What to bring**: {paper.data.text}")
    return BRING[paper.data.kind](paper)


def _printed(paper: PaperTable) -> None:
    """Draw what the paper prints, where nothing can be measured yet."""
    (families_table if paper.data.kind == "families" else losses).printed(paper)


def _draw(asked: AskedTable, found: Found, places: Places) -> None:
    """Draw what is found and the charts here, the numbers and what is given away in their places."""
    if isinstance(found, FamilyTable):
        families_table.show(asked.paper, found)
    else:
        losses.show(asked.paper, found, asked.origin)
    if places.table is not None:
        with places.table, guard():
            if isinstance(found, FamilyTable):
                config = cast(FamiliesConfig, asked.config)
                families_table.numbers(asked.paper, found, config, asked.brought.name)
            else:
                losses.numbers(asked.paper, found, asked.origin)
    if places.more is not None and not isinstance(found, FamilyTable):
        with places.more, guard():
            losses.more(asked.paper, found, asked.origin)
    with places.files:
        _downloads(asked, found)


def _downloads(asked: AskedTable, found: Found) -> None:
    given = Result(
        asked.paper.file,
        table=Offer(lambda: files.rows(asked, found)),
        script=Offer(lambda: files.script(asked)),
        figure=Drawing(none_drawn, title=f"Table {asked.paper.number}", settings=spelt(asked.config)),
        report=True,
    )
    keep_row(given, key=asked.paper.key)
