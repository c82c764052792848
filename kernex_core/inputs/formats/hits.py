"""All-vs-all hit tables: BLAST outfmt 6 and 7, MMseqs2, Foldseek, and plain tables of pairs with a score."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import IntArray
from kernex_core.base.parameters import parameter
from kernex_core.inputs.format import TEXT_ENDINGS, Format, Suggestion
from kernex_core.inputs.names import listed
from kernex_core.inputs.options import Answer, Question
from kernex_core.inputs.samples import Note, Similarity
from kernex_core.inputs.similarities.finish import FAR_OR_NEAR, Pairs
from kernex_core.inputs.similarities.hits import (
    HitColumns,
    canonical,
    find_columns,
    lines_of,
    names_classes,
    says_far,
    says_near,
    scores,
    shared_ids,
    without_nothing,
)
from kernex_core.inputs.similarities.pairs import PairOptions, from_pairs
from kernex_core.inputs.tables.columns import find_column
from kernex_core.inputs.tables.dialect import coded
from kernex_core.inputs.tables.expression import known_table
from kernex_core.inputs.tables.table import table_of
from kernex_core.inputs.tables.workbook import on_text
from kernex_core.inputs.upload import Upload

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 3
"""Pairs from which on it tells something that no item stands in both columns."""
_OR_NETWORK = Note(
    "Two columns of ids and one of numbers may be pairs with a score or a network.",
    "They are read as pairs with a score: what is not listed is unknown, unless you choose 0.",
    "Read them as a network if what is not listed is no edge.",
    "fine",
)


@dataclass(frozen=True)
class HitOptions(PairOptions):
    """How a hit table is read."""

    score_column: str = parameter(
        "",
        help="Name or number of the column of scores; empty: the bit score, else the first column of numbers.",
        label="Score column",
    )


@on_text
def sniff(upload: Upload) -> float:
    """Confidence that an upload is a hit table."""
    return _confidence(upload, hits=True)


@on_text
def sniff_pairs(upload: Upload) -> float:
    """Confidence that an upload is a table of pairs with one score."""
    return _confidence(upload, hits=False)


def _confidence(upload: Upload, *, hits: bool) -> float:
    if not upload.is_text or known_table(upload) is not None:
        return 0.0
    columns = find_columns(upload)
    if (
        columns is None
        or (len(columns.names) > 3) != hits
        or (columns.tool is None and len(columns.numbers) < (len(columns.names) - 2) / 2)
    ):
        return 0.0
    if columns.known:
        return 0.97
    if _of_items(upload, columns):
        return 0.0
    if not hits and pairs_told(upload, columns):
        return 0.985
    if len(columns.names) != 12 and names_classes(upload, columns):
        return 0.0
    table, shared = table_of(upload), shared_ids(upload, columns)
    last = max(columns.query, columns.target)
    whole = [row.fields for row in table.head[columns.header :] if len(row.fields) > last]
    pairs = [(fields[columns.query], fields[columns.target]) for fields in whole]
    text = [not table.is_number(query) and not table.is_number(target) for query, target in pairs]
    if all(text):
        if hits and not shared and len(columns.names) != 12 and not _of_distances(upload, columns, 2):
            return 0.05  # columns of text, and some of numbers
        return 0.92 if len(columns.names) == 12 or shared > 0.5 else 0.7
    if any(text):
        return 0.92 if shared > 0.5 else 0.0
    numbered = all(query.isdecimal() and target.isdecimal() for query, target in pairs)
    # three rows of three numbers are rather a matrix
    return 0.65 if not hits and numbered and shared > 0.5 and len(pairs) != 3 else 0.0


def _of_items(upload: Upload, columns: HitColumns) -> bool:
    """Whether the line behind # on top names items and something about each of them, as QIIME's and BIOM's tables do."""
    first, second = (columns.names[at].strip().lower() for at in (columns.query, columns.target))
    return table_of(upload).titled and _ITEMS.search(first) is not None and _ITEMS.search(second) is None


_ITEMS = re.compile(r"^(sample|otu|feature|item|observation)[ _.-]?(id|name)?$")


@on_text
def score_columns(upload: Upload) -> tuple[str, ...]:
    """Names of the columns that may be the score, the default first; () if the upload is no table of pairs."""
    columns = find_columns(upload) if upload.is_text else None
    if columns is None:
        return ()
    order = [columns.default, *(k for k in columns.numbers if k != columns.default)]
    return tuple(columns.names[k] for k in order)


@on_text
def suggest(upload: Upload) -> Suggestion:
    """The columns of numbers that may be the score; empty: the bit score, else the first of them."""
    choices = {"score_column": ("", *score_columns(upload))}
    return Suggestion(_suggested(upload, HitOptions()), choices, column=_score_name(upload))


@on_text
def suggest_pairs(upload: Upload) -> Suggestion:
    """Distances where the name of the column says so; the page offers a conversion where the numbers look like them."""
    return Suggestion(_suggested(upload, PairOptions()), column=_score_name(upload))


def _score_name(upload: Upload) -> str:
    """Name of the column that is the score unless another is chosen."""
    columns = find_columns(upload) if upload.is_text else None
    return "" if columns is None else columns.names[columns.default]


@on_text
def read_pairs(upload: Upload, options: PairOptions) -> Similarity:
    """Read a table of three columns: item, item, score."""
    made = _read(upload, options, "", options.scale)
    return replace(made, notes=(*made.notes, _OR_NETWORK))


@on_text
def read(upload: Upload, options: HitOptions) -> Similarity:
    """Read a hit table.

    Raises
    ------
    InvalidInputError
        No two columns of ids and one of numbers, no such score column, or a score that is no number.
    TooLargeError
        More items than the limit, before the matrix is made.
    """
    return _read(upload, options, options.score_column, options.scale)


@on_text
def listed_pairs(upload: Upload, score_column: str = "") -> Pairs:
    """Items and pairs of a table as they are listed, without making a matrix.

    Raises
    ------
    InvalidInputError
        See `read`.
    """
    found = _listed(upload, score_column)
    score, _ = scores(found.frame, upload, found.columns.names[found.at], "as_is", found.at)
    return Pairs(found.query, found.target, score, found.ids)


class _Listed(NamedTuple):
    """Lines of a table of pairs that name two items: its columns, the place of the score, and the items by position."""

    columns: HitColumns
    at: int
    frame: pd.DataFrame
    query: IntArray
    target: IntArray
    ids: list[str]
    notes: list[Note]


def _listed(upload: Upload, score_column: str) -> _Listed:
    columns = _columns(upload)
    at = columns.default
    if score_column:
        at = find_column(canonical(score_column), columns.names, "The score column", upload.filename)
    frame = lines_of(upload, columns, at)
    frame, codes, ids, notes = without_nothing(frame, *coded(frame["query"], frame["target"]))
    query, target = np.split(codes, 2)
    return _Listed(columns, at, frame, query, target, ids, notes)


def _columns(upload: Upload) -> HitColumns:
    columns = find_columns(upload)
    if columns is None:
        raise InvalidInputError(
            "A table of pairs has two columns of ids and at least one of numbers",
            f"no such columns in {upload.filename}",
            "Export query, target and score",
        )
    return columns


def pairs_told(upload: Upload, columns: HitColumns) -> bool:
    """Whether three columns are pairs rather than edges: numbers are called near or far, or items stand beside themselves.

    A network has no edge from a node to itself, as a rule; pairs have one for every item, or for none.
    """
    if len(columns.names) != 3 or not columns.header:
        return False
    title = columns.names[columns.default]
    if title.lower() in ("weight", "weights", "w", "strength") or any(
        len(row.fields) != 3 for row in table_of(upload).head
    ):
        return False
    if says_near(title) or says_far(title):
        return True
    rows = [row.fields for row in table_of(upload).head[1:] if len(row.fields) == 3]
    pairs = [(fields[columns.query].strip(), fields[columns.target].strip()) for fields in rows]
    beside_themselves = 2 * sum(a == b for a, b in pairs) >= len({name for pair in pairs for name in pair})
    return beside_themselves and not names_classes(upload, columns)  # 0 may be of class 0


@on_text
def ask(upload: Upload, given: Mapping[str, object]) -> tuple[Question, ...]:
    """Which column is the score, where several may be and no name tells; and whether larger is further apart."""
    columns = find_columns(upload) if upload.is_text else None
    if columns is None:
        return ()
    rows = [row for row in table_of(upload).head[columns.header :] if len(row.fields) == len(columns.names)]
    if not rows:
        return ()
    first = rows[0].fields
    pair = f"{first[columns.query].strip()} and {first[columns.target].strip()}"
    wanted = given.get("score_column", "")
    if not wanted and columns.told is None and columns.header and len(columns.names) > 3:
        answers = tuple(Answer(columns.names[k], first[k].strip()) for k in columns.numbers)
        return (Question("score_column", "Several columns of numbers may be the score", pair, answers),)
    at = (
        find_column(canonical(str(wanted)), columns.names, "The score column", upload.filename)
        if wanted
        else columns.default
    )
    if not (columns.header and says_far(columns.names[at])) and not _of_distances(upload, columns, at):
        return ()
    return (
        Question(
            "meaning",
            f"The column is called {columns.names[at]}: larger is further apart",
            f"{pair}: {first[at].strip()}",
            FAR_OR_NEAR,
            "distance",
        ),
    )


def _of_distances(upload: Upload, columns: HitColumns, at: int) -> bool:
    """Whether a table without names is one of distances: mothur's by its ending, Mash's by its last column."""
    if columns.header or at != 2:
        return False
    if len(columns.names) == 3:
        return upload.extension == "dist"
    rows = table_of(upload).head
    return len(columns.names) == 5 and all(re.fullmatch(r"\d+/\d+", row.fields[-1].strip()) for row in rows)


def _suggested(upload: Upload, options: PairOptions) -> PairOptions:
    """Options with the meaning that a name gives."""
    told = next((q.decided for q in ask(upload, {}) if q.option == "meaning"), "")
    return replace(options, meaning="distance") if told == "distance" else options


def _read(upload: Upload, options: PairOptions, wanted: str, scale: str) -> Similarity:
    columns, at, frame, query, target, ids, lonely = _listed(upload, wanted)
    score, notes = scores(frame, upload, columns.names[at], scale, at)
    notes += lonely
    own = None
    if columns.tool is not None and at == columns.default:
        own = columns.tool.own
        notes.append(Note(f"The columns are those of {columns.tool.tool}.", severity="fine"))
        if columns.reverse is not None:
            back, _ = scores(
                lines_of(upload, columns, columns.reverse), upload, columns.names[columns.reverse], scale
            )
            query, target, score = np.r_[query, target], np.r_[target, query], np.r_[score, back]
            notes.append(
                Note(
                    f"{columns.names[columns.reverse]} is the score in the other direction.",
                    "Both are read.",
                    "",
                    "fine",
                )
            )
    elif (far := columns.header and says_far(columns.names[at])) or _of_distances(upload, columns, at):
        said = (
            f"The column is called {columns.names[at]}"
            if far
            else "The table has the form of a tool for distances"
        )
        notes.append(
            Note(
                f"{said}: larger is further apart.",
                "They are distances."
                if options.meaning == "distance"
                else "They are similarities, as was chosen.",
                "Say what they mean.",
                "fine" if options.meaning == "distance" else "warning",
            )
        )
    if query.size >= FEWEST and not np.intersect1d(query, target).size:
        notes.append(
            Note(
                f"No item stands in both columns of ids ({ids[query[0]]}, {ids[target[0]]}): items of two kinds, perhaps.",
                "Both are items of one matrix; pairs within a kind are not listed.",
                "If the one are items and the others measurements, make a table with one row an item.",
                "warning",
            )
        )
    shown = listed([columns.names[k] for k in columns.numbers], 8)
    if len(columns.numbers) > 1:
        notes.append(
            Note(
                f"The table has the scores {shown}.",
                f"{columns.names[at]} is taken.",
                "Choose another score column.",
                "fine",
            )
        )
    return from_pairs(
        query,
        target,
        score,
        ids,
        upload,
        options,
        notes,
        own,
    )


PAIRS = Format(
    "pairs",
    "Pairs with a score",
    "similarity",
    TEXT_ENDINGS,
    sniff_pairs,
    suggest_pairs,
    read_pairs,
    PairOptions,
    ask=ask,
)
HITS = Format(
    "hits",
    "Hit table (BLAST, MMseqs2, Foldseek)",
    "similarity",
    ("m8", "tsv", "tab", "blast", "out", "txt", "csv"),
    sniff,
    suggest,
    read,
    HitOptions,
    ask=ask,
)
