"""Table 5: gene expression with unknown entries, filled inside every fold unless told otherwise.

Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, section 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kernex_core.conditioning.impute import IMPUTATIONS, imputation_named
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.findings.telltale import telltales
from kernex_core.inputs.findings.telltale_notes import telltale_warnings
from kernex_core.inputs.samples import Labels, Note, Vectors
from kernex_core.kernels.vectors.dot_product import Cosine
from kernex_core.learning.folds import Fold, stratified_folds
from kernex_core.learning.machine import hard_margin_parameter
from kernex_core.parameters import check_parameters, parameter
from kernex_core.studies.papers.orthogonal.classes import two_classes
from kernex_core.studies.papers.orthogonal.judging_powers import Drawn, Part, Plan, measuring
from kernex_core.studies.papers.orthogonal.power_table import POWERS, PowerTable

FOLDS = 10


@dataclass(frozen=True)
class LymphomaConfig:
    """Protocol of Table 5: ten folds with the classes in proportion, divided anew in every repetition."""

    repeats: int = parameter(
        10, label="Repetitions", help="Each divides the items into ten folds anew.", low=1, high=100, step=1
    )
    seed: int = parameter(
        0, label="Seed", help="Repetition r draws from the seed and r.", low=0, high=2**31 - 1, step=1
    )
    imputation: str = parameter(
        IMPUTATIONS[0].title, label="Unknown entries become", help="What stands for an unknown expression value.",
        choices=tuple(each.title for each in IMPUTATIONS),
    )  # fmt: skip
    inside: bool = parameter(
        True,
        label="Fill inside the folds",
        help="Learn the fill from the training rows of each fold. Otherwise it has seen the test rows.",
    )
    C: float = hard_margin_parameter()

    def __post_init__(self) -> None:
        check_parameters(self)


def filled_parts(config: LymphomaConfig, vectors: Vectors, folds: Sequence[Fold]) -> list[Part]:
    """Cosine kernels of the filled vectors: one a fold, filled from its training rows, or one for all folds."""
    imputation, kernel = imputation_named(config.imputation), Cosine()
    if not np.isnan(vectors.X).any():
        return [(GramMatrix(kernel.gram(vectors.X)), folds)]
    if not config.inside:
        return [(GramMatrix(kernel.gram(imputation.fit(vectors.X).apply(vectors.X))), folds)]
    # the fill of test rows is learnt from training rows too, so every fold has its own kernel of all items
    return [
        (GramMatrix(kernel.gram(imputation.fit(vectors.X[fold.train]).apply(vectors.X))), [fold])
        for fold in folds
    ]


def measuring_table_5(
    config: LymphomaConfig,
    vectors: Vectors,
    labels: Labels,
    positive: tuple[str, ...] = (),
    *,
    done: PowerTable | None = None,
) -> Iterator[PowerTable]:
    """Run the protocol on expression data, one p of one repetition of ten folds a step.

    Parameters
    ----------
    config : LymphomaConfig
    vectors : Vectors
        Log ratios, NaN = unknown; the paper has 96 samples of 4026 genes (Alizadeh et al. 2000).
    labels : Labels
    positive : tuple of str
        See `two_classes`; the paper sets malignant samples against the others.
    done : PowerTable, optional
        What an earlier run with the same arguments got to; it is not measured again.

    Raises
    ------
    InvalidInputError
        See `two_classes`; classes smaller than ten.
    """
    coded = two_classes(labels, positive, folds=FOLDS)
    notes: tuple[str | Note, ...] = (
        *telltale_warnings(telltales(vectors, coded.codes)),
        _filled(config, vectors),
    )

    def draw(r: int) -> Drawn:
        folds = stratified_folds(coded.codes, FOLDS, seed=config.seed, first=r)
        return Drawn(filled_parts(config, vectors, folds), coded)

    return measuring(Plan(POWERS, config.repeats, draw, config.C, notes=notes), done)


def _filled(config: LymphomaConfig, vectors: Vectors) -> str:
    missing = int(np.isnan(vectors.X).sum())
    if not missing:
        return "Every entry is known: nothing was filled."
    where = "from the training rows of each fold" if config.inside else "from all rows, test rows included"
    share = 100.0 * missing / vectors.X.size
    return f"{missing:,} unknown entries ({share:.2g} %) were filled by {config.imputation}, {where}."
