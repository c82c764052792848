"""A websocket's handshake may be as long as any other request (64 kB, of uvicorn).

Browsers send the cookies of all servers of a machine to each of them; with more than 8 kB together the websocket's own
reader gave up without an answer: the page never came, and the end of the server was an error.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

LONGEST_LINE: Final = 1 << 17
MOST_LINES: Final = 1 << 15


def allow_long_headers() -> None:
    """Leave the limit to whoever reads the request first."""
    try:
        reader: Any = importlib.import_module("websockets.http11")
    except ImportError:  # of another release: its own limits hold
        return
    reader.MAX_LINE_LENGTH, reader.MAX_NUM_HEADERS = LONGEST_LINE, MOST_LINES
