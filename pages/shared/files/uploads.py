"""Uploaded files.

upload(label, *, key, types=None, help=None) -> Upload | None
upload_many(label, *, key) -> tuple[Upload, ...]
read_upload(file, task, *args) -> T | None     `read_apart`, guarded: a KernexError is shown, and None comes back
Upload                                     .filename (safe to show and to write), .packed (its bytes), .data (unpacked)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Literal, TypeAlias, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.upload import Upload
from pages.shared import workspace
from pages.shared.files.reading import read_apart
from pages.shared.messages import guard

T = TypeVar("T")
LabelVisibility: TypeAlias = Literal["visible", "hidden", "collapsed"]

MAX_MEGABYTES: Final = 50
LONGEST_NAME: Final = 80


def upload(
    label: str,
    *,
    key: str,
    types: Sequence[str] | None = None,
    help: str | None = None,
    on_change: Callable[..., None] | None = None,
    args: tuple[object, ...] = (),
) -> Upload | None:
    """Ask for one file; `on_change` is called where the visitor brings one or takes it out of its box."""
    file = st.file_uploader(
        label,
        type=types,
        key=key,
        help=help,
        max_upload_size=MAX_MEGABYTES,
        accept_multiple_files=False,
        on_change=on_change,
        args=args,
    )
    return None if file is None else Upload(safe_name(file.name), file.getvalue())


def upload_many(label: str, *, key: str, label_visibility: LabelVisibility = "visible") -> tuple[Upload, ...]:
    """Ask for any number of files."""
    files = st.file_uploader(
        label,
        key=key,
        max_upload_size=MAX_MEGABYTES,
        accept_multiple_files=True,
        label_visibility=label_visibility,
    )
    return tuple(Upload(safe_name(file.name), file.getvalue()) for file in files)


def let_go(box: str) -> None:
    """Take the files of a box that goes away from Streamlit, which would keep them until the session ends."""
    given: Any = workspace.widget_says(box)
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return
    for file in given if isinstance(given, list) else [given]:
        with suppress(AttributeError, KeyError):  # another release may call them otherwise
            manager: Any = runtime.get_instance().uploaded_file_mgr
            manager.remove_file(context.session_id, file.file_id)


def read_upload(file: Upload, task: Callable[..., T], *args: object) -> T | None:
    """Read a file, in another process; what is wrong with it is said on the page, and None returned."""
    with guard():
        check_file_size(file)
        return read_apart(task, file, *args)
    return None


def check_file_size(file: Upload) -> None:
    """Refuse empty files and those above the limit, which the browser alone cannot hold.

    Raises
    ------
    InvalidInputError, TooLargeError
    """
    if not file.packed:
        raise InvalidInputError("A file has to have content", f"{file.filename} is empty")
    if len(file.packed) > MAX_MEGABYTES * 1_000_000 * 1.05:
        raise TooLargeError(
            f"A file may have at most {MAX_MEGABYTES} MB",
            f"{file.filename} has {len(file.packed) / 1e6:.0f} MB",
            "Compress it (.gz), or keep only the columns that are needed",
        )


def safe_name(name: str) -> str:
    """Return the last part of a file name without what could mislead a reader or leave a folder."""
    last = re.split(r"[\\/]", unicodedata.normalize("NFC", name))[-1]
    shown = "".join(c for c in last if unicodedata.category(c)[0] != "C").strip(" .")
    if len(shown) > LONGEST_NAME:
        stem, dot, ending = shown.rpartition(".")
        shown = f"{stem[: LONGEST_NAME - 12]}…{dot}{ending[-10:]}" if dot else shown[:LONGEST_NAME]
    return shown or "file"
