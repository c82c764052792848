"""Columns of a table: the header found out, columns asked for by name or number."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.tables.dialect import DECIMAL_COMMA, NUMBER
from kernex_core.inputs.tables.table import UNKNOWN, Table

PLAIN_ID_NAME = re.compile(r"(id|ids|name|names|item|items|sample|accession|key|identifier|domain)$")
"""Names that say that a column holds ids."""
ID_NAME = re.compile(
    r"(ids?|names?|items?|samples?|accessions?|keys?|identifiers?|domains?|proteins?|genes?|patients?|subjects?|sequences?"
    r"|structures?|compounds?|molecules?|strains?|entry|sid|uid|pdb|symbols?|probes?|locus|orfs?|isolates?|sampleid)$"
)
PLAIN_LABEL_NAME = re.compile(r"(label|labels|class|classes|y|target|superfamily|category)$")
"""Names that say that a column holds labels."""
LABEL_NAME = re.compile(
    r"(label|labels|class|classes|y|target|superfamily|category|family|subfamily|fold|species|organism|genus|kingdom"
    r"|diagnosis|disease|phenotype|type|subtype|outcome|status|tissue|topic)$"
)
"""Names of labels, also those of properties that are rather labels than anything else."""
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


def says_label(word: str, table: Table, position: int) -> bool:
    """Whether the name of a column says that it holds labels: plainly, or over values that may be some."""
    plain = PLAIN_LABEL_NAME.match(word) is not None
    return plain or (LABEL_NAME.match(word) is not None and may_be_labels(table, position, 1))


def header_names(fields: Sequence[str]) -> bool:
    """Whether one of the fields is a name that headers have.

    Names that are also values (protein, type, status) say it only where no field is a number.
    """
    words = [column_words(field) for field in fields if field.strip() and len(field) < 60]
    if any(p.match(word) for word in words for p in (PLAIN_ID_NAME, PLAIN_LABEL_NAME, GROUP_NAME)):
        return True
    if any(NUMBER.match(field.strip()) or DECIMAL_COMMA.match(field.strip()) for field in fields):
        return False
    return any(p.match(word) for word in words for p in (ID_NAME, LABEL_NAME))


def measured_column(table: Table, position: int, first: int) -> bool:
    """Whether a column holds numbers with a fraction, in the first rows from row `first` on."""
    fields = [row.fields[position].strip() for row in table.head[first:] if position < len(row.fields)]
    return any(table.is_number(field) and not table.number(field).is_integer() for field in fields)


def unique_ids(table: Table, position: int, first: int) -> bool:
    """Whether a column may hold ids: in the first rows from row `first` on no value is empty or repeats.

    Text, or whole numbers.
    """
    fields = [row.fields[position].strip() for row in table.head[first:] if position < len(row.fields)]
    if measured_column(table, position, first):
        return False
    return all(fields) and len(set(fields)) == len(fields) > 1


def plainly_header(table: Table) -> bool:
    """Whether the first line holds names that headers have, none of which is a value of its column."""
    first = table.head[0].fields
    if table.titled:
        return True
    if not header_names(first):
        return False
    offset = int(bool(table.head[1:]) and len(table.head[1].fields) == len(first) + 1)
    return offset == 1 or not any(
        header_names([field])
        and any(field.strip() == row.fields[k].strip() for row in table.head[1:] if k < len(row.fields))
        for k, field in enumerate(first)
    )


def guessed_header(table: Table) -> bool:
    """Whether the first line, whose names say nothing, is unlike all lines below it.

    Text over a column of numbers; or a text that does not come again over a column in which others do, beside one that is
    written otherwise than the ids below it (without their digits, for example).
    """
    rows = [row.fields for row in table.head]
    if len(rows) < 4 or len({len(fields) for fields in rows}) > 1 or len(rows[0]) < 2:
        return False
    if not all(field.strip() and not table.is_number(field) for field in rows[0]):
        return False
    columns = [[field.strip() for field in column] for column in zip(*rows, strict=True)]
    known = [[field for field in column[1:] if field.lower() not in UNKNOWN] for column in columns]
    if any(below and all(map(table.is_number, below)) for below in known):
        return True
    repeats = any(
        column[0] not in below and 1 < len(set(below)) < len(below)
        for column, below in zip(columns, known, strict=True)
    )
    unlike = any(
        len(set(below)) == len(below)
        and len(shapes := set(map(_shape, below))) <= 2
        and _shape(column[0]) not in shapes
        for column, below in zip(columns, known, strict=True)
        if len(below) > 1
    )
    return repeats and unlike


def _shape(text: str) -> str:
    """How a text is written: runs of letters, of digits, other marks."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", text))


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
    found = table.text_columns(first)
    return position < found.size and bool(found[position])


LOOKED_AT = 3_000
FEWEST = 10
"""Lines from which on it tells something that none is there twice."""


def is_edge_list(table: Table) -> bool:
    """Whether a table holds pairs of the same items and nothing else.

    Two columns without a title for ids or labels, most rows with an id that occurs in both columns, and an item that is
    paired with several others: a label is one for each item. Or every item once at either end, as along a path: no class
    would be there once, and be an item.
    """
    rows = [row.fields for row in itertools.islice(table.rows(), LOOKED_AT)]
    if len(rows) < 2 or any(len(fields) != 2 for fields in rows):
        return False
    if header_names(rows[0]) and not all(map(called_id, rows[0])):
        return False
    pairs = [(a.strip(), b.strip()) for a, b in rows]
    if any({a.lower(), b.lower()} & UNKNOWN for a, b in pairs) or table.is_number(pairs[0][1]):
        return False
    sources, targets = {a for a, _ in pairs}, {b for _, b in pairs}
    shared = sum(a in targets or b in sources for a, b in pairs) / len(pairs)
    path = len(sources) == len(targets) == len(pairs) and not any(a == b for a, b in pairs)
    return shared > 0.5 and (len(sources) < len(pairs) or path) and not _are_clusters(pairs)


def is_cluster_table(table: Table) -> bool:
    """Whether a table holds clusters as MMseqs2 writes them: representative and member, each member once.

    The representative is a member of its own cluster: it stands beside itself, too.
    """
    rows = [row.fields for row in itertools.islice(table.rows(), LOOKED_AT)]
    if len(rows) < 2 or any(len(fields) != 2 for fields in rows):
        return False
    return _are_clusters([(a.strip(), b.strip()) for a, b in rows])


def _are_clusters(pairs: Sequence[tuple[str, str]]) -> bool:
    alone = {a for a, b in pairs if a == b}
    once = len({b for _, b in pairs}) == len(pairs)
    return once and len(alone) < len(pairs) and {a for a, _ in pairs} == alone


def joins_numbers(table: Table) -> bool:
    """Whether pairs of whole numbers, most of which occur in both columns, are rather edges than points on a grid.

    No number stands beside itself and no line is there twice: of as many points some would.
    """
    rows = [row.fields for row in itertools.islice(table.rows(), LOOKED_AT)]
    pairs = [tuple(field.strip() for field in fields) for fields in rows]
    told = len(pairs) >= FEWEST and len(set(pairs)) == len(pairs)
    return told and is_list_of_numbers(table) and all(pair[0] != pair[1] for pair in pairs)


def is_list_of_numbers(table: Table) -> bool:
    """Whether a table holds pairs of whole numbers, most of which occur in both columns: edges, or points on a grid."""
    rows = [row.fields for row in itertools.islice(table.rows(), LOOKED_AT)]
    if len(rows) < 2 or any(len(fields) != 2 for fields in rows):
        return False
    pairs = [(a.strip(), b.strip()) for a, b in rows]
    if not all(a.isdecimal() and b.isdecimal() for a, b in pairs):
        return False
    sources, targets = {a for a, _ in pairs}, {b for _, b in pairs}
    return 2 * sum(a in targets or b in sources for a, b in pairs) > len(pairs)
