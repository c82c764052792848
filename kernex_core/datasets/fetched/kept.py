"""Files in the folder of downloads: looked at, set aside, noted, put in their place. None is ever deleted or overwritten.

What lies there may be the only copy of something: a file that somebody saved by hand, another edition, a half download of
a browser. So a name is given to another file only when it is free (`put`), and it becomes free only by moving what has it
(`set_aside`).
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from kernex_core.errors import KernexError

TURN = threading.RLock()
"""Held while a file is looked at and moved or put: of two fetches one must not move what the other has just put."""
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Aside:
    """Something that had the name of a public file and is none.

    Attributes
    ----------
    name : str
        Of the public file.
    path : Path
        Where it is now.
    why : str
        What is wrong with it.
    """

    name: str
    path: Path
    why: str

    @property
    def said(self) -> str:
        """In words: what it was, where it is."""
        return f"what was there as {self.name} is another file ({self.why}), kept as {self.path.name}"


def set_aside(path: Path) -> Path:
    """Move what is at a path to the first free name beside it: a.zip becomes a.set-aside-1.zip.

    Parameters
    ----------
    path : Path
        A file, a link or a folder.

    Returns
    -------
    Path
        Where it is now.

    Raises
    ------
    OSError
        It cannot be moved; it is where it was.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from kernex_core.datasets.fetched.kept import set_aside
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.zip"
    ...     _ = path.write_text("not a zip")
    ...     moved = set_aside(path)
    ...     moved.name, moved.read_text(), path.exists()
    ('a.set-aside-1.zip', 'not a zip', False)
    """
    folder = path.is_dir() and not path.is_symlink()
    for number in count(1):
        aside = path.with_name(f"{path.stem}.set-aside-{number}{path.suffix}")
        if os.path.lexists(aside):
            continue
        if folder:  # cannot replace a file, nor a folder with something in it
            return path.rename(aside)
        try:
            aside.touch(
                exist_ok=False
            )  # whoever makes it has the name: what is replaced below is empty and ours
        except FileExistsError:
            continue
        try:
            return path.replace(aside)
        except OSError:
            aside.unlink()
            raise
    raise AssertionError("numbers do not end")


def put(arrived: Path, path: Path) -> None:
    """Give a file of ours a name that is free.

    Raises
    ------
    FileExistsError
        It is not free; nothing is changed.
    """
    try:
        os.link(arrived, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        with path.open("xb") as target:
            target.write(arrived.read_bytes())


def unlike(path: Path, most: int) -> str:
    """What keeps something from being read as a file of at most so many bytes; "" if nothing does."""
    if path.is_dir():
        return "a folder"
    if not path.exists():
        return "a link that leads nowhere"
    if not path.is_file():
        return "no file that can be read to an end"
    size = path.stat().st_size
    return f"{size:,} bytes, far more than announced" if size > most else ""


def note_of(path: Path) -> Path:
    """Where the digest of a first download is written down."""
    return path.with_name(f"{path.name}.sha256")


def noted(path: Path) -> str:
    """Digest that is written down beside a file; "" if none is, or what is there is no digest."""
    note = note_of(path)
    if not note.is_file():
        return ""
    first = note.read_text(encoding="ascii", errors="replace").lower().split()[:1]
    return first[0] if first and _SHA256.fullmatch(first[0]) else ""


def write_note(path: Path, digest: str) -> tuple[Aside, ...]:
    """Write a digest down beside a file; what stood there and is no digest is moved.

    A folder that cannot be written to is no reason not to use a file in it: then nothing is written.
    """
    note = note_of(path)
    moved: tuple[Aside, ...] = ()
    try:
        if os.path.lexists(note):
            moved = (Aside(note.name, set_aside(note), "not a SHA-256"),)
        with note.open("x", encoding="ascii") as target:
            target.write(digest)
    except OSError:
        pass
    return moved


def unreadable(path: Path, error: OSError) -> KernexError:
    """What is said where a file is there and nobody can tell what is in it: it stays as it is."""
    which = Path(str(error.filename or path))
    return KernexError(
        f"{which.name} in {which.parent} has to be readable",
        f"it cannot be read ({error.strerror or error})",
        f"It is left as it was. Allow Kernex to read it, or move it away from {which}",
    )
