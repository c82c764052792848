"""The zip around a workspace: named parts with their sizes and SHA-256, made the same every time, opened with distrust."""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.references import KERNEX_VERSION, versions
from kernex_core.base.validation import shown_bytes
from kernex_core.inputs.upload import Members, open_zip

FORMAT: Final = 3
"""Raised when a reader of the format before could not read a file, or would read it wrongly."""
WORKSPACE_LIMIT: Final = 1_000_000_000
"""Bytes that the parts of a workspace file may have together, unpacked."""
MOST_PARTS: Final = 10_000
MANIFEST: Final = "workspace.json"
OBJECTS: Final = "objects.json"
ARRAY: Final = re.compile(r"arrays/(0|[1-9]\d{0,6})\.npy", re.ASCII)
KIND: Final = "Kernex workspace"
LEVEL: Final = 1
"""Of deflate: similarities with all their digits hardly shrink, and the levels above take many times as long."""
SAMPLE: Final = 1 << 16
SHRINKS: Final = 0.9
MOST_BRACKETS: Final = 1_000_000
MOST_ENTRIES: Final = 5_000_000
OBJECTS_LIMIT: Final = 250_000_000
"""Bytes of the JSON that holds all that is no array: ids, sequences, recipes."""
_BLOCK: Final = 1 << 20
_DIRECTORY_ENTRY: Final = 200
_END: Final = struct.Struct("<4s4H2LH")
_MANIFEST_LIMIT: Final = 4_000_000


def pack(parts: Mapping[str, bytes], kind: str = KIND) -> bytes:
    """Return the file of these parts.

    Parameters
    ----------
    parts : mapping of str to bytes
    kind : str
        What it is a file of, as its manifest says.

    Raises
    ------
    TooLargeError
        More than `read` would take.
    """
    sizes = {name: len(part) for name, part in parts.items()}
    _check_total(sum(sizes.values()), len(parts), WORKSPACE_LIMIT)
    _check_objects(sizes.get(OBJECTS, 0))
    listed = [
        {"name": name, "bytes": len(part), "sha256": hashlib.sha256(part).hexdigest()}
        for name, part in parts.items()
    ]
    manifest = {"kind": kind, "format": FORMAT, "versions": versions(), "parts": listed}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, part in {MANIFEST: json.dumps(manifest, indent=1).encode(), **parts}.items():
            info = zipfile.ZipInfo(name)  # of 1980, so that the same workspace gives the same bytes
            info.create_system, info.external_attr = 3, 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED if _shrinks(part) else zipfile.ZIP_STORED
            file.writestr(info, part, compresslevel=LEVEL)
    return buffer.getvalue()


def _shrinks(part: bytes) -> bool:
    """Whether deflate is worth its time: tried on a block from the middle."""
    start = max((len(part) - SAMPLE) // 2, 0)
    block = part[start : start + SAMPLE]
    return len(zlib.compress(block, LEVEL)) < SHRINKS * len(block)


def unpack(data: bytes, limit: int = WORKSPACE_LIMIT, kind: str = KIND) -> dict[str, bytes]:
    """Return the parts of a file of a kind by name; every one has the size and the SHA-256 that the file says.

    Raises
    ------
    InvalidInputError
        No workspace, a damaged one, one of a later format, or parts that do not belong there.
    TooLargeError
        Parts that would unpack to more than `limit`; nothing of them is unpacked.
    """
    if not data.startswith(b"PK\x03\x04"):
        found = "an empty file" if not data else "another kind of file"
        raise _wrong(found, "Choose the file that “Save workspace” gave")
    _check_directory(data)
    try:
        file = open_zip(data, "the file", sys.maxsize, dense=False)
    except InvalidInputError as error:
        raise _wrong(
            f"a damaged or cut off one ({error.found[:80]})", "Save it again, or transfer it once more"
        ) from None
    except (struct.error, UnicodeError, OverflowError) as error:
        raise _wrong(f"one whose directory cannot be read ({str(error)[:60]!r})", "Save it again") from None
    with file:
        infos = _members(file)
        _check_total(sum(info.file_size for info in infos.values()), len(infos), limit)
        _check_objects(infos[OBJECTS].file_size if OBJECTS in infos else 0)
        manifest = _manifest(file, infos, kind)
        return {part["name"]: _part(file, infos[part["name"]], part) for part in manifest}


def _wrong(found: str, remedy: str = "") -> InvalidInputError:
    return InvalidInputError("A Kernex workspace file (.kernex) was expected", found, remedy)


def _check_total(size: int, count: int, limit: int) -> None:
    if size > limit or count > MOST_PARTS + 2:
        raise TooLargeError(
            f"A workspace file may hold {shown_bytes(limit)} in {MOST_PARTS:,} arrays",
            f"{shown_bytes(size)} in {count:,} parts",
            "Close data sets or forget kernels that are not needed",
        )


def _check_objects(size: int) -> None:
    if size > OBJECTS_LIMIT:
        raise TooLargeError(
            f"All that is no array (ids, sequences, recipes) takes at most {shown_bytes(OBJECTS_LIMIT)} in a workspace file",
            shown_bytes(size),
            "Close data sets that are not needed",
        )


def _check_directory(data: bytes) -> None:
    """Refuse a directory of absurd size before anybody reads it."""
    at = data.rfind(b"PK\x05\x06", max(0, len(data) - _END.size - 65_535))
    if at < 0 or len(data) < at + _END.size:
        raise _wrong(
            "a damaged or cut off one (its directory is missing)", "Save it again, or transfer it once more"
        )
    size = _END.unpack_from(data, at)[5]
    if size > _DIRECTORY_ENTRY * (MOST_PARTS + 2):
        raise TooLargeError(
            f"A workspace file may hold {MOST_PARTS:,} arrays", f"a directory of {shown_bytes(size)}"
        )


def _members(file: Members) -> dict[str, zipfile.ZipInfo]:
    found: dict[str, zipfile.ZipInfo] = {}
    for info in file.infos:
        name = info.orig_filename
        if info.filename != name or not (name in (MANIFEST, OBJECTS) or ARRAY.fullmatch(name)):
            raise _wrong(f"one with a part called {name[:80]!r}", "Nothing of it was opened")
        if name in found:
            raise _wrong(f"one that has the part {name} twice", "Nothing of it was opened")
        if info.flag_bits & 0x1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _wrong(f"one whose part {name} is encrypted or packed in another way", "Save it again")
        found[name] = info
    return found


def _manifest(file: Members, infos: Mapping[str, zipfile.ZipInfo], kind: str) -> list[dict[str, Any]]:
    """Return the list of parts that the file says it has; they are the ones it has."""
    if MANIFEST not in infos or infos[MANIFEST].file_size > _MANIFEST_LIMIT:
        raise _wrong(f"a zip file without {MANIFEST}", "Choose the file that “Save workspace” gave")
    said = parsed(_content(file, infos[MANIFEST]), MANIFEST)
    if not isinstance(said, dict) or said.get("kind") != kind:
        what = said.get("kind") if isinstance(said, dict) else None
        raise _wrong(f"a file of the kind {str(what)[:40]!r}", "Choose the file that “Save workspace” gave")
    _check_format(said)
    parts = said.get("parts")
    if not isinstance(parts, list) or not all(_is_entry(part) for part in parts):
        raise _wrong(f"one whose {MANIFEST} does not list its parts", "Save it again")
    names = [part["name"] for part in parts]
    if sorted([*names, MANIFEST]) != sorted(infos) or OBJECTS not in names:
        raise _wrong(f"one whose parts are not those that its {MANIFEST} lists", "Save it again")
    return parts


def _check_format(said: Mapping[str, Any]) -> None:
    number, made = said.get("format"), said.get("versions")
    if type(number) is not int or number < 1:
        raise _wrong(f"one of format {str(number)[:20]!r}", f"Formats are numbers from 1 to {FORMAT}")
    if number > FORMAT:
        by = str(made.get("kernex", "a later one"))[:20] if isinstance(made, dict) else "a later one"
        raise InvalidInputError(
            f"This Kernex ({KERNEX_VERSION}) reads workspace files up to format {FORMAT}",
            f"one of format {number}, saved by Kernex {by}",
            "Open it with that version, or update this one",
        )


def _is_entry(part: object) -> bool:
    return (
        isinstance(part, dict)
        and isinstance(part.get("name"), str)
        and isinstance(part.get("sha256"), str)
        and type(part.get("bytes")) is int
    )


def _content(file: Members, info: zipfile.ZipInfo) -> bytes:
    is_json = info.filename in (MANIFEST, OBJECTS)
    try:
        return file.read(info, watch=Values(info.filename).add if is_json else None)
    except InvalidInputError as error:
        raise _wrong(
            f"a damaged or cut off one ({error.found[:120]})", "Save it again, or transfer it once more"
        ) from None


def _part(file: Members, info: zipfile.ZipInfo, said: Mapping[str, Any]) -> bytes:
    content = _content(file, info)
    if len(content) != said["bytes"] or hashlib.sha256(content).hexdigest() != said["sha256"]:
        raise _wrong(
            f"one whose part {said['name']} is not the one that was saved (SHA-256)", "Save it again"
        )
    return content


def parsed(text: bytes, name: str) -> Any:
    """Return the JSON of a part; numbers that JSON does not have (NaN, Infinity) are refused.

    Raises
    ------
    InvalidInputError
    TooLargeError
        More values than a part describes, before any is made.
    """
    check_values(text, name)
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise _wrong(f"one whose part {name} cannot be read ({str(error)[:60]!r})", "Save it again") from None


def check_values(text: bytes, name: str) -> None:
    """Refuse JSON of more lists and objects, or more entries, than what people have open takes to describe.

    Read, sixty megabytes of `{},` are two gigabytes: they are counted where they stand.

    Raises
    ------
    TooLargeError
    """
    if _Counted(text.count(b"{") + text.count(b"["), text.count(b",")).are_too_many:
        count = Values(name)
        for start in range(0, len(text), _BLOCK):
            count.add(text[start : start + _BLOCK])


@dataclass(frozen=True)
class _Counted:
    """Lists and objects, and the commas between what is in them."""

    brackets: int = 0
    commas: int = 0

    def __add__(self, other: _Counted) -> _Counted:
        return _Counted(self.brackets + other.brackets, self.commas + other.commas)

    @property
    def are_too_many(self) -> bool:
        return self.brackets > MOST_BRACKETS or self.commas > MOST_ENTRIES


class Values:
    """Values of a JSON text that comes piece by piece, counted as it comes: of too many the rest is not even unpacked.

    Parameters
    ----------
    name : str
        Of the part, for messages.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._all = self._bare = _Counted()
        self._pieces: list[bytes] | None = []
        """Those whose texts were not told from the rest yet: while there are few marks in all, nobody has to."""
        self._inside, self._held = 0, b""

    def add(self, piece: bytes) -> None:
        """Count one more piece.

        Raises
        ------
        TooLargeError
        """
        pieces = [piece]
        if self._pieces is not None:
            self._all += _Counted(piece.count(b"{") + piece.count(b"["), piece.count(b","))
            self._pieces.append(piece)
            if not self._all.are_too_many:
                return
            pieces, self._pieces = self._pieces, None
        for each in pieces:
            self._bare += self._outside_of_texts(each)
            if self._bare.are_too_many:
                raise TooLargeError(
                    f"A workspace file describes at most {MOST_BRACKETS:,} lists and objects of {MOST_ENTRIES:,} entries",
                    f"at least {self._bare.brackets:,} and {self._bare.commas:,} in its part {self._name}",
                    "Nothing of it was opened",
                )

    def _outside_of_texts(self, piece: bytes) -> _Counted:
        """Those that do not stand in ids, sequences or recipes; what a piece ends in the midst of goes on in the next."""
        piece = self._held + piece
        backslashes = len(piece) - len(piece.rstrip(b"\\"))
        self._held = piece[len(piece) - backslashes % 2 :]
        # every mark that is left begins or ends a text
        plain = piece[: len(piece) - len(self._held)].replace(b"\\\\", b"__").replace(b'\\"', b"__")
        block = np.frombuffer(plain, np.uint8)
        if not block.size:
            return _Counted()
        within = np.bitwise_xor.accumulate((block == ord('"')).view(np.uint8)) ^ self._inside
        self._inside = int(within[-1])
        bare = block[within == 0]
        brackets = np.count_nonzero((bare == ord("{")) | (bare == ord("[")))
        return _Counted(int(brackets), int(np.count_nonzero(bare == ord(","))))


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number here")
