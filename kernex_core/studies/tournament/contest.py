"""What all entrants of a tournament are asked: the same items, folds and targets; and what their decisions are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import Split
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Interval, Passes, interval_of
from kernex_core.learning.copies import copies_of
from kernex_core.learning.folds import CrossValidation, Fold, inner_folds
from kernex_core.learning.learners.contract import Kind, Learner, Targets, block_of, chosen
from kernex_core.learning.machine import UNSCALED, Cut, code_labels, cut_inside, over_folds
from kernex_core.learning.mkl.weightings import Deciding
from kernex_core.learning.protocol import Judging, Protocol
from kernex_core.learning.regression.evaluate import NumberTask, number_judgement, number_task
from kernex_core.learning.regression.judgement import Predicted
from kernex_core.learning.scores import majority_floor


@dataclass(frozen=True, eq=False)
class Contest(EqualByContent):
    """Items, folds and targets. An entrant may look at the targets of a fold's training items, and at no others.

    Attributes
    ----------
    how : Judging or NumberTask
        Classes, or numbers, and the folds that they are judged on.
    folds : tuple of Fold
        Those that are asked now: all, of one repetition, or inside the training items of one fold.
    """

    how: Judging | NumberTask
    folds: tuple[Fold, ...]

    @classmethod
    def of(
        cls, labels: Labels, validation: CrossValidation, kernels: Sequence[GramMatrix], kind: Kind
    ) -> Contest:
        """Divide the items, once for all.

        Parameters
        ----------
        labels : Labels
        validation : CrossValidation
        kernels : sequence of GramMatrix
            All that take part: copies are those of any of them.
        kind : {"classes", "numbers"}

        Raises
        ------
        InvalidInputError
            No kernel, or labels that cannot be judged.
        """
        if not kernels:
            raise InvalidInputError("A tournament needs at least one kernel", "none")
        if kind == "numbers":
            whole = [K for K in kernels if K.unknown.complete]
            task = number_task(whole, labels, validation)
            return cls(task, task.folds)
        copies = copies_of(kernels, labels, validation)
        how = Judging.keeping(Protocol(validation, UNSCALED), code_labels(labels.y), labels.groups, copies)
        return cls(how, how.folds)

    @property
    def validation(self) -> CrossValidation:
        """How items are divided; whatever is chosen is chosen inside the folds."""
        return self.how.config if isinstance(self.how, NumberTask) else self.how.protocol.validation

    @property
    def targets(self) -> Targets:
        """Of all items: −1, or NaN, of those that have none."""
        if isinstance(self.how, NumberTask):
            return Targets(self.how.y)
        return Targets(self.how.coded.codes, len(self.how.coded.classes))

    @property
    def groups(self) -> NDArray[np.str_] | None:
        """(n,) what folds keep together."""
        return self.how.groups

    @property
    def codes(self) -> IntArray:
        """(n,) classes by which folds are stratified; numbers are all in one."""
        return self.how.codes if isinstance(self.how, NumberTask) else self.how.coded.codes

    @property
    def judged(self) -> IntArray:
        """Places of the items that have a target."""
        return np.flatnonzero(self.codes >= 0)

    @property
    def units(self) -> NDArray[np.str_] | None:
        """(n_judged,) groups of these; None where each item is its own."""
        return None if self.groups is None else self.groups[self.judged]

    @property
    def repeats(self) -> int:
        """How often every item is judged."""
        return self.folds[-1].repeat + 1

    @property
    def passes(self) -> Passes:
        """In how many folds, and how often."""
        return Passes(sum(fold.repeat == 0 for fold in self.folds), self.repeats)

    @property
    def checked(self) -> bool:
        """Training blocks are known to be kernels: those whose steps are fitted anew have to be looked at."""
        return not self.validation.inductive

    @property
    def floor(self) -> float:
        """What one class for all gets; of numbers the entrant that says their mean is the floor."""
        if isinstance(self.how, NumberTask):
            return float("nan")
        return majority_floor(self.how.coded.labelled, len(self.how.coded.classes))

    def of_repetition(self, repetition: int) -> Contest:
        """The same with the folds of one repetition."""
        return replace(self, folds=tuple(fold for fold in self.folds if fold.repeat == repetition))

    def inner(self, train: IntArray) -> Sequence[Fold]:
        """Folds of training items alone; () where they cannot be divided."""
        least = 1 if isinstance(self.how, NumberTask) else 2
        return inner_folds(self.codes, train, self.validation, self.groups, least_classes=least)

    def inside(self, fold: Fold) -> Contest:
        """The contest among the training items of a fold."""
        return replace(self, folds=tuple(self.inner(fold.train)))

    def deciding(self, learner: Learner) -> Deciding:
        """What a fold decides by where kernels are weighed inside it."""
        return Deciding(self.targets, learner, True, self.inner, self.checked)

    def decided(self, cut: Cut, learner: Learner) -> list[FloatArray]:
        """Decision values of every fold; the learner's strength is chosen among the fold's training items.

        Parameters
        ----------
        cut : callable
            Blocks of a kernel for (train, test).
        learner : Learner
        """
        return over_folds(partial(self._decided, cut, learner), cut, self.folds)

    def _decided(self, cut: Cut, learner: Learner, fold: Fold, blocks: Split) -> FloatArray:
        targets = self.targets
        own = replace(targets, values=targets.values[fold.train])
        inner = self.inner(fold.train) if len(learner.candidates) > 1 else ()
        best = chosen(learner, cut_inside(blocks, cut), targets, inner, checked=self.checked)
        return best.fit_in_units(block_of(blocks, checked=self.checked), own).decide(blocks.K_cross)

    def right(self, decided: Sequence[FloatArray]) -> FloatArray:
        """(n_repeats, n) whether each item was named rightly by decisions of every fold; 0 where it was not asked."""
        found = np.zeros((self.repeats, self.codes.size))
        for fold, decisions in zip(self.folds, decided, strict=True):
            found[fold.repeat, fold.test] = decisions.argmax(axis=1) == self.codes[fold.test]
        return found

    def measured(self, decided: Sequence[FloatArray]) -> tuple[FloatArray, Interval]:
        """(n_repeats, n_judged) what each item has of the measure, and the interval of its mean.

        Of classes the share that is named rightly, of numbers the root mean squared error.
        """
        if isinstance(self.how, NumberTask):
            y = self.how.y
            found = [
                Predicted(numbers[:, 0], float(y[fold.train].mean()), float("nan"), 0, np.zeros(0))
                for fold, numbers in zip(self.folds, decided, strict=True)
            ]
            made = number_judgement(self.how, self.folds, found, 0.0)
            return made.by_item(), made.interval()
        values = self.right(decided)[:, self.judged]
        return values, interval_of(values, self.passes, groups=self.units)
