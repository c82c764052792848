"""Tables 1 and 2 and Fig. 1 of "Kernel extrapolation", measured: missing fraction × λ × repetitions.

Nothing in here knows what the paper prints (`printed` beside it); a test moves the seed and sees these numbers move.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS, CellScores, cell_interval, cell_verdict
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.paired import yates_p
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.folds import APART, CrossValidation
from kernex_core.studies.completion.share_sweep import Sweep, joint_scores, sweeping
from kernex_core.studies.completion.study import CompletionConfig, prepare_source

EXTRAPOLATED, SOURCE = "extrapolation alone", "the source alone"
"""What a verdict calls those that are no joint kernel."""


def column_of(lam: float) -> str:
    """Return the name of a column of Table 2, and of the joint kernel in a verdict."""
    return f"λ = {lam:.2f}"


@dataclass(frozen=True, eq=False)
class Measured(ReadOnlyArrays):
    """Scores of one kernel over repetitions.

    Attributes
    ----------
    values : (n_repeats,) float
    by_class : (n_repeats, n_classes) float
        One-vs-rest accuracy of each class.
    by_fold : (n_repeats * n_folds,) float
    interval : Interval
        Of the mean, over items.
    """

    values: FloatArray
    by_class: FloatArray
    by_fold: FloatArray
    interval: Interval

    @property
    def mean(self) -> float:
        """Mean over repetitions."""
        return float(self.values.mean())

    @property
    def sd_repeats(self) -> float:
        """Standard deviation over repetitions; NaN for one."""
        return float(self.values.std(ddof=1)) if self.values.size > 1 else float("nan")

    @property
    def sd_classes(self) -> float:
        """Standard deviation over classes of the accuracies averaged over repetitions."""
        return float(self.by_class.mean(axis=0).std(ddof=1))

    @property
    def sd_folds(self) -> float:
        """Standard deviation over all folds of all repetitions."""
        return float(self.by_fold.std(ddof=1)) if self.by_fold.size > 1 else float("nan")


@dataclass(frozen=True, eq=False)
class ExtrapolationTables(ReadOnlyArrays):
    """All cells that are done.

    Attributes
    ----------
    shares, lams : tuple of float
    repeats : int
    scores : dict of (share, λ) to tuple of CellScores
        One a repetition, in order.
    levels : dict of str to tuple of CellScores
        "target" and "source" alone.
    n_items : int
        Labelled items, judged once a repetition.
    floor : dict of str to float
        By measure.
    done, total : int
        Cells (share, repetition).
    seconds : float
    extrapolated : dict of float to tuple of CellScores
        Extrapolation alone, W'TW, by share: the paper does not print it.
    """

    shares: tuple[float, ...]
    lams: tuple[float, ...]
    repeats: int
    scores: dict[tuple[float, float], tuple[CellScores, ...]]
    levels: dict[str, tuple[CellScores, ...]]
    n_items: int
    floor: dict[str, float]
    done: int
    total: int
    seconds: float = field(compare=False)
    extrapolated: dict[float, tuple[CellScores, ...]] = field(default_factory=dict)

    def joint(self, share: float, lam: float, measure: str = "one_vs_rest") -> Measured | None:
        """Joint kernel in one cell of Table 2; None if no repetition of it is done."""
        return _measured(self.scores.get((share, lam), ()), measure)

    def alone(self, role: str, measure: str = "one_vs_rest") -> Measured | None:
        """Target or source alone."""
        return _measured(self.levels.get(role, ()), measure)

    def verdict(self, share: float, measure: str = "one_vs_rest") -> Verdict | None:
        """Which λ, extrapolation or the source alone is best at a share, and who is told apart; None before any is done."""
        alone = self.extrapolated.get(share, ())
        joint = {column_of(lam): self.scores.get((share, lam), ()) for lam in self.lams}
        candidates = {**joint, EXTRAPOLATED: alone, SOURCE: self.levels.get("source", ())[: len(alone)]}
        return cell_verdict(candidates, measure, plain=[SOURCE]) if all(candidates.values()) else None

    def yates(self, share: float, lam: float, measure: str = "one_vs_rest") -> float:
        """P of a measure of the joint kernel against the source alone, as the paper computes it of one-vs-rest accuracy.

        Not valid, see `learning.compare.NOT_INDEPENDENT`; NaN where nothing is done yet.
        """
        joint, source = self.joint(share, lam, measure), self.alone("source", measure)
        if joint is None or source is None:
            return float("nan")
        n = float(self.n_items * joint.values.size)
        return yates_p(joint.mean * n, float(source.values[: joint.values.size].mean()) * n, n)


def measuring(
    completion: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    *,
    shares: tuple[float, ...],
    lams: tuple[float, ...],
) -> Iterator[ExtrapolationTables]:
    """Run the protocol, one (repetition, missing fraction) a step; every step yields what there is so far.

    Parameters
    ----------
    completion : CompletionConfig
        Nugget, conditioning and seed; its share is replaced by each of `shares`.
    source, target : GramMatrix
        Raw, on the same items; the target known for all of them.
    labels : Labels
    validation : CrossValidation
        Folds, repetitions, C and seed.
    shares, lams : tuple of float

    Raises
    ------
    InvalidInputError
        λ outside 0 to 1, or whatever preparation refuses.
    """
    for lam in lams:
        check_range("The weight λ", lam, 0.0, 1.0)
    if not shares or not lams:
        raise InvalidInputError("The table needs at least one missing fraction and one λ", "none")
    started = time.perf_counter()
    # the paper divided its domains as they are; whatever is equal may stand on both sides
    validation = replace(validation, copies=APART)
    ready = prepare_source(completion, source)
    scores: dict[tuple[float, float], tuple[CellScores, ...]] = {}
    states = sweeping(
        completion, ready, target, labels, validation, shares=shares, repeats=validation.repeats
    )
    for state in states:
        sweep, cell = state.sweep, state.sweep.cells[-1]
        for lam in lams:
            made = joint_scores(cell, lam)
            share = float(cell.share if cell.share is not None else 0.0)
            scores[share, lam] = (*scores.get((share, lam), ()), made)
        yield _tables(sweep, scores, shares, lams, state.done, state.total, time.perf_counter() - started)


def _tables(
    sweep: Sweep,
    scores: dict[tuple[float, float], tuple[CellScores, ...]],
    shares: tuple[float, ...],
    lams: tuple[float, ...],
    done: int,
    total: int,
    seconds: float,
) -> ExtrapolationTables:
    return ExtrapolationTables(
        shares=shares,
        lams=lams,
        repeats=sweep.repeats,
        scores=dict(scores),
        levels=dict(sweep.levels),
        n_items=sweep.n_items,
        floor={"one_vs_rest": sweep.one_vs_rest_floor, "multi_class": sweep.multi_floor},
        done=done,
        total=total,
        seconds=seconds,
        extrapolated={
            share: tuple(cell.plain["extrapolated"] for cell in sweep.cells if cell.share == share)
            for share in shares
        },
    )


def _measured(scores: tuple[CellScores, ...], measure: str) -> Measured | None:
    if measure not in COLUMNS:
        raise InvalidInputError(f"A measure is one of {', '.join(COLUMNS)}", repr(measure))
    if not scores:
        return None
    column = COLUMNS.index(measure)
    return Measured(
        np.array([getattr(score, measure) for score in scores]),
        np.array([score.by_class for score in scores]),
        np.concatenate([score.by_fold[:, column] for score in scores]),
        cell_interval(scores, measure),
    )
