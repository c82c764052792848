"""Compressed files are unpacked under a cap: the only place where anything that somebody has packed is read.

unpack(data, name)                 gzip
open_zip(data, name) -> Members    a zip: how much its members say they are is looked at first, and none is ever read
                                   beyond that, nor all together beyond the cap, whatever they say
"""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Self

from kernex_core.errors import InvalidInputError, TooLargeError

EXPANSION_LIMIT = 400_000_000
"""Bytes that a compressed upload may unpack to."""
RATIO_LIMIT = 300
"""Bytes per compressed byte beyond which an upload is taken for a bomb, once it has passed RATIO_FROM bytes."""
RATIO_FROM = 64_000_000
MOST_MEMBERS: Final = 20_000
"""Files in one zip."""
_ENTRY: Final = b"PK\x01\x02"
_CHUNK = 1 << 20
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    NotImplementedError,
)
"""What zipfile raises on damaged files."""


def unpack(data: bytes, name: str, limit: int = EXPANSION_LIMIT) -> bytes:
    """Expand gzip piece by piece, giving up as soon as it passes `limit` or an absurd ratio.

    Raises
    ------
    TooLargeError
        Beyond the limit, before more is unpacked.
    InvalidInputError
        Damaged or cut off.
    """
    pieces: list[bytes] = []
    size = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            while piece := stream.read(_CHUNK):
                pieces.append(piece)
                size += len(piece)
                check_expansion(size, len(data), name, limit)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(
            f"{name} has to be a whole gzip file",
            f"a damaged or cut off one ({error})",
            "Compress or transfer it again",
        ) from None
    return b"".join(pieces)


def check_expansion(size: int, packed: int, name: str, limit: int = EXPANSION_LIMIT) -> None:
    """Refuse what unpacks to more than `limit` bytes, or to more than RATIO_LIMIT times its size.

    Raises
    ------
    TooLargeError
    """
    bomb = size > RATIO_FROM and size > RATIO_LIMIT * max(packed, 1)
    if size > limit or bomb:
        raise TooLargeError(
            f"A compressed file may unpack to {limit / 1e6:,.0f} MB, and to {RATIO_LIMIT} times its size",
            f"{name}: {packed / 1e6:.2f} MB that unpack to more than {size / 1e6:,.0f} MB",
            "Upload a smaller selection of the items",
        )


class Members:
    """Members of a zip, unpacked under one cap for all of them together.

    Parameters
    ----------
    file : ZipFile
        Open for reading.
    name : str
        Of the zip, for messages.
    limit : int
        Bytes that all that is read may have, a member that is read twice counted twice.
    """

    def __init__(self, file: zipfile.ZipFile, name: str, limit: int) -> None:
        self._file, self._name, self._left = file, name, limit
        self._limit = limit
        self.infos: tuple[zipfile.ZipInfo, ...] = tuple(file.infolist())
        self._by_name: Mapping[str, zipfile.ZipInfo] = {info.filename: info for info in self.infos}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called, in their order."""
        return tuple(info.filename for info in self.infos)

    def read(self, member: str | zipfile.ZipInfo, most: int | None = None) -> bytes:
        """Return what is in a member, or its first `most` bytes.

        Raises
        ------
        InvalidInputError
            Damaged, or longer than it says.
        TooLargeError
            All that was read is beyond the cap.
        """
        info = self._by_name[member] if isinstance(member, str) else member
        size = info.file_size if most is None else min(most, info.file_size)
        if size > self._left:
            raise TooLargeError(
                f"What is packed in one file may have {self._limit / 1e6:,.0f} MB together",
                f"more in {self._name}",
                "Bring a part of it",
            )
        try:
            with self._file.open(info) as stream:
                # one byte more than there is: the reader looks at its check sum, and at what lies behind
                content = stream.read(size + 1)
        except _DAMAGE as error:
            raise self._damaged(info, str(error)) from None
        self._left -= len(content)
        if most is None and len(content) != size:
            raise self._damaged(info, "it has another length than it says")
        return content[:size]

    def _damaged(self, info: zipfile.ZipInfo, what: str) -> InvalidInputError:
        shown = "".join(c if c.isprintable() else "?" for c in info.filename)[-60:]
        return InvalidInputError(
            f"{self._name} has to be a whole file",
            f"a damaged member {shown} ({what[:80]})",
            "Save or transfer it again",
        )


def open_zip(data: bytes, name: str, limit: int = EXPANSION_LIMIT, *, dense: bool = True) -> Members:
    """Open a zip after a look at how many members it has, and how large they say they are.

    Parameters
    ----------
    data : bytes
    name : str
        For messages.
    limit : int
        Bytes of all members together.
    dense : bool
        What unpacks to an absurd multiple of its size is refused, too.

    Raises
    ------
    InvalidInputError
        Damaged.
    TooLargeError
        More members than MOST_MEMBERS, or a zip bomb.
    """
    count = data.count(_ENTRY)
    if count > MOST_MEMBERS:
        raise TooLargeError(
            f"A zip may hold {MOST_MEMBERS:,} files", f"{count:,} in {name}", "Bring a part of them"
        )
    try:
        file = zipfile.ZipFile(io.BytesIO(data))
    except _DAMAGE as error:
        raise InvalidInputError(
            f"{name} has to be a whole file",
            f"a damaged one ({str(error)[:80]})",
            "Save or transfer it again",
        ) from None
    size = sum(info.file_size for info in file.infolist())
    check_expansion(size, len(data) if dense else size, name, limit)
    return Members(file, name, limit)
