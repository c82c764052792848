"""What every answer of the server carries, and what an address that leads nowhere gets.

    Headers       security headers on every HTTP answer
    Addresses     /start is the first page, former addresses lead on; one that is no page gets one of our own, which
                  names all pages

Both are plain ASGI applications around Streamlit's, given to `st.App(middleware=...)`.
"""

from __future__ import annotations

import hashlib
import html
import importlib
import re
import zlib
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from pathlib import Path
from typing import Any, Final

import streamlit as st

from pages.server.navigation import ENTRIES, PAGES
from pages.server.visitors.contents import FORMER_PAGES

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

INLINE: Final = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)


def policy() -> bytes:
    """What a browser may load and run for these pages: what this server sends, and the inline scripts of Streamlit's page.

    These are known by their digests. Streamlit needs more than one would wish: scripts of components come as `blob:`, the
    drawing of charts in WebGL makes functions of text (`'unsafe-eval'`), and styles are written into the page.
    """
    page = Path(st.__file__).with_name("static") / "index.html"
    scripts = INLINE.findall(page.read_bytes()) if page.exists() else []
    known = "".join(f" 'sha256-{b64encode(hashlib.sha256(each).digest()).decode()}'" for each in scripts)
    said = (
        "default-src 'self'",
        f"script-src 'self' blob: 'unsafe-eval'{known}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "form-action 'self'",
        # nobody else's page may show this one inside it and lend it clicks
        "frame-ancestors 'self'",
        "base-uri 'self'",
        "object-src 'none'",
    )
    return "; ".join(said).encode()


HEADERS: Final = (
    (b"content-security-policy", policy()),
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
        root = root_of(scope)
        path = place(scope) if scope["type"] == "http" else ""
        if scope["type"] == "http" and is_beside(scope):
            await answer(send, 307, b"", [(b"location", f"{root}/".encode())])
        elif path == PAGES[0].url_path or path in FORMER_PAGES or is_of_together(path, scope):
            query = scope.get("query_string", b"")
            now = "together" if path == "many" else FORMER_PAGES.get(path, "")
            target = f"{root}/{now}".encode() + (b"?" + query if query else b"")
            await answer(send, 307, b"", [(b"location", target)])
        elif is_no_page(path):
            await answer(
                send, 404, nowhere(path, root).encode(), [(b"content-type", b"text/html; charset=utf-8")]
            )
        else:
            await self.app(scope, receive, send)


def base() -> str:
    """What stands before all addresses of this server (`--server.baseUrlPath`): "/kernex", or nothing."""
    given = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{given}" if given else ""


def root_of(scope: Scope) -> str:
    """What a browser has to write before an address of ours: what a proxy in front has taken away, and our base."""
    return str(scope.get("root_path", "")).rstrip("/").removesuffix(base()) + base()


def place(scope: Scope) -> str:
    """The address that a request is about, below the root and the base and without slashes at its ends."""
    path = str(scope.get("path", ""))
    for start in (str(scope.get("root_path", "")).rstrip("/"), base()):
        if start and (path == start or path.startswith(f"{start}/")):
            path = path[len(start) :]
    return path.strip("/")


def is_beside(scope: Scope) -> bool:
    """Whether somebody asks for the root of the machine, and this server has its pages below a base."""
    return bool(base()) and str(scope.get("path", "")) in ("", "/") and not scope.get("root_path")


def is_of_together(path: str, scope: Scope) -> bool:
    """Whether an address is of when kernels were completed together on the page Many kernels."""
    query: bytes = scope.get("query_string", b"")
    return path == "many" and (b"many_way=" in query or b"many_items=complete" in query)


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


# Numbers of pictures go to the browser as they are; text is compressed.
#
# The websocket compresses every message. Of floats that saves a tenth and takes the server as long as judging a kernel:
# half a megabyte is 16 ms. A message may also go uncompressed (RFC 7692, section 6), which browsers read as well.

SHORT: Final = 1 << 13
"""Bytes below which nothing is worth a look."""
PIECE: Final = 1 << 10
"""Bytes of each of three pieces that tell how dense a message is."""
DENSE: Final = 0.8
"""Share of its size that a dense message has when it is compressed."""


def leave_dense_messages() -> None:
    """Let the websockets of this process send as they are those messages that compression makes hardly smaller.

    The names are the library's own and may change: what is not found stays as it is, and all messages are compressed.
    """
    try:
        extension: Any = importlib.import_module("websockets.extensions.permessage_deflate").PerMessageDeflate
        compress = extension.encode
    except (ImportError, AttributeError):
        return
    if getattr(compress, "leaves_dense", False):
        return

    def encode(self: Any, frame: Any, *more: Any, **named: Any) -> Any:
        return frame if _goes_as_it_is(frame) else compress(self, frame, *more, **named)

    encode.leaves_dense = True  # type: ignore[attr-defined]
    extension.encode = encode


def _goes_as_it_is(frame: Any) -> bool:
    # what comes in several frames is compressed as a whole, or not at all
    try:
        return bool(frame.fin) and frame.opcode.name == "BINARY" and is_dense(frame.data)
    except (AttributeError, TypeError):  # frames of another release
        return False


def is_dense(data: bytes | bytearray | memoryview) -> bool:
    """Whether compression would hardly make a message smaller, judged by three pieces of it."""
    n = len(data)
    if n < SHORT:
        return False
    starts = (n // 4, n // 2, n - n // 4)
    pieces = b"".join(bytes(data[start : start + PIECE]) for start in starts)
    return len(zlib.compress(pieces, 1)) > DENSE * len(pieces)


# The frame's few rules of style, put into the head of the page: they hold before the first script has run.
#
# Where they come with the script everything jumps once: Streamlit has no setting for the padding of a page's sides, nor
# for the height of a place that fills later.

STYLE: Final = b"<style>" + Path(__file__).with_name("page.css").read_bytes() + b"</style>"
END: Final = b"</head>"
WHOLE: Final = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
"""What a browser asks with that gets a page compressed, in part or not at all."""
OF_THE_FORMER: Final = (b"content-length", b"etag", b"last-modified")
"""What is said of the page as it was."""


class Style:
    """Puts the rules into the head of every page; a plain ASGI application around Streamlit's."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold the start of a page's answer back until its body is there."""
        if scope["type"] != "http" or scope["method"] != "GET" or not is_page(scope):
            await self.app(scope, receive, send)
            return
        asked = [pair for pair in scope["headers"] if pair[0].lower() not in WHOLE]
        start: Message = {}
        body = bytearray()

        async def styled(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if message["type"] == "http.response.body":
                body.extend(message.get("body", b""))
                if message.get("more_body"):
                    return
            page = bytes(body).replace(END, STYLE + END, 1)
            kept = [pair for pair in start["headers"] if pair[0].lower() not in OF_THE_FORMER]
            # a new version of Kernex may have another style for the same page of Streamlit's
            said = [(b"content-length", str(len(page)).encode()), (b"cache-control", b"no-cache")]
            kept = [pair for pair in kept if pair[0].lower() != b"cache-control"]
            await send({**start, "headers": [*kept, *said]})
            await send({"type": "http.response.body", "body": page})

        await self.app({**scope, "headers": asked}, receive, styled)
