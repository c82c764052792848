"""How many bytes one visitor's browser may leave here before any page has used them.

    Uploads      a plain ASGI application around Streamlit's, behind `visits.Visitors`

Streamlit keeps every file that arrives until its session ends, whether a page takes it or not. A visitor has, together with
what is open in their workspace, at most half of KERNEX_WORKSPACES_MB, and all together have all of it: what is more is
refused, and so costs its sender alone. On a machine of one's own there is nobody else.

Nobody puts a file into a session of another visitor, or takes one out of it, whatever numbers they know or guess. Files that
were uploaded are given to nobody, and what is offered for download has a number that follows from all of its bytes.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import Any, Final

from streamlit import runtime

from kernex_core.base.validation import shown_bytes
from pages.shared.server.answers import Application, Receive, Scope, Send, answer, place
from pages.shared.server.door import NEVER_KEPT, TEXT, address_of
from pages.shared.server.visits import cookie_of
from pages.shared.visitors import identity, limits
from pages.shared.visitors.store import STORE

PLACE: Final = "_stcore/upload_file/"
MOST_SENDERS: Final = 10_000
MOST_DIGITS: Final = 18


class Uploads:
    """Refuses files above what one visitor, and all together, may leave here. Its notes are of the server's loop alone."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self._sessions: OrderedDict[str, set[str]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, or refuse."""
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


def bytes_left() -> dict[str, int]:
    """Bytes of the files that each session has here; nothing where Streamlit calls them otherwise."""
    found: dict[str, int] = {}
    with suppress(AttributeError, RuntimeError):
        manager: Any = runtime.get_instance().uploaded_file_mgr
        for session, files in list(manager.file_storage.items()):
            found[session] = sum(len(file.data) for file in list(files.values()))
    return found
