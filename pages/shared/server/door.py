"""Asks every new visitor once for the token that whoever started the server has set (KERNEX_TOKEN).

    Door      a plain ASGI application around Streamlit's, behind `visits.Visitors`

Without the token nothing passes: no page, no websocket, no upload, no download, no file of Streamlit's. Two addresses that
say "ok" and nothing else are open, for whoever watches that the server runs.
"""

from __future__ import annotations

import hashlib
import hmac
import html
import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs, parse_qsl, urlencode

from pages.shared.navigation import ENTRIES
from pages.shared.server.answers import (
    Application,
    Receive,
    Scope,
    Send,
    answer,
    is_no_page,
    is_page,
    own_page,
    place,
    root_of,
)  # fmt: skip
from pages.shared.server.visits import cookie_of, header
from pages.shared.visitors import identity, limits

ENTER: Final = "_kernex/enter"
OPEN: Final = ("_stcore/health", "healthz", "_kernex/health")
MOST_TRIES: Final = 10
MINUTE: Final = 60.0
MOST_ADDRESSES: Final = 10_000
LONGEST_FORM: Final = 8_192
HTML: Final = (b"content-type", b"text/html; charset=utf-8")
TEXT: Final = (b"content-type", b"text/plain; charset=utf-8")
TOO_MANY: Final = "Ten wrong tokens in a minute. Wait a minute, then enter it again."
NEVER_KEPT: Final = (b"cache-control", b"no-store")


class Tries:
    """Wrong tokens of the last minute, by address.

    Parameters
    ----------
    clock : callable
        Seconds, for tests.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: OrderedDict[str, list[float]] = OrderedDict()

    def are_too_many(self, address: str) -> bool:
        """Whether this address has to wait."""
        since = self._clock() - MINUTE
        with self._lock:
            recent = [moment for moment in self._wrong.get(address, ()) if moment > since]
        return len(recent) >= MOST_TRIES

    def count(self, address: str) -> None:
        """One more wrong token."""
        with self._lock:
            self._wrong[address] = [*self._wrong.pop(address, ()), self._clock()][-MOST_TRIES:]
            while len(self._wrong) > MOST_ADDRESSES:
                self._wrong.popitem(last=False)


TRIES: Final = Tries()
"""One count, wherever the token is said."""


class Door:
    """Lets those pass who have said the token."""

    def __init__(self, app: Application, tries: Tries | None = None) -> None:
        self.app = app
        self._tries = tries or TRIES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, ask, or refuse."""
        token = limits.token()
        if not token or scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif scope["type"] == "http" and place(scope) == ENTER and scope["method"] == "POST":
            await self._enter(scope, receive, send, token)
        elif is_welcome(scope, token):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        elif scope["method"] == "GET" and (is_page(scope) or is_no_page(place(scope))):
            query = scope.get("query_string", b"").decode("latin-1")
            await _ask(send, 401, scope, f"{place(scope)}?{query}")
        else:
            await answer(send, 401, b"The token is needed first.", [TEXT, NEVER_KEPT])

    async def _enter(self, scope: Scope, receive: Receive, send: Send, token: str) -> None:
        address = address_of(scope)
        form = await _form(receive)
        # after the form: whoever begins a hundred at once, and says the tokens later, is counted all the same
        then = form.get("then", [""])[0]
        if self._tries.are_too_many(address):
            # the form stays, with the address that was asked for: whoever has waited goes on from here
            await _ask(send, 429, scope, then, TOO_MANY, (b"retry-after", b"60"))
            return
        if not is_same(form.get("token", [""])[0].strip(), token):
            self._tries.count(address)
            await _ask(send, 403, scope, then, "That is not the token.")
            return
        name = identity.cookie_name()
        cookie = cookie_of(scope, name)
        if cookie is None:
            await _ask(
                send,
                403,
                scope,
                then,
                "Your browser sends no cookie, by which it would be known from now on.",
            )
            return
        made = header(name, identity.admitted(cookie, token), scope["scheme"] == "https")
        target = f"{root_of(scope)}/{address_within(then)}"
        await answer(
            send, 303, b"", [(b"location", target.encode()), (b"set-cookie", made.encode()), NEVER_KEPT]
        )


def is_welcome(scope: Scope, token: str) -> bool:
    """Whether a request is of somebody who has said the token, or about nothing that matters."""
    if scope["type"] == "http" and place(scope) in OPEN:
        return True
    return identity.is_admitted(cookie_of(scope, identity.cookie_name()), token)


def is_same(said: str, token: str) -> bool:
    """Whether they are equal; it takes as long whatever was said."""
    ours, theirs = (hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in (token, said))
    return hmac.compare_digest(ours, theirs)


def address_of(scope: Scope) -> str:
    """Who asks: an address of version 4, or the network of one of version 6, in which everybody has many."""
    client = scope.get("client")
    try:
        found = ipaddress.ip_address(client[0] if client else "")
    except ValueError:
        return ""
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


def address_within(wanted: str) -> str:
    """Return an address of ours with its query, whatever was asked for."""
    path, _, query = wanted.partition("?")
    known = path if path in {entry.url_path for entry in ENTRIES} else ""
    pairs = urlencode(parse_qsl(query, keep_blank_values=True)[:100])
    return known + (f"?{pairs}" if pairs else "")


async def _ask(
    send: Send, status: int, scope: Scope, then: str, problem: str = "", *headers: tuple[bytes, bytes]
) -> None:
    said = f'<p role="alert"><strong>{html.escape(problem)}</strong></p>' if problem else ""
    body = own_page(
        "Kernex",
        "<p>Whoever started this server asks for a token.</p>"
        f'{said}<form method="post" action="{html.escape(root_of(scope))}/{ENTER}">'
        f'<input type="hidden" name="then" value="{html.escape(address_within(then))}">'
        '<label>Token <input type="password" name="token" required autofocus autocomplete="current-password"></label> '
        "<button>Enter</button></form>",
    )
    await answer(send, status, body.encode(), [HTML, NEVER_KEPT, *headers])


async def _form(receive: Receive) -> dict[str, list[str]]:
    """Fields of a short form; nothing where it is none."""
    body, more = b"", True
    while more and len(body) <= LONGEST_FORM:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    try:
        return parse_qs(body[:LONGEST_FORM].decode("utf-8", "replace"), max_num_fields=10)
    except ValueError:
        return {}
