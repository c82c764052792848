"""All string kernels against their alternatives, in one run, as ratios of medians.

    python -m benchmarks.sequences

The subsequence, local alignment and mismatch kernels are compared in benchmarks/subsequences.py.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import numpy as np
import pyopal
from Bio.Align import PairwiseAligner, substitution_matrices
from scoring_matrices.lib import ScoringMatrix

from kernex_core.kernels import pairwise
from kernex_core.kernels.sequences.letters import ALPHABETS, encode
from kernex_core.kernels.sequences.smith_waterman import CompiledAligner, SmithWaterman
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.kernels.sequences.substitution import substitution_matrix

SEED = 7
N, LENGTH, MOST_REPEATS = 206, 250, 7
SMALL = {"N": 12, "LENGTH": 30, "MOST_REPEATS": 1}
"""What a test sets them to."""
KERNLAB = """
suppressPackageStartupMessages(library(kernlab))
strings <- readLines(commandArgs(TRUE)[1])
kernel <- stringdot(type = "spectrum", length = 3, normalized = FALSE)
pairs <- as.integer(commandArgs(TRUE)[2])
start <- proc.time()[["elapsed"]]
values <- sapply(seq_len(pairs), function(p) kernel(strings[[1]], strings[[p + 1]]))
cat(proc.time()[["elapsed"]] - start, values, sep = "\\n")
"""


def median(*works: Callable[[], object], repeats: int = 7) -> list[float]:
    """Median seconds of each call; they take turns, so that a busy machine slows all alike."""
    seconds: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(min(repeats, MOST_REPEATS)):
        for work, taken in zip(works, seconds, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in seconds]


def proteins(n: int, length: int) -> list[str]:
    rng = np.random.default_rng(SEED)
    return ["".join(rng.choice(list(ALPHABETS["protein"]), length)) for _ in range(n)]


def report(what: str, ours: float, other: float, goal: float | None = None) -> None:
    wanted = "" if goal is None else f"   goal {goal:g} x   {'met' if other / ours >= goal else 'MISSED'}"
    print(f"{what:<74}{other / ours:9.2f} x{wanted}")


def smith_waterman() -> None:
    strings, kernel = proteins(N, LENGTH), SmithWaterman()
    aligner = pyopal.Aligner(ScoringMatrix.from_name("BLOSUM62"), gap_open=11, gap_extend=1)
    database = pyopal.Database(strings, aligner.alphabet)

    def raw() -> np.ndarray:
        K = np.zeros((len(strings), len(strings)))
        for i, string in enumerate(strings):
            K[i, i:] = [found.score for found in aligner.align(string, database, start=i)]
        return np.maximum(K, K.T)

    def on_one_thread() -> np.ndarray:
        with mock.patch.object(pairwise, "worker_count", return_value=1):
            return kernel.gram(strings)

    assert np.array_equal(kernel.gram(strings), raw()), "both have to be the same scores"
    one, all_threads, library = median(on_one_thread, lambda: kernel.gram(strings), raw)
    report(f"Smith-Waterman, all pairs, n = {N}, L = {LENGTH}: raw pyopal loop", all_threads, library, 0.9)
    report("Smith-Waterman, the same on one thread, which also encodes and says progress", one, library)

    other = PairwiseAligner(mode="local", open_gap_score=-11, extend_gap_score=-1)
    other.substitution_matrix = substitution_matrices.load("BLOSUM62")
    first = np.arange(0, 3 * N // 4 - 7, 5)
    some = [(strings[i], strings[i + 7]) for i in first.tolist()]
    ours = kernel.gram(strings)[first, first + 7]
    assert ours.tolist() == [other.score(s, t) for s, t in some], "both have to be the same scores"
    (biopython,) = median(lambda: [other.score(s, t) for s, t in some], repeats=3)
    biopython *= N * (N + 1) / 2 / len(some)
    report("Smith-Waterman, one thread, against Biopython's PairwiseAligner", one, biopython, 35)

    matrix = substitution_matrix("BLOSUM62")
    compiled = CompiledAligner(encode(strings, matrix.letters), matrix.array, 11, 1)
    (fallback,) = median(
        lambda: [compiled.scores(i, i, len(strings)) for i in range(len(strings))], repeats=3
    )
    report("Smith-Waterman without pyopal (Numba), one thread, against Biopython", fallback, biopython)


def spectrum() -> None:
    strings, kernel = proteins(N, LENGTH), Spectrum(k=3)

    def counted() -> np.ndarray:
        counts = [Counter(string[i : i + 3] for i in range(len(string) - 2)) for string in strings]
        K = np.zeros((len(strings), len(strings)))
        for i, a in enumerate(counts):
            for j in range(i, len(strings)):
                b = counts[j]
                K[i, j] = K[j, i] = sum(n * b[u] for u, n in a.items() if u in b)
        return K

    assert np.array_equal(kernel.gram(strings), counted()), "both have to be the same integers"
    ours, python = median(lambda: kernel.gram(strings), counted, repeats=5)
    report(f"spectrum k = 3, all pairs, n = {N}, L = {LENGTH}: pure Python Counter", ours, python)
    kernlab = kernlab_seconds_a_pair(strings)
    if kernlab is None:
        print(
            "spectrum against R kernlab: skipped, because Rscript with the package kernlab is not installed"
        )
        return
    report("spectrum k = 3 against kernlab, a pair", ours, kernlab * N * (N + 1) / 2, 300)


def kernlab_seconds_a_pair(strings: list[str], pairs: int = 40) -> float | None:
    """Seconds that kernlab takes for one pair; None where it is not installed. Its values have to be ours.

    (It puts an end mark behind each string, which adds 1 where two strings end alike; these do not.)
    """
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        data, script = Path(folder, "strings.txt"), Path(folder, "time.R")
        data.write_text("\n".join(strings) + "\n", encoding="utf-8")
        script.write_text(KERNLAB, encoding="utf-8")
        done = subprocess.run(
            ["Rscript", script, data, str(pairs)], capture_output=True, text=True, check=False
        )
    if done.returncode != 0:
        return None
    seconds, *values = map(float, done.stdout.split())
    ours = Spectrum(k=3).cross(strings[:1], strings[1 : pairs + 1])[0]
    np.testing.assert_allclose(values, ours)
    return seconds / pairs


def main() -> None:
    smith_waterman()
    spectrum()


if __name__ == "__main__":
    main()
