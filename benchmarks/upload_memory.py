"""What files that were brought leave in the memory of a server when their visitors have gone; how long others wait.

    python -m benchmarks.upload_memory [FOLDER] [--rounds 3] [--stay 130]

The app runs as a process of its own. In each round every file of the folder (without one: some that are refused, and some
that are read) is brought to the page Data by a visitor of its own, who waits for what the page says and closes the tab.
Another visitor moves a slider meanwhile. After each round nobody comes for `--stay` seconds, in which Streamlit lets go of
sessions that have left, and what the server holds is printed. What grows from round to round is kept by somebody; what does
not is libraries, results of demos, and room that is filled again.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import random
import sys
import tempfile
import time
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np

from benchmarks.load.server import Server, running
from benchmarks.load.visitor import Disturbed, Visitor

MOST = 200.0
"""Megabytes that may be left after the first round."""
ROWS = 400_000
SMALL = {"ROWS": 50, "FIRST": 0.0}
SMALL_ARGUMENTS = ["--rounds", "1", "--stay", "0"]
"""What a test sets them to."""
THINK = 0.5
FIRST = 60.0
"""Seconds for which the other visitor moves before anything is brought."""


def files() -> dict[str, bytes]:
    """Refused for their number of items, of columns, of members or for what they are; and read."""
    rng = np.random.default_rng(0)
    array, packed = io.BytesIO(), io.BytesIO()
    np.save(array, rng.random((ROWS // 200, ROWS // 200)))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.graphml", b"<graphml>" + b" " * (300 * ROWS) + b"</graphml>")
    return {
        "pairs.tsv": "".join(f"a{k}\tb{k}\t0.5\n" for k in range(ROWS)).encode(),
        "commas.csv": b"," * (50 * ROWS),
        "lines.csv": b"\n" * (50 * ROWS),
        "noise.csv": rng.integers(0, 256, 50 * ROWS, np.uint8).tobytes(),
        "records.fasta": b">\n" * (20 * ROWS),
        "one.fasta": b">a\n" + b"ACDE" * (20 * ROWS),
        "matrix.npy": array.getvalue(),
        "bomb.zip": packed.getvalue(),
        "table.csv": b"id,a,b\n" + b"".join(b"i%d,%d,1\n" % (k, k % 7) for k in range(ROWS // 4)),
    }


async def bring(server: Server, name: str, content: bytes) -> str:
    """Bring one file as a visitor of its own; returns what went wrong on the way, "" for a page that has said what it is."""
    try:
        async with Visitor.arriving(server.address) as visitor:
            await visitor.open("data")
            box = visitor.widget("file_uploader", "Files")
            await visitor.settled(await visitor.upload(box, {name: content}))
    except Disturbed as error:  # a red box that names the file is an answer
        return "" if "wrong" not in str(error) else f"{name}: {error}"
    except Exception as error:  # whatever it is, a visitor has met it
        return f"{name}: {type(error).__name__} {str(error)[:160]}"
    return ""


async def neighbour(server: Server, ended: asyncio.Event, taken: list[float]) -> None:
    """Move a slider until the others are done."""
    rng = random.Random(0)
    async with Visitor.arriving(server.address) as visitor:
        await visitor.open("combine", "data=Protein+world")
        while not ended.is_set():
            slider = visitor.widget("slider", "Weight of the")
            steps = round((slider.element.max - slider.element.min) / slider.element.step)
            value = slider.element.min + slider.element.step * rng.randint(0, steps)
            taken.append((await visitor.move(slider, round(value, 6))).seconds)
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), THINK)


async def one_round(
    server: Server, brought: Mapping[str, bytes | Path], least: float = 0.0
) -> tuple[list[str], list[float]]:
    """Bring all files one after the other; returns what went wrong, and the seconds that the other visitor has waited."""
    ended, taken, wrong = asyncio.Event(), list[float](), list[str]()
    other = asyncio.create_task(neighbour(server, ended, taken))
    for name, content in brought.items():
        wrong.append(
            await bring(server, name, content if isinstance(content, bytes) else content.read_bytes())
        )
    await asyncio.sleep(least)
    ended.set()
    await other
    return [each for each in wrong if each], taken


def main() -> None:
    """Print a line a round; ends with 1 where something went wrong or more than MOST is left."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--stay", type=float, default=130.0)
    args = parser.parse_args()
    brought: Mapping[str, bytes | Path] = (
        files()
        if args.folder is None
        else {path.name: path for path in sorted(args.folder.iterdir()) if path.is_file()}
    )
    fine = True
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "log") as server:
        server.rested()
        asyncio.run(one_round(server, {}, FIRST))  # what the other visitor's page takes is there before
        server.rested()
        first = server.memory_mb()
        print(f"at rest {first:.0f} MB", flush=True)
        for turn in range(1, args.rounds + 1):
            began = time.perf_counter()
            wrong, taken = asyncio.run(one_round(server, brought))
            busy = server.memory_mb()
            seconds = time.perf_counter() - began
            time.sleep(args.stay)
            server.rested()
            left = server.memory_mb()
            print(
                f"round {turn}: {len(brought)} files in {seconds:.0f} s, {busy:.0f} MB at its end, {left:.0f} MB at rest "
                f"({left - first:+.0f}), {server.results_mb():.0f} MB of results; another visitor waited "
                f"{sorted(taken)[len(taken) // 2]:.2f} s, at most {max(taken):.2f} s of {len(taken)} moves",
                flush=True,
            )
            for each in wrong:
                print(f"  {each}")
            fine = fine and not wrong and left - first <= MOST
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
