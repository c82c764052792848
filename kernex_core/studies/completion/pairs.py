"""Study of the page Complete where single pairs are unknown: hide some known ones, complete all, score what was hidden.

`first_picture` fits one setting at once; `studying` chooses, says how sure it is, and judges plain ways beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError, KernexError
from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray, ReadOnlyArrays, owned
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.completion.extrapolate import extrapolate
from kernex_core.completion.scattered.fills import filling, hide_pairs
from kernex_core.completion.scattered.hits import CompletedHits, auc_of, complete_hits
from kernex_core.completion.scattered.pairs import FINISHES, CompletedPairs, complete_pairs, kept_values
from kernex_core.conditioning.repairs import repair_psd
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.copies import copies_of
from kernex_core.learning.evaluate import judge_in_steps
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.regression.judgement import mean_ranks
from kernex_core.runtime.progress import Steps, part

OWN: Final = "factors"
"""Name of the method among what it is compared with."""
ALONE: Final = "source alone"
BLOCK: Final = "extrapolation"
LEAST_BLOCK: Final = 5
"""Items that have to be known among themselves for it (Lemma 1)."""
MANY: Final = 320
"""Items above which every kernel is judged in one repetition."""
ROUNDING: Final = 1e-12
"""Of the largest hidden value."""
FIRST_RANK, FIRST_RHO = 30, 1.0
RANDOM, UNREPORTED = "unknown at random", "unreported"


@dataclass(frozen=True)
class PairsConfig:
    """What is hidden, and how the matrix is finished."""

    hidden: float | None = parameter(
        0.1,
        label="Hidden pairs",
        help="Share of the known pairs that are hidden, completed and scored. As uploaded: only what is unknown anyway.",
        low=0.0,
        high=0.95,
        step=0.05,
        unit="%",
        optional=True,
        auto="as uploaded",
    )
    finish: str = parameter(
        "keep",
        label="Finish",
        help="keep: known values as they are, predictions beside them, without negative eigenvalues. smooth: the model "
        "everywhere. exact: known values and the kernel nearest to the model (log-determinant divergence); slow.",
        choices=FINISHES,
    )
    seed: int = parameter(
        0, label="Seed", help="Draws which pairs are hidden.", low=0, high=2**31 - 1, step=1
    )

    absence: str = parameter(
        RANDOM,
        label="Unknown pairs are",
        help="unknown at random: that a pair is unknown says nothing about its value. unreported: a search left out what is "
        "low; those that it missed are looked for.",
        choices=(RANDOM, UNREPORTED),
    )
    normalize: bool = parameter(
        True,
        label="Cosine normalisation",
        help="Every item gets self-similarity 1 first, in target and source, where all of these are known and above 0.",
    )

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True, eq=False)
class PairScore(EqualByContent):
    """One way to complete, on the pairs that were hidden.

    Attributes
    ----------
    name : str
    error, rank : float
        Root mean square error, and rank correlation (Spearman), over the hidden pairs; NaN where none is hidden.
    auc : float
        Of unreported pairs: share of couples of a hidden one and one that never was reported of which the hidden one is
        predicted higher.
    judgement : Judgement or None
        Of the kernel that it makes; None without labels of two classes.
    """

    name: str
    error: float
    rank: float
    auc: float
    judgement: Judgement | None


@dataclass(frozen=True, eq=False)
class CompletedScores(ReadOnlyArrays):
    """A completed matrix, and how good it is where pairs were hidden on purpose.

    Attributes
    ----------
    target : GramMatrix
        As it was brought, normalised where that was asked for.
    seen : GramMatrix
        The same, with hidden pairs unknown.
    completed : CompletedPairs
        The fit for which absence says nothing.
    hits : CompletedHits or None
        That for which it says that a pair is low, where unknown pairs are unreported ones.
    scores : tuple of PairScore
        This way first, then plain ones; empty for a first picture.
    not_judged : str
        Why no kernel is judged although there are classes: they cannot be divided into folds.
    """

    target: GramMatrix
    seen: GramMatrix
    completed: CompletedPairs
    hits: CompletedHits | None = None
    scores: tuple[PairScore, ...] = ()
    not_judged: str = ""

    @property
    def gram(self) -> GramMatrix:
        """The completed kernel: that of hits where unknown pairs are unreported."""
        return self.completed.gram if self.hits is None else self.hits.gram

    @property
    def moved(self) -> float:
        """Root mean square by which known values of that kernel were moved, so that it is one."""
        known = np.triu(~np.isnan(self.seen.values), 1)
        return float(np.sqrt(np.mean((self.gram.values - self.seen.values)[known] ** 2)))

    @cached_property
    def hidden(self) -> BoolArray:
        """(n, n) which pairs were hidden on purpose."""
        return np.isnan(self.seen.values) & ~np.isnan(self.target.values)

    @cached_property
    def pairs(self) -> IntArray:
        """(p, 2) the same, once each."""
        return np.argwhere(np.triu(self.hidden, 1))

    @property
    def unknown(self) -> int:
        """Number of pairs that nobody knows."""
        return int(np.triu(np.isnan(self.target.values), 1).sum())

    @cached_property
    def error(self) -> FloatArray:
        """(n, n) prediction minus truth on hidden pairs; NaN elsewhere."""
        return owned(np.where(self.hidden, self.completed.model - self.target.values, np.nan))

    @property
    def below_zero(self) -> bool:
        """Whether most known pairs are negative: the model's constant and its share of the source are at least 0."""
        return bool(np.mean(self.completed.problem.T[self.completed.problem.W == 1.0] < 0.0) > 0.5)

    @property
    def hidden_error(self) -> float:
        """Root mean square error on the hidden pairs; NaN where none is hidden."""
        at = tuple(self.pairs.T)
        return _on_hidden(self.completed.model[at], self.target.values[at])[0]

    @property
    def unsaid(self) -> bool:
        """Whether too few pairs are known to say how sure predictions are."""
        return bool(self.scores) and np.isnan(self.completed.error)

    @property
    def coverage(self) -> float:
        """Share of the hidden pairs that lie within their intervals; NaN where there are none."""
        at = tuple(self.pairs.T)
        half = self.completed.half_width[at]
        if not half.size or np.isnan(half).all():
            return float("nan")
        return float(np.mean(np.abs(self.error[at]) <= half))

    @property
    def own(self) -> PairScore | None:
        """The score of this way."""
        return self.scores[0] if self.scores else None

    @property
    def best_plain(self) -> PairScore | None:
        """The plain way with the smallest error on hidden pairs; None where nothing is hidden."""
        found = [each for each in self.scores[1:] if not np.isnan(each.error)]
        return min(found, key=lambda each: each.error) if found else None

    @cached_property
    def verdict(self) -> Verdict | None:
        """Which of the completed kernels is best for classes; None without labels."""
        judged = {each.name: each.judgement for each in self.scores if each.judgement is not None}
        return judged_verdict(judged, plain=[name for name in judged if name != OWN]) if judged else None


def ready(config: PairsConfig, K: GramMatrix) -> GramMatrix:
    """Normalise a kernel, where it can be."""
    own = np.diag(K.values)
    return K.then(CosineNormalize()) if config.normalize and bool((own > 0.0).all()) else K


def seen_pairs(config: PairsConfig, target: GramMatrix) -> GramMatrix:
    """The target with a share of its known pairs hidden."""
    return target if config.hidden is None else hide_pairs(target, config.hidden, seed=config.seed)


def first_picture(
    config: PairsConfig, target: GramMatrix, source: GramMatrix | None
) -> Steps[CompletedScores]:
    """Complete with one setting, without intervals: what stands there while all others are tried."""
    target, source = ready(config, target), None if source is None else ready(config, source)
    seen = seen_pairs(config, target)
    steps = complete_pairs.steps(
        seen,
        source,
        finish=config.finish,  # type: ignore[arg-type]
        rho=None if source is None else FIRST_RHO,
        rank=min(FIRST_RANK, target.n),
        seed=config.seed,
        intervals=False,
    )
    completed = yield from steps
    return CompletedScores(target, seen, completed)


def _completing(
    config: PairsConfig, seen: GramMatrix, source: GramMatrix | None
) -> Steps[tuple[CompletedPairs, CompletedHits | None]]:
    if config.absence == UNREPORTED and not seen.unknown.complete:
        hits = yield from complete_hits.steps(seen, source, seed=config.seed)
        return hits.reported, hits
    steps = complete_pairs.steps(seen, source, finish=config.finish, seed=config.seed)  # type: ignore[arg-type]
    completed = yield from steps
    return completed, None


def studying_pairs(
    config: PairsConfig,
    target: GramMatrix,
    source: GramMatrix | None,
    labels: Labels | None,
    validation: CrossValidation,
) -> Steps[CompletedScores]:
    """Complete with everything chosen, and score it beside plain ways, each finished and judged in the same manner.

    Parameters
    ----------
    config : PairsConfig
    target : GramMatrix
        NaN = unknown.
    source : GramMatrix or None
        Known everywhere.
    labels : Labels or None
    validation : CrossValidation
        The same folds for every kernel.
    """
    target, source = ready(config, target), None if source is None else ready(config, source)
    seen = seen_pairs(config, target)
    completed, hits = yield from part(_completing(config, seen, source), 0.0, 0.6)
    fills = yield from part(filling(completed.problem, config.seed), 0.6, 0.75)
    fills |= by_block(seen, source)
    made = CompletedScores(target, seen, completed, hits)
    predicted = {OWN: completed.model, **fills}
    kernels = {OWN: made.gram} | {
        name: GramMatrix(kept_values(seen, values), target.ids, name, seen=seen_of(seen) | ITEMS)
        for name, values in fills.items()
    }
    judged = labels if labels is not None and labels.judgeable else None
    judgements: Mapping[str, Judgement] = {}
    not_judged = ""
    if judged is not None:
        more = {} if source is None else {ALONE: source}
        try:
            judgements = yield from part(_judging({**kernels, **more}, judged, validation), 0.75, 1.0)
        except InvalidInputError as error:  # what is completed stands without it
            not_judged = str(error)
    at = tuple(made.pairs.T)
    truth = target.values[at]
    scores = [
        PairScore(name, *_on_hidden(values[at], truth), _found(made, name, values), judgements.get(name))
        for name, values in predicted.items()
    ]
    if ALONE in judgements:
        scores.append(PairScore(ALONE, np.nan, np.nan, np.nan, judgements[ALONE]))
    return replace(made, scores=tuple(scores), not_judged=not_judged)


def by_block(seen: GramMatrix, source: GramMatrix | None) -> dict[str, FloatArray]:
    """What Lemma 1 makes of the largest block of items that are known among themselves, negative eigenvalues clipped.

    Nothing without such a block, or without a source that is a kernel.
    """
    known = seen.known
    if source is None or int(known.sum()) < LEAST_BLOCK:
        return {}
    try:
        found = extrapolate(source, repair_psd(seen.take(known), "clip").gram, known)
    except KernexError:  # it is no kernel
        return {}
    return {BLOCK: found.T_hat}


def _found(made: CompletedScores, name: str, values: FloatArray) -> float:
    """How well a way tells hidden pairs from those that never were reported."""
    if made.hits is None:
        return float("nan")
    values = made.hits.likely if name == OWN else values
    never = np.argwhere(np.triu(np.isnan(made.target.values), 1))
    return auc_of(values[tuple(made.pairs.T)], values[tuple(never.T)])


def _on_hidden(made: FloatArray, truth: FloatArray) -> tuple[float, float]:
    """Root mean square error and rank correlation; NaN of no pair, and of values that are all the same.

    What is rounding beside the truth is no error.
    """
    if not truth.size:
        return float("nan"), float("nan")
    ranks = [mean_ranks(values) - (truth.size + 1) / 2.0 for values in (made, truth)]
    size = float(np.sqrt(np.prod([r @ r for r in ranks])))
    error = float(np.sqrt(np.mean((made - truth) ** 2)))
    if error <= ROUNDING * float(np.abs(truth).max()):
        error = 0.0
    return error, float(ranks[0] @ ranks[1]) / size if size > 0.0 else float("nan")


def _judging(
    kernels: Mapping[str, GramMatrix], labels: Labels, validation: CrossValidation
) -> Steps[dict[str, Judgement]]:
    if labels.y.size > MANY:
        validation = replace(validation, repeats=1)
    copies = copies_of(list(kernels.values()), labels, validation)
    made: dict[str, Judgement] = {}
    for place, (name, K) in enumerate(kernels.items()):
        states = judge_in_steps(K, labels, validation, copies=copies, allow_indefinite=True)
        for state in states:
            if state.judgement is not None:
                made[name] = state.judgement
            yield (place + state.done / state.total) / len(kernels)
    return made
