"""A kernel that is computed in a thread of its own, so that who waits for it can say how far it is, and stop it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final

from kernex_core.gram.matrix import GramMatrix
from kernex_core.kernels.base import AbstractKernel, S, SampleObject
from kernex_core.pieces import Pieces

PIECE: Final = 0.25
"""Seconds after which a running computation says that it is still there."""


class _Stopped(Exception):
    """Raised inside the thread that computes a matrix which nobody waits for any more."""


def similarities_in_pieces(kernel: AbstractKernel[S], data: SampleObject[S]) -> Pieces[GramMatrix]:
    """Return `kernel.similarities(data)`; meanwhile yield several times a second how much of it is done.

    Leaving the generator stops the thread within a piece of work.
    """
    reached, stop = 0.0, False

    def progress(share: float) -> None:
        nonlocal reached
        if stop:
            raise _Stopped
        reached = share

    with ThreadPoolExecutor(1, thread_name_prefix="kernex-table") as pool:
        future = pool.submit(kernel.similarities, data, progress=progress)
        try:
            while wait([future], timeout=PIECE).not_done:
                yield reached
            return future.result()
        finally:
            stop = True
