"""Accuracy against the hidden share: every repetition hides other items and has its own folds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.validation import as_symmetric
from kernex_core.completion.complete import check_residual, unspanned
from kernex_core.conditioning.repairs import conditioned
from kernex_core.gram.combine import LIMIT, JointPath
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.split import Split, cut_blocks
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS, CellScores, cell_interval, scores_of, scores_of_decisions
from kernex_core.learning.folds import CrossValidation, Fold
from kernex_core.learning.machine import UNSCALED, Coded, Machine, over_folds
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.scores import chance_level, majority_floor
from kernex_core.runtime.executors import threads_for
from kernex_core.studies.completion.study import Completion, CompletionConfig, prepare

# Two machines instead of one completed kernel: known items are decided by the target, all others by the source.


def two_machines(source: FloatArray, T: FloatArray, known: IntArray, how: Judging) -> list[FloatArray]:
    """Decision values of every fold, where nothing is completed and each test item is decided by a kernel that has it.

    A test item whose target similarities are unknown is decided by the machine of the source, trained on all training items.
    A known one is decided by the machine of the target, trained on the known training items. That machine answers "is it
    class c?" where its training items have members of c and others; of the remaining classes it has never seen an
    example, or nothing else, and there the answer is the source's, which was asked about all training items. So a
    class that no known training item has can still be named; where these have fewer than two classes, all is the source's.

    These decisions belong to no kernel matrix: they can be judged, and not be drawn, kept or combined.

    Parameters
    ----------
    source : (m, m) float
        As it is judged alone.
    T : (s, s) float
        The target on the known items, as the extrapolation takes it.
    known : (s,) int
        Their positions, ascending.
    how : Judging
        The machines (C, margin), classes and folds.

    Returns
    -------
    list of (n_test, n_classes) float
        One a fold, in the order of its test items.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, Labels
    >>> from kernex_core.learning.protocol import Judging, Protocol
    >>> ids, y = tuple("abcdef"), np.array(["x", "y"] * 3)
    >>> how = Judging.of(Labels(ids, y), Protocol(CrossValidation(folds=2, repeats=1)))
    >>> nothing, everything = np.eye(6), np.equal.outer(y, y).astype(float)
    >>> known = np.arange(6)
    >>> [decisions.shape for decisions in two_machines(nothing, everything, known, how)]
    [(3, 2), (3, 2)]
    """
    place = np.full(source.shape[0], -1)
    place[known] = np.arange(known.size)
    by_two = partial(_by_two, how.protocol.machine(), how.coded, T, place)
    return over_folds(by_two, partial(cut_blocks, source), how.folds)


def _by_two(
    machine: Machine, coded: Coded, T: FloatArray, place: IntArray, fold: Fold, blocks: Split
) -> FloatArray:
    codes, n_classes = coded.codes, len(coded.classes)
    decided = machine.train(blocks, codes[fold.train], n_classes).decisions
    among, asked = place[fold.train], place[fold.test]
    train, test = among[among >= 0], asked[asked >= 0]
    seen = codes[fold.train][among >= 0]
    counts = np.bincount(seen, minlength=n_classes)
    answers = np.flatnonzero((counts > 0) & (counts < seen.size))
    if test.size and answers.size:
        by_target = machine.train(cut_blocks(T, train, test), seen, n_classes).decisions
        decided[np.ix_(asked >= 0, answers)] = by_target[:, answers]
    return decided


# Source and target judged alone, as the page Evaluate judges them: no hidden share and no nugget changes these scores.


@dataclass(frozen=True, eq=False)
class Before(ReadOnlyArrays):
    """What of a sweep is known before it starts; it is computed where it is not.

    Attributes
    ----------
    first : Completion, optional
        What `prepare` makes of the first share in the first repetition.
    whole : GramMatrix, optional
        `conditioned(config, target)`.
    levels : dict of str to tuple of CellScores, optional
        `alone` in every repetition, by kernel.
    """

    first: Completion | None = None
    whole: GramMatrix | None = None
    levels: Mapping[str, tuple[CellScores, ...]] | None = None


def alone(
    config: CompletionConfig, source: FloatArray, truth: FloatArray, how: Judging
) -> dict[str, CellScores]:
    """Scores of source (m, m) and target in one repetition; of a target that is known everywhere only."""
    levels = {"source": scores_of(finished(config, source), how)}
    if not np.isnan(truth).any():
        levels["target"] = scores_of(finished(config, truth), how)
    return levels


def finished(config: CompletionConfig, K: FloatArray) -> FloatArray:
    """What is done to the joint kernel last is done to every kernel beside it."""
    return CosineNormalize()(as_symmetric(K)) if config.normalize_after else K


BASELINES = ("extrapolated", "nystroem", "zero-fill", "mean-fill")
"""Kernels that are judged beside the joint one; none of them depends on λ, and each is judged as it would be kept."""
TWO_MACHINES = "two machines"
"""What is judged without a kernel of all items: see `two_machines`."""
SHARES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9)
MANY = 500
"""Above this number of items the sweep takes fewer shares and repetitions, so that its decompositions fit in memory."""


@dataclass(frozen=True, eq=False)
class SweepCell(ReadOnlyArrays):
    """One hidden set: the λ path on all items, how it is judged, and the scores of everything without λ.

    Attributes
    ----------
    share : float or None
    repetition : int
    config : CompletionConfig
    path : JointPath
    how : Judging
    plain : dict of str to CellScores
        Of `BASELINES` and of the two machines.
    unknown : (u,) int
        Items that the completion has to make.
    unspanned : (u, u) float or None
        The residual at λ = 1, among them; None under the free constraint, which has none.
    """

    share: float | None
    repetition: int
    config: CompletionConfig
    path: JointPath
    how: Judging
    plain: Mapping[str, CellScores]
    unknown: IntArray
    unspanned: FloatArray | None


@dataclass(frozen=True, eq=False)
class Sweep(ReadOnlyArrays):
    """All cells that are done.

    Attributes
    ----------
    shares : tuple of float
    repeats : int
    cells : tuple of SweepCell
    levels : dict of str to tuple of CellScores
        "target" (complete, where it is known for every item) and "source" alone, one a repetition.
    n_items : int
        Labelled items.
    multi_floor, one_vs_rest_floor : float
    """

    shares: tuple[float | None, ...]
    repeats: int
    cells: tuple[SweepCell, ...]
    levels: Mapping[str, tuple[CellScores, ...]]
    n_items: int
    multi_floor: float
    one_vs_rest_floor: float

    @property
    def done(self) -> int:
        """Cells that are done."""
        return len(self.cells)

    @property
    def total(self) -> int:
        """Cells in all."""
        return len(self.shares) * self.repeats


@dataclass(frozen=True, eq=False)
class SweepProgress(EqualByContent):
    """State of a running sweep: cells done and in all, seconds, and what there is so far."""

    done: int
    total: int
    seconds: float = field(compare=False)
    sweep: Sweep


@dataclass(frozen=True, eq=False)
class Curve(ReadOnlyArrays):
    """Mean and standard deviation over repetitions, one value a share; NaN where nothing is done yet.

    `low` and `high` are the ends of the interval of the mean over items, each with all its repetitions.
    """

    mean: FloatArray
    sd: FloatArray
    low: FloatArray
    high: FloatArray


def sweep_size(n: int, config: CrossValidation) -> tuple[tuple[float, ...], int]:
    """Shares and repetitions for n items."""
    return (SHARES, config.repeats) if n <= MANY else ((0.1, 0.25, 0.5, 0.75), min(config.repeats, 2))


def sweeping(
    completion: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    config: CrossValidation,
    *,
    shares: Sequence[float | None] | None = None,
    repeats: int | None = None,
    before: Before | None = None,
) -> Iterator[SweepProgress]:
    """Prepare and judge every (repetition, share), one cell at a time.

    Parameters
    ----------
    completion : CompletionConfig
        Its share is replaced by each of the shares.
    source : GramMatrix
        Conditioned (`completion.prepare_source`).
    target : GramMatrix
        Raw.
    labels : Labels
    config : CrossValidation
        Folds, C and seed; every repetition has its own folds and hidden set.
    shares, repeats : optional
        By default from `sweep_size`.
    before : Before, optional
        What is there already.

    Raises
    ------
    InvalidInputError
        Fewer than two classes, or whatever `prepare` refuses.
    """
    started = time.perf_counter()
    some_shares, some_repeats = sweep_size(source.n, config)
    wanted: tuple[float | None, ...] = tuple(shares) if shares else some_shares
    repeats = repeats or some_repeats
    before = before or Before()
    whole = before.whole or conditioned(completion, target)
    judging = Judging.of(
        labels, Protocol(replace(config, repeats=repeats), UNSCALED), kernels=(source, whole)
    )
    sweep = _empty(wanted, repeats, judging)
    total = len(wanted) * repeats
    of: Completion | None = None
    judges: dict[str, Callable[[Judging], CellScores]] = {}
    first, levels = before.first, {name: [*found] for name, found in (before.levels or {}).items()}
    for repetition, how in enumerate(judging.repetitions):
        for share in wanted:
            with threads_for(source.n):
                # as uploaded nothing is drawn: every repetition has the same
                if first is not None and share == wanted[0] and (repetition == 0 or share is None):
                    made = first
                else:
                    of, judges = None, {}  # four matrices, which nobody needs any more
                    hiding = replace(completion, share=share)
                    made = prepare(hiding, source, target, repetition=repetition, whole=whole)
                first = made if first is None else first
                if before.levels is None and share == wanted[0]:
                    for name, scores in alone(completion, source.values, whole.values, how).items():
                        levels.setdefault(name, []).append(scores)
                if made is not of:
                    of, judges = made, judges_without_lam(made)
                cell = cell_of(
                    made, share, repetition, how, {name: judged(how) for name, judged in judges.items()}
                )
            kept = {name: tuple(found) for name, found in levels.items()}
            sweep = replace(sweep, cells=(*sweep.cells, cell), levels=kept)
            yield SweepProgress(len(sweep.cells), total, time.perf_counter() - started, sweep)


def joint_scores(cell: SweepCell, lam: float) -> CellScores:
    """Scores of the joint kernel of one cell at any λ."""
    return scores_of(joint_matrix(cell, lam), cell.how)


def other_joint_scores(cell: SweepCell, lam: float) -> CellScores | None:
    """Scores of the joint kernel with the residual where the configuration has none, and of the one without where it has.

    None where there is no such kernel: under the free constraint, and at λ = 0.
    """
    residual = not cell.config.residual
    if residual and (cell.unspanned is None or lam < LIMIT):
        return None
    return scores_of(joint_matrix(cell, lam, residual=residual), cell.how)


def both_joint_scores(
    cell: SweepCell, lam: float, *, K: FloatArray | None = None
) -> tuple[CellScores, CellScores | None]:
    """`joint_scores` and `other_joint_scores` of one cell, whose kernels differ by the residual alone: one product for both.

    Parameters
    ----------
    cell : SweepCell
    lam : float
    K : (m, m) float, optional
        `cell.path.kernel(lam)`, where somebody has it.
    """
    K = cell.path.kernel(lam) if K is None else K
    found: dict[bool, CellScores] = {}
    if cell.config.residual or (cell.unspanned is not None and lam >= LIMIT):
        found[True] = scores_of(finished(cell.config, _with_residual(cell, K, lam)), cell.how)
    found[False] = scores_of(finished(cell.config, K), cell.how)
    return found[cell.config.residual], found.get(not cell.config.residual)


def joint_matrix(cell: SweepCell, lam: float, *, residual: bool | None = None) -> FloatArray:
    """The joint kernel of one cell at any λ, (m, m).

    Parameters
    ----------
    cell : SweepCell
    lam : float
    residual : bool, optional
        Keep the part of the source that the known items do not span; as configured by default.

    Raises
    ------
    InvalidInputError
        A residual under the free constraint or at λ = 0, for which it is not defined.
    """
    K = cell.path.kernel(lam)
    if cell.config.residual if residual is None else residual:
        K = _with_residual(cell, K, lam)
    return finished(cell.config, K)


def _with_residual(cell: SweepCell, K: FloatArray, lam: float) -> FloatArray:
    lam = check_residual(lam, "free" if cell.unspanned is None else "shear")
    assert cell.unspanned is not None  # it has just been checked
    made = K.copy()
    made[np.ix_(cell.unknown, cell.unknown)] += cell.unspanned / lam
    return made


def joint_curve(sweep: Sweep, lam: float) -> tuple[Curve, Curve]:
    """Multi-class and one-vs-rest accuracy of the joint kernel at λ against the hidden share."""
    return curves_of(sweep, [joint_scores(cell, lam) for cell in sweep.cells])


def plain_mean(sweep: Sweep, method: str, measure: str) -> float:
    """Mean accuracy ("multi_class" or "one_vs_rest") of one of `BASELINES` over all cells of a sweep of one share."""
    return float(np.mean([getattr(cell.plain[method], measure) for cell in sweep.cells]))


def curves_of(sweep: Sweep, scores: Sequence[CellScores]) -> tuple[Curve, Curve]:
    """Multi-class and one-vs-rest accuracy against the hidden share, from one score a cell."""
    made = []
    for measure in COLUMNS:
        found = np.full((4, len(sweep.shares)), np.nan)
        for place, share in enumerate(sweep.shares):
            mine = [score for cell, score in zip(sweep.cells, scores, strict=True) if cell.share == share]
            if mine:
                found[:, place] = _moments(mine, measure)
        made.append(Curve(*found))
    return made[0], made[1]


def level_curve(scores: Sequence[CellScores]) -> tuple[Curve, Curve]:
    """The same of the scores of one hidden share, one a repetition, or of a kernel alone, which no share changes."""
    found = [_moments(scores, measure) for measure in COLUMNS]
    multi, single = (Curve(*np.array(values)[:, None]) for values in found)
    return multi, single


def _moments(scores: Sequence[CellScores], measure: str) -> tuple[float, float, float, float]:
    values = [getattr(score, measure) for score in scores]
    interval = cell_interval(scores, measure)
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else np.nan
    return float(np.mean(values)), sd, interval.low, interval.high


def _empty(shares: tuple[float | None, ...], repeats: int, judging: Judging) -> Sweep:
    truth, c = judging.coded.labelled, len(judging.coded.classes)
    return Sweep(shares, repeats, (), {}, int(truth.size), majority_floor(truth, c), chance_level(truth, c))


def judges_without_lam(made: Completion) -> dict[str, Callable[[Judging], CellScores]]:
    """How each of `BASELINES` and the two machines of a completion are judged; the completion itself sees no label.

    Parameters
    ----------
    made : Completion
    """
    rests = made.extrapolation
    source, T = (finished(made.config, K) for K in (made.source.values, rests.T_known))

    def machines(how: Judging) -> CellScores:
        return scores_of_decisions(two_machines(source, T, rests.known, how), how)

    kernels = {name: finished(made.config, K) for name, K in made.plain.items()}
    return {**{name: partial(scores_of, K) for name, K in kernels.items()}, TWO_MACHINES: machines}


def cell_of(
    made: Completion, share: float | None, repetition: int, how: Judging, plain: Mapping[str, CellScores]
) -> SweepCell:
    """A completion as a cell, with what was judged of it without λ."""
    rests = made.extrapolation
    unspanned_part = None if rests.constraint == "free" else owned(unspanned(rests, rests.source))
    return SweepCell(share, repetition, made.config, made.path, how, plain, rests.unknown, unspanned_part)
