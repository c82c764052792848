"""What a page gives away, in one row: keep, CSV, NPZ, figure, report, script. Nothing is built before it is clicked.

    result = Result(
        "joint λ=0.25 of structure",
        kernel=lambda: made.kernel(lam),
        figure=Drawing(lambda: picture, title="Joint kernel", settings={"λ": lam}),
        script=Offer(lambda: script(made, lam), help="Python that computes this kernel again."),
    )
    keep_row(result, key="complete", keep=Keep())

Buttons whose words or file names are others say so in their `Offer`; what a page does not have is left out. A row that
begins with a widget of its own is drawn by `buttons` in a container of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeAlias, TypeVar

import streamlit as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from pages.shared import workspace
from pages.shared.declared.next_step import after_keeping
from pages.shared.downloads import (
    Arrays,
    ButtonLook,
    Table,
    csv_button,
    figure_button,
    npz_button,
    script_button,
)
from pages.shared.figures.picture import Picture
from pages.shared.messages import guard, plain
from pages.shared.navigation import entry_here, line_of, page_at
from pages.shared.report.button import report_button
from pages.shared.report.collect import Given
from pages.shared.shown import registry

Look: TypeAlias = Literal["secondary", "tertiary"]
T_co = TypeVar("T_co", covariant=True)

KEPT: Final = "kept.toast"
LAST: Final = "kept.last"
"""Page, row and name of the kernel that was kept last."""
EVERYWHERE: Final = "it can be completed, combined and judged on the other pages."
MATRIX_HELP: Final = "Matrix with ids on both axes; unknown entries are empty."
ARCHIVE_HELP: Final = "NumPy archive: K and ids."


@dataclass(frozen=True, eq=False)
class Offer(Generic[T_co]):
    """One download: how it is made, and what its button says where that is not the usual.

    Attributes
    ----------
    build : callable
        Called by a click.
    label : str
        Default: CSV, NPZ, Figure or Script.
    help : str, optional
    name : str
        Of the file, without its extension; default: the result's.
    key : str
        Of the widget, below the row's; default: csv, npz, figure or script.
    """

    build: Callable[[], T_co]
    label: str = ""
    help: str | None = None
    name: str = ""
    key: str = ""


@dataclass(frozen=True, eq=False)
class Drawing(Offer[Picture]):
    """All pictures of the page on one sheet, with a title and the settings that made them; `build` where there are none."""

    title: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)


def none_drawn() -> Picture:
    """Take the place of `build` where a figure is made of what the page has drawn.

    Raises
    ------
    InvalidInputError
        Always: the page has drawn nothing.
    """
    raise InvalidInputError(
        "A figure holds the pictures of the page", "none", "Let the page compute what it shows first"
    )


@dataclass(frozen=True, eq=False)
class Result:
    """What a page gives away.

    Attributes
    ----------
    name : str
        Of the files; of a kernel also where it is kept.
    kernel : callable, optional
        Returns the kernel, which can be kept; it is table and arrays too, unless these are given.
    table : offer as CSV, optional
    arrays : offer as NPZ, optional
    further : more offers as CSV
    figure : Drawing, optional
    script : offer of Python source, optional
    report : bool
        Whether the row offers a report of the page; one with a figure and a script always does.
    """

    name: str
    kernel: Callable[[], GramMatrix] | None = None
    table: Offer[Table] | None = None
    arrays: Offer[Arrays] | None = None
    further: tuple[Offer[Table], ...] = ()
    figure: Drawing | None = None
    script: Offer[str] | None = None
    report: bool = False


@dataclass(frozen=True)
class Keep:
    """How a kernel is kept: the button's words, what is said afterwards, and whether the visitor names it."""

    label: str = "Keep this kernel"
    help: str | None = None
    then: str = EVERYWHERE
    named: bool = False


def keep_row(result: Result, *, key: str, keep: Keep | None = None, look: Look = "secondary") -> None:
    """Draw the whole row; `key` is the prefix of its widgets' keys."""
    aligned: Literal["bottom", "center"] = "bottom" if keep is not None and keep.named else "center"
    with st.container(horizontal=True, vertical_alignment=aligned):
        buttons(result, key=key, keep=keep, look=look)


def buttons(result: Result, *, key: str, keep: Keep | None = None, look: Look = "secondary") -> None:
    """Draw the row's widgets into the present container."""
    name, kernel = result.name if keep is None else _keep(result, key, keep), result.kernel
    table, arrays = result.table, result.arrays
    if kernel is not None:
        table, arrays = table or Offer(kernel, help=MATRIX_HELP), arrays or Offer(kernel, help=ARCHIVE_HELP)
    if table is not None:
        csv_button(table.label or "CSV", table.build, table.name or name, **_look(table, key, "csv", look))
    if arrays is not None:
        npz_button(
            arrays.label or "NPZ", arrays.build, arrays.name or name, **_look(arrays, key, "npz", look)
        )
    for each in result.further:
        csv_button(each.label or "CSV", each.build, each.name or name, **_look(each, key, "csv", look))
    figure, script = result.figure, result.script
    if figure is not None:
        figure_button(
            figure.label or "Figure", figure.build, figure.name or name, title=figure.title or name,
            settings=figure.settings, **_look(figure, key, "figure", look),
        )  # fmt: skip
    if script is not None:
        registry.current().scripts[f"{key}.{script.key}"] = script.build
        if figure is not None or result.report:
            _report(result, name, key)
        label = script.label or "Script"
        script_button(script.build, script.name or name, label, **_look(script, key, "script", look))


def _report(result: Result, name: str, key: str) -> None:
    drawing = result.figure
    settings, picture = (drawing.settings, drawing.build) if drawing is not None else ({}, None)
    title = (drawing.title if drawing is not None else "") or name
    report_button(Given(title, name, settings, picture, result.kernel), key)


def _look(offer: Offer[object], key: str, kind: str, look: Look) -> ButtonLook:
    return {"key": f"{key}.{offer.key or kind}", "help": offer.help, "type": look}


def _keep(result: Result, key: str, keep: Keep) -> str:
    """Draw name and button; return the name that the files get too."""
    name, kernel = result.name, result.kernel
    if kernel is None:
        raise ValueError("only a kernel can be kept")
    if keep.named:
        typed = st.text_input("Keep this kernel as", name, key=f"{key}.name.{name}", width=320)
        name = typed.strip() or name
    if st.button(keep.label, icon=":material/bookmark:", key=f"{key}.keep", help=keep.help):
        with guard():
            kept = workspace.keep_kernel(name, kernel())
            # said by the next run, in which the kernel is on every page
            workspace.remember(KEPT, f"Kept as {plain(kept)}: {keep.then}")
            workspace.remember(LAST, (entry_here().url_path, key, kept))
            st.rerun()
    said: str | None = workspace.recall(KEPT, None)
    if said is not None:
        workspace.remember(KEPT, None)
        st.toast(said)
    _next(key)
    return name


def _next(key: str) -> None:
    """Link to the page that comes next, where a kernel was just kept by this row and is still there."""
    here, data = entry_here(), workspace.current()
    page, row, kept = workspace.recall(LAST, ("", "", ""))
    if (page, row) != (here.url_path, key) or data is None or kept not in data.kernels:
        return
    own = {entry.url_path for entry in line_of(here).parts}
    step = after_keeping(data, own.__contains__)
    if step is not None:
        label = f"Next: {step.label}"
        st.page_link(page_at(step.address), label=label, icon=":material/arrow_forward:", help=step.said)
