"""Kernels on networks: one value of τ beside a product of matrices, beside expm, chosen columns, and layout.

Times are processor times of one thread; what is compared was measured in the same run.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from scipy import sparse
from scipy.linalg import expm

from kernex_core import Diffusion, Network, chosen_columns, decompose_network
from kernex_core.gram.graph import as_adjacency
from kernex_core.kernels.networks.spectrum import dense_operator
from kernex_core.studies.networks.layout import network_layout

Laplacian = Literal["normalized", "unnormalized"]
TAUS = np.geomspace(0.1, 200.0, 50)
"""The range of the slider."""
VALUE, EXPM, PLACES = 1_000, 500, 3_000
"""Nodes of the networks of each line."""
COLUMNS = (20_000, 200_000)
"""Nodes and edges."""
SMALL = {"TAUS": TAUS[::10], "VALUE": 40, "EXPM": 40, "PLACES": 40, "COLUMNS": (100, 300)}
"""What a test sets them to."""


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """Least processor time of several runs."""
    best = np.inf
    for _ in range(times):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def random_network(n: int, edges: int) -> sparse.csr_array:
    rng = np.random.default_rng(0)
    ends = rng.integers(n, size=(2, edges))
    half = sparse.coo_array((np.ones(edges), ends), shape=(n, n))
    return as_adjacency(sparse.csr_array(((half + half.T) > 0).astype(np.float64)))


def a_value() -> None:
    n = VALUE
    B = random_network(n, 5 * n)
    spectrum = decompose_network(B)
    K = Diffusion(tau=2.0).on(spectrum)
    other = K + 0.0  # K @ K' would be recognised and half of it left out
    ours, product = seconds(lambda: Diffusion(tau=2.0).on(spectrum), 5), seconds(lambda: K @ other, 5)
    print(f"n = {n:,}: decomposition {seconds(lambda: decompose_network(B), 1):.2f} s, once")
    print(f"n = {n:,}: a value of τ {1e3 * ours:.0f} ms (goal: below 150)")
    print(
        f"n = {n:,}: a product of matrices {1e3 * product:.0f} ms; ratio {ours / product:.2f} (goal: below 2)"
    )


def beside_expm(laplacian: Laplacian) -> None:
    """A value is half a product of matrices, expm 6 to 15 products and a solve: the more, the larger τ L is."""
    n = EXPM
    B = random_network(n, 5 * n)
    L = dense_operator(B, laplacian)
    few = [float(tau) for tau in TAUS[::7]]

    def ours() -> None:
        spectrum = decompose_network(B, laplacian)
        for tau in TAUS:
            Diffusion(float(tau), laplacian).on(spectrum)

    own, theirs = seconds(ours), seconds(lambda: [expm(-tau * L) for tau in few], 2) * TAUS.size / len(few)
    worst = max(float(np.abs(Diffusion(t, laplacian).gram(B) - expm(-t * L)).max()) for t in few)
    print(
        f"n = {n}, {laplacian} Laplacian: {TAUS.size} values of τ {own:.2f} s, decomposition inside; by expm "
        f"{theirs:.2f} s: {theirs / own:.0f} times (goal: 20); largest difference {worst:.1e}"
    )


def columns() -> None:
    n, edges = COLUMNS
    B = random_network(n, edges)
    for tau in (1.0, 5.0, 50.0):
        made = chosen_columns(Diffusion(tau=tau), B, np.arange(20))
        used = seconds(partial(chosen_columns, Diffusion(tau=tau), B, np.arange(20)), 1)
        print(
            f"n = {n:,}, {B.nnz // 2:,} edges, τ = {tau:g}: 20 columns {used:.2f} s (goal: below 2), degree {made.degree}, "
            f"error at most {made.error_bound:.1e}"
        )


def places() -> None:
    n = PLACES
    network = Network(tuple(map(str, range(n))), random_network(n, 3 * n))
    print(f"n = {n:,}: layout {seconds(lambda: network_layout(network), 1):.2f} s (goal: below 5)")


def main() -> None:
    a_value()
    beside_expm("unnormalized")
    beside_expm("normalized")
    columns()
    places()


if __name__ == "__main__":
    main()
