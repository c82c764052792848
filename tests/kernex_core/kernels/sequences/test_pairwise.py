from __future__ import annotations

import itertools
import threading

import numpy as np
import pytest

from kernex_core.base.errors import TooLargeError
from kernex_core.kernels import pairwise
from kernex_core.kernels.base import SECONDS
from kernex_core.kernels.pairwise import (
    all_pairs,
    blocks,
    cell_count,
    refuse_if_too_much,
)
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.string_kernel import PairwiseKernel
from kernex_core.kernels.sequences.subsequence import Subsequence
from tests.patience import PATIENCE


class CancelledError(Exception):
    pass


@pytest.mark.parametrize("size", [1, 70, 1000, 10**9])
@pytest.mark.parametrize("symmetric", [True, False])
def test_blocks_hold_every_pair_once(size: int, symmetric: bool) -> None:
    rows, columns = np.array([3, 0, 50, 7]), np.array([0, 20, 9])
    found = [
        tuple(pair) for block in blocks(rows, None if symmetric else columns, size) for pair in block.tolist()
    ]
    every = itertools.product(range(4), range(4 if symmetric else 3))
    assert sorted(found) == [(i, j) for i, j in every if i <= j or not symmetric]


def test_cell_count_is_the_sum_of_products() -> None:
    assert cell_count(np.array([2, 3, 5]), None) == 4 + 6 + 10 + 9 + 15 + 25
    assert cell_count(np.array([2, 3]), np.array([7, 1])) == 40


def test_values_land_where_their_pair_is() -> None:
    def work(pairs: np.ndarray, meter: np.ndarray) -> np.ndarray:
        meter[1] += 1
        return pairs[:, 0] * 10.0 + pairs[:, 1]

    two, three = np.ones(2, dtype=np.int64), np.ones(3, dtype=np.int64)
    assert all_pairs(work, two, three, lambda share: None).tolist() == [[0, 1, 2], [10, 11, 12]]
    assert all_pairs(work, two, None, lambda share: None).tolist() == [[0, 1], [1, 11]]


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    def work(pairs: np.ndarray, meter: np.ndarray) -> np.ndarray:
        raise TooLargeError("no")

    with pytest.raises(TooLargeError):
        all_pairs(work, np.array([5, 5]), None, lambda share: None)


@pytest.mark.parametrize("kernel", [Subsequence(), LocalAlignment(log=True)])
def test_progress_rises_to_one(kernel: PairwiseKernel) -> None:
    strings = ["ACDEFGHIKLMNPQRSTVWY" * 8] * 25
    shares: list[float] = []
    kernel.gram(strings, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_progress_comes_while_a_piece_is_at_work() -> None:
    shares: list[float] = []
    enough = threading.Event()

    def progress(share: float) -> None:
        shares.append(share)
        if len(shares) == 3:
            enough.set()

    def work(pairs: np.ndarray, meter: np.ndarray) -> np.ndarray:
        assert enough.wait(PATIENCE)  # without news it waits in vain
        return np.zeros(len(pairs))

    all_pairs(work, np.array([5, 5]), None, progress)
    assert shares[:3] == [0.0] * 3
    assert shares[-1] == 1.0


@pytest.mark.parametrize("kernel", [Subsequence(), LocalAlignment(log=True)])
def test_a_single_long_pair_can_be_cancelled(kernel: PairwiseKernel) -> None:
    shares: list[float] = []

    def cancel(share: float) -> None:
        shares.append(share)
        if len(shares) == 2:  # the first may be heard before anything is computed
            raise CancelledError

    with pytest.raises(CancelledError):
        kernel.gram(["ACGT" * 15_000], progress=cancel)
    assert len(shares) == 2
    assert shares[1] < 1.0


def test_only_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_if_too_much("alignment cell", 1e9)
    monkeypatch.setattr(pairwise, "worker_count", lambda: 1)
    with pytest.raises(TooLargeError, match="about 1 hours"):
        refuse_if_too_much("alignment cell", 3600 / SECONDS["alignment cell"])


def test_two_sessions_at_once_get_the_same_as_one() -> None:
    from concurrent.futures import ThreadPoolExecutor

    strings = ["ACDEFGHIKL" * 12, "LMNPQRSTVW" * 9, "AKDEFAHIKL" * 10] * 4
    kernel = LocalAlignment(log=True)
    alone = kernel.gram(strings)
    with ThreadPoolExecutor(4) as pool:
        for K in pool.map(lambda _: kernel.gram(strings), range(8)):
            assert (alone == K).all()
