"""Large tables: how long what is needed once takes, in which steps, and how good the estimates of kernels are.

Lines, no verdicts. One BLAS thread. `python -m benchmarks.large 3190` decomposes a matrix of another size.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import time
from typing import TypeVar

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.conditioning.repairs import REPAIRS, repairing
from kernex_core.gram.diagnostics import diagnose
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.spectrum import decomposing, kernel_pca
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.catalogue import KERNELS
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.vectors.dot_product import Tanimoto
from kernex_core.learning.folds import CrossValidation
from kernex_core.runtime.progress import Steps
from kernex_core.studies.inspection import filling

T = TypeVar("T")
PROTEIN = list("ACDEFGHIKLMNPQRSTVWY")
HITS = 1_200
VECTORS = (1_500, 60)
BY_PAIRS, BY_COUNTS = (120, 120), (2_000, 200)
"""Number and length of the strings that kernels are estimated on, by how they compute."""
SMALL = {"HITS": 40, "VECTORS": (20, 5), "BY_PAIRS": (4, 12), "BY_COUNTS": (6, 12)}
SMALL_ARGUMENTS = ["40"]
"""What a test sets them to."""


def walked(what: str, steps: Steps[T]) -> T:
    """Do a work in steps; print how long all and the longest of them took."""
    began = last = time.perf_counter()
    longest, count = 0.0, 0
    while True:
        try:
            next(steps)
        except StopIteration as end:
            now = time.perf_counter()
            print(
                f"{what:<44} {now - began:7.2f} s, {count + 1:5d} steps, longest {max(longest, now - last):.2f} s"
            )
            made: T = end.value
            return made
        now = time.perf_counter()
        longest, last, count = max(longest, now - last), now, count + 1


def timed(what: str, began: float) -> None:
    print(f"{what:<44} {time.perf_counter() - began:7.2f} s")


def decomposition(n: int, rng: np.random.Generator) -> None:
    """An indefinite matrix: its decomposition, and what is read off it."""
    A = rng.normal(size=(n, n)) / np.sqrt(n)
    K = GramMatrix(A + A.T)
    made = walked(f"eigenvalues, n = {n:,}", decomposing(K.values))
    began = time.perf_counter()
    diagnose(K, eigenvalues=made.eigenvalues)
    timed("diagnosis from them", began)
    began = time.perf_counter()
    kernel_pca(K, 2, decomposition=made)
    timed("map of the centred matrix from them", began)
    for repair in REPAIRS:
        walked(f"{repair.method} from them", repairing(K, repair.method, indefinite=True, decomposition=made))
    began = time.perf_counter()
    np.linalg.eigh(K.values)
    timed("eigenvalues and vectors by LAPACK", began)


def hits(n: int, known: float, rng: np.random.Generator) -> None:
    """A table of hits of which the share `known` of the pairs is there."""
    values = np.full((n, n), np.nan)
    i, j = rng.integers(0, n, (2, int(known * n * n / 2)))
    values[i, j] = values[j, i] = rng.integers(30, 300, i.size)
    np.fill_diagonal(values, rng.integers(300, 900, n))
    labels = Labels(tuple(str(k + 1) for k in range(n)), rng.integers(0, 10, n).astype(str))
    K = GramMatrix(values)
    began = time.perf_counter()
    print(f"{K.unknown.between:,} of {n * (n - 1) // 2:,} pairs unknown")
    timed(f"known items, n = {n:,}", began)
    began = last = time.perf_counter()
    gaps = []
    for _ in filling(K, labels, CrossValidation(repeats=1)):
        gaps.append(time.perf_counter() - last)
        last = time.perf_counter()
    print(
        f"{'four fills, judged':<44} {last - began:7.2f} s, {len(gaps):5d} steps, longest {max(gaps):.2f} s"
    )


def estimates(rng: np.random.Generator) -> None:
    """Estimated seconds of every kernel against the seconds of the processor that it took."""
    # networks and graphs: benchmarks/networks.py, benchmarks/graphs.py
    for kind in (each for each in KERNELS if each.data_kind in ("vectors", "sequences")):
        kernel: AbstractKernel = LocalAlignment(log=True) if kind is LocalAlignment else kind()
        samples: FloatArray | list[str]
        if kind.data_kind == "vectors":
            samples = rng.uniform(0.1, 1.0, VECTORS)
            if kind is Tanimoto:
                samples = (samples > 0.9).astype(np.float64)
        else:
            n, length = BY_PAIRS if kernel.by_pairs else BY_COUNTS
            samples = ["".join(rng.choice(PROTEIN, length)) for _ in range(n)]
        kernel.gram(samples[:3])  # compiled from here on
        began = time.perf_counter()
        estimate = kernel.estimate_seconds(samples)
        asked = time.perf_counter() - began
        began, cpu = time.perf_counter(), time.process_time()
        kernel.gram(samples)
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        took = f"took {wall:6.2f} s ({cpu:.2f} s of processors)"
        print(f"{kernel.title:<20} estimated {estimate:6.2f} s in {asked:.2f} s, {took}")


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("n", type=int, nargs="?", default=1_500, help="size of the matrix that is decomposed")
    generator = np.random.default_rng(0)
    estimates(generator)
    hits(HITS, 0.003, generator)
    decomposition(parser.parse_args().n, generator)


if __name__ == "__main__":
    main()
