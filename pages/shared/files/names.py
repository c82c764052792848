"""Names of files that people take away."""

from __future__ import annotations

import re
from typing import Final

RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever their extension."""


GREEK: Final = str.maketrans({"λ": "lambda", "τ": "tau", "ρ": "rho", "γ": "gamma", "σ": "sigma", "β": "beta"})
"""Settings that pages call by a Greek letter."""


def file_stem(name: str) -> str:
    """Return a file name that every system takes: letters, digits, dot, hyphen and underscore."""
    stem = (
        re.sub(r"[^\w.-]+", "-", name.translate(GREEK), flags=re.ASCII).strip("-.")[:80].rstrip("-.")
        or "kernex"
    )
    return f"kernex-{stem}" if RESERVED.fullmatch(stem) else stem
