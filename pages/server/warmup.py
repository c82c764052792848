"""What is done once when the server starts, before and beside the first visit.

check_settings()         settings of the environment that do not fit are refused
limit_blas_threads()     one BLAS thread: several sessions with several threads each starve one another
import_slowly()          slow imports and compiled code
set_apart()              what never goes away is not looked through when Python collects garbage
collect()                garbage of sessions that have ended
prepare(pages)           all that is slow, and what the pages bring
await_loops(kernel)      says that loops are compiled, as long as they are not there
SERVING                  whether there is a server
start(pages)             all of it in the background: the port answers first
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import streamlit as st
import threadpoolctl
from streamlit import runtime

from kernex_core.base.jit import compiled
from kernex_core.runtime.executors import thread_count, worker_count
from pages.server.item_limit import most_items
from pages.server.visitors import limits
from pages.server.visitors import store as identity

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from kernex_core.kernels.base import AnyKernel
    from kernex_core.studies.loops import Loops


SLOW_IMPORTS: Final = ("sklearn.svm",)
SERVING: Final = threading.Event()
"""Set as long as a server answers; scripts and tests have none."""


ROOT: Final = Path(__file__).parents[2]
PULSE: Final = 0.2
"""Seconds between two looks at whether loops are there."""
_met_sessions = False
"""Whether there were sessions when everything was set apart last."""


def limit_blas_threads() -> None:
    """Set one thread for every BLAS that numpy and scipy bring."""
    # a library that is loaded later keeps its own number of threads
    importlib.import_module("scipy.linalg")
    threadpoolctl.threadpool_limits(limits=1, user_api="blas")


def import_slowly() -> None:
    """Import what the first study would otherwise wait for."""
    for name in SLOW_IMPORTS:
        importlib.import_module(name)


def set_apart() -> None:
    """Take what is there now, which stays as long as the process, out of every later collection of garbage.

    Half a million objects of libraries: to look through them took as long as a page. A session that is there now does not
    stay; it is set apart with them, and `collect` puts that right when it has ended.
    """
    global _met_sessions
    gc.collect()
    _met_sessions = bool(sessions_here())
    gc.freeze()


def sessions_here() -> frozenset[str] | None:
    """Sessions whose tab is open, or was within the two minutes that Streamlit keeps them; None where nobody can tell."""
    with suppress(AttributeError, RuntimeError):  # no server runs, or another release calls them otherwise
        server: Any = runtime.get_instance()
        server._session_mgr._session_storage._cache.expire()
        return frozenset(info.session.id for info in server._session_mgr.list_sessions())
    return None


def collect() -> None:
    """Collect garbage after sessions have ended, those among it that were set apart."""
    if not _met_sessions:
        gc.collect()
        return
    gc.unfreeze()
    set_apart()


def prepare(pages: Callable[[], None]) -> None:
    """Do what is slow, first what a first view needs, and set apart what stays."""
    limit_blas_threads()
    pages()
    import_slowly()
    set_apart()


def check_settings() -> None:
    """Read the settings of the environment, so that whoever starts the server is told, and not every visitor.

    Raises
    ------
    InvalidInputError
        KERNEX_THREADS, KERNEX_PROCESSES, KERNEX_CLUSTER, KERNEX_MAX_ITEMS or one of those in pages.server.visitors.limits
        is not what it has to be.
    """
    thread_count()
    worker_count()
    most_items()
    for limit in (
        limits.cache_bytes,
        limits.workspace_bytes,
        limits.most_visitors,
        limits.idle_hours,
        limits.make_keep_folder,
        limits.token,
        identity.new_cookie,
    ):
        limit()


def start(pages: Callable[[], None]) -> threading.Thread:
    """Prepare the process and what `pages` prepares, in the background: the thread that does so; another one has loops."""
    threading.Thread(target=_while_serving, args=(COMPILER.run,), name="kernex-compiler", daemon=True).start()
    work = partial(prepare, pages)
    thread = threading.Thread(target=_while_serving, args=(work,), name="kernex-warm-up", daemon=True)
    thread.start()
    return thread


def _while_serving(work: Callable[[], None]) -> None:
    """Do it; that it cannot be ended because the server has, is no error."""
    try:
        work()
    except RuntimeError:  # Python starts no threads any more
        if SERVING.is_set():
            raise


class Compiler:
    """Compiled loops: what the disk has is loaded, the others are compiled by a process beside the server, one by one.

    Loops that a visitor waits for come next. Where there is no such process, or nowhere to keep what it makes, whoever
    needs a loop compiles it.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._missing: list[Loops] = []
        self._begun = 0.0
        self._looked = False

    def run(self) -> None:
        """Load all loops, and see to it that those which are missing are compiled."""
        try:
            if compiled():
                from kernex_core.studies.loops import LOOPS, load

                missing = [each for each in LOOPS if not load(each)]
                with self._changed:
                    self._missing, self._looked = missing, True
                if missing:
                    with suppress(OSError):  # nothing can be started here, or it was ended
                        self._compile(load)
        finally:
            with self._changed:
                self._missing, self._looked = [], True
                self._changed.notify_all()

    def _compile(self, load: Callable[[Loops], bool]) -> None:
        command = [sys.executable, "-m", "kernex_core.studies.loops", "asked"]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            while self._missing:
                with self._changed:
                    self._begun = time.monotonic()
                    loops = self._missing[0]
                print(loops.name, file=process.stdin)
                if process.stdout.readline().strip() != loops.name or not load(loops):
                    return
                with self._changed:
                    self._missing.remove(loops)
                    self._changed.notify_all()

    def left(self, kernel: AnyKernel | None) -> tuple[str, float] | None:
        """What is compiled for a kernel (None: for support vector machines) and seconds until it is done, or None."""
        with self._changed:
            if SERVING.is_set() and not self._looked:
                return "", 0.0
            mine = [each for each in self._missing if _needs(kernel, each)]
            if not mine:
                return None
            first, *_ = self._missing
            rest = [each for each in self._missing if each is not first and each not in mine]
            self._missing = [first, *(each for each in mine if each is not first), *rest]
            seconds = sum(each.seconds for each in {first.name: first, **{e.name: e for e in mine}}.values())
            return mine[0].name, seconds - (time.monotonic() - self._begun)

    def wait(self) -> None:
        """Wait a moment, or until some of it is there."""
        with self._changed:
            self._changed.wait(PULSE)


def _needs(kernel: AnyKernel | None, loops: Loops) -> bool:
    return isinstance(kernel, loops.kernels) if kernel is not None else loops.judges


COMPILER: Final = Compiler()


def await_loops(kernel: AnyKernel | None = None, slot: DeltaGenerator | None = None) -> None:
    """Wait until the loops of a kernel, or of support vector machines, are there, and say so; a click ends it."""
    if COMPILER.left(kernel) is None:
        return
    slot = slot or st.empty()
    while (left := COMPILER.left(kernel)) is not None:
        name, seconds = left
        when = f"{seconds:.0f} s" if seconds >= 1.0 else "soon"
        slot.caption(f"Compiling, once: {name}, {when}" if name else "Compiled loops are loaded")
        COMPILER.wait()
    slot.empty()


# Memory of this process, as far as the system tells it, and how much of what is free it keeps.
#
# use_few_arenas()      once, at the start
# give_back()           what is free, to the system

M_ARENA_MAX: Final = -8
ARENAS: Final = 2


def use_few_arenas() -> None:
    """Let all threads share a few places that memory comes from, where the C library is glibc.

    Every run of a page is a thread of its own, and glibc would give many of them (eight a core) such a place. What one
    thread frees there no other one fills: after each crowd of visitors the process held some 50 MB more.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library has no such number
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Give the system what has been free since the last crowd."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def peak_bytes() -> int | None:
    """The most that this process has taken so far; None where the system does not tell."""
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) * (1 if sys.platform == "darwin" else 1_024)
