"""Public files on this machine: where they are kept, and how they come here, checked by their SHA-256.

Where nobody has published a digest, that of the first file that passes the check of its content is written down beside it,
whether it was downloaded or saved there by hand: from then on another file is noticed, which is less than to know that the
first one was right.

Fetching never destroys: what is in the folder and is not the file is set aside under another name, and said (`kept`). A
download is made in a folder of its own, of which nothing stays but a file that passed.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.kernels.base import Progress, no_progress

# Files in the folder of downloads: looked at, set aside, noted, put in their place. None is ever deleted or overwritten.
#
# What lies there may be the only copy of something: a file that somebody saved by hand, another edition, a half
# download of a browser. So a name is given to another file only when it is free (`put`), and it becomes free only by
# moving what has it (`set_aside`).

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
    >>> from kernex_core.datasets.fetched.download import set_aside
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


FOLDER_VARIABLE = "KERNEX_DATA"
"""Environment variable that names the folder for downloaded files."""
_MOST_TIMES, _SLACK = 4, 1_000_000
"""Times the announced size, and bytes beside it, up to which a download is taken."""
_ANYHOW = 100_000_000
"""Bytes up to which a file that is here is read in any case: packed by hand it may be larger than at its home."""
_TIMEOUT = 30.0
"""Seconds without an answer after which a download is given up."""
_SHOWN = 12
"""Digits of a digest in messages."""
_TRIES = 3
"""Times that a download is put in its place, where somebody else puts something there in the same moment."""


@dataclass(frozen=True)
class PublicFile:
    """A file at its public address.

    Attributes
    ----------
    name : str
        What it is called in the folder.
    url : str
    sha256 : str
        Of the whole file, or of what `content` makes of it; a file with another one is not read. "": not published, that
        of the first file here counts.
    size : int
        Bytes, shown before the download; several times more are not taken.
    content : callable, optional
        Bytes of the file -> SHA-256 of what it says, where the numbers are known but not how they were written down. It
        raises KernexError on what is no such file.
    estimated : bool
        The size is an estimate.
    """

    name: str
    url: str
    sha256: str
    size: int
    content: Callable[[bytes], str] | None = None
    estimated: bool = False

    @property
    def most(self) -> int:
        """Bytes up to which a file is taken."""
        return _MOST_TIMES * self.size + _SLACK

    def digest(self, path: Path) -> str:
        """SHA-256 of what a file that is here says; "" if it is no such file."""
        return self._read(path)[0]

    def expected(self, path: Path) -> str:
        """Digest that the file has to have: the published one, else that of the first file, else ""."""
        return self.sha256 or noted(path)

    def is_right(self, path: Path) -> bool:
        """Whether a file that is here holds what is expected."""
        return not self.judged(path, self.expected(path))[1]

    def judged(self, path: Path, expected: str) -> tuple[str, str]:
        """Look at a file that is here.

        Parameters
        ----------
        path : Path
        expected : str
            Its digest; "": any that passes the check of its content.

        Returns
        -------
        digest, wrong : str
            What is wrong with it; "" if it is right.
        """
        if unlikely := unlike(path, max(self.most, _ANYHOW)):
            return "", unlikely
        digest, wrong = self._read(path)
        if wrong or expected in ("", digest):
            return digest, wrong
        noticed = (
            "" if self.sha256 else f", which {note_of(path).name} says: delete that if this one is to count"
        )
        return digest, f"SHA-256 {digest[:_SHOWN]}… instead of {expected[:_SHOWN]}…{noticed}"

    def _read(self, path: Path) -> tuple[str, str]:
        """Digest, or what is wrong with the content."""
        data = path.read_bytes()
        try:
            return (self.content or _of_bytes)(data), ""
        except KernexError as error:
            return "", f"{error.expected}; found {error.found}" if error.found else error.expected
        except Exception as error:  # a check that fails on it has not passed it, and nothing is lost by that
            return "", f"it cannot be read: {error}"


@dataclass(frozen=True)
class Obtained:
    """A public file that is here.

    Attributes
    ----------
    path : Path
    digest : str
    aside : tuple of Aside
        What had its name before.
    """

    path: Path
    digest: str
    aside: tuple[Aside, ...] = ()


def _of_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def data_home(folder: str | Path | None = None) -> Path:
    """Folder for downloaded files: the one given, else KERNEX_DATA, else ~/kernex_data. It is not created here."""
    chosen = folder if folder is not None else os.environ.get(FOLDER_VARIABLE) or Path("~") / "kernex_data"
    return Path(chosen).expanduser()


def is_cached(file: PublicFile, folder: str | Path | None = None) -> bool:
    """Whether the file is here, unchanged, so that nothing would be downloaded."""
    path = data_home(folder) / file.name
    try:
        return path.is_file() and file.is_right(path)
    except OSError:  # what cannot be read is not ours to judge, and to ask is no reason to fail
        return False


def obtain(
    file: PublicFile, folder: str | Path | None = None, *, progress: Progress = no_progress
) -> Obtained:
    """Have the file here, downloading it unless it is.

    Parameters
    ----------
    file : PublicFile
    folder : str or Path, optional
        See `data_home`.
    progress : callable
        Called with the share of bytes that have arrived; it may raise to cancel.

    Raises
    ------
    KernexError
        No connection, an address that does not answer with the file, another file than expected, a file that cannot be
        read, or a folder that cannot be written to; the message says where the file can be had by hand, and under which
        name what was there before is kept.
    """
    path = data_home(folder) / file.name
    with TURN:
        here = _right(file, path)
    if here is not None:
        return here
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{file.name}.", dir=path.parent) as own:
            arrived = _download(file, Path(own), progress)
            digest, wrong = file.judged(arrived, file.expected(path))
            if wrong:
                raise ValueError(wrong)
            return _settled(file, arrived, digest, path)
    except ValueError as error:  # also pooch's word for a wrong hash
        aside = _room(file, path)
        raise InvalidInputError(
            f"{file.name} has to be the file that Kernex knows (SHA-256 "
            f"{file.expected(path)[:_SHOWN] or 'not published'}…)",
            _joined(f"another file at {file.url}", aside),
            "Nothing of the download was kept. Tell us, and download the file by hand from a source that you trust",
        ) from error
    except OSError as error:  # requests' errors are OSErrors too
        raise _unavailable(file, path, error, _room(file, path)) from error


def _right(file: PublicFile, path: Path) -> Obtained | None:
    """The file, if it is here."""
    if not os.path.lexists(path):
        return None
    digest, wrong = _judged(file, path)
    return None if wrong else _noted(file, path, digest)


def _judged(file: PublicFile, path: Path) -> tuple[str, str]:
    try:
        return file.judged(path, file.expected(path))
    except OSError as error:
        raise unreadable(path, error) from error


def _noted(file: PublicFile, path: Path, digest: str) -> Obtained:
    """A file that passed; its digest is written down where none is known."""
    return Obtained(path, digest, () if file.expected(path) else write_note(path, digest))


def _room(file: PublicFile, path: Path) -> tuple[Aside, ...]:
    """Set aside what has the name of the file and is another one."""
    with TURN:
        if not os.path.lexists(path) or not (wrong := _judged(file, path)[1]):
            return ()
        try:
            return (Aside(file.name, set_aside(path), wrong),)
        except OSError as error:
            raise KernexError(
                f"{path} has to be the file that Kernex knows, or its name has to be free",
                f"another file ({wrong}), which cannot be moved ({error.strerror or error})",
                "It is left as it was. Move it away, or name another folder in the environment variable "
                f"{FOLDER_VARIABLE}",
            ) from error


def _settled(file: PublicFile, arrived: Path, digest: str, path: Path) -> Obtained:
    """Put a file that passed in its place, unless another one that passes has it."""
    aside: tuple[Aside, ...] = ()
    for _ in range(_TRIES):
        with TURN:
            aside += _room(file, path)
            try:
                put(arrived, path)
                made = _noted(file, path, digest)
            except FileExistsError:  # another fetch was quicker
                here = _right(file, path)
                if here is None:
                    continue
                made = here
            return Obtained(path, made.digest, aside + made.aside)
    raise FileExistsError(0, f"something else makes {path.name} there again and again")


def _download(file: PublicFile, folder: Path, progress: Progress) -> Path:
    """Download into a folder of our own."""
    import pooch

    pooch.retrieve(
        file.url,
        known_hash=f"sha256:{file.sha256}" if file.sha256 and file.content is None else None,
        fname=file.name,
        path=folder,
        downloader=_downloader(file, progress),
    )
    return folder / file.name


def _downloader(file: PublicFile, progress: Progress) -> Callable[..., None]:
    """Download in steps, so that progress is shown and a cancel is heard."""

    def download(url: str, output_file: str, pooch: object) -> None:
        import requests

        arrived = 0
        with (
            requests.get(url, stream=True, timeout=_TIMEOUT) as answer,
            Path(output_file).open("wb") as target,
        ):
            answer.raise_for_status()
            if url.startswith("https:") and not answer.url.startswith("https:"):
                raise ValueError("the address led to one that is not encrypted")
            for piece in answer.iter_content(chunk_size=1 << 16):
                target.write(piece)
                arrived += len(piece)
                if arrived > file.most:
                    raise ValueError("far more bytes than announced")
                progress(min(arrived / file.size, 1.0))

    return download


def _joined(found: str, aside: tuple[Aside, ...]) -> str:
    """What was found, and what was set aside meanwhile."""
    return "; ".join((found, *(each.said for each in aside)))


def _unavailable(file: PublicFile, path: Path, error: OSError, aside: tuple[Aside, ...]) -> KernexError:
    import requests

    by_hand = f"Download {file.url} by hand and save it as {path}"
    if isinstance(error, requests.HTTPError) and error.response is not None:
        answer = f"the answer {error.response.status_code} {error.response.reason} from {file.url}"
        return KernexError(
            f"{file.name} has to be available at its public address",
            _joined(answer, aside),
            "Try again later",
        )
    if isinstance(error, requests.RequestException):
        return KernexError(
            f"Kernex needs a connection to download {file.name} ({'about ' if file.estimated else ''}{file.size:,} bytes)",
            _joined(f"no answer from {file.url}", aside),
            by_hand,
        )
    return KernexError(
        f"Kernex keeps downloaded files in {path.parent}",
        _joined(f"that folder cannot be written to ({error.strerror or error})", aside),
        f"Name another one in the environment variable {FOLDER_VARIABLE}",
    )
