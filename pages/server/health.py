"""/_kernex/health: whether the server runs, and what it takes; nothing about anybody.

    Health      a plain ASGI application around Streamlit's

Where a token is asked for, whoever has not said it is told "ok" and no more; a program says it in a header,
`Authorization: Bearer <token>`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from kernex_core.base.references import KERNEX_VERSION
from pages.server.cached import bytes_of_results
from pages.server.headers import Application, Receive, Scope, Send, answer, place
from pages.server.token import NEVER_KEPT, TEXT, TRIES, Tries, address_of, cookie_of, is_same
from pages.server.uploads import drop_left
from pages.server.visitors import limits
from pages.server.visitors import store as identity
from pages.server.visitors.keep import keeping
from pages.server.visitors.store import STORE
from pages.server.warmup import collect, give_back, peak_bytes, sessions_here

HEALTH: Final = "_kernex/health"
JSON: Final = (b"content-type", b"application/json")
_started = time.monotonic()


class Health:
    """Answers this one address."""

    def __init__(self, app: Application, tries: Tries | None = None) -> None:
        self.app = app
        self._tries = tries or TRIES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on."""
        if scope["type"] != "http" or place(scope) != HEALTH:
            await self.app(scope, receive, send)
        elif self._knows_token(scope):
            await answer(send, 200, json.dumps(health()).encode(), [JSON, NEVER_KEPT])
        else:
            await answer(send, 200, b"ok", [TEXT, NEVER_KEPT])

    def _knows_token(self, scope: Scope) -> bool:
        token, address = limits.token(), address_of(scope)
        if not token or identity.is_admitted(cookie_of(scope, identity.cookie_name()), token):
            return True
        said = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1").partition(" ")
        if said[0].lower() != "bearer" or self._tries.are_too_many(address):
            return False
        if is_same(said[2].strip(), token):
            return True
        self._tries.count(address)
        return False


def health() -> dict[str, object]:
    """Return version, seconds since the start, number of visitors, and megabytes."""
    peak = peak_bytes()
    return {
        "status": "ok",
        "version": KERNEX_VERSION,
        "uptime_seconds": round(time.monotonic() - _started),
        "visitors": len(STORE),
        "workspaces_mb": round(STORE.size / limits.MEGABYTE),
        "results_mb": round(bytes_of_results() / limits.MEGABYTE),
        "peak_memory_mb": None if peak is None else round(peak / limits.MEGABYTE),
    }


class Sessions:
    """Sessions that were here at the last look: whether some have ended since is told by them.

    Streamlit keeps those of closed tabs for two minutes, for tabs that come again, and looks at the time only when somebody
    comes: what it lets go of then was not told by what a look itself ended, and was never collected.
    """

    def __init__(self) -> None:
        self._seen: frozenset[str] = frozenset()

    def end_left(self) -> bool:
        """Let go of sessions whose tab was closed minutes ago, with the files in them; whether any has ended since the last
        look. Called on the server's loop, as Streamlit does.
        """
        if (here := sessions_here()) is not None:
            drop_left(here)
        ended, self._seen = not (here or frozenset()) >= self._seen, here or frozenset()
        return ended


SESSIONS: Final = Sessions()


# What is done while the server runs: nothing stays longer than was said, also where nobody comes any more.
#
# async with upkeep(): ...

_log = logging.getLogger("kernex")
PAUSE: Final = 60.0
"""Seconds between two looks."""


@asynccontextmanager
async def upkeep() -> AsyncIterator[None]:
    """Look after the workspaces as long as the server runs; at its end, what is kept on disk is written."""
    task = asyncio.create_task(_looking_after())
    try:
        yield
    finally:
        task.cancel()
        if (keeper := keeping()) is not None:
            keeper.finish()


async def _looking_after() -> None:
    while True:
        try:
            ended = SESSIONS.end_left()
            await asyncio.to_thread(look_after, ended)
        except Exception:  # whatever it was: the next look may be better than none
            _log.exception("Workspaces could not be looked after")
        await asyncio.sleep(PAUSE)


def look_after(ended: bool = False) -> None:
    """Let go of what was not used for long, and of what sessions that have ended held: that refers to itself."""
    STORE.settle()
    if ended:
        collect()
    if (keeper := keeping()) is not None:
        keeper.clean()
    give_back()
