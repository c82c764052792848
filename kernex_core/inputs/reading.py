"""read_samples: from uploaded bytes to similarities, sequences or vectors."""

from __future__ import annotations

import dataclasses
from typing import Any

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.catalogue import FORMATS, Format
from kernex_core.inputs.samples import AnySamples
from kernex_core.inputs.signatures import really_is
from kernex_core.inputs.upload import Upload, open_upload
from kernex_core.parameters import check_choice

SURE = 0.1
"""Confidence below which a format is not taken for granted."""


@dataclasses.dataclass(frozen=True)
class Guess:
    """A format that an upload may have, with a confidence between 0 and 1."""

    format: Format
    confidence: float


def guess_formats(data: bytes, filename: str, kind: str | None = None) -> tuple[Guess, ...]:
    """Formats that an upload may have, likeliest first, by content; none if it is nothing that Kernex reads.

    Parameters
    ----------
    data : bytes
    filename : str
        Breaks ties by its ending.
    kind : str, optional
        Only formats of this kind of data.
    """
    return _guesses(open_upload(data, filename), kind)


def read_samples(
    data: bytes,
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
        Also gzipped. Nothing in it is ever run or unpickled.
    filename : str
    kind : {"similarity", "sequences", "vectors"}, optional
        Guessed from the content by default.
    format : str, optional
        Name of one of FORMATS; guessed by default.
    sha256 : str, optional
        First digits of the SHA-256 that the file has to have; reproducing scripts carry it.
    **options
        Fields of the format's options, such as `score_column`, `absent`, `alphabet` or `meaning`.

    Returns
    -------
    Similarity, Sequences or Vectors
        With notes on what was odd, and with the recipe that reads the same again.

    Raises
    ------
    InvalidInputError
        The file is not what was expected; the message says what it seems to be, and what to do.
    TooLargeError
        More items or bytes than the limits, before they are taken into memory.
    """
    upload = open_upload(data, filename, sha256=sha256, format=format or "")
    chosen = _choose(upload, kind, format)
    return chosen.read(dataclasses.replace(upload, kind=chosen.kind), _options(chosen, options))


def _options(chosen: Format, given: dict[str, Any]) -> Any:
    known = [field.name for field in dataclasses.fields(chosen.options)]
    for name in given:
        if name not in known:
            raise InvalidInputError(
                f"Options of the format {chosen.title!r} are {', '.join(known)}",
                repr(name),
                "Name the format if another was meant",
            )
    return chosen.options(**given)


def _choose(upload: Upload, kind: str | None, name: str | None) -> Format:
    if name is not None:
        named = [f for f in FORMATS if f.name == name and kind in (None, f.kind)]
        if not named:
            raise InvalidInputError(
                "The format has to be one of " + ", ".join(f.name for f in FORMATS if kind in (None, f.kind)),
                repr(name),
            )
        return named[0]
    kinds = tuple(dict.fromkeys(f.kind for f in FORMATS))
    if kind is not None:
        check_choice("The kind of data", kind, kinds)
    guesses = _guesses(upload, kind)
    if guesses and (kind is not None or guesses[0].confidence >= SURE):
        return guesses[0].format
    only = [f for f in FORMATS if f.kind == kind]
    if len(only) == 1 and upload.is_text and not any(g.confidence >= 0.5 for g in _guesses(upload, None)):
        return only[0]  # it says best what is wrong
    raise _nothing_fits(upload, kind)


def _guesses(upload: Upload, kind: str | None) -> tuple[Guess, ...]:
    found = [Guess(f, f.sniff(upload)) for f in FORMATS if kind in (None, f.kind)]
    # the ending decides only between formats that the content leaves open
    found.sort(key=lambda g: (-g.confidence, upload.extension not in g.format.extensions))
    return tuple(guess for guess in found if guess.confidence > 0.0)


def _nothing_fits(upload: Upload, kind: str | None) -> InvalidInputError:
    expected = {
        "similarity": "A square matrix, or a table of pairs with scores, was expected",
        "sequences": "Sequences in FASTA format were expected: header lines that begin with >, and letters below",
        "vectors": "A table of numbers with one row an item was expected",
        None: "A similarity matrix, a table of pairs, sequences or vectors were expected",
    }[kind]
    other = really_is(upload.data)
    elsewhere = [g for g in _guesses(upload, None) if g.confidence >= 0.5]
    if other:
        seems = f"{upload.filename}, which is really {other}"
    elif elsewhere:
        seems = f"{upload.filename}, which looks like: {elsewhere[0].format.title}"
    else:
        first = next((line.strip() for line in upload.text.split("\n") if line.strip()), "")
        seems = f"{upload.filename}, which begins with {first[:60]!r}"
    return InvalidInputError(
        expected, seems, "Upload it as what it is, or export the data as CSV, TSV or FASTA"
    )
