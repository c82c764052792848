"""Who computes: the threads of this process, one pool that all work shares, or workers elsewhere; and how work is spread.

Thirty visitors share the pool that one would have: every client has a few tasks in it at a time and waits for the others
(`kernex_core.runtime.scheduler`), so that more visitors are slower and never more threads. `KERNEX_THREADS` bounds their
number, which otherwise is that of the cores that the process may use. Processes and clusters (`kernex_core.runtime.workers`)
take the same units of work, each computed by one of them from its first operation to its last: the numbers are the same.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from itertools import islice
from typing import Any, Generic, ParamSpec, TypeVar

from kernex_core.base.errors import KernexError
from kernex_core.runtime.scheduler import FairQueue, is_patient, schedule
from kernex_core.runtime.workers import TRIES, Description, Workers, whole_number, workers

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
    most = whole_number(SETTING, "Set it to the largest number of threads, or leave it out for one a core")
    return usable if most is None else min(usable, most)


def worker_count() -> int:
    """Return how many units of spread work are done at a time, whoever does them."""
    elsewhere = workers()
    return thread_count() if elsewhere is None else elsewhere.count


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


def spread_in_steps(
    work: Callable[[T], R], items: Iterable[T], *, small: bool = False
) -> Generator[list[R], None, None]:
    """The same in steps: as many results as there are threads, or what is there after PULSE seconds, perhaps nothing.

    Whoever stops asking stops the work: what runs comes to its end, what waits is not begun. Meanwhile every BLAS has one
    thread, so that threads times threads do not starve one another. Of `small` items this thread does the first, and the
    others too if at that pace they take no more than SHORT; those of a long study go to workers elsewhere, if there are
    any. These get as many items at a time as take about SHORT.

    Raises
    ------
    KernexError
        An item at which workers elsewhere end.
    """
    elsewhere = None if getattr(_here, "working", False) else workers()
    count, waiting = thread_count() if elsewhere is None else elsewhere.count, iter(items)
    with one_blas_thread:
        ready: list[R]
        if small and (elsewhere is None or not is_patient()):
            started = time.thread_time()
            ready = [work(item) for item in islice(waiting, 1)]
            pace, rest = time.thread_time() - started, tuple(waiting)
            if pace * len(rest) <= SHORT:
                ready, rest = ready + [work(item) for item in rest], ()
            if ready:
                yield ready
            waiting = iter(rest)
        with closing(_Sent(work, elsewhere, 2 * count)) as sent:
            while True:
                ready = []
                until = time.monotonic() + PULSE
                while len(ready) < count and time.monotonic() < until and sent.more(waiting):
                    sent.wait(until - time.monotonic())
                    while sent.is_ready and len(ready) < count:
                        ready += sent.next()
                if ready or sent.more(waiting):
                    yield ready
                else:
                    return


class _Sent(Generic[T, R]):
    """Handfuls of items on their way to whoever computes, and back in their order."""

    def __init__(self, work: Callable[[T], R], elsewhere: Workers | None, ahead: int) -> None:
        self._ahead = ahead
        self._running: deque[tuple[tuple[T, ...], Future[tuple[list[R], float]]]] = deque()
        self._size = self._tries = 1
        self._lost: tuple[type[BaseException], ...] = ()
        self._given_up: tuple[type[BaseException], ...] = ()
        begin: Callable[[tuple[T, ...]], Future[tuple[list[R], float]]] = partial(
            submit, partial(_each, work)
        )
        self._begin = self._again = begin
        self._elsewhere = elsewhere is not None
        if elsewhere is not None:
            described: Description[tuple[list[R], float]] = Description(elsewhere, partial(_apart, work))
            self._begin, self._again = described, described.again
            self._lost, self._given_up = elsewhere.lost, elsewhere.given_up

    @property
    def is_ready(self) -> bool:
        """Whether the next result is there."""
        return bool(self._running) and self._running[0][1].done()

    def more(self, items: Iterator[T]) -> bool:
        """Begin a few ahead, so that no thread waits for this one to wake up, and more behind one that takes long."""
        behind = 0 if self.is_ready else sum(future.done() for _, future in self._running)
        room = self._ahead + min(behind, 2 * self._ahead) - len(self._running)
        handfuls = iter(lambda: tuple(islice(items, self._size)), ())
        self._running.extend((handful, self._begin(handful)) for handful in islice(handfuls, max(room, 0)))
        return bool(self._running)

    def wait(self, seconds: float) -> None:
        """Wait for the next result, or another one, at most so long."""
        if not self.is_ready:
            left = [future for _, future in self._running if not future.done()]
            wait(left, timeout=max(seconds, 0.0), return_when=FIRST_COMPLETED)

    def next(self) -> list[R]:
        """Results of the next handful; none if it has to be begun once more.

        Raises
        ------
        KernexError
            It was begun TRIES times, and whoever did it ended.
        """
        handful, future = self._running.popleft()
        try:
            results, seconds = future.result()
        except (*self._lost, *self._given_up) as error:
            if self._tries == TRIES or isinstance(error, self._given_up):
                raise KernexError(
                    "Each part of the work has to be done by a process that survives it",
                    "one at which several have ended, perhaps for want of memory",
                    "Take fewer items, or a machine with more memory",
                ) from error
            self._tries += 1
            self._running.appendleft((handful, self._again(handful)))
            return []
        self._tries = 1
        if self._elsewhere:
            expected = seconds / len(handful) * self._size
            if expected < SHORT / 2.0:
                self._size *= 2
            elif expected > 2.0 * SHORT and self._size > 1:
                self._size //= 2
        return results

    def close(self) -> None:
        """What waits is not begun."""
        for _, future in self._running:
            future.cancel()


def _each(work: Callable[[T], R], items: tuple[T, ...]) -> tuple[list[R], float]:
    """Results, and the seconds that they took."""
    started = time.perf_counter()
    return [work(item) for item in items], time.perf_counter() - started


def _apart(work: Callable[[T], R], items: tuple[T, ...]) -> tuple[list[R], float]:
    """In a worker elsewhere: what would be spread inside, too, is done here, in one thread."""
    before, _here.working = getattr(_here, "working", False), True
    try:
        with one_blas_thread:
            return _each(work, items)
    finally:
        _here.working = before


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
