"""How an uploaded file may be read: every way with its confidence, and options to start from."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kernex_core.errors import KernexError, TooLargeError
from kernex_core.inputs.catalogue import FORMATS
from kernex_core.inputs.formats.fasta import FastaOptions
from kernex_core.inputs.formats.hits import score_columns
from kernex_core.inputs.formats.labels import LabelOptions, label_columns, read_labels
from kernex_core.inputs.formats.vectors import VectorOptions, plan_columns
from kernex_core.inputs.items.item_table import is_item_table
from kernex_core.inputs.options import ReadOptions, SimilarityOptions
from kernex_core.inputs.reading import SURE, guess_formats, read_samples
from kernex_core.inputs.samples import AnySamples, Labels, Similarity
from kernex_core.inputs.sequences.fasta_records import read_records
from kernex_core.inputs.sequences.header import suggest_header
from kernex_core.inputs.similarities.distance import guess_distance
from kernex_core.inputs.tables.table import table_of
from kernex_core.inputs.upload import Upload, open_upload

LABELS = "labels"
"""Name of the way to read a file of labels, beside the names of FORMATS."""
OWN = 0.98
"""Confidence for the table of items that Kernex wrote."""
MOST_COLUMNS = 500_000
"""A wider first line is refused before every format has looked at it, which takes minutes for a line of megabytes."""


@dataclass(frozen=True)
class Reading:
    """A way to read a file.

    Attributes
    ----------
    name, title : str
        Of a format, or LABELS.
    kind : {"similarity", "sequences", "vectors", "labels"}
    confidence : float
        That the file is meant so, between 0 and 1.
    """

    name: str
    title: str
    kind: str
    confidence: float


@dataclass(frozen=True)
class Suggestion:
    """Options to start from, with the values that some of them may take in this file.

    Attributes
    ----------
    options : ReadOptions
        Of the format; guesses stand in place of "found automatically" where there are any.
    choices : dict of str to tuple of str
        By field: names of columns.
    """

    options: ReadOptions
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def readings(data: bytes, filename: str) -> tuple[Reading, ...]:
    """All ways to read a file, likeliest first.

    A table that is neither similarities nor vectors is taken for labels.

    Raises
    ------
    InvalidInputError, TooLargeError
        Not even unpacked: empty, damaged, or a bomb; or a first line of too many columns.
    """
    check_width(data, filename)
    sure = {guess.format.name: guess.confidence for guess in guess_formats(data, filename)}
    found = [Reading(f.name, f.title, f.kind, sure.get(f.name, 0.0)) for f in FORMATS]
    found.append(
        Reading(LABELS, "Labels (table of id and label)", "labels", _label_confidence(data, filename))
    )
    order = {name: place for place, name in enumerate(sure)}
    return tuple(sorted(found, key=lambda r: (-r.confidence, order.get(r.name, len(order)))))


def check_width(data: bytes, filename: str) -> None:
    """Refuse a text whose first line has more columns than any table here.

    Raises
    ------
    TooLargeError
        Naming the number of columns.
    """
    upload = open_upload(data, filename)
    end = upload.data.find(b"\n")
    end = len(upload.data) if end < 0 else end
    columns = 1 + max(upload.data.count(mark, 0, end) for mark in (b",", b";", b"\t", b" "))
    binary = b"\0" in upload.data[:1024]
    if columns > MOST_COLUMNS and not binary and not upload.data.startswith((b">", b"PK")):
        raise TooLargeError(
            f"A table may have at most {MOST_COLUMNS:,} columns",
            f"{columns:,} in the first line of {upload.filename}",
            "Write one item a line, and end the lines with a line feed",
        )


def _label_confidence(data: bytes, filename: str) -> float:
    """Just above the confidence at which another format counts, if the file is a table with ids and labels.

    A table that Kernex wrote itself is one of labels, whatever it says about the items besides.
    """
    try:
        columns = label_columns(data, filename)
        if is_item_table(columns.names):
            return OWN
        labels = read_labels(data, filename)
    except KernexError:
        return 0.0
    # a class for every item is no class
    repeats = len(labels.classes) < int(labels.labelled.sum())
    return SURE + 0.01 if repeats and (columns.id is not None or len(columns.names) == 1) else 0.0


def suggest(data: bytes, filename: str, name: str) -> Suggestion:
    """Options to start from when a file is read in a certain way.

    Parameters
    ----------
    data : bytes
    filename : str
    name : str
        Of a `Reading`.

    Raises
    ------
    InvalidInputError
        The file cannot be read so at all.
    """
    upload = open_upload(data, filename)
    if name == LABELS:
        return _suggest_labels(data, filename)
    options = next(f.options for f in FORMATS if f.name == name)
    if options is FastaOptions:
        return Suggestion(_suggest_fasta(upload))
    if options is VectorOptions:
        plan = plan_columns(table_of(upload), VectorOptions())
        shown = _distinct(tuple(plan.names))
        chosen = VectorOptions(id_column=_named(shown, plan.id), label_column=_named(shown, plan.label))
        return Suggestion(chosen, {"id_column": ("", *shown), "label_column": ("", *shown)})
    if name == "hits":
        return Suggestion(options(), {"score_column": ("", *score_columns(upload))})
    return Suggestion(options())


def _suggest_labels(data: bytes, filename: str) -> Suggestion:
    columns = label_columns(data, filename)
    shown = _distinct(columns.names)
    options = LabelOptions(
        label_column=shown[columns.label],
        id_column=_named(shown, columns.id),
        group_column=_named(shown, columns.group),
    )
    return Suggestion(
        options, {"label_column": shown, "id_column": ("", *shown), "group_column": ("", *shown)}
    )


def _suggest_fasta(upload: Upload) -> FastaOptions:
    found = suggest_header(read_records(upload).titles)
    return FastaOptions() if found is None else FastaOptions(header=found[0], levels=found[1])


def _named(names: tuple[str, ...], position: int | None) -> str:
    return "" if position is None else names[position]


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of columns that tell them apart: a number where a name is blank or not the only one."""
    return tuple(
        name if name.strip() and names.count(name) == 1 else str(k) for k, name in enumerate(names, 1)
    )


def read_as(data: bytes, filename: str, name: str, options: ReadOptions) -> AnySamples | Labels:
    """Read a file in a certain way; with name "", by guess, which says best what is wrong with an unclear file.

    Raises
    ------
    KernexError
        See `read_samples` and `read_labels`; `check_width`.
    """
    check_width(data, filename)
    given = {f.name: getattr(options, f.name) for f in dataclasses.fields(options)}
    if not name:
        return read_samples(data, filename)
    if name == LABELS:
        return read_labels(data, filename, **given)
    return read_samples(data, filename, format=name, **given)


def looks_like_distances(samples: Any, options: ReadOptions) -> bool:
    """Whether what was read as similarities has the look of distances."""
    as_similarity = isinstance(options, SimilarityOptions) and options.meaning == "similarity"
    return as_similarity and isinstance(samples, Similarity) and guess_distance(samples.gram.values)
