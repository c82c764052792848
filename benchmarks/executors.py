"""Threads, two processes and two Dask workers: seconds of the same studies, what each adds, and whether bits are the same.

    python -m benchmarks.executors [--no-sliders]

Smith-Waterman scores of all pairs of random proteins, folds of 1,000 items, and the tournament of 200 (its folds are small,
and go several at a time). Then sliders of a class beside a long study, as
`benchmarks.visitors --study` moves them, on threads and on processes. On as many cores as there are workers an executor can
at best be as fast as threads: what counts here is what it adds. More cores: docs/scale.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks import visitors
from benchmarks.load.server import load_average, running
from kernex_core import (
    CrossValidation,
    GramMatrix,
    Hide,
    Labels,
    SmithWaterman,
    TournamentConfig,
    judge,
    last_state,
    tournament,
)
from kernex_core.base.digests import digest
from kernex_core.runtime import workers
from kernex_core.runtime.executors import in_order, one_a_turn, one_blas_thread

SEQUENCES = 600
ITEMS, FEW = 1_000, 200
UNITS = 200
WORKERS = 2
VISITORS, SECONDS = 8, 40.0
SMALL = {"SEQUENCES": 6, "ITEMS": 30, "FEW": 30, "UNITS": 4, "WORKERS": 1, "VISITORS": 1, "SECONDS": 1.0}
SMALL_ARGUMENTS = ["--no-sliders", "--only", "threads", "processes"]
"""What a test sets them to."""
ONCE = CrossValidation(repeats=1)


def all_pairs() -> object:
    """Proteins of 100 to 500 letters."""
    rng = np.random.default_rng(0)
    letters = np.array(list("ACDEFGHIKLMNPQRSTVWY"))
    return SmithWaterman().gram(["".join(rng.choice(letters, n)) for n in rng.integers(100, 500, SEQUENCES)])


def kernels_of(n: int) -> tuple[dict[str, GramMatrix], Labels]:
    """Two kernels of n items of three classes, the second known for half of them."""
    rng, codes = np.random.default_rng(0), np.arange(n) % 3
    ids, made = tuple(f"i{k}" for k in range(n)), {}
    for name in ("first", "second"):
        X = rng.normal(size=(n, 30)) + 0.7 * np.eye(30)[codes]
        made[name] = GramMatrix(X @ X.T, ids, name)
    made["second"] = made["second"].then(Hide(tuple(range(0, n, 2)))).renamed("second")
    return made, Labels(ids, np.array([f"c{code}" for code in codes]))


def large_folds() -> object:
    """Ten folds of many items, C chosen inside each."""
    kernels, labels = kernels_of(ITEMS)
    return judge(kernels["first"], labels, replace(ONCE, choose_C=True)).by_item()


def small_folds() -> object:
    """All that takes part with two kernels of few items; as on a page, others get their turns and a BLAS has one thread."""
    with one_blas_thread:
        ladder = last_state(one_a_turn(tournament(TournamentConfig(), *kernels_of(FEW), ONCE)))
    return tuple((rung.name, rung.by_item) for rung in ladder.rungs)


STUDIES: dict[str, Callable[[], object]] = {
    "all pairs, Smith-Waterman": all_pairs,
    "folds, C chosen": large_folds,
    "tournament": small_folds,
}


@contextmanager
def executor(kind: str) -> Iterator[dict[str, str]]:
    """What the environment says for it."""
    with tempfile.TemporaryDirectory() as folder:
        if kind == "Dask":
            from distributed import LocalCluster

            with LocalCluster(
                n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, local_directory=folder
            ) as cluster:
                yield {workers.CLUSTER: cluster.scheduler_address}
                workers.close()
        else:
            yield {workers.PROCESSES: str(WORKERS)} if kind == "processes" else {}
            workers.close()


def measured(kind: str) -> dict[str, str]:
    """Print the lines of an executor; digests of what was found."""
    found = {}
    with executor(kind) as environment:
        os.environ.update(environment)
        try:
            started = time.perf_counter()
            in_order(abs, range(2 * WORKERS))
            start = time.perf_counter() - started
            started = time.perf_counter()
            in_order(abs, range(UNITS))
            each = 1e3 * (time.perf_counter() - started) / UNITS
            print(
                f"{kind}: {start:.1f} s until the first work is done, then {each:.2f} ms for a unit of nothing"
            )
            for name, study in STUDIES.items():
                times = []
                for _ in range(2):
                    started, own = time.perf_counter(), time.process_time()
                    found[name] = digest(study())
                    times.append(time.perf_counter() - started)
                    own = time.process_time() - own
                said = f"{times[0]:.2f} s, once more {times[1]:.2f} s, {own:.2f} s of a processor in this process"
                print(f"  {name}: {said}", flush=True)
        finally:
            for name in environment:
                del os.environ[name]
    return found


def sliders(kind: str) -> None:
    """Print how long moves take beside a long study."""
    with (
        tempfile.TemporaryDirectory() as folder,
        executor(kind) as environment,
        running(Path(folder) / "log", environment={**os.environ, **environment}) as server,
    ):
        server.rested()
        args = argparse.Namespace(visitors=VISITORS, seconds=SECONDS, think=2.0, leaving=0, study=1)
        seen = asyncio.run(visitors.all_of(server, False, args))
    moves = [second for each in seen.moves.values() for second in each]
    print(
        f"sliders beside a study on {kind}: {len(moves)} moves, {visitors.words(moves)} {seen.errors or ''}"
    )


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--no-sliders", action="store_true")
    parser.add_argument("--only", nargs="*", default=["threads", "processes", "Dask"])
    args = parser.parse_args()
    print(f"{os.cpu_count()} cores, {WORKERS} workers, load {load_average():.1f}")
    found = {kind: measured(kind) for kind in args.only}
    first = next(iter(found.values()))
    print("bits are the same" if all(each == first for each in found.values()) else "bits are NOT EQUAL")
    if not args.no_sliders:
        for kind in ("threads", "processes"):
            sliders(kind)


if __name__ == "__main__":
    main()
