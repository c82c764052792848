"""Format: what a file format is to Kernex; Suggestion: options to start from in a given file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kernex_core.inputs.dataset import AnySamples
from kernex_core.inputs.options import Question, ReadOptions
from kernex_core.inputs.samples import Labels, Note
from kernex_core.inputs.upload import Upload

SURE = 0.1
"""Confidence below which a format is not taken for granted."""
TEXT_ENDINGS = ("csv", "tsv", "txt", "tab", "dat")
"""Usual endings of tables of text."""


@dataclass(frozen=True)
class Suggestion:
    """Options to start from, with the values that some of them may take in this file.

    Attributes
    ----------
    options : ReadOptions
        Of the format; guesses stand in place of "found automatically" where there are any.
    choices : dict of str to tuple of str
        By field: names of columns, sheets or arrays.
    notes : tuple of Note
        Why these, where that is not in the file itself.
    idle : tuple of str
        Fields that change nothing in this file.
    column : str
        Name of the column of the numbers, where nothing else is chosen.
    """

    options: ReadOptions
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    idle: tuple[str, ...] = ()
    column: str = ""


def nothing_open(upload: Upload, given: Mapping[str, object]) -> tuple[Question, ...]:
    """Questions of a format that leaves none open."""
    return ()


@dataclass(frozen=True)
class Format:
    """One file format.

    Attributes
    ----------
    name, title : str
        For code, and for pages.
    kind : {"similarity", "sequences", "vectors", "network", "graphs", "labels"}
        What comes out.
    extensions : tuple of str
        Usual endings, without the dot; any of them may be followed by .gz, .bz2 or .xz.
    sniff : function
        Confidence between 0 and 1, by content.
    suggest : function
        Options to start from, and what some of them may be in this file.
    read : function
        Upload and options in, samples or labels out.
    options : type
        Frozen dataclass of described fields.
    by_signature : bool
        The file says by how it begins that it is this: no other format is looked for.
    ask : function
        What an upload leaves open, or settles by a name in it, given the options that are chosen already.
    """

    name: str
    title: str
    kind: str
    extensions: tuple[str, ...]
    sniff: Callable[[Upload], float]
    suggest: Callable[[Upload], Suggestion]
    read: Callable[[Upload, Any], AnySamples | Labels]
    options: type[ReadOptions]
    by_signature: bool = False
    ask: Callable[[Upload, Mapping[str, object]], tuple[Question, ...]] = nothing_open


def named_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Names of columns that tell them apart: a number where a name is blank or not the only one."""
    count = Counter(names)
    return tuple(name if name.strip() and count[name] == 1 else str(k) for k, name in enumerate(names, 1))


def column_at(names: Sequence[str], position: int | None) -> str:
    """Name of a column, "" for none."""
    return "" if position is None else names[position]
