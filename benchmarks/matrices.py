"""Bytes and seconds of the linked matrices: the first view of Complete, a move of λ, and large ones.

    python -m benchmarks.matrices

Bytes are those of the carriers, before the compression of the connection.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.datasets.catalogue import DATASETS
from kernex_core.gram.order import dendrogram
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source, view
from pages.ui import payload
from pages.ui.matrices import look

T = TypeVar("T")
LARGE = (1_000, 2_000)
SMALL = {"LARGE": (60,)}
"""What a test sets them to."""


def timed(make: Callable[[], T]) -> tuple[T, float]:
    """Return a result and its processor time, the smallest of three."""
    times = []
    for _ in range(3):
        began = time.process_time()
        made = make()
        times.append(time.process_time() - began)
    return made, min(times)


def told(name: str, carriers: Sequence[payload.Carrier], seconds: float) -> None:
    """Print one line."""
    raw = sum(len(carrier.data) for carrier in carriers)
    wire = sum(len(zlib.compress(carrier.data, 1)) for carrier in carriers)
    print(f"{name:44} {raw / 1000:8.0f} kB {wire / 1000:8.0f} kB deflated {1000 * seconds:8.1f} ms")


def packed(matrices: Sequence[FloatArray]) -> list[payload.Carrier]:
    """Carriers of matrices in the order as given."""
    return [payload.matrix(K, np.arange(len(K))) for K in matrices]


def main() -> None:
    """Print all lines."""
    world = next(each for each in DATASETS if each.title == "Protein world").load(0)
    config = CompletionConfig(share=0.25)
    source = prepare_source(config, world.kernels[world.source])
    made = prepare(config, source, world.kernels[world.target])
    shown = view(made, 0.25)
    known = np.where(np.outer(made.known, made.known), made.truth, np.nan)
    five = [made.truth, known, made.extrapolation.T_hat, shown.K, shown.error]
    classes = [str(name) for name in world.labels.y] if world.labels is not None else None
    items = payload.PanelItems(world.ids, classes, *look(classes), np.arange(world.n))

    def first() -> list[payload.Carrier]:
        return [items.carrier(), *packed(five), payload.factor(made.path)]

    told("Complete, n = 206: first view", *timed(first))
    told("Complete, n = 206: a move of λ", *timed(lambda: packed([shown.K, shown.error])))
    for n in LARGE:
        large(n)


def large(n: int) -> None:
    """Print the lines of one matrix of n items."""
    X = np.random.default_rng(0).normal(size=(n, 20))
    K = X @ X.T
    told(f"one matrix, n = {n:,}", *timed(lambda: packed([K])))
    window, seconds = timed(lambda: payload.window(K, np.arange(n), [0, min(n, 512), 0, min(n, 512)]))
    told(f"one matrix, n = {n:,}: a window in full", [window], seconds)
    _, seconds = timed(lambda: dendrogram(K))
    print(f"{f'dendrogram, n = {n:,}':44} {1000 * seconds:46.1f} ms")


if __name__ == "__main__":
    main()
