"""Judgement: the accuracy of one kernel under one protocol, with its floors, spreads and mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.frozen import BoolArray, EqualByContent, FloatArray, IntArray, ReadOnlyArrays, Rows
from kernex_core.base.parameters import check_choice
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Interval, Passes, Scale, interval_of, judged_times
from kernex_core.learning.chance.paired import matthews_by_item, matthews_least, recall_by_item
from kernex_core.learning.chance.tried import GridEnd
from kernex_core.learning.copies import Copies
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import Mode, State
from kernex_core.learning.machine import fold_notes
from kernex_core.learning.scores import chance_level, majority_floor

NAN = float("nan")
ROUNDING = 1e-9
"""By which equal measures may differ."""
SCALES: Mapping[str, Scale] = MappingProxyType(
    {
        "multi_class": "share",
        "one_vs_rest": "share",
        "balanced": "share",
        "matthews": "correlation",
        "auc": "area",
    }
)
"""Measures, each with the scale on which its interval is symmetric."""


@dataclass(frozen=True, eq=False)
class Score(EqualByContent):
    """One measure: its mean over repetitions, its spreads, each named, and its floor.

    Attributes
    ----------
    mean : float
    sd_repeats, sd_folds, sd_classes : float
        Standard deviations over repetitions, over folds and over classes; NaN where there is only one, or where the
        measure has no such parts.
    floor : float
        What a predictor without knowledge gets.
    """

    title: str
    mean: float = NAN
    sd_repeats: float = NAN
    sd_folds: float = NAN
    sd_classes: float = NAN
    floor: float = NAN

    @property
    def words(self) -> str:
        """Mean, spread over repetitions where there is one, and floor."""
        spread = "" if np.isnan(self.sd_repeats) else f" ± {self.sd_repeats:.3f}"
        return f"{self.mean:.3f}{spread} (floor {self.floor:.3f})"


def judged_rows(scores: Sequence[Score], rests_on: str, state: State) -> Rows:
    """What every judgement says of itself on one line and in a table."""
    measures = ((score.title.lower(), score.words) for score in scores)
    return (*measures, ("rests on", rests_on), ("mode", state.words))


@dataclass(frozen=True, eq=False)
class Judgement(ReadOnlyArrays):
    """Result of a cross-validation.

    Attributes
    ----------
    multi_class, one_vs_rest, balanced, matthews, auc : Score
        Accuracy by argmax of the one-vs-rest decisions; mean accuracy of "is it class c?"; mean recall; Matthews
        correlation; mean area under the one-vs-rest ROC curves inside folds.
    classes, sizes : tuple
        Largest first.
    class_accuracy, class_recall : (n_classes,) float
        One-vs-rest accuracy and share found, by class.
    confusion : (n_classes, n_classes) int
        Over all repetitions; rows are the true classes.
    correct : (n_repeats, n) bool
        Whether the item was named rightly; False for unlabelled ones, see `labelled`.
    predicted : (n,) int
        Class that the item was given in most repetitions (ties to the larger class); −1 = unlabelled.
    labelled : (n,) bool
    n_items, n_decisions, n_folds, n_repeats : int, what the numbers rest on
    costs : tuple of (float, int)
        Each C (λ, number of neighbours of other learners) that was used, and in how many folds.
    mode : {"inductive", "transductive", "leak", "as brought"}
        What was seen of tested items, see `state`.
    brought : bool
        It rests on numbers from outside, besides what the mode says.
    fold_accuracy : tuple of float
        Multi-class accuracy in every fold of every repetition.
    undefined_auc : int
        Class-fold pairs without both kinds of items, which have no ROC curve.
    not_converged : int, binary problems that ended before their optimum; the notes say why
    seconds, notes : float and tuple of str
    grid : tuple of (float, float)
        With C chosen inside the folds: the multi-class accuracy that each C of the grid has when it is fixed. Values that
        are chosen are in units of the mean diagonal of the training block.
    grid_end : GridEnd or None
        End of the grid, where more than half of the folds chose it.
    copies : Copies or None
        Items that are copies of one another, and whether folds kept them together.
    decided : (n_repeats, n) float
        Share of an item's one-vs-rest decisions that are right; 0 for unlabelled ones.
    named : (n_repeats, n) int
        Class that the item was given in each repetition; -1 = unlabelled.
    answered : (n_repeats, n, n_classes) bool
        Whether "is it class c?" was answered rightly of the item; False for unlabelled ones.
    areas : (n_repeats,) float
        Mean area under the ROC curves of each repetition; NaN where it has none.
    area_pulls : (n_repeats, n) float
        Influence of each item on that mean, see `influence_over_folds`.
    area_freedom : float
        Items (groups) in folds that have an area, less these folds; mean over repetitions. 0 where there is none.
    groups : (n,) str or None
        Groups and copies that were kept together; an interval draws them as wholes.
    subject : (GramMatrix, labels), what was judged
    options : dict, further keywords of `judge`
    weights : (n_folds_in_all, M) float
        Of several kernels, made inside every fold; no columns for a single kernel.
    weight_costs : tuple of (float, int)
        Like `costs`, of the C of learned weights; () where that was not chosen inside the folds.
    probabilities : (n_repeats, n, n_classes) float
        Of "is it class c?", NaN for unlabelled items; empty where the learner has none.
    """

    multi_class: Score
    one_vs_rest: Score
    balanced: Score
    matthews: Score
    auc: Score
    classes: tuple[str, ...]
    sizes: tuple[int, ...]
    class_accuracy: FloatArray
    class_recall: FloatArray
    confusion: IntArray
    correct: BoolArray
    predicted: IntArray
    codes: IntArray
    n_folds: int
    n_repeats: int
    costs: tuple[tuple[float, int], ...]
    config: CrossValidation
    mode: Mode
    brought: bool = False
    fold_accuracy: tuple[float, ...] = ()
    undefined_auc: int = 0
    not_converged: int = 0
    seconds: float = field(default=0.0, compare=False)
    notes: tuple[str, ...] = ()
    grid: tuple[tuple[float, float], ...] = ()
    decided: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    named: IntArray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))
    answered: BoolArray = field(default_factory=lambda: np.zeros((0, 0, 0), dtype=np.bool_))
    areas: FloatArray = field(default_factory=lambda: np.zeros(0))
    area_pulls: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    area_freedom: float = 0.0
    groups: NDArray[np.str_] | None = None
    subject: tuple[GramMatrix | None, Labels | NDArray[np.str_] | None] = (None, None)
    options: Mapping[str, object] = field(default_factory=dict)
    weights: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    weight_costs: tuple[tuple[float, int], ...] = ()
    probabilities: FloatArray = field(default_factory=lambda: np.zeros((0, 0, 0)))
    grid_end: GridEnd | None = None
    copies: Copies | None = None

    def shown_rows(self) -> Rows:
        """See ReadOnlyArrays: the measures with spread and floor, and what they rest on."""
        sizes = ", ".join(f"{name} ({size})" for name, size in zip(self.classes, self.sizes, strict=True))
        return (*judged_rows(self.scores, self.rests_on, self.state), ("classes", sizes))

    @property
    def labelled(self) -> BoolArray:
        """(n,) items that were judged."""
        return np.asarray(self.codes >= 0)

    @property
    def n_items(self) -> int:
        """Labelled items."""
        return int(self.labelled.sum())

    @property
    def n_decisions(self) -> int:
        """Items times repetitions: what is counted, not how many items say it."""
        return self.n_items * self.n_repeats

    @property
    def rests_on(self) -> str:
        """What the numbers rest on: "296 items, each judged 5 times"."""
        return judged_times(self.n_items, self.n_repeats)

    @property
    def passes(self) -> Passes:
        """In how many folds, and how often, the items were judged."""
        return Passes(max(self.n_folds, 1), max(self.n_repeats, 1))

    @property
    def units(self) -> NDArray[np.str_] | None:
        """(n_labelled,) groups of the judged items that are drawn as wholes; None where each is its own."""
        return None if self.groups is None else self.groups[self.labelled]

    def by_item(self, measure: str = "multi_class") -> FloatArray:
        """(n_repeats, n_labelled) what each item has of a measure in each repetition; the mean over items is the measure.

        Right or not; the share of "is it class c?" that is right; of other measures that of the repetition plus n times the
        item's influence. NaN in a repetition that does not have it.

        Parameters
        ----------
        measure : {"multi_class", "one_vs_rest", "balanced", "matthews", "auc"}
        """
        check_choice("The measure", measure, tuple(SCALES))
        at = self.labelled
        codes, right = self.codes[at], self.correct[:, at].astype(np.float64)
        if measure == "multi_class":
            return right
        if measure == "one_vs_rest":
            return np.asarray(self.decided[:, at])
        if measure == "auc":
            return np.asarray(self.areas[:, None] + codes.size * self.area_pulls[:, at])
        if measure == "balanced":
            return np.array([recall_by_item(row, codes) for row in right]).reshape(right.shape)
        named = self.named[:, at]
        return np.array([matthews_by_item(codes, row, len(self.classes)) for row in named]).reshape(
            right.shape
        )

    def named_by_item(self, measure: str) -> IntArray | None:
        """(n_repeats, n_labelled) classes given, of a measure that rests on them alone and on all items at once; else None.

        Of two classes "is it class c?" is the same question twice.
        """
        alone = measure in ("balanced", "matthews") or (measure == "one_vs_rest" and len(self.classes) == 2)
        return self.named[:, self.labelled] if alone else None

    def interval(self, measure: str = "multi_class") -> Interval | None:
        """Interval of a measure for other data sets of this size, see `interval_of`; None before there is one, and of an
        area that no fold has.

        Parameters
        ----------
        measure : {"multi_class", "one_vs_rest", "balanced", "matthews", "auc"}
        """
        if measure not in self._intervals:  # a page says the same one in several places
            self._intervals[measure] = self._interval(measure)
        return self._intervals[measure]

    @cached_property
    def _intervals(self) -> dict[str, Interval | None]:
        return {}

    def _interval(self, measure: str) -> Interval | None:
        check_choice("The measure", measure, tuple(SCALES))
        if not self.correct.size or np.isnan(float(getattr(self, measure).mean)):
            return None
        return interval_of(
            self.by_item(measure),
            self.passes,
            scale=SCALES[measure],
            groups=self.units,
            classes=None if measure == "multi_class" else self.codes[self.labelled],
            least=self._least_matthews if measure == "matthews" else 0.0,
            freedom=self.area_freedom if measure == "auc" else None,
        )

    @property
    def _least_matthews(self) -> float:
        at, c = self.labelled, len(self.classes)
        return float(np.mean([matthews_least(self.codes[at], row, c) for row in self.named[:, at]]))

    def found_intervals(self) -> tuple[Interval, ...]:
        """Interval of the share found of each class, over its items."""
        masks = [self.codes == c for c in range(len(self.classes))] if self.correct.size else []
        return tuple(
            interval_of(
                self.correct[:, at].astype(np.float64),
                self.passes,
                groups=None if self.groups is None else self.groups[at],
            )
            for at in masks
        )

    def decided_intervals(self) -> tuple[Interval, ...]:
        """Interval of the one-vs-rest accuracy of each class, over all labelled items."""
        if not self.named.size:
            return ()
        at, every = self.labelled, range(len(self.classes))
        return tuple(
            interval_of(self.answered[:, at, c].astype(np.float64), self.passes, groups=self.units)
            for c in every
        )

    @property
    def scores(self) -> tuple[Score, ...]:
        """All measures, the first one first."""
        return self.multi_class, self.one_vs_rest, self.balanced, self.matthews, self.auc

    @property
    def remarks(self) -> tuple[str, ...]:
        """What has to be said with the numbers wherever they stand, a sentence each."""
        copies = () if self.copies is None else self.copies.remarks
        return copies if self.grid_end is None else (*copies, self.grid_end.words)

    @property
    def repeated(self) -> tuple[str, ...]:
        """Measures that say the multi-class accuracy once more, by their names: of two classes "is it this one?" is the same
        question, and of classes of one size the mean recall is the same number.
        """
        same = abs(self.one_vs_rest.mean - self.multi_class.mean) <= ROUNDING
        found = ("one_vs_rest",) if len(self.classes) == 2 and same else ()
        even = len(set(self.sizes)) == 1 and abs(self.balanced.mean - self.multi_class.mean) <= ROUNDING
        return (*found, "balanced") if found and even else found

    @property
    def best_in_grid(self) -> tuple[float, float]:
        """The C that looks best on the test folds, and its accuracy there; NaN unless C was chosen inside the folds."""
        return max(self.grid, key=lambda pair: (pair[1], -pair[0]), default=(NAN, NAN))

    @property
    def optimism(self) -> float:
        """What reporting the best C of the grid adds to the multi-class accuracy of choosing it inside the folds."""
        return self.best_in_grid[1] - self.multi_class.mean

    @cached_property
    def recipe(self) -> Call:
        """How to compute this judgement again; written only when somebody asks."""
        kernel, labels = self.subject
        return call(
            "judgement", "judge", kernel, labels, self.config, **self.options,
        )  # fmt: skip

    @property
    def state(self) -> State:
        """What was seen of tested items, with the words and the sentence for it."""
        return State(self.mode, self.brought)

    @classmethod
    def empty(
        cls, classes: tuple[str, ...], codes: IntArray, config: CrossValidation, state: State
    ) -> Judgement:
        """Judgement before the first repetition, with its floors."""
        c, truth = len(classes), codes[codes >= 0]
        return cls(
            multi_class=Score("Multi-class accuracy", floor=majority_floor(truth, c)),
            one_vs_rest=Score("One-vs-rest accuracy", floor=chance_level(truth, c)),
            balanced=Score("Balanced accuracy", floor=1.0 / c),
            matthews=Score("Matthews correlation", floor=0.0),
            auc=Score("Area under the ROC curve", floor=0.5),
            classes=classes,
            sizes=tuple(np.bincount(truth, minlength=c).tolist()),
            class_accuracy=np.full(c, NAN),
            class_recall=np.full(c, NAN),
            confusion=np.zeros((c, c), dtype=np.int64),
            correct=np.zeros((0, codes.size), dtype=np.bool_),
            predicted=np.full(codes.size, -1, dtype=np.int64),
            codes=codes,
            n_folds=0,
            n_repeats=0,
            costs=(),
            config=config,
            mode=state.mode,
            brought=state.brought,
            notes=fold_notes(classes, codes, config),
        )
