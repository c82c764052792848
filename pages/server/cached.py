"""THE cache decorator: nothing else in Kernex caches.

    @cached                      one cache a visitor: for whatever comes from users' data
    @cached(shared=True)         one cache for all sessions: only for seeded demos, which are the same for everybody
    @cached(public=True)         that one where all data in a call are of demos or fetched, and the visitor's own otherwise
    @cached(newest=8)            of this function only so many results, of large ones fewer: for what a slider runs through

    result = f(*args, **kwargs)          computed once, then the same object again (not a copy)
    f.peek(*args, **kwargs)              the kept result, or None, without computing
    f.keep(result, *args, **kwargs)      keeps what was computed elsewhere, e.g. the last value of a staged study
    f.key(*args, **kwargs)               what tells this call from all others
    f.asked(*args, **kwargs)             both of one call that is asked for often: .key and .peek()

Keys are `kernex_core.base.digests.key_of` (full SHA-256) over the function's qualified name and all its arguments, with
defaults filled in: arguments are arrays, GramMatrix, DataSet, numbers, strings, None, frozen dataclasses, and tuples,
lists and mappings of these; anything else (functions, generators) raises TypeError. Positional and keyword
calls share an entry. Arrays in results become read-only. All caches are bounded in entries and bytes, and all together by
the process's limit (KERNEX_CACHE_MB); the least recently used leave first, whosever they are. The function must be
pure: no widgets in it.

What several sessions ask for at the same time is computed once, and the others wait for it. Which values come from demos is
told by `pages.server.cache`, by object and not by content: nothing of an upload gets into the shared cache, also
where its bytes are those of a demo. A function with `public=True` takes no text of visitors.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np
from streamlit.runtime.scriptrunner import get_script_run_ctx

from kernex_core.base.digests import key_of
from pages.server import cache as origin
from pages.server import workspace
from pages.server.cache import MISSING, BoundedCache, Budget, only_plain, size_in_bytes
from pages.server.visitors import limits

P = ParamSpec("P")
R = TypeVar("R")

MAX_ENTRIES: Final = 128
SESSION_BYTES: Final = 1_000_000_000
HELD: Final = 12
HELD_BYTES: Final = 500_000_000
"""Of one run of a page, beside what is kept; the newest result is held whatever its size."""
SHARED_ENTRIES: Final = 2_048
SHARED_BYTES: Final = 500_000_000
"""Of the process, for all visitors together."""
MORE_SHARED: Final = 8
"""So many times as many of the newest results are shared as a session keeps: many visitors move sliders."""

NEWEST_BYTES: Final = 100_000_000
"""Of the newest results of one such function; two are kept whatever their size."""

_budget = Budget(limits.cache_bytes)
_shared = BoundedCache(SHARED_ENTRIES, SHARED_BYTES, _budget)


class CachedFunction(Generic[P, R]):
    """A pure function whose results are kept; see the module's docstring."""

    __name__: str

    def __init__(
        self, function: Callable[P, R], shared: bool = False, newest: int | None = None, public: bool = False
    ) -> None:
        self._function = function
        self._is_shared = shared
        self._is_public = public
        self._newest = newest
        self._name = f"{function.__module__}.{function.__qualname__}"
        # keys of results that are counted are told from all others by how they begin
        self._prefix = "" if newest is None else f"{self._name}:"
        self._signature = inspect.signature(function)
        kinds = [parameter.kind for parameter in self._signature.parameters.values()]
        # a call that gives all by place need not be bound to names
        self._by_place = len(kinds) if set(kinds) <= {inspect.Parameter.POSITIONAL_OR_KEYWORD} else -1
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Return the kept result, or compute and keep it."""
        place = self._place(*args, **kwargs)
        found = place.find()
        if found is not MISSING:
            return cast("R", found)
        result: R = place.store.get_or_compute(
            place.key, lambda: self._made(place, self._function(*args, **kwargs))
        )
        _in_use.hold(place, result)
        self._trim(place)
        return result

    def peek(self, *args: P.args, **kwargs: P.kwargs) -> R | None:
        """Return the kept result, or None."""
        return self.asked(*args, **kwargs).peek()

    def keep(self, result: R, *args: P.args, **kwargs: P.kwargs) -> R:
        """Keep a result for these arguments, and return it with its arrays read-only."""
        place = self._place(*args, **kwargs)
        kept = self._made(place, result)
        place.store.put(place.key, kept)
        _in_use.hold(place, kept)
        self._trim(place)
        return kept

    @functools.cached_property
    def own(self) -> CachedFunction[P, R]:
        """The same function, of which every session keeps its own results."""
        return CachedFunction(self._function, False, self._newest)

    def is_shared(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether all visitors share the result of this call."""
        return self._place(*args, **kwargs).shared

    def key(self, *args: P.args, **kwargs: P.kwargs) -> str:
        """Return what tells this call from all others."""
        return self._key(self._arguments(*args, **kwargs))

    def asked(self, *args: P.args, **kwargs: P.kwargs) -> Asked[R]:
        """Return this call as something that can be asked often: what tells it from others is found once."""
        return Asked(self._place(*args, **kwargs))

    def _arguments(self, *args: P.args, **kwargs: P.kwargs) -> tuple[Any, ...]:
        """Values of all parameters, in their order."""
        if not kwargs and len(args) == self._by_place:
            return args
        call = self._signature.bind(*args, **kwargs)
        call.apply_defaults()
        return tuple(call.arguments.values())

    def _key(self, arguments: tuple[Any, ...]) -> str:
        return self._prefix + key_of(self._name, *arguments)

    def _place(self, *args: P.args, **kwargs: P.kwargs) -> _Place:
        arguments = self._arguments(*args, **kwargs)
        shared = self._is_shared or (self._is_public and origin.is_public(arguments))
        return _Place(_shared if shared else _session_store(), self._key(arguments), shared)

    def _made(self, place: _Place, result: R) -> R:
        kept: R = _frozen(result)
        return origin.public(kept) if place.shared else kept

    def _trim(self, place: _Place) -> None:
        if self._newest is not None:
            more = MORE_SHARED if place.shared else 1
            place.store.trim(self._prefix, more * self._newest, more * NEWEST_BYTES)


@dataclasses.dataclass(frozen=True)
class _Place:
    """Where the result of a call is kept."""

    store: BoundedCache
    key: str
    shared: bool

    def find(self) -> object:
        """The kept result, or one that this run of a page has in use, or MISSING."""
        found = self.store.get(self.key)
        return _in_use.find(self) if found is MISSING else found


class _InUse(threading.local):
    """The newest results that a run of a page has asked for, also where the cache has no room for them.

    A page asks for the same result several times. Where the cache is bounded below what one page needs, each of them was
    computed anew: a file was read ten times in one run. A run of a page is a thread, and these end with it.
    """

    def __init__(self) -> None:
        self._results: OrderedDict[tuple[int, str], tuple[BoundedCache, object, int]] = OrderedDict()

    def hold(self, place: _Place, result: object) -> None:
        """Hold one more result; outside of a run nobody would ask again."""
        if get_script_run_ctx(suppress_warning=True) is None:
            return
        name = id(place.store), place.key  # the store is held, too, so that its number stays its own
        self._results.pop(name, None)
        size = place.store.size(place.key)  # to count it anew takes as long as a step of a study
        self._results[name] = place.store, result, size_in_bytes(result) if size is None else size
        while len(self._results) > 1 and (
            len(self._results) > HELD or sum(size for _, _, size in self._results.values()) > HELD_BYTES
        ):
            self._results.popitem(last=False)

    def find(self, place: _Place) -> object:
        """The result, or MISSING."""
        name = id(place.store), place.key
        if name not in self._results:
            return MISSING
        self._results.move_to_end(name)
        return self._results[name][1]


_in_use = _InUse()


@dataclasses.dataclass(frozen=True)
class Asked(Generic[R]):
    """A call of a cached function: `CachedFunction.asked`."""

    _place: _Place

    @property
    def key(self) -> str:
        """What tells this call from all others."""
        return self._place.key

    def peek(self) -> R | None:
        """Return the kept result, or None."""
        found = self._place.find()
        return None if found is MISSING else cast("R", found)


def allow(size: int) -> None:
    """Let this visitor's results take up to so many bytes, if that is more than usual.

    So may the process's, unless whoever started it has said how many they may be.
    """
    _session_store().max_bytes = max(_most_of_one(), size)
    if not limits.is_set(limits.CACHE):
        _budget.allow(size)


def bytes_of_results() -> int:
    """Bytes of all results that are kept, of all visitors."""
    return _budget.bytes


def _session_store() -> BoundedCache:
    return workspace.session_cache(lambda: BoundedCache(MAX_ENTRIES, _most_of_one(), _budget))


def _most_of_one() -> int:
    """Bytes of one visitor's results; where others come, at most half of what all together have."""
    return SESSION_BYTES if limits.answers_alone() else min(SESSION_BYTES, _budget.limit // 2)


@overload
def cached(function: Callable[P, R], /) -> CachedFunction[P, R]: ...
@overload
def cached(
    *, shared: bool = False, newest: int | None = None, public: bool = False
) -> Callable[[Callable[P, R]], CachedFunction[P, R]]: ...
def cached(
    function: Callable[..., Any] | None = None,
    /,
    *,
    shared: bool = False,
    newest: int | None = None,
    public: bool = False,
) -> Any:
    """Keep the results of a pure function; see the module's docstring."""
    if function is None:
        return lambda decorated: CachedFunction(decorated, shared, newest, public)
    return CachedFunction(function, shared, newest, public)


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
            waiting.extend(() if only_plain(item) else item)
        elif dataclasses.is_dataclass(item) and not isinstance(item, type):
            waiting.extend(vars(item).values() if hasattr(item, "__dict__") else ())
    return value
