"""A class of thirty at the same time: how long they wait, on demos and on data of their own; nobody sees others' data.

    python -m benchmarks.visitors [--visitors 30] [--seconds 60] [--think 4] [--again 5] [--leaving 2] [--fresh] [--study]

The app runs as a process of its own. Visitors that speak its websocket come within five seconds, open one of four pages, and
move its slider at random, `think` seconds apart on average, as soon as nothing is computed any more. Goals: a first view
(its matrices) below 5 s; 95 of 100 moves below .5 s on demos, below 1 s on own data (206 items, uploaded). Waiting times are
those of this machine with whatever else it does; processor time is the server's alone. Ends with 1 where anything
failed, or a visitor saw an id of another's data. With `--again` as many crowds come one after the other to one server, and
`--leaving` visitors of each start a long study and close their tabs: what is left in memory after each is printed. With
`--fresh` they come as soon as the port of a new server answers; with `--study` one more visitor runs a long study meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import random
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.load.own_data import bring
from benchmarks.load.server import Server, load_average, running
from benchmarks.load.visitor import Visitor

ARRIVAL = 5.0
"""Seconds within which all have come."""
SMALL = {"ARRIVAL": 0.0}
SMALL_ARGUMENTS = ["--visitors", "1", "--seconds", "1", "--think", "0.2", "--only", "own"]
"""What a test sets them to."""
LEAVES = 4.0
"""Seconds that a long study runs before its tab is closed."""
PAGES = (
    ("complete", "data=Protein+world", "Weight of the source"),
    ("combine", "data=Protein+world", "Weight of the"),
    ("power", "data=Almost+orthogonal+strings", "Power"),
    ("kernels", "data=Protein+world", "Power"),
)


@dataclass
class Seen:
    """What all visitors of a run have seen."""

    first: list[float] = field(default_factory=list)
    """Seconds until a visitor's page shows its matrices."""
    settled: list[float] = field(default_factory=list)
    """Seconds until nothing is computed any more, sweeps of accuracy among it."""
    moves: dict[str, list[float]] = field(default_factory=lambda: collections.defaultdict(list))
    bytes: dict[str, list[int]] = field(default_factory=lambda: collections.defaultdict(list))
    errors: list[str] = field(default_factory=list)


async def _visit(server: Server, number: int, own: bool, args: argparse.Namespace, seen: Seen) -> None:
    rng = random.Random(number)
    page, query, words = PAGES[number % len(PAGES)]
    try:
        await asyncio.sleep(rng.random() * ARRIVAL)
        async with Visitor.arriving(server.address) as visitor:
            if own:
                await bring(visitor, number)
            opened = await visitor.open(page, "" if own else query)
            seen.first.append(opened.pictured)
            seen.settled.append(opened.seconds)
            end = time.perf_counter() + args.seconds
            while time.perf_counter() < end:
                await asyncio.sleep(rng.expovariate(1.0 / args.think))
                slider = visitor.widget("slider", words)
                steps = round((slider.element.max - slider.element.min) / slider.element.step)
                value = slider.element.min + slider.element.step * rng.randint(0, steps)
                taken = await visitor.move(slider, round(value, 6))
                seen.moves[page].append(taken.seconds)
                seen.bytes[page].append(taken.bytes)
    except Exception as error:  # whatever it is, a visitor has met it
        seen.errors.append(f"{page}: {type(error).__name__} {str(error)[:160]}")


LONG = (
    ("evaluate", "data=Protein+world", "chance"),
    ("evaluate", "data=Almost+orthogonal+strings", "chance"),
)


async def _leave(server: Server, number: int, seen: Seen, seconds: float) -> None:
    """Start a long study, and close the tab while it runs, after so many seconds."""
    page, query, words = LONG[number % len(LONG)]
    try:
        async with Visitor.arriving(server.address) as visitor:
            await visitor.open(page, query)
            with suppress(TimeoutError):
                await asyncio.wait_for(visitor.press(visitor.widget("button", words)), seconds)
    except Exception as error:  # whatever it is, a visitor has met it
        seen.errors.append(f"{page}: {type(error).__name__} {str(error)[:160]}")


async def all_of(server: Server, own: bool, args: argparse.Namespace) -> Seen:
    seen = Seen()
    leaving = min(args.leaving, args.visitors)
    await asyncio.gather(
        *(_leave(server, number, seen, LEAVES) for number in range(leaving)),
        *(_leave(server, number, seen, args.seconds) for number in range(args.study)),
        *(_visit(server, number, own, args, seen) for number in range(leaving, args.visitors)),
    )
    return seen


def _run(own: bool, args: argparse.Namespace) -> bool:
    """Serve one crowd after the other, and return whether nothing failed."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "log") as server:
        if not args.fresh:
            server.rested()
        fine = [
            _crowd(server, own, args) for _ in range(args.again)
        ]  # each of them, whatever became of the one before
        return all(fine)


def _crowd(server: Server, own: bool, args: argparse.Namespace) -> bool:
    """Print the lines of one crowd, and return whether nothing failed."""
    memory, processor = server.memory_mb(), server.processor_seconds()
    seen = asyncio.run(all_of(server, own, args))
    processor = server.processor_seconds() - processor
    everything = sorted(second for moves in seen.moves.values() for second in moves)
    print(f"{'own data' if own else 'demos'}: {args.visitors} visitors, load {load_average():.1f}")
    for page, moves in sorted(seen.moves.items()):
        size = statistics.median(seen.bytes[page])
        print(f"  {page}: {len(moves)} moves, {words(moves)}, {size / 1e3:.0f} kB")
    if everything:
        print(
            f"  all: {len(everything)} moves, {words(everything)} (goal {1.0 if own or args.study else 0.5} s)"
        )
        print(f"  first view, matrices are there: {words(seen.first)} (goal 5 s)")
        print(f"  all settled, accuracies are there: {words(seen.settled)}")
    print(
        f"  {processor:.0f} s of processor in all, {1e3 * processor / max(len(everything), 1):.0f} ms a move with all "
        f"first views; memory {memory:.0f} to {server.memory_mb():.0f} MB"
    )
    for error, count in collections.Counter(seen.errors).most_common(5):
        print(f"  {count} × {error}")
    server.rested()
    print(
        f"  at rest: {server.memory_mb():.0f} MB, {server.results_mb():.0f} MB of them results that are kept",
        flush=True,
    )
    return not seen.errors and bool(everything)


def words(seconds: list[float]) -> str:
    ranked = sorted(seconds)
    p95 = ranked[int(0.95 * (len(ranked) - 1))]
    return f"median {statistics.median(ranked):.2f} s, p95 {p95:.2f} s, longest {ranked[-1]:.2f} s"


def main() -> None:
    """Run on demos, then on own data."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--visitors", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=4.0)
    parser.add_argument("--again", type=int, default=1)
    parser.add_argument("--leaving", type=int, default=0)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--study", action="store_true")
    parser.add_argument("--only", choices=("demos", "own"))
    args = parser.parse_args()
    fine = [_run(own, args) for own in (False, True) if args.only in (None, "own" if own else "demos")]
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
