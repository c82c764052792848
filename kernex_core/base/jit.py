"""Whether inner loops are compiled by Numba, decided in one place."""

from __future__ import annotations

import importlib.util
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
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
    return _made(function, {"contract"})


def jit_numbers(function: F) -> F:
    """The same of a function that meets no NaN, and to which 0 and -0 are the same: extremes are taken several at a time.

    Of numbers they are the same numbers in whatever order they are taken.
    """
    return _made(function, {"contract", "nnan", "nsz"})


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
        try:
            return load(*given)
        except Exception:  # whatever a damaged file makes of itself
            with suppress(Exception):
                cache.flush()  # else no later start could write there, either
            return None

    def saved(*given: Any) -> None:
        try:
            save(*given)
        except Exception:
            _say_once()

    cache.load_overload, cache.save_overload = loaded, saved


def _made(function: F, liberties: set[str]) -> F:
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": liberties}
    if not compiled():
        return function
    from numba import njit

    try:
        made: Any = njit(cache=True, **options)(function)
        _forgiving(made)
    except (RuntimeError, OSError):
        # neither beside the source nor in NUMBA_CACHE_DIR or the home folder may a cache be written
        _say_once()
        made = njit(**options)(function)
    return made  # type: ignore[no-any-return]
