"""Which values are made of demos and fetched public data alone, so that all visitors may share what is computed of them.

    public(value)                  marks a value and everything in it; only for what no visitor has brought
    is_public(arguments) -> bool   whether a call depends on such data and on settings, and on nothing else

It is objects that are marked, not what they hold: an upload with the very bytes of a demo is another object, and stays with
its visitor. Whatever is derived from a marked value in a page, such as a selection, is not marked; results of shared
computations are.
"""

from __future__ import annotations

import dataclasses
import threading
import weakref
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import numpy as np

from pages.shared.cache.bounded import PLAIN, only_plain

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
