"""Tables 1 and 2 beside what is measured: differences, their limits, and Yates' p beside the printed one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kernex_core.frozen import EqualByContent
from kernex_core.studies.papers.difference import Difference
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, Measured
from kernex_core.studies.papers.paper_table import PaperTable
from kernex_core.studies.papers.printed import Printed

ACCURACY, YATES = "accuracy", "Yates p"
"""Printed columns of Table 1; Table 2 has one accuracy a λ."""
ALONE = ("target", "source")
"""Rows of Table 1 with one kernel; the others are shares of the target that are missing."""


def column_of(lam: float) -> str:
    """Return the name of a column of Table 2."""
    return f"λ = {lam:.2f}"


@dataclass(frozen=True, eq=False)
class TableRow(EqualByContent):
    """One row of Table 1.

    Attributes
    ----------
    name : str or float
        "target" or "source" alone, or the share that is missing.
    printed : Printed
        Accuracy.
    measured : Measured or None
        None where nothing is done yet.
    yates_printed, yates : float or None
        P against the source alone; None for kernels alone.
    """

    name: str | float
    printed: Printed
    measured: Measured | None
    yates_printed: float | None
    yates: float | None


def rows_of_table_1(
    paper: PaperTable, found: ExtrapolationTables, lam: float, measure: str
) -> tuple[TableRow, ...]:
    """Return both kernels alone and the joint kernel at λ, row by row."""
    made = []
    for name, printed, yates in zip(paper.rows, paper.printed[ACCURACY], paper.printed[YATES], strict=True):
        if isinstance(name, float):
            row = TableRow(name, printed, found.joint(name, lam, measure), yates.mean, found.yates(name, lam))
        else:
            row = TableRow(str(name), printed, found.alone(str(name), measure), None, None)
        made.append(row)
    return tuple(made)


def difference(paper: PaperTable, printed: Printed, measured: Measured) -> Difference:
    """Return measured less published of one cell.

    Both are means over repetitions: the printed ± of the joint kernel is said to be their spread.
    """
    of_printed = printed.plus_minus / math.sqrt(paper.repeats.printed)
    return Difference(measured.mean - printed.mean, math.hypot(measured.se, of_printed))
