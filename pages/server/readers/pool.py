"""A few reader processes, and whose file is next.

    SERVING.set()  warm()  close()      with the server; the first who asks for readers makes them
    pool() -> Pool | None         None: nobody has started it (scripts, tests): files are read in this process
    Pool.read(visitor, task, file, *args, pulse=...)

Each reader has a thread of the server, as long-lived as the pool, which starts its process, hands it files, takes what comes
back, and replaces it. Visitors wait in lines of their own, which take turns in a circle; large files are read by the first
reader alone, so that a small one never waits for them.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import json
import logging
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, TypeVar, cast

from kernex_core.base.errors import KernexError
from kernex_core.inputs.upload import Upload
from pages.server.readers import wire
from pages.server.readers.stopped import Limits, ReaderStoppedError, failed, stopped
from pages.server.readers.tasks import Refusal, name_of
from pages.server.warmup import SERVING

# Memory of another process, where the system has no limit that it could set itself: macOS and Windows.


def resident_bytes(pid: int) -> int:
    """Bytes that a process has in memory; 0 where there is none, or where nobody can tell."""
    if not pid:
        return 0
    try:
        if sys.platform == "win32":
            return _on_windows(pid)
        if (counts := Path(f"/proc/{pid}/statm")).exists():
            return int(counts.read_text().split()[1]) * 4096
        said = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=False, timeout=5.0
        )
        return 1024 * int(said.stdout or b"0")
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return 0


def _on_windows(pid: int) -> int:
    """PROCESS_MEMORY_COUNTERS of a process: its working set is the fourth of its fields of a pointer's size."""

    class Counters(ctypes.Structure):
        _fields_ = [("size", ctypes.c_ulong), ("faults", ctypes.c_ulong)] + [
            (f"of{k}", ctypes.c_size_t) for k in range(8)
        ]

    system = ctypes.windll.kernel32  # type: ignore[attr-defined]
    handle = system.OpenProcess(0x1000 | 0x0010, False, pid)
    try:
        found = Counters(size=ctypes.sizeof(Counters))
        told = system.K32GetProcessMemoryInfo(ctypes.c_void_p(handle), ctypes.byref(found), found.size)
        return int(found.of1) if told else 0
    finally:
        system.CloseHandle(ctypes.c_void_p(handle))


R = TypeVar("R")

CHILD: Final = Path(__file__).with_name("child.py")
READERS: Final = 2
SMALL: Final = 2_000_000
"""Bytes of a file above which only the first reader takes it."""
PULSE: Final = 0.1
"""Seconds between two looks at whether a visitor still waits."""
AFTER: Final = 0.5
"""Seconds that a file waits for a reader that is busy, before another one is started."""
PAUSE: Final = 30.0
"""Seconds until a reader that could not be started is tried again where another one reads."""
GRACE: Final = 1.0
"""Seconds after which what was asked to end is ended with its whole group."""
AT_REST: Final = 500_000_000
"""Bytes of memory above which a reader that stays is replaced."""
KEPT_VARIABLES: Final = (
    *(
        "PATH",
        "HOME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "TZ",
        "TMPDIR",
        "TEMP",
        "TMP",
        "SYSTEMROOT",
        "VIRTUAL_ENV",
    ),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES"),
)
"""Of the environment; settings of the server, its token among them, are none of a reader's business."""
QUIET: Final[Mapping[str, str]] = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Arrow reserves a gigabyte of addresses and starts a thread of its own, unless it is told not to
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
"""Libraries of a reader start no threads: it could not be forked."""
_REQUEST: Final = struct.Struct("<QQQ")
_log = logging.getLogger("kernex")


@dataclass(eq=False)
class Job:
    """One question about a file. What changes does so under the pool's lock.

    Attributes
    ----------
    visitor : str
    task : str
    file : Upload
    args : tuple
    number : int
    limits : Limits
    put : float
        When it was put into its line.
    reader : Reader or None
        Who reads it.
    begun : float or None
        When it was handed over.
    why : str
        Why it was stopped: "left", "memory" or "time"; "" where it was not.
    """

    visitor: str
    task: str
    file: Upload
    args: tuple[object, ...]
    number: int
    limits: Limits
    put: float = field(default_factory=time.monotonic)
    reader: Reader | None = None
    begun: float | None = None
    why: str = ""
    frame: wire.Frame | None = None
    error: KernexError | None = None
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return len(self.file.packed)

    @property
    def seconds(self) -> float:
        """Seconds of a processor that it may take."""
        return self.limits.of(self.size)

    def stopped(self, why: str = "", code: int | None = None) -> ReaderStoppedError:
        """The sentence where its reader has ended without an answer."""
        return stopped(self.file.filename, why, code, limits=self.limits, size=self.size)

    @property
    def wall(self) -> float:
        """Seconds on the clock that it may take."""
        return self.limits.wall * self.seconds


class Pool:
    """Readers and the lines before them.

    Parameters
    ----------
    readers : int
    forks : bool
        Every file is read by a process of its own, forked from one that has loaded everything.
    limits : Limits
    program : path, optional
        What runs in a reader.
    """

    def __init__(
        self,
        readers: int = READERS,
        *,
        forks: bool = sys.platform == "linux",
        limits: Limits | None = None,
        program: Path | None = None,
    ) -> None:
        self.lock = threading.Condition()
        self.forks, self.program, self.closed = forks, program or CHILD, False
        self.limits = limits or Limits()
        self._lines: OrderedDict[str, deque[Job]] = OrderedDict()
        self._numbers = itertools.count(1)
        self.readers = [Reader(self, small_only=bool(place)) for place in range(readers)]
        for reader in self.readers:
            reader.start()

    def warm(self) -> None:
        """Start the first process before anybody brings a file."""
        with self.lock:
            self.readers[0].wanted = True
            self.lock.notify_all()

    def read(
        self,
        visitor: str,
        task: Callable[..., R],
        file: Upload,
        *args: object,
        pulse: Callable[[bool], object] = lambda reading: None,
    ) -> R:
        """Return what a task gives for a file, read in another process.

        Parameters
        ----------
        visitor : str
            Whose line it waits in.
        task : function
            One of `tasks.TASKS`.
        file : Upload
        *args
            Of the task.
        pulse : callable
            Told every tenth of a second whether the file is being read or still waits; where it raises, reading ends.

        Raises
        ------
        KernexError
            What the task raises; `ReaderStoppedError` where the process ended without an answer.
        """
        job = Job(visitor, name_of(task), file, args, next(self._numbers), self.limits)
        with self.lock:
            if self.closed:
                raise job.stopped("closed")
            self._lines.setdefault(visitor, deque()).append(job)
            self.lock.notify_all()
        try:
            while not job.done.wait(PULSE):
                reader, begun = job.reader, job.begun
                if reader is not None and begun is not None:
                    self._watch(job, reader, time.monotonic() - begun)
                pulse(reader is not None)
        finally:
            self._leave(job)
        return cast("R", _outcome(job))

    def _watch(self, job: Job, reader: Reader, seconds: float) -> None:
        """End what has passed its limits, where the process itself could not set them."""
        too_large = not self.forks and resident_bytes(reader.pid) > job.limits.memory + AT_REST // 2
        if too_large or seconds > job.wall + GRACE:
            with self.lock:
                reader.end(job, "memory" if too_large else "time")

    def _leave(self, job: Job) -> None:
        """Let go of a question: where nobody has taken it, it is gone; where somebody reads, that ends."""
        with self.lock:
            if job.done.is_set():
                return
            line = self._lines.get(job.visitor, deque())
            if job in line:
                line.remove(job)
                self._trim(job.visitor)
            elif job.reader is not None:
                job.reader.end(job, "left")

    def take(self, reader: Reader) -> Job | None:
        """Return the next file for a reader, marked as its own in the same breath; None where it is only to be ready."""
        with self.lock:
            while not self.closed:
                if (job := self._next(reader)) is not None or reader.wanted:
                    return job
                self.lock.wait(AFTER if self._lines and not reader.pid else None)
            return None

    def _next(self, reader: Reader) -> Job | None:
        for visitor, line in self._lines.items():
            job = next(filter(reader.may_take, line), None)
            if job is not None and (reader.pid or self._needs_another(job, reader)):
                line.remove(job)
                job.reader = reader
                self._lines.move_to_end(visitor)
                self._trim(visitor)
                return job
        return None

    def _needs_another(self, job: Job, reader: Reader) -> bool:
        """Whether nobody else could read a file; one that has waited for long has another reader started beside its line.

        It stays in the line meanwhile: to start takes seconds, and who is busy may be free before.
        """
        others = (each for each in self.readers if each is not reader)
        if not any(each.pid and each.may_take(job) for each in others):
            return True
        now = time.monotonic()
        reader.wanted = reader.wanted or (now - job.put >= AFTER and now >= reader.again)
        return False

    def _trim(self, visitor: str) -> None:
        if not self._lines[visitor]:
            del self._lines[visitor]

    def close(self) -> None:
        """End all processes; whoever waits is told."""
        with self.lock:
            self.closed = True
            for line in self._lines.values():
                for job in line:
                    job.error = job.stopped("closed")
                    job.done.set()
            self._lines.clear()
            for reader in self.readers:
                reader.why_closed()
            self.lock.notify_all()
        for reader in self.readers:
            reader.join(10.0)


class Reader(threading.Thread):
    """The thread that looks after one process; what the system ends with a thread ends with this one."""

    def __init__(self, pool: Pool, *, small_only: bool) -> None:
        super().__init__(name="kernex-reader", daemon=True)
        self.pool, self.small_only = pool, small_only
        self.wanted = False
        self.again = 0.0
        """Not before this moment it is started beside a line."""
        self.pid = 0
        self._child: subprocess.Popen[bytes] | None = None
        self._job: Job | None = None
        self._receiving = False

    def run(self) -> None:
        """Read files until the pool is closed."""
        try:
            while not self.pool.closed:
                job = self.pool.take(self)
                if job is not None:
                    self._finish(job, *self._served(job))
                elif self.wanted and not self.pool.closed:
                    self.wanted = False
                    self._start_quietly()
                del job  # while there is nothing to do, nobody holds the bytes of a file
        finally:
            self._end_child()

    def may_take(self, job: Job) -> bool:
        """Whether a file is for this reader."""
        return not self.small_only or job.size <= SMALL

    def end(self, job: Job, why: str) -> None:
        """Stop reading a job; called with the pool's lock held."""
        if job.reader is not self or job.done.is_set():
            return
        job.why = job.why or why
        if self.pool.forks and self.pid and not self._receiving:
            self._signal()
            # where half an answer is in the pipe, or nothing was begun yet, all of it ends
            last = threading.Timer(GRACE, self._end_late, (job,))
            last.daemon = True
            last.start()
        else:
            self._kill()

    def why_closed(self) -> None:
        """End at once; called with the pool's lock held."""
        if self._job is not None:
            self._job.why = self._job.why or "closed"
        self._kill()

    def _end_late(self, job: Job) -> None:
        with self.pool.lock:
            if job.reader is self and not job.done.is_set():
                self._kill()

    def _signal(self) -> None:
        child = self._child
        if child is not None and child.poll() is None:
            os.kill(self.pid, signal.SIGUSR1)

    def _kill(self) -> None:
        """Kill the process with all that it has started."""
        child = self._child
        if child is None or child.poll() is not None:
            return
        try:
            if sys.platform == "win32":
                os.kill(
                    self.pid or child.pid, signal.SIGTERM
                )  # python.exe of an environment only starts another
                child.kill()
            else:
                os.killpg(child.pid, signal.SIGKILL)
        except OSError:  # it has just ended
            pass

    def _end_child(self) -> int | None:
        child = self._child
        if child is None:
            return None
        with self.pool.lock:  # nobody else sends a signal to a number that another process may get
            self._kill()
            code = child.wait()
            self._child, self.pid = None, 0
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # what was not written yet
                    stream.close()
        return code

    def _finish(self, job: Job, frame: wire.Frame | None, error: KernexError | None) -> None:
        with self.pool.lock:
            self._job = job.reader = None
            job.frame, job.error = frame, error
            job.done.set()

    def _start(self) -> None:
        """Start a process and wait until it is ready.

        Raises
        ------
        EOFError, ValueError, OSError
            It could not be started.
        """
        self._end_child()
        environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ} | dict(QUIET)
        paths = json.dumps([path for path in sys.path if path and Path(path).is_absolute()])
        mode = "fork" if self.pool.forks else "stay"
        self._child = subprocess.Popen(
            [sys.executable, "-I", str(self.pool.program), mode, str(os.getpid()), paths],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True,
        )  # fmt: skip
        if self.pool.closed:
            self._kill()
        frame = wire.receive(self._out, 0)
        if frame.kind != wire.READY or not frame.head.isdigit() or len(frame.head) > 10:
            raise ValueError("no greeting")
        # what Windows calls the process is only what has started it
        self.pid = int(frame.head) if sys.platform == "win32" else self._child.pid

    def _start_quietly(self) -> None:
        try:
            self._start()
        except (OSError, EOFError, ValueError) as error:
            if not self.pool.closed:
                _log.error("A reader of files could not be started: %s", error)
            self.again = time.monotonic() + PAUSE
            self._end_child()

    @property
    def _out(self) -> IO[bytes]:
        assert self._child is not None  # asked for after it was started
        assert self._child.stdout is not None
        return self._child.stdout

    def _hand(self, job: Job) -> None:
        # where the process stays, its memory is looked at from here: it has to read the next file
        limits = job.seconds, job.wall, job.limits.memory if self.pool.forks else 0
        request = pickle.dumps((limits, job.task, job.file.filename, job.args), 5)
        assert self._child is not None  # it was started
        given = self._child.stdin
        assert given is not None
        given.write(_REQUEST.pack(job.number, len(request), job.size))
        given.write(request)
        given.write(job.file.packed)
        given.flush()
        frame = wire.receive(self._out, 0)
        if (frame.kind, frame.number) != (wire.BEGUN, job.number):
            raise ValueError("no beginning")
        job.begun = time.monotonic()

    def _served(self, job: Job) -> tuple[wire.Frame | None, KernexError | None]:
        """Hand a job over and return what comes back, or what became of the process."""
        self._job = job
        try:
            if self._child is None or self._child.poll() is not None:
                self._start()
            if job.why:
                return None, job.stopped(job.why)
            try:
                self._hand(job)
            except (OSError, EOFError):  # it has ended while it had nothing to do: the file was not begun
                if job.why:
                    raise
                self._start()
                self._hand(job)
            return self._answer(job)
        except (OSError, EOFError, ValueError, struct.error) as error:
            greeted = self.pid != 0
            code = self._end_child()
            if not greeted and not job.why:
                _log.error("A reader of files could not be started: %s", error)
                return None, job.stopped("start")
            return None, job.stopped(job.why, code)
        finally:
            self._receiving = False

    def _answer(self, job: Job) -> tuple[wire.Frame | None, KernexError | None]:
        self._out.peek(1)  # type: ignore[attr-defined]  # waits until something comes
        self._receiving = True
        frame = wire.receive(self._out)
        ended = frame
        if self.pool.forks and frame.kind != wire.ENDED:
            ended = wire.receive(self._out, 0)
        if frame.number != job.number or ended.number != job.number:
            raise ValueError("an answer to another question")
        code = _exit_code(ended.head) if self.pool.forks and ended.kind == wire.ENDED else 0
        if not self.pool.forks and resident_bytes(self.pid) > AT_REST:
            self._end_child()
        if frame.kind == wire.ENDED:
            return None, job.stopped(job.why, code)
        return frame, None


def _exit_code(head: bytes) -> int:
    return int(head[:8].decode("ascii"))


def _outcome(job: Job) -> Any:
    """What a job gave, made of what came back; raises what it says is wrong."""
    error, job.error = job.error, None
    if error is not None:
        try:
            raise error
        finally:
            del error  # or error, frame and file would keep one another until somebody collects garbage
    frame = job.frame
    assert frame is not None  # one of both
    if frame.kind == wire.MEMORY:
        raise job.stopped("memory")
    if frame.kind == wire.FAILED:
        raise failed(job.file.filename, frame.head.decode("utf-8", "replace"))
    try:
        value = wire.decode(frame.head, frame.parts)
    except KernexError as error:  # whatever a reader may say
        raise failed(job.file.filename, f"{type(error).__name__}: {error}") from None
    if frame.kind == wire.REFUSED and isinstance(value, Refusal):
        raise value.error
    return value


_pool: Pool | None = None
_pool_lock = threading.Lock()


def pool() -> Pool | None:
    """Return the readers of this server, or None where there are none; processes start with `warm`, or the first file."""
    global _pool
    with _pool_lock:
        if _pool is None and SERVING.is_set():
            _pool = Pool()
        return _pool


def warm() -> None:
    """Start the first process, so that the first file does not wait for it."""
    made = pool()
    if made is not None:
        made.warm()


def close() -> None:
    """End the readers with the server."""
    global _pool
    SERVING.clear()
    with _pool_lock:
        made, _pool = _pool, None
    if made is not None:
        made.close()
