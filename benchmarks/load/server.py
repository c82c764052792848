"""The app as a process of its own on a free port, and how much of the processor it has used.

with running() as server:
    server.address, server.processor_seconds(), server.memory_mb()
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
IDLE = 0.02
"""Seconds of processor in one second below which a process rests."""


@dataclass(frozen=True)
class Server:
    """A running app."""

    pid: int
    port: int

    @property
    def address(self) -> str:
        """What a browser would open."""
        return f"localhost:{self.port}"

    def processor_seconds(self) -> float:
        """Seconds of processor that all threads of the process have used since it started.

        Linux counts them for every process under a clock of its own, whose number is made of the process's.
        """
        return time.clock_gettime((~self.pid << 3) | 2)

    def children_seconds(self) -> float:
        """The same of the processes that it has started, and of theirs."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/children")
        alive = [Server(int(pid), 0) for task in tasks for pid in task.read_text().split()]
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        gone = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        return gone + sum(each.processor_seconds() + each.children_seconds() for each in alive)

    def rested(self) -> None:
        """Wait until the process and its own do nothing: what it prepares before the first visit is no part of one."""
        deadline = time.monotonic() + PATIENCE
        used = self.processor_seconds() + self.children_seconds()
        while time.monotonic() < deadline:
            time.sleep(1.0)
            before, used = used, self.processor_seconds() + self.children_seconds()
            if used - before < IDLE:
                return

    def memory_mb(self) -> float:
        """Memory that the process holds now."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))

    def results_mb(self) -> float:
        """Results that the process keeps for all visitors, up to KERNEX_CACHE_MB."""
        with urllib.request.urlopen(f"http://{self.address}/_kernex/health", timeout=PATIENCE) as answer:
            return float(json.load(answer)["results_mb"])


@contextmanager
def running(
    log: Path, folder: Path = ROOT, environment: Mapping[str, str] = MappingProxyType(os.environ)
) -> Iterator[Server]:
    """Start the app of a folder, wait until it answers, and end it; what it says goes to `log`.

    Raises
    ------
    RuntimeError
        It does not answer.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # uploads come without a browser, and so without its cookie against forged requests
    options = ["--server.port", str(port), "--server.enableXsrfProtection", "false"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options], cwd=folder, env={**environment},
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        _wait(process, port, log)
        yield Server(process.pid, port)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.05)
    raise RuntimeError(f"the app does not answer: {log.read_text()[-2000:]}")


def load_average() -> float:
    """How many processes of the machine wanted a core during the last minute."""
    return os.getloadavg()[0]
