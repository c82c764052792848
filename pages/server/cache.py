"""A least-recently-used store that is bounded in entries and in bytes, and the size of what it holds.

size_in_bytes(value) -> int
Budget(limit)                          of several stores together
BoundedCache(max_entries, max_bytes, budget=None)
    .get(key) -> value | MISSING
    .put(key, value)
    .get_or_compute(key, compute) -> value
    .trim(prefix, newest, most_bytes)
"""

from __future__ import annotations

import dataclasses
import itertools
import sys
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar, cast

import numpy as np

if TYPE_CHECKING:
    from kernex_core.studies.combination import Partial

R = TypeVar("R")


class _Missing:
    """Type of MISSING, which is not None because None may be a result."""


MISSING: Final = _Missing()
PLAIN: Final = frozenset({str, bytes, int, float, bool, complex, type(None)})
EMPTY: Final[dict[str, object]] = {}


def size_in_bytes(value: object) -> int:
    """Bytes of everything reachable from `value` through containers and attributes; shared parts count once."""
    seen: set[int] = set()
    waiting, total = [value], 0
    while waiting:
        item = waiting.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if type(item) in PLAIN:  # nearly all of them: ids, classes
            total += sys.getsizeof(item)
            continue
        if isinstance(item, list | tuple) and only_plain(item):
            parts = dict(zip(map(id, item), item, strict=True))
            new = parts.keys() - seen
            seen |= new
            total += sys.getsizeof(item) + sum(map(sys.getsizeof, map(parts.__getitem__, new)))
            continue
        if isinstance(item, type) or callable(item):
            continue
        if isinstance(item, np.ndarray) and isinstance(item.base, np.ndarray):
            waiting.append(item.base)  # a view keeps the whole array alive, and owns nothing
            continue
        total += item.nbytes if isinstance(item, np.ndarray) else sys.getsizeof(item, 64)
        if isinstance(item, dict):
            waiting.extend(item)
            waiting.extend(item.values())
        elif isinstance(item, list | tuple | set | frozenset):
            waiting.extend(item)
        waiting.extend(getattr(item, "__dict__", EMPTY).values())
    return total


def only_plain(items: list[object] | tuple[object, ...]) -> bool:
    """Whether there are only texts and numbers of Python's own in it, as nearly always: then nobody has to look into it."""
    return PLAIN.issuperset(map(type, items))


class Budget:
    """Bytes of several stores together: above the limit, what was used longest ago leaves first, whichever store has it.

    Parameters
    ----------
    limit : callable
        Returns the limit in bytes.
    """

    def __init__(self, limit: Callable[[], int]) -> None:
        self._limit = limit
        self._raised = 0
        self._stores: weakref.WeakSet[BoundedCache] = weakref.WeakSet()
        self.lock = threading.RLock()
        self.clock = itertools.count()

    @property
    def limit(self) -> int:
        """Bytes at most."""
        return max(self._limit(), self._raised)

    @property
    def bytes(self) -> int:
        """Bytes that all stores hold; a store that is gone holds none."""
        with self.lock:
            return sum(store.bytes for store in self._stores)

    def join(self, store: BoundedCache) -> None:
        """Count a store, too."""
        with self.lock:  # others go through all stores meanwhile
            self._stores.add(store)

    def allow(self, size: int) -> None:
        """Raise the limit to this, if it is less."""
        with self.lock:
            self._raised = max(self._raised, size)

    def keep(self) -> None:
        """Let go of entries until the limit holds."""
        with self.lock:
            while self.bytes > self.limit:
                min((store for store in self._stores if len(store)), key=lambda store: store.oldest).drop()


class BoundedCache:
    """Least recently used entries leave first; an entry above the whole budget is not kept at all.

    Threads that ask for the same key at the same time compute it once.
    """

    def __init__(self, max_entries: int, max_bytes: int, budget: Budget | None = None) -> None:
        self.max_entries = max_entries
        self.max_bytes = max_bytes
        self.bytes = 0
        self._budget = budget or Budget(lambda: sys.maxsize)  # one that does not hold this store: no circle
        self._entries: OrderedDict[str, tuple[object, int, int]] = OrderedDict()
        self._lock = self._budget.lock  # one for all, so that room can be made in any of them
        self._computing: dict[str, tuple[threading.Lock, int]] = {}
        self._budget.join(self)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def oldest(self) -> int:
        """When the entry was used that was used longest ago."""
        return next(iter(self._entries.values()))[2]

    def get(self, key: str) -> object:
        """Return the entry and mark it as used, or MISSING."""
        with self._lock:
            if key not in self._entries:
                return MISSING
            value, size, _ = self._entries.pop(key)
            self._entries[key] = value, size, next(self._budget.clock)
            return value

    def put(self, key: str, value: object) -> None:
        """Keep `value`, and let go of the least recently used entries until all bounds hold."""
        size = size_in_bytes(value)
        with self._lock:
            self._remove(key)
            if size > min(self.max_bytes, self._budget.limit):
                return
            self._entries[key] = value, size, next(self._budget.clock)
            self.bytes += size
            while len(self._entries) > self.max_entries or self.bytes > self.max_bytes:
                self.drop()
            self._budget.keep()

    def size(self, key: str) -> int | None:
        """Bytes of an entry, which were counted when it came; None where it is not kept."""
        with self._lock:
            return self._entries[key][1] if key in self._entries else None

    def drop(self) -> None:
        """Let go of the entry that was used longest ago."""
        self._remove(next(iter(self._entries)))

    def _remove(self, key: str) -> None:
        _, size, _ = self._entries.pop(key, (None, 0, 0))
        self.bytes -= size

    def get_or_compute(self, key: str, compute: Callable[[], R]) -> R:
        """Return the entry, computing and keeping it where it is missing; an exception keeps nothing."""
        found = self.get(key)
        if found is not MISSING:
            return cast("R", found)
        with self._turn(key):
            found = self.get(key)
            if found is MISSING:
                found = compute()
                self.put(key, found)
        return cast("R", found)  # what is kept under a key was computed for it

    @contextmanager
    def _turn(self, key: str) -> Iterator[None]:
        """Wait until nobody else computes this; the lock stays as long as anybody waits for it."""
        with self._lock:
            turn, waiting = self._computing.get(key, (threading.Lock(), 0))
            self._computing[key] = turn, waiting + 1
        try:
            with turn:
                yield
        finally:
            with self._lock:
                turn, waiting = self._computing.pop(key)
                if waiting > 1:
                    self._computing[key] = turn, waiting - 1

    def trim(self, prefix: str, newest: int, most_bytes: int) -> None:
        """Let go of all but the last used of the entries whose key begins like this: so many, beyond two so many bytes."""
        with self._lock:
            total = 0
            for place, key in enumerate([key for key in reversed(self._entries) if key.startswith(prefix)]):
                total += self._entries[key][1]
                if place >= newest or (place >= 2 and total > most_bytes):
                    self._remove(key)

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._entries.clear()
            self.bytes = 0


# Which values are made of demos and fetched public data alone, so that all visitors may share what is computed of them.
#
#     public(value)                  marks a value and everything in it; only for what no visitor has brought
#     is_public(arguments) -> bool   whether a call depends on such data and on settings, and on nothing else
#
# It is objects that are marked, not what they hold: an upload with the very bytes of a demo is another object, and
# stays with its visitor. Whatever is derived from a marked value in a page, such as a selection, is not marked; results
# of shared computations are.

T = TypeVar("T")

LONGEST_SETTING: Final = 64
"""Characters of a setting, such as the name of a repair; a longer text may be somebody's sequence."""
SETTINGS: Final = (bool, int, float, np.bool_, np.integer, np.floating, type(None))

_marked: dict[int, weakref.ref[object]] = {}
_lock = threading.RLock()  # a value may be collected, and forgotten, while another is marked


def public(value: T) -> T:
    """Mark a value and all arrays and dataclasses in it, and return it."""
    waiting: list[object] = [value]
    seen: set[int] = set()
    while waiting:
        item = waiting.pop()
        if type(item) in PLAIN or id(item) in seen or _is_marked(item):  # with everything in it
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray) or (dataclasses.is_dataclass(item) and not isinstance(item, type)):
            _mark(item)
        waiting.extend(_parts(item))
    return value


def _parts(item: object) -> Iterable[object]:
    if isinstance(item, Mapping):
        return item.values()
    if isinstance(item, list | tuple):
        return () if only_plain(item) else item
    return vars(item).values() if dataclasses.is_dataclass(item) and hasattr(item, "__dict__") else ()


def _mark(item: object) -> None:
    key = id(item)

    def forget(dead: weakref.ref[object]) -> None:
        with _lock:
            if _marked.get(key) is dead:  # the number may belong to another value by now
                del _marked[key]

    with _lock:
        if not _is_marked(item):
            _marked[key] = weakref.ref(item, forget)


def _is_marked(item: object) -> bool:
    found = _marked.get(id(item))
    return found is not None and found() is item


def is_public(arguments: Iterable[object]) -> bool:
    """Whether every argument is marked, or a setting, and at least one of them is marked."""
    any_marked, waiting = False, list(arguments)
    while waiting:
        item = waiting.pop()
        if _is_marked(item):
            any_marked = True
        elif isinstance(item, list | tuple):
            if any(isinstance(part, str) for part in item):  # ids or sequences
                return False
            waiting.extend(item)
        elif isinstance(item, Mapping):
            waiting += [*item.keys(), *item.values()]
        elif not is_setting(item):
            return False
    return any_marked


def is_setting(item: object) -> bool:
    """Whether a value says how something is computed, and is no data: a number, a short word, or a dataclass of these."""
    if isinstance(item, SETTINGS):
        return True
    if isinstance(item, str):
        return len(item) <= LONGEST_SETTING
    if isinstance(item, tuple):  # of numbers
        return all(isinstance(part, SETTINGS) for part in item)
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return all(map(is_setting, vars(item).values())) if hasattr(item, "__dict__") else False
    return False


# A study in parts that several visitors ask for at the same time: one runs it, the others follow.
#
# for state in in_turn(key, known, start): ...

P = TypeVar("P", bound="Partial")

PULSE: Final = 0.25
"""Seconds after which somebody who follows looks again."""


@dataclass
class _Run:
    """A study that somebody runs or waits for."""

    turn: threading.Lock = field(default_factory=threading.Lock)
    visitors: int = 0
    latest: Partial | None = None


_runs: dict[str, _Run] = {}
_runs_lock = threading.Lock()


def in_turn(
    key: str, known: Callable[[], P | None], start: Callable[[], Iterator[P | None]]
) -> Generator[P | None, None, None]:
    """Yield the states of a study: those of whoever runs it, or, where they stop, one's own from what is known.

    Parameters
    ----------
    key : str
        Of the study with its arguments.
    known : callable
        Returns the whole result where there is one.
    start : callable
        Runs the study, one state a part; None where it waits.

    Close the iterator (`contextlib.closing`) as soon as nobody takes states any more: others wait for it.
    """
    with _runs_lock:
        run = _runs.setdefault(key, _Run())
        run.visitors += 1
    try:
        while not run.turn.acquire(timeout=PULSE):
            if run.latest is not None:
                yield run.latest  # type: ignore[misc]  # a run has states of one kind
        try:
            whole = known()
            if whole is not None and whole.done >= whole.total:
                yield whole
                return
            for state in start():
                run.latest = run.latest if state is None else state
                yield state
        finally:
            run.turn.release()
    finally:
        with _runs_lock:
            run.visitors -= 1
            if not run.visitors:
                del _runs[key]
