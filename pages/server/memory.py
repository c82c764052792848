"""Memory of this process, as far as the system tells it, and how much of what is free it keeps.

use_few_arenas()      once, at the start
give_back()           what is free, to the system
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import Final

M_ARENA_MAX: Final = -8
ARENAS: Final = 2


def use_few_arenas() -> None:
    """Let all threads share a few places that memory comes from, where the C library is glibc.

    Every run of a page is a thread of its own, and glibc would give many of them (eight a core) such a place. What one
    thread frees there no other one fills: after each crowd of visitors the process held some 50 MB more.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library has no such number
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Give the system what has been free since the last crowd."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def peak_bytes() -> int | None:
    """The most that this process has taken so far; None where the system does not tell."""
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) * (1 if sys.platform == "darwin" else 1_024)
