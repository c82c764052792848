"""The bets of a class, pooled in the memory of the server: no names, gone two hours after the last bet, bounded.

    pool.bet("plum-42", "heat_and_walks", visitor, "b")     one bet a visitor and lesson; a later one takes its place
    pool.bets("plum-42", "heat_and_walks") -> {"b": 17, "a": 3}

A visitor is known by a digest of what names the tab or the browser; it is kept only to count everybody once.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from kernex_core.base.errors import InvalidInputError, TooLargeError

LIFETIME: Final = 2 * 60 * 60.0
MOST_CLASSES: Final = 200
MOST_VISITORS: Final = 500
LONGEST_BET: Final = 40
LONGEST_CODE: Final = 32
_WORDS: Final = (
    "acorn",
    "birch",
    "cedar",
    "daisy",
    "elder",
    "fern",
    "grape",
    "hazel",
    "iris",
    "linden",
    "maple",
    "plum",
)
_SALT: Final = secrets.token_bytes(16)


@dataclass
class _Class:
    touched: float
    bets: dict[str, dict[bytes, str]] = field(default_factory=dict)


class Pool:
    """Bets of all classes of this server, for all threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._classes: OrderedDict[str, _Class] = OrderedDict()

    def bet(self, code: str, lesson: str, visitor: str, bet: str) -> None:
        """Count a bet; whoever bets again in the same lesson changes theirs.

        Raises
        ------
        InvalidInputError
            A code or a bet that is none.
        TooLargeError
            The class is full.
        """
        code = checked_code(code)
        if not bet or len(bet) > LONGEST_BET:
            raise InvalidInputError(f"A bet has 1 to {LONGEST_BET} characters", f"{len(bet)}")
        with self._lock:
            found = self._open(code)
            bets = found.bets.setdefault(lesson, {})
            name = hashlib.blake2b(visitor.encode(), key=_SALT, digest_size=16).digest()
            if name not in bets and len(bets) >= MOST_VISITORS:
                raise TooLargeError(
                    f"A class has at most {MOST_VISITORS} visitors",
                    "one more",
                    "Open another class for them.",
                )
            bets[name] = bet

    def bets(self, code: str, lesson: str) -> dict[str, int]:
        """Return how often each bet was made; nothing for a class that is not, or no longer, there."""
        with self._lock:
            self._drop()
            found = self._classes.get(code.strip().casefold())
            return {} if found is None else dict(Counter(found.bets.get(lesson, {}).values()))

    def _open(self, code: str) -> _Class:
        self._drop()
        found = self._classes.pop(code, None) or _Class(0.0)
        found.touched = self._clock()
        self._classes[code] = found
        while len(self._classes) > MOST_CLASSES:
            self._classes.popitem(last=False)
        return found

    def _drop(self) -> None:
        """Let go of classes nobody has bet in for two hours; the least recently used stand first."""
        old = self._clock() - LIFETIME
        while self._classes and next(iter(self._classes.values())).touched < old:
            self._classes.popitem(last=False)


def checked_code(code: str) -> str:
    """Return a class's code as it is compared: letters, digits and hyphens, in whatever case.

    Raises
    ------
    InvalidInputError
        Empty, too long, or of other characters.
    """
    found = code.strip().casefold()
    if not 1 <= len(found) <= LONGEST_CODE or not all(
        c.isascii() and (c.isalnum() or c == "-") for c in found
    ):
        raise InvalidInputError(
            f"The code of a class has 1 to {LONGEST_CODE} letters, digits and hyphens", repr(code)[:60],
            "Take the one that the lecturer's link carries.",
        )  # fmt: skip
    return found


def new_code() -> str:
    """Return a code that nobody guesses by chance and everybody can type."""
    return f"{secrets.choice(_WORDS)}-{secrets.choice(_WORDS)}-{secrets.randbelow(9000) + 1000}"


POOL: Final = Pool()
"""Of this server."""
