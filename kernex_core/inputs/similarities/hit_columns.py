"""Columns of hit tables: names from a header, from BLAST's comments, or by the usual twelve."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from kernex_core.inputs.tables.columns import ID_NAME, LABEL_NAME, column_words
from kernex_core.inputs.tables.table import UNKNOWN, Table, table_of
from kernex_core.inputs.upload import Upload

OUTFMT6 = (
    "query", "target", "pident", "alnlen", "mismatch", "gapopen", "qstart", "qend", "tstart", "tend", "evalue", "bits",
)  # fmt: skip
"""Columns of BLAST outfmt 6, MMseqs2 and Foldseek."""
_SYNONYMS = {
    "qseqid": "query", "query id": "query", "query acc.ver": "query", "query acc.": "query", "qaccver": "query",
    "sseqid": "target", "subject id": "target", "subject acc.ver": "target", "subject acc.": "target",
    "saccver": "target", "subject": "target", "hit": "target", "bitscore": "bits", "bit score": "bits",
    "% identity": "pident", "e-value": "evalue", "e value": "evalue", "alignment length": "alnlen", "length": "alnlen",
    "mismatches": "mismatch", "gap opens": "gapopen", "q. start": "qstart", "q. end": "qend", "s. start": "tstart",
    "s. end": "tend", "sstart": "tstart", "send": "tend",
}  # fmt: skip
_WIDEST = 200
_LOOKED_AT = 3_000
# alntmscore is divided by the length of the alignment: it passes 1, and what an item has with itself
_BEST = (
    "bits", "score", "qtmscore", "ttmscore", "tmscore", "tm", "lddt", "similarity", "weight", "alntmscore",
)  # fmt: skip
NOTHING = "*"
"""What stands in place of an item where a query has no hit (DIAMOND, with --unal 1)."""


@dataclass(frozen=True)
class HitColumns:
    """Columns of a table of pairs.

    Attributes
    ----------
    names : tuple of str
    header : bool
        The first row that is no comment holds the names.
    query, target : int
    numbers : tuple of int
        Columns that may be the score.
    known : bool
        The names were given, or are those of outfmt 6.
    """

    names: tuple[str, ...]
    header: bool
    query: int
    target: int
    numbers: tuple[int, ...]
    known: bool

    @property
    def default(self) -> int:
        """Column that is the likeliest score: the bit score, another known score, else the first number."""
        titled = [k for best in _BEST for k in self.numbers if self.names[k].lower() == best]
        return (titled or list(self.numbers))[0]


def canonical(name: str) -> str:
    """One name for what BLAST, MMseqs2 and Foldseek call differently."""
    plain = name.strip().lstrip("#").strip()
    return _SYNONYMS.get(plain.lower(), plain)


def find_columns(upload: Upload) -> HitColumns | None:
    """Columns of an upload, or None if it is no table with two columns of ids and one of numbers."""
    table = table_of(upload)
    if not table.head:
        return None
    first = table.head[0].fields
    width = len(first)
    if not 3 <= width <= _WIDEST:
        return None
    commented = _comment_names(upload.text)
    data_from = 0 if all(table.is_number(f) or k < 2 for k, f in enumerate(first)) else 1
    header = data_from == 1 and not any(table.is_number(f) for f in first)
    named = [canonical(f) for f in first] if header else commented
    known = named is not None and len(named) == width
    if not known:
        fraction = width >= 12 and _all_fractions(upload)
        named = list(OUTFMT6[:2]) + [f"column {k + 1}" for k in range(2, width)]
        if width >= 12:
            named[:12] = ["fident" if name == "pident" and fraction else name for name in OUTFMT6]
        elif width == 3:
            named[2] = "score"
    names = tuple(named or ())
    query = names.index("query") if "query" in names else 0
    target = names.index("target") if "target" in names else 1
    numbers = tuple(
        k for k in range(width) if k not in (query, target) and _mostly_numbers(table, k, int(header))
    )
    if query == target or not numbers or len(table.head) <= header:
        return None
    return HitColumns(names, header, query, target, numbers, known and {"query", "target"} <= set(names))


def _mostly_numbers(table: Table, position: int, first: int) -> bool:
    """Whether a column is one of numbers, perhaps with mistakes, which reading it will name."""
    fields = [row.fields[position] for row in table.head[first:] if position < len(row.fields)]
    good = sum(table.is_number(field) or field.strip().lower() in UNKNOWN for field in fields)
    return 2 * good > len(fields)


def _comment_names(text: str) -> list[str] | None:
    """Names from BLAST's "# Fields: ..." or from a header line that begins with #."""
    for line in text[:20_000].split("\n"):
        if line.startswith("# Fields:"):
            return [canonical(name) for name in line[9:].split(",")]
        if re.match(r"#\s*(query|qseqid)\b", line, re.IGNORECASE) and "\t" in line:
            return [canonical(name) for name in line.split("\t")]
    return None


def _all_fractions(upload: Upload) -> bool:
    table = table_of(upload)
    third = [
        table.number(row.fields[2])
        for row in table.head
        if len(row.fields) > 2 and table.is_number(row.fields[2])
    ]
    return bool(third) and max(third) <= 1.0


def shared_ids(upload: Upload, columns: HitColumns) -> float:
    """How much the columns of ids look like pairs of the same items: share of rows whose ids occur in both columns."""
    pairs = _first_pairs(upload, columns)
    if not pairs or any(not a.strip() or not b.strip() or {a.lower(), b.lower()} & UNKNOWN for a, b in pairs):
        return 0.0
    queries, targets = {a for a, _ in pairs}, {b for _, b in pairs}
    return sum(a in targets or b in queries for a, b in pairs) / len(pairs)


def names_classes(upload: Upload, columns: HitColumns) -> bool:
    """Whether the second column says the class of each item of the first, rather than another item.

    Every item has one, or none; several items share one; and either the columns are called so, or the second holds few
    texts, none of them an item.
    """
    found: dict[str, set[str]] = {}
    for item, other in _first_pairs(upload, columns):
        found.setdefault(item.strip(), set()).add(other.strip())
    texts = [next(iter(others)) for others in found.values()]
    named = [text for text in texts if text.lower() not in UNKNOWN]
    classes = set(named)
    if any(len(others) > 1 for others in found.values()) or len(classes) == len(named):
        return False
    called = columns.header and all(
        pattern.match(column_words(columns.names[at])) is not None
        for pattern, at in ((ID_NAME, columns.query), (LABEL_NAME, columns.target))
    )
    return called or (classes.isdisjoint(found) and 2 * len(classes) <= len(found))


def _first_pairs(upload: Upload, columns: HitColumns) -> list[tuple[str, str]]:
    """Both fields of ids of the first rows, but for those without a hit."""
    rows = itertools.islice(table_of(upload).rows(), int(columns.header), _LOOKED_AT)
    last = max(columns.query, columns.target)
    pairs = [
        (row.fields[columns.query], row.fields[columns.target]) for row in rows if len(row.fields) > last
    ]
    return [pair for pair in pairs if NOTHING not in pair]
