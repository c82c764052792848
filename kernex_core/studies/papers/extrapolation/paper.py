"""The tables of "Kernel extrapolation", each as one value; one study measures both."""

from __future__ import annotations

from functools import partial

from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.papers.extrapolation import printed
from kernex_core.studies.papers.extrapolation.table_comparison import ACCURACY, ALONE, YATES
from kernex_core.studies.papers.extrapolation.tables import column_of, measuring
from kernex_core.studies.papers.paper_table import Data, Origin, Paper, PaperTable, Repeats
from kernex_core.studies.papers.printed import Printed

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
