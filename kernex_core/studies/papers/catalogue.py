"""The tables of the papers that Kernex measures, one line each."""

from __future__ import annotations

from kernex_core.studies.papers.extrapolation import paper as extrapolation
from kernex_core.studies.papers.orthogonal import paper as orthogonal
from kernex_core.studies.papers.paper_table import PaperTable

PAPER_TABLES: tuple[PaperTable, ...] = (
    extrapolation.ALONE_AND_JOINT,
    extrapolation.MISSING_AND_LAM,
    orthogonal.STRINGS,
    orthogonal.COLON,
    orthogonal.HIDDEN,
    orthogonal.THROMBIN,
    orthogonal.LYMPHOMA,
    orthogonal.FAMILIES,
)


def tables_of(key: str) -> tuple[PaperTable, ...]:
    """Return the tables of one paper, in its order."""
    return tuple(table for table in PAPER_TABLES if table.paper.key == key)
