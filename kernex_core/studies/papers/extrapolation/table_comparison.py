"""Tables 1 and 2 beside what is measured: differences, and Yates' p beside the printed one.

The authors' matrices are not public: what is measured is about other data, so no difference is called inside or outside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kernex_core.frozen import EqualByContent
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, Measured
from kernex_core.studies.papers.paper_table import PaperTable
from kernex_core.studies.papers.printed import Printed

ACCURACY, YATES = "accuracy", "Yates p"
"""Printed columns of Table 1; Table 2 has one accuracy a λ."""
MEASURE = "one_vs_rest"
"""What the paper's accuracy is, and what its p tests."""
ALONE = ("target", "source")
"""Rows of Table 1 with one kernel; the others are shares of the target that are missing."""


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
        P against the source alone, of the measure that is shown; None for kernels alone. The paper prints that of its own
        measure, one-vs-rest accuracy: NaN for another.
    """

    name: str | float
    printed: Printed
    measured: Measured | None
    yates_printed: float | None
    yates: float | None


def rows_of_table_1(
    paper: PaperTable, found: ExtrapolationTables, lam: float, measure: str
) -> tuple[TableRow, ...]:
    """Return both kernels alone and the joint kernel at λ, row by row; every p tests the measure that it stands beside."""
    made = []
    for name, printed, yates in zip(paper.rows, paper.printed[ACCURACY], paper.printed[YATES], strict=True):
        if isinstance(name, float):
            of_paper = yates.mean if measure == MEASURE else math.nan
            p = found.yates(name, lam, measure)
            row = TableRow(name, printed, found.joint(name, lam, measure), of_paper, p)
        else:
            row = TableRow(str(name), printed, found.alone(str(name), measure), None, None)
        made.append(row)
    return tuple(made)


def gap(printed: Printed, measured: Measured) -> float:
    """Return measured less published of one cell."""
    return measured.mean - printed.mean
