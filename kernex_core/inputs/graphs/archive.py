"""A zip of text files: looked over before anything is unpacked; what members are called is never a path."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.tables.workbook import check_zip
from kernex_core.inputs.upload import Upload

MOST_MEMBERS: Final = 20_000
"""Files in one archive."""
UNPACKED: Final = 200_000_000
"""Bytes that they may have together."""
_ENTRY: Final = b"PK\x01\x02"
_PACKED_AGAIN: Final = (".zip", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".zst")
_LEFT_BY_SYSTEMS: Final = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
_HEAD: Final = 1 << 16


@dataclass(frozen=True)
class Archive:
    """Files of a zip by name; folders are part of a name, and of nothing else.

    Attributes
    ----------
    filename : str
        Of the zip.
    members : mapping of str to ZipInfo
        In the order of the archive.
    """

    filename: str
    file: zipfile.ZipFile
    members: Mapping[str, zipfile.ZipInfo]

    def upload(self, name: str) -> Upload:
        """One member as a file of its own.

        Raises
        ------
        InvalidInputError
            Damaged.
        """
        try:
            content = self.file.read(self.members[name])
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
            raise InvalidInputError(
                f"{self.filename} has to be a whole zip",
                f"a damaged member {shown(name)} ({str(error)[:80]})",
                "Save or transfer it again",
            ) from None
        return Upload(PurePosixPath(name).name, content)


def shown(name: str) -> str:
    """Name of a member for a sentence: of one line, and not too long."""
    plain = "".join(c if c.isprintable() else "?" for c in name)
    return plain if len(plain) <= 60 else "…" + plain[-59:]


def member_names(upload: Upload) -> tuple[str, ...]:
    """What the members of a zip are called, unchecked; () where it has too many, or no directory that can be read."""
    return upload.remembered("zip names", lambda: _names(upload))


def _names(upload: Upload) -> tuple[str, ...]:
    if not upload.is_zip or upload.data.count(_ENTRY) > MOST_MEMBERS:
        return ()
    try:
        with zipfile.ZipFile(io.BytesIO(upload.data)) as file:
            return tuple(info.filename.replace("\\", "/") for info in file.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return ()


def head_of(upload: Upload) -> bytes:
    """First and last bytes, where the names of members stand also if the directory is damaged."""
    return upload.data[:_HEAD] + upload.data[-_HEAD:]


def open_archive(upload: Upload) -> Archive:
    """Open a zip of text files.

    Raises
    ------
    InvalidInputError
        Damaged or encrypted; members that are links, archives again, that leave their folder or that occur twice.
    TooLargeError
        More members or bytes than the limits, before anything is unpacked.
    """
    count = upload.data.count(_ENTRY)
    if count > MOST_MEMBERS:
        raise TooLargeError(
            f"A zip of graphs may hold {MOST_MEMBERS:,} files",
            f"{count:,} in {upload.filename}",
            "Bring a part of them",
        )
    file = check_zip(upload, UNPACKED)
    members: dict[str, zipfile.ZipInfo] = {}
    for info in file.infolist():
        name = _checked(info, upload.filename)
        parts = PurePosixPath(name).parts
        if info.is_dir() or not parts or parts[0] in _LEFT_BY_SYSTEMS or parts[-1] in _LEFT_BY_SYSTEMS:
            continue
        if name in members:
            raise _refused(upload.filename, "each file once", f"{shown(name)} twice", "Pack it again")
        members[name] = info
    return Archive(upload.filename, file, members)


def _checked(info: zipfile.ZipInfo, filename: str) -> str:
    """Name of a member with / between folders, if there is nothing wrong with it."""
    name = info.orig_filename.replace("\\", "/")
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or ":" in parts[0] or not name.isprintable():
        raise _refused(
            filename, "names inside one folder", f"one called {shown(name)!r}", "Pack the folder again"
        )
    if info.flag_bits & 0x1:
        raise _refused(
            filename,
            "files that are not encrypted",
            f"{shown(name)}, encrypted",
            "Pack it without a password",
        )
    if stat.S_ISLNK(info.external_attr >> 16):
        raise _refused(filename, "files", f"the link {shown(name)}", "Pack the file that it leads to")
    if name.lower().endswith(_PACKED_AGAIN):
        raise _refused(
            filename,
            "text files",
            f"the archive {shown(name)} inside it",
            "Unpack that, and pack its files alone",
        )
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refused(
            filename,
            "files packed by deflate",
            f"{shown(name)}, packed in another way",
            "Pack it as a plain zip",
        )
    return name


def _refused(filename: str, holds: str, found: str, remedy: str) -> InvalidInputError:
    return InvalidInputError(f"A zip of graphs holds {holds}", f"{found}, in {filename}", remedy)
