"""Columns of hit tables: names from a header, from BLAST's comments, or by the usual twelve."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray
from kernex_core.inputs.names import listed
from kernex_core.inputs.options import Answer, Question
from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.columns import ID_NAME, LABEL_NAME, column_words
from kernex_core.inputs.tables.dialect import fields_of, without_percent
from kernex_core.inputs.tables.table import UNKNOWN, WORDS, Table, table_of
from kernex_core.inputs.upload import Upload

if TYPE_CHECKING:
    import pandas as pd


# Tables of pairs by the columns of their tools, and what the name of a column says about its numbers.


@dataclass(frozen=True, eq=False)
class Signature(EqualByContent):
    """Columns of a tool's table of pairs.

    Attributes
    ----------
    tool : str
    query, target, score : str
        Titles of the columns, in lower case.
    own : float or None
        What an item has with itself, which such a table does not list; None: it is not known.
    reverse : str
        Column of the score in the other direction, if there is one.
    """

    tool: str
    query: str
    target: str
    score: str
    own: float | None = None
    reverse: str = ""


SIGNATURES: tuple[Signature, ...] = (
    Signature("STRING", "node1", "node2", "combined_score"),
    Signature("STRING", "protein1", "protein2", "combined_score"),
    Signature("US-align", "pdbchain1", "pdbchain2", "tm1", 1.0, "tm2"),
    Signature("CompareM", "genome a", "genome b", "mean aai", 100.0),
    Signature("skani", "ref_file", "query_file", "ani", 100.0),
    Signature("PLINK", "iid1", "iid2", "pi_hat", 1.0),
    Signature("KING", "id1", "id2", "kinship", 0.5),
    Signature("GCTA or PLINK 2", "#iid1", "iid2", "kinship", 0.5),
    Signature("PLINK 2", "iid1", "iid2", "kinship", 0.5),
)
"""More specific ones first."""


FASTANI = Signature("fastANI", "query", "target", "column 3", 100.0)
"""Known by what its columns hold: it writes no names."""


def signature_of(names: Sequence[str]) -> Signature | None:
    """The tool whose columns these are."""
    plain = {name.strip().lower() for name in names}
    return next((tool for tool in SIGNATURES if {tool.query, tool.target, tool.score} <= plain), None)


_FAR = re.compile(
    r"(distances?|dists?|differences?|diffs?|dissimilarit(y|ies)|divergences?|mismatch(es)?|rmsd|hamming|levenshtein"
    r"|euclidean|manhattan|curtis|unifrac|snps?)$"
)
_NEAR = re.compile(
    r"(similarit(y|ies)|identit(y|ies)|pident|fident|tm|tmscore|jaccard|tanimoto|dice|correlations?|pearson|spearman|cosine"
    r"|ani|aai|bits|bitscore|kinship|relatedness|kernel|affinity|overlap|sim)$"
)


def says_far(title: str) -> bool:
    """Whether the title of a column says that larger is further apart."""
    return any(_FAR.match(word) for word in _words(title))


def says_near(title: str) -> bool:
    """Whether the title of a column says that larger is more alike."""
    words = _words(title)
    return not says_far(title) and (
        "".join(words[-2:]) == "tmscore" or any(_NEAR.match(word) for word in words)
    )


def _words(title: str) -> list[str]:
    # "NumDifferences", "num_differences" and "Num. differences" are the same words
    parted = re.sub(r"([a-z])([A-Z])", r"\1 \2", title)
    return [word for word in re.split(r"[^a-z]+", parted.lower()) if word] or [""]


SPAN = 1e-15
"""Where the smallest positive of numbers up to 1 is less, they are rather E-values than similarities."""


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
    tool : Signature or None
        Whose columns these are.
    """

    names: tuple[str, ...]
    header: bool
    query: int
    target: int
    numbers: tuple[int, ...]
    known: bool
    tool: Signature | None = None

    @property
    def told(self) -> int | None:
        """Column that is the score: the only one of numbers, that of the tool, or one that is called like a known score."""
        wanted = [self.tool.score] if self.tool else list(_BEST)
        titled = [k for best in wanted for k in self.numbers if self.names[k].lower() == best]
        if titled or len(self.numbers) == 1:
            return (titled or list(self.numbers))[0]
        near = [k for k in self.numbers if says_near(self.names[k])]
        return near[0] if len(near) == 1 and self.header else None

    @property
    def default(self) -> int:
        """Column that is the likeliest score: the one that is told, else the first number."""
        return self.numbers[0] if self.told is None else self.told

    @property
    def reverse(self) -> int | None:
        """Column of the score in the other direction."""
        names = [name.lower() for name in self.names]
        return names.index(self.tool.reverse) if self.tool and self.tool.reverse in names else None


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
    tool = signature_of(names)
    query, target = _end_columns(names, tool, header)
    numbers = tuple(
        k for k in range(width) if k not in (query, target) and _mostly_numbers(table, k, int(header))
    )
    if tool is None and not header and _of_fastani(table):
        tool = FASTANI
    if query == target or not numbers or len(table.head) <= header:
        return None
    given = tool is not None or (known and {"query", "target"} <= set(names))
    return HitColumns(names, header, query, target, numbers, given, tool)


def _of_fastani(table: Table) -> bool:
    """Whether rows are those of fastANI: two genomes, an identity in per cent, fragments that match, and all of them."""
    rows = [[field.strip() for field in row.fields] for row in table.head]
    if any(
        len(fields) != 5 or not all(map(str.isdecimal, fields[3:])) or not table.is_number(fields[2])
        for fields in rows
    ):
        return False
    return all(
        70.0 <= table.number(fields[2]) <= 100.0 and int(fields[3]) <= int(fields[4]) for fields in rows
    )


_TWINS = (("1", "2"), ("a", "b"), ("i", "j"), ("x", "y"))
"""How the titles of both ends differ."""


def _end_columns(names: Sequence[str], tool: Signature | None, header: bool) -> tuple[int, int]:
    """Positions of both ids: by the tool, by BLAST's names, by titles that differ in 1 and 2 or A and B, else the first."""
    plain = [name.strip().lower() for name in names]
    if tool is not None:
        return plain.index(tool.query), plain.index(tool.target)
    if "query" in names or "target" in names or not header:
        query = list(names).index("query") if "query" in names else 0
        return query, list(names).index("target") if "target" in names else 1
    for k, name in enumerate(plain):
        for one, other in _TWINS:
            if name.endswith(one) and (twin := name.removesuffix(one) + other) in plain[k + 1 :]:
                return k, plain.index(twin)
    return 0, 1


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
    name = f"first pairs {columns.header} {columns.query} {columns.target}"
    found: list[tuple[str, str]] = upload.remembered(name, lambda: _pairs_on_top(upload, columns))
    return found


def _pairs_on_top(upload: Upload, columns: HitColumns) -> list[tuple[str, str]]:
    rows = itertools.islice(table_of(upload).rows(), int(columns.header), _LOOKED_AT)
    last = max(columns.query, columns.target)
    pairs = [
        (row.fields[columns.query], row.fields[columns.target]) for row in rows if len(row.fields) > last
    ]
    return [pair for pair in pairs if NOTHING not in pair]


# Lines of a hit table: ids and scores, those without a hit, and e-values on the scale of similarities.

SMALLEST_EVALUE = 1e-180
"""What an e-value of 0 counts as (BLAST writes 0 below it), unless the table has smaller ones."""


def lines_of(upload: Upload, columns: HitColumns, at: int) -> pd.DataFrame:
    """Ids and scores of every line; read by pandas because there may be millions. Scores are text unless all are numbers.

    Raises
    ------
    InvalidInputError
        Lines of different length, or without an id.
    """
    table = table_of(upload)
    used = sorted({columns.query, columns.target, at})
    read = partial(
        fields_of,
        dialect=table.dialect,
        filename=upload.filename,
        expected="Every line of a table of pairs has to have as many fields",
        columns=used,
    )
    frame, plain = None, table.dialect.plain_numbers and not table.dialect.percent and len(used) == 3
    body = _below(table.lines) if columns.header else table.lines
    if plain and body is not None:
        with suppress(InvalidInputError):  # what is no number, or does not fit, is said of the text
            frame = read(body, numbers={at: WORDS})
            if np.isin(
                frame[at].to_numpy(), (0.0, 1.0)
            ).all():  # True and False are no numbers, as pandas has them
                frame = None
    if frame is None:
        frame = read(table.lines).iloc[int(columns.header) :]
    frame = frame.rename(columns={columns.query: "query", columns.target: "target", at: "score"})
    blank = ~((frame["query"] != "") & (frame["target"] != "")).fillna(False)
    if blank.any():
        raise InvalidInputError(
            "Every line of a table of pairs needs two ids",
            f"none in data line {int(np.flatnonzero(blank.to_numpy())[0]) + 1} of {upload.filename}",
        )
    return frame


def _below(lines: Sequence[str]) -> Sequence[str] | None:
    """Lines below the first that holds something; None where its end is not sure, because it has quotes."""
    at = next((k for k, line in enumerate(lines) if line.strip()), 0)
    return None if '"' in lines[at] else lines[at + 1 :]


def without_nothing(
    frame: pd.DataFrame, codes: IntArray, ids: list[str]
) -> tuple[pd.DataFrame, IntArray, list[str], list[Note]]:
    """Pairs without those whose one item is *: no hit. The other item stays, without a pair of its own."""
    if NOTHING not in ids:
        return frame, codes, ids, []
    at, half = ids.index(NOTHING), len(frame)
    hit = (codes[:half] != at) & (codes[half:] != at)
    others = np.unique(codes[np.r_[~hit, ~hit]])
    lonely = [ids[k] for k in others if k != at]
    codes = codes[np.r_[hit, hit]]
    note = Note(
        f"Lines with {NOTHING} in place of an item, which means no hit: {int((~hit).sum()):,} ({listed(lonely)}).",
        "They are no pairs; the items stay.",
        "",
        "fine",
    )
    return frame[hit], codes - (codes > at), [*ids[:at], *ids[at + 1 :]], [note]


def scores(
    frame: pd.DataFrame, upload: Upload, name: str, scale: str, at: int = -1
) -> tuple[FloatArray, list[Note]]:
    """Scores of all lines as numbers, −log10 of them where that is meant.

    Raises
    ------
    InvalidInputError
        Naming the line of a score that is no number, or a negative e-value.
    """
    import pandas as pd

    if frame["score"].dtype == np.float64:
        score = frame["score"].to_numpy(dtype=np.float64).copy()
        return _scaled(frame, score, np.isnan(score), upload, name, scale)
    text = frame["score"].astype(str).str.strip()
    if at in table_of(upload).dialect.percent:
        text = text.map(without_percent)
    table_of(upload).check_commas()
    if not table_of(upload).dialect.plain_numbers:
        text = text.map(table_of(upload).dialect.plain)
    unknown = text.str.lower().isin(UNKNOWN).to_numpy(dtype=np.bool_)
    score = pd.to_numeric(text.where(~unknown, "nan"), errors="coerce").to_numpy(dtype=np.float64).copy()
    bad = np.isnan(score) & ~unknown
    if bad.any():
        row = frame.iloc[int(np.flatnonzero(bad)[0])]
        raise InvalidInputError(
            "Every score has to be a number",
            f"{str(row['score'])[:40]!r} for {row['query']!r} and {row['target']!r}, data line "
            f"{int(np.flatnonzero(bad)[0]) + 1}, column {name!r} of {upload.filename}",
            "Choose another score column, or correct that line",
        )
    return _scaled(frame, score, unknown, upload, name, scale)


def _scaled(
    frame: pd.DataFrame, score: FloatArray, unknown: BoolArray, upload: Upload, name: str, scale: str
) -> tuple[FloatArray, list[Note]]:
    notes = []
    if unknown.any():
        notes.append(Note(f"Lines without a score: {int(unknown.sum()):,}.", "Those pairs are unknown."))
    if scale == "auto" and name.lower() not in _SMALL_IS_NEAR and (question := _small_ones(frame, score)):
        raise question.refusal(upload.filename)
    if scale == "minus_log10" or (scale == "auto" and name.lower() in _SMALL_IS_NEAR):
        score, note = _minus_log10(score, name, upload.filename)
        notes.append(note)
    return score, notes


_SMALL_IS_NEAR = ("evalue", "pvalue")


def evalue_question(pair: str, value: float) -> Question:
    """Ask whether numbers that span so many decades below 1 are E-values."""
    return Question(
        "scale",
        "Numbers down to 1e-15 and less, none above 1, are similarities, or E-values, of which the smallest are the best",
        f"{pair}: {value:g}",
        (
            Answer("minus_log10", f"{-np.log10(value):.4g} by −log10: smaller is more alike"),
            Answer("as_is", f"{value:g}: smaller is less alike"),
        ),
    )


def _small_ones(frame: pd.DataFrame, score: FloatArray) -> Question | None:
    """The question whether scores are E-values, where they look like it and no item is most alike to itself."""
    known = score[~np.isnan(score)]
    positive = known[known > 0.0]
    if not positive.size or positive.min() >= SPAN or known.min() < 0.0 or known.max() > 1.0:
        return None
    own = (frame["query"] == frame["target"]).to_numpy(dtype=np.bool_) & ~np.isnan(score)
    if own.any() and score[own].min() >= known.max():
        return None
    k = int(np.flatnonzero(score == positive.min())[0])
    row = frame.iloc[k]
    return evalue_question(f"{row['query']} and {row['target']}", float(score[k]))


def _minus_log10(score: FloatArray, name: str, filename: str) -> tuple[FloatArray, Note]:
    known = score[~np.isnan(score)]
    if (known < 0.0).any():
        raise InvalidInputError(
            f"−log10 needs values of at least 0 in the column {name!r}",
            f"{known.min():g} in {filename}",
            "Choose the scale as is",
        )
    positive = known[known > 0.0]
    floor = min(SMALLEST_EVALUE, float(positive.min())) if positive.size else SMALLEST_EVALUE
    zeros = int((known == 0.0).sum())
    extra = f" {zeros:,} values of 0 count as {floor:.3g}." if zeros else ""
    scaled = -np.log10(np.where(score == 0.0, floor, score))
    return scaled, Note(
        f"The column {name!r} holds e-values: smaller is more alike.",
        f"−log10 is taken.{extra}",
        "Choose the scale as is.",
    )
