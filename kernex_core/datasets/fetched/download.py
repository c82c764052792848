"""Public files on this machine: where they are kept, and how they come here, checked by their SHA-256.

Where nobody has published a digest, that of the first download is written down beside the file: from then on another
file is noticed, which is less than to know that the first one was right.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.kernels.base import Progress, no_progress

FOLDER_VARIABLE = "KERNEX_DATA"
"""Environment variable that names the folder for downloaded files."""
_MOST_TIMES, _SLACK = 4, 1_000_000
"""Times the announced size, and bytes beside it, up to which a download is taken."""
_TIMEOUT = 30.0
"""Seconds without an answer after which a download is given up."""


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
        of the first download counts.
    size : int
        Bytes, shown before the download; several times more are not taken.
    content : callable, optional
        Bytes of the file -> SHA-256 of what it says, where the numbers are known but not how they were written down. It
        raises InvalidInputError on what is no such file.
    estimated : bool
        The size is an estimate.
    """

    name: str
    url: str
    sha256: str
    size: int
    content: Callable[[bytes], str] | None = None
    estimated: bool = False

    def digest(self, path: Path) -> str:
        """SHA-256 of what a file that is here says; "" if it is no such file."""
        try:
            return (self.content or _of_bytes)(path.read_bytes())
        except InvalidInputError:
            return ""

    def expected(self, path: Path) -> str:
        """Digest that the file has to have: the published one, else that of the first download, else ""."""
        note = _note_of(path)
        return self.sha256 or (note.read_text(encoding="ascii").strip() if note.is_file() else "")

    def is_right(self, path: Path) -> bool:
        """Whether a file that is here holds what is expected."""
        return self.digest(path) == self.expected(path) != ""


def _note_of(path: Path) -> Path:
    """Where the digest of a first download is written down."""
    return path.with_name(f"{path.name}.sha256")


def _of_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def data_home(folder: str | Path | None = None) -> Path:
    """Folder for downloaded files: the one given, else KERNEX_DATA, else ~/kernex_data. It is not created here."""
    chosen = folder if folder is not None else os.environ.get(FOLDER_VARIABLE) or Path("~") / "kernex_data"
    return Path(chosen).expanduser()


def is_cached(file: PublicFile, folder: str | Path | None = None) -> bool:
    """Whether the file is here, unchanged, so that nothing would be downloaded."""
    path = data_home(folder) / file.name
    return path.is_file() and file.is_right(path)


def fetch(file: PublicFile, folder: str | Path | None = None, *, progress: Progress = no_progress) -> Path:
    """Return the path of the file, downloading it unless it is here already.

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
        No connection, an address that does not answer with the file, another file than expected, or a folder that
        cannot be written to; the message says where the file can be had by hand.
    """
    import pooch

    folder = data_home(folder)
    path = folder / file.name
    if is_cached(file, folder):
        return path
    if file.content is not None:
        path.unlink(missing_ok=True)  # pooch would keep a damaged one whose hash it is not told
    try:
        pooch.retrieve(
            file.url,
            known_hash=f"sha256:{file.sha256}" if file.content is None else None,
            fname=file.name,
            path=folder,
            downloader=_downloader(file, progress),
        )
        if file.expected(path) == "" and (first := file.digest(path)):
            _note_of(path).write_text(first, encoding="ascii")
        if not file.is_right(path):
            path.unlink()
            raise ValueError("another content")
        return path
    except ValueError as error:  # also pooch's word for a wrong hash
        raise InvalidInputError(
            f"{file.name} has to be the file that Kernex knows (SHA-256 {file.expected(path)[:12] or 'not published'}…)",
            f"another file at {file.url}",
            "Nothing was kept. Tell us, and download the file by hand from a source that you trust",
        ) from error
    except OSError as error:  # requests' errors are OSErrors too
        raise _unavailable(file, path, error) from error


def _downloader(file: PublicFile, progress: Progress) -> Callable[..., None]:
    """Download in pieces, so that progress is shown and a cancel is heard."""

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
                if arrived > _MOST_TIMES * file.size + _SLACK:
                    raise ValueError("far more bytes than announced")
                progress(min(arrived / file.size, 1.0))

    return download


def _unavailable(file: PublicFile, path: Path, error: OSError) -> KernexError:
    import requests

    by_hand = f"Download {file.url} by hand and save it as {path}"
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return KernexError(
            f"{file.name} has to be available at its public address",
            f"the answer {error.response.status_code} {error.response.reason} from {file.url}",
            "Try again later",
        )
    if isinstance(error, requests.RequestException):
        return KernexError(
            f"Kernex needs a connection to download {file.name} ({'about ' if file.estimated else ''}{file.size:,} bytes)",
            f"no answer from {file.url}",
            by_hand,
        )
    return KernexError(
        f"Kernex keeps downloaded files in {path.parent}",
        f"that folder cannot be written to ({error.strerror or error})",
        f"Name another one in the environment variable {FOLDER_VARIABLE}",
    )
