"""Processor seconds of a server's first minute: until its port answers, and until each page shows its first picture.

    python -m benchmarks.first_minute [WORDS]      only pages whose line has these words

Each line is a server of its own, whose first visitor comes as soon as the port answers. `clone` is a copy of the sources
without bytecode and compiled loops, as after `git clone`; `installed` is one that was started before, its loops compiled, as
after `make app`. Time is the processor time of all threads of the server and, behind the plus, of the processes that it
starts (the compiler, readers of files), which does not depend on what else the machine does; the wall time in brackets does.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.load.server import ROOT, Server, load_average, running
from benchmarks.load.visitor import Visitor

PARTS: Final = ("app.py", "pages", "kernex_core", "docs/glossary.md", ".streamlit")
GRAPHS: Final = "data=Like+beside+like&graphs_tab=Kernel"
PAGES: Final = (
    ("", ""),
    ("complete", "data=Protein+world"),
    ("graphs", f"{GRAPHS}&graph_kernel=Geometric+walk"),
    ("graphs", GRAPHS),
    ("data", "data=Protein+world"),
    ("kernels", "data=Protein+world"),
    ("strings", "data=Protein+world"),
    ("power", "data=Almost+orthogonal+strings"),
    ("combine", "data=Protein+world"),
    ("many", "data=Three+sources"),
    ("together", "data=Three+sources"),
    ("networks", "data=Karate+club"),
    ("features", "data=Expression+on+a+network"),
    ("map", "data=Swiss+roll"),
    ("evaluate", "data=Protein+world"),
    ("what_is_a_kernel", "bet=-"),
)
"""Address and settings of what is opened first."""
BEFORE: Final = {
    "port": (2.75, 2.0),
    "complete, Protein world": (5.9, 4.4),
    "graphs, Geometric walk": (19.0, 4.1),
}
"""Seconds of a clone and of one that was started before, when loops were compiled where they were needed."""
GOALS: Final = {"port": 1.5, "complete, Protein world": 5.0, "graphs, Geometric walk": 4.0}
SETTINGS: Final[dict[str, str]] = {}
SMALL: Final = {"PAGES": PAGES[:1], "STARTS": ("clone",), "SETTINGS": {"KERNEX_NUMBA": "0"}}
"""What a test sets them to."""
STARTS: Final = ("clone", "installed")


@dataclass(frozen=True)
class Seconds:
    """What a server has used at some moment: of itself, of processes that it has started, and by the clock on the wall."""

    own: float
    others: float
    wall: float

    def __str__(self) -> str:
        """As it is printed."""
        return f"{self.own:5.2f} +{self.others:5.2f} s ({self.wall:4.1f} s)"


def line_of(page: str, query: str) -> str:
    """What stands before the numbers of a page."""
    last = query.rpartition("=")[2].replace("+", " ")
    return f"{page or 'start'}, {last}" if last and last != "-" else page or "start"


def copy_sources(folder: Path) -> None:
    """Copy what git knows of, or would take."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *PARTS],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)


def environment(folder: Path) -> dict[str, str]:
    """Bytecode and compiled loops are written into the copy; nothing is taken from elsewhere."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **SETTINGS, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / ".loops")}


async def _first_picture(server: Server, begun: float, page: str, query: str) -> Seconds:
    """Seconds until the page shows its first picture, or stands where it has none."""
    found: list[Seconds] = []

    def note() -> None:
        found.append(
            Seconds(server.processor_seconds(), server.children_seconds(), time.perf_counter() - begun)
        )

    async with Visitor.arriving(server.address) as visitor:
        visitor.on_picture = note
        await visitor.open(page, query)
        note()
    return found[0]


def _start(folder: Path, page: str, query: str) -> tuple[Seconds, Seconds]:
    """Start a server in the folder, and return what it had used when its port answered, and at the first picture."""
    begun = time.perf_counter()
    with running(folder / "log", folder, environment(folder)) as server:
        port = Seconds(server.processor_seconds(), server.children_seconds(), time.perf_counter() - begun)
        return port, asyncio.run(_first_picture(server, begun, page, query))


def install(folder: Path) -> None:
    """Compile what `make app` compiles, and start the app once, so that bytecode is there."""
    copy_sources(folder)
    command = [sys.executable, "-m", "kernex_core.studies.loops"]
    subprocess.run(command, cwd=folder, env=environment(folder), check=True)
    with running(folder / "log", folder, environment(folder)) as server:
        server.rested()


def main() -> None:
    """Print a line a page, and one for the port."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*")
    words = " ".join(parser.parse_args().words)
    # the compiler may write on when its server has ended
    temporary = partial(tempfile.TemporaryDirectory, ignore_cleanup_errors=True)
    with temporary() as whole:
        if "installed" in STARTS:
            install(Path(whole))
        print(
            f"seconds of processor until the first picture, {' and '.join(STARTS)}; load {load_average():.1f}"
        )
        ports: dict[str, list[Seconds]] = {start: [] for start in STARTS}
        for page, query in PAGES:
            line, pictured = line_of(page, query), []
            if words not in line:
                continue
            for start in STARTS:
                with temporary() as empty:
                    folder = Path(whole if start == "installed" else empty)
                    if start == "clone":
                        copy_sources(folder)
                    port, picture = _start(folder, page, query)
                ports[start].append(port)
                pictured.append(picture)
            print(f"  {line:36} {'   '.join(map(str, pictured))}{_beside(line)}", flush=True)
        least = [str(min(seconds, key=lambda each: each.own)) for seconds in ports.values() if seconds]
        print(f"  {'port':36} {'   '.join(least)}{_beside('port')}")
    print(f"load {load_average():.1f}")


def _beside(line: str) -> str:
    if line not in GOALS:
        return ""
    clone, again = BEFORE[line]
    return f"   before {clone:.1f}, {again:.1f}; goal {GOALS[line]:.1f}"


if __name__ == "__main__":
    main()
