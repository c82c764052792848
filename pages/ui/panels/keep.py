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

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar

import streamlit as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from pages.export.downloads import (
    Arrays,
    ButtonLook,
    Table,
    csv_button,
    figure_button,
    model_button,
    npz_button,
    script_button,
)
from pages.export.report import Given, report_button
from pages.server import workspace
from pages.server.declared import Setting, after_keeping, of
from pages.server.messages import guard, plain
from pages.server.navigation import entry_here, line_of, page_at
from pages.ui import shown as registry
from pages.ui.figures.chart import Picture
from pages.ui.shown import copies_field
from pages.ui.widget import controls

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


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
    model : offer of the file of a trained model, optional
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
    model: Offer[bytes] | None = None


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
    if result.model is not None:
        own = result.model
        model_button("Save model", own.build, own.name or name, **_look(own, key, "model", look))
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


# What the tables of every kernel of a family have in common: labels, settings, how intervals were made, and files.

D = TypeVar("D", bound="DataclassInstance")


def of_table(grid: Any) -> tuple[Setting, ...]:
    """Declare how a table of kernels is made: the protocol, and which kernels there are."""
    about = "table of kernels"
    return *of(CrossValidation, prefix="judged_", about=about), *of(grid, prefix="table_", about=about)


def needed_labels(dataset: DataSet) -> Labels:
    """Return the labels that the kernels are judged by.

    Raises
    ------
    InvalidInputError
        There are none, or one class only.
    """
    labels = dataset.judgeable
    if labels is None:
        raise InvalidInputError(
            "The table of all kernels needs labels of at least two classes",
            f"{'no labels' if dataset.labels is None else 'one class'} in {dataset.name!r}",
            "Bring labels on the page Data",
        )
    return labels


def judging_controls(start: CrossValidation, grid: D, labels: Labels, key: str) -> tuple[CrossValidation, D]:
    """Draw how the kernels are judged, and which there are, one below the other; return both as they are set.

    Parameters
    ----------
    start : CrossValidation
    grid : dataclass
        Configuration of the kernels.
    labels : Labels
        Groups, where there are any, can be kept together.
    key : str
        Of the controls, with the data set's name.
    """
    names = ["folds", "repeats", "C", "seed", *copies_field(labels, ())]
    names += ["grouped"] if labels.groups is not None else []
    validation = controls(start, key, only=names, prefix="judged_")
    return validation, controls(grid, f"{key}.grid", prefix="table_")


def spread_words(judged: Sequence[Judgement], measures: Mapping[str, str]) -> str:
    """Say what `[ ]` and `±` of the rows are.

    How an interval was made depends on how many items a kernel has wrong: where rows differ, it says in how many.

    Parameters
    ----------
    judged : sequence of Judgement
        One a row, all on the same folds.
    measures : dict
        Shown names of the measures by their fields.
    """
    repeated = "; ±: standard deviation over repetitions" if judged[0].n_repeats > 1 else ""
    return _intervals(judged, measures) + repeated


def _intervals(judged: Sequence[Judgement], measures: Mapping[str, str]) -> str:
    of = {
        title: [one for made in judged if (one := made.interval(field))] for field, title in measures.items()
    }
    first = next((one for found in of.values() for one in found), None)
    if first is None:
        return "no interval"
    if len({one.method for found in of.values() for one in found}) == 1:
        return f"[ ]: {first.words}"
    said = [f"{title} {_methods([one.method for one in found])}" for title, found in of.items() if found]
    return f"[ ]: {first.kind} ({'; '.join(said)})"


def _methods(methods: Sequence[str]) -> str:
    counted = Counter(methods)
    if len(counted) == 1:
        return methods[0]
    return ", ".join(f"{method} in {times} of {len(methods)} rows" for method, times in counted.most_common())


def keep_table(name: str, rows: list[dict[str, object]], script: Callable[[], str], key: str) -> None:
    """Draw the row with the table as a file, its script, and its place in the report.

    Parameters
    ----------
    name : str
        Of the files: the data set and the family.
    rows : list of dict
        As they are written.
    script : callable
        Returns Python that judges every kernel again.
    key : str
    """
    result = Result(
        name,
        table=Offer(
            lambda: rows,
            label="Table as CSV",
            help="All measures, spreads, floors, folds, seed, seconds and tag of every row.",
        ),
        script=Offer(script, help="Python that judges every kernel again with kernex_core alone."),
        report=True,
    )
    keep_row(result, key=key)
