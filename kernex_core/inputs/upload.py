"""Uploaded bytes: unpacked under a cap, looked at for what they really are, and decoded."""

from __future__ import annotations

import bz2
import dataclasses
import gzip
import hashlib
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import TracebackType
from typing import IO, Final, Self, TypeVar, cast

from kernex_core.base.digests import digest
from kernex_core.base.errors import InvalidInputError, KernexError, TooLargeError
from kernex_core.base.parameters import parameters
from kernex_core.gram.provenance import Call, File, call
from kernex_core.inputs.options import ReadOptions

# Compressed files are unpacked under a cap: the only place where anything that somebody has packed is read.
#
# unpack(data, name)                 gzip, bzip2, xz
# open_zip(data, name) -> Members    a zip: how much its members say they are is looked at first, and none is ever read
#                                    beyond that, nor all together beyond the cap, whatever they say

EXPANSION_LIMIT = 400_000_000
"""Bytes that a compressed upload may unpack to."""
RATIO_LIMIT = 300
"""Bytes per compressed byte beyond which an upload is taken for a bomb, once it has passed RATIO_FROM bytes."""
RATIO_FROM = 64_000_000
MOST_MEMBERS: Final = 20_000
"""Files in one zip."""
_ENTRY: Final = b"PK\x01\x02"
_CHUNK = 1 << 20
_GIVEN: Final = 1 << 12
_ZEROS: Final = re.compile(rb"\0*")
LARGE_TEXT: Final = 20_000_000
"""Bytes of a text that nobody keeps beside the numbers that were read from it."""
_UNPACKED: Final = re.compile(r"\.(gz|bz2|xz)$")
"""Endings of files that are packed one by one."""
_SOMETHING: Final = re.compile(rb"[^ \t\r\n\xef\xbb\xbf]")
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


_MEMORY_OF_XZ: Final = 128 << 20
"""Bytes that unpacking xz may take: 65 MB is what its highest level needs."""


def packing(data: bytes) -> str:
    """In what a single file is packed: "gzip", "bzip2", "xz", or ""."""
    signs = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}
    return next((name for sign, name in signs.items() if data.startswith(sign)), "")


def unpack(data: bytes, name: str, limit: int = EXPANSION_LIMIT) -> bytes:
    """Expand gzip, bzip2 or xz piece by piece, giving up as soon as it passes `limit` or an absurd ratio.

    Raises
    ------
    TooLargeError
        Beyond the limit, before more is unpacked.
    InvalidInputError
        Damaged or cut off.
    """
    pieces: list[bytes] = []
    size, kind = 0, packing(data)
    try:
        for piece in _pieces(data, kind):
            pieces.append(piece)
            size += len(piece)
            check_expansion(size, len(data), name, limit)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise InvalidInputError(
            f"{name} has to be a whole {kind or 'gzip'} file",
            f"a damaged or cut off one ({error})",
            "Compress or transfer it again",
        ) from None
    return b"".join(pieces)


def _pieces(data: bytes, kind: str) -> Iterator[bytes]:
    if kind == "xz":
        yield from _pieces_of_xz(data)
        return
    packed = io.BytesIO(data)
    with bz2.BZ2File(packed) if kind == "bzip2" else gzip.GzipFile(fileobj=packed) as stream:
        while piece := stream.read(_CHUNK):
            yield piece


def _pieces_of_xz(data: bytes) -> Iterator[bytes]:
    """Of all streams of a file, within a bound on memory, which LZMAFile has not.

    Little is given at a time: a stream that ends copies what it was given and is not its own, and there may be many.
    """
    at = 0
    while at < len(data):
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, _MEMORY_OF_XZ)
        while not stream.eof:
            piece = data[at : at + _GIVEN] if stream.needs_input else b""
            if stream.needs_input and not piece:
                raise EOFError("it ends early")
            at += len(piece)
            yield stream.decompress(piece, _CHUNK)
        zeros = _ZEROS.match(data, at - len(stream.unused_data))
        at = len(data) if zeros is None else zeros.end()


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

    def read(
        self,
        member: str | zipfile.ZipInfo,
        most: int | None = None,
        watch: Callable[[bytes], object] | None = None,
    ) -> bytes:
        """Return what is in a member, or its first `most` bytes.

        Parameters
        ----------
        member : str or ZipInfo
        most : int, optional
        watch : callable, optional
            Sees every piece as it is unpacked; where it raises, nothing more is.

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
                content = stream.read(size + 1) if watch is None else _watched(stream, size + 1, watch)
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


def _watched(stream: IO[bytes], size: int, watch: Callable[[bytes], object]) -> bytes:
    pieces: list[bytes] = []
    left = size
    while left and (piece := stream.read(min(left, _CHUNK))):
        watch(piece)
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


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


R_OBJECT, R_FILE = "an R object (.rds)", "an R data file (.RData)"
_R_AS_TEXT: Final = re.compile(rb"A\r?\n[23]\r?\n\d{5,6}\r?\n\d{5,6}\r?\n")
"""How an object of R begins that was saved with ascii = TRUE."""
ZIP = "a zip archive"
"""What a zip is said to be that is no workbook and no document."""
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"%PDF", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"{\\rtf", "a Rich Text document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document (.xls or .doc)"),
    (b"\x89HDF", "an HDF5 file"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"SQLite format 3", "an SQLite data base"),
    (b"X\n\x00\x00\x00", R_OBJECT),
    (b"B\n\x00\x00\x00", R_OBJECT),
    (b"B\n\x02\x00\x00\x00", R_OBJECT),
    (b"B\n\x03\x00\x00\x00", R_OBJECT),
    (b"RDX", R_FILE),
    (b"RDB", R_FILE),
    (b"RDA", R_FILE),
    (b"MATLAB 5", "a MATLAB file"),
    (b"MATLAB 7.3", "a MATLAB file of version 7.3"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"OggS", "a sound file"),
    (b"ID3", "a sound file"),
)


def really_is(data: bytes) -> str:
    """What a file seems to be if it is not text, as a phrase ("a PNG picture"); "" for text."""
    for signature, title in _SIGNATURES:
        if data.startswith(signature):
            return title
    if _R_AS_TEXT.match(data):
        return R_OBJECT
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(data)
    if data.startswith(b"\x93NUMPY"):
        return "a NumPy array (.npy)"
    if len(data) > 2 and data[0] == 0x80 and data[1] in range(2, 6):
        return "a Python pickle, which Kernex never opens because it can run programs"
    if wide_encoding(data):
        return ""
    if b"\x00" in data[: 1 << 16]:
        return "a binary file"
    start = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "a web page (HTML), perhaps an error page instead of a download"
    return "an XML document" if start.startswith(b"<?xml") else ""


def wide_encoding(data: bytes) -> str:
    """Name of the two-byte encoding of a text, or "": by its byte order mark, else by the zeros beside plain letters."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    start = data[:1000]
    if len(start) < 8 or start.count(b"\x00") < 0.4 * len(start):
        return ""
    if not any(start[0::2]) and all(start[1::2]):
        return "utf-16-be"
    return "utf-16-le" if not any(start[1::2]) and all(start[0::2]) else ""


def _zip_kind(data: bytes) -> str:
    if b"[Content_Types].xml" in data and b"xl/" in data:
        return "an Excel workbook (.xlsx)"
    if b"word/" in data[:4096]:
        return "a Word document (.docx)"
    return ZIP


R = TypeVar("R")


@dataclass(frozen=True)
class Upload:
    """One uploaded file; whatever is worked out about it is worked out once, and only when it is asked for.

    Attributes
    ----------
    filename : str
        As uploaded, without folders.
    packed : bytes
        As uploaded.
    kind, format : str
        Kind of data and, if the user named one, format; part of the recipe.
    memory : dict
        What was worked out about the content; it goes along when only kind or format are changed.
    asked : tuple of str
        Names of the options that the file leaves open: its recipe says them, whatever they are.
    """

    filename: str
    packed: bytes = field(repr=False)
    kind: str = ""
    format: str = ""
    memory: dict[str, object] = field(default_factory=dict, compare=False, repr=False)
    asked: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes as uploaded."""
        return str(self.remembered("sha256", lambda: hashlib.sha256(self.packed).hexdigest()))

    @property
    def digest(self) -> str:
        """What tells this file from all others: its name and its content."""
        return str(self.remembered("digest", lambda: digest(self.filename, self.sha256)))

    @property
    def data(self) -> bytes:
        """Content; of a file packed by gzip, bzip2 or xz, what is in it.

        Raises
        ------
        InvalidInputError
            Empty or damaged, or a workspace file.
        TooLargeError
            A packed file that expands beyond EXPANSION_LIMIT.
        """
        content: bytes = self.remembered("data", self._unpacked)
        return content

    def _unpacked(self) -> bytes:
        packed = packing(self.packed)
        content = unpack(self.packed, self.filename, EXPANSION_LIMIT) if packed else self.packed
        if not _SOMETHING.search(content):
            raise InvalidInputError(
                "A file with data is needed", f"{self.filename}, which is empty", "Choose another file"
            )
        if content[:4] == b"PK\x03\x04" and content[30:44] == b"workspace.json":  # its first part
            raise InvalidInputError(
                "A file with data is needed", f"{self.filename}, which is a whole workspace",
                "Open it under “Save or open a workspace” on the page Data; a script reads it with read_workspace",
            )  # fmt: skip
        return content

    def remembered(self, name: str, make: Callable[[], R]) -> R:
        """What `make` gives, made once; what it refuses, it refuses the same way the next time."""
        found = self.memory.get(name, self)
        if found is self:  # nothing is known by that name
            try:
                found = make()
            except KernexError as error:
                found = error
            self.memory[name] = found  # another tab may have let go of it meanwhile
        if isinstance(found, KernexError):
            raise found.with_traceback(None)
        return cast("R", found)

    def let_go_of_text(self) -> None:
        """Let go of a large text once its numbers are there; who asks for it again decodes it again."""
        if len(self.data) > LARGE_TEXT:
            for name in ("text", "table"):
                self.memory.pop(name, None)

    def forget(self) -> None:
        """Let go of what is large and quickly made again: the text and its lines, not the unpacked bytes."""
        for name in set(self.memory) - {"sha256", "digest", "data"}:
            self.memory.pop(name, None)

    @property
    def stem(self) -> str:
        """File name without its endings."""
        return PurePosixPath(_UNPACKED.sub("", self.filename)).stem or "data"

    @property
    def extension(self) -> str:
        """Ending in lower case, without the dot and without gz, bz2 or xz."""
        return PurePosixPath(_UNPACKED.sub("", self.filename.lower())).suffix.removeprefix(".")

    @property
    def is_zip(self) -> bool:
        """A zip container: .xlsx or .npz, whatever it is called."""
        return self.data.startswith((b"PK\x03\x04", b"PK\x05\x06"))

    @property
    def really_is(self) -> str:
        """What it is if it is not text, as a phrase ("a PNG picture"); "" for text."""
        return str(self.remembered("really_is", lambda: really_is(self.data)))

    @property
    def is_text(self) -> bool:
        """Whether it can be read as text."""
        return self.really_is == ""

    @property
    def text(self) -> str:
        """Decoded content with line ends as "\\n".

        Raises
        ------
        InvalidInputError
            Saying what the file really seems to be, if it is not text.
        """
        return str(self._decoded[0])

    @property
    def encoding(self) -> str:
        """Encoding that the text was found to have."""
        return self._decoded[1]

    @property
    def _decoded(self) -> tuple[str, str]:
        check_text(self)
        made: tuple[str, str] = self.remembered("text", lambda: decode(self.data))
        return made

    def recipe(self, options: ReadOptions, *, function: str = "read_samples", name: str = "samples") -> Call:
        """Call that reads this file again: only options that are not the default are written down."""
        keywords: dict[str, object] = {"kind": self.kind} if self.kind else {}
        if self.format:
            keywords["format"] = self.format
        keywords |= _changed(options, self.asked)
        # a second file of the same name must not pass for this one
        keywords["sha256"] = self.sha256[:16]
        return call(name, function, File(self.filename), self.filename, **keywords)


def _changed(options: ReadOptions, asked: tuple[str, ...]) -> dict[str, object]:
    """Options whose value is not the default, and those that the file leaves open: what a script has to write down."""
    described = parameters(options)
    return {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(options)
        if field.name in described and (field.name in asked or getattr(options, field.name) != field.default)
    }


def open_upload(
    data: bytes | Upload, filename: str, *, kind: str = "", format: str = "", sha256: str = ""
) -> Upload:
    """Open an uploaded file; one that is open already comes back with what is known about it.

    Parameters
    ----------
    data : bytes or Upload
    filename : str
    sha256 : str, optional
        First hexadecimal digits that the SHA-256 of `data` has to have; scripts use it.

    Raises
    ------
    InvalidInputError
        Empty, damaged, or another file than expected.
    TooLargeError
        A packed file that expands beyond EXPANSION_LIMIT.
    """
    if isinstance(data, Upload):
        upload = dataclasses.replace(data, kind=kind, format=format)
    else:
        upload = Upload(_last(filename), _as_bytes(data), kind, format)
    if sha256 and not upload.sha256.startswith(sha256.lower()):
        raise InvalidInputError(
            f"{upload.filename} has to be the file with SHA-256 {sha256}…",
            f"a file with {upload.sha256[: len(sha256)]}…",
            "Use the file that was analysed, or leave out sha256 to read this one",
        )
    _ = upload.data  # what cannot be unpacked is refused here
    return upload


def _last(filename: str) -> str:
    return PurePosixPath(str(filename).replace("\\", "/")).name or "data"


def _as_bytes(data: object) -> bytes:
    if isinstance(data, bytes | bytearray | memoryview):
        return bytes(data)
    raise InvalidInputError(
        "The bytes of a file are needed",
        f"a value of type {type(data).__name__}",
        "Read it first: Path(file).read_bytes(). A matrix that is an array already becomes GramMatrix(values, ids)",
    )


def check_text(upload: Upload) -> None:
    """Refuse what is no text, naming what it is.

    Raises
    ------
    InvalidInputError
    """
    other = upload.really_is
    if other:
        raise InvalidInputError(
            "A text file was expected",
            f"{upload.filename}, which is really {other}",
            "Export the data as CSV, TSV or FASTA text and upload that",
        )


def decode(data: bytes) -> tuple[str, str]:
    """Text and the name of its encoding: UTF-8 (with or without BOM), UTF-16, else Latin-1."""
    encoding = wide_encoding(data) or "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding, text = "latin-1", data.decode("latin-1")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, encoding
