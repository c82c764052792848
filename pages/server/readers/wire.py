"""What goes between a reader process and the server: frames of bounded lengths, and values that are never a pickle.

send(stream, kind, number, head, parts)    receive(stream, limit) -> Frame
encode(value) -> (head, parts)             in the reader: a JSON text, and arrays
decode(head, parts) -> value               in the server: the workspace's decoder, with the kinds that readers give

The server trusts nothing in a frame: lengths are bounded before they are read, values are counted before JSON is read,
arrays are looked at as those of a file that somebody else has saved, and values are checked against the types that they
declare. Long tuples of text (ids, sequences) are two arrays.
"""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import KernexError
from kernex_core.gram.matrix import Cut, GramMatrix
from kernex_core.gram.provenance import Call, File
from kernex_core.gram.seen import Seen
from kernex_core.inputs.catalogue import FORMATS
from kernex_core.inputs.format import Suggestion
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.items.label_columns import LabelOptions
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.new_items import NewRows
from kernex_core.inputs.nodes import NodeOptions
from kernex_core.inputs.options import Answer, Question, ReadOptions
from kernex_core.inputs.samples import Labels, Note, Sequences, Similarity, SparseVectors, Vectors
from kernex_core.inputs.similarities.distance import (
    CentredSquares,
    GaussianOfDistance,
    InverseDistance,
    ReversedDistance,
)
from kernex_core.inputs.similarities.pairs import PairPart
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.studies.papers.orthogonal.families import Families
from kernex_core.studies.papers.orthogonal.sparse import SparseTable
from kernex_core.workspace.archive import parsed
from kernex_core.workspace.values import LONG_TUPLE, Decoder, Encoder, array_of, refused, shortened
from pages.server.readers.tasks import Look, NodeColumns, PairParts, Read, Refusal

VALUE, REFUSED, FAILED, MEMORY = b"v", b"r", b"f", b"m"
"""Kinds of frames that answer: a value, a KernexError, another exception, no memory."""
READY, BEGUN, ENDED = b"h", b"b", b"e"
"""Those that a reader sends besides: it is ready, it has a file, and the process that read it has ended."""
HEAD_LIMIT: Final = 64_000_000
"""Bytes of JSON in one frame."""
PARTS_LIMIT: Final = 1_100_000_000
"""Bytes of arrays in one frame: a workspace file unpacks to 1 GB."""
MOST_PARTS: Final = 10_100
Part = Sequence[bytes | memoryview]
"""Bytes of one part in pieces that lie in different places: the header of an array, and what is in it."""
_FRAME: Final = struct.Struct("<4scQIQ")
_MARK: Final = b"KRX1"
_KINDS: Final[tuple[type, ...]] = (
    *(
        Refusal,
        Look,
        Read,
        Question,
        Answer,
        PairParts,
        PairPart,
        NodeColumns,
        Suggestion,
        Note,
        Labels,
        Similarity,
        Sequences,
        Vectors,
        SparseVectors,
        Network,
        GraphSet,
    ),
    *(NewRows, SubstitutionMatrix, SparseTable, Families, GramMatrix, Call, File, Cut, Seen),
    *(CentredSquares, GaussianOfDistance, InverseDistance, ReversedDistance),
    *(ReadOptions, NodeOptions, LabelOptions),
    *dict.fromkeys(form.options for form in FORMATS if form.options is not LabelOptions),
)
KINDS: Final[dict[str, type]] = {kind.__name__: kind for kind in _KINDS}
"""Kinds of values that a reader gives; nothing else is ever made from a frame."""


@dataclass(frozen=True)
class Frame:
    """One message.

    Attributes
    ----------
    kind : bytes
    number : int
        Of the job that it answers.
    head : bytes
    parts : tuple of memoryview
        Read-only.
    """

    kind: bytes
    number: int
    head: bytes
    parts: tuple[memoryview, ...] = ()


def send(stream: IO[bytes], kind: bytes, number: int, head: bytes, parts: Sequence[Part] = ()) -> None:
    """Write a frame; arrays are written from where they lie."""
    sizes = [sum(map(len, part)) for part in parts]
    _written(stream, _FRAME.pack(_MARK, kind, number, len(sizes), len(head)))
    _written(stream, struct.pack(f"<{len(sizes)}Q", *sizes))
    for piece in (head, *(piece for part in parts for piece in part)):
        _written(stream, piece)
    stream.flush()


def _written(stream: IO[bytes], data: bytes | memoryview) -> None:
    left = memoryview(data)
    while left:  # a pipe without a buffer takes a part
        left = left[stream.write(left) :]


def receive(stream: IO[bytes], parts_limit: int = PARTS_LIMIT) -> Frame:
    """Read a frame whose lengths are within the limits.

    Raises
    ------
    EOFError
        The other side has ended.
    ValueError
        What is there is no frame, or one beyond the limits: nothing of it is read.
    """
    mark, kind, number, count, length = _FRAME.unpack(_exactly(stream, _FRAME.size))
    if mark != _MARK or count > MOST_PARTS or length > HEAD_LIMIT:
        raise ValueError("no frame")
    sizes = struct.unpack(f"<{count}Q", _exactly(stream, 8 * count))
    if sum(sizes) > parts_limit:
        raise ValueError("a frame beyond the limits")
    head = bytes(_exactly(stream, length))
    return Frame(kind, number, head, tuple(_exactly(stream, size) for size in sizes))


def _exactly(stream: IO[bytes], size: int) -> memoryview:
    """Read so many bytes: the room for them is taken by the system only as they come."""
    room = bytearray(size)
    left = memoryview(room)
    while left:
        got = stream.readinto(left)  # type: ignore[attr-defined]  # of every binary stream
        if not got:
            raise EOFError("the other side has ended")
        left = left[got:]
    return memoryview(room).toreadonly()


class _Values(Encoder):
    """Encodes what a reader gives: arrays stay where they are."""

    def __init__(self) -> None:
        super().__init__(KINDS)
        self.parts: list[Part] = []

    def array(self, array: NDArray[Any]) -> int:
        if array.dtype.kind not in "biufU":
            raise TypeError(f"an array of {array.dtype}")
        by_columns = array.flags.f_contiguous and not array.flags.c_contiguous
        rows = np.ascontiguousarray(array.T if by_columns else array)
        header = io.BytesIO()
        said = {"descr": rows.dtype.str, "fortran_order": by_columns, "shape": array.shape}
        np.lib.format.write_array_header_1_0(header, said)
        # one of no entries has no bytes to look at
        content = rows.reshape(-1).view(np.uint8).data if rows.size else memoryview(b"")
        self.parts.append((header.getvalue(), content))
        return len(self.parts) - 1

    def sequence(self, value: tuple[Any, ...] | list[Any]) -> Any:
        if type(value) is tuple and len(value) > LONG_TUPLE and set(map(type, value)) == {str}:
            lengths, whole = np.fromiter(map(len, value), np.int64, len(value)), "".join(value)
            try:
                letters = np.frombuffer(whole.encode("latin-1"), np.uint8)
            except UnicodeEncodeError:
                letters = np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), "<u4")
            return {"texts": [self.array(lengths), self.array(letters)]}
        return super().sequence(value)


def encode(value: object) -> tuple[bytes, list[Part]]:
    """Return the JSON and the arrays of a value.

    Raises
    ------
    KernexError, TypeError
        A kind of value that no reader gives.
    """
    encoder = _Values()
    root = encoder.node(value)
    return json.dumps({"objects": encoder.objects, "value": root}).encode(), encoder.parts


def decode(head: bytes, parts: Sequence[memoryview]) -> Any:
    """Return the value.

    Raises
    ------
    KernexError
        Something that no reader gives.
    """
    try:
        return _decoded(head, parts)
    except KernexError:
        raise
    except (
        TypeError,
        ValueError,
        LookupError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        MemoryError,
    ) as error:
        raise refused(
            f"one that does not fit together ({type(error).__name__}: {shortened(error)})"
        ) from None


def _decoded(head: bytes, parts: Sequence[memoryview]) -> Any:
    said = parsed(head, "of a reader")
    if not isinstance(said, dict) or set(said) != {"objects", "value"}:
        raise refused("no answer")
    arrays = [array_of(part, "of a reader") for part in parts]
    decoder = Decoder(arrays, KINDS)
    decoder.by_key["texts"] = lambda places: _texts(*(arrays[_place(place, len(arrays))] for place in places))
    for entry in said["objects"]:
        decoder.add(entry)
    return decoder.value(said["value"])


def _place(value: Any, limit: int) -> int:
    if type(value) is not int or not 0 <= value < limit:
        raise refused("a reference to an array that is not there")
    return value


def _texts(lengths: NDArray[Any], letters: NDArray[Any]) -> tuple[str, ...]:
    """Texts of these lengths, from Latin-1 or UTF-32, which both have one number a letter."""
    if lengths.dtype != np.int64 or lengths.ndim != 1 or letters.dtype.str not in ("|u1", "<u4"):
        raise refused("texts that are none")
    if lengths.size and (lengths.min() < 0 or lengths.max() > letters.size):
        raise refused("texts of other lengths")
    ends = np.cumsum(lengths)
    if (ends[-1] if ends.size else 0) != letters.size:
        raise refused("texts of other lengths")
    codec = "latin-1" if letters.dtype.itemsize == 1 else "utf-32-le"
    whole = str(letters.reshape(-1).view(np.uint8).data, codec, "surrogatepass")
    return tuple(
        whole[start:end] for start, end in zip((ends - lengths).tolist(), ends.tolist(), strict=True)
    )
