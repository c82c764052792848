"""The tables of "A kernel approach for learning from almost orthogonal patterns", each as one value."""

from __future__ import annotations

from functools import partial

from kernex_core.conditioning.impute import IMPUTATIONS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.studies.papers.orthogonal import printed
from kernex_core.studies.papers.orthogonal.between_sets import BETWEEN_SETS
from kernex_core.studies.papers.orthogonal.colon import COLON_POWERS, ColonConfig, measuring_table_2
from kernex_core.studies.papers.orthogonal.families import FAMILY_POWERS, FamiliesConfig, measuring_table_6
from kernex_core.studies.papers.orthogonal.family_comparison import RFP, ROC
from kernex_core.studies.papers.orthogonal.family_files import ROLES
from kernex_core.studies.papers.orthogonal.hidden import HiddenConfig, measuring_table_3
from kernex_core.studies.papers.orthogonal.loss_comparison import LOSS
from kernex_core.studies.papers.orthogonal.lymphoma import LymphomaConfig, measuring_table_5
from kernex_core.studies.papers.orthogonal.origin import (
    COLON_DATA,
    LYMPHOMA_DATA,
    SCOP_FAMILIES,
    families_origin,
    kernel_origin,
    vectors_origin,
)
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, POWERS
from kernex_core.studies.papers.orthogonal.strings import (
    COMPONENTS,
    NEIGHBOUR,
    OrthogonalConfig,
    measuring_table_1,
)
from kernex_core.studies.papers.orthogonal.thrombin import THROMBIN_POWERS, ThrombinConfig, measuring_table_4
from kernex_core.studies.papers.paper_table import Beside, Data, Paper, PaperTable, Repeats
from kernex_core.studies.papers.printed import Printed

ORTHOGONAL = Paper(
    "orthogonal",
    "almost orthogonal patterns",
    2002,
    "Schoelkopf, Weston, Eskin, Leslie, Noble, A kernel approach for learning from almost orthogonal patterns, ECML 2002",
)
LOSSES = "*((column, $0.mean(column).round(3)) for column in $0.losses), sep='\\n'"
SCORES = "*((c, $0.roc[c].round(4), $0.rfp[c].round(4)) for c in $0.roc), sep='\\n'"
FEW = 320
"""Up to this number of items a kernel is judged in seconds."""


def _few_items(config: object, K: GramMatrix, *rest: object) -> bool:
    return K.n <= FEW


STRINGS = PaperTable(
    paper=ORTHOGONAL, number=1, subject="strings", key="papers.orthogonal", file="orthogonal-patterns-table-1",
    config=OrthogonalConfig(), asked=(("trials", "splits", "seed", "C"),),
    study=measuring_table_1, quick=lambda config: config.trials <= 200,
    data=Data("generated", "Strings of the paper's two sources, drawn by Kernex."),
    rows=POWERS, printed={LOSS: printed.TABLE_1},
    repeats=Repeats("trial", "trials", "trials", printed.TRIALS, "sets of strings"),
    measure=LOSS, prints=LOSSES, steps="trials",
    beside=(
        *(
            Beside("1-NN, " + ("kernel as it is" if p is None else f"*p* = {p:g}"), NEIGHBOUR, p, loss)
            for p, loss in printed.NEIGHBOUR.items()
        ),
        Beside(f"{COMPONENTS}, uncentred", COMPONENTS, None, printed.COMPONENTS),
    ),
    between=BETWEEN_SETS,
)  # fmt: skip

COLON = PaperTable(
    paper=ORTHOGONAL, number=2, subject="colon with noise", key="papers.orthogonal.2", file="orthogonal-patterns-table-2",
    config=ColonConfig(), asked=(("draws", "noise", "seed", "C"),),
    study=measuring_table_2, quick=lambda config, *data: True,
    data=Data(
        "vectors",
        "raw expression intensities above 0, one row a sample and one column a gene, with a column *label* of two classes "
        "(CSV, TSV, Excel). The paper has the colon samples of Alon et al. 1999, 62 × 2000: 40 tumour, 22 normal (in R "
        "`plsgenomics::Colon`).",
        "colon", "colon", partial(vectors_origin, COLON_DATA),
    ),
    rows=COLON_POWERS, printed={LOSS: printed.TABLE_2}, repeats=Repeats("draw of noise", "draws of noise", "folds"),
    measure=LOSS, prints=LOSSES,
    beside=(Beside("as it is, without noise", ALL_POINTS, "without noise", printed.CLEAN),),
)  # fmt: skip

HIDDEN = PaperTable(
    paper=ORTHOGONAL, number=3, subject="hidden variables", key="papers.orthogonal.3", file="orthogonal-patterns-table-3",
    config=HiddenConfig(), asked=(("data_sets", "n", "seed", "C"),),
    study=measuring_table_3, quick=lambda config: config.data_sets <= 50,
    data=Data("generated", "New data of the paper's rule in every repetition."),
    rows=POWERS, printed={LOSS: printed.TABLE_3}, repeats=Repeats("data set", "data sets", "folds"),
    measure=LOSS, prints=LOSSES,
)  # fmt: skip

THROMBIN = PaperTable(
    paper=ORTHOGONAL, number=4, subject="thrombin", key="papers.orthogonal.4", file="orthogonal-patterns-table-4",
    config=ThrombinConfig(), asked=(("repeats", "seed", "C"),),
    study=measuring_table_4, quick=_few_items,
    data=Data(
        "kernel",
        "one labelled vector a line, `label index:value index:value …` (SVMlight) or `label,0,1,0,…` as in KDD Cup 2001, "
        "also gzipped. The paper has thrombin: 1909 × 139,351 binary features, 42 actives (label A against I). The full "
        "table is never held; what is not 0 is kept. Or bring a kernel and labels on the page Data.",
        "thrombin", origin=kernel_origin,
    ),
    rows=THROMBIN_POWERS, printed={LOSS: printed.TABLE_4}, repeats=Repeats("repetition", "repetitions", "folds"),
    measure=LOSS, prints=LOSSES,
)  # fmt: skip

LYMPHOMA = PaperTable(
    paper=ORTHOGONAL, number=5, subject="lymphoma", key="papers.orthogonal.5", file="orthogonal-patterns-table-5",
    config=LymphomaConfig(), asked=(("repeats", "seed", "C"), ("imputation", "inside")),
    study=measuring_table_5, quick=lambda config, *data: config.imputation == IMPUTATIONS[0].title,
    data=Data(
        "vectors",
        "log ratios with empty cells where a value is unknown, one row a sample and one column a gene, with a column "
        "*label*; leave out every other column. The paper has the lymphoma samples of Alizadeh et al. 2000, 96 × 4026, "
        "malignant against the others: 61 and 35 in the text, 62 and 34 in the only labels that could be found.",
        "lymphoma", "lymphoma", partial(vectors_origin, LYMPHOMA_DATA),
    ),
    rows=POWERS, printed={LOSS: printed.TABLE_5}, repeats=Repeats("repetition", "repetitions", "folds", 10),
    measure=LOSS, prints=LOSSES,
)  # fmt: skip

FAMILIES = PaperTable(
    paper=ORTHOGONAL, number=6, subject="SCOP families", key="papers.orthogonal.6", file="orthogonal-patterns-table-6",
    config=FamiliesConfig(), asked=(("asymmetry", "C"),),
    study=measuring_table_6, quick=_few_items,
    data=Data(
        "families",
        "a kernel of the sequences (on the page Data as a matrix, or as FASTA and then *Spectrum*, k = 3, with cosine "
        "normalisation on the page Kernels), and here a table of families: a header of family names, then one line a "
        f"sequence with its id and one cell a family, each of {', '.join(f'`{role}`' for role in ROLES)} or empty. The "
        f"paper has {SCOP_FAMILIES} families of SCOP 1.53 (Liao and Noble 2002).",
        f"{SCOP_FAMILIES} SCOP families", origin=families_origin,
    ),
    rows=FAMILY_POWERS,
    printed={
        score: tuple(Printed(printed.TABLE_6[p][place]) for p in FAMILY_POWERS)
        for place, score in enumerate((RFP, ROC))
    },
    repeats=Repeats("family", "families", "", SCOP_FAMILIES),
    measure="median rate of false positives and ROC score", prints=SCORES,
    steps="families times powers",
    beside=tuple(
        Beside(name, score, name, Printed(pair[place]))
        for name, pair in printed.OTHERS_6.items()
        for place, score in enumerate((RFP, ROC))
    ),
)  # fmt: skip
