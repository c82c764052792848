"""What is done while the server runs: nothing stays longer than was said, also where nobody comes any more.

async with upkeep(): ...
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from pages.shared.server.memory import give_back
from pages.shared.visitors.keep import keeping
from pages.shared.visitors.store import STORE

_log = logging.getLogger("kernex")
PAUSE: Final = 300.0
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
            await asyncio.to_thread(look_after)
        except Exception:  # whatever it was: the next look may be better than none
            _log.exception("Workspaces could not be looked after")
        await asyncio.sleep(PAUSE)


def look_after() -> None:
    """Let go of what was not used for long."""
    STORE.settle()
    if (keeper := keeping()) is not None:
        keeper.clean()
    give_back()
