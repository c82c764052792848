"""The program of a reader process: takes files from the server, one after the other, and gives back what is in them.

    python -I child.py MODE PARENT PATHS     started by pages.server.readers.pool; requests come in at 0, answers leave at 1

Where MODE is "fork" (Linux) it reads nothing itself: every file is read by a process of its own, forked from this one, which
has a single thread. Elsewhere it reads them itself. Whatever reads sets itself a limit of memory, of processor time, and an
alarm that ends it also where it computes in C and listens to nobody.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import pickle
import signal
import struct
import sys
import time
import traceback
import types
from pathlib import Path
from typing import IO, Any, Final

ROOT: Final = Path(__file__).resolve().parents[3]
WARM: Final = (
    ("warm.csv", b"id,a,b\nx,1,0.5\ny,0.5,1\n"),
    ("warm.tsv", b"x\ty\t0.5\nx\tx\t1\ny\ty\t1\ny\tx\t0.5\n"),
    ("warm.gml", b"graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]"),
)
"""Files that are read before any other: libraries are loaded, and take the room that they reserve, without a limit."""
SLOW_IMPORTS: Final = ("pandas", "pyarrow", "networkx", "python_calamine", "scipy.io", "Bio.SeqIO.FastaIO")


def prepare(paths: list[str]) -> None:
    """Find what the server finds, with an empty package in place of all of the core: only what reads is loaded."""
    sys.path[:] = [str(ROOT), *paths]
    hollow = types.ModuleType("kernex_core")
    # beside the app in the repository, among the packages where it is installed
    hollow.__path__ = [str(Path(path, "kernex_core")) for path in sys.path]
    sys.modules["kernex_core"] = hollow
    for name in SLOW_IMPORTS:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    from kernex_core.inputs.upload import Upload
    from pages.server.readers import tasks, wire

    for filename, content in WARM:
        wire.encode(tasks.look(Upload(filename, content)))


def stay_with(parent: int) -> None:
    """End with whoever started this process; at once where the system can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        if os.getppid() != parent:  # gone before this was said
            os._exit(0)


def limit(processor: float, wall: float, memory: int) -> None:
    """Set what this process may take from now on."""
    try:
        import resource
    except ImportError:  # Windows: the server looks after it
        return

    def lower(what: int, most: int) -> None:
        hard = resource.getrlimit(what)[1]
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most if hard < 0 else min(most, hard), hard))

    if sys.platform == "linux" and memory:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        lower(resource.RLIMIT_AS, pages * resource.getpagesize() + memory)
    lower(resource.RLIMIT_CPU, int(time.process_time() + processor) + 1)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, wall)


def answer(out: IO[bytes], number: int, request: bytes, packed: bytes) -> None:
    """Read a file and send what is in it, or what is wrong with it."""
    from kernex_core.base.errors import KernexError
    from kernex_core.inputs.upload import Upload
    from pages.server.readers import tasks, wire

    limits, task, filename, args = pickle.loads(request)  # of the server, which is trusted
    limit(*limits)
    kind, head = wire.VALUE, b""
    parts: list[wire.Part] = []
    try:
        try:
            value = tasks.run(task, Upload(filename, packed), *args)
        except KernexError as error:
            kind, value = wire.REFUSED, tasks.Refusal.of(error)
        head, parts = wire.encode(value)
    except MemoryError:
        kind = wire.MEMORY
    except BaseException:
        kind, head = wire.FAILED, traceback.format_exc()[-4000:].encode("utf-8", "replace")
    wire.send(out, kind, number, head, parts)
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


class Forked:
    """Reads every file in a process of its own, which a signal ends."""

    def __init__(self, given: IO[bytes]) -> None:
        self.working, self._given = 0, given
        signal.signal(signal.SIGUSR1, self.stop)

    def stop(self, *_: Any) -> None:
        """End the process that reads."""
        if self.working:
            os.kill(self.working, signal.SIGKILL)

    def answer(self, out: IO[bytes], number: int, request: bytes, packed: bytes) -> None:
        """Read one file, and tell how the process ended."""
        from pages.server.readers import wire

        here = os.getpid()
        # a signal between the fork and the line that knows the process would be lost
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        self.working = os.fork()
        if not self.working:
            stay_with(here)
            os.close(self._given.fileno())  # what is brought next is none of its business
            signal.signal(signal.SIGUSR1, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
            try:
                answer(out, number, request, packed)
            finally:
                os._exit(0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
        del request, packed
        status = os.waitpid(self.working, 0)[1]
        self.working = 0
        wire.send(out, wire.ENDED, number, str(os.waitstatus_to_exitcode(status)).encode())


def main() -> None:
    """Read files until nobody brings any."""
    mode, parent, paths = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
    stay_with(parent)
    given, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):  # whatever a library prints, or asks, goes nowhere
        os.dup2(nothing, standard)
    prepare(paths)  # what goes wrong here, the terminal of the server tells
    os.dup2(nothing, 2)
    from pages.server.readers import wire

    serve = Forked(given).answer if mode == "fork" else answer
    gc.collect()
    gc.freeze()
    wire.send(out, wire.READY, 0, str(os.getpid()).encode())
    size = struct.Struct("<QQQ")
    while len(begun := given.read(size.size)) == size.size:
        number, *lengths = size.unpack(begun)
        request, packed = (given.read(length) for length in lengths)
        if [len(request), len(packed)] != lengths:
            return
        wire.send(out, wire.BEGUN, number, b"")  # until then it may be handed to another reader
        serve(out, number, request, packed)
        del request, packed


if __name__ == "__main__":
    main()
