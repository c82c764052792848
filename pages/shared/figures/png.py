"""A PNG with a palette, from the standard library: one byte a pixel, transparency included.

from pages.shared.figures.png import indexed_png
data = indexed_png(indices, palette)      # uint8 (height, width), uint8 (colours, 4)
"""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray


def indexed_png(indices: NDArray[np.uint8], palette: NDArray[np.uint8]) -> bytes:
    """PNG of the picture `indices` (height, width) into `palette`, rows of red, green, blue and alpha.

    Two colours take one bit a pixel. Filter 0 on every row: palette indices do not gain from prediction.
    """
    height, width = indices.shape
    depth = 1 if len(palette) <= 2 else 8
    rows = np.packbits(indices, axis=1) if depth == 1 else np.ascontiguousarray(indices)
    filtered = np.concatenate([np.zeros((height, 1), dtype=np.uint8), rows], axis=1)
    header = struct.pack(">IIBBBBB", width, height, depth, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", palette[:, :3].tobytes()),
            _chunk(b"tRNS", palette[:, 3].tobytes()),
            _chunk(b"IDAT", zlib.compress(filtered.tobytes(), 6)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
