"""How processor time and memory grow with the number of items, beside what each algorithm says.

    python -m benchmarks.growth [WORDS]      only works whose name has these words

Each work runs in a process of its own, which may take no more than MOST_GB, on one BLAS thread, at one size after the
other. A size that would take longer than PATIENCE is left out. The exponent is the slope of log seconds on log n over the
sizes from LARGE on: below, what does not depend on n counts. The run ends with 1 where one is more than ALLOWED above that
of its algorithm. Peak memory is what is held beyond what was there before, in bytes and in matrices of n × n numbers.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from kernex_core import (
    CompletionConfig,
    CrossValidation,
    Diffusion,
    GramMatrix,
    Graph,
    LocalAlignment,
    Spectrum,
    Subsequence,
    WeisfeilerLehman,
    complete_views,
    diagnose,
    joint_path,
    judge,
    mkl,
    read_samples,
    signed_power,
)
from kernex_core.base.errors import TooLargeError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.inputs.networks.network import Network
from kernex_core.studies.completion.study import prepare, prepare_source, view
from kernex_core.studies.networks.study import prepare_network, view_network

SIZES: tuple[int, ...] = (250, 500, 1_000, 2_000, 4_000)
LARGE = 1_000
ALLOWED = 0.3
MOST_GB = 8.0
PATIENCE = 60.0
"""Seconds of processor."""
APART = True
"""Whether each work runs in a process of its own."""
SMALL = {"SIZES": (40, 60), "LARGE": 40, "ALLOWED": math.inf, "APART": False}
"""What a test sets them to."""
CLASSES, VIEWS, KERNELS, LENGTH, NODES = 8, 3, 4, 60, 20


# The data: made in time and memory that are not measured.


def classes(n: int) -> IntArray:
    """(n,) number of the class of each item."""
    return np.arange(n) % CLASSES


def kernel(n: int, seed: int = 0, width: int = 30) -> FloatArray:
    """(n, n) of noisy classes, of full rank."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width)) + 1.5 * np.eye(width)[classes(n)]
    return X @ X.T / width + np.eye(n)


def gram(n: int, seed: int = 0) -> GramMatrix:
    """The same with ids."""
    return GramMatrix(kernel(n, seed))


def strings(n: int) -> list[str]:
    """Proteins of LENGTH letters."""
    rng = np.random.default_rng(0)
    return ["".join(row) for row in rng.choice(list("ACDEFGHIKLMNPQRSTVWY"), (n, LENGTH))]


def graphs(n: int) -> list[Graph]:
    """Rings of NODES nodes with chords."""
    rng = np.random.default_rng(0)
    ring, made = [(k, (k + 1) % NODES) for k in range(NODES)], []
    for _ in range(n):
        chords = ((0, int(k)) for k in rng.integers(2, NODES - 1, 5))
        made.append(Graph(NODES, sorted({*ring, *chords}), rng.choice(["a", "b"], NODES).tolist()))
    return made


def network(n: int) -> Network:
    """A ring with chords: six edges a node."""
    rng = np.random.default_rng(0)
    pairs = [*((k, (k + 1) % n) for k in range(n)), *map(tuple, rng.integers(0, n, (2 * n, 2)).tolist())]
    text = "source,target\n" + "".join(f"n{a},n{b}\n" for a, b in pairs if a != b)
    made = read_samples(text.encode(), "network.csv", kind="network")
    assert isinstance(made, Network)
    return made


def matrix_file(n: int) -> bytes:
    """A matrix as text, four digits a number."""
    names = [f"i{k}" for k in range(n)]
    rows = (
        f"{name}," + ",".join(f"{v:.3f}" for v in row)
        for name, row in zip(names, kernel(n).tolist(), strict=True)
    )
    return ("," + ",".join(names) + "\n" + "\n".join(rows) + "\n").encode()


def incomplete(n: int) -> dict[str, GramMatrix]:
    """VIEWS kernels, each lacking a fifth of the items."""
    order, found = np.random.default_rng(0).permutation(n), {}
    for v in range(VIEWS):
        K, gone = kernel(n, v), order[v * n // 5 : (v + 1) * n // 5]
        K[gone], K[:, gone] = np.nan, np.nan
        found[f"v{v}"] = GramMatrix(K)
    return found


# The works, with the exponent of what each does.


@dataclass(frozen=True)
class Work:
    """One computation of n items.

    Attributes
    ----------
    name : str
    exponent : float
        Of the algorithm.
    why : str
        Where it is from.
    made : callable
        Data of n items.
    done : callable
        The work on them.
    """

    name: str
    exponent: float
    why: str
    made: Callable[[int], object]
    done: Callable[[Any], object]


def completed(n: int) -> tuple[Any, ...]:
    config = CompletionConfig()
    return config, gram(n), gram(n, 1)


def moved(n: int) -> Any:
    config, source, target = completed(n)
    return prepare(config, prepare_source(config, source), target)


WORKS = (
    Work("read a matrix of text", 2, "numbers in it", matrix_file, lambda data: read_samples(data, "matrix.csv")),
    Work("diagnose", 3.4, "eigenvalues by LAPACK, alone", gram, diagnose),
    Work("p of every entry", 2, "entries", kernel, lambda K: signed_power(K, 0.7)),
    Work(
        "complete", 3, "factor, product, eigenvectors", completed,
        lambda given: prepare(given[0], prepare_source(given[0], given[1]), given[2]),
    ),
    Work("complete: a move of λ", 3, "one product", moved, lambda made: view(made, 0.4)),
    Work(
        "joint path", 3, "eigenvectors", lambda n: (kernel(n), kernel(n, 1)),
        lambda pair: joint_path(*pair).kernel(0.4),
    ),
    Work("network", 3, "eigenvectors", network, prepare_network),
    Work(
        "network: a move of τ", 3, "one product", lambda n: prepare_network(network(n)),
        lambda made: view_network(made, Diffusion(tau=1.7)),
    ),
    Work("spectrum of strings", 2, "pairs", strings, lambda given: Spectrum(3).gram(given)),
    Work("subsequences of strings", 2, "pairs", lambda n: strings(n), lambda given: Subsequence(3).gram(given)),
    Work("alignments of strings", 2, "pairs", strings, lambda given: LocalAlignment().gram(given)),
    Work("Weisfeiler and Lehman of graphs", 2, "pairs", graphs, lambda given: WeisfeilerLehman(3).gram(given)),
    Work(
        "judge", 3, "support vectors, each with its row", gram,
        lambda K: judge(K, [f"c{c}" for c in classes(K.n)], CrossValidation(folds=5, repeats=1)),
    ),
    Work(
        "MKL", 3, "support vectors, each with its row",
        lambda n: [kernel(n, seed) for seed in range(KERNELS)],
        lambda kernels: mkl(kernels, np.where(classes(len(kernels[0])) % 2, 1.0, -1.0)),
    ),
    Work("views", 3, "factors and products", incomplete, complete_views),
)  # fmt: skip


# What is measured: processor time, and memory beyond what was there before.


@dataclass(frozen=True)
class Taken:
    """What a work took at one size."""

    n: int
    seconds: float
    bytes: float


def resting() -> int:
    """Bytes that the process holds; its peak begins here."""
    Path("/proc/self/clear_refs").write_text("5")
    return _held("VmRSS")


def _held(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def measured(work: Work, sizes: Sequence[int]) -> list[Taken]:
    """Do it at one size after the other, while the next is expected to end in time; what compiles is not measured."""
    found: list[Taken] = []
    work.done(work.made(min(sizes)))
    for n in sizes:
        if found and found[-1].seconds * (n / found[-1].n) ** work.exponent > PATIENCE:
            break
        try:
            given = work.made(n)
            before, began = resting(), time.process_time()
            made = work.done(given)
            seconds = time.process_time() - began
        except TooLargeError:  # it says so itself
            break
        found.append(Taken(n, seconds, max(0, _held("VmHWM") - before)))
        del given, made
    return found


def apart(work: Work) -> list[Taken]:
    """The same in a process of its own; what it says last, where it ends badly, is said here."""
    if not APART:
        return measured(work, SIZES)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.growth", "--one", work.name], capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        print(f"{work.name}: Error {done.stderr.strip().splitlines()[-1:]}")
        return []
    return [Taken(*each) for each in json.loads(done.stdout.splitlines()[-1])]


def exponent_of(found: Sequence[Taken]) -> float:
    """Slope of log seconds on log n over the large sizes, the last two where there are fewer."""
    kept = [each for each in found if each.n >= LARGE]
    kept = list(found)[-2:] if len(kept) < 2 else kept
    if len(kept) < 2:
        return math.nan
    x, y = np.log([each.n for each in kept]), np.log([max(each.seconds, 1e-6) for each in kept])
    return float(np.polyfit(x, y, 1)[0])


def line(work: Work, found: Sequence[Taken]) -> str:
    """A row of the table."""
    seconds = " | ".join(next((f"{each.seconds:.3g}" for each in found if each.n == n), "") for n in SIZES)
    last = found[-1]
    matrices = last.bytes / (8.0 * last.n**2)
    return (
        f"| {work.name} | {seconds} | {exponent_of(found):.1f} | {work.exponent:g}: {work.why} | "
        f"{last.bytes / 1e6:,.0f} MB at {last.n:,} | {matrices:.1f} |"
    )


def main() -> None:
    """Print the table; ends with 1 where something grows faster than it may."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*")
    parser.add_argument("--one", help="in this process, as JSON")
    args = parser.parse_args()
    if args.one:
        most = int(MOST_GB * 2**30)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        work = next(each for each in WORKS if each.name == args.one)
        print(json.dumps([(each.n, each.seconds, each.bytes) for each in measured(work, SIZES)]))
        return
    sizes = " | ".join(f"{n:,}" for n in SIZES)
    print(
        f"| seconds at n = | {sizes} | grows as n to the | its algorithm | peak memory | in n × n numbers |"
    )
    print("|" + " --- |" * (len(SIZES) + 5))
    worse = []
    for work in WORKS:
        if " ".join(args.words) not in work.name:
            continue
        if found := apart(work):
            print(line(work, found), flush=True)
            worse += [work.name] if exponent_of(found) > work.exponent + ALLOWED else []
    print(f"grow by more than {ALLOWED:g} above their algorithm: {', '.join(worse) or 'none'}")
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
