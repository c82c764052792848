"""What holds for every kernel on strings, over random strings."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.markov_fisher import MarkovFisher
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum, SpectrumSum
from kernex_core.kernels.sequences.subsequence import Subsequence

KERNELS: list[AbstractKernel[list[str]]] = [
    Spectrum(k=2, alphabet="dna"),
    SpectrumSum(k=3, alphabet="dna"),
    Mismatch(k=3, m=1, alphabet="dna"),
    Subsequence(length=2, decay=0.5, alphabet="dna"),
    LocalAlignment(beta=0.1, matrix="BLOSUM62"),
    LocalAlignment(beta=0.5, log=True),
    SmithWaterman(),
    MarkovFisher(alphabet="dna"),
    MarkovFisher(0.5, "diagonal", "dna"),
]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)
strings = st.lists(st.text("ACGT", max_size=12), min_size=1, max_size=6)
few = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def close(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@every_kernel
@few
@given(first=strings, second=strings)
def test_gram_of_both_has_the_blocks(
    kernel: AbstractKernel[list[str]], first: list[str], second: list[str]
) -> None:
    kernel = kernel.resolved(first + second)  # what is open is set from all items, not from a part of them
    n, whole = len(first), kernel.gram(first + second)
    close(whole[:n, :n], kernel.gram(first))
    close(whole[n:, n:], kernel.gram(second))
    close(whole[:n, n:], kernel.cross(first, second))
    close(whole[n:, :n], kernel.cross(second, first))
    for one in range(n):  # items that come one by one get the rows that they would have had
        close(whole[one : one + 1, n:], kernel.cross(first[one : one + 1], second))


@every_kernel
@few
@given(first=strings, seed=st.integers(0, 99))
def test_order_of_the_strings_only_orders_the_matrix(
    kernel: AbstractKernel[list[str]], first: list[str], seed: int
) -> None:
    order = np.random.default_rng(seed).permutation(len(first))
    close(kernel.gram([first[i] for i in order]), kernel.gram(first)[np.ix_(order, order)])


@every_kernel
@few
@given(first=strings)
def test_kernels_are_positive_semidefinite_and_similarities_say_that_they_are_not(
    kernel: AbstractKernel[list[str]], first: list[str]
) -> None:
    K = kernel.gram(first)
    assert np.array_equal(K, K.T)
    assert np.isfinite(K).all()
    proven = isinstance(kernel, LocalAlignment) and kernel.is_kernel(first).positive_semidefinite
    if kernel.positive_semidefinite or proven:
        assert np.linalg.eigvalsh(K)[0] >= -1e-12 * max(1.0, float(np.abs(K).max())) * len(first)
    else:
        assert isinstance(kernel, SmithWaterman | LocalAlignment)


@every_kernel
@few
@given(first=strings)
def test_case_does_not_matter(kernel: AbstractKernel[list[str]], first: list[str]) -> None:
    close(kernel.gram([string.lower() for string in first]), kernel.gram(first))


@every_kernel
def test_two_sessions_that_begin_at_once_get_the_same(kernel: AbstractKernel[list[str]]) -> None:
    given_strings = ["ACGTACCA", "", "GATTACA", "A", "CCGGTTAA"]
    expected, gate, found = kernel.gram(given_strings), threading.Barrier(2), []

    def session() -> None:
        gate.wait()
        found.append(kernel.gram(given_strings))

    threads = [threading.Thread(target=session) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert all(np.array_equal(K, expected) for K in found)
