"""PairwiseKernel: what kernels on strings share whose every pair is a table to fill."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kernex_core.frozen import FloatArray
from kernex_core.kernels.base import Progress, no_progress
from kernex_core.kernels.cost import Operations
from kernex_core.kernels.pairwise import (
    Work,
    all_pairs,
    cell_count,
    refuse_if_too_much,
    shared,
)
from kernex_core.kernels.sequences.letters import as_strings
from kernex_core.kernels.sequences.string_kernel import StringKernel
from kernex_core.kernels.sequences.tables.packed import Packed


@dataclass(frozen=True)
class PairwiseKernel(StringKernel):
    """Base of kernels by dynamic programming: threads share the pairs, with progress, cancel and a known cost."""

    by_pairs: ClassVar[bool] = True
    cell: ClassVar[str]
    """What a cell of its tables is called in `cost.SECONDS`."""

    def gram(self, samples: Sequence[str], *, progress: Progress = no_progress) -> FloatArray:
        """Similarities (n, n) among strings.

        Raises
        ------
        InvalidInputError
            A similarity that float64 cannot hold, with the pair and its logarithm.
        TooLargeError
            More work than the limit, with the time that it would take.
        """
        return self._values(as_strings(samples), None, progress)

    def cross(
        self, samples: Sequence[str], others: Sequence[str], *, progress: Progress = no_progress
    ) -> FloatArray:
        """Similarities (n, n') of strings to others; raises as `gram` does."""
        return self._values(as_strings(samples), as_strings(others), progress)

    def _values(self, strings: Sequence[str], others: Sequence[str] | None, progress: Progress) -> FloatArray:
        self = self.resolved([*strings, *(others or ())])
        left, right = self._packed(strings, others)
        columns = None if others is None else right.lengths
        refuse_if_too_much(self.cell, self._layers * cell_count(left.lengths, columns))
        return all_pairs(self._work(left, right), left.lengths, columns, progress)

    def operations(self, samples: Sequence[str]) -> Operations:
        """See AbstractKernel; as if on one core, but for the threads that share the pairs."""
        lengths = self._packed(as_strings(samples), None)[0].lengths
        return {self.cell: self._layers * shared(cell_count(lengths, None))}

    @property
    def _layers(self) -> int:
        """Tables a pair."""
        return 1

    @abc.abstractmethod
    def _packed(self, strings: Sequence[str], others: Sequence[str] | None) -> tuple[Packed, Packed]:
        """Rows and columns as codes; without others the columns are the strings again."""

    @abc.abstractmethod
    def _work(self, left: Packed, right: Packed) -> Work:
        """What computes some pairs."""
