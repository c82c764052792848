"""How a text table is written: separator and decimal mark, found out by trying which explains the lines best."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import IntArray
from kernex_core.inputs.samples import Note
from kernex_core.inputs.tables.lines import begins, joined, occurs

if TYPE_CHECKING:
    import pandas as pd


SAMPLE = 60
"""Rows that are looked at."""
SAMPLE_SIZE = 200_000
WIDTH = 50
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?$")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$")
"""Commas that may divide thousands: three digits behind each."""
_POINTS_OF_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$")
_PERCENT = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)\s*%$")
Comma: TypeAlias = Literal["", "decimal", "thousands", "open", "points", "open points"]
"""What a comma inside numbers is: there is none, a decimal mark, a divider of thousands, or nobody can tell; or there is
none, and points divide thousands, or nobody can tell whether they do."""
_SPANNING = re.compile(r'(?:^|\t)"[^"\t]*\t')
"""A mark that begins a field and is not closed in it."""


@dataclass(frozen=True)
class Dialect:
    """How a table is written.

    Attributes
    ----------
    separator : str
        One character; " " stands for any white space.
    comma : str
        What a comma inside numbers is, or a point where there are none; see `Comma`.
    padded : bool
        A blank follows every separator and belongs to it.
    quoted : bool
        Quotation marks enclose fields; otherwise they are letters like all others, as search tools write them.
    percent : frozenset of int
        Positions of columns in which every number but 0 has a percent sign behind it.
    """

    separator: str
    comma: Comma = ""
    padded: bool = False
    quoted: bool = True
    percent: frozenset[int] = frozenset()

    @property
    def quoting(self) -> Literal[0, 3]:
        """What the module csv calls it."""
        return csv.QUOTE_MINIMAL if self.quoted else csv.QUOTE_NONE

    @property
    def plain_numbers(self) -> bool:
        """Whether numbers are written as Python writes them."""
        return not self.comma

    def plain(self, text: str) -> str:
        """A number as Python writes it: without commas; what is a mixture of ways stays, and is none."""
        if self.comma == "thousands":
            return text.replace(",", "") if THOUSANDS.match(text) else text
        if self.comma == "points":
            return text.replace(".", "") if _POINTS_OF_THOUSANDS.match(text) else text
        if self.comma in ("", "open points"):
            return text
        if "." not in text:
            return text.replace(",", ".")
        if not _POINTS_OF_THOUSANDS.match(text):
            return text
        # 1.200 is 1200 beside 1.200,5, and 1.2 elsewhere
        return text.replace(".", "").replace(",", ".") if "," in text else f"{text} beside decimal commas"


def find_dialect(lines: Sequence[str], separator: str = "") -> Dialect:
    """Find out how lines are written, from the first of them; the separator, too, if it is not given."""
    sample = list(_sample(lines))
    separator = separator or _separator(sample)
    rows = _split(sample, separator)
    # ids such as "0." stand on top or on the left, and are no numbers with a point
    inner = [field.strip() for fields in rows[1:] for field in fields[1:WIDTH]]
    fields = inner or [field.strip() for fields in rows for field in fields[:WIDTH]]
    joint = "".join(sample)
    padded = separator in ",;" and 0 < joint.count(separator) == joint.count(separator + " ")
    percent = _percent_columns(rows[1:]) if "%" in joint else frozenset()
    if percent:
        fields = [field.rstrip("% ") for field in fields]
    comma = _comma(fields) or ("open points" if _points_may_divide(rows) else "")
    return Dialect(separator, comma, padded, uses_quotes(lines, separator), percent)


def _percent_columns(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """Columns of which all numbers but 0 have a percent sign, and some do."""
    width = max(map(len, rows), default=0)
    columns = [
        [fields[k].strip() for fields in rows if k < len(fields)] for k in range(min(width, SAMPLE_SIZE))
    ]
    return frozenset(
        k
        for k, column in enumerate(columns)
        if any(map(_PERCENT.match, column))
        and not any(NUMBER.match(field) and field.strip("+-0.") for field in column)
    )


def without_percent(text: str) -> str:
    """A number without its percent sign, in a column of such; one that has none, and is not 0, is said to lack it."""
    bare = text.strip()
    if bare[-1:] == "%":
        return bare[:-1].rstrip()
    return f"{bare} without %" if NUMBER.match(bare) and bare.strip("+-0.") else text


def _comma(fields: Sequence[str]) -> Comma:
    """What a comma in numbers is: decided by numbers that can be read in one way only."""
    grouped = [field for field in fields if "," in field and THOUSANDS.match(field)]
    decimal = [
        field
        for field in fields
        if "," in field and DECIMAL_COMMA.match(field) and not THOUSANDS.match(field)
    ]
    points = sum("." in field and bool(NUMBER.match(field)) for field in fields)
    if decimal:
        return "decimal" if len(decimal) + len(grouped) > points else ""
    if not grouped:
        return (
            "decimal" if any("," in field and _POINTS_OF_THOUSANDS.match(field) for field in fields) else ""
        )
    told = any("." in field or field.count(",") > 1 for field in grouped)
    pointed = any(
        "." in field and NUMBER.match(field) and not _POINTS_OF_THOUSANDS.match(field) for field in fields
    )
    return "thousands" if told or pointed else "open"


def _points_may_divide(rows: Sequence[Sequence[str]]) -> bool:
    """Whether every number with a point has three digits behind it, 1.000 but not 0.500, and whole ones stand below it."""
    columns = list(itertools.zip_longest(*(fields[:WIDTH] for fields in rows[1:]), fillvalue=""))[1:]
    pointed = [field for column in columns for field in map(str.strip, column) if "." in field]
    if len(pointed) < 2 or not all(
        _POINTS_OF_THOUSANDS.match(field) and "," not in field for field in pointed
    ):
        return False
    return any(
        any("." in field for field in column)
        and any(field.strip().strip("0").isdecimal() for field in column)
        for column in columns
    )


def _separator(sample: Sequence[str]) -> str:
    """Mark that explains the lines best."""
    best = max("\t;, ", key=lambda s: (_fitness(sample, s), -"\t;, ".index(s)))
    # nobody writes a tab inside a field: other marks inside fields say nothing where tabs divide all lines alike
    separator = "\t" if _divides_evenly(sample, "\t") else best
    if separator == " " and not _divides_alike(sample, " "):
        # blanks inside names, below a heading that has none: a mark that divides the heading, too, explains more
        separator = next((mark for mark in ";," if _divides_alike(sample, mark)), separator)
    if separator == ",":  # commas that stand in numbers alone, where another mark divides, are decimal
        separator = next((mark for mark in "; " if _only_decimal_commas(sample, mark)), separator)
    return separator


def _divides_alike(sample: Sequence[str], mark: str) -> bool:
    """Whether a mark divides all lines, a heading among them, into as many fields, at least two."""
    rows = _split(sample, mark)
    return len({len(fields) for fields in rows}) == 1 and len(rows[0]) > 1


def _only_decimal_commas(sample: Sequence[str], mark: str) -> bool:
    """Whether a mark divides all lines into as many fields, in which commas stand in numbers alone."""
    rows = [line.split() if mark == " " else line.split(mark) for line in sample]
    sizes = {len(fields) for fields in rows[1:] or rows}
    if len(sizes) != 1 or min(sizes) < 2 or len(rows[0]) not in (min(sizes), min(sizes) - 1):
        return False
    with_comma = [field.strip() for fields in rows for field in fields if "," in field]
    return bool(with_comma) and all(
        DECIMAL_COMMA.match(field) or THOUSANDS.match(field) or _POINTS_OF_THOUSANDS.match(field)
        for field in with_comma
    )


def uses_quotes(lines: Sequence[str], separator: str) -> bool:
    """Whether quotation marks enclose fields.

    They do not where a mark stands at one end of a field alone, if all lines with such marks have as many fields as the
    others once marks are letters, and have not where marks enclose.
    """
    if not occurs('"', lines):
        return True
    odd = [line for line in lines if '"' in line and not _plainly_enclosed(line, separator)]
    if separator == "\t" and (spanning := [x for x in lines if '"' in x and _SPANNING.search(x)]):
        # nobody writes a tab inside a field: marks are letters where all lines then have as many fields
        sample = [line for line in itertools.islice(lines, SAMPLE) if line.strip()]
        bare = [_bare(line, separator) for line in (*sample, *spanning, *odd)]
        if len(set(bare)) == 1 and bare[0] > 1:
            return False
    if not odd:
        return True
    others = [
        line
        for line in itertools.islice(lines, SAMPLE)
        if line.strip() and _plainly_enclosed(line, separator)
    ]
    even = [_enclosed(line, separator) for line in others]
    enclosing, bare = [_enclosed(line, separator) for line in odd], [_bare(line, separator) for line in odd]
    return _agree(enclosing, even or enclosing) or not _agree(bare, even or bare)


def _agree(widths: Sequence[int], expected: Sequence[int]) -> bool:
    """Whether all numbers of fields are the commonest of the expected ones, and more than one."""
    commonest = max(set(expected), key=expected.count)
    return commonest > 1 and all(width == commonest for width in widths)


def _plainly_enclosed(line: str, separator: str) -> bool:
    """Whether all marks of a line stand at the beginning and at the end of fields, found by counting alone."""
    begin = line.count(f'{separator}"') + line.startswith('"')
    end = line.count(f'"{separator}') + line.endswith('"')
    return begin == end and line.count('"') == 2 * begin


def _bare(line: str, separator: str) -> int:
    """Number of fields if quotation marks mean nothing."""
    return len(line.split() if separator == " " else line.split(separator))


def _enclosed(line: str, separator: str) -> int:
    """Number of fields if quotation marks enclose; 0 if they do so wrongly."""
    space = separator == " "
    reader = csv.reader(
        [line.strip() if space else line], delimiter=separator, skipinitialspace=space, strict=True
    )
    try:
        return len(next(reader, []))
    except csv.Error:
        return 0


def _divides_evenly(sample: Sequence[str], separator: str) -> bool:
    counts = [line.count(separator) for line in sample]
    # a header in the style of R has one field less, and a field in quotation marks may hold anything
    return (
        bool(counts)
        and min(counts[1:] or counts) > 0
        and len(set(counts[1:] or counts)) == 1
        and (counts[0] in (counts[-1], counts[-1] - 1))
    )


def _sample(lines: Sequence[str]) -> Iterator[str]:
    """First lines, fewer of them where they are long."""
    size = 0
    for line in itertools.islice(lines, SAMPLE):
        if line.strip(" "):
            yield line
        size += len(line)
        if size > SAMPLE_SIZE:
            return


def _split(sample: Sequence[str], separator: str) -> list[list[str]]:
    space = separator == " "
    lines = [line.strip() if space else line for line in sample]
    quoting = Dialect(separator, quoted=uses_quotes(lines, separator)).quoting
    try:
        return [
            f for f in csv.reader(lines, delimiter=separator, skipinitialspace=space, quoting=quoting) if f
        ]
    except csv.Error:
        return []


def _fitness(sample: Sequence[str], separator: str) -> float:
    """How well a separator explains the lines: evenness of the number of fields, plus the share of numbers in them."""
    if not any(separator in line for line in sample):
        return 0.0
    rows = _split(sample, separator)
    several = [len(fields) for fields in rows if len(fields) > 1]
    if not several:
        return 0.0
    commonest = max(set(several), key=lambda count: (several.count(count), count))
    # a header in the style of R has one field less
    fitting = sum(len(f) == commonest or (i == 0 and len(f) == commonest - 1) for i, f in enumerate(rows))
    shown = [field.strip() for fields in rows for field in fields[:WIDTH]]
    numeric = sum(bool(NUMBER.match(field) or DECIMAL_COMMA.match(field)) for field in shown)
    return fitting / len(rows) + numeric / len(shown)


# Fields of very many lines, read by pandas: row by row would take minutes where there are millions.


def fields_of(
    lines: Sequence[str],
    dialect: Dialect,
    *,
    filename: str,
    expected: str,
    columns: list[int] | None = None,
    width: int | None = None,
    numbers: Mapping[int, list[str]] | None = None,
    fields: int = 0,
) -> pd.DataFrame:
    """Fields of lines as text, a heading among them; columns are called by their positions.

    Parameters
    ----------
    lines : sequence of str
    dialect : Dialect
    filename, expected : str
        For the refusal of a line that does not fit.
    columns : list of int, optional
        Only these are read.
    width : int, optional
        So many columns are made, the last of them empty in shorter lines; without it, as many as the first line has.
    numbers : mapping of int to list of str, optional
        Columns of numbers, each with the words for unknown ones.
    fields : int
        How many the first line has, where there are numbers and all columns are read.

    Raises
    ------
    InvalidInputError
        A line that has more fields than there are columns, a quotation mark that is not closed, or something else than a
        number among the numbers.
    """
    import pandas as pd
    import pyarrow as pa

    space = dialect.separator == " "
    text: Any = pd.ArrowDtype(pa.large_string())  # no object of Python's own for each field
    types: Any = text
    unknown: Any = dict(numbers or {})
    if numbers:
        types = {k: "float64" if k in numbers else text for k in columns or range(fields)}
    try:
        frame: pd.DataFrame = pd.read_csv(
            io.BytesIO(joined(lines).encode()),
            sep=r"\s+" if space else dialect.separator,
            header=None,
            names=None if width is None else range(width),
            usecols=columns,
            dtype=types,
            keep_default_na=False,
            na_values=unknown,
            skipinitialspace=space or dialect.padded,
            quoting=dialect.quoting,
            on_bad_lines="error",
        )
        return frame
    except (ValueError, csv.Error) as error:  # pandas' own errors are ValueErrors
        raise InvalidInputError(expected, f"{filename}: {str(error).strip()}") from None


def coded(one: pd.Series[Any], other: pd.Series[Any]) -> tuple[IntArray, list[str]]:
    """Both columns of text below each other as positions in the list of what stands in them; what is not there is ""."""
    import pandas as pd

    codes, found = pd.factorize(pd.concat([one, other], ignore_index=True).fillna(""))
    return codes, [str(name) for name in found]


MARK = "#"
TYPES = "#q2:types"
"""What QIIME writes below the names of columns: their types."""
LOOKED_AT = 3_000
"""Lines in which an id is looked for."""


def without_comments(lines: Sequence[str]) -> tuple[Sequence[str], int]:
    """Lines of a table without its comments, and the number of lines on top that were left out.

    Lines that begin with # are comments where all of them stand before the data, unless they have the columns of the
    table and their first field occurs again as another field: then it is an id. Below, one is a row if it has as many
    fields as the others (a blank behind the # speaks against it where blanks divide fields); and if one below is a row,
    those on top of the same form are rows, too. Comments below become empty lines, so that the others keep their numbers.
    """
    skipped = next(
        (k for k, line in enumerate(lines) if line.strip(" ") and not line.startswith(MARK)), len(lines)
    )
    on_top, rest = lines[:skipped], lines[skipped:]
    if not begins(MARK, on_top if rest else lines) and not begins(MARK, rest):  # as in most files
        return rest, skipped
    if rest and not begins(MARK, rest):
        first = _first_row(lines, skipped, list(itertools.islice(filter(str.strip, rest), LOOKED_AT)))
        return lines[first:], first
    below = [skipped + k for k, line in enumerate(rest) if line.startswith(MARK)]
    plain = [line for line in rest if line.strip() and not line.startswith(MARK)]
    marked = [line for line in lines if line.startswith(MARK)]
    separator = find_dialect(plain or marked).separator
    widths = [_width(line, separator) for line in (plain or marked)]
    # of comments alone nothing is a row unless all have the same fields
    width = max(set(widths), key=widths.count, default=0) if plain or len(set(widths)) == 1 else 0
    rows = {k for k, line in enumerate(lines) if line.startswith(MARK) and _is_row(line, separator, width)}
    if not plain and len(rows) < len(marked):
        return (), len(lines)
    first = (
        next((k for k in range(skipped) if k in rows), skipped)
        if rows.intersection(below) or not plain
        else skipped
    )
    kept = tuple(
        "" if line.startswith(MARK) and first + k not in rows else line
        for k, line in enumerate(lines[first:])
    )
    return kept, first


def header_behind_mark(on_top: Sequence[str], below: Sequence[str]) -> int | None:
    """Which of the lines on top is the header: the last that has as many fields as the rows, and no number.

    A blank behind the mark speaks against it unless tabs divide the fields; so do the types of columns below it (#q2:types).
    """
    if not any(line.startswith(MARK) for line in on_top):
        return None
    plain = [line for line in below[:LOOKED_AT] if line.strip()]
    if not plain:
        return None
    separator = find_dialect(plain).separator
    widths = [_width(line, separator) for line in plain]
    width = max(set(widths), key=widths.count)
    for k in range(len(on_top) - 1, -1, -1):
        line = on_top[k]
        if not line.startswith(MARK) or line.startswith(TYPES) or not line.strip(MARK + " "):
            continue
        bare = line.lstrip(MARK)
        fields = _fields(bare, separator)
        if len(fields) == 1 < width and bare[:1].isspace():  # a sentence
            continue
        named = len(fields) == width > 1 and not any(map(_numeric, fields)) and any(f.strip() for f in fields)
        return k if named and (separator == "\t" or not bare[:1].isspace()) else None
    return None


def like_rows(lines: Sequence[str], plain: Sequence[str]) -> list[int]:
    """Those of some lines that begin with # and have the columns of the others, numbers where these have numbers."""
    separator = find_dialect(plain).separator
    rows = [_fields(line, separator) for line in plain[:LOOKED_AT]]
    widths = [len(fields) for fields in rows]
    width = max(widths, key=widths.count)
    whole = [fields for fields in rows if len(fields) == width]
    numeric = [k for k in range(1, width) if all(_numeric(fields[k]) for fields in whole[-20:])]
    return [
        k
        for k, line in enumerate(lines)
        if _is_row(line, separator, width)
        and (
            all(_numeric(_fields(line, separator)[k]) for k in numeric)
            or any(field.strip().startswith(MARK) for field in _fields(line, separator)[1:])
        )
    ]


def comment_notes(on_top: Sequence[str], kept: Sequence[str]) -> tuple[Note, ...]:
    """A note on the lines on top that begin with # and are left out, though they look like the rows that are kept."""
    plain = [line for line in kept[:LOOKED_AT] if line.strip()]
    marked = [line for line in on_top if line.startswith(MARK)]
    rows = like_rows(marked, plain) if plain else []
    if not rows or not any(map(_numeric, marked[rows[0]].split())):
        return ()
    first = marked[rows[0]][:40]
    return (
        Note(
            f"Lines on top that begin with # and have the columns of the table: {len(rows):,} ({first!r}).",
            "They are left out as comments, because no such id occurs again.",
            "If they are items, write their ids without #, or put these lines further down.",
            "warning",
        ),
    )


def _first_row(lines: Sequence[str], skipped: int, plain: Sequence[str]) -> int:
    """Where the table begins: at the first line on top that holds ids, else behind all that begin with #."""
    if not skipped:
        return 0
    found = like_rows(lines[:skipped], plain)
    if not found or found != list(range(found[0], skipped)):
        return skipped
    separator = find_dialect(plain).separator
    on_top = [[field.strip() for field in _fields(lines[k], separator)] for k in found]
    others = {field.strip() for line in plain[:LOOKED_AT] for field in _fields(line, separator)[1:]}
    others.update(field for fields in on_top for field in fields[1:])
    again = any(fields[0] in others for fields in on_top) or any(
        field.startswith(MARK) for fields in on_top for field in fields[1:]
    )
    return found[0] if again else skipped


def _numeric(field: str) -> bool:
    text = field.strip()
    return NUMBER.match(text) is not None or DECIMAL_COMMA.match(text) is not None


def _is_row(line: str, separator: str, width: int) -> bool:
    return 1 < width == _width(line, separator) and not (separator == " " and line[1:2].isspace())


def _width(line: str, separator: str) -> int:
    if '"' in line:  # a separator inside a field divides nothing
        return len(_fields(line, separator))
    return len(line.split()) if separator == " " else 1 + line.count(separator)


def _fields(line: str, separator: str) -> list[str]:
    if '"' in line:
        with suppress(csv.Error):  # a field without end: whoever reads the table says so
            return next(csv.reader([line], delimiter=separator, skipinitialspace=separator == " "), [])
    return line.split() if separator == " " else line.split(separator)
