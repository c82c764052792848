"""/_kernex/health: whether the server runs, and what it takes; nothing about anybody.

    Health      a plain ASGI application around Streamlit's

Where a token is asked for, whoever has not said it is told "ok" and no more; a program says it in a header,
`Authorization: Bearer <token>`.
"""

from __future__ import annotations

import json
import time
from typing import Final

from kernex_core.base.references import KERNEX_VERSION
from pages.shared.cached import bytes_of_results
from pages.shared.server.answers import Application, Receive, Scope, Send, answer, place
from pages.shared.server.door import NEVER_KEPT, TEXT, TRIES, Tries, address_of, is_same
from pages.shared.server.memory import peak_bytes
from pages.shared.server.visits import cookie_of
from pages.shared.visitors import identity, limits
from pages.shared.visitors.store import STORE

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
