"""A zip of text files: looked over before anything is unpacked; what members are called is never a path."""

from __future__ import annotations

import stat
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.inputs.expansion import Members, open_zip
from kernex_core.inputs.upload import Upload

UNPACKED: Final = 200_000_000
"""Bytes that they may have together."""
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
    file: Members
    members: Mapping[str, zipfile.ZipInfo]

    def upload(self, name: str) -> Upload:
        """One member as a file of its own.

        Raises
        ------
        InvalidInputError
            Damaged.
        TooLargeError
            All that was unpacked is beyond UNPACKED.
        """
        return Upload(PurePosixPath(name).name, self.file.read(self.members[name]))


def shown(name: str) -> str:
    """Name of a member for a sentence: of one line, and not too long."""
    plain = "".join(c if c.isprintable() else "?" for c in name)
    return plain if len(plain) <= 60 else "…" + plain[-59:]


def member_names(upload: Upload) -> tuple[str, ...]:
    """What the members of a zip are called, unchecked; () where it has too many, or no directory that can be read."""
    return upload.remembered("zip names", lambda: _names(upload))


def _names(upload: Upload) -> tuple[str, ...]:
    if not upload.is_zip:
        return ()
    try:
        with open_zip(upload.data, upload.filename, sys.maxsize) as file:  # nothing is unpacked here
            return tuple(name.replace("\\", "/") for name in file.names)
    except KernexError:
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
    file = open_zip(upload.data, upload.filename, UNPACKED)
    members: dict[str, zipfile.ZipInfo] = {}
    for info in file.infos:
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
