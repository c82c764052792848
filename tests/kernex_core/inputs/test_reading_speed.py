import io
import tracemalloc

import numpy as np
import pytest

from kernex_core import read_samples
from kernex_core.inputs import upload
from kernex_core.inputs.tables import table
from tests.kernex_core.inputs.dialects import matrix_bytes
from tests.operations import calls


def test_entries_of_a_text_are_read_many_at_a_time(rng):
    def work(n):
        K = rng.normal(size=(n, n))
        data = matrix_bytes(K + K.T, [f"item_{k}" for k in range(n)])
        return calls(lambda: read_samples(data, "k.csv"))

    few, many = work(200), work(400)
    # rows cost calls, entries next to none: four times the entries are twice the rows
    assert many < 2.5 * few
    assert many < 6 * 400**2


def test_a_hit_table_costs_as_much_a_line_however_long_it_is(rng):
    def work(lines):
        q, t, s = rng.integers(0, 900, lines), rng.integers(0, 900, lines), rng.integers(1, 500, lines)
        rows = zip(q.tolist(), t.tolist(), s.tolist(), strict=True)
        data = "".join(f"d{a}\td{b}\t1\t1\t0\t0\t1\t1\t1\t1\t1e-9\t{x}\n" for a, b, x in rows).encode()
        return calls(lambda: read_samples(data, "h.m8"))

    few, many = work(20_000), work(40_000)
    assert many < 2.1 * few
    assert many < 25 * 40_000


@pytest.mark.slow
def test_a_large_array_is_not_copied_more_than_it_has_to_be():
    n = 2_000
    out = io.BytesIO()
    np.save(out, np.eye(n))
    data = out.getvalue()
    tracemalloc.start()
    read_samples(data, "k.npy", limit=n)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # the sum K + K', its half, and masks of a byte an entry
    assert peak < 2.8 * 8 * n * n


def test_the_numbers_of_a_long_text_are_there_once_beside_the_text(rng, monkeypatch):
    monkeypatch.setattr(upload, "LARGE_TEXT", 1_000)
    monkeypatch.setattr(table, "AT_ONCE", 50_000)
    n = 700
    K = rng.normal(size=(n, n))
    data = matrix_bytes(K + K.T, [f"item_{k}" for k in range(n)])
    read_samples(data, "k.csv")
    tracemalloc.start()
    read_samples(data, "k.csv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # the text, the numbers, and a piece of them as pandas reads it, twice
    assert peak < len(data) + 2.2 * 8 * n * n
