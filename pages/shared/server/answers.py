"""What every answer of the server carries, and what an address that leads nowhere gets.

    Headers       security headers on every HTTP answer
    Addresses     /start is the first page; an address that is no page gets one of our own, which names all pages

Both are plain ASGI applications around Streamlit's, given to `st.App(middleware=...)`.
"""

from __future__ import annotations

import html
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final

from pages.shared.navigation import ENTRIES, PAGES

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS: Final = (
    # nobody else's page may show this one inside it and lend it clicks
    (b"content-security-policy", b"frame-ancestors 'self'; base-uri 'self'; object-src 'none'"),
    (b"x-frame-options", b"SAMEORIGIN"),
    # a download is what its type says, whatever it looks like
    (b"x-content-type-options", b"nosniff"),
    # addresses name data sets: they are not told to the pages that a link leads to
    (b"referrer-policy", b"same-origin"),
)
OWN: Final = ("_stcore", "media", "component", "static", "app", "vendor", "healthz")
"""First parts of the addresses that Streamlit answers itself."""


class Headers:
    """Puts the security headers on every answer, in place of any of the same name."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the answer back with its headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in HEADERS}
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
                message = {**message, "headers": [*kept, *HEADERS]}
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class Addresses:
    """Sends /start to the first page, and answers what is no page with a page of our own."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on."""
        root = scope.get("root_path", "")
        path = place(scope) if scope["type"] == "http" else ""
        if path == PAGES[0].url_path:
            query = scope.get("query_string", b"")
            target = f"{root}/".encode() + (b"?" + query if query else b"")
            await answer(send, 307, b"", [(b"location", target)])
        elif is_no_page(path):
            await answer(
                send, 404, nowhere(path, root).encode(), [(b"content-type", b"text/html; charset=utf-8")]
            )
        else:
            await self.app(scope, receive, send)


def place(scope: Scope) -> str:
    """The address that a request is about, below the root and without slashes at its ends."""
    root: str = scope.get("root_path", "")
    return str(scope.get("path", "")).removeprefix(root).strip("/")


def is_page(scope: Scope) -> bool:
    """Whether a request is about a page."""
    return place(scope) in {"", *(entry.url_path for entry in ENTRIES)}


def is_no_page(path: str) -> bool:
    """Whether an address (without slashes at its ends) is neither a page nor anything of Streamlit's, such as a file."""
    first, last = path.split("/")[0], path.rsplit("/", 1)[-1]
    known = {"", *(entry.url_path for entry in ENTRIES)}
    return path not in known and first not in OWN and "." not in last and "_stcore" not in path.split("/")


def nowhere(path: str, root: str = "") -> str:
    """Return the page that an address gets which leads nowhere."""
    links = "".join(
        f'<li><a href="{html.escape(root)}/{"" if entry is PAGES[0] else entry.url_path}">'
        f"{html.escape(entry.title)}</a></li>"
        for entry in PAGES
    )
    return own_page(
        "No such page",
        f"<p>Kernex has no page <code>/{html.escape(path[:200])}</code>. Its pages are:</p><ul>{links}</ul>",
    )


def own_page(title: str, body: str) -> str:
    """Return a page of our own, which needs nothing else."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} · Kernex</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" '
        'content="light dark"><style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:10vh auto;'
        "padding:0 1rem}h1{font:600 1.75rem/1.2 Georgia,serif}code{overflow-wrap:anywhere}input,button{font:inherit;"
        "padding:.4rem .6rem;margin:.25rem .25rem .25rem 0}</style></head><body>"
        f"<h1>{title}</h1>{body}</body></html>"
    )


async def answer(send: Send, status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Send a whole answer."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
