"""Uploaded bytes: unpacked under a cap, looked at for what they really are, and decoded."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TypeVar, cast

from kernex_core.errors import InvalidInputError, KernexError
from kernex_core.frozen import digest
from kernex_core.gram.provenance import Call, File, call
from kernex_core.inputs.expansion import EXPANSION_LIMIT, unpack
from kernex_core.inputs.options import ReadOptions
from kernex_core.inputs.signatures import really_is, wide_encoding
from kernex_core.parameters import parameters

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
    """

    filename: str
    packed: bytes = field(repr=False)
    kind: str = ""
    format: str = ""
    memory: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

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
        """Content; of a gzipped file, what is in it.

        Raises
        ------
        InvalidInputError
            Empty or damaged, or a workspace file.
        TooLargeError
            A gzip file that expands beyond EXPANSION_LIMIT.
        """
        content: bytes = self.remembered("data", self._unpacked)
        return content

    def _unpacked(self) -> bytes:
        gzipped = self.packed.startswith(b"\x1f\x8b")
        content = unpack(self.packed, self.filename, EXPANSION_LIMIT) if gzipped else self.packed
        if not content.strip(b" \t\r\n\xef\xbb\xbf"):
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

    def forget(self) -> None:
        """Let go of what is large and quickly made again: the text and its lines, not the unpacked bytes."""
        for name in set(self.memory) - {"sha256", "digest", "data"}:
            self.memory.pop(name, None)

    @property
    def stem(self) -> str:
        """File name without its endings."""
        name = self.filename.removesuffix(".gz")
        return PurePosixPath(name).stem or "data"

    @property
    def extension(self) -> str:
        """Ending in lower case, without the dot and without gz."""
        return PurePosixPath(self.filename.lower().removesuffix(".gz")).suffix.removeprefix(".")

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
        keywords |= _changed(options)
        # a second file of the same name must not pass for this one
        keywords["sha256"] = self.sha256[:16]
        return call(name, function, File(self.filename), self.filename, **keywords)


def _changed(options: ReadOptions) -> dict[str, object]:
    """Options whose value is not the default: what a script has to write down."""
    described = parameters(options)
    return {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(options)
        if field.name in described and getattr(options, field.name) != field.default
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
        A gzip file that expands beyond EXPANSION_LIMIT.
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
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding
