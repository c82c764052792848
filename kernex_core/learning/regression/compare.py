"""Does one kernel predict numbers better than another? Paired, on the same folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.paired import DIFFERENT, Paired, paired
from kernex_core.learning.chance.tests import holm
from kernex_core.learning.chance.verdict import Verdict, verdict_of
from kernex_core.learning.copies import check_same_units
from kernex_core.learning.regression.judgement import NumberJudgement


@dataclass(frozen=True, eq=False)
class NumberPair(EqualByContent):
    """Two kernels on the same folds.

    Attributes
    ----------
    first, second : str
    paired : Paired
        Of the root mean squared error: below 0 the first is better. Of this pair alone.
    p : float
        Corrected for the number of pairs (Holm 1979).
    """

    first: str
    second: str
    paired: Paired
    p: float

    @property
    def difference(self) -> float:
        """Root mean squared error of the first less that of the second, mean over repetitions."""
        return self.paired.difference

    @property
    def interval(self) -> Interval:
        """Of that difference, for other data sets of this size."""
        return self.paired.interval

    @property
    def told_apart(self) -> bool:
        """Whether p is below .05 after correction."""
        return self.p < DIFFERENT


def compare_numbers(
    judgements: Mapping[str, NumberJudgement], reference: str | None = None
) -> tuple[NumberPair, ...]:
    """Compare every two of several kernels that predicted numbers, or every other one with a reference.

    Parameters
    ----------
    judgements : dict of str to NumberJudgement
        On the same items and folds.
    reference : str, optional
        One that was fixed before anything was judged: if it is chosen because it is the best, p is too small.

    Raises
    ------
    InvalidInputError
        Fewer than two, not all on the same items and folds, or the reference is not among them.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, compare_numbers, judge_numbers
    >>> x, protocol = np.arange(12.0) - 5.5, CrossValidation(folds=2, repeats=2)
    >>> kernels = {"linear": np.outer(x, x), "none": np.eye(12)}
    >>> (pair,) = compare_numbers({name: judge_numbers(K, 3.0 * x, protocol) for name, K in kernels.items()})
    >>> pair.difference < 0.0, pair.interval.high < 0.0
    (True, True)
    """
    if len(judgements) < 2:
        raise InvalidInputError("A comparison needs at least two kernels", str(len(judgements)))
    if reference is not None and reference not in judgements:
        raise InvalidInputError("The reference has to be one of the judged kernels", repr(reference))
    others = [name for name in judgements if name != reference]
    names = list(combinations(judgements, 2)) if reference is None else [(name, reference) for name in others]
    found = [_pair(judgements[a], judgements[b]) for a, b in names]
    corrected = holm([one.p for one in found])
    return tuple(NumberPair(a, b, one, p) for (a, b), one, p in zip(names, found, corrected, strict=True))


def number_verdict(judgements: Mapping[str, NumberJudgement]) -> Verdict:
    """Which of several kernels predicts numbers with the smallest root mean squared error, and who is told apart from it.

    Parameters
    ----------
    judgements : dict of str to NumberJudgement
        All that are on the picture, on the same items and folds.

    Raises
    ------
    InvalidInputError
        None, or not all on the same items and folds.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, judge_numbers
    >>> from kernex_core.learning.regression.compare import number_verdict
    >>> x, protocol = np.arange(12.0) - 5.5, CrossValidation(folds=2, repeats=2)
    >>> kernels = {"none": np.eye(12), "linear": np.outer(x, x)}
    >>> made = number_verdict({name: judge_numbers(K, 3.0 * x, protocol) for name, K in kernels.items()})
    >>> made.best.name, [each.name for each in made.worse]
    ('linear', ['none'])
    """
    if not judgements:
        raise InvalidInputError("A verdict needs at least one kernel", "none")
    first = next(iter(judgements.values()))
    for other in judgements.values():
        _check_same(first, other)
    values = {name: made.by_item("rmse") for name, made in judgements.items()}
    made = verdict_of(values, first.passes, groups=first.units, scale="error", smaller=True)
    return Verdict(
        tuple(replace(each, interval=judgements[each.name].interval()) for each in made.candidates)
    )


def _check_same(a: NumberJudgement, b: NumberJudgement) -> None:
    same = a.config == b.config and np.array_equal(a.y, b.y, equal_nan=True)
    if not same or a.n_repeats != b.n_repeats:
        raise InvalidInputError(
            "Two kernels can only be compared on the same items and folds", "different protocols or numbers"
        )
    check_same_units(a.groups, b.groups)


def _pair(a: NumberJudgement, b: NumberJudgement) -> Paired:
    _check_same(a, b)
    return paired(a.by_item("rmse"), b.by_item("rmse"), a.passes, groups=a.units)
