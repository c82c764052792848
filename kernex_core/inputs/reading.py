"""read_samples: from uploaded bytes to similarities, sequences, vectors, a network or graphs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import PurePath
from typing import Any, Final

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import EqualByContent
from kernex_core.base.parameters import check_choice
from kernex_core.base.validation import SAMPLE_LIMIT
from kernex_core.inputs.arrays import headers_of, shown_arrays
from kernex_core.inputs.catalogue import FORMATS, LABELS, format_named
from kernex_core.inputs.dataset import AnySamples
from kernex_core.inputs.format import SURE, Format
from kernex_core.inputs.graphs.archive import member_names, shown
from kernex_core.inputs.names import listed
from kernex_core.inputs.nodes import nearly_number_columns
from kernex_core.inputs.options import OpenQuestionError, Question, ReadOptions
from kernex_core.inputs.r_objects import is_r, r_objects
from kernex_core.inputs.samples import Labels, Note
from kernex_core.inputs.similarities.finish import far_question
from kernex_core.inputs.tables.columns import is_edge_list
from kernex_core.inputs.tables.dialect import MARK, comment_notes
from kernex_core.inputs.tables.foreign import foreign
from kernex_core.inputs.tables.lines import check_counts
from kernex_core.inputs.tables.table import table_notes, table_of, with_commas
from kernex_core.inputs.tables.workbook import any_table, has_table, sheet_names
from kernex_core.inputs.upload import LARGE_TEXT, ZIP, Upload, open_upload, open_zip

_EXPECTED = {
    "similarity": "A square matrix, or a table of pairs with scores, was expected",
    "sequences": "Sequences were expected: FASTA (lines that begin with >, and letters below), an alignment, or records",
    "vectors": "A table of numbers with one row an item was expected",
    "network": "A network was expected: a list of edges, an adjacency matrix, GraphML, GML or MatrixMarket",
    "graphs": "Graphs were expected: a zip of a TUDataset folder, or of GraphML or GML files, one a graph",
    None: "A similarity matrix, a table of pairs, sequences, vectors, a network or graphs were expected",
}
_PACK_GRAPHS = "Graphs come as a zip of a TUDataset folder, or of GraphML or GML files"
FASTA: Final = "fasta"
OF_ITEMS = tuple(form for form in FORMATS if form.name != LABELS)
"""Formats of files that hold items."""


@dataclasses.dataclass(frozen=True, eq=False)
class Guess(EqualByContent):
    """A format that an upload may have, with a confidence between 0 and 1."""

    format: Format
    confidence: float


def rank_formats(
    upload: Upload, formats: tuple[Format, ...] = FORMATS, limit: int = SAMPLE_LIMIT
) -> tuple[Guess, ...]:
    """Every format with the confidence that an upload has it, likeliest first, by content.

    The ending of the name breaks ties.

    Raises
    ------
    InvalidInputError, TooLargeError
        Not unpacked; or more columns, lines or records than anything is read of, with `limit` items.
    """
    check_counts(upload, limit)
    # what is known not to be any of them is not taken for the likeliest of them
    other = foreign(upload) is not None
    signed = not other and any(_confidence(form, upload) > 0.0 for form in FORMATS if form.by_signature)
    found = [
        Guess(form, 0.0 if other or (signed and not form.by_signature) else _confidence(form, upload))
        for form in formats
    ]
    # the ending decides only between formats that the content leaves open
    found.sort(
        key=lambda g: (-g.confidence, g.confidence > 0.0 and upload.extension not in g.format.extensions)
    )
    return tuple(found)


def _confidence(form: Format, upload: Upload) -> float:
    """What a format thinks of an upload; of records of sequences, one line may be longer than any field of a table."""
    try:
        return form.sniff(upload)
    except InvalidInputError:
        if form.name != FASTA and format_named(FASTA).sniff(upload) >= 0.5:
            return 0.0
        raise


def read_samples(
    data: bytes | Upload,
    filename: str,
    kind: str | None = None,
    *,
    format: str | None = None,
    sha256: str = "",
    **options: Any,
) -> AnySamples:
    """Read an uploaded file.

    Parameters
    ----------
    data : bytes
        Also gzipped, or a file that is open already. Nothing in it is ever run or unpickled.
    filename : str
    kind : {"similarity", "sequences", "vectors", "network", "graphs"}, optional
        Guessed from the content by default.
    format : str, optional
        Name of one of FORMATS; guessed by default.
    sha256 : str, optional
        First digits of the SHA-256 that the file has to have; reproducing scripts carry it.
    **options
        Fields of the format's options, such as `score_column`, `absent`, `alphabet` or `meaning`.

    Returns
    -------
    Similarity, Sequences, Vectors, Network or GraphSet
        With notes on what was odd, and with the recipe that reads the same again.

    Raises
    ------
    InvalidInputError
        The file is not what was expected; the message says what it seems to be, and what to do.
    TooLargeError
        More items or bytes than the limits, before they are taken into memory.

    Examples
    --------
    >>> from kernex_core import read_samples
    >>> made = read_samples(b",a,b\\na,1.0,0.2\\nb,0.2,1.0\\n", "scores.csv", kind="similarity")
    >>> made.ids, made.gram.values.tolist()
    (('a', 'b'), [[1.0, 0.2], [0.2, 1.0]])
    """
    upload = open_upload(data, filename, sha256=sha256, format=format or "")
    chosen = _choose(upload, kind, format, max(options.get("limit", 0), SAMPLE_LIMIT))
    try:
        made = _read(upload, chosen, options)
    except OpenQuestionError as error:
        if error.question.instead is None or kind != chosen.kind:
            raise
        # who says the kind has answered already what it may be instead
        made = _read(upload, chosen, {**options, error.question.option: error.question.answers[0].value})
    assert not isinstance(made, Labels)  # formats of items alone were asked
    return made


def _read(upload: Upload, chosen: Format, options: dict[str, Any]) -> AnySamples | Labels:
    return read_settling(
        upload, chosen, options, lambda settled: _options(chosen, {**settled, **options}), []
    )[1]


def read_settling(
    upload: Upload,
    chosen: Format,
    given: Mapping[str, Any],
    made_with: Callable[[Mapping[str, Any]], ReadOptions],
    questions: list[Question],
) -> tuple[ReadOptions, AnySamples | Labels]:
    """Read an upload with what it settles itself: by a name in it, by its tool, or by its own diagonal.

    Parameters
    ----------
    upload : Upload
    chosen : Format
    given : mapping
        Options that somebody has said, which stand before what the file settles.
    made_with : function
        Options of the format with those that the file settles.
    questions : list of Question
        What it settles, and what is open, is added to it: also where reading ends in an error.

    Raises
    ------
    InvalidInputError, TooLargeError
        See `read_samples`; what is open and nobody says is an OpenQuestionError.
    """
    settled: dict[str, Any] = {}
    for question in chosen.ask(upload, given):
        questions.append(question)
        if question.option not in given:
            if not question.decided:
                raise question.refusal(upload.filename)
            settled[question.option] = question.decided
    options = made_with(settled)
    made = read_in(upload, chosen, options)
    if any(question.option == "meaning" for question in questions):
        return options, made
    if (far := far_question(made, options)) is not None:
        questions.append(far)
        if far.option not in given:
            if not far.decided:
                raise far.refusal(upload.filename)
            options = made_with({**settled, far.option: far.decided})
            made = read_in(upload, chosen, options)
    return options, made


def read_in(upload: Upload, chosen: Format, options: ReadOptions) -> AnySamples | Labels:
    """Read an upload in a format, and say what was left out on top of it.

    Raises
    ------
    InvalidInputError, TooLargeError
        See `read_samples`.
    """
    upload = with_commas(upload, getattr(options, "comma", "auto"))
    asked = tuple(question.option for question in chosen.ask(upload, vars(options)))
    said: tuple[Note, ...] | None = None
    if len(upload.data) > LARGE_TEXT:  # whose text its reader lets go of
        with suppress(KernexError):  # who reads it says better what is wrong
            said = _said(upload, chosen, options)
    made = chosen.read(dataclasses.replace(upload, kind=chosen.kind, asked=asked), options)
    said = _said(upload, chosen, options) if said is None else said
    return dataclasses.replace(made, notes=(*said, *made.notes)) if said else made


def _said(upload: Upload, chosen: Format, options: ReadOptions) -> tuple[Note, ...]:
    """What is said about how a file is written."""
    said = _comments(upload) if chosen.kind != "sequences" else ()
    if hasattr(options, "comma") and has_table(upload):
        said = (*table_notes(any_table(upload, getattr(options, "sheet", ""))), *said)
    return said


def _comments(upload: Upload) -> tuple[Note, ...]:
    """What is said about lines on top that begin with #."""
    if not upload.is_text or not upload.text.startswith(MARK):
        return ()
    table = table_of(upload)
    return comment_notes(upload.text.split("\n", table.skipped)[: table.skipped], table.lines)


def _options(chosen: Format, given: dict[str, Any]) -> ReadOptions:
    known = [field.name for field in dataclasses.fields(chosen.options)]
    for name in given:
        if name not in known:
            raise InvalidInputError(
                f"Options of the format {chosen.title!r} are {', '.join(known)}",
                repr(name),
                "Name the format if another was meant",
            )
    return chosen.options(**given)


def _choose(upload: Upload, kind: str | None, name: str | None, limit: int) -> Format:
    if kind is not None:
        check_choice("The kind of data", kind, tuple(dict.fromkeys(f.kind for f in OF_ITEMS)))
    possible = tuple(f for f in OF_ITEMS if kind in (None, f.kind))
    if name is not None:
        if name not in [f.name for f in possible]:
            raise InvalidInputError(
                "The format has to be one of " + ", ".join(f.name for f in possible), repr(name)
            )
        check_counts(upload, limit)
        return format_named(name)
    if (known := foreign(upload)) is not None:
        raise InvalidInputError(_EXPECTED[kind], f"{upload.filename}, which is {known.title}", known.remedy)
    guesses = [guess for guess in rank_formats(upload, possible, limit) if guess.confidence > 0.0]
    if guesses and (kind is not None or guesses[0].confidence >= SURE):
        return guesses[0].format
    others = [g for g in rank_formats(upload, limit=limit) if g.confidence >= SURE]
    if kind in ("sequences", "vectors") and upload.is_text and not any(g.confidence >= 0.5 for g in others):
        return possible[0]  # it says best what is wrong
    raise _nothing_fits(upload, kind, others)


ZIPPED: Final = (".npz", ".xlsx")
"""Endings of files that are zip archives inside."""


EXPORTS: Final = {
    "an HDF5 file": (
        "In Python: import h5py, numpy; numpy.save('x.npy', h5py.File('FILE')['NAME'][:]); of AnnData: "
        "anndata.read_h5ad('FILE').to_df().to_parquet('x.parquet'), and bring that"
    ),
    "an SQLite data base": "Export the table as CSV: sqlite3 -header -csv FILE 'select * from NAME' > NAME.csv",
    "an old Office document (.xls or .doc)": "Save it as .xlsx or CSV",
}
"""What turns files that are not read into some that are, in the program that wrote them."""


def _arrays(upload: Upload) -> str:
    """Which arrays stand in an archive of NumPy, for messages."""
    if not upload.is_zip or b".npy" not in upload.data:
        return ""
    try:
        with open_zip(upload.data, upload.filename) as archive:
            headers = headers_of(archive, upload.filename)
    except KernexError:
        return ""
    return " with the arrays " + shown_arrays(headers) if headers else ""


def _members(upload: Upload) -> str:
    """What stands in a zip, for messages."""
    names = [shown(name) for name in member_names(upload)]
    return f" of {listed(names)}" if names else ""


def _nearly_numbers(upload: Upload) -> Note | None:
    """What is said of the first column that would hold numbers, but for an entry."""
    with suppress(KernexError):
        return next(iter(nearly_number_columns(upload)), None) if has_table(upload) else None
    return None


def _sheets(upload: Upload) -> tuple[str, ...]:
    """Names of the sheets of a workbook, if it can be opened."""
    with suppress(KernexError):
        return sheet_names(upload)
    return ()


def _nothing_fits(upload: Upload, kind: str | None, others: list[Guess]) -> InvalidInputError:
    """What is said where no format fits; what is wrong with a file of R is raised by who opens it."""
    expected = _EXPECTED[kind]
    remedy = _PACK_GRAPHS if kind == "graphs" else "Export the data as CSV, TSV or FASTA"
    sure = [g for g in others if g.confidence >= 0.5]
    ending, arrays = PurePath(upload.filename).suffix.lower(), _arrays(upload)
    named = f"({ending})" in upload.really_is or (ending in ZIPPED and "zip" in upload.really_is)
    if is_r(upload):
        seems = f"{upload.filename}, a file of R that holds {r_objects(upload).shown}"
        remedy = "Bring a matrix or a data frame: in R, saveRDS(NAME, 'NAME.rds')"
        if others and others[0].format.name == LABELS:
            remedy = "Bring it as labels beside the items; read_labels reads it"
    elif named and (sheets := _sheets(upload)):
        seems = f"{upload.filename}, whose first sheet ({sheets[0]}) holds no such table"
        if sheets[1:]:
            remedy = f"Put the sheet with the data first: {listed(sheets[1:])}"
    elif upload.really_is and named and not arrays:
        seems = f"{upload.filename}, which begins like {upload.really_is} but cannot be read: is it damaged or cut off?"
        remedy = f"Save it again as {ending}, or export the data as CSV, TSV or FASTA"
    elif sure and sure[0].format.kind == "graphs":
        seems = f"{upload.filename}, which looks like: {sure[0].format.title}"
        remedy = "Bring it as graphs, on the page Data"
    elif upload.really_is == ZIP and not arrays:
        seems = f"{upload.filename}, which is really {ZIP}" + _members(upload)
        remedy = f"Unpack it and bring its files. {_PACK_GRAPHS}"
    elif upload.really_is:
        seems = f"{upload.filename}, which is really {upload.really_is}{arrays}"
        remedy = EXPORTS.get(upload.really_is, remedy)
    elif sure:
        seems = f"{upload.filename}, which looks like: {sure[0].format.title}"
    else:
        first = next((line.strip() for line in upload.text.split("\n") if line.strip()), "")
        seems = f"{upload.filename}, which begins with {first[:60]!r}"
        if is_edge_list(table_of(upload)):
            seems = f"{upload.filename}, which looks like a list of edges: pairs of ids without a number"
            remedy = (
                "Bring it as a network; or add a third column with the weight of each pair (1 for all) to bring it as "
                "pairs; if the second column names the class of the first, write the line id,label on top"
            )
    if not others and (odd := _nearly_numbers(upload)) is not None:
        seems, remedy = f"{upload.filename}. {odd.text.rstrip('.')}", odd.choice.rstrip(".")
    if others and others[0].format.name == LABELS and not upload.really_is:
        seems = f"{upload.filename}, which looks like labels of items"
        remedy = "Bring it as labels beside the items; read_labels reads it"
    return InvalidInputError(expected, seems, remedy)
