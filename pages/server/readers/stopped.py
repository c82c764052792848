"""What is said where a reader has ended without an answer: which file, why, and what to do.

Limits                                   what the reading of one file may take
stopped(filename, why, ...)              the sentence; why, or how the process ended
failed(filename, said)                   an error inside the reader, which is logged under an id
"""

from __future__ import annotations

import logging
import signal
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kernex_core.base.errors import KernexError

_log = logging.getLogger("kernex")


class ReaderStoppedError(KernexError):
    """A file whose reader was stopped: nothing is known about the file itself.

    Attributes
    ----------
    question : str
        What tells what was asked from all other questions; "" where nobody can ask again.
    """

    question = ""


@dataclass(frozen=True)
class Limits:
    """What the reading of one file may take.

    Attributes
    ----------
    memory : int
        Bytes, beyond what a reader has at rest.
    seconds, seconds_a_megabyte : float
        Of a processor: for every file, and for each megabyte of it.
    wall : float
        Seconds on the clock for each second of a processor.
    """

    memory: int = 1_500_000_000
    seconds: float = 10.0
    seconds_a_megabyte: float = 0.6
    wall: float = 6.0

    def of(self, size: int) -> float:
        """Seconds of a processor for a file of so many bytes."""
        return self.seconds + self.seconds_a_megabyte * size / 1e6


_WHY: Final[Mapping[str, str]] = {
    "SIGXCPU": "time",
    "SIGALRM": "time",
    "SIGKILL": "system",
    "SIGTERM": "system",
    "SIGABRT": "abort",
}
"""What a signal says about why a reader has ended, where nobody here has sent it."""
_SMALLER: Final = "Bring a part of it, or the same data in another format"
_ANOTHER: Final = "Save the file again from the program that made it, or as CSV, and bring that"


def failed(filename: str, said: str) -> ReaderStoppedError:
    """The sentence about an error inside the reader."""
    number = uuid.uuid4().hex[:8]
    # one line, whatever a reader may say
    _log.error("Error %s while a file was read, says its reader: %s", number, ascii(said[:4000]))
    return ReaderStoppedError(
        f"{filename} could not be read: something went wrong in its reader",
        f"error id {number}",
        "Bring the same data in another format; what else is open stays",
    )


def stopped(
    filename: str, why: str = "", code: int | None = None, *, limits: Limits | None = None, size: int = 0
) -> ReaderStoppedError:
    """The sentence about a reader that was stopped, or has ended by itself.

    Parameters
    ----------
    filename : str
    why : {"left", "memory", "time", "closed", "start", ""}
        "": told from `code`.
    code : int, optional
        How the process ended: below 0 by a signal.
    limits : Limits, optional
    size : int
        Bytes of the file.
    """
    name = {-each.value: each.name for each in signal.Signals}.get(code or 0, f"exit code {code}")
    may = limits or Limits()
    found, remedy = {
        "memory": (f"the file needs more than {may.memory / 1e9:.3g} GB of memory", _SMALLER),
        "time": (
            f"the file needs more than {may.of(size):,.0f} s of a processor, which is what one of its size may take",
            _SMALLER,
        ),
        "left": ("you stopped it", "Read it again, or put it away"),
        "closed": ("the server ends", "Bring the file again when it runs"),
        "start": ("it could not be started", "Try it again"),
        "system": ("the system stopped it, perhaps for want of memory", "Read it again, or bring a smaller file"),
        "abort": (f"it crashed ({name}), or needed more than {may.memory / 1e9:.3g} GB of memory", _ANOTHER),
        "crash": (f"it crashed ({name})", _ANOTHER),
    }[why or _WHY.get(name, "crash")]  # fmt: skip
    return ReaderStoppedError(
        f"The reader of {filename} was stopped", found, f"{remedy}; what else is open stays"
    )
