"""R's serialisation, taken apart by rdata, within what the file itself holds and without a step too deep.

rdata follows what a file says: a length that lies, brackets without end, or a sequence of a thousand million numbers that
takes three to write down. Every number and every text is read here, after a look at what is left; lists in a row, which R
writes inside each other, are read one after the other. Nothing is evaluated: a function is its words. Only `r_objects`
imports this, when a file of R is there: rdata is slow to load.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray
from rdata.parser import RObject, RObjectInfo, RObjectType
from rdata.parser._xdr import ParserXDR

MOST_DEPTH: Final = 100
"""Objects inside each other."""
MOST_OBJECTS: Final = 100_000
MOST_TEXTS: Final = 4_000_000
MOST_IN_SEQUENCE: Final = 10_000_000
"""Numbers that a file may leave to be counted: 1:n."""
NA: Final = -(2**31)
"""The whole number, and the truth value, that R takes for unknown."""
_OBJECT, _ATTRIBUTES, _TAG = 0x100, 0x200, 0x400
_LATIN1: Final = 0x4000
"""Flag of a text, in the word that also says that it is one."""
_CHARACTERS, _PAIR, _CALL, _CODE, _BYTES = 9, 2, 6, 21, 24
_EXPRESSIONS: Final = (_PAIR, _CALL, 239, 240)
_DESCRIBED, _REPEATED, _TO_REPEAT = (239, 240), 243, 244
"""Types that stand among the constants of compiled code alone."""
_TAGGED: Final = (2, 3, 5, 6, 17)
_REFERENCE: Final = 255
_WORDS: Final = range(241, 255)
"""The global environment, NULL and their like."""
_NUMBERS: Final = (RObjectType.LGL, RObjectType.INT, RObjectType.REAL)
DAMAGE: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    NotImplementedError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)
"""What rdata raises on damaged files."""


class TooManyObjectsError(Exception):
    """More objects or texts than are read."""


class TooDeepError(Exception):
    """Objects inside objects beyond MOST_DEPTH."""


def parse(data: bytes) -> RObject:
    """Return the object of a serialisation that begins with its letter: X (XDR) or B (as the processor has it).

    Raises
    ------
    TooManyObjectsError, TooDeepError
    Exception
        One of DAMAGE.
    """
    order: Literal["<", ">"] = "<" if data[:1] == b"B" and data[2:3] in (b"\2", b"\3") else ">"
    parser = _Parser(data, 2, order)
    found = parser.parse_all().object
    parser.check_complete()
    return found


class _Parser(ParserXDR):
    """rdata's parser on bytes that are counted."""

    def __init__(self, data: bytes, at: int, order: Literal["<", ">"]) -> None:
        super().__init__(memoryview(b""), expand_altrep=True, altrep_constructor_dict=self._short_forms())
        self._data, self._at, self._order = data, at, order
        self._whole, self._two = struct.Struct(order + "i"), struct.Struct(order + "Ii")
        self._depth = self._objects = self._texts = self._counted = 0

    def _take(self, size: int) -> int:
        """Place of the next bytes, which are passed."""
        at = self._at
        if not 0 <= size <= len(self._data) - at:
            raise ValueError("it ends early, or says a length that it has not")
        self._at = at + size
        return at

    def parse_int(self) -> int:
        return int(self._whole.unpack_from(self._data, self._take(4))[0])

    def parse_string(self, length: int) -> bytes:
        at = self._take(length)
        return self._data[at : at + length]

    def _parse_array_values(self, dtype: DTypeLike, length: int) -> NDArray[Any]:
        kind = np.dtype(dtype)
        at = self._take(length * kind.itemsize)
        return np.frombuffer(self._data, kind.newbyteorder(self._order), length, at).astype(kind)

    # whole numbers and truth values stay as they are, unknown ones as NA
    def parse_nullable_int_array(self, *, fill_value: int | np.int32 = NA) -> NDArray[np.int32]:
        return self._parse_array(np.int32)

    def parse_nullable_bool_array(self, *, fill_value: bool = True) -> Any:
        return self._parse_array(np.int32)

    def check_complete(self) -> None:
        if self._at != len(self._data):
            raise ValueError(f"{len(self._data) - self._at:,} bytes behind its end")

    def parse_R_object(
        self,
        reference_list: list[RObject] | None = None,
        bytecode_rep_list: list[RObject | None] | None = None,
        info_int: int | None = None,
    ) -> RObject:
        refs = [] if reference_list is None else reference_list
        with self._deeper():
            flags = self._next()
            if flags & 0xFF in (_PAIR, _CALL):
                return self._pairs(refs)
            if flags & 0xFF in (_CODE, _BYTES):
                return self._passed(refs)
            if flags >> 8 and flags & 0xFF in _WORDS:
                raise ValueError("something about a word that has nothing about it")
            if flags & _TAG and flags & 0xFF not in (*_TAGGED, *_WORDS, _REFERENCE):
                raise ValueError("a name where there can be none")
            return super().parse_R_object(refs)

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        """One more object, inside those that are being read."""
        self._objects += 1
        if self._objects > MOST_OBJECTS:
            raise TooManyObjectsError
        if self._depth >= MOST_DEPTH:
            raise TooDeepError
        self._depth += 1
        yield
        self._depth -= 1

    def _next(self) -> int:
        """The flags of what comes, which are not passed."""
        flags = self.parse_int()
        self._at -= 4
        return flags

    def _passed(self, refs: list[RObject]) -> RObject:
        """Bytes, which rdata does not know, and compiled code, in which it takes inner repetitions for outer ones."""
        flags, size = self.parse_int(), self.parse_int()
        kind, described = RObjectType(flags & 0xFF), bool(flags & _ATTRIBUTES)
        if kind is RObjectType.RAW:
            self._take(size)
        else:
            self._pass_code(refs)
        attributes = self.parse_R_object(refs) if described else None
        return RObject(RObjectInfo(kind, False, described, False, 0, 0), None, attributes)

    def _pass_code(self, refs: list[RObject]) -> None:
        """Instructions, and constants with what each is before it."""
        self.parse_R_object(refs)
        for _ in range(self.parse_int()):
            kind = self.parse_int()
            with self._deeper():
                if kind == _CODE:
                    self._pass_code(refs)
                else:
                    self._pass_expression(refs, kind)

    def _pass_expression(self, refs: list[RObject], kind: int) -> None:
        """A constant; of an expression its parts in a row, in which one may stand for what was there before."""
        while kind != _REPEATED:
            if kind == _TO_REPEAT:
                self._take(4)
                kind = self.parse_int()
            if kind not in _EXPRESSIONS:
                self.parse_R_object(refs)
                return
            if kind in _DESCRIBED:
                self.parse_R_object(refs)
            self.parse_R_object(refs)  # its name
            with self._deeper():
                self._pass_expression(refs, self.parse_int())
            kind = self.parse_int()
        self._take(4)

    def _pairs(self, refs: list[RObject]) -> RObject:
        """A list in which each element holds the rest: read in a row, whatever its length."""
        cells: list[tuple[RObjectInfo, RObject | None, RObject | None, RObject]] = []
        while not cells or self._next() & 0xFF == _PAIR:
            if cells:
                self._objects += 1
            if self._objects > MOST_OBJECTS:
                raise TooManyObjectsError
            flags = self.parse_int()
            kind, own = RObjectType(flags & 0xFF), bool(flags & _OBJECT)
            described, named = bool(flags & _ATTRIBUTES), bool(flags & _TAG)
            info = RObjectInfo(kind, own, described, named, flags >> 12 & 0xFFFF, 0)
            attributes = self.parse_R_object(refs) if described else None
            tag = self.parse_R_object(refs) if named else None
            cells.append((info, attributes, tag, self.parse_R_object(refs)))
        rest = self.parse_R_object(refs)
        for info, attributes, tag, value in reversed(cells):
            rest = RObject(info, (value, rest), attributes, tag)
        return rest

    def _parse_vector_value(
        self, reference_list: list[RObject] | None, bytecode_rep_list: list[RObject | None] | None = None
    ) -> Any:
        """Elements of a list; of texts, themselves: str, or None where one is unknown."""
        length = self.parse_int()
        if not 0 <= length <= (len(self._data) - self._at) // 4:
            raise ValueError("it ends early, or says a length that it has not")
        if not length or self._next() & 0xFF != _CHARACTERS:
            return [self.parse_R_object(reference_list, bytecode_rep_list) for _ in range(length)]
        self._texts += length
        if self._texts > MOST_TEXTS:
            raise TooManyObjectsError
        known: dict[tuple[bytes, int], str] = {}
        return [self._text(known) for _ in range(length)]

    # what R writes shortly: 1:n as three numbers, texts as the numbers that they are made of, and vectors with a wrapping
    def _short_forms(self) -> Mapping[bytes, Any]:
        wrapped = (b"real", b"string", b"logical", b"integer", b"complex", b"raw")
        return {
            b"compact_intseq": lambda state: self._sequence(state, RObjectType.INT),
            b"compact_realseq": lambda state: self._sequence(state, RObjectType.REAL),
            b"deferred_string": self._texts_of_numbers,
            **{b"wrap_" + kind: _wrapped for kind in wrapped},
        }

    def _sequence(self, state: RObject, kind: RObjectType) -> tuple[RObjectInfo, object]:
        count, start, step = _vector(state, RObjectType.REAL).value.tolist()
        if not 0 <= count <= MOST_IN_SEQUENCE - self._counted:
            raise TooManyObjectsError
        self._counted += int(count)
        values = start + step * np.arange(int(count))
        if kind is RObjectType.REAL:
            return _as(kind, values)
        if not np.all(np.abs(values) < 2**31):
            raise ValueError("a short form that is none")
        return _as(kind, values.astype(np.int32))

    def _texts_of_numbers(self, state: RObject) -> tuple[RObjectInfo, object]:
        source = _vector(state.value[0], RObjectType.INT, RObjectType.REAL)
        whole = source.info.type is RObjectType.INT
        self._texts += len(source.value)
        if self._texts > MOST_TEXTS:
            raise TooManyObjectsError
        return _as(RObjectType.STR, [plain(value, whole=whole) for value in source.value.tolist()])

    def _text(self, known: dict[tuple[bytes, int], str]) -> str | None:
        flags, size = self._two.unpack_from(self._data, self._take(8))
        if flags & 0xFF != _CHARACTERS or flags & _ATTRIBUTES:
            raise ValueError("something else among texts")
        if size == -1:
            return None
        at = self._take(size)
        raw = self._data[at : at + size]
        found = known.get((raw, flags & _LATIN1))
        if found is None:
            found = known[raw, flags & _LATIN1] = decoded(raw, latin=bool(flags & _LATIN1))
        return found


def decoded(raw: bytes, *, latin: bool = False) -> str:
    """A text of R: UTF-8, or Latin-1 where it says so or is nothing else."""
    try:
        return raw.decode("latin-1" if latin else "utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def plain(value: float, *, whole: bool) -> str | None:
    """A number as R writes it, None where it is unknown."""
    if value == NA if whole else value != value:
        return None
    return str(value) if whole else f"{value:.15g}"


def _vector(value: object, *kinds: RObjectType) -> RObject:
    if not isinstance(value, RObject) or value.info.type not in kinds:
        raise ValueError("a short form that is none")
    return value


def _as(kind: RObjectType, value: object) -> tuple[RObjectInfo, object]:
    return RObjectInfo(kind, False, False, False, 0, 0), value


def _wrapped(state: RObject) -> tuple[RObjectInfo, object]:
    source = _vector(state.value[0], *_NUMBERS, RObjectType.CPLX, RObjectType.STR, RObjectType.RAW)
    return _as(source.info.type, source.value)
