"""How an uploaded file may be read: every format with its confidence, and the reading of one that was chosen."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kernex_core.errors import TooLargeError
from kernex_core.inputs.catalogue import LABELS, format_named
from kernex_core.inputs.format import SURE, Suggestion
from kernex_core.inputs.formats.label_ids import suggest_for
from kernex_core.inputs.kinds import AnySamples
from kernex_core.inputs.options import ReadOptions, SimilarityOptions
from kernex_core.inputs.reading import Guess, rank_formats, read_in, read_samples
from kernex_core.inputs.samples import Labels, Similarity
from kernex_core.inputs.similarities.distance import guess_distance
from kernex_core.inputs.upload import Upload

__all__ = ["LABELS", "SURE", "looks_like_distances", "read_as", "readings", "suggest"]

MOST_COLUMNS = 500_000
"""A wider first line is refused before every format has looked at it, which takes minutes for a line of megabytes."""


def readings(upload: Upload) -> tuple[Guess, ...]:
    """All formats that a file may be read in, likeliest first.

    Raises
    ------
    InvalidInputError, TooLargeError
        Not even unpacked: empty, damaged, or a bomb; or a first line of too many columns.
    """
    check_width(upload)
    return rank_formats(upload)


def check_width(upload: Upload) -> None:
    """Refuse a text whose first line has more columns than any table here.

    Raises
    ------
    TooLargeError
        Naming the number of columns.
    """
    data = upload.data
    end = data.find(b"\n")
    end = len(data) if end < 0 else end
    columns = 1 + max(data.count(mark, 0, end) for mark in (b",", b";", b"\t", b" "))
    binary = b"\0" in data[:1024]
    if columns > MOST_COLUMNS and not binary and not data.startswith((b">", b"PK")):
        raise TooLargeError(
            f"A table may have at most {MOST_COLUMNS:,} columns",
            f"{columns:,} in the first line of {upload.filename}",
            "Write one item a line, and end the lines with a line feed",
        )


def suggest(upload: Upload, name: str, items: Sequence[str] = ()) -> Suggestion:
    """Options to start from when a file is read in the format of that name.

    Parameters
    ----------
    upload : Upload
    name : str
        Of the format.
    items : sequence of str
        Ids of the data that are there: labels are joined to them, so their column of ids is the one that names most.

    Raises
    ------
    InvalidInputError
        The file cannot be read so at all.
    """
    return suggest_for(upload, items) if name == LABELS and items else format_named(name).suggest(upload)


def read_as(upload: Upload, name: str, options: ReadOptions) -> AnySamples | Labels:
    """Read a file in a format; with name "", by guess, which says best what is wrong with an unclear file.

    Raises
    ------
    KernexError
        See `read_samples` and `read_labels`; `check_width`.
    """
    check_width(upload)
    if not name:
        return read_samples(upload, upload.filename)
    return read_in(dataclasses.replace(upload, format=name), format_named(name), options)


def looks_like_distances(samples: object, options: ReadOptions) -> bool:
    """Whether what was read as similarities has the look of distances."""
    as_similarity = isinstance(options, SimilarityOptions) and options.meaning == "similarity"
    return as_similarity and isinstance(samples, Similarity) and guess_distance(samples.gram.values)
