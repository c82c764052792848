"""How many bytes one visitor's browser may leave here before any page has used them.

    Uploads      a plain ASGI application around Streamlit's, behind `visits.Visitors`

Streamlit keeps every file that arrives until its session ends, whether a page takes it or not. A visitor has, together with
what is open in their workspace, at most half of KERNEX_WORKSPACES_MB, and all together have all of it: what is more is
refused, and so costs its sender alone. On a machine of one's own there is nobody else.

Nobody puts a file into a session of another visitor, or takes one out of it, whatever numbers they know or guess. Files that
were uploaded are given to nobody. What is offered for download, and every picture, has an address that belongs to its
visitor: see `bind_media`.
"""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Container
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final

from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import memory_media_file_storage
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from streamlit.runtime.state.common import GENERATED_ELEMENT_ID_PREFIX, WidgetMetadata
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX, Serialized, SessionState

from kernex_core.base.validation import shown_bytes
from pages.server import workspace
from pages.server.headers import Application, Receive, Scope, Send, answer, place
from pages.server.token import NEVER_KEPT, TEXT, address_of, cookie_of
from pages.server.visitors import limits
from pages.server.visitors import store as identity
from pages.server.visitors.store import STORE

PLACE: Final = "_stcore/upload_file/"
MEDIA: Final = "media/"
OF_MEDIA, OF_FILE = "media", "media file"
"""What is signed in the address of a file: whose it is, and what is in it."""
MOST_SENDERS: Final = 10_000
MOST_DIGITS: Final = 18


class Uploads:
    """Refuses files above what one visitor, and all together, may leave here. Its notes are of the server's loop alone."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self._sessions: OrderedDict[str, set[str]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, or refuse."""
        if scope["type"] == "http" and place(scope).startswith(MEDIA) and not is_own_media(scope):
            await answer(send, 404, b"There is no such file.", [TEXT, NEVER_KEPT])
            return
        if scope["type"] != "http" or not place(scope).startswith(PLACE):
            await self.app(scope, receive, send)
            return
        if is_of_another(scope):
            await answer(send, 403, b"This page is of another visitor. Load it anew.", [TEXT, NEVER_KEPT])
            return
        if scope["method"] != "PUT":
            await self.app(scope, receive, send)
            return
        if not limits.answers_alone() and not length_of(scope):
            # nobody knows how much would come; browsers always say it
            await answer(send, 411, b"A file comes with its length.", [TEXT, NEVER_KEPT])
            return
        most = limits.workspace_bytes()
        mine, everybody = self._bytes(scope)
        if not limits.answers_alone() and (mine > most // 2 or everybody > most):
            own, all_of_it = shown_bytes(most // 2), shown_bytes(most)
            said = f"One visitor leaves at most {own} on this server, and all together {all_of_it}."
            await answer(send, 413, said.encode(), [TEXT, NEVER_KEPT])
            return
        await self.app(scope, receive, send)

    def _bytes(self, scope: Scope) -> tuple[int, int]:
        """Bytes of this visitor, and of all, with the file that comes."""
        visitor = identity.visitor_of(cookie_of(scope, identity.cookie_name()))
        sender = visitor or address_of(scope)
        sessions = self._sessions.pop(sender, set())
        left = bytes_left()
        sessions = {each for each in sessions if each in left} | {session_of(scope)}
        self._sessions[sender] = sessions
        while len(self._sessions) > MOST_SENDERS:
            self._sessions.popitem(last=False)
        coming = int(length_of(scope) or 0)
        open_here = STORE.size_of(visitor) if visitor else 0
        return sum(left.get(each, 0) for each in sessions) + open_here + coming, sum(left.values()) + coming


def session_of(scope: Scope) -> str:
    """The session that a file is brought to."""
    return place(scope).removeprefix(PLACE).split("/")[0]


def is_of_another(scope: Scope) -> bool:
    """Whether the session began with the cookie of a visitor, and the request has not the same."""
    name = identity.cookie_name()
    began = identity.visitor_of(cookie_of_session(session_of(scope), name))
    return began is not None and identity.visitor_of(cookie_of(scope, name)) != began


def cookie_of_session(session: str, name: str) -> str | None:
    """The cookie that a session's websocket came with."""
    with suppress(AttributeError, RuntimeError):  # no server runs, or Streamlit calls it otherwise
        client: Any = runtime.get_instance().get_client(session)
        cookie: str | None = client.client_context.cookies.get(name)
        return cookie
    return None


def length_of(scope: Scope) -> bytes:
    """How many bytes will come, in digits; nothing where that is not said, or is no number that a file could have."""
    said: bytes = dict(scope["headers"]).get(b"content-length", b"")
    return said if said.isdigit() and len(said) <= MOST_DIGITS else b""


def drop_left(here: Container[str]) -> None:
    """Drop the files of all sessions that are not among these.

    Streamlit does so when a session is destroyed, and its loop holds the last one that was active until another one comes.
    """
    with suppress(AttributeError, RuntimeError):  # no server runs, or another release calls them otherwise
        manager: Any = runtime.get_instance().uploaded_file_mgr
        for session in [each for each in list(manager.file_storage) if each not in here]:
            manager.remove_session_files(session)


def bytes_left() -> dict[str, int]:
    """Bytes of the files that each session has here; nothing where Streamlit calls them otherwise."""
    found: dict[str, int] = {}
    with suppress(AttributeError, RuntimeError):
        manager: Any = runtime.get_instance().uploaded_file_mgr
        for session, files in list(manager.file_storage.items()):
            found[session] = sum(len(file.data) for file in list(files.values()))
    return found


# Addresses of pictures and downloads: bound to the visitor whose page has them.
#
#     bind_media()      once, at the start
#
# Streamlit calls a file by a digest of some of its bytes: whoever knows or guesses them has the address, and two large files
# that differ elsewhere are one. Here the address is a signature, by the server's key, of all bytes and of the visitor, and
# begins with one of the visitor alone, by which a request with another cookie is told. A page without a cookie has files
# that whoever knows the address may have.


_asking: ContextVar[str | None] = ContextVar("asking", default=None)
"""Visitor for whom a download is made that was asked for, outside of any run of a page."""
_make: Any = DeferredFileHandler.handle


def bind_media() -> None:
    """Give every file an address of its visitor's own."""
    files: Any = memory_media_file_storage
    files._calculate_file_id = media_id
    handler: Any = DeferredFileHandler
    handler.handle = _make_for


async def _make_for(handler: DeferredFileHandler, request: Any, session_id: str) -> Any:
    """Make a download that was asked for, for the visitor whose session asks."""
    before = _asking.set(identity.visitor_of(cookie_of_session(session_id, identity.cookie_name())))
    try:
        return await _make(handler, request, session_id)
    finally:
        _asking.reset(before)


def media_id(data: bytes, mimetype: str, filename: str | None = None) -> str:
    """What a picture or a download is called in its address."""
    visitor = _asking.get() or workspace.visitor() or ""
    content = hashlib.sha256(data).hexdigest()
    return f"{identity.sign(OF_MEDIA, visitor)}{identity.sign(OF_FILE, repr((visitor, content, mimetype, filename)))}"


def is_own_media(scope: Scope) -> bool:
    """Whether a file is of a page of this visitor's, or of one without a cookie."""
    asked = place(scope).removeprefix(MEDIA)
    visitor = identity.visitor_of(cookie_of(scope, identity.cookie_name()))
    return any(asked.startswith(identity.sign(OF_MEDIA, who)) for who in {visitor or "", ""})


# What arrives by the websocket: what a widget cannot take is dropped before the page's script runs.
#
#     drop_unfit()      once, at the start
#
# A browser sends for each widget what that widget says. Whoever speaks the websocket by other means sends what they
# like: a number for a list, text that is no JSON, more than a message may hold. To read such a state is an error of
# Streamlit's, before the page has begun and in each of its later runs. Dropped, it is as if it had not been sent: the
# page shows what it showed. Messages that no page of ours sends are not looked at: they would clear what all visitors
# share, tell how this server is kept, or write files beside it.

_log = logging.getLogger("kernex")
VALUE: Final = "value"
"""The part of a state that is of one of several types."""
WHOLE, NUMBER = "int_value", "double_value"
"""Browsers send a whole number of a number input as such, though the widget says that it takes any number."""
IDS: Final = (GENERATED_ELEMENT_ID_PREFIX, f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{GENERATED_ELEMENT_ID_PREFIX}")
"""How the id of a widget begins, or of what a component tells; all else would pass for something that a page keeps."""
MOST: Final = 2_000
"""States in one message; a page has some dozens of widgets."""
MOST_FILES: Final = 1_000
"""Files that are brought at once."""
MESSAGES: Final = (
    "rerun_script",
    "stop_script",
    "file_urls_request",
    "app_heartbeat",
    "backend_operation_request",
)
OPERATIONS: Final = ("deferred_file", "dataframe_chunk")
"""Downloads that are made when they are asked for, and rows of long tables."""


@dataclass(frozen=True)
class _Reader:
    """Reads a state of a widget, and knows the type that the widget was declared with.

    Streamlit's own note of the type becomes that of whatever was read last.
    """

    read: Callable[[Any], Any]
    declared: str | None

    def __call__(self, value: Any) -> Any:
        return self.read(value)


class _Streamlits:
    """Methods of Streamlit's that are surrounded here."""

    take: Any = SessionState.set_widgets_from_proto
    declare: Any = SessionState._set_widget_metadata
    hear: Any = AppSession.handle_backmsg


def drop_unfit() -> None:
    """Let every session take only what its widgets can."""
    patched: Any = SessionState
    patched.set_widgets_from_proto, patched._set_widget_metadata = take, declare
    session: Any = AppSession
    session.handle_backmsg = hear


def hear(session: AppSession, message: BackMsg) -> None:
    """Pass a message on, if it is one that pages send."""
    kind = message.WhichOneof("type")
    asked = message.backend_operation_request.WhichOneof("payload") if kind == MESSAGES[-1] else ""
    too_many = (
        len(message.file_urls_request.file_names) > MOST_FILES if kind == "file_urls_request" else False
    )
    if kind in MESSAGES and asked in ("", *OPERATIONS) and not too_many:
        _Streamlits.hear(session, message)


def take(state: SessionState, sent: WidgetStates) -> None:
    """Take what a browser has sent; what is of no use leaves the message, too, from which clicks are told again."""
    if len(sent.widgets) > MOST or sent.ByteSize() > get_max_widget_state_size_bytes():
        sent.Clear()
    _keep(sent, [each for each in sent.widgets if each.id.startswith(IDS)])
    _Streamlits.take(state, sent)
    unfit = {each.id for each in sent.widgets if not _fits(state, each.id)}
    _keep(sent, [each for each in sent.widgets if each.id not in unfit])


def _keep(sent: WidgetStates, some: list[WidgetState]) -> None:
    if len(some) < len(sent.widgets):
        del sent.widgets[:]
        sent.widgets.extend(some)


def declare(state: SessionState, metadata: WidgetMetadata[Any]) -> None:
    """Note a widget that is drawn, and look at what was sent for it before anybody knew it: by a tab that comes again."""
    reader = _Reader(metadata.deserializer, metadata.value_type)
    _Streamlits.declare(state, replace(metadata, deserializer=reader))
    _fits(state, metadata.id)


def _fits(state: SessionState, widget: str) -> bool:
    """Whether a widget takes what was sent for it, or is not known yet; what it does not take is dropped."""
    states = state._new_widget_state
    sent, metadata = states.states.get(widget), states.widget_metadata.get(widget)
    if not isinstance(sent, Serialized) or metadata is None:
        return True
    declared = getattr(metadata.deserializer, "declared", metadata.value_type)
    given = sent.value.WhichOneof(VALUE)
    if given in (declared, None) or (given, declared) == (WHOLE, NUMBER):
        try:
            states[widget]
        except Exception:
            _log.debug("A state was dropped", exc_info=True)
        else:
            return True
    del states.states[widget]
    return False
