"""Numbers of pictures go to the browser as they are; text is compressed.

The websocket compresses every message. Of floats that saves a tenth and takes the server as long as judging a kernel: half a
megabyte is 16 ms. A message may also go uncompressed (RFC 7692, section 6), which browsers read as well.
"""

from __future__ import annotations

import importlib
import zlib
from typing import Any, Final

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
