"""Run what lies in `runs`, or the runs that are named, and print what they measured: python -m science [RUN …].

The exit code is 1 where a number that is held is off. Runs whose data are not on this machine are left out, and named.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import science.runs
from pages.server.warmup import limit_blas_threads
from science.data import AbsentError
from science.table import Row, lines

NAMES = tuple(module.name for module in pkgutil.iter_modules(science.runs.__path__))


def main(arguments: list[str]) -> int:
    """Run and print; 1 where something that is held is off."""
    parser = argparse.ArgumentParser(prog="python -m science", description=__doc__)
    parser.add_argument("runs", nargs="*", metavar="RUN", help=", ".join(NAMES))
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.runs) - set(NAMES):
        parser.error(f"no run is called {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    off: list[str] = []
    absent: list[str] = []
    with ProcessPoolExecutor(chosen.workers, initializer=limit_blas_threads) as pool:
        for name in chosen.runs or NAMES:
            try:
                off += run(name, pool.map)
            except AbsentError as missing:
                absent.append(name)
                print(f"  left out: there is no {missing}\n", flush=True)
    if absent:
        print(f"Left out, for want of data: {', '.join(absent)}.")
    print("Off: " + "; ".join(off) if off else "Everything that is held is inside.")
    return 1 if off else 0


def run(name: str, map_: Callable[..., Iterable[Any]]) -> list[str]:
    """Print one run; return what is off."""
    module = importlib.import_module(f"science.runs.{name}")
    print(f"{name}: {module.TITLE}", flush=True)
    started = time.perf_counter()
    rows: list[Row] = list(module.rows(map_))
    print("\n".join(lines(rows)), f"\n  {time.perf_counter() - started:.0f} s\n", flush=True)
    return [f"{name}: {row.what}" for row in rows if row.off]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
