"""Uploaded files are read in a process of their own, while the page says so and offers to stop it.

read_apart(task, file, *args) -> R           what a task of pages.shared.readers.tasks gives; one question is answered once
made_apart(make, task, file, *args) -> R     what is made here of what it gives; that alone is kept

Where the server has no readers (scripts, tests) files are read in this process. What a file is refused for is kept like any
other answer. Where its reader was stopped, nothing is known of the file: it is read again when the visitor asks for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import KernexError
from kernex_core.inputs.upload import Upload
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.messages import STOPPED_READERS, plain
from pages.shared.readers.pool import pool
from pages.shared.readers.stopped import ReaderStoppedError, stopped
from pages.shared.readers.tasks import Refusal, name_of, run

Q = TypeVar("Q")
R = TypeVar("R")

SILENT: Final = 0.3
"""Seconds of reading before a word is said: most files are there by then."""


@dataclass(frozen=True)
class Answer:
    """What a task gave, or what is wrong with the file: in words, for an error that was raised keeps the file's bytes."""

    value: Any = None
    refusal: Refusal | None = None


def read_apart(task: Callable[..., R], file: Upload, *args: object) -> R:
    """Return what a task gives for a file.

    Raises
    ------
    KernexError
        What is wrong with the file, or that its reader was stopped.
    """
    return made_apart(_as_it_is, task, file, *args)


def made_apart(make: Callable[[Q], R], task: Callable[..., Q], file: Upload, *args: object) -> R:
    """Return what is made, in this process, of what a task gives for a file; see `read_apart`."""
    asked = _answer.asked(name_of(task), file, args)
    answer = asked.peek()
    if answer is None:
        answer = _answer.keep(_asked(make, task, file, args, asked.key), name_of(task), file, args)
    if answer.refusal is not None:
        raise answer.refusal.error
    return cast("R", answer.value)


def _as_it_is(value: Q) -> Q:
    return value


@cached
def _answer(task: str, file: Upload, args: tuple[object, ...]) -> Answer:
    """Read a file in this process."""
    try:
        return Answer(run(task, file, *args))
    except KernexError as error:
        return Answer(refusal=Refusal.of(error))


def _asked(
    make: Callable[[Q], R], task: Callable[..., Q], file: Upload, args: tuple[object, ...], question: str
) -> Answer:
    readers = pool()
    try:
        if readers is None:
            return Answer(make(cast("Q", run(name_of(task), file, *args))))
        if (before := _stopped().get(question)) is not None:
            raise _again(before)
        shown = _Shown(file, question)
        try:
            found = readers.read(_line(), task, file, *args, pulse=shown.pulse)
        except KernexError:
            shown.clear()
            raise
        shown.clear()
        return Answer(make(found))
    except ReaderStoppedError as error:
        error.question = question
        workspace.remember(STOPPED_READERS, {**_stopped(), question: _again(error)})
        raise
    except KernexError as error:
        return Answer(refusal=Refusal.of(error))


def _again(error: ReaderStoppedError) -> ReaderStoppedError:
    """The same error, which nobody has raised yet."""
    made = ReaderStoppedError(error.expected, error.found, error.remedy)
    made.question = error.question
    return made


def _stopped() -> Mapping[str, ReaderStoppedError]:
    nothing: Mapping[str, ReaderStoppedError] = {}
    return workspace.recall(STOPPED_READERS, nothing)


def _line() -> str:
    """In whose line a file of this visitor waits; without a cookie it is the tab's own."""
    space = workspace.tab().space
    return space.visitor or f"tab {id(space)}"


class _Shown:
    """What the page says while a file waits or is read."""

    def __init__(self, file: Upload, question: str) -> None:
        self._file, self._question = file, question
        self._began = time.monotonic()
        self._slot: DeltaGenerator | None = None
        self._words: DeltaGenerator | None = None
        self._said = ""

    def pulse(self, reading: bool) -> None:
        """Say how far it is; a run of the script that is to end, ends here."""
        workspace.tab()
        if time.monotonic() - self._began < SILENT:
            return
        if self._words is None:
            self._slot = st.empty()
            with self._slot.container(horizontal=True, vertical_alignment="center"):
                self._words = st.empty()
                st.button(
                    "Stop", icon=":material/stop:", key=f"reading.{self._question[-16:]}.stop", type="tertiary",
                    on_click=_stop, args=(self._question, self._file.filename),
                )  # fmt: skip
        said = "is being read" if reading else "waits: files of others are read first"
        if said != self._said:
            self._words.caption(
                f":material/hourglass_top: {plain(self._file.filename)} {said}.", width="content"
            )
            self._said = said

    def clear(self) -> None:
        """Take it away again."""
        if self._slot is not None:
            self._slot.empty()


def _stop(question: str, filename: str) -> None:
    error = stopped(filename, "left")
    error.question = question
    workspace.remember(STOPPED_READERS, {**_stopped(), question: error})
