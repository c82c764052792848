"""Is one kernel better than another? One rule, one p, whatever is compared; and the tests that papers made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.paired import (
    DIFFERENT,
    Paired,
    corrected_t_p,
    holm,
    mcnemar_p,
    paired,
    yates_p,
)
from kernex_core.learning.chance.verdict import Verdict, verdict_of
from kernex_core.learning.copies import check_same_units
from kernex_core.learning.judgement import NAN, SCALES, Judgement
from kernex_core.learning.regression.judgement import NumberJudgement

NOT_INDEPENDENT = (
    "Yates' p, as in the papers, takes the decisions of both kernels and of all repetitions for independent. They are about "
    "the same items. Not valid: may be far too small or far too large."
)


@dataclass(frozen=True, eq=False)
class Comparison(EqualByContent):
    """Two kernels on the same folds, by one measure; see `paired` for the rule.

    Attributes
    ----------
    measure : str
        A measure of `Judgement`.
    paired : Paired
    n_repeats : int
    """

    measure: str
    paired: Paired
    n_repeats: int = 1

    @property
    def difference(self) -> float:
        """The first less the second."""
        return self.paired.difference

    @property
    def interval(self) -> Interval:
        """Of that difference, for other data sets of this size."""
        return self.paired.interval

    @property
    def p(self) -> float:
        """Of this pair alone; of several pairs see `compare_all`."""
        return self.paired.p

    @property
    def told_apart(self) -> bool:
        """Whether p is below .05."""
        return self.paired.told_apart


def compare(a: Judgement, b: Judgement, measure: str = "multi_class") -> Comparison:
    """Compare two judgements that were made on the same folds.

    Parameters
    ----------
    a, b : Judgement
    measure : {"multi_class", "one_vs_rest", "balanced", "matthews", "auc"}

    Raises
    ------
    InvalidInputError
        Other protocol or labels.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, compare, judge
    >>> x, y = np.arange(12.0), np.repeat(["a", "b"], 6)
    >>> protocol = CrossValidation(folds=2, repeats=1)
    >>> good, none = (judge(K, y, protocol) for K in (np.outer(x - 5.5, x - 5.5), np.eye(12)))
    >>> made = compare(good, none)
    >>> made.difference > 0.0, made.p >= made.paired.floor_p
    (True, True)
    """
    check_same_folds(a, b)
    first, second = a.named_by_item(measure), b.named_by_item(measure)
    named = None if first is None or second is None else (first, second)
    return Comparison(
        measure,
        paired(a.by_item(measure), b.by_item(measure), a.passes, groups=a.units, named=named),
        a.n_repeats,
    )


def check_same_folds(a: Judgement, b: Judgement) -> None:
    """Refuse two judgements that were not made on the same items and folds.

    Raises
    ------
    InvalidInputError
        Other protocol, labels or groups.
    """
    if a.config != b.config or not np.array_equal(a.codes, b.codes):
        raise InvalidInputError(
            "Two kernels can only be compared on the same items and folds", "different protocols or labels"
        )
    check_same_units(a.groups, b.groups)


@dataclass(frozen=True, eq=False)
class Pair(EqualByContent):
    """One pair of several kernels.

    Attributes
    ----------
    first, second : str
    comparison : Comparison
        Of this pair alone.
    p : float
        Corrected for the number of pairs (Holm 1979).
    """

    first: str
    second: str
    comparison: Comparison
    p: float

    @property
    def told_apart(self) -> bool:
        """Whether p is below .05 after correction."""
        return self.p < DIFFERENT


def compare_all(judgements: Mapping[str, Judgement], measure: str = "multi_class") -> tuple[Pair, ...]:
    """Compare every two of several kernels, by name, in the order given.

    Raises
    ------
    InvalidInputError
        Fewer than two, or not all on the same folds.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, compare_all, judge
    >>> x, y = np.arange(12.0), np.repeat(["a", "b"], 6)
    >>> kernels = {"linear": np.outer(x - 5.5, x - 5.5), "none": np.eye(12)}
    >>> judged = {name: judge(K, y, CrossValidation(folds=2, repeats=1)) for name, K in kernels.items()}
    >>> [(pair.first, pair.second) for pair in compare_all(judged)]
    [('linear', 'none')]
    """
    if len(judgements) < 2:
        raise InvalidInputError("A comparison needs at least two kernels", str(len(judgements)))
    return _pairs(judgements, list(combinations(judgements, 2)), measure)


def compare_with(
    judgements: Mapping[str, Judgement], reference: str, measure: str = "multi_class"
) -> tuple[Pair, ...]:
    """Compare every other kernel with one that was fixed before anything was judged.

    A reference that is chosen because it is the best of those that were judged makes its differences too large, and their
    p too small; then `compare_all` is the comparison.

    Raises
    ------
    InvalidInputError
        The reference is not among them, or nothing else is; not all on the same folds.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, judge
    >>> x, y = np.arange(12.0), np.repeat(["a", "b"], 6)
    >>> kernels = {"linear": np.outer(x - 5.5, x - 5.5), "none": np.eye(12)}
    >>> judged = {name: judge(K, y, CrossValidation(folds=2, repeats=1)) for name, K in kernels.items()}
    >>> [(pair.first, pair.second) for pair in compare_with(judged, "none")]
    [('linear', 'none')]
    """
    if reference not in judgements:
        raise InvalidInputError("The reference has to be one of the judged kernels", repr(reference))
    if len(judgements) < 2:
        raise InvalidInputError("A comparison needs at least two kernels", str(len(judgements)))
    return _pairs(judgements, [(name, reference) for name in judgements if name != reference], measure)


def _pairs(
    judgements: Mapping[str, Judgement], names: Sequence[tuple[str, str]], measure: str
) -> tuple[Pair, ...]:
    found = [compare(judgements[a], judgements[b], measure) for a, b in names]
    corrected = holm([one.p for one in found])
    return tuple(Pair(a, b, one, p) for (a, b), one, p in zip(names, found, corrected, strict=True))


def judged_verdict(
    judgements: Mapping[str, Judgement], measure: str = "multi_class", *, plain: Collection[str] = ()
) -> Verdict:
    """Which of several judged kernels is best, and who is told apart from it; see `verdict_of`.

    Parameters
    ----------
    judgements : dict of str to Judgement
        All that are on the picture, on the same items and folds.
    measure : {"multi_class", "one_vs_rest", "balanced", "matthews", "auc"}
    plain : collection of str
        Those that are plain baselines.

    Raises
    ------
    InvalidInputError
        None, or not all on the same folds.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, judge
    >>> x, y = np.arange(12.0), np.repeat(["a", "b"], 6)
    >>> kernels = {"linear": np.outer(x - 5.5, x - 5.5), "none": np.eye(12)}
    >>> judged = {name: judge(K, y, CrossValidation(folds=2, repeats=1)) for name, K in kernels.items()}
    >>> judged_verdict(judged).best.name
    'linear'
    """
    if not judgements:
        raise InvalidInputError("A verdict needs at least one kernel", "none")
    first = next(iter(judgements.values()))
    for other in judgements.values():
        check_same_folds(first, other)
    named = {
        name: given for name, made in judgements.items() if (given := made.named_by_item(measure)) is not None
    }
    return verdict_of(
        {name: made.by_item(measure) for name, made in judgements.items()},
        first.passes,
        plain=plain,
        groups=first.units,
        classes=None if measure == "multi_class" else first.codes[first.labelled],
        scale=SCALES[measure],
        named=named or None,
    )


@dataclass(frozen=True, eq=False)
class PaperTests(EqualByContent):
    """Tests that papers made of two kernels. None of them decides what Kernex calls told apart: that does `compare`.

    How often each rejects at .05 where neither kernel is better, by simulation: `python -m science sizes_of_tests`.

    Attributes
    ----------
    mcnemar_p : float
        Exact test of McNemar (1947) on the items of the first repetition.
    only_first, only_second : int
        Items that only one kernel named rightly there.
    corrected_t_p : float
        Corrected resampled t-test of the accuracies of all folds (Nadeau and Bengio 2003); NaN for fewer than four.
    yates_p, yates_multi_class_p : float
        Yates' chi-square on shares of right one-vs-rest decisions, as in "Kernel extrapolation"; the same of multi-class.
    """

    mcnemar_p: float
    only_first: int
    only_second: int
    corrected_t_p: float
    yates_p: float
    yates_multi_class_p: float

    @property
    def warning(self) -> str:
        """What has to stand beside `yates_p`."""
        return NOT_INDEPENDENT


def paper_tests(a: Judgement, b: Judgement) -> PaperTests:
    """Make the tests that papers made; see `PaperTests`.

    Raises
    ------
    InvalidInputError
        Other protocol or labels.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CrossValidation, judge
    >>> x, y = np.arange(12.0), np.repeat(["a", "b"], 6)
    >>> good, none = (
    ...     judge(K, y, CrossValidation(folds=2, repeats=1)) for K in (np.outer(x - 5.5, x - 5.5), np.eye(12))
    ... )
    >>> made = paper_tests(good, none)
    >>> made.only_first > made.only_second
    True
    """
    check_same_folds(a, b)
    at = a.labelled
    first, second = a.correct[0, at], b.correct[0, at]
    only_a, only_b = int((first & ~second).sum()), int((second & ~first).sum())
    folds, n = a.n_folds, a.n_decisions
    return PaperTests(
        mcnemar_p(only_a, only_b),
        only_a,
        only_b,
        corrected_t_p(
            np.asarray(a.fold_accuracy) - np.asarray(b.fold_accuracy), 1.0 / (folds - 1) if folds > 1 else 1.0
        ),
        yates_p(a.one_vs_rest.mean * n, b.one_vs_rest.mean * n, n),
        yates_p(a.multi_class.mean * n, b.multi_class.mean * n, n),
    )


# What the tables of kernels write of a judgement, the same in all of them.


def written_ends(made: Judgement, measure: str) -> dict[str, object]:
    """Ends of its interval of one measure, as `_from` and `_to`; NaN where there is none."""
    interval = made.interval(measure)
    low, high = (NAN, NAN) if interval is None else (interval.low, interval.high)
    return {f"{measure}_from": low, f"{measure}_to": high}


def written_remarks(made: Judgement | NumberJudgement) -> str:
    """What has to be said with the numbers, as one text; empty where there is nothing."""
    return " ".join(made.remarks)


def written_protocol(made: Judgement, gram_seconds: float) -> dict[str, object]:
    """On how many items, folds and repetitions a judgement rests, how it was made, and what matrix and judging took."""
    return {
        "items": made.n_items,
        "folds": made.config.folds,
        "repetitions": made.n_repeats,
        "seed": made.config.seed,
        "C": made.config.C,
        "remarks": written_remarks(made),
        "tag": made.state.words,
        "gram_seconds": round(gram_seconds, 3),
        "judging_seconds": round(made.seconds, 3),
    }


def written_accuracy(made: Judgement) -> dict[str, object]:
    """Accuracy with its floor, the ends of its interval over items (None where there is none) and its spread."""
    interval = made.interval()
    return {
        "accuracy": made.multi_class.mean,
        "floor": made.multi_class.floor,
        "interval_from": None if interval is None else interval.low,
        "interval_to": None if interval is None else interval.high,
        "sd_repetitions": made.multi_class.sd_repeats,
        "remarks": written_remarks(made),
    }
