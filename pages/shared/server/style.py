"""The frame's few rules of style, put into the head of the page: they hold before the first script has run.

Where they come with the script everything jumps once: Streamlit has no setting for the padding of a page's sides, nor for
the height of a place that fills later.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pages.shared.server.answers import Application, Message, Receive, Scope, Send, is_page

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
