"""What went wrong or is worth knowing, said calmly.

with guard(): ...                 a KernexError becomes a block with expected, found and remedy; nothing else is caught
show_error(error)                 the same block
findings(notes)                   one line a Note (kernex_core.inputs.samples) or string: icon for its severity, what
                                  was found, in grey what Kernex does about it and how to choose otherwise
plain(text) -> str                text that markdown leaves alone: for ids, file names and everything users wrote
shortened(text, most) -> str      a long name with its middle left out, for charts
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Final

import streamlit as st

from kernex_core.base.digits import typeset
from kernex_core.base.errors import KernexError
from kernex_core.inputs.samples import Note
from pages.server import workspace
from pages.server.digits import unbroken
from pages.server.readers.stopped import ReaderStoppedError

ICONS: Final = {
    "fine": ":green[:material/check:]",
    "note": ":gray[:material/info:]",
    "warning": ":orange[:material/warning:]",
}

STOPPED_READERS: Final = "reading.stopped"
"""Where a tab remembers the questions about files whose readers were stopped."""
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|<>~$&:^=.-])")
_SHORTCODE = re.compile(r":(?=[\w+/-]+:)")
_ARROW = re.compile(r"(?<=[-<>=~])(?=[-<>=~])")
# a minus is a hyphen in code: behind a word (not in a list of ids, where it belongs to a name)
_MINUS = re.compile(r"(?<=[a-z=:] )-(?=\.?\d)")
_WORD_JOINER = "\u2060"


class guard(AbstractContextManager[None]):
    """Turn a KernexError of the block into a message; the rest of the block is skipped."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, KernexError):
            show_error(error)
            return True
        return False


def show_error(error: KernexError) -> None:
    """Show what was expected, what was found, and what to do."""
    found = f"Found: {error.found}" if error.found else ""
    body = "  \n".join(plain(_sentence(line)) for line in (found, error.remedy) if line)
    expected = plain(_sentence(error.expected))
    if body:
        st.error(body, title=expected, icon=":material/report:")
    else:
        st.error(expected, icon=":material/report:")
    if isinstance(error, ReaderStoppedError) and error.question:
        st.button(
            "Read it again", key=f"reading.{error.question[-16:]}.again", icon=":material/refresh:",
            on_click=_forget_stop, args=(error.question,),
        )  # fmt: skip


def _forget_stop(question: str) -> None:
    nothing: Mapping[str, ReaderStoppedError] = {}
    stopped = workspace.recall(STOPPED_READERS, nothing)
    workspace.remember(STOPPED_READERS, {key: error for key, error in stopped.items() if key != question})


def findings(notes: Iterable[Note | str]) -> None:
    """Write one line a finding: icon, what was found, and in grey what is done about it."""
    with st.container(gap="xsmall"):
        for note in (Note(each) if isinstance(each, str) else each for each in notes):
            advice = " ".join(plain(_sentence(line)) for line in (note.action, note.choice) if line)
            grey = f" :gray[{advice}]" if advice else ""
            st.markdown(f"{ICONS[note.severity]} {plain(_sentence(note.text))}{grey}")


MOST_READ: Final = 10_000
"""Letters of a text from which on nobody reads it."""


def plain(text: str) -> str:
    """Escape what markdown, its directives, formulas and emoji short codes would change; line breaks become spaces.

    What is far too long to be read is cut: nobody waits while thirty million letters of a file are escaped.
    """
    text = str(text)
    shown = text if len(text) <= MOST_READ else f"{text[:MOST_READ]}…"
    joined = unbroken(" ".join(shown.split()))
    # even when escaped, ":100:" in the genome position chr1:100:200 would become a picture, and "->" an arrow
    apart = _ARROW.sub(_WORD_JOINER, _SHORTCODE.sub(f":{_WORD_JOINER}", joined))
    return _MARKDOWN.sub(r"\\\1", apart)


def shortened(text: str, most: int = 26) -> str:
    """Leave out the middle of a name that is too long for its place: names of files and kernels differ at their ends."""
    return text if len(text) <= most else f"{text[: (most - 1) // 2]}…{text[-(most // 2) :]}"


def _sentence(text: str) -> str:
    text = _MINUS.sub("−", typeset(text.strip()))
    return text if text.endswith((".", "!", "?", ":")) else text + "."
