"""Work that leaves this process: for processes of this machine, or for the workers of a Dask cluster.

    KERNEX_PROCESSES=4                 so many processes, which live as long as this one
    KERNEX_CLUSTER=tcp://host:8786     whoever the scheduler at this address has

What is sent is a callable that is pickled, a description of the work, and then its arguments. What all calls share travels
once: every large array is a part of its own, known by its digest, so that the next description that holds it does not
bring it again. Whoever unpickles are processes that this one started, and workers of a cluster that its owner trusts.
"""

from __future__ import annotations

import logging
import mmap
import os
import pickle
import shutil
import signal
import sys
import tempfile
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.references import KERNEX_VERSION

R = TypeVar("R")

PROCESSES: Final = "KERNEX_PROCESSES"
"""Environment variable: so many processes compute; empty or absent: threads of this one."""
CLUSTER: Final = "KERNEX_CLUSTER"
"""Environment variable: address of a Dask scheduler, which goes before processes."""

APART: Final = 100_000
"""Bytes from which an array is a part of its own."""
KEPT: Final = 1_000_000_000
"""Bytes of parts that stay where they are after their study has ended, for the next one."""
DESCRIPTIONS: Final = 4
"""So many descriptions stay unpickled in a worker: those of the studies that run beside each other."""
TRIES: Final = 3
"""So often a part of the work is begun whose workers have ended."""
IDLE: Final = 300.0
"""Seconds without work after which a process ends; the next work starts another one."""
PATIENCE: Final = 10.0
"""Seconds within which a scheduler has to answer."""
RETURN: Final = 60.0
"""Seconds within which a worker has to be there again after all have ended."""

_log = logging.getLogger("kernex")


class Workers(Protocol):
    """Who computes elsewhere."""

    lost: tuple[type[BaseException], ...]
    """What the future of a call raises whose worker has ended."""
    given_up: tuple[type[BaseException], ...]
    """What it raises where workers end again and again."""

    @property
    def count(self) -> int:
        """How many calls are done at a time."""
        ...

    def keep(self, data: memoryview) -> object:
        """Bring data to all workers; they stay there as long as what is returned lives, and it stands for them in a call."""
        ...

    def submit(self, work: Callable[..., R], *args: object) -> Future[R]:
        """Have a worker do this; those that ended are replaced."""
        ...

    def close(self) -> None:
        """Work for nobody any more, whatever is still done."""
        ...


class Description(Generic[R]):
    """A callable that workers know: to call it sends the arguments alone.

    Parameters
    ----------
    workers : Workers
    work : callable
        Of a module, or made of such by `functools.partial` and frozen values; of a script also what stands in it.
    """

    def __init__(self, workers: Workers, work: Callable[..., R]) -> None:
        import cloudpickle  # plain pickle, but for what a script itself defines

        self._workers = workers
        self._data: list[memoryview] = []
        # an array that nobody may write to stays one: compiled loops are others for those that somebody may
        self._shut: list[bool] = []

        def within(buffer: pickle.PickleBuffer) -> bool:
            raw = buffer.raw()
            if raw.nbytes < APART:
                return True
            self._data.append(raw)
            self._shut.append(raw.readonly)
            return False

        head = cloudpickle.dumps(work, protocol=5, buffer_callback=within)
        self._data.insert(0, memoryview(head))
        self._names = [sha256(data).hexdigest() for data in self._data]
        self._key = sha256("".join((*self._names, str(self._shut))).encode()).hexdigest()
        self._packed = cloudpickle.dumps
        self._place()

    def _place(self) -> None:
        placed = zip(self._names, self._data, strict=True)
        self._parts = [_parts.placed(self._workers, name, data) for name, data in placed]

    def __call__(self, *args: object) -> Future[R]:
        """Have it done."""
        return self._workers.submit(_done, self._key, self._parts, self._shut, self._packed(args, protocol=5))

    def again(self, *args: object) -> Future[R]:
        """The same after a worker was lost, and with it, perhaps, what was brought there."""
        _parts.forget(self._names)
        self._place()
        return self(*args)


class _Parts:
    """What is with workers now, by digest: the newest KEPT bytes, and whatever a description holds on to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: OrderedDict[tuple[int, str], tuple[object, int]] = OrderedDict()

    def placed(self, workers: Workers, name: str, data: memoryview) -> object:
        key = id(workers), name
        with self._lock:  # two studies that begin with the same kernel bring it once
            if key not in self._parts:
                self._parts[key] = workers.keep(data), data.nbytes
            self._parts.move_to_end(key)
            found = self._parts[key][0]
            while len(self._parts) > 1 and sum(size for _, size in self._parts.values()) > KEPT:
                self._parts.popitem(last=False)
        return found

    def forget(self, names: list[str]) -> None:
        with self._lock:
            for key in [key for key in self._parts if key[1] in names]:
                del self._parts[key]


_parts = _Parts()
_described: OrderedDict[str, Callable[..., Any]] = OrderedDict()
"""In a worker: the newest descriptions, by digest."""


def _done(key: str, parts: list[Any], shut: list[bool], args: bytes) -> Any:
    """In a worker: call what the parts describe."""
    work = _described.get(key)
    if work is None:
        head, *buffers = [_mapped(part) if isinstance(part, str) else part for part in parts]
        work = pickle.loads(
            head, buffers=[_as_it_was(data, only) for data, only in zip(buffers, shut, strict=True)]
        )
        _described[key] = work
        while len(_described) > DESCRIPTIONS:
            _described.pop(next(iter(_described)), None)
    return work(*pickle.loads(args))


def _mapped(path: str) -> memoryview:
    """A file that all processes of this machine see in the same memory; what is written there stays with the writer."""
    with open(path, "rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))


def _as_it_was(data: Any, read_only: bool) -> Any:
    if read_only:
        return memoryview(data).toreadonly()
    return data if not memoryview(data).readonly else bytearray(data)


# Processes of this machine. Those of loky, which comes with scikit-learn: unlike the standard library's they do not run what
# stands in `__main__` again, which would be Streamlit, or a script without a guard.


class _File:
    """Data in a file, as long as this lives; in a call it is the file's name."""

    def __init__(self, path: Path, data: memoryview) -> None:
        path.write_bytes(data)
        self._name = str(path)
        weakref.finalize(self, path.unlink, missing_ok=True)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (self._name,)


class Processes:
    """See Workers: processes that are started when there is work for them, and end with this one however it ends."""

    lost: tuple[type[BaseException], ...] = (BrokenProcessPool,)
    given_up: tuple[type[BaseException], ...] = ()

    def __init__(self, count: int) -> None:
        self._count = count
        self._lock = threading.Lock()
        self._pool: Any = None
        self._folder = tempfile.TemporaryDirectory(prefix="kernex-")
        self._files = 0

    @property
    def count(self) -> int:
        """See Workers."""
        return self._count

    def keep(self, data: memoryview) -> _File:
        """See Workers."""
        self._files += 1
        return _File(Path(self._folder.name, str(self._files)), data)

    def submit(self, work: Callable[..., R], *args: object) -> Future[R]:
        """See Workers."""
        with self._lock:
            if self._pool is None:
                self._pool = self._started()
            try:
                future: Future[R] = self._pool.submit(work, *args)
            except BrokenProcessPool as error:
                _log.warning("A process that computes has ended, and others do its work again: %s", error)
                self._pool = self._started()
                future = self._pool.submit(work, *args)
            return future

    def close(self) -> None:
        """See Workers."""
        with self._lock:
            if self._pool is not None:
                self._pool.shutdown(wait=False, kill_workers=True)
                self._pool = None

    def _started(self) -> Any:
        from joblib.externals.loky import ProcessPoolExecutor
        from joblib.externals.loky.backend import get_context

        alone = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        return ProcessPoolExecutor(
            self._count,
            timeout=IDLE,
            context=get_context("loky"),
            initializer=_live_with,
            initargs=(os.getpid(), self._folder.name),
            env={**alone, PROCESSES: "", CLUSTER: ""},
        )


def _live_with(parent: int, folder: str) -> None:
    """In a process: end when the one that started it has, also when that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the one that asks
    if (
        sys.platform == "win32"
    ):  # there a process keeps the number of its parent; it ends when it has been idle
        return
    os.nice(10)  # whoever moves a slider goes first

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Cluster:
    """See Workers: those of a Dask scheduler.

    Raises
    ------
    InvalidInputError
        Dask is not installed, no scheduler answers, or it has no worker with this version of Kernex.
    """

    lost: tuple[type[BaseException], ...]
    given_up: tuple[type[BaseException], ...]

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, KilledWorker
            from distributed.comm.core import CommClosedError
        except ImportError:
            raise InvalidInputError(
                f"{CLUSTER} needs Dask", "no package distributed", 'python -m pip install "kernex[cluster]"'
            ) from None
        # the scheduler gives the work of a worker that has ended to others by itself; data that only it had are lost
        self.lost, self.given_up = (CancelledError, CommClosedError), (KilledWorker,)
        self._address = address
        try:
            connect: Any = Client
            self._client: Any = connect(address, timeout=PATIENCE, set_as_default=False)
            self._client.wait_for_workers(1, timeout=PATIENCE)
            versions = set(self._client.run(_version).values())
        except (OSError, ValueError) as error:
            raise _absent(
                address, f"{address}, where none answered with a worker within {PATIENCE:.0f} s"
            ) from error
        if versions != {KERNEX_VERSION}:
            found = ", ".join(sorted(versions)) if versions else "none"
            raise _absent(
                address, f"workers of version {found}" if versions else "a scheduler without workers"
            )
        self._pool = self._client.get_executor(pure=False)
        self._here = set(self._client.scheduler_info(n_workers=-1)["workers"])

    @property
    def count(self) -> int:
        """See Workers: at this moment, for workers come and go."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        if gone := self._here - set(workers):
            _log.warning(
                "Workers of the cluster have ended, and others do their work: %s", ", ".join(sorted(gone))
            )
        self._here = set(workers)
        return max(1, sum(int(worker["nthreads"]) for worker in workers.values()))

    def keep(self, data: memoryview) -> object:
        """See Workers."""
        for _ in range(TRIES):  # a worker may end while data come to it
            with suppress(Exception):
                return self._client.scatter(bytes(data), broadcast=True, hash=False, timeout=RETURN)
        close()  # so that whoever comes next looks again
        raise _absent(self._address, f"{self._address}, which has gone, or its workers")

    def submit(self, work: Callable[..., R], *args: object) -> Future[R]:
        """See Workers."""
        future: Future[R] = self._pool.submit(work, *args)
        return future

    def close(self) -> None:
        """See Workers."""
        self._client.close()


def _version() -> str:
    return KERNEX_VERSION


def _absent(address: str, found: str) -> InvalidInputError:
    return InvalidInputError(
        f"{CLUSTER} has to be the address of a Dask scheduler whose workers have Kernex {KERNEX_VERSION}",
        found,
        "Start it with `dask scheduler` and `dask worker`, or leave the variable out: then threads of this process compute",
    )


# Who it is, by the environment.

_lock = threading.Lock()
_known: dict[tuple[str, str], Workers] = {}


def whole_number(setting: str, otherwise: str) -> int | None:
    """The number from 1 on that a setting of the environment is; None where it is empty or absent.

    Raises
    ------
    InvalidInputError
        It is something else.
    """
    given = os.environ.get(setting, "").strip()
    if not given:
        return None
    if not given.isdecimal() or int(given) < 1:
        raise InvalidInputError(
            f"The environment variable {setting} has to be a whole number from 1 on", repr(given), otherwise
        )
    return int(given)


def workers() -> Workers | None:
    """Return who computes elsewhere, as the environment says; None: threads of this process.

    Raises
    ------
    InvalidInputError
        A setting that is no number, or a cluster that is not there.
    """
    address = os.environ.get(CLUSTER, "").strip()
    count = whole_number(
        PROCESSES, "Set it to the number of processes, or leave it out for threads of this one"
    )
    if not address and count is None:
        return None
    key = (CLUSTER, address) if address else (PROCESSES, str(count))
    with _lock:
        if key not in _known:
            _known[key] = Cluster(address) if address else Processes(count or 1)
        return _known[key]


def close() -> None:
    """End with whoever computes elsewhere, without waiting for what they do; whoever asks again has others."""
    with _lock:
        while _known:
            _known.popitem()[1].close()


def _forget() -> None:
    """A forked process has none of its parent's."""
    global _lock, _parts
    _lock, _parts = threading.Lock(), _Parts()
    _known.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
