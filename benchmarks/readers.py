"""Seconds from an uploaded file to what it holds, read by a reader process and in this one; and what the readers cost.

    python -m benchmarks.readers

A reader takes a file through a pipe, forks (on Linux), and sends back JSON and arrays, which are looked at as those of a
stranger's file. The first line is what a server pays beside its own start; nobody waits for it who brings no file at once.
"""

from __future__ import annotations

import io
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from kernex_core.inputs.upload import Upload
from pages.server.readers import tasks
from pages.server.readers.pool import Pool, resident_bytes

SEED = 0
QUICK_REPEATS, REPEATS = 31, 3
ITEMS, ROWS, RECORDS = 2_500, 5_000, 20_000
"""Of the matrix, the table and the sequences, which are near the limit of 50 MB."""
SMALL = {"QUICK_REPEATS": 1, "REPEATS": 1, "ITEMS": 20, "ROWS": 20, "RECORDS": 20}
"""What a test sets them to."""


def files() -> dict[str, Upload]:
    """A small table, and files near the limit of 50 MB."""
    rng = np.random.default_rng(SEED)
    K = rng.random((ITEMS, ITEMS))
    array, table, sequences = io.BytesIO(), io.StringIO(), io.StringIO()
    np.save(array, (K + K.T) / 2.0)
    np.savetxt(table, rng.random((ROWS, 1_000)), fmt="%.6f", delimiter=",")
    letters = np.array(list("ACDEFGHIKLMNPQRSTVWY"))
    for k in range(RECORDS):
        sequences.write(f">s{k}\n{''.join(letters[rng.integers(0, 20, 500)])}\n")
    return {
        "small table": Upload("small.csv", b"id,a,b\nx,1,0.5\ny,0.5,1\nz,3,4\n"),
        "matrix .npy": Upload("K.npy", array.getvalue()),
        "vectors .csv": Upload("X.csv", table.getvalue().encode()),
        "sequences .fasta": Upload("s.fasta", sequences.getvalue().encode()),
    }


def median(work: Callable[[Upload], object], file: Upload, repeats: int) -> float:
    """Median seconds; every time with a file about which nothing is known."""
    taken = []
    for _ in range(repeats):
        fresh = Upload(file.filename, file.packed)
        began = time.perf_counter()
        work(fresh)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def main() -> None:
    """Print the table."""
    began = time.perf_counter()
    pool = Pool(1)
    made = time.perf_counter() - began
    pool.read("me", tasks.look, Upload("first.csv", b"a,b\n1,2\n3,4\n"))
    ready = time.perf_counter() - began
    reader = pool.readers[0]
    print(
        f"pool {1e3 * made:.1f} ms, first file {ready:.1f} s, {resident_bytes(reader.pid) / 1e6:.0f} MB a reader"
    )
    print(f"{'':20s}{'MB':>6s}{'in process':>12s}{'apart':>9s}")
    for name, file in files().items():
        repeats = QUICK_REPEATS if len(file.packed) < 1_000 else REPEATS
        here = median(tasks.look, file, repeats)
        apart = median(lambda fresh: pool.read("me", tasks.look, fresh), file, repeats)
        print(f"{name:20s}{len(file.packed) / 1e6:6.1f}{here:10.3f} s{apart:7.3f} s")
    pool.close()
    print("forking" if sys.platform == "linux" else "staying")


if __name__ == "__main__":
    main()
