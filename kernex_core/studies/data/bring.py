"""How an uploaded file may be read: every format with its confidence, and the reading of one that was chosen."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kernex_core.inputs.catalogue import LABELS, format_named
from kernex_core.inputs.counts import check_counts
from kernex_core.inputs.format import SURE, Suggestion
from kernex_core.inputs.formats.label_ids import suggest_for
from kernex_core.inputs.kinds import AnySamples
from kernex_core.inputs.options import ReadOptions, SimilarityOptions
from kernex_core.inputs.reading import Guess, rank_formats, read_in, read_samples
from kernex_core.inputs.samples import Labels, Similarity
from kernex_core.inputs.similarities.distance import guess_distance
from kernex_core.inputs.upload import Upload
from kernex_core.validation import SAMPLE_LIMIT

__all__ = ["LABELS", "SURE", "looks_like_distances", "read_as", "readings", "suggest"]


def readings(upload: Upload) -> tuple[Guess, ...]:
    """All formats that a file may be read in, likeliest first.

    Raises
    ------
    InvalidInputError, TooLargeError
        Not even unpacked: empty, damaged, or a bomb; or more columns, lines or records than anything is read of.
    """
    return rank_formats(upload)


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
        See `read_samples` and `read_labels`.
    """
    check_counts(upload, max(options.limit, SAMPLE_LIMIT))
    if not name:
        return read_samples(upload, upload.filename)
    return read_in(dataclasses.replace(upload, format=name), format_named(name), options)


def looks_like_distances(samples: object, options: ReadOptions) -> bool:
    """Whether what was read as similarities has the look of distances."""
    as_similarity = isinstance(options, SimilarityOptions) and options.meaning == "similarity"
    return as_similarity and isinstance(samples, Similarity) and guess_distance(samples.gram.values)
