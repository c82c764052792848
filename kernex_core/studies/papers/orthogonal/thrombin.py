"""Table 4: a kernel that the user brings, judged as the paper judged thrombin (few actives among many, very sparse).

Source: Schoelkopf et al., "A kernel approach for learning from almost orthogonal patterns", ECML 2002, section 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.evaluate import check_judgeable
from kernex_core.learning.folds import stratified_folds
from kernex_core.learning.machine import hard_margin_parameter
from kernex_core.parameters import check_parameters, parameter
from kernex_core.studies.papers.orthogonal.classes import two_classes
from kernex_core.studies.papers.orthogonal.judging_powers import Drawn, Plan, measuring
from kernex_core.studies.papers.orthogonal.power_table import Powers, PowerTable

THROMBIN_POWERS: Powers = (None, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
FOLDS = 8


@dataclass(frozen=True)
class ThrombinConfig:
    """Protocol of Table 4: eight folds with the classes in proportion."""

    repeats: int = parameter(
        3, label="Repetitions", help="Each divides the items into eight folds anew; one has no standard error.", low=1,
        high=100, step=1,
    )  # fmt: skip
    seed: int = parameter(
        0, label="Seed", help="Repetition r draws from the seed and r.", low=0, high=2**31 - 1, step=1
    )
    C: float = hard_margin_parameter()

    def __post_init__(self) -> None:
        check_parameters(self)


def measuring_table_4(
    config: ThrombinConfig,
    K: GramMatrix,
    labels: Labels,
    positive: tuple[str, ...] = (),
    *,
    done: PowerTable | None = None,
) -> Iterator[PowerTable]:
    """Run the protocol on a kernel, one p of one repetition of eight folds a step.

    Parameters
    ----------
    config : ThrombinConfig
    K : GramMatrix
        The paper has the linear kernel of 1909 × 139,351 binary features.
    labels : Labels
    positive : tuple of str
        See `two_classes`; the paper has 42 actives.
    done : PowerTable, optional
        What an earlier run with the same arguments got to; it is not measured again.

    Raises
    ------
    InvalidInputError
        Unknown entries, see `two_classes`; classes smaller than eight.
    NotPositiveSemidefiniteError
        A matrix that is no kernel.
    """
    coded = two_classes(labels, positive, folds=FOLDS)
    check_judgeable(K)
    notes = () if K.values.any() else ("This kernel is 0 everywhere: nothing tells its items apart.",)

    def draw(r: int) -> Drawn:
        return Drawn([(K, stratified_folds(coded.codes, FOLDS, seed=config.seed, first=r))], coded)

    return measuring(Plan(THROMBIN_POWERS, config.repeats, draw, config.C, notes=notes), done)
