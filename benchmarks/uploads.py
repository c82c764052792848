"""Seconds and number of unpackings and hashes from an uploaded file to what it holds, as the page Data asks for it.

    python -m benchmarks.uploads

An 8 MB gzip of a similarity matrix in text. Before a file was one value, the same questions unpacked it seven times and
hashed it eight times.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import statistics
import time
from unittest import mock

import numpy as np

from kernex_core.inputs import upload as uploads
from kernex_core.inputs.samples import Similarity
from kernex_core.studies.data import read_as, readings, suggest

SEED = 0
ITEMS = 1_400
REPEATS = 5
SMALL = {"ITEMS": 40, "REPEATS": 1}
"""What a test sets them to."""


def packed() -> bytes:
    """Text of a matrix, as gzip of about 8 MB."""
    X = np.random.default_rng(SEED).normal(size=(ITEMS, 5))
    text = io.StringIO()
    np.savetxt(text, X @ X.T, fmt="%.6f", delimiter=",")
    return gzip.compress(text.getvalue().encode())


def seconds(data: bytes) -> list[float]:
    """Of guessing the format, of suggesting its options, of reading; and of unpacking and hashing alone."""
    marks = [time.perf_counter()]
    file = uploads.Upload("kernel.csv.gz", data)
    likeliest = readings(file)[0].format
    marks.append(time.perf_counter())
    options = suggest(file, likeliest.name).options
    marks.append(time.perf_counter())
    made = read_as(file, likeliest.name, options)
    marks.append(time.perf_counter())
    assert isinstance(made, Similarity)
    assert made.n == ITEMS
    uploads.unpack(data, "kernel.csv.gz")
    hashlib.sha256(data).hexdigest()
    marks.append(time.perf_counter())
    return np.diff(marks).tolist()


def counts(data: bytes) -> tuple[int, int]:
    """How often the file is unpacked and hashed on the way."""
    with (
        mock.patch.object(uploads, "unpack", wraps=uploads.unpack) as unpacked,
        mock.patch.object(hashlib, "sha256", wraps=hashlib.sha256) as hashed,
    ):
        file = uploads.Upload("kernel.csv.gz", data)
        name = readings(file)[0].format.name
        read_as(file, name, suggest(file, name).options)
        large = [call for call in hashed.call_args_list if call.args and len(call.args[0]) == len(data)]
    return unpacked.call_count, len(large)


def main() -> None:
    """Print the table."""
    data = packed()
    runs = [seconds(data) for _ in range(REPEATS)]
    guess, suggestion, read, once = (statistics.median(column) for column in zip(*runs, strict=True))
    unpackings, hashes = counts(data)
    print(f"{len(data) / 1e6:.1f} MB of gzip, {ITEMS:,} items; medians of {REPEATS} runs")
    print(f"  guess the format   {guess:6.2f} s")
    print(f"  suggest options    {suggestion:6.2f} s")
    print(f"  read               {read:6.2f} s")
    print(
        f"  together           {guess + suggestion + read:6.2f} s, {unpackings} × unpacked and {hashes} × hashed"
    )
    print(f"  of which unpacking and hashing once: {once:.2f} s")


if __name__ == "__main__":
    main()
