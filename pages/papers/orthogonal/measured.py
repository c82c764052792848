"""Tables 2 to 5 of "Almost orthogonal patterns": measured, drawn and given away; what they have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final, NamedTuple

import streamlit as st

from kernex_core.errors import KernexError
from kernex_core.gram.recipe import call, write_script
from kernex_core.inputs.samples import Note
from kernex_core.studies.papers.orthogonal import comparison
from kernex_core.studies.papers.orthogonal import printed as published
from kernex_core.studies.papers.orthogonal.classes import two_classes
from kernex_core.studies.papers.orthogonal.colon import measuring_table_2
from kernex_core.studies.papers.orthogonal.hidden import measuring_table_3
from kernex_core.studies.papers.orthogonal.lymphoma import measuring_table_5
from kernex_core.studies.papers.orthogonal.origin import Origin
from kernex_core.studies.papers.orthogonal.power_table import Powers, PowerTable
from kernex_core.studies.papers.orthogonal.strings import ALL_POINTS
from kernex_core.studies.papers.orthogonal.thrombin import measuring_table_4
from pages.papers.orthogonal import rows as layout
from pages.papers.orthogonal.about import about
from pages.papers.orthogonal.files import rows as table_rows
from pages.papers.orthogonal.run import States, known, measured_below, refusal, run
from pages.papers.orthogonal.verdict import verdict
from pages.shared.cached import cached
from pages.shared.downloads import csv_button, script_button
from pages.shared.messages import findings, show_error

STARTS: Final[dict[int, States]] = {
    2: measuring_table_2,
    3: measuring_table_3,
    4: measuring_table_4,
    5: measuring_table_5,
}


class Asked(NamedTuple):
    """What is to be measured: a table of the paper, and on data what the study takes; whether they are the paper's."""

    paper: comparison.PaperTable
    args: tuple[Any, ...]
    powers: Powers
    repeats: int
    origin: Origin
    data: str = ""

    def settings(self) -> dict[str, object]:
        """Return settings, the data's name and its classes, for files."""
        made: dict[str, object] = asdict(self.args[0])
        if len(self.args) > 1:
            second, first = two_classes(*self.args[2:4]).classes
            made |= {"data": self.data, "classes": f"{first} against {second}"}
        return made


@cached
def refused(table: int, *args: Any) -> tuple[str, str, str] | None:
    """Return what is wrong with data or settings, before a button offers to measure them."""
    return refusal(STARTS[table], args)


def draw_measured(
    asked: Asked,
    cache: Any,
    *,
    automatic: bool,
    finished: Any = None,
    further: Callable[[PowerTable], None] = lambda found: None,
) -> None:
    """Run or look up one table, and draw it; what cannot be measured has no button."""
    paper, args, origin = asked.paper, asked.args, asked.origin
    wrong = refused(paper.number, *args)
    if wrong is not None:
        show_error(KernexError(*wrong))
        layout.printed_only(paper, asked.powers)
        return
    if not origin.same:
        findings(
            [Note(origin.text, "What is printed stands beside it for its shape only.", severity="warning")]
        )
    several = paper.several if asked.repeats > 1 else paper.each
    measured_below(
        lambda: run(
            cache, STARTS[paper.number], args, key=paper.key, finished=finished, automatic=automatic, label="Measure",
            what=f"rows ({asked.repeats} {several}, {len(asked.powers)} rows each)",
        ),
        known(cache, finished, args),
        lambda: layout.printed_only(paper, asked.powers),
        lambda found: _draw(asked, found, further),
    )  # fmt: skip


def _draw(asked: Asked, found: PowerTable, further: Callable[[PowerTable], None]) -> None:
    paper, same = asked.paper, asked.origin.same
    about(found, paper.several)
    findings((asked.origin.text, *found.notes) if same and asked.origin.text else found.notes)
    layout.charts(paper, found, same=same)
    if same:
        verdict(paper, found)
    layout.table(paper, found, same=same)
    name = f"orthogonal-patterns-table-{paper.number}"
    with st.container(horizontal=True):
        csv_button("Download table", lambda: rows(asked, found), name, key=f"{paper.key}.csv")
        script_button(
            lambda: script(paper.number, STARTS[paper.number], asked.args), name, key=f"{paper.key}.script"
        )
    further(found)


def rows(asked: Asked, found: PowerTable) -> list[dict[str, object]]:
    """Return the table as rows, with the settings, the data's name and the classes; and the row without noise."""
    settings = asked.settings()
    made = table_rows(asked.paper, found, same=asked.origin.same, settings=settings)
    if found.aside.size:
        was = published.CLEAN
        row = dict.fromkeys(made[0]) | {
            "table": asked.paper.number, "p": "as it is, without noise", "column": ALL_POINTS,
            "loss": float(found.aside.mean()), "sd": float(found.aside.std(ddof=1)), "sd_over": "folds",
            "repetitions": len(found.aside), "published": was.mean, "published_plus_minus": was.plus_minus,
            "published_data": made[0]["published_data"], **settings,
        }  # fmt: skip
        made.append(row)
    return made


def script(number: int, start: States, args: tuple[Any, ...]) -> str:
    """Script that measures the same table from the same data."""
    name = start.__name__
    states = call("states", name, *args, imports=(f"from {start.__module__} import {name}",))
    return write_script(
        [states], heading=f"Kernex: Table {number} of almost orthogonal patterns (2002), measured\n{HEADING}",
        prints=["*((column, t.mean(column).round(3)) for t in list($0)[-1:] for column in t.losses), sep='\\n'"],
    )  # fmt: skip


HEADING = "Run it beside the folder kernex_core, with the uploaded files in the same place."
