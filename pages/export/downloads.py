"""Download buttons. Nothing is built before it is clicked, and a click reruns nothing.

    csv_button(label, build, name, **look)        build() -> pandas.DataFrame, GramMatrix (ids on both axes) or rows
    npz_button(label, build, name, **look)        build() -> GramMatrix or mapping of names to arrays; ids as unicode
    zip_button(label, build, name, **look)        build() -> bytes
    model_button(label, build, name, **look)      build() -> bytes of `save_model`
    figure_button(label, build, name, *, title, settings, **look)    all pictures of the page on one sheet (SVG)
    script_button(build, name, label="Script", **look)               build() -> Python source

The row that every page ends with is `pages.ui.panels.keep`.
`name` is what the file holds; before it stand the data set and the page. `look`: key, icon, type, help, disabled, width.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypedDict, Unpack

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.datasets.catalogue import DATASETS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.tables.table import as_text
from pages.server import workspace
from pages.server.declared import RESERVED
from pages.server.visitors import limits
from pages.ui import files as spreadsheet
from pages.ui import shown as registry
from pages.ui.figures.still.sheet import SheetPanel, sheet
from pages.ui.figures.theme import class_styles
from pages.ui.shown import file_named

if TYPE_CHECKING:
    from pages.ui.figures.chart import Picture


FIGURE_HELP: Final = (
    "All pictures of this page on one sheet (SVG), with class names and settings in words. "
    "The camera on a chart saves it alone."
)

Table: TypeAlias = pd.DataFrame | GramMatrix | Sequence[Mapping[str, object]]
Arrays: TypeAlias = GramMatrix | Mapping[str, ArrayLike]


class ButtonLook(TypedDict, total=False):
    """How a button looks; as for `st.download_button`."""

    key: str
    icon: str
    type: Literal["primary", "secondary", "tertiary"]
    help: str | None
    disabled: bool
    width: Literal["content", "stretch"] | int


def csv_button(
    label: str, build: Callable[[], Table], name: str, of: str | None = None, **look: Unpack[ButtonLook]
) -> None:
    """Offer a table as CSV, numbers in full precision; `of` as in `registry.file_named`."""
    semicolons = spreadsheet.wants_semicolons()  # not when it is clicked: then nobody's page is drawn
    given: ButtonLook = {**look, "help": spreadsheet.hint(look.get("help"))}
    _button(label, lambda: csv_bytes(build(), semicolons), f"{file_named(name, of)}.csv", "text/csv", **given)


def npz_button(label: str, build: Callable[[], Arrays], name: str, **look: Unpack[ButtonLook]) -> None:
    """Offer arrays as a NumPy archive without pickles."""
    _button(label, lambda: npz_bytes(build()), f"{file_named(name)}.npz", "application/octet-stream", **look)


def zip_button(label: str, build: Callable[[], bytes], name: str, **look: Unpack[ButtonLook]) -> None:
    """Offer a zip of text files."""
    _button(label, build, f"{file_named(name)}.zip", "application/zip", **look)


def model_button(label: str, build: Callable[[], bytes], name: str, **look: Unpack[ButtonLook]) -> None:
    """Offer the file of a model."""
    given: ButtonLook = {"icon": ":material/save:", **look}
    _button(label, build, f"{file_named(name)}.kernex", "application/octet-stream", **given)


def figure_button(
    label: str,
    build: Callable[[], Picture],
    name: str,
    *,
    title: str,
    settings: Mapping[str, object],
    **look: Unpack[ButtonLook],
) -> None:
    """Offer all pictures of the page on one sheet, with class names and the settings that made them.

    `build` makes the picture of a page that has drawn none.
    """
    shown = registry.current()

    def drawn() -> bytes:
        panels = shown.panels() or [SheetPanel("", "", build())]
        return sheet(title, shown.sheet(settings), panels, class_styles(shown.classes()), shown.said())

    given: ButtonLook = {**look, "help": look.get("help") or FIGURE_HELP}
    _button(label, drawn, f"{file_named(name)}.svg", "image/svg+xml", **given)


BESIDE_KERNEX: Final = "Run it beside the folder kernex_core, with the uploaded files in the same place."
"""Second line of a script that reads files."""


def script_button(
    build: Callable[[], str], name: str, label: str = "Script", **look: Unpack[ButtonLook]
) -> None:
    """Offer the Python script that computes the page's numbers again."""
    given: ButtonLook = {"type": "tertiary", "icon": ":material/code:", **look}
    _button(label, lambda: build().encode(), f"{file_named(name)}.py", "text/x-python", **given)


def csv_bytes(table: Table, semicolons: bool = False) -> bytes:
    """Return a table as CSV in UTF-8; a GramMatrix with a blank corner and its ids on both axes.

    With `semicolons` it is divided by these, and numbers have a decimal comma, as spreadsheets of many countries write it.

    Text that a spreadsheet would run gets an apostrophe before it, which Kernex takes away again when it reads the file.
    """
    if isinstance(table, GramMatrix):
        ids = list(map(as_text, table.ids))
        return _written(pd.DataFrame(table.values, index=ids, columns=ids), True, semicolons)
    frame = table if isinstance(table, pd.DataFrame) else pd.DataFrame(list(table))
    named = frame.index.name is not None
    frame = _as_text(frame.reset_index() if named else frame)
    return _written(frame, False, semicolons)


def _written(frame: pd.DataFrame, with_index: bool, semicolons: bool) -> bytes:
    look: dict[str, Any] = {"sep": ";", "decimal": ","} if semicolons else {}
    if semicolons:  # numbers among words are written as words
        frame = frame.apply(lambda column: column.map(_comma) if column.dtype == object else column)
    text = frame.to_csv(index=with_index, lineterminator="\n", **look)
    if "\r" in text:  # Python encloses what holds the line's own end only, and others end a line there
        text = frame.to_csv(index=with_index, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC, **look)
    return str(text).encode()


def _comma(value: object) -> object:
    return (
        repr(float(value)).replace(".", ",") if isinstance(value, float) and math.isfinite(value) else value
    )


def _as_text(frame: pd.DataFrame) -> pd.DataFrame:
    safe = frame.rename(columns=_cell)
    for place, kind in enumerate(frame.dtypes):
        if not isinstance(kind, np.dtype) or kind.kind not in "biufcmM":
            cells = [_cell(value) for value in frame.iloc[:, place]]
            safe.isetitem(place, np.array(cells, dtype=object))
    return safe


def _cell(value: object) -> object:
    return as_text(value) if isinstance(value, str) else value


def npz_bytes(arrays: Arrays) -> bytes:
    """Return a NumPy archive that `numpy.load` reads without pickles.

    Raises
    ------
    TypeError
        An array of Python objects.
    """
    if isinstance(arrays, GramMatrix):
        arrays = {"K": arrays.values, "ids": arrays.ids}
    named = {key: np.asarray(value) for key, value in arrays.items()}
    for key, array in named.items():
        if array.dtype.hasobject:
            raise TypeError(f"{key} is an array of objects, which only a pickle could hold")
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **named)  # type: ignore[arg-type]
    return buffer.getvalue()


def _button(
    label: str, build: Callable[[], bytes], file_name: str, mime: str, **look: Unpack[ButtonLook]
) -> None:
    given: ButtonLook = {"icon": ":material/download:", **look}
    st.download_button(label, build, file_name=file_name, mime=mime, on_click="ignore", **given)


# The button "Copy link" of every working page: the address to copy, and what it carries and what it does not.

HERE: Final = Path(__file__).parent
TO_READ: Final = ("", "start", "glossary")
"""Pages that have no settings."""
NONE: Final = "no setting, since none differs"
ONE: Final = "the one setting that differs"
SEVERAL: Final = "the {} settings that differ"
_field = st.components.v2.component(
    "kernex_link",
    css="\n" + (HERE / "link.css").read_text("utf-8") + "\n",
    js="\n" + (HERE / "link.js").read_text("utf-8") + "\n",
)
WORDS: Final = {
    "copy": "Copy",
    "copied": "Copied.",
    "by_hand": "The browser does not let this page copy: the address is selected, press Ctrl+C (⌘C).",
    "address": "Address of this page with its settings",
    "aside": list(RESERVED),
}


def link() -> None:
    """Draw the button; nothing on pages that are only read."""
    if workspace.tab().page in TO_READ:
        return
    name = workspace.current_name()
    said = [words(name, several) for several in (NONE, ONE, SEVERAL)]
    with st.popover(
        "Copy link", icon=":material/link:", type="tertiary", help="An address with the settings of this page"
    ):
        # it counts what the address says at that moment: a fragment that moves a slider draws nothing here
        _field(key="link", data={**WORDS, "said": said}, height="content")


def words(name: str | None, several: str) -> str:
    """Say what the address carries, and what it does not."""
    of_data = "" if name is None else f", the name of the data (“{name}”)"
    carries = f"It carries the page{of_data} and {several} from the usual ones."
    not_these = "It does not carry data, labels, names of items, classes and columns, kept kernels or results"
    if name is None or name in {demo.title for demo in DATASETS}:
        opens = ": a demo opens by its name." if name is not None else "."
    else:
        opens = ": whoever opens it is asked for the data, which a workspace file (page Data) takes along."
    alone = (
        " This server answers its own machine alone, and so does the address."
        if limits.answers_alone()
        else ""
    )
    return f"{carries} {not_these}{opens}{alone}"
