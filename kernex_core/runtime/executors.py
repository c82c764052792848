"""The threads of this process: their number, one pool that all work shares, and ways to spread work over it.

Thirty visitors share the pool that one would have: every client has a few tasks in it at a time and waits for the others
(`kernex_core.runtime.scheduler`), so that more visitors are slower and never more threads. `KERNEX_THREADS` bounds their
number, which otherwise is that of the cores that the process may use.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import islice
from typing import Any, ParamSpec, TypeVar

from kernex_core.base.errors import InvalidInputError
from kernex_core.runtime.scheduler import FairQueue, is_patient, schedule

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

SETTING = "KERNEX_THREADS"
"""Environment variable: at most so many threads share the work; empty or absent: one a core."""
PULSE = 0.25
"""Seconds after which work that is spread says at the latest that it is still there."""

SHORT = 0.05
"""Seconds of work that the thread which asks for it does itself: to hand it over in small tasks would cost as much."""

_lock = threading.Lock()
_pools: dict[int, tuple[FairQueue, ThreadPoolExecutor]] = {}
_here = threading.local()


def thread_count() -> int:
    """Return how many threads share the work: one a core that this process may use, no more than KERNEX_THREADS.

    Raises
    ------
    InvalidInputError
        KERNEX_THREADS is no whole number from 1 on.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    given = os.environ.get(SETTING, "").strip()
    if not given:
        return usable
    if not given.isdecimal() or int(given) < 1:
        raise InvalidInputError(
            f"The environment variable {SETTING} has to be a whole number from 1 on",
            repr(given),
            "Set it to the largest number of threads, or leave it out for one a core",
        )
    return min(usable, int(given))


def one_a_turn(parts: Iterator[T]) -> Generator[T | None, None, None]:
    """Take the parts of a long study in turn with others (`scheduler.schedule`), half as many studies at a time as threads.

    The other half is for whoever moves a slider meanwhile.
    """
    return schedule(parts, max(1, thread_count() // 2))


def submit(work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
    """Put a task into the pool; a thread of the pool does it itself, for it must not wait for the others."""
    if getattr(_here, "working", False):
        done: Future[R] = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done
    future: Future[R] = Future()
    queue, pool = _pool()
    # as many take a task as there are tasks; which one each takes is decided when a thread is free
    queue.put(partial(_do, future, work, *args, **kwargs), threading.get_ident(), patient=is_patient())
    pool.submit(queue.take)
    return future


def _do(future: Future[R], work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work(*args, **kwargs))
    except BaseException as error:  # whoever waits for it is told, whatever it is
        future.set_exception(error)


def in_order(work: Callable[[T], R], items: Iterable[T], *, small: bool = False) -> list[R]:
    """Results of `work` for every item, in their order; the first exception stops the rest and is raised on."""
    listed = tuple(items)
    if len(listed) == 1:  # nothing to share
        with one_blas_thread:
            return [work(listed[0])]
    return [result for results in spread_in_steps(work, listed, small=small) for result in results]


def spread_in_steps(work: Callable[[T], R], items: Iterable[T], *, small: bool = False) -> Iterator[list[R]]:
    """The same in steps: as many results as there are threads, or what is there after PULSE seconds, perhaps nothing.

    Whoever stops asking stops the work: what runs comes to its end, what waits is not begun. Meanwhile every BLAS has one
    thread, so that threads times threads do not starve one another. Of `small` items this thread does the first, and the
    others too if at that pace they take no more than SHORT.
    """
    count, waiting, running = thread_count(), iter(items), deque[Future[R]]()
    with one_blas_thread:
        ready: list[R]
        if small:
            started = time.thread_time()
            ready = [work(item) for item in islice(waiting, 1)]
            pace, rest = time.thread_time() - started, tuple(waiting)
            if pace * len(rest) <= SHORT:
                ready, rest = ready + [work(item) for item in rest], ()
            if ready:
                yield ready
            waiting = iter(rest)
        try:
            while True:
                ready = []
                until = time.monotonic() + PULSE
                while len(ready) < count and time.monotonic() < until:
                    # a few ahead, so that no thread waits for this one to wake up
                    running.extend(submit(work, item) for item in islice(waiting, 2 * count - len(running)))
                    if not running:
                        break
                    wait((running[0],), timeout=max(until - time.monotonic(), 0.0))
                    while running and running[0].done() and len(ready) < count:
                        ready.append(running.popleft().result())
                if ready or running:
                    yield ready
                if not running:
                    return
        finally:
            for future in running:
                future.cancel()


class _OneBlasThread:
    """With it every BLAS has one thread; around many short tasks it is set once.

    Who is inside is counted: the first one in sets one thread, the last one out puts back what there was.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._controller: Any = None
        self._limiter: Any = None

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._limiter = self._libraries().limit(limits=1, user_api="blas")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limiter.restore_original_limits()

    def _libraries(self) -> Any:
        if self._controller is None:
            import scipy.linalg  # noqa: F401  # brings a BLAS of its own, which has to be there to be found
            from threadpoolctl import ThreadpoolController

            self._controller = ThreadpoolController()
        return self._controller


one_blas_thread = _OneBlasThread()

SEVERAL = 500
"""Items from which products of matrices are work for several threads: below, these wait for each other, on a busy machine
longer than one takes for all."""


def threads_for(n: int) -> AbstractContextManager[None]:
    """With it every BLAS has as many threads as pay for matrices of n items."""
    return one_blas_thread if n <= SEVERAL else nullcontext()


def _pool() -> tuple[FairQueue, ThreadPoolExecutor]:
    """The pool and those who wait for it; another number of threads has another one."""
    count = thread_count()
    with _lock:
        if count not in _pools:
            pool = ThreadPoolExecutor(
                count, thread_name_prefix="kernex", initializer=setattr, initargs=(_here, "working", True)
            )
            _pools[count] = FairQueue(max(1, count - 1)), pool
        return _pools[count]


def _forget() -> None:
    """A forked process has none of its parent's threads."""
    global _lock
    _lock = threading.Lock()
    _pools.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
