"""Uploaded files.

upload(label, *, key, types=None, help=None) -> Upload | None
upload_many(label, *, key) -> tuple[Upload, ...]
read_upload(file, task, *args) -> T | None     `read_apart`, guarded: a KernexError is shown, and None comes back
Upload                                     .filename (safe to show and to write), .packed (its bytes), .data (unpacked)
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from kernex_core.base.errors import InvalidInputError, KernexError, TooLargeError
from kernex_core.base.validation import SAMPLE_LIMIT
from kernex_core.inputs.catalogue import LABELS, format_named
from kernex_core.inputs.dataset import AnySamples
from kernex_core.inputs.format import SURE, Suggestion
from kernex_core.inputs.options import Question, ReadOptions
from kernex_core.inputs.reading import Guess
from kernex_core.inputs.samples import Labels
from kernex_core.inputs.upload import Upload
from kernex_core.studies.data import read_as, suggest
from pages.server import workspace
from pages.server.cached import cached
from pages.server.item_limit import limit_sentence
from pages.server.messages import STOPPED_READERS, guard, plain, show_error
from pages.server.readers import tasks
from pages.server.readers.pool import pool
from pages.server.readers.stopped import ReaderStoppedError, stopped
from pages.server.readers.tasks import Read, Refusal, name_of, run
from pages.server.visitors import contents as start_files

# Uploaded files are read in a process of their own, while the page says so and offers to stop it.
#
# read_apart(task, file, *args) -> R           what a task of pages.server.readers.tasks gives; one question is answered
# once made_apart(make, task, file, *args) -> R     what is made here of what it gives; that alone is kept
#
# Where the server has no readers (scripts, tests) files are read in this process. What a file is refused for is kept
# like any other answer. Where its reader was stopped, nothing is known of the file: it is read again when the visitor
# asks for it.

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


T = TypeVar("T")
LabelVisibility: TypeAlias = Literal["visible", "hidden", "collapsed"]

MAX_MEGABYTES: Final = 200
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


# Uploaded files that wait to be added: kept from page to page until they are added or put away.
#
# upload_box(key) -> bool       draws an uploader; True when files have just arrived
# waiting() -> tuple[Upload, ...]
# workspaces() -> tuple[Upload, ...]       saved ones among them
# put_away(digest)
# ways(file) -> tuple[Guess, ...]   how it may be read
# start(file, way, items) -> Suggestion | None
# items_for(file) -> (ids)       of the data set that is open, and of files that wait beside it
# asked(file, way, options, answers) -> Outcome  what comes of it, and what it leaves open
# outcome(file, way, options) -> Outcome         what comes of it with just these options

FILES = "data.files"
ROUND = "data.round"
REFUSED = "data.refused"
WORKSPACE = ".kernex"
"""Ending of a saved workspace."""


@dataclass(frozen=True)
class Outcome:
    """What reading a file gave: samples or labels, or what is wrong with it.

    `questions` are those that the file settles or leaves open, and `options` what it was read with.
    """

    result: AnySamples | Labels | None = None
    error: KernexError | None = None
    questions: tuple[Question, ...] = ()
    options: ReadOptions | None = None
    way: str = ""


def limits() -> str:
    """What may be brought, in a sentence."""
    return (
        f"At most {MAX_MEGABYTES} MB a file, also gzipped; {limit_sentence()} and up to {SAMPLE_LIMIT:,} sequences, "
        "vectors or graphs. A part of these, and of larger tables of pairs, is chosen before a matrix is made."
    )


def upload_box(key: str) -> bool:
    """Draw an uploader; files that arrive, or came with the start, wait in the workspace, and the box is empty again."""
    turn = workspace.recall(ROUND, 0)
    dropped = upload_many("Files", key=f"{key}.{turn}", label_visibility="collapsed")
    arrived: tuple[Upload | Path, ...] = (*dropped, *start_files.for_visitor(workspace.tab().space))
    taken: list[Upload] = []
    refused: list[KernexError] = []
    for given in arrived:
        try:
            file = _from_disk(given) if isinstance(given, Path) else given
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


def _from_disk(path: Path) -> Upload:
    try:
        with path.open("rb") as file:  # of one that is too large as much as says so
            return Upload(safe_name(path.name), file.read(2 * MAX_MEGABYTES * 1_000_000))
    except OSError as error:
        raise InvalidInputError(
            "A file that Kernex is started with has to be there",
            f"{safe_name(path.name)}: {error.strerror}",
            "Drop it here",
        ) from None


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
        made = None if beginning is None else asked(other, guess.format.name, beginning.options).result
        found += [] if made is None else made.ids
    return tuple(dict.fromkeys(found))


def asked(file: Upload, way: str, options: ReadOptions, answers: Mapping[str, str] | None = None) -> Outcome:
    """Read a file with what it settles itself; what it leaves open is asked until these answers settle it."""
    try:
        found = read_apart(tasks.look, file)
        begun = None if found.beginning is None else found.beginning.options
        if not answers and (way, options) == (found.way, begun):
            return _of(found.read, way)
        read = read_apart(tasks.answered, file, way, options, tuple(sorted((answers or {}).items())))
        return _of(read, way)
    except KernexError as error:
        return Outcome(error=error.with_traceback(None), options=options, way=way)


def outcome(file: Upload, way: str, options: ReadOptions) -> Outcome:
    """Read a file, or say what is wrong with it; the same question is answered once."""
    try:
        found = read_apart(tasks.look, file)
        if (way, options) == (found.way, found.read.options):
            return _of(found.read, way)
        return Outcome(read_apart(read_as, file, way, options), options=options, way=way)
    except KernexError as error:
        # the frames that it went through hold the file
        return Outcome(error=error.with_traceback(None), options=options, way=way)


def _of(read: Read, way: str) -> Outcome:
    error = None if read.refusal is None else read.refusal.error
    return Outcome(read.result, error, read.questions, read.options, way)


# One uploaded file that stays in the workspace: when its box goes, when the page is loaded anew, and in other tabs.
#
# kept_upload(label, *, key, types=None, help=None) -> Upload | None


def kept_upload(
    label: str, *, key: str, types: Sequence[str] | None = None, help: str | None = None
) -> Upload | None:
    """Ask for one file; it stays until it is let go of, or another one comes."""
    times = workspace.tab().space.emptied
    box = (
        f"{key}.again.{times}" if times else key
    )  # where everything was forgotten the box is another one, and empty
    file = upload(label, key=box, types=types, help=help, on_change=_follow, args=(key, box))
    if file is not None:
        if workspace.recall(f"{key}.came", False):
            workspace.remember(f"{key}.came", False)
            workspace.put(_kept(key), file)
        return file
    nothing: Upload | None = None
    kept = workspace.setting(_kept(key), nothing)
    if kept is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{plain(kept.filename)} is still here.", width="content")
            st.button(
                "Let go of it", key=f"{key}.forget", type="tertiary", icon=":material/close:", on_click=workspace.put,
                args=(_kept(key), None),
            )  # fmt: skip
    return kept


def new_items_key(dataset: str, name: str) -> str:
    """Key of the box for new items of a part of a data set on the page Map; files that come with the kernel wait there."""
    return f"map.new.{dataset}.{name}"


def keep_for(key: str, file: Upload) -> None:
    """Let a file wait at the box of that key, as if it had been brought there."""
    workspace.put(_kept(key), file)


def _kept(key: str) -> str:
    return f"{key}.kept"


def _follow(key: str, box: str) -> None:
    """A file that was taken out of its box by hand is let go of; one whose box has gone is not."""
    came = workspace.told(box, "name") is not None
    workspace.remember(f"{key}.came", came)
    if not came:
        workspace.put(_kept(key), None)


# Names of files that people take away.

RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever their extension."""


GREEK: Final = str.maketrans({"λ": "lambda", "τ": "tau", "ρ": "rho", "γ": "gamma", "σ": "sigma", "β": "beta"})
"""Settings that pages call by a Greek letter."""


LONGEST: Final = 110
LONGEST_DATA: Final = 40


def file_stem(name: str) -> str:
    """Return a file name that every system takes: letters, digits, dot, hyphen and underscore."""
    stem = _plain(name)[:LONGEST].rstrip("-.") or "kernex"
    return f"kernex-{stem}" if RESERVED.fullmatch(stem) else stem


def file_name(data: str, page: str, what: str) -> str:
    """Return a file name, without its extension, of the data set's name, the page's, and what it holds.

    What `what` begins with is not said twice.

    Parameters
    ----------
    data : str
        "" where the file is about no data set.
    page : str
    what : str
        With the settings that made it.

    Examples
    --------
    >>> file_name("Protein world", "complete", "complete trust")
    'Protein-world-complete-trust'
    """
    named, rest = _plain(data), _plain(what)
    for said in (named, page):
        rest = _without(rest, said)
    return file_stem("-".join(filter(None, (named[:LONGEST_DATA].rstrip("-."), page, rest))))


def _plain(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name.translate(GREEK), flags=re.ASCII).strip("-.")


def _without(text: str, start: str) -> str:
    """Text without the words that it starts with."""
    if not start or text.casefold() == start.casefold():
        return "" if start else text
    return text[len(start) + 1 :] if text.casefold().startswith(f"{start}-".casefold()) else text


# How tables are written for the visitor's spreadsheet: with commas, or with semicolons and decimal commas.
#
# choose()                      the switch, beside the downloads of the page Data
# wants_semicolons() -> bool
# hint("One row an item.")      the hint of a button CSV, which says how it is written and where that is changed

KEY: Final = "csv.semicolons"
HELP: Final = (
    "For spreadsheets that split lines at semicolons, as in many languages of Europe: every CSV is then divided by `;`, and "
    "its numbers have a decimal comma. Kernex reads both."
)


def choose() -> None:
    """Draw the switch; it holds for all pages and tabs of the visitor."""
    box = f"{KEY}.switch"
    workspace.show_in(box, wants_semicolons())  # another tab may have moved it
    st.toggle("CSV with ; and decimal commas", key=box, help=HELP, on_change=_spreadsheet_follow, args=(box,))


def _spreadsheet_follow(box: str) -> None:
    workspace.put(KEY, workspace.widget_says(box) is True)


def wants_semicolons() -> bool:
    """Whether the visitor has chosen them."""
    return workspace.setting(KEY, False)


def hint(said: str | None) -> str:
    """Return the hint of a button that gives a CSV."""
    how = "Semicolons and decimal commas" if wants_semicolons() else "Commas and decimal points"
    return f"{f'{said} ' if said else ''}{how}: a switch on Data, beside its downloads."
