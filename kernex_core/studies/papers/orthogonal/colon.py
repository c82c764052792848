"""Table 2: gene expression with sparse noise. Genes that tell, and ten thousand features that occur once in a while.

Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, section 5. The
preparation is the one that gives the matrix of its Fig. 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.findings.telltale import telltales
from kernex_core.inputs.findings.telltale_notes import telltale_warnings
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.learning.folds import stratified_folds
from kernex_core.learning.machine import hard_margin_parameter
from kernex_core.learning.protocol import Judging
from kernex_core.parameters import check_parameters, parameter
from kernex_core.seeds import repetition_rng
from kernex_core.studies.diagonals.judging import svm_losses
from kernex_core.studies.papers.orthogonal.classes import two_classes
from kernex_core.studies.papers.orthogonal.judging_powers import Drawn, Plan, measuring
from kernex_core.studies.papers.orthogonal.power_table import Powers, PowerTable

COLON_POWERS: Powers = (None, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
FOLDS = 10
SHARE = 0.01
"""Share of the noise features of an item that are not 0; they are uniform between 0 and 1."""


@dataclass(frozen=True)
class ColonConfig:
    """Protocol of Table 2: new noise and new folds a repetition."""

    draws: int = parameter(
        20, label="Draws of noise", help="Each adds new noise features and divides into ten folds anew.", low=1,
        high=500, step=1,
    )  # fmt: skip
    seed: int = parameter(
        0, label="Seed", help="Draw r is made from the seed and r.", low=0, high=2**31 - 1, step=1
    )
    noise: int = parameter(
        10_000, label="Noise features", help="A hundredth is above 0 in each sample, drawn anew: uniform up to 1.", low=0,
        high=50_000, step=1000,
    )  # fmt: skip
    C: float = hard_margin_parameter()

    def __post_init__(self) -> None:
        check_parameters(self)


def expression_profiles(X: FloatArray) -> FloatArray:
    """Prepare intensities X (n, d): logarithm, each item to mean 0 and variance 1, each gene likewise, unit length.

    Genes are standardised over all items, as the paper did: labels are not looked at, but test items are. A gene that is
    the same everywhere becomes 0.

    Raises
    ------
    InvalidInputError
        Intensities that are not above 0, or unknown ones.
    """
    if np.isnan(X).any():
        raise InvalidInputError(
            "Table 2 needs every intensity to be known",
            f"{int(np.isnan(X).sum()):,} unknown ones",
            "Try Table 5",
        )
    if not (X > 0.0).all():
        raise InvalidInputError(
            "Table 2 takes raw intensities above 0, of which it takes the logarithm itself",
            f"{int((X <= 0.0).sum()):,} at or below 0",
            "Bring the data before any logarithm or standardisation",
        )
    logs = np.log(X)
    by_item = _standard(logs, axis=1)
    by_gene = _standard(by_item, axis=0)
    lengths = np.linalg.norm(by_gene, axis=1, keepdims=True)
    return np.asarray(by_gene / np.where(lengths > 0.0, lengths, 1.0))


def _standard(X: FloatArray, *, axis: int) -> FloatArray:
    spread = X.std(axis=axis, keepdims=True)
    return np.asarray((X - X.mean(axis=axis, keepdims=True)) / np.where(spread > 0.0, spread, 1.0))


def sparse_noise_kernel(n: int, features: int, *, rng: np.random.Generator) -> FloatArray:
    """N N' (n, n) of noise N (n, features): in every row a hundredth of the entries, drawn anew, is uniform in [0, 1]."""
    N = np.zeros((n, features))
    for row in N:
        chosen = rng.choice(features, round(SHARE * features), replace=False)
        row[chosen] = rng.random(chosen.size)
    return np.asarray(N @ N.T)


def measuring_table_2(
    config: ColonConfig,
    vectors: Vectors,
    labels: Labels,
    positive: tuple[str, ...] = (),
    *,
    done: PowerTable | None = None,
) -> Iterator[PowerTable]:
    """Run the protocol on expression data, one p of one draw of noise a step.

    Parameters
    ----------
    config : ColonConfig
    vectors : Vectors
        Raw intensities above 0; the paper has 62 samples of 2000 genes (Alon et al. 1999).
    labels : Labels
    positive : tuple of str
        See `two_classes`.
    done : PowerTable, optional
        What an earlier run with the same arguments got to; it is not measured again.

    Raises
    ------
    InvalidInputError
        See `expression_profiles` and `two_classes`; classes smaller than ten.
    """
    coded = two_classes(labels, positive, folds=FOLDS)
    X = expression_profiles(vectors.X)
    clean = X @ X.T

    def draw(r: int) -> Drawn:
        noise = sparse_noise_kernel(vectors.n, config.noise, rng=repetition_rng(config.seed, r))
        folds = stratified_folds(coded.codes, FOLDS, seed=config.seed, first=r)
        aside = svm_losses(GramMatrix(clean), Judging.given(coded, folds, C=config.C))
        return Drawn([(GramMatrix(clean + noise), folds)], coded, aside.values)

    notes = telltale_warnings(telltales(vectors, coded.codes))
    return measuring(Plan(COLON_POWERS, config.draws, draw, config.C, notes=notes), done)
