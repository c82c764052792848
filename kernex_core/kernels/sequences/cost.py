"""What a matrix of string similarities will cost, from a few shortened strings that are computed now."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernex_core.frozen import EqualByContent, FloatArray
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.sequences.letters import as_strings

ENOUGH = 0.1
"""Seconds of a measurement after which no larger sample is taken."""
_SHORTENED = 1_000
_MOST_STRINGS = 64


@dataclass(frozen=True, eq=False)
class Cost(EqualByContent):
    """Cost of `kernel.gram(strings)` on this machine.

    Attributes
    ----------
    seconds : float
    bytes : int
        Of the matrix and one copy of it, which is the largest part that is held at a time.
    pairs : int
        Unordered pairs, each string with itself included.
    measured_pairs : int
        Pairs that were computed to tell the time.
    """

    seconds: float
    bytes: int
    pairs: int
    measured_pairs: int

    def __str__(self) -> str:
        return (
            f"{self.pairs:,} pairs, about {_duration(self.seconds)} and {self.bytes / 1e6:,.0f} MB "
            f"(measured on {self.measured_pairs:,} pairs of shortened sequences)"
        )


def estimate(kernel: AbstractKernel[Any], strings: Sequence[str]) -> Cost:
    """Measure a sample, and scale it: by letter pairs for kernels that fill a table a pair, else by pairs and letters.

    The sample grows from 2 to at most 64 strings, spread over all lengths and cut to 1,000 letters, until it takes
    0.1 s. Sequences that a kernel refuses are refused here as well.

    Parameters
    ----------
    kernel : a kernel on strings
    strings : sequence of str

    Raises
    ------
    InvalidInputError, TooLargeError
        As `kernel.gram` would.
    """
    everything = as_strings(strings)
    lengths = np.array([len(string) for string in everything], dtype=np.float64)
    pairs = lengths.size * (lengths.size + 1) // 2
    size = 16 * lengths.size**2
    some = np.flatnonzero(lengths)
    if some.size == 0:
        return Cost(0.0, size, pairs, 0)
    by_length = some[np.argsort(lengths[some], kind="stable")]
    count, seconds = 1, 0.0
    sample: list[str] = []
    kernel.gram([everything[by_length[0]][:_SHORTENED]])  # compiles, where that is still to do
    while seconds < ENOUGH and count < min(_MOST_STRINGS, some.size):
        count = min(2 * count, _MOST_STRINGS, some.size)
        spread = by_length[np.linspace(0, some.size - 1, count).astype(np.int64)]
        sample = [everything[i][:_SHORTENED] for i in spread]
        # the shorter of two: what else the machine does must not be taken for the kernel's work
        seconds = min(_seconds(kernel, sample), _seconds(kernel, sample))
    if not sample:
        sample = [everything[by_length[0]][:_SHORTENED]]
        seconds = _seconds(kernel, sample)
    measured = np.array([len(string) for string in sample], dtype=np.float64)
    return Cost(
        seconds * _work(kernel, lengths) / _work(kernel, measured), size, pairs, count * (count + 1) // 2
    )


def _work(kernel: AbstractKernel[Any], lengths: FloatArray) -> float:
    """Work of a matrix in units of the kernel."""
    total = float(lengths.sum())
    if kernel.by_pairs:
        return (total**2 + float((lengths**2).sum())) / 2.0
    return total * (lengths.size + 1) / 2.0


def _seconds(kernel: AbstractKernel[Any], sample: Sequence[str]) -> float:
    began = time.perf_counter()
    kernel.gram(sample)
    return time.perf_counter() - began


def _duration(seconds: float) -> str:
    if seconds < 90.0:
        return f"{seconds:.1g} s" if seconds < 10.0 else f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} minutes" if seconds < 5400.0 else f"{seconds / 3600.0:,.1f} hours"
