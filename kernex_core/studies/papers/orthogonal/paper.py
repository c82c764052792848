"""The tables of "A kernel approach for learning from almost orthogonal patterns", each as one value."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.conditioning.impute import IMPUTATIONS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.learning.machine import Coded
from kernex_core.studies.papers.orthogonal import printed
from kernex_core.studies.papers.orthogonal.families import (
    FAMILY_POWERS,
    ROLES,
    Families,
    FamiliesConfig,
    FamilyTable,
    measuring_table_6,
)
from kernex_core.studies.papers.orthogonal.power_table import (
    ALL_POINTS,
    BASES,
    POWERS,
    TRAIN_ONLY,
    PowerTable,
    two_classes,
)
from kernex_core.studies.papers.orthogonal.tables import (
    BETWEEN_SETS,
    COLON_POWERS,
    COMPONENTS,
    NEIGHBOUR,
    THROMBIN_POWERS,
    ColonConfig,
    HiddenConfig,
    LymphomaConfig,
    OrthogonalConfig,
    ThrombinConfig,
    measuring_table_1,
    measuring_table_2,
    measuring_table_3,
    measuring_table_4,
    measuring_table_5,
)
from kernex_core.studies.papers.paper_table import (
    Beside,
    Data,
    Difference,
    Origin,
    Paper,
    PaperTable,
    Printed,
    Repeats,
)

# What is measured beside what the paper prints: differences, their limits, and which basis of the map the numbers fit.

LOSS = "balanced loss"
"""The printed column of Tables 1 to 5."""
MODES = {ALL_POINTS: "transductive", TRAIN_ONLY: "inductive, as the text says"}
ROUGH = 6
"""Below so many units a standard error is no better known than to a third."""
CANNOT_TELL = "the numbers cannot tell which of the two it was"
NEITHER = "the numbers fit neither"
BETTER = {
    ALL_POINTS: "the numbers fit the map on all points better",
    TRAIN_ONLY: "the numbers fit the map on training points better",
}


@dataclass(frozen=True, eq=False)
class LossComparison(EqualByContent):
    """One of Tables 1 to 5 beside what is measured of it; losses are shares, 0 to 1.

    Attributes
    ----------
    paper : PaperTable
    found : PowerTable
    """

    paper: PaperTable
    found: PowerTable

    @property
    def printed(self) -> FloatArray:
        """Return the printed means (n_rows,)."""
        return np.array([p.mean for p in self.paper.printed[LOSS]])

    @property
    def printed_sd(self) -> FloatArray:
        """Return the printed ± (n_rows,)."""
        return np.array([p.plus_minus for p in self.paper.printed[LOSS]])

    def printed_se(self, column: str) -> FloatArray:
        """Return the standard error (n_rows,) of the printed means, if they are of this basis; NaN where it is not known.

        What is printed is about one set of data: it would be another number for another set. Where the paper draws its
        data, that is how far sets differ (`BetweenSets`), which its ± over splits of one set, divided by the root of their
        number, does not tell. Otherwise the ± is over folds, which share their items, and a printed mean varies as much as
        a measured one does from repetition to repetition; and no less than its ± makes of it.
        """
        found, printed, between = self.found, self.paper.repeats.printed, self.paper.between
        if between is not None:
            return np.array([between.rows[column][p] for p in found.powers])
        varies = np.maximum(*(found.sd_repetitions(each) for each in BASES))
        return np.asarray(np.maximum(varies, self.printed_sd / math.sqrt(found.n_folds)) / math.sqrt(printed))

    def differences(self, column: str) -> tuple[Difference, ...]:
        """Return measured less published, one a row, with the standard error of both."""
        gaps = self.found.mean(column) - self.printed
        errors = np.hypot(self.found.se(column), self.printed_se(column))
        return tuple(Difference(*each) for each in zip(gaps.tolist(), errors.tolist(), strict=True))

    def inside(self, column: str) -> tuple[int, int]:
        """Return how many rows are within two standard errors, and how many have one."""
        made = self.differences(column)
        return sum(d.within for d in made), sum(math.isfinite(d.limit) for d in made)

    @property
    def judged(self) -> bool:
        """Whether any row has a standard error."""
        return any(self.inside(column)[1] for column in BASES)

    def beside(self, each: Beside) -> Difference:
        """Return measured less published of a number beside the table, which is taken to vary as ours does.

        Its printed ± is over trials that share one set of data: see `printed_se`.
        """
        row = self.found.powers.index(each.row)
        gap = float(self.found.mean(each.column)[row]) - each.printed.mean
        return Difference(gap, math.hypot(float(self.found.se(each.column)[row]), self.beside_se(each)))

    def beside_se(self, each: Beside) -> float:
        """Return the standard error of what is printed beside the table, see `beside`; NaN where it is not known."""
        if self.paper.between is not None:
            return self.paper.between.rows[each.column][each.row]
        own, units = (
            float(self.found.se(each.column)[self.found.powers.index(each.row)]),
            len(self.found.by_unit(each.column)),
        )
        return own * math.sqrt(units / self.paper.repeats.printed)

    def distances(self) -> dict[str, Difference]:
        """Average measured less published over the rows with a map.

        Rows of one repetition go up and down together, so the unit is the repetition: its mean over the rows varies
        from one to the next by a standard deviation, measured, from which the standard error comes. That of what is
        printed is how far sets of data differ, where the paper draws them, and comes from the same deviation otherwise.
        """
        rows = [place for place, p in enumerate(self.found.powers) if p is not None]
        printed = float(np.mean(self.printed[rows]))
        means = {column: self.found.by_unit(column)[:, rows].mean(axis=1) for column in BASES}
        varies = {column: float(each.std(ddof=1)) for column, each in means.items()}
        alike = max(varies.values()) / self.paper.repeats.printed**0.5
        between = self.paper.between
        of_printed = dict.fromkeys(BASES, alike) if between is None else between.over_rows
        return {
            column: Difference(
                float(each.mean()) - printed,
                float(np.hypot(varies[column] / each.size**0.5, of_printed[column])),
            )
            for column, each in means.items()
        }

    def verdict(self) -> Verdict | None:
        """Return which basis the numbers fit; None before two units are done."""
        units = len(self.found.by_unit(ALL_POINTS))
        if units < 2:
            return None
        return Verdict(self.distances(), {column: self.inside(column) for column in BASES}, units)


@dataclass(frozen=True, eq=False)
class Verdict(EqualByContent):
    """Which basis of the map the numbers fit.

    Attributes
    ----------
    apart : dict of str to Difference
        Of the sum over the rows, by basis.
    inside : dict of str to (int, int)
        Rows within two standard errors, and rows that have one, by basis.
    units : int
        Independent ones that were measured.
    """

    apart: dict[str, Difference]
    inside: dict[str, tuple[int, int]]
    units: int

    @property
    def rough(self) -> bool:
        """Whether so few units leave the standard errors rough themselves."""
        return self.units < ROUGH

    @property
    def text(self) -> str:
        """Return which basis the sum over the rows fits: one alone is within two standard errors, both, or neither."""
        fitting = [column for column, each in self.apart.items() if each.within]
        if len(fitting) == 1:
            return BETTER[fitting[0]]
        return CANNOT_TELL if fitting else NEITHER


# Table 6 beside what is printed: means over families, and how many rows fit with each basis of the map.

RFP, ROC = "median RFP", "ROC"
SCORES_OF_FAMILY_COMPARISON = (RFP, ROC)
"""Columns of Table 6: rate of false positives above the median item of a family, and ROC score, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Mean(EqualByContent):
    """Mean over the families where it is defined.

    Attributes
    ----------
    value : float
        NaN where there is none.
    se : float
        Over families; NaN for one.
    families : int
    difference : Difference
        To what is printed. The paper prints no spread, so ours stands for both: √2 times the standard error.
    """

    value: float
    se: float
    families: int
    difference: Difference


@dataclass(frozen=True, eq=False)
class FamilyComparison(EqualByContent):
    """Table 6 beside what is measured of it."""

    paper: PaperTable
    found: FamilyTable

    def values(self, score: str, column: str) -> FloatArray:
        """(n_families, n_powers) of one score on one basis."""
        return (self.found.rfp if score == RFP else self.found.roc)[column]

    def means(self, score: str, column: str) -> tuple[Mean, ...]:
        """Return one mean a row."""
        rows = zip(self.values(score, column).T, self.paper.printed[score], strict=True)
        return tuple(mean_over_families(values, printed.mean) for values, printed in rows)

    def inside(self, score: str, column: str) -> int:
        """Return how many rows are not outside."""
        return sum(not each.difference.outside for each in self.means(score, column))

    @property
    def tells(self) -> bool:
        """Whether the bases differ in how many rows fit, on either score."""
        return any(
            self.inside(score, ALL_POINTS) != self.inside(score, TRAIN_ONLY)
            for score in SCORES_OF_FAMILY_COMPARISON
        )

    def better(self, column: str, row: int) -> tuple[int, int, int]:
        """Return in how many families the map of a row is better than the kernel as it is, worse, and both are known."""
        now, was = self.found.roc[column][:, row], self.found.roc[column][:, 0]
        both = np.isfinite(now) & np.isfinite(was)
        return int((now > was)[both].sum()), int((now < was)[both].sum()), int(both.sum())

    def measured(self) -> tuple[float, ...]:
        """Return every p with a map of which some family is done."""
        roc = self.found.roc[ALL_POINTS]
        return tuple(
            p for row, p in enumerate(self.found.powers) if p is not None and np.isfinite(roc[:, row]).any()
        )


def mean_over_families(values: FloatArray, printed: float) -> Mean:
    """Mean of one row (n_families,), NaN = not defined, beside the printed mean."""
    defined = values[~np.isnan(values)]
    value = float(defined.mean()) if defined.size else float("nan")
    se = float(defined.std(ddof=1)) / defined.size**0.5 if defined.size > 1 else float("nan")
    return Mean(value, se, int(defined.size), Difference(value - printed, 2.0**0.5 * se))


# Whether the visitor's data are those of "almost orthogonal patterns": only then do printed numbers judge measured ones.
#
# The expression data of Tables 2 and 5 are known by a digest of their numbers and classes, in whatever order samples and
# genes stand. Thrombin (Table 4) cannot be fetched; it is taken for granted where sizes and classes agree.

THROMBIN_SIZES, THROMBIN_FEATURES = (42, 1867), 139_351
THROMBIN_SHARE, THROMBIN_DIAGONAL = 0.0068, 1377.9
"""Printed share of features that are not 0, and mean diagonal of the linear kernel: of a binary table the one would make
the other 947.6, so they are not about the same items, and data have to agree with one of them to its digits."""
SCOP_FAMILIES = 54


@dataclass(frozen=True)
class PaperData:
    """Expression data of the paper.

    Attributes
    ----------
    name, classes : str
        In words.
    shape : (int, int)
        Samples and genes.
    numbers, whole : str
        First 16 digits of SHA-256 of the numbers, and of numbers and classes.
    """

    name: str
    classes: str
    shape: tuple[int, int]
    numbers: str
    whole: str


COLON_DATA = PaperData(
    "colon", "40 tumours and 22 normal", (62, 2000), "f0900990253a25fd", "1e2e125525389454"
)
LYMPHOMA_DATA = PaperData(
    "lymphoma", "62 malignant and 34 others", (96, 4026), "db7bf9dbc35654ae", "35381f602d69e51f"
)


def expression_origin(paper: PaperData, X: FloatArray, coded: Coded) -> Origin:
    """Compare vectors X (n, d) and their two classes with what the paper had.

    Parameters
    ----------
    paper : PaperData
    X : (n, d) float
        NaN = unknown.
    coded : Coded
        Two classes; which of them is the first does not matter.
    """
    if X.shape != paper.shape:
        n, d = X.shape
        return Origin(
            False,
            f"These are not the paper's {paper.name} data: {n:,} × {d:,} instead of {paper.shape[0]} × {paper.shape[1]:,}.",
        )
    rows = sample_digests(X)
    if _joined(rows) != paper.numbers:
        return Origin(
            False,
            f"These are not the paper's {paper.name} data, though there are as many: their numbers are others.",
        )
    if paper.whole not in _with_classes(rows, coded.codes):
        sizes = " and ".join(str(int((coded.codes == code).sum())) for code in (1, 0))
        return Origin(
            False,
            f"The {paper.name} data are the paper's, the classes are not: {sizes} samples instead of {paper.classes}.",
        )
    return Origin(True)


def thrombin_origin(
    coded: Coded, diagonal: float, n_features: int | None = None, share: float | None = None
) -> Origin:
    """Compare the sizes of two classes, the mean diagonal of the linear kernel and, where they are known, features.

    Parameters
    ----------
    coded : Coded
    diagonal : float
        Mean of it.
    n_features : int, optional
    share : float, optional
        Of the features that are not 0.
    """
    sizes = tuple(sorted(int((coded.codes == code).sum()) for code in (0, 1)))
    same_size = sizes == THROMBIN_SIZES and n_features in (None, THROMBIN_FEATURES)
    if share is None:
        share = diagonal / THROMBIN_FEATURES
    same_values = abs(diagonal - THROMBIN_DIAGONAL) < 0.1 or abs(share - THROMBIN_SHARE) < 0.00005
    if same_size and same_values:
        return Origin(True, "Taken for thrombin: sizes, classes and the diagonal of the kernel are the same.")
    if same_size:
        return Origin(
            False,
            f"This is not thrombin, though it has its size: mean diagonal {diagonal:,.1f} and {100.0 * share:.3g} % not 0 "
            f"instead of {THROMBIN_DIAGONAL:,} or {100.0 * THROMBIN_SHARE:.2g} %.",
        )
    found = f"{sizes[0]:,} and {sizes[1]:,} items" + (f", {n_features:,} features" if n_features else "")
    return Origin(
        False, f"This is not thrombin: {found} instead of 42 and 1,867 items, {THROMBIN_FEATURES:,} features."
    )


def vectors_origin(paper: PaperData, vectors: Vectors, labels: Labels, positive: tuple[str, ...]) -> Origin:
    """Compare vectors and some classes against the others with what the paper had; see `expression_origin`."""
    coded = _coded(labels, positive)
    return Origin(False) if coded is None else expression_origin(paper, vectors.X, coded)


def kernel_origin(
    K: GramMatrix,
    labels: Labels,
    positive: tuple[str, ...],
    n_features: int | None = None,
    share: float | None = None,
) -> Origin:
    """Compare a kernel and some classes against the others with thrombin; see `thrombin_origin`."""
    coded = _coded(labels, positive)
    if coded is None:
        return Origin(False)
    return thrombin_origin(coded, float(K.values.diagonal().mean()), n_features, share)


def is_scop(families: tuple[str, ...]) -> bool:
    """Whether there are as many families as the paper has: no more can be known of a visitor's sequences."""
    return len(families) == SCOP_FAMILIES


def families_origin(K: GramMatrix, families: Families) -> Origin:
    """Compare the number of families with the paper's: no more can be known of a visitor's sequences."""
    n = len(families.names)
    if n == SCOP_FAMILIES:
        return Origin(True)
    return Origin(False, f"These are not the paper's families: {n} instead of {SCOP_FAMILIES} of SCOP 1.53.")


def _coded(labels: Labels, positive: tuple[str, ...]) -> Coded | None:
    """Two classes, or None: what is wrong with them is said where the table would stand."""
    try:
        return two_classes(labels, positive)
    except KernexError:
        return None


def sample_digests(X: FloatArray) -> list[str]:
    """One digest a sample, of its values to eight significant digits whatever their order; logarithms ×100 or not."""
    sizes = np.abs(X[np.isfinite(X)])
    # log ratios of lymphoma go around as they are and as whole hundredths; intensities are far above
    scaled = np.round(100.0 * X) if sizes.size and sizes.max() < 20.0 else X
    # + 0 makes one of the two zeros
    ordered = np.sort(scaled, axis=1) + 0.0
    return [
        hashlib.sha256(" ".join(f"{v:.7e}" for v in row).encode()).hexdigest() for row in ordered.tolist()
    ]


def _joined(rows: list[str]) -> str:
    return hashlib.sha256(" ".join(sorted(rows)).encode()).hexdigest()[:16]


def _with_classes(rows: list[str], codes: IntArray) -> set[str]:
    return {
        _joined([f"{row} {side}" for row, side in zip(rows, sides.tolist(), strict=True)])
        for sides in (codes, np.where(codes >= 0, 1 - codes, codes))
    }


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
