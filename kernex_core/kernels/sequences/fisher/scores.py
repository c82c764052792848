"""What Fisher scores are divided by before they are multiplied, and what is skipped before there are any."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernex_core.frozen import FloatArray
from kernex_core.kernels.sequences.letters import as_strings, encode

INFORMATION = ("diagonal", "none")
"""How scores are weighed: by the diagonal of the information, or not at all (then by cosines)."""


def direction(U: FloatArray) -> FloatArray:
    """Rows divided by their lengths; a row of zeros has no direction and stays."""
    lengths = np.linalg.norm(U, axis=1, keepdims=True)
    return np.asarray(np.divide(U, lengths, out=np.zeros_like(U), where=lengths > 0.0))


def letter_remarks(strings: Sequence[str], letters: str) -> tuple[str, ...]:
    """Sentences on letters that a model does not know, and on strings without a letter that it does."""
    encoded = encode(as_strings(strings), letters)
    unknown = encoded.numbers < 0
    owner = np.repeat(np.arange(encoded.n), np.diff(encoded.starts))
    said: tuple[str, ...] = ()
    if unknown.any():
        said += (
            f"{int(unknown.sum()):,} letters in {np.unique(owner[unknown]).size:,} of {encoded.n:,} sequences are "
            f"not among {letters} and are skipped.",
        )
    empty = encoded.n - np.unique(owner[~unknown]).size
    if empty:
        said += (f"{empty:,} of {encoded.n:,} sequences have no known letter: similarity 0 to all.",)
    return said
