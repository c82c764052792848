"""Whether inner loops are compiled by Numba, decided in one place; Numba is imported when the first loop runs."""

from __future__ import annotations

import importlib.util
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, update_wrapper
from pathlib import Path
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

SWITCH = "KERNEX_NUMBA"
"""Environment variable; "0" makes the same loops run in plain Python, slowly: for looking for errors."""


def compiled() -> bool:
    """Whether loops are compiled: Numba can be imported, and KERNEX_NUMBA is not "0"."""
    return os.environ.get(SWITCH, "1") != "0" and importlib.util.find_spec("numba") is not None


def jit(function: F) -> F:
    """Compile a function with `numba.njit(nogil=True)`, cached on disk where a place is writable.

    Without Numba, or with KERNEX_NUMBA=0, the function is returned as it is: right, and slow. It is never compiled with
    `parallel=True`, because Numba's work queue aborts the process when two Python threads enter it; callers use a thread
    pool.
    Products and sums may be fused into one rounding; no other liberty with floating point is taken.
    """
    return _loop(function, {"contract"})


def jit_numbers(function: F) -> F:
    """The same of a function that meets no NaN, and to which 0 and -0 are the same: extremes are taken several at a time.

    Of numbers they are the same numbers in whatever order they are taken.
    """
    return _loop(function, {"contract", "nnan", "nsz"})


def instruction(name: str, otherwise: F) -> F:
    """Return an instruction of LLVM of two numbers, for compiled loops; where nothing is compiled, `otherwise`."""
    if not compiled():
        return otherwise
    made: Any = Instruction(name)
    return made  # type: ignore[no-any-return]


class NotCompiledError(Exception):
    """A loop is not on the disk, where nothing may be compiled."""


_here = threading.local()


@contextmanager
def without_compiling() -> Iterator[None]:
    """Take loops from the disk alone in this thread: one that would be compiled raises NotCompiledError."""
    _here.forbidden = True
    try:
        yield
    finally:
        _here.forbidden = False


@cache
def _say_once() -> None:
    logging.getLogger("kernex").warning(
        "Compiled loops cannot be kept on disk: every start compiles them anew. NUMBA_CACHE_DIR may name a folder for them."
    )


def _forgiving(dispatcher: Any) -> None:
    """Compile where the cache on disk fails when it is used: the disk is full, gone, or a file of it damaged."""
    try:
        cache = dispatcher._cache
        load, save = cache.load_overload, cache.save_overload
    except AttributeError:  # another release: its cache is its own
        return

    def loaded(*given: Any) -> Any:
        found = None
        try:
            found = load(*given)
        except Exception:  # whatever a damaged file makes of itself
            with suppress(Exception):
                cache.flush()  # else no later start could write there, either
        if found is None and getattr(_here, "forbidden", False):
            raise NotCompiledError
        return found

    def saved(*given: Any) -> None:
        try:
            save(*given)
        except Exception:
            _say_once()

    cache.load_overload, cache.save_overload = loaded, saved


def _loop(function: F, liberties: set[str]) -> F:
    if not compiled():
        return function
    made: Any = Loop(function, liberties)
    return made  # type: ignore[no-any-return]


class _Late:
    """What Numba makes when it is needed first: by a call, or by a loop that is compiled and calls it."""

    def __init__(self) -> None:
        self._made: Any = None
        self._lock = threading.RLock()

    def _make(self) -> Any:
        raise NotImplementedError

    @property
    def made(self) -> Any:
        """What Numba knows it by."""
        with self._lock:  # two threads would compile it twice
            if self._made is None:
                self._made = self._make()
            return self._made

    @property
    def _numba_type_(self) -> Any:
        """What it is to a loop that calls it; Numba asks for it by this name."""
        from numba.core.registry import cpu_target

        made, known = self.made, cpu_target.typing_context
        known.refresh()  # an instruction was registered a moment ago
        return known.resolve_value_type(made)


class Loop(_Late):
    """A function that is compiled when it is first called."""

    def __init__(self, function: Callable[..., Any], liberties: set[str]) -> None:
        super().__init__()
        self._liberties = liberties
        update_wrapper(self, function)

    def __call__(self, *given: Any) -> Any:
        """Run it."""
        return (self._made or self.made)(*given)

    @property
    def folder(self) -> Path | None:
        """Where what is compiled of it is kept; None where no such folder can be written."""
        kept = getattr(getattr(self.made, "_cache", None), "cache_path", None)
        return None if kept is None else Path(kept)

    def _make(self) -> Any:
        from numba import njit

        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": self._liberties}
        function: Any = vars(self)["__wrapped__"]
        try:
            made: Any = njit(cache=True, **options)(function)
            _forgiving(made)
        except (RuntimeError, OSError):
            # neither beside the source nor in NUMBA_CACHE_DIR or the home folder may a cache be written
            _say_once()
            made = njit(**options)(function)
        return made


class Instruction(_Late):
    """An instruction of LLVM of two numbers."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def _make(self) -> Any:
        from llvmlite import ir
        from numba import types
        from numba.extending import intrinsic

        def emitted(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            number = ir.DoubleType()
            called = ir.FunctionType(number, [number, number])
            return builder.call(builder.module.declare_intrinsic(self._name, (), called), given)

        def typed(typing: Any, one: Any, other: Any) -> Any:
            return types.float64(types.float64, types.float64), emitted

        return intrinsic(typed)
