"""Memory of this process, as far as the system tells it."""

from __future__ import annotations

import sys


def peak_bytes() -> int | None:
    """The most that this process has taken so far; None where the system does not tell."""
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) * (1 if sys.platform == "darwin" else 1_024)
