"""What Kernex needs to run, looked at one by one: `kernex check` prints a line each.

lines(root, port, address) -> Line, ...
"""

from __future__ import annotations

import errno
import os
import platform
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

OLDEST: Final = (3, 11)
"""Of Python; pyproject.toml says the same."""
REQUIREMENTS: Final = "requirements.txt"
ENOUGH: Final = 1_000_000_000
"""Bytes that a server with a demo, two readers of files and one visitor take."""
MEGABYTE: Final = 1_000_000


@dataclass(frozen=True)
class Line:
    """What was found, and what to do where that is not all right.

    Attributes
    ----------
    found : str
    remedy : str
    is_wrong : bool
        Kernex does not run before something is done. A remedy without it makes something better.
    """

    found: str
    remedy: str = ""
    is_wrong: bool = False

    def __str__(self) -> str:
        state = "wrong" if self.is_wrong else "note" if self.remedy else "ok"
        return f"{state:<6} {self.found}" + (f": {self.remedy}" if self.remedy else "")


def lines(root: Path, port: int, address: str) -> Iterator[Line]:
    """Look at everything; loops are loaded only where all libraries are there."""
    yield _python()
    libraries = list(_libraries(root / REQUIREMENTS))
    yield from libraries
    if not any(line.is_wrong for line in libraries):
        yield from _loops()
        yield _workers()
    yield from _memory()
    yield _place(port, address)


def _python() -> Line:
    found = f"Python {platform.python_version()}"
    if sys.version_info < OLDEST:
        return Line(
            found, "Kernex needs {}.{} or newer, from https://www.python.org".format(*OLDEST), is_wrong=True
        )
    return Line(found)


def _libraries(requirements: Path) -> Iterator[Line]:
    try:
        from packaging.requirements import Requirement  # comes with Streamlit
    except ImportError:
        yield Line("streamlit is not here", f"python -m pip install -r {requirements}", is_wrong=True)
        return
    for text in requirements.read_text("utf-8").splitlines():
        if not text or text.startswith("#"):
            continue
        wanted = Requirement(text)
        if wanted.marker is not None and not wanted.marker.evaluate():
            continue
        remedy = f'python -m pip install "{wanted.name}{wanted.specifier}"'
        try:
            here = version(wanted.name)
        except PackageNotFoundError:
            yield Line(f"{wanted.name} is not here", remedy, is_wrong=True)
            continue
        fits = wanted.specifier.contains(here, prereleases=True)
        yield Line(f"{wanted.name} {here}") if fits else Line(f"{wanted.name} {here}", remedy, is_wrong=True)


def _loops() -> Iterator[Line]:
    from kernex_core.base.jit import SWITCH, compiled
    from kernex_core.studies.loops import LOOPS, folder, load

    if not compiled():
        yield Line("loops are not compiled, and slow", f"leave {SWITCH} out of the environment")
        return
    kept = folder()
    if kept is None:
        yield Line(
            "no folder for compiled loops can be written",
            "every start compiles them anew; let NUMBA_CACHE_DIR name a folder that you may write",
        )
        return
    yield Line(f"compiled loops are kept in {kept}")
    missing = [loops for loops in LOOPS if not load(loops)]
    if missing:
        yield Line(
            f"{len(missing)} of {len(LOOPS)} loops are not compiled yet",
            f"the first start does it beside the server, {sum(loops.seconds for loops in missing):.0f} s of a processor; "
            "or now, by python -m kernex_core.studies.loops",
        )  # fmt: skip
    else:
        yield Line(f"{len(LOOPS)} loops are compiled")


def _workers() -> Line:
    from kernex_core.base.errors import KernexError
    from kernex_core.runtime.workers import CLUSTER, workers

    try:
        found = workers()
    except KernexError as error:
        return Line("nobody computes", str(error), is_wrong=True)
    if found is None:
        return Line("threads of the server compute")
    who = "workers of a cluster" if os.environ.get(CLUSTER) else "processes beside the server"
    return Line(f"{found.count} {who} compute")


def _memory() -> Iterator[Line]:
    free = _free_bytes()
    if free is None:
        return
    found = f"{free // MEGABYTE:,} MB of memory are free"
    yield (
        Line(found)
        if free >= ENOUGH
        else Line(found, f"end other programs until {ENOUGH // MEGABYTE:,} MB are free")
    )


def _free_bytes() -> int | None:
    """What the system and the container around this process leave; None where it is no Linux."""
    try:
        said = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        free = int(said["MemAvailable"].split()[0]) * 1024
    except (OSError, LookupError, ValueError):
        return None
    try:
        most, taken = (int(Path(f"/sys/fs/cgroup/memory.{name}").read_text()) for name in ("max", "current"))
    except (OSError, ValueError):  # no container, or one without a limit
        return free
    return min(free, most - taken)


def _place(port: int, address: str) -> Line:
    problem, _, remedy = why_not(port, address).partition(": ")
    return Line(problem, remedy) if problem else Line(f"port {port} is free at {address}")


def why_not(port: int, address: str) -> str:
    """Why no server can listen there; "" where one can."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        socket.create_server((address, port), family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"port {port} is taken by another program: choose another one with --port"
        if error.errno == errno.EACCES:
            return f"port {port} may not be used by this user: choose one above 1023 with --port"
        return (
            f"{address!r} is no address of this machine: choose localhost, or 0.0.0.0 for the whole network"
        )
    return ""
