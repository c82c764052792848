"""Asks every new visitor once for the token that whoever started the server has set (KERNEX_TOKEN).

    Door      a plain ASGI application around Streamlit's, behind `visits.Visitors`

Without the token nothing passes: no page, no websocket, no upload, no download, no file of Streamlit's. Two addresses that
say "ok" and nothing else are open, for whoever watches that the server runs.
"""

from __future__ import annotations

import hashlib
import hmac
import html
import importlib
import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from pages.server.headers import (
    Application,
    Message,
    Receive,
    Scope,
    Send,
    answer,
    is_no_page,
    is_page,
    own_page,
    place,
    root_of,
)
from pages.server.navigation import ENTRIES
from pages.server.visitors import limits
from pages.server.visitors import store as identity
from pages.server.visitors.store import FORMER, STARTED, STORE

# A websocket's handshake may be as long as any other request (64 kB, of uvicorn).
#
# Browsers send the cookies of all servers of a machine to each of them; with more than 8 kB together the websocket's own
# reader gave up without an answer: the page never came, and the end of the server was an error.

LONGEST_LINE: Final = 1 << 17
MOST_LINES: Final = 1 << 15


def allow_long_headers() -> None:
    """Leave the limit to whoever reads the request first."""
    try:
        reader: Any = importlib.import_module("websockets.http11")
    except ImportError:  # of another release: its own limits hold
        return
    reader.MAX_LINE_LENGTH, reader.MAX_NUM_HEADERS = LONGEST_LINE, MOST_LINES


# Gives every new visitor a cookie with their first page, and lets nothing else pass for one.
#
#     Visitors      a plain ASGI application around Streamlit's, given to `st.App(middleware=...)`
#
# What is no cookie of this server's (forged, empty, too long, two at once) goes no further, and is replaced with the
# next page. `SameSite=Lax`: a link in a mail opens the same workspace; a page of somebody else's that sends requests,
# or opens a websocket, does so without it. Pages of other servers on this machine are of the same site: theirs are told
# by `Origin`. `Secure` where the request came by TLS, also by way of a proxy that uvicorn trusts (FORWARDED_ALLOW_IPS,
# this machine).

LONGEST: Final = 200
"""Characters of a cookie that are looked at."""
Headers = list[tuple[bytes, bytes]]


class Visitors:
    """Names visitors."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with the visitor's cookie alone, and the answer back with a cookie for a new one."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        limits.came_from(str((scope.get("client") or ("",))[0]))
        name = identity.cookie_name()
        cookie = None if is_foreign(scope) else cookie_of(scope, name)
        others = without_cookie(scope["headers"], name)
        if cookie is not None:
            others = [*others, (b"cookie", f"{name}={cookie}".encode())]
        given = cookie or identity.new_cookie()
        is_visit = scope["type"] == "http" and scope["method"] == "GET" and is_page(scope)
        if cookie is None and not is_foreign(scope) and has_former(scope, name):
            # whoever loads the page has another cookie when its session begins; a tab that was left open has none
            others = [*others, (b"cookie", f"{FORMER}=1".encode())]
            if is_visit and (visitor := identity.visitor_of(given)) is not None:
                STORE.tell(visitor, STARTED)

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() != b"cache-control"]
                made = (b"set-cookie", header(name, given, scope["scheme"] == "https").encode())
                # nobody on the way keeps a page with a cookie for somebody else
                message = {**message, "headers": [*kept, (b"cache-control", b"no-store"), made]}
            await send(message)

        await self.app({**scope, "headers": others}, receive, with_cookie if is_visit else send)


def header(name: str, value: str, secure: bool) -> str:
    """Return what sets a cookie for as long as the workspace is kept after its last use."""
    seconds = 3600 * limits.idle_hours()
    return f"{name}={value}; Max-Age={seconds}; Path=/; HttpOnly; SameSite=Lax" + (
        "; Secure" if secure else ""
    )


def cookie_of(scope: Scope, name: str) -> str | None:
    """Return the visitor's cookie, if the request has exactly one and this server has given it."""
    found = [value for key, value in _pairs(scope["headers"]) if key == name.encode()]
    if len(found) != 1 or len(found[0]) > LONGEST:
        return None
    value = found[0].decode("latin-1")
    return None if identity.visitor_of(value) is None else value


def has_former(scope: Scope, name: str) -> bool:
    """Whether the browser was here before the server was started anew."""
    found = [value for key, value in _pairs(scope["headers"]) if key == name.encode()]
    return len(found) == 1 and len(found[0]) <= LONGEST and identity.is_former(found[0].decode("latin-1"))


def without_cookie(headers: Iterable[tuple[bytes, bytes]], name: str) -> Headers:
    """Return the headers with all cookies but those of this name."""
    headers = list(headers)
    kept = [pair for pair in headers if pair[0].lower() != b"cookie"]
    left = [key + b"=" + value for key, value in _pairs(headers) if key != name.encode()]
    return [*kept, (b"cookie", b"; ".join(left))] if left else kept


def is_foreign(scope: Scope) -> bool:
    """Whether the page that asks belongs to another server, of this machine, say: browsers send it the same cookies."""
    asked = {key.lower(): value.decode("latin-1") for key, value in scope["headers"]}
    origin, host = asked.get(b"origin"), asked.get(b"host")
    if not origin or not host:
        return False
    try:
        place = urlsplit(origin)
        return place.netloc.lower() != host.lower() and place.hostname in (None, *limits.ALONE)
    except ValueError:  # no address at all
        return True


def _pairs(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    lines = [value for key, value in headers if key.lower() == b"cookie"]
    parts = [part.strip() for line in lines for part in line.split(b";") if part.strip()]
    return [(key.strip(), value.strip()) for key, _, value in (part.partition(b"=") for part in parts)]


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
