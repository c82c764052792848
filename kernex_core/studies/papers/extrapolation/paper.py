"""The tables of "Kernel extrapolation", each as one value; one study measures both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from kernex_core.base.frozen import EqualByContent
from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.completion.study import CompletionConfig
from kernex_core.studies.papers.extrapolation import printed
from kernex_core.studies.papers.extrapolation.tables import (
    ExtrapolationTables,
    Measured,
    column_of,
    measuring,
)
from kernex_core.studies.papers.paper_table import Data, Origin, Paper, PaperTable, Printed, Repeats

# Tables 1 and 2 beside what is measured: differences, and Yates' p beside the printed one.
#
# The authors' matrices are not public: what is measured is about other data, so no difference is called inside or
# outside.

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
    for name, figure, yates in zip(paper.rows, paper.printed[ACCURACY], paper.printed[YATES], strict=True):
        if isinstance(name, float):
            of_paper = yates.mean if measure == MEASURE else math.nan
            p = found.yates(name, lam, measure)
            row = TableRow(name, figure, found.joint(name, lam, measure), of_paper, p)
        else:
            row = TableRow(str(name), figure, found.alone(str(name), measure), None, None)
        made.append(row)
    return tuple(made)


def gap(printed: Printed, measured: Measured) -> float:
    """Return measured less published of one cell."""
    return measured.mean - printed.mean


EXTRAPOLATION = Paper(
    "extrapolation",
    "Kernel extrapolation",
    2006,
    "Vishwanathan, Borgwardt, Guttman, Smola, Kernel extrapolation, Neurocomputing 2006",
)
SHARES, LAMS = printed.SHARES, printed.LAMS
AUTOMATIC = 320
"""Up to this number of items the tables take a few seconds."""
CELLS = "*((s, l, $0.joint(s, l).mean, $0.joint(s, l, 'multi_class').mean) for s in $0.shares for l in $0.lams), sep='\\n'"
STUDY = partial(measuring, shares=SHARES, lams=LAMS)
"""Configuration, source, target, labels, validation -> states, at the paper's missing fractions and λ."""


def _few_items(config: object, source: GramMatrix, *rest: object) -> bool:
    return source.n <= AUTOMATIC


def _stand_in(*data: object) -> Origin:
    return Origin(
        False, "The authors' matrices are not public. The same protocol runs on the chosen data set."
    )


PROTEINS = Data(
    "two kernels",
    "a source and a target kernel on the same items, the target known for all of them, and labels of at least two "
    "classes. The paper has 206 proteins in 9 superfamilies: sequence and structure.",
    "proteins of the TIM barrel", origin=_stand_in,
)  # fmt: skip

ALONE_AND_JOINT = PaperTable(
    paper=EXTRAPOLATION, number=1, subject="each kernel alone, and jointly",
    key="papers", file="kernel-extrapolation-tables",
    config=CompletionConfig(), asked=(("nugget",),), study=STUDY, quick=_few_items, data=PROTEINS,
    rows=(*ALONE, *SHARES),
    printed={
        ACCURACY: (
            printed.STRUCTURE_ALONE, printed.SEQUENCE_ALONE, *(printed.TABLE_2[share][0] for share in SHARES),
        ),
        YATES: (Printed(float("nan")), Printed(float("nan")), *(Printed(printed.YATES[s]) for s in SHARES)),
    },
    repeats=Repeats("repetition", "repetitions", "repetitions", 5), measure=ACCURACY, prints=CELLS,
    note="joint kernel at λ = 0.1 against the source kernel alone; [95\u00a0%]; every spread named",
    steps="runs",
)  # fmt: skip

MISSING_AND_LAM = PaperTable(
    paper=EXTRAPOLATION, number=2, subject="joint kernel by missing fraction and λ",
    key="papers", file="kernel-extrapolation-tables",
    config=CompletionConfig(), asked=(("nugget",),), study=STUDY, quick=_few_items, data=PROTEINS,
    rows=SHARES,
    printed={
        column_of(lam): tuple(printed.TABLE_2[share][place] for share in SHARES)
        for place, lam in enumerate(LAMS)
    },
    repeats=Repeats("repetition", "repetitions", "repetitions", 5), measure=ACCURACY, prints=CELLS,
    note="measured: mean ± sd over repetitions [95\u00a0%]; published: of other data, so no verdict", steps="runs",
)  # fmt: skip
