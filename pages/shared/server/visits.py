"""Gives every new visitor a cookie with their first page, and lets nothing else pass for one.

    Visitors      a plain ASGI application around Streamlit's, given to `st.App(middleware=...)`

What is no cookie of this server's (forged, empty, too long, two at once) goes no further, and is replaced with the next
page. `SameSite=Lax`: a link in a mail opens the same workspace; a page of somebody else's that sends requests, or opens a
websocket, does so without it. Pages of other servers on this machine are of the same site: theirs are told by `Origin`.
`Secure` where the request came by TLS, also by way of a proxy that uvicorn trusts (FORWARDED_ALLOW_IPS, this machine).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from pages.shared.server.answers import Application, Message, Receive, Scope, Send, is_page
from pages.shared.visitors import identity, limits
from pages.shared.visitors.identity import FORMER
from pages.shared.visitors.store import STARTED, STORE

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
