"""Columns of a table: the header found out, columns asked for by name or number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.tables.table import UNKNOWN, Table

ID_NAME = re.compile(r"(id|ids|name|names|item|items|sample|accession|key|identifier|domain)$")
LABEL_NAME = re.compile(r"(label|labels|class|classes|y|target|superfamily|category)$")
GROUP_NAME = re.compile(r"(group|groups|cluster|clusters|block)$")


def column_words(title: str) -> str:
    """Last word of a column's title in lower case: "EC_class" gives "class"."""
    return _words(title)[-1]


def called_id(title: str) -> bool:
    """Whether a column's title says that it holds ids; "class id" and "label name" speak of classes."""
    words = _words(title)
    return bool(ID_NAME.match(words[-1])) and not any(LABEL_NAME.match(word) for word in words[:-1])


def called_label(title: str) -> bool:
    """Whether a column's title says that it holds labels."""
    words = _words(title)
    of_labels = (
        len(words) > 1 and ID_NAME.match(words[-1]) and any(LABEL_NAME.match(word) for word in words[:-1])
    )
    return bool(LABEL_NAME.match(words[-1]) or of_labels)


def _words(title: str) -> list[str]:
    return re.split(r"[\s_.\-]+", title.strip().lower())


def may_be_labels(table: Table, position: int, first: int) -> bool:
    """Whether a column may hold classes: in the first rows from row `first` on several values, of which one repeats.

    Text, or whole numbers; numbers with a fraction were measured.
    """
    fields = [row.fields[position].strip() for row in table.head[first:] if position < len(row.fields)]
    known = [field for field in fields if field.lower() not in UNKNOWN]
    if any(table.is_number(field) and not table.number(field).is_integer() for field in known):
        return False
    return 1 < len(set(known)) < len(known)


def header_names(fields: Sequence[str]) -> bool:
    """Whether one of the fields is a name that headers have."""
    return any(
        pattern.match(column_words(field))
        for field in fields
        for pattern in (ID_NAME, LABEL_NAME, GROUP_NAME)
        if field.strip() and len(field) < 60
    )


def find_column(wanted: str, names: Sequence[str], title: str, filename: str) -> int:
    """Position of a column that is asked for by name, or by number from 1.

    Raises
    ------
    InvalidInputError
        There is none; the message lists those that there are.
    """
    wanted = wanted.strip()
    if wanted in names:
        return list(names).index(wanted)
    folded = [name.strip().casefold() for name in names]
    if wanted.casefold() in folded:
        return folded.index(wanted.casefold())
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    shown = ", ".join(name or f"(column {i})" for i, name in enumerate(names[:12], 1))
    raise InvalidInputError(
        f"{title} has to be the name or the number of a column of {filename}",
        f"{wanted!r}; the columns are {shown}{', …' if len(names) > 12 else ''}",
        "Choose one of these",
    )


def is_text_column(table: Table, position: int, first: int) -> bool:
    """Whether a column holds text rather than numbers, in the first rows from row `first` on."""
    fields = [row.fields[position] for row in table.head[first:] if position < len(row.fields)]
    return any(not table.is_number(f) and f.strip().lower() not in UNKNOWN for f in fields)
