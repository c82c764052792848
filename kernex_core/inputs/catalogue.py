"""FORMATS: every file format that Kernex reads, one line each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kernex_core.inputs.formats import fasta, hits, matrix, numpy_file, vectors, workbook
from kernex_core.inputs.options import ReadOptions
from kernex_core.inputs.samples import AnySamples
from kernex_core.inputs.similarities.pairs import PairOptions
from kernex_core.inputs.upload import Upload


@dataclass(frozen=True)
class Format:
    """One file format.

    Attributes
    ----------
    name, title : str
        For code, and for pages.
    kind : {"similarity", "sequences", "vectors"}
        What comes out.
    extensions : tuple of str
        Usual endings, without the dot; any of them may be followed by .gz.
    sniff : function
        Confidence between 0 and 1, by content.
    read : function
        Upload and options in, samples out.
    options : type
        Frozen dataclass of described fields.
    """

    name: str
    title: str
    kind: str
    extensions: tuple[str, ...]
    sniff: Callable[[Upload], float]
    read: Callable[[Upload, Any], AnySamples]
    options: type[ReadOptions]


_FASTA = ("fasta", "fa", "faa", "fna", "fas", "pro")
_HITS = ("m8", "tsv", "tab", "blast", "out", "txt", "csv")
_TEXT = ("csv", "tsv", "txt", "tab", "dat")

FORMATS: tuple[Format, ...] = (
    Format(
        "matrix",
        "Similarity matrix (text)",
        "similarity",
        _TEXT,
        matrix.sniff,
        matrix.read,
        matrix.MatrixOptions,
    ),
    Format(
        "workbook",
        "Similarity matrix (Excel)",
        "similarity",
        ("xlsx",),
        workbook.sniff,
        workbook.read,
        workbook.WorkbookOptions,
    ),
    Format(
        "numpy",
        "Similarity matrix (NumPy)",
        "similarity",
        ("npy", "npz"),
        numpy_file.sniff,
        numpy_file.read,
        numpy_file.NumpyOptions,
    ),
    Format(
        "pairs", "Pairs with a score", "similarity", _TEXT, hits.sniff_pairs, hits.read_pairs, PairOptions
    ),
    Format(
        "hits",
        "Hit table (BLAST, MMseqs2, Foldseek)",
        "similarity",
        _HITS,
        hits.sniff,
        hits.read,
        hits.HitOptions,
    ),
    Format("fasta", "Sequences (FASTA)", "sequences", _FASTA, fasta.sniff, fasta.read, fasta.FastaOptions),
    Format(
        "vectors", "Vectors (table)", "vectors", _TEXT, vectors.sniff, vectors.read, vectors.VectorOptions
    ),
)
