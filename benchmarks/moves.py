"""Processor time and bytes of a slider's move on every page, beside the goal of 100 ms; the server has nothing else to do.

    python -m benchmarks.moves [WORDS]      only moves whose line has these words

The app runs as a process of its own; a visitor that speaks its websocket opens each page on a demo and moves one slider to
places where it has not been, so that nothing is remembered. Time is the server's processor time, of all its threads, which
does not depend on what else the machine does; the wall time in brackets does.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np

from benchmarks.load.server import Server, load_average, running
from benchmarks.load.visitor import Taken, Visitor

GOAL_MS = 100.0
PROTEINS, STRINGS = "data=Protein+world", "data=Almost+orthogonal+strings"
REVEALED = "bet=-"
"""A lesson with its answer, where its sliders are."""
GRAPHS = "data=Like+beside+like&graphs_tab=Kernel"
LAMS = (0.11, 0.23, 0.37, 0.52, 0.68, 0.81, 0.93)
TIMES = ("3", "5", "8", "10", "15", "20")
NODES = 206
POWERS = (0.35, 0.55, 0.65, 0.75, 0.85)


def network_files() -> dict[str, bytes]:
    """A network of blocks as a list of edges, and its table of nodes: as many as the proteins."""
    rng = np.random.default_rng(0)
    block = np.arange(NODES) % 7
    joined = rng.random((NODES, NODES)) < np.where(block[:, None] == block[None, :], 0.2, 0.012)
    edges = "".join(f"n{i},n{j}\n" for i, j in zip(*np.nonzero(np.triu(joined, 1)), strict=True))
    nodes = "".join(f"n{k},{'even' if b % 2 else 'odd'}\n" for k, b in enumerate(block.tolist()))
    return {"edges.csv": f"source,target\n{edges}".encode(), "nodes.csv": f"id,label\n{nodes}".encode()}


def roll_file() -> dict[str, bytes]:
    """A rolled sheet as a table of 1,000 vectors."""
    rng = np.random.default_rng(0)
    along, height = 1.5 * np.pi * (1.0 + 2.0 * rng.random(1_000)), 21.0 * rng.random(1_000)
    X = np.column_stack([along * np.cos(along), height, along * np.sin(along)])
    rows = "".join(f"p{k},{','.join(f'{value:.6f}' for value in row)}\n" for k, row in enumerate(X.tolist()))
    return {"roll.csv": f"id,x,height,z\n{rows}".encode()}


def kernel_files(n: int) -> dict[str, bytes]:
    """Two kernels of n items of nine classes, and these."""
    rng, codes = np.random.default_rng(0), np.arange(n) % 9
    ids = np.array([f"i{k}" for k in range(n)])
    made = {"labels.csv": ("id,class\n" + "".join(f"i{k},c{c}\n" for k, c in enumerate(codes))).encode()}
    for name in ("alpha", "beta"):
        X, file = rng.normal(size=(n, 30)) + 1.5 * np.eye(30)[codes], io.BytesIO()
        np.savez(file, K=X @ X.T / 30, ids=ids)
        made[f"{name}.npz"] = file.getvalue()
    return made


@dataclass(frozen=True)
class Move:
    """One slider of one page, and the places it is moved to."""

    page: str
    query: str
    words: str
    values: Sequence[float | str]
    brings: Callable[[], dict[str, bytes]] | None = None
    own: str = ""
    """What it brings, in words."""

    @property
    def line(self) -> str:
        """What stands before the numbers."""
        if self.brings is not None:
            return f"{self.page}, own {self.own}: {self.words}"
        data = dict(parse_qsl(self.query)).get("data", "no data")
        return f"{self.page}, {data}: {self.words}"


MOVES = (
    Move("complete", PROTEINS, "Weight of the source", LAMS),
    Move("complete", PROTEINS, "Hidden share", ("15 %", "35 %", "55 %", "70 %")),
    Move("combine", PROTEINS, "Weight of the source", LAMS),
    Move("kernels", PROTEINS, "Power", POWERS),
    Move("kernels", STRINGS, "Power", POWERS),
    Move("strings", PROTEINS, "Power", POWERS),
    Move("strings", PROTEINS, "k-mer", (2, 4, 5)),
    Move("strings", STRINGS, "k-mer", (2, 4, 5)),
    Move("power", PROTEINS, "Power", POWERS),
    Move("power", STRINGS, "Power", POWERS),
    Move("orthogonal", "tab=The+toy", "Power", POWERS),
    Move("map", PROTEINS, "Neighbours", (5, 6, 9, 10, 12)),
    Move("map", PROTEINS, "Held out", ("10 %", "30 %", "40 %", "50 %")),
    Move("map", "data=Swiss+roll", "Neighbours", (6, 7, 9, 10, 12)),
    Move("groups", PROTEINS, "Groups", (3, 5, 6, 7, 9)),
    Move("groups", f"{PROTEINS}&method=spectral", "Groups", (3, 5, 6, 7, 9)),
    Move("groups", f"{PROTEINS}&method=k-means", "Groups", (3, 5, 6, 7, 9)),
    Move("outliers", PROTEINS, "Neighbours", (3, 4, 6, 7, 9)),
    Move("map", "", "Neighbours", (6, 7, 9, 10, 12), roll_file, "1,000 vectors"),
    Move("map", "", "Held out", ("10 %", "30 %", "40 %", "50 %"), roll_file, "1,000 vectors"),
    Move("networks", "data=Blocks", "Time", TIMES),
    Move("networks", "", "Time", TIMES, network_files, f"network of {NODES} nodes"),
    Move("graphs", GRAPHS, "Iterations", (1, 2, 4, 5, 6)),
    Move("graphs", f"{GRAPHS}&graph_kernel=Walks+of+n+edges", "Edges of a walk", (1, 2, 4, 5, 6)),
    Move(
        "graphs",
        f"{GRAPHS}&graph_kernel=Geometric+walk",
        "Weight of a step",
        ("30 %", "40 %", "60 %", "70 %"),
    ),
    Move("features", "data=Expression+on+a+network", "Time", TIMES),
    Move(
        "features",
        "data=A+planted+regulator&tab=Which+edges+matter%3F",
        "Penalty",
        ("0.5", "2", "0.3", "5"),
    ),
    *(
        Move(page, "", words, values, partial(kernel_files, n), f"{n:,} items")
        for page, words, values in (
            ("complete", "Weight of the source", LAMS[:4]),
            ("kernels", "Power", POWERS[:4]),
        )
        for n in (1_000, 2_000)
    ),
    Move("what_is_a_kernel", REVEALED, "Width", ("0.33", "0.56", "0.82", "1.8", "3.3")),
    Move("what_is_a_kernel", REVEALED, "Cost", ("0.1", "1", "100", "1000")),
    Move("regularisation", REVEALED, "Strength", ("0.001", "0.01", "0.82", "3", "10")),
    Move("positive_definiteness", REVEALED, "A and C", (-0.5, 0.3, 0.62, 0.9)),
    Move("smoothness", f"{REVEALED}&s_kernel=Gaussian", "Width", ("0.05", "0.1", "0.3", "0.5")),
    Move("dynamic_programming", REVEALED, "Decay", (0.1, 0.4, 0.5, 0.8)),
    Move("learning_by_heart", f"{REVEALED}&lbh_kernel=power", "Power", (0.1, 0.205, 0.5, 0.8)),
    Move("missing_structures", REVEALED, "Squared", (0.5, 1.22, 2.0, 3.0)),
    Move("joint_ellipses", REVEALED, "Weight", LAMS),
    Move("heat_and_walks", REVEALED, "Time", ("1.16", "2.06", "3.48", "40", "98")),
    Move("combining_sources", REVEALED, "Penalty", ("0.55", "1.1", "2.05", "2.55")),
    Move("luck_or_skill", REVEALED, "Kernels of noise", (5.0, 100.0, 150.0, 200.0)),
    Move("luck_or_skill", REVEALED, "Seed", (1.0, 2.0, 3.0, 5.0)),
    Move("errata", REVEALED, "Weight", (0.45, 0.55, 0.7, 0.9)),
)

SMALL = {"MOVES": (Move("combine", PROTEINS, "Weight of the source", LAMS[:1]),)}
"""What a test sets them to."""


async def _measured(server: Server, move: Move) -> tuple[Taken, float, list[float], list[Taken]]:
    async with Visitor.arriving(server.address) as visitor:
        if move.brings is not None:
            await visitor.open("data")
            await visitor.settled(
                await visitor.upload(visitor.widget("file_uploader", "Files"), move.brings())
            )
            await visitor.settled(await visitor.press(visitor.widget("button", "Add as new data set")))
        before = server.processor_seconds()
        first = await visitor.open(move.page, move.query)
        opening = server.processor_seconds() - before
        processor, taken = [], []
        for value in move.values:
            await asyncio.sleep(0.3)
            before = server.processor_seconds()
            taken.append(await visitor.move(visitor.widget("slider", move.words), value))
            # what is sent, compressed and cleaned up after the script has ended is part of the move
            await asyncio.sleep(0.2)
            processor.append(server.processor_seconds() - before)
        return first, opening, processor, taken


def main() -> None:
    """Print one line a move."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    words = " ".join(parser.parse_args().words)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "log") as server:
        server.rested()
        print(
            f"milliseconds of processor a move, median of several (goal {GOAL_MS:.0f}); load {load_average():.1f}"
        )
        for move in MOVES:
            if words not in move.line:
                continue
            first, opening, processor, taken = asyncio.run(_measured(server, move))
            median = 1e3 * statistics.median(processor)
            wall, size = (
                statistics.median(t.seconds for t in taken), statistics.median(t.bytes for t in taken),
            )  # fmt: skip
            print(
                f"  {move.line:58} {median:6.0f} ms {size / 1e3:6.0f} kB {'' if median <= GOAL_MS else 'above'} "
                f"(wall {1e3 * wall:.0f} ms; first view {opening:.2f} s of processor, {first.bytes / 1e3:.0f} kB)",
                flush=True,
            )
        print(f"load {load_average():.1f}, memory {server.memory_mb():.0f} MB")


if __name__ == "__main__":
    main()
