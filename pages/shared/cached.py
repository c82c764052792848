"""THE cache decorator: nothing else in Kernex caches.

    @cached                      one cache a session: for whatever comes from users' data
    @cached(shared=True)         one cache for all sessions: only for seeded demos, which are the same for everybody
    @cached(newest=8)            the same, but of this function only so many results: for what a slider runs through

    result = f(*args, **kwargs)          computed once, then the same object again (not a copy)
    f.peek(*args, **kwargs)              the kept result, or None, without computing
    f.keep(result, *args, **kwargs)      keeps what was computed elsewhere, e.g. the last value of a staged study
    f.key(*args, **kwargs)               what tells this call from all others

Keys are `kernex_core.frozen.digest` (full SHA-256) over the function's qualified name and all its arguments, with
defaults filled in: arguments are arrays, GramMatrix, DataSet, numbers, strings, None, frozen dataclasses, and tuples,
lists and mappings of these; anything else (functions, generators) raises TypeError. Positional and keyword
calls share an entry. Arrays in results become read-only. Both caches are bounded in entries and bytes; the least
recently used leave first. The function must be pure: no widgets in it.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from kernex_core.frozen import digest
from pages.shared import workspace
from pages.shared.bounded import MISSING, BoundedCache

P = ParamSpec("P")
R = TypeVar("R")

MAX_ENTRIES: Final = 128
SESSION_BYTES: Final = 1_000_000_000
SHARED_BYTES: Final = 500_000_000

_shared = BoundedCache(MAX_ENTRIES, SHARED_BYTES)


class CachedFunction(Generic[P, R]):
    """A pure function whose results are kept; see the module's docstring."""

    def __init__(self, function: Callable[P, R], shared: bool, newest: int | None = None) -> None:
        self._function = function
        self._is_shared = shared
        self._newest = newest
        # keys of results that are counted are told from all others by how they begin
        self._prefix = "" if newest is None else f"{function.__module__}.{function.__qualname__}:"
        self._signature = inspect.signature(function)
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the kept result, or compute and keep it."""
        result: R = self._store().get_or_compute(
            self.key(*args, **kwargs), lambda: _frozen(self._function(*args, **kwargs))
        )
        self._trim()
        return result

    def peek(self, *args: P.args, **kwargs: P.kwargs) -> R | None:
        """Return the kept result, or None."""
        found = self._store().get(self.key(*args, **kwargs))
        return None if found is MISSING else cast("R", found)

    def keep(self, result: R, *args: P.args, **kwargs: P.kwargs) -> R:
        """Keep a result for these arguments, and return it with its arrays read-only."""
        kept: R = _frozen(result)
        self._store().put(self.key(*args, **kwargs), kept)
        self._trim()
        return kept

    def _trim(self) -> None:
        if self._newest is not None:
            self._store().trim(self._prefix, self._newest)

    def _store(self) -> BoundedCache:
        if self._is_shared:
            return _shared
        return _session_store()

    def key(self, *args: P.args, **kwargs: P.kwargs) -> str:
        """Return what tells this call from all others."""
        call = self._signature.bind(*args, **kwargs)
        call.apply_defaults()
        function = self._function
        return self._prefix + digest(function.__module__, function.__qualname__, call.arguments)


def allow(size: int) -> None:
    """Let this session's results take up to so many bytes, if that is more than usual."""
    _session_store().max_bytes = max(SESSION_BYTES, size)


def _session_store() -> BoundedCache:
    return workspace.session_cache(lambda: BoundedCache(MAX_ENTRIES, SESSION_BYTES))


@overload
def cached(function: Callable[P, R], /) -> CachedFunction[P, R]: ...
@overload
def cached(
    *, shared: bool = False, newest: int | None = None
) -> Callable[[Callable[P, R]], CachedFunction[P, R]]: ...
def cached(
    function: Callable[..., Any] | None = None, /, *, shared: bool = False, newest: int | None = None
) -> Any:
    """Keep the results of a pure function; see the module's docstring."""
    if function is None:
        return lambda decorated: CachedFunction(decorated, shared, newest)
    return CachedFunction(function, shared, newest)


def _frozen(value: Any) -> Any:
    """Make the arrays of a result read-only in place: in containers and dataclasses, not inside foreign objects."""
    waiting, seen = [value], set()
    while waiting:
        item = waiting.pop()
        if type(item) in (str, int, float, bool) or id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            item.flags.writeable = False
            waiting.append(item.base)
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
        elif dataclasses.is_dataclass(item) and not isinstance(item, type):
            waiting.extend(vars(item).values() if hasattr(item, "__dict__") else ())
    return value
