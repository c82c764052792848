"""Compressed files are unpacked under a cap."""

from __future__ import annotations

import gzip
import io
import zlib

from kernex_core.errors import InvalidInputError, TooLargeError

EXPANSION_LIMIT = 400_000_000
"""Bytes that a compressed upload may unpack to."""
RATIO_LIMIT = 300
"""Bytes per compressed byte beyond which an upload is taken for a bomb, once it has passed RATIO_FROM bytes."""
RATIO_FROM = 64_000_000
_CHUNK = 1 << 20


def unpack(data: bytes, name: str, limit: int = EXPANSION_LIMIT) -> bytes:
    """Expand gzip piece by piece, giving up as soon as it passes `limit` or an absurd ratio.

    Raises
    ------
    TooLargeError
        Beyond the limit, before more is unpacked.
    InvalidInputError
        Damaged or cut off.
    """
    pieces: list[bytes] = []
    size = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            while piece := stream.read(_CHUNK):
                pieces.append(piece)
                size += len(piece)
                check_expansion(size, len(data), name, limit)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(
            f"{name} has to be a whole gzip file",
            f"a damaged or cut off one ({error})",
            "Compress or transfer it again",
        ) from None
    return b"".join(pieces)


def check_expansion(size: int, packed: int, name: str, limit: int = EXPANSION_LIMIT) -> None:
    """Refuse what unpacks to more than `limit` bytes, or to more than RATIO_LIMIT times its size.

    Raises
    ------
    TooLargeError
    """
    bomb = size > RATIO_FROM and size > RATIO_LIMIT * max(packed, 1)
    if size > limit or bomb:
        raise TooLargeError(
            f"A compressed file may unpack to {limit / 1e6:,.0f} MB, and to {RATIO_LIMIT} times its size",
            f"{name}: {packed / 1e6:.2f} MB that unpack to more than {size / 1e6:,.0f} MB",
            "Upload a smaller selection of the items",
        )
