"""A least-recently-used store that is bounded in entries and in bytes, and the size of what it holds.

size_in_bytes(value) -> int
BoundedCache(max_entries, max_bytes)
    .get(key) -> value | MISSING
    .put(key, value)
    .get_or_compute(key, compute) -> value
    .trim(prefix, newest)
"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar, cast

import numpy as np

R = TypeVar("R")


class _Missing:
    """Type of MISSING, which is not None because None may be a result."""


MISSING: Final = _Missing()
PLAIN: Final = frozenset({str, bytes, int, float, bool, complex, type(None)})


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
        waiting.extend(_parts(item))
    return total


def only_plain(items: list[object] | tuple[object, ...]) -> bool:
    """Whether there are only texts and numbers of Python's own in it, as nearly always: then nobody has to look into it."""
    return PLAIN.issuperset(map(type, items))


def _parts(item: object) -> Iterator[object]:
    if isinstance(item, dict):
        yield from item.keys()
        yield from item.values()
    elif isinstance(item, list | tuple | set | frozenset):
        yield from item
    yield from getattr(item, "__dict__", {}).values()


class BoundedCache:
    """Least recently used entries leave first; an entry above the whole budget is not kept at all.

    Threads that ask for the same key at the same time compute it once.
    """

    def __init__(self, max_entries: int, max_bytes: int) -> None:
        self.max_entries = max_entries
        self.max_bytes = max_bytes
        self._entries: OrderedDict[str, tuple[object, int]] = OrderedDict()
        self._lock = threading.RLock()
        self._computing: dict[str, tuple[threading.Lock, int]] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> object:
        """Return the entry and mark it as used, or MISSING."""
        with self._lock:
            if key not in self._entries:
                return MISSING
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: str, value: object) -> None:
        """Keep `value`, and let go of the least recently used entries until both bounds hold."""
        size = size_in_bytes(value)
        with self._lock:
            self._remove(key)
            if size > self.max_bytes:
                return
            self._entries[key] = (value, size)
            self._bytes += size
            while len(self._entries) > self.max_entries or self._bytes > self.max_bytes:
                self._remove(next(iter(self._entries)))

    def _remove(self, key: str) -> None:
        _, size = self._entries.pop(key, (None, 0))
        self._bytes -= size

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

    def trim(self, prefix: str, newest: int) -> None:
        """Let go of all but the last used entries whose key begins like this."""
        with self._lock:
            for key in [key for key in self._entries if key.startswith(prefix)][:-newest]:
                self._remove(key)

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0
