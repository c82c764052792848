"""Subsequence, local alignment and mismatch kernels against their alternatives, in one run, as ratios of medians.

    python -m benchmarks.subsequences

kernlab is compared where R and its package kernlab (Debian: r-cran-kernlab) are installed.
"""

from __future__ import annotations

import itertools
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import sparse

from kernex_core.kernels.sequences import local_alignment as local_alignment_numba
from kernex_core.kernels.sequences import subsequence as subsequence_numba
from kernex_core.kernels.sequences.letters import ALPHABETS, Costs, encode, pack
from kernex_core.kernels.sequences.mismatch import Mismatch
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.kernels.sequences.substitution import substitution_matrix
from tests.oracles import string_tables

SEED = 7
STRINGS, ALIGNED, COUNTED = (60, 200), (100, 200), (500, 250)
"""Number and length of the strings of each comparison."""
MOST_REPEATS = 5
SMALL = {"STRINGS": (4, 12), "ALIGNED": (4, 12), "COUNTED": (4, 12), "MOST_REPEATS": 1}
"""What a test sets them to."""
KERNLAB = """
suppressPackageStartupMessages(library(kernlab))
strings <- readLines(commandArgs(TRUE)[1])
kernel <- stringdot(type = "sequence", length = 3, lambda = 0.25, normalized = FALSE)
pairs <- as.integer(commandArgs(TRUE)[2])
start <- proc.time()[["elapsed"]]
values <- sapply(seq_len(pairs), function(p) kernel(strings[[1]], strings[[p + 1]]))
cat(proc.time()[["elapsed"]] - start, values, sep = "\\n")
"""


def median(work: Callable[[], object], repeats: int = 5) -> float:
    """Median seconds of a call, after one that compiles."""
    work()
    seconds = []
    for _ in range(min(repeats, MOST_REPEATS)):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def proteins(n: int, length: int) -> list[str]:
    rng = np.random.default_rng(SEED)
    return ["".join(rng.choice(list(ALPHABETS["protein"]), length)) for _ in range(n)]


def all_pairs(n: int) -> np.ndarray:
    return np.column_stack(np.triu_indices(n)).astype(np.int64)


def report(what: str, ours: float, other: float, goal: float | None = None) -> None:
    wanted = "" if goal is None else f"   goal {goal:g} x   {'met' if other / ours >= goal else 'MISSED'}"
    print(f"{what:<66}{other / ours:8.1f} x{wanted}")


def subsequences() -> None:
    strings = proteins(*STRINGS)
    packed, pairs = pack(strings), all_pairs(len(strings))

    def run(engine: Callable[..., None]) -> None:
        out, meter = np.zeros((len(pairs), 2)), np.zeros(2, dtype=np.int64)
        engine(packed, packed, pairs, 3, 0.25, out, meter)

    compiled = median(lambda: run(subsequence_numba.subsequence_pairs))
    vectorised = median(lambda: run(string_tables.subsequence_pairs), 3)
    threads = median(lambda: Subsequence(3, 0.25).gram(strings))
    report("SSK l = 3: compiled, one thread, against NumPy", compiled, vectorised)
    report("SSK, the whole Gram matrix on all threads, against one thread", threads, compiled)
    kernlab = kernlab_seconds_a_pair(strings)
    if kernlab is None:
        print("SSK against R kernlab: skipped, because Rscript with the package kernlab is not installed")
        return
    report("SSK, compiled, one thread, against kernlab", compiled, kernlab * len(pairs), 200)
    report("SSK, NumPy, against kernlab", vectorised, kernlab * len(pairs), 40)


def kernlab_seconds_a_pair(strings: list[str], pairs: int = 10) -> float | None:
    """Seconds that kernlab takes for one pair; None where it is not installed. Its values have to be ours."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        data, script = Path(folder, "strings.txt"), Path(folder, "time.R")
        data.write_text("\n".join(strings) + "\n")
        script.write_text(KERNLAB)
        done = subprocess.run(
            ["Rscript", script, data, str(pairs)], capture_output=True, text=True, check=False
        )
    if done.returncode != 0:
        return None
    seconds, *values = map(float, done.stdout.split())
    ours = Subsequence(3, 0.25).cross(strings[:1], strings[1 : pairs + 1])[0]
    np.testing.assert_allclose(values, ours, rtol=1e-4)
    return seconds / pairs


def local_alignments() -> None:
    matrix, beta = substitution_matrix("BLOSUM62"), 0.5
    packed, pairs = pack(proteins(*ALIGNED), matrix.letters), all_pairs(ALIGNED[0])

    def run(form: int, chosen: np.ndarray) -> np.ndarray:
        out, meter = np.zeros(len(chosen)), np.zeros(2, dtype=np.int64)
        costs = Costs(beta * matrix.array, beta * 11.0, beta, form)
        local_alignment_numba.alignment_pairs(packed, packed, chosen, costs, out, meter)
        return out

    some = pairs[:: max(1, len(pairs) // 200)]
    np.testing.assert_allclose(run(0, some), run(2, some), rtol=1e-12)
    linear, scaled = median(lambda: run(0, pairs), 3), median(lambda: run(1, pairs), 3)
    logarithms = median(lambda: run(2, some), 3) * len(pairs) / len(some)
    report("LA: linear space against log space", linear, logarithms, 40)
    report("LA, one exponent a cell, against log space", scaled, logarithms)


def neighbour_shifts(k: int, m: int, q: int) -> list[tuple[tuple[int, int], ...]]:
    """Every way to change up to m letters of a k-mer: (place, distance in the alphabet) of each."""
    return [
        tuple(zip(places, shifts, strict=True))
        for j in range(m + 1)
        for places in itertools.combinations(range(k), j)
        for shifts in itertools.product(range(1, q), repeat=j)
    ]


def mismatches() -> None:
    strings, kernel = proteins(*COUNTED), Mismatch(k=5, m=1, alphabet="protein")
    k, q = 5, 20
    powers = q ** np.arange(k)

    def expanded() -> np.ndarray:
        """Count every neighbour of every distinct k-mer, as integers, and multiply sparse counts."""
        encoded = encode(strings, ALPHABETS["protein"])
        start, owner, _ = encoded.windows(k)
        windows = encoded.numbers[start[:, None] + np.arange(k)]
        codes, first, of = np.unique(windows @ powers, return_index=True, return_inverse=True)
        digits = windows[first]
        columns = []
        for changes in neighbour_shifts(k, kernel.m, q):
            changed = codes.copy()
            for place, shift in changes:
                changed += ((digits[:, place] + shift) % q - digits[:, place]) * powers[place]
            columns.append(changed)
        neighbours = np.column_stack(columns)
        _, column = np.unique(neighbours, return_inverse=True)
        row = np.repeat(np.arange(codes.size), neighbours.shape[1])
        spread = sparse.csr_array((np.ones(row.size), (row, column.ravel())))
        Phi = sparse.csr_array((np.ones(of.size), (owner, of))) @ spread
        return np.asarray((Phi @ Phi.T).toarray())

    assert (kernel.gram(strings) == expanded()).all(), "both have to be the same integers"
    ours, other = median(lambda: kernel.gram(strings), 3), median(expanded, 1)
    report("mismatch (5, 1), against neighbour expansion", ours, other, 8)


def main() -> None:
    subsequences()
    local_alignments()
    mismatches()


if __name__ == "__main__":
    main()
