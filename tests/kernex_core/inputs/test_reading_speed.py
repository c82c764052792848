import io
import time
import tracemalloc

import numpy as np
import pytest

from kernex_core import read_samples
from tests.kernex_core.inputs.dialects import matrix_bytes


@pytest.mark.slow
def test_a_thousand_items_of_text_are_read_in_a_second(rng):
    K = rng.normal(size=(1000, 1000))
    data = matrix_bytes(K + K.T, [f"item_{k}" for k in range(1000)])
    start = time.process_time()
    assert read_samples(data, "k.csv").n == 1000
    assert time.process_time() - start < 30.0  # 0.5 s on an idle core


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
