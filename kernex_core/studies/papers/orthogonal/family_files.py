"""Tables of families (Table 6): which sequences train and test each family, as the visitor's file says it."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import ReadOnlyArrays
from kernex_core.gram.provenance import Call, File, call

ROLES = ("+train", "+test", "-train", "-test")
"""What a cell of the table of families may say; empty: the sequence has no part in that family."""
_SEPARATORS = ("\t", ";", ",")


@dataclass(frozen=True, eq=False)
class Families(ReadOnlyArrays):
    """Which sequences train and test each family.

    Attributes
    ----------
    ids, names : tuple of str
        Sequences and families.
    roles : (n, n_families) str
        One of ROLES, or "".
    recipe : Call, optional
        Of the file that was read.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]
    roles: NDArray[np.str_]
    recipe: Call | None = None


def read_families(data: bytes, filename: str, *, sha256: str = "") -> Families:
    """Read a table of families: a header of family names, then an id and one cell a family in every line.

    Parameters
    ----------
    data : bytes
        Fields between tabs, semicolons or commas. A cell is +train, +test, -train, -test or empty; numbers are refused,
        since their meaning differs between the copies of this table that go around.
    filename : str
    sha256 : str
        What the file's hash has to begin with; scripts name it.

    Raises
    ------
    InvalidInputError
        Another file, another cell (row and family named), lines of other lengths, repeated ids or families, fields that
        are too long for a table, or nothing to read.
    """
    digits = hashlib.sha256(data).hexdigest()
    if not digits.startswith(sha256):
        raise InvalidInputError(f"{filename} has to be the file with SHA-256 {sha256}…", f"{digits[:16]}…")
    lines = list(_lines(data.decode("utf-8-sig", "replace"), filename))
    if len(lines) < 2 or len(lines[0][1]) < 2:
        width = f" of {len(lines[0][1])} fields" if lines else ""
        raise InvalidInputError(
            f"{filename} has to have a header of family names and a line a sequence",
            f"{len(lines)} lines{width}",
            "Put commas, semicolons or tabs between id and cells",
        )
    names, ids, cells = tuple(name.strip() for name in lines[0][1][1:]), [], []
    for number, row in lines[1:]:
        ids.append(row[0].strip())
        cells.append(_roles(row[1:], names, number, filename))
    _check_once(ids, "sequence has one line")
    _check_once(list(names), "family has one column")
    origin = call("families", "read_families", File(filename), filename, sha256=digits[:16])
    return Families(tuple(ids), names, np.array(cells, dtype=np.str_), origin)


def _lines(text: str, filename: str) -> Iterator[tuple[int, list[str]]]:
    """Number and fields of every line that is not empty."""
    first = text.lstrip("\r\n").split("\n", 1)[0]
    reader = csv.reader(
        io.StringIO(text), delimiter=next((each for each in _SEPARATORS if each in first), ",")
    )
    try:
        for row in reader:
            if any(row):
                yield reader.line_num, row
    except csv.Error as error:
        raise InvalidInputError(
            f"{filename} has to be a table of short fields: an id, and a role in each family",
            f"{error}, in line {reader.line_num}",
        ) from None


def _roles(row: list[str], names: tuple[str, ...], number: int, filename: str) -> list[str]:
    roles = [cell.strip().replace("−", "-") for cell in row]
    wrong = next((at for at, role in enumerate(roles) if role not in ("", *ROLES)), None)
    if wrong is None and len(roles) == len(names):
        return roles
    found = f"{len(roles)} cells" if wrong is None else f"{_shortened(roles[wrong])!r} in column {wrong + 2}"
    raise InvalidInputError(
        f"A line of {filename} is an id and {len(names)} cells, each of {', '.join(ROLES)} or empty",
        f"{found} of line {number}",
    )


def _check_once(names: list[str], rule: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidInputError(f"Every {rule}", f"{_shortened(name)!r} twice")
        seen.add(name)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
