"""What Fisher scores are divided by before they are multiplied."""

from __future__ import annotations

import numpy as np

from kernex_core.frozen import FloatArray

INFORMATION = ("diagonal", "none")
"""How scores are weighed: by the diagonal of the information, or not at all (then by cosines)."""


def direction(U: FloatArray) -> FloatArray:
    """Rows divided by their lengths; a row of zeros has no direction and stays."""
    lengths = np.linalg.norm(U, axis=1, keepdims=True)
    return np.asarray(np.divide(U, lengths, out=np.zeros_like(U), where=lengths > 0.0))
