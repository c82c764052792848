"""What a file costs from its bytes to what it holds, as the page Data asks for it, beside pandas' own read of its numbers.

    python -m benchmarks.uploads

Square matrices of text, pairs that become a matrix, and a list of edges: processor seconds of the first look (format,
options, questions, values), pandas' seconds for the same text, how many times as long that is, and the peak of what Python
holds meanwhile in units of the array that comes out. Both run in this process; the smallest of REPEATS counts.
"""

from __future__ import annotations

import io
import time
import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from kernex_core.inputs.upload import Upload
from pages.server.readers.tasks import look

SEED = 0
ITEMS = (250, 1_000, 3_000)
EDGES = 500_000
NODES = 4_000
REPEATS = 3
SMALL = {"ITEMS": (30,), "EDGES": 300, "NODES": 40, "REPEATS": 1}
"""What a test sets them to."""


def matrix(n: int) -> bytes:
    """A similarity matrix with ids on both sides, every number with all its digits."""
    X = np.random.default_rng(SEED).normal(size=(n, 50))
    ids = [f"item{k}" for k in range(n)]
    return pd.DataFrame(X @ X.T, ids, ids).to_csv().encode()


def edges() -> bytes:
    """Pairs of ids with a weight."""
    rng = np.random.default_rng(SEED)
    ends = rng.integers(0, NODES, (EDGES, 2))
    return "\n".join(
        f"n{a}\tn{b}\t{w:.4f}" for (a, b), w in zip(ends, rng.random(EDGES), strict=True)
    ).encode()


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds, the smallest of REPEATS."""
    found = []
    for _ in range(REPEATS):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return min(found)


def row(title: str, data: bytes, peer: Callable[[], object], filename: str, size: int) -> None:
    """Print one row; `size` is that of the array in bytes."""
    theirs, ours = seconds(peer), seconds(lambda: look(Upload(filename, data)))
    tracemalloc.start()
    made = look(Upload(filename, data)).read.result
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert made is not None
    print(
        f"{title:<26} {len(data) / 1e6:7.1f} MB {theirs:8.3f} s {ours:8.3f} s {ours / max(theirs, 1e-9):6.1f} × "
        f"{peak / size:6.1f} ×"
    )


def main() -> None:
    """Print the table."""
    look(Upload("warm.csv", b",a,b\na,1,2\nb,2,1\n"))
    print(f"{'':<26} {'file':>10} {'pandas':>10} {'Kernex':>10} {'ratio':>8} {'peak':>8}")
    for n in ITEMS:
        data = matrix(n)
        row(f"matrix of {n:,} items", data, partial(frame, data, ",", 0), "k.csv", 8 * n * n)
    data = edges()
    row(f"{EDGES:,} pairs of {NODES:,} items", data, partial(frame, data, "\t", None), "e.tsv", 8 * NODES**2)
    named = b"source\ttarget\tweight\n" + data
    row(f"{EDGES:,} edges", named, partial(frame, named, "\t", 0), "n.tsv", 24 * EDGES)


def frame(data: bytes, sep: str, index: int | None) -> pd.DataFrame:
    """What pandas makes of it."""
    return pd.read_csv(io.BytesIO(data), sep=sep, index_col=index)


if __name__ == "__main__":
    main()
