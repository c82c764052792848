"""Objects in files of R (.rds, .RData): numbers, texts and data frames by name; everything else is named, never opened.

    r_objects(upload) -> RObjects        what a file holds, read once
    .arrays .texts .frames .others       by name; the elements of a list stand beside the other objects

How the bytes are taken apart, and what is refused before it takes room, stands in `r_parser`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Literal

import numpy as np
from scipy import sparse

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.sparse_rows import MOST_COLUMNS
from kernex_core.inputs.names import CLASSES, counted, distinct, listed
from kernex_core.inputs.samples import Note
from kernex_core.inputs.upload import R_FILE, R_OBJECT, Upload

if TYPE_CHECKING:
    from rdata.parser import RObject

ENDINGS: Final = ("rds", "rda", "rdata")
MOST_DIMENSIONS: Final = 8
_REMEDY: Final = (
    "In R: saveRDS(NAME, 'NAME.rds'), with a matrix, a dist, a data frame or a list of these, and bring that"
)
_KINDS: Final = {
    "NIL": "NULL", "NILVALUE": "NULL", "SYM": "a name", "LIST": "a pairlist", "CLO": "a function", "ENV": "an environment",
    "PROM": "a promise", "LANG": "an expression", "SPECIAL": "a function", "BUILTIN": "a function",
    "CPLX": "complex numbers", "EXPR": "an expression", "BCODE": "compiled code", "EXTPTR": "a pointer", "RAW": "bytes",
    "S4": "an S4 object", "GLOBALENV": "an environment", "BASEENV": "an environment", "EMPTYENV": "an environment",
    "NAMESPACE": "a package", "VEC": "a list",
}  # fmt: skip
"""What is not read, in words."""
_DAY: Final = 86_400
_SPARSE: Final = re.compile(r"[dln](?P<of>[gs])(?P<by>[CRT])Matrix")
"""Classes of sparse matrices: numbers, truth values or a pattern; general or symmetric; how entries are listed."""
_PLACES: Final = {"C": ("i", "p"), "R": ("j", "p"), "T": ("i", "j")}


@dataclass(frozen=True, eq=False)
class RArray(ReadOnlyArrays):
    """Numbers, and truth values as 0 and 1; NaN where one is unknown.

    Attributes
    ----------
    values : float array
        In the shape of `dim`; of a dist, one triangle by columns without the diagonal.
    axes : tuple of tuples of str
        Names along every dimension; () where there are none.
    form : {"array", "dist", "simil"}
        A dist holds distances, a simil (of the package proxy) similarities.
    """

    values: FloatArray
    axes: tuple[tuple[str, ...], ...]
    form: Literal["array", "dist", "simil"] = "array"

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of entries, those of a dist as a square."""
        return self.values.shape if self.form == "array" else (_items(self.values.size),) * 2

    def square(self) -> FloatArray:
        """(n, n) of a dist or simil, with 0 or what is unknown on the diagonal; else the array."""
        if self.form == "array":
            return self.values
        n = self.shape[0]
        found = np.zeros((n, n))
        at = 0
        for k in range(n - 1):  # one column below the diagonal, which is also a row beside it
            found[k + 1 :, k] = found[k, k + 1 :] = self.values[at : at + n - 1 - k]
            at += n - 1 - k
        if self.form == "simil":
            np.fill_diagonal(found, np.nan)
        return found


@dataclass(frozen=True, eq=False)
class RSparse(ReadOnlyArrays):
    """A sparse matrix of the package Matrix.

    Attributes
    ----------
    rows : sparse array
    axes : tuple of tuples of str
        Names of rows and of columns; () where there are none.
    """

    rows: sparse.csr_array
    axes: tuple[tuple[str, ...], ...]
    form: ClassVar[Literal["array"]] = "array"

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of rows and columns."""
        return tuple(int(size) for size in self.rows.shape)

    def square(self) -> FloatArray:
        """(n, n) with every zero written."""
        return np.asarray(self.rows.toarray(), dtype=np.float64)


@dataclass(frozen=True)
class RTexts:
    """A vector of texts, or a factor as the texts of its levels; "" where one is unknown.

    Attributes
    ----------
    texts, names : tuple of str
        Names are () where there are none.
    """

    texts: tuple[str, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class RFrame(ReadOnlyArrays):
    """A data frame.

    Attributes
    ----------
    n_rows : int
    rows : tuple of str
        Names of the rows; () where R only counts them.
    columns : mapping of str to texts
        As a table writes them.
    odd : mapping of str to str
        Columns of neither numbers nor texts, and what they are.
    """

    n_rows: int
    rows: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    odd: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class RObjects(ReadOnlyArrays):
    """What a file holds, by name.

    Attributes
    ----------
    arrays, sparse, texts, frames : mapping of str
    others : mapping of str to str
        What the other objects are, in words.
    """

    arrays: Mapping[str, RArray]
    sparse: Mapping[str, RSparse]
    texts: Mapping[str, RTexts]
    frames: Mapping[str, RFrame]
    others: Mapping[str, str]

    @property
    def matrices(self) -> Mapping[str, RArray | RSparse]:
        """All numbers, sparse ones among them."""
        return {**self.arrays, **self.sparse}

    @property
    def shown(self) -> str:
        """All objects, for messages."""
        sizes = {
            name: " × ".join(map(str, array.shape))
            if len(array.shape) > 1
            else counted(array.shape[0], "number")
            for name, array in self.matrices.items()
        }
        sizes |= {name: counted(len(found.texts), "text") for name, found in self.texts.items()}
        sizes |= {
            name: f"a data frame of {counted(found.n_rows, 'row')}" for name, found in self.frames.items()
        }
        found = [
            f"{name} ({what})" if name else _alone(what) for name, what in {**sizes, **self.others}.items()
        ]
        return (
            ", ".join(found[:20]) + (f" and {len(found) - 20:,} more" if len(found) > 20 else "") or "nothing"
        )


def labels_beside(found: RObjects, ids: Sequence[str], n: int) -> tuple[list[str] | None, tuple[Note, ...]]:
    """Classes of n items out of a vector or factor that is called so, joined by its names if it has any.

    Parameters
    ----------
    found : RObjects
    ids : sequence of str
        Of the items; empty where they have none.
    n : int

    Returns
    -------
    labels, notes
        None where nothing is called like classes; what is called so and does not fit is named.
    """
    vectors = {name: (each.texts, each.names) for name, each in found.texts.items()}
    vectors |= {
        name: (tuple(map(plain_number, each.values.tolist())), each.axes[0])
        for name, each in found.arrays.items()
        if len(each.shape) == 1
    }
    for name, (texts, names) in vectors.items():
        if name.rpartition("$")[2].lower() not in CLASSES:
            continue
        if names and ids:
            known = dict(zip(names, texts, strict=True))
            if len(known) == len(names) and not known.keys().isdisjoint(ids):
                return [known.get(item, "") for item in ids], ()
        elif len(texts) == n:
            return list(texts), ()
        what = (
            f"{counted(len(texts), 'entry')}, named {listed(names, 2)}"
            if names
            else counted(len(texts), "entry")
        )
        return None, (
            Note(
                f"{name} is left out: it has {what}, where {counted(n, 'item')} need one each.",
                "Items have no classes.",
                "Mend it in the file, or bring classes as a table of their own.",
                "warning",
            ),
        )
    return None, ()


def _alone(what: str) -> str:
    return f"a matrix of {what}" if "×" in what else what


def simple(name: str) -> str:
    """Name of an object for messages: that of an .rds has none."""
    return name or "The object"


def is_r(upload: Upload) -> bool:
    """Whether an upload is a file of R, by its first bytes."""
    return upload.really_is in (R_FILE, R_OBJECT)


def r_objects(upload: Upload) -> RObjects:
    """Return what a file of R holds.

    Raises
    ------
    InvalidInputError
        Damaged, written as text, or nested beyond what data need.
    TooLargeError
        More objects or texts than are read.
    """
    return upload.remembered("objects of R", lambda: _opened(upload))


def _opened(upload: Upload) -> RObjects:
    data, filename = upload.data, upload.filename
    several = upload.really_is == R_FILE
    version, data = (data[:5], data[5:]) if several else (b"", data)
    if data[:2] not in (b"X\n", b"B\n"):
        raise InvalidInputError(
            f"{filename} has to be a file of R as save() and saveRDS() write it",
            "one that is written as text"
            if data[:1] == b"A"
            else f"one of another version ({version[:4]!r})",
            "Save it in R without ascii = TRUE, by R 2.4 or later",
        )
    from kernex_core.inputs import r_parser  # rdata is slow to import

    try:
        found = r_parser.parse(data)
        named = list(_named(found) if several else _elements("", found))
        return _sorted(named)
    except r_parser.TooManyObjectsError:
        raise TooLargeError(
            f"Files of R are read up to {r_parser.MOST_OBJECTS:,} objects and {r_parser.MOST_TEXTS:,} texts",
            f"more in {filename}",
            _REMEDY,
        ) from None
    except (r_parser.TooDeepError, RecursionError):
        raise InvalidInputError(
            f"Objects of R may stand inside each other up to {r_parser.MOST_DEPTH} deep",
            f"deeper ones in {filename}, as functions and models are",
            _REMEDY,
        ) from None
    except r_parser.DAMAGE as error:
        raise InvalidInputError(
            f"{filename} has to be a whole file of R",
            f"a damaged one, or one with objects that only R can read ({str(error)[:80]})",
            f"Save it again. {_REMEDY}",
        ) from None


def _named(found: RObject) -> Iterator[tuple[str, RObject]]:
    """Objects of an .RData, those of a list in it among them."""
    for name, each in _pairs(found):
        yield from _elements(name, each)


def _pairs(found: RObject | None) -> Iterator[tuple[str, RObject]]:
    """Names and values of a list in which each element holds the rest."""
    while found is not None and found.info.type.name == "LIST":
        value, rest = found.value
        yield _symbol(found.tag), value
        found = rest
    if found is not None and found.info.type.name not in ("NILVALUE", "NIL"):
        raise ValueError("no list of objects")


def _symbol(tag: RObject | None) -> str:
    if tag is not None and tag.info.type.name == "REF":
        tag = tag.referenced_object
    if tag is None or tag.info.type.name != "SYM":
        return ""
    return _decoded(tag.value.value)


def _decoded(raw: object) -> str:
    from kernex_core.inputs.r_parser import decoded

    return decoded(raw) if isinstance(raw, bytes) else ""


def _elements(name: str, found: RObject) -> Iterator[tuple[str, RObject]]:
    """An object, or the elements of a plain list by their names."""
    said = _attributes(found)
    if found.info.type.name != "VEC" or "class" in said or not found.value:
        yield name, found
        return
    titles = _texts_of(said["names"]) if "names" in said else ()
    for k, each in enumerate(found.value):
        title = (titles[k] if k < len(titles) else "") or str(k + 1)
        yield f"{name}${title}" if name else title, each


def _attributes(found: RObject) -> dict[str, RObject]:
    return dict(_pairs(found.attributes)) if found.attributes is not None else {}


def _texts_of(found: RObject | None) -> tuple[str, ...]:
    """Texts, "" where one is unknown; () of anything else."""
    if found is None or found.info.type.name != "STR":
        return ()
    return tuple("" if text is None else text for text in found.value)


def _sorted(named: Sequence[tuple[str, RObject]]) -> RObjects:
    arrays: dict[str, RArray] = {}
    by_entries: dict[str, RSparse] = {}
    texts: dict[str, RTexts] = {}
    frames: dict[str, RFrame] = {}
    others: dict[str, str] = {}
    names, _ = distinct([name for name, _ in named])
    for name, (_, found) in zip(names, named, strict=True):
        made = _made(found)
        if isinstance(made, RArray):
            arrays[name] = made
        elif isinstance(made, RSparse):
            by_entries[name] = made
        elif isinstance(made, RTexts):
            texts[name] = made
        elif isinstance(made, RFrame):
            frames[name] = made
        else:
            others[name] = made
    return RObjects(arrays, by_entries, texts, frames, others)


def _made(found: RObject) -> RArray | RSparse | RTexts | RFrame | str:
    """An object as data, or what it is instead."""
    said, kind = _attributes(found), found.info.type.name
    classes = _texts_of(said.get("class"))
    if kind == "VEC" and "data.frame" in classes:
        return _frame(found, said)
    if kind == "STR":
        return RTexts(_texts_of(found), _names(said, len(found.value)))
    if kind == "INT" and ("factor" in classes or "levels" in said):
        return RTexts(_levels(found, said), _names(said, found.value.size))
    if kind in ("LGL", "INT", "REAL"):
        return _array(found, said, classes)
    if kind == "S4" and classes and (layout := _SPARSE.fullmatch(classes[0])) is not None:
        return _sparse(said, symmetric=layout["of"] == "s", layout=layout["by"])
    what = _KINDS.get(kind, "something else")
    return f"{what} of class {classes[0][:40]}" if classes else what


def _names(said: Mapping[str, RObject], n: int) -> tuple[str, ...]:
    """Names of the entries of a vector, also of one of a single dimension (a table)."""
    names = _texts_of(said.get("names"))
    if not names and (listed := said.get("dimnames")) is not None and listed.value:
        names = _texts_of(listed.value[0])
    return names if len(names) == n else ()


def _levels(found: RObject, said: Mapping[str, RObject]) -> tuple[str, ...]:
    from kernex_core.inputs.r_parser import NA

    levels = ("", *_texts_of(said.get("levels")))
    codes = [0 if code == NA else code for code in found.value.tolist()]
    if codes and not 0 <= min(codes) <= max(codes) < len(levels):
        raise ValueError("a factor without the levels that it names")
    return tuple(levels[code] for code in codes)


def _numbers(found: RObject, classes: Sequence[str]) -> FloatArray:
    from kernex_core.inputs.r_parser import NA

    if "integer64" in classes and found.info.type.name == "REAL":
        whole = found.value.view(np.int64)  # whole numbers in the place of fractions
        return np.where(whole == np.iinfo(np.int64).min, np.nan, whole.astype(np.float64))
    if found.info.type.name == "REAL":
        # R's NA is a NaN that signals: arithmetic with it would warn
        return np.where(np.isnan(found.value), np.nan, found.value)
    return np.where(found.value == NA, np.nan, found.value.astype(np.float64))


def _array(found: RObject, said: Mapping[str, RObject], classes: Sequence[str]) -> RArray | str:
    values = _numbers(found, classes)
    if "dist" in classes and "Size" in said:
        n = int(said["Size"].value[0])
        if n < 0 or n * (n - 1) // 2 != values.size:
            raise ValueError(f"distances of {n:,} items are {values.size:,} numbers")
        labels = _texts_of(said.get("Labels"))
        axis = labels if len(labels) == n else ()
        return RArray(values, (axis, axis), "simil" if "simil" in classes else "dist")
    if (dim := said.get("dim")) is None:
        return RArray(values, (_names(said, values.size),))
    shape = tuple(int(size) for size in dim.value.tolist())
    if not 1 <= len(shape) <= MOST_DIMENSIONS or min(shape) < 0 or math.prod(shape) != values.size:
        raise ValueError(f"{values.size:,} numbers in the shape of {shape}")
    return RArray(values.reshape(shape, order="F"), tuple(_axes(said.get("dimnames"), shape)))


def _sparse(said: Mapping[str, RObject], *, symmetric: bool, layout: str) -> RSparse | str:
    """Entries by columns (C), by rows (R) or with both places (T); of a symmetric one a triangle."""
    shape = tuple(int(size) for size in said["Dim"].value.tolist())
    if len(shape) != 2 or min(shape) < 0:
        raise ValueError(f"a sparse matrix in the shape of {shape}")
    if max(shape) > MOST_COLUMNS or not min(shape):
        return f"a sparse matrix of {shape[0]:,} × {shape[1]:,}"
    places = [said[name].value.astype(np.int64) for name in _PLACES[layout]]
    # a pattern has no numbers: what is listed is TRUE
    values = _numbers(said["x"], ()) if "x" in said else np.ones(places[0].size)
    if layout == "T":
        found = sparse.csr_array(sparse.coo_array((values, (places[0], places[1])), shape=shape))
    else:
        if places[1].size != shape[layout == "C"] + 1:
            raise ValueError("pointers that do not fit the shape")
        make = sparse.csc_array if layout == "C" else sparse.csr_array
        made = make((values, places[0], places[1]), shape=shape)
        made.check_format(full_check=True)
        found = sparse.csr_array(made)
    if symmetric:
        if shape[0] != shape[1]:
            raise ValueError("a symmetric matrix that is not square")
        found = sparse.csr_array(found + found.T - sparse.diags_array(found.diagonal()))
    return RSparse(found, tuple(_axes(said.get("Dimnames"), shape)))


def _axes(listed: RObject | None, shape: Sequence[int]) -> list[tuple[str, ...]]:
    """Names along the dimensions, () where there are none."""
    given = listed.value if listed is not None and listed.info.type.name == "VEC" else []
    axes = [_texts_of(each) for each in given] or [()] * len(shape)
    if len(axes) != len(shape) or any(
        axis and len(axis) != size for axis, size in zip(axes, shape, strict=True)
    ):
        raise ValueError("names that do not fit the dimensions")
    return axes


def _items(pairs: int) -> int:
    """Number of items that have so many pairs."""
    return (1 + math.isqrt(1 + 8 * pairs)) // 2


def _frame(found: RObject, said: Mapping[str, RObject]) -> RFrame:
    titles = _texts_of(said.get("names"))
    if len(titles) != len(found.value) or len(set(titles)) != len(titles):
        raise ValueError("a data frame whose columns have no names, or the same")
    columns: dict[str, tuple[str, ...]] = {}
    odd: dict[str, str] = {}
    _check_cells(found.value)
    for title, each in zip(titles, found.value, strict=True):
        made = _column(each)
        if isinstance(made, str):
            odd[title] = made
        else:
            columns[title] = made
    sizes = {len(column) for column in columns.values()}
    rows = _row_names(said.get("row.names"), max(sizes, default=0))
    if len(sizes) > 1:
        raise ValueError("a data frame whose columns are of different length")
    return RFrame(max(sizes, default=0), rows, columns, odd)


def _check_cells(columns: Sequence[RObject]) -> None:
    """Refuse more entries than texts are read: each becomes one."""
    from kernex_core.inputs.r_parser import MOST_TEXTS, TooManyObjectsError

    if sum(len(each.value) for each in columns if hasattr(each.value, "__len__")) > MOST_TEXTS:
        raise TooManyObjectsError


def _row_names(found: RObject | None, n: int) -> tuple[str, ...]:
    """Names of rows, () where they are 1, 2, 3, …, which R writes as NA and their number."""
    if found is None:
        return ()
    names = _texts_of(found)
    if found.info.type.name in ("INT", "REAL") and found.value.size == n > 0:
        numbers = [int(value) for value in found.value.tolist()]
        names = () if numbers == list(range(1, n + 1)) or numbers[0] < 0 else tuple(map(str, numbers))
    return names if len(names) == n else ()


def _column(found: RObject) -> tuple[str, ...] | str:
    """A column as texts, or what it is instead."""
    from kernex_core.inputs.r_parser import NA

    said = _attributes(found)
    classes = _texts_of(said.get("class"))
    if "dim" in said:
        return "a matrix"
    if found.info.type.name == "LGL":
        words = {0: "FALSE", NA: ""}
        return tuple(words.get(value, "TRUE") for value in found.value.tolist())
    made = _made(found)
    if isinstance(made, RTexts):
        return made.texts
    if not isinstance(made, RArray):
        return made if isinstance(made, str) else "a table of its own"
    unit = {"Date": "D", "POSIXct": "s"}.get(classes[0] if classes else "")
    if unit is not None:
        return tuple(_moment(value, unit) for value in made.values.tolist())
    return tuple(plain_number(value) for value in made.values.ravel().tolist())


def _moment(value: float, unit: str) -> str:
    """A day, or a second of universal time, as ISO 8601 writes it."""
    if not abs(value) < (4e6 if unit == "D" else 4e6 * _DAY):
        return ""
    whole = np.datetime64(0, "D") if unit == "D" else np.datetime64(0, "s")
    return str(whole + np.timedelta64(math.floor(value), "D" if unit == "D" else "s"))


def plain_number(value: float) -> str:
    """A number as a table writes it: whole ones without a point, "" where it is unknown."""
    if value != value:
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
