"""Uploaded files that wait to be added: kept from page to page until they are added or put away.

upload_box(key) -> bool       draws an uploader; True when files have just arrived
waiting() -> tuple[Upload, ...]
workspaces() -> tuple[Upload, ...]       saved ones among them
put_away(digest)  put_all_away()
ways(file) -> tuple[Guess, ...]   how it may be read
start(file, way, items) -> Suggestion | None
items_for(file) -> (ids)       of the data set that is open, and of files that wait beside it
outcome(file, way, options) -> Outcome
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from kernex_core.base.errors import KernexError
from kernex_core.base.validation import SAMPLE_LIMIT
from kernex_core.inputs.catalogue import LABELS, format_named
from kernex_core.inputs.dataset import AnySamples
from kernex_core.inputs.format import SURE, Suggestion
from kernex_core.inputs.options import ReadOptions
from kernex_core.inputs.reading import Guess
from kernex_core.inputs.samples import Labels
from kernex_core.inputs.upload import Upload
from kernex_core.studies.data import read_as, suggest
from pages.shared import workspace
from pages.shared.files.reading import read_apart
from pages.shared.files.uploads import MAX_MEGABYTES, check_file_size, let_go, upload_many
from pages.shared.item_limit import limit_sentence
from pages.shared.messages import show_error
from pages.shared.readers import tasks

FILES = "data.files"
ROUND = "data.round"
REFUSED = "data.refused"
WORKSPACE = ".kernex"
"""Ending of a saved workspace."""


@dataclass(frozen=True)
class Outcome:
    """What reading a file gave: samples or labels, or what is wrong with it."""

    result: AnySamples | Labels | None = None
    error: KernexError | None = None


def limits() -> str:
    """What may be brought, in a sentence."""
    return (
        f"At most {MAX_MEGABYTES} MB a file, also gzipped; {limit_sentence()} and up to {SAMPLE_LIMIT:,} sequences, "
        "vectors or graphs. A part of these, and of larger tables of pairs, is chosen before a matrix is made."
    )


def upload_box(key: str) -> bool:
    """Draw an uploader; files that arrive wait in the workspace, and the box is empty again."""
    turn = workspace.recall(ROUND, 0)
    arrived = upload_many("Files", key=f"{key}.{turn}", label_visibility="collapsed")
    taken: list[Upload] = []
    refused: list[KernexError] = []
    for file in arrived:
        try:
            check_file_size(file)
            taken.append(file)
        except KernexError as error:
            refused.append(error)
    if taken:
        nothing: tuple[Upload, ...] = ()
        workspace.alter(FILES, lambda there: tuple(dict.fromkeys((*there, *taken))), nothing)
    if not arrived:
        before: list[KernexError] = []
        for each in workspace.recall(REFUSED, before):
            show_error(each)
        return False
    # said once the box is empty again: a file that stays in it would come again with every move
    workspace.remember(REFUSED, refused)
    workspace.remember(ROUND, turn + 1)
    let_go(f"{key}.{turn}")
    if not taken:
        st.rerun()
    return True


def waiting() -> tuple[Upload, ...]:
    """Files that are not added yet, in order of arrival; saved workspaces aside."""
    return tuple(file for file in _all() if not _is_workspace(file))


def workspaces() -> tuple[Upload, ...]:
    """Saved workspaces among the files that wait, wherever they were dropped."""
    return tuple(file for file in _all() if _is_workspace(file))


def _all() -> tuple[Upload, ...]:
    files: tuple[Upload, ...] = workspace.setting(FILES, ())
    return files


def _is_workspace(file: Upload) -> bool:
    return file.filename.casefold().endswith(WORKSPACE)


def key_of(file: Upload) -> str:
    """Start of the keys of a file's widgets."""
    return f"file.{file.digest[:12]}"


def put_away(digest: str) -> None:
    """Let go of the file of that digest."""
    nothing: tuple[Upload, ...] = ()
    workspace.alter(FILES, lambda there: tuple(file for file in there if file.digest != digest), nothing)


def put_all_away() -> None:
    """Let go of all files that this page shows; those that another tab has brought meanwhile stay."""
    shown = waiting()
    nothing: tuple[Upload, ...] = ()
    workspace.alter(FILES, lambda there: tuple(file for file in there if file not in shown), nothing)


def ways(file: Upload) -> tuple[Guess, ...]:
    """All ways to read a file, likeliest first; none if it cannot even be unpacked."""
    try:
        return tuple(Guess(format_named(name), sure) for name, sure in read_apart(tasks.look, file).ways)
    except KernexError:
        return ()


def start(file: Upload, way: str, items: tuple[str, ...] = ()) -> Suggestion | None:
    """Options to start from, for labels of these items; None if the file cannot be read in this way at all."""
    try:
        found = read_apart(tasks.look, file)
        return found.beginning if way == found.way and not items else read_apart(suggest, file, way, items)
    except KernexError:
        return None


def items_for(file: Upload) -> tuple[str, ...]:
    """Ids that labels in a file may be about: of the data set that is open, and of other files as they are guessed."""
    current = workspace.current_name()
    found = [] if current is None else list(workspace.get(current).ids)
    for other in waiting():
        guess = next(iter(ways(other)), None) if other != file else None
        if guess is None or guess.confidence < SURE or guess.format.name == LABELS:
            continue
        beginning = start(other, guess.format.name)
        made = None if beginning is None else outcome(other, guess.format.name, beginning.options).result
        found += [] if made is None else made.ids
    return tuple(dict.fromkeys(found))


def outcome(file: Upload, way: str, options: ReadOptions) -> Outcome:
    """Read a file, or say what is wrong with it; the same question is answered once."""
    try:
        found = read_apart(tasks.look, file)
        if (way, options) != (found.way, found.options):
            return Outcome(read_apart(read_as, file, way, options))
        return Outcome(found.result, None if found.refusal is None else found.refusal.error)
    except KernexError as error:
        return Outcome(error=error.with_traceback(None))  # the frames that it went through hold the file
