"""Is one kernel better than another? Three tests on the same folds, the most trustworthy first.

How often each rejects at .05 where neither kernel is better, by simulation: `python -m science sizes_of_tests`. No test is
made of items whose repetitions were averaged: that an item was right in 3 of 5 passes is no decision about the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent
from kernex_core.learning.chance.tests import corrected_t_p, holm, mcnemar_p, yates_p
from kernex_core.learning.judgement import Judgement

NOT_INDEPENDENT = (
    "Yates' p, as in the papers, takes the decisions of both kernels and of all repetitions for independent. They are about "
    "the same items. Not valid: may be far too small or far too large."
)


@dataclass(frozen=True, eq=False)
class Comparison(EqualByContent):
    """Two kernels on the same folds.

    Attributes
    ----------
    difference : float
        Multi-class accuracy of the first minus that of the second.
    mcnemar_p : float
        Exact two-sided p on the paired multi-class decisions of the first repetition; for these training sets, because it
        knows nothing of how others would differ.
    only_first, only_second : int
        Items that only one of them named rightly in that repetition.
    corrected_t_p : float
        Corrected resampled t-test of multi-class accuracy over all folds (Nadeau and Bengio 2003); NaN where fewer than four
        folds were tested. The first to be read.
    yates_p : float
        Yates' chi-square of one-vs-rest accuracy over all decisions, as the papers did it: see `NOT_INDEPENDENT`.
    n_repeats : int
    yates_multi_class_p : float
        The same of multi-class accuracy.
    one_vs_rest_difference : float
        One-vs-rest accuracy of the first minus that of the second.
    half_width : float
        Half of the longer of both intervals of multi-class accuracy over items.
    """

    difference: float
    mcnemar_p: float
    only_first: int
    only_second: int
    corrected_t_p: float
    yates_p: float
    n_repeats: int = 1
    yates_multi_class_p: float = float("nan")
    one_vs_rest_difference: float = float("nan")
    half_width: float = float("nan")

    @property
    def told_apart(self) -> bool:
        """Whether the difference is more than what other items would change; False where that is not known."""
        return abs(self.difference) > self.half_width

    @property
    def warning(self) -> str:
        """What has to stand beside `yates_p`."""
        return NOT_INDEPENDENT


def compare(a: Judgement, b: Judgement) -> Comparison:
    """Compare two judgements that were made on the same folds.

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
    >>> made.only_first > made.only_second
    True
    """
    if a.config != b.config or not np.array_equal(a.codes, b.codes):
        raise InvalidInputError(
            "Two kernels can only be compared on the same items and folds", "different protocols or labels"
        )
    at = a.labelled
    first, second = a.correct[0, at], b.correct[0, at]
    only_a, only_b = int((first & ~second).sum()), int((second & ~first).sum())
    folds = a.n_folds
    n = a.n_decisions
    intervals = [made for made in (a.interval(), b.interval()) if made is not None]
    return Comparison(
        difference=a.multi_class.mean - b.multi_class.mean,
        mcnemar_p=mcnemar_p(only_a, only_b),
        only_first=only_a,
        only_second=only_b,
        corrected_t_p=corrected_t_p(
            np.asarray(a.fold_accuracy) - np.asarray(b.fold_accuracy), 1.0 / (folds - 1) if folds > 1 else 1.0
        ),
        yates_p=yates_p(a.one_vs_rest.mean * n, b.one_vs_rest.mean * n, n),
        n_repeats=a.n_repeats,
        yates_multi_class_p=yates_p(a.multi_class.mean * n, b.multi_class.mean * n, n),
        one_vs_rest_difference=a.one_vs_rest.mean - b.one_vs_rest.mean,
        half_width=max((made.half_width for made in intervals), default=float("nan")),
    )


@dataclass(frozen=True, eq=False)
class Pair(EqualByContent):
    """One pair of several kernels, p-values corrected for the number of pairs (Holm).

    Attributes
    ----------
    first, second : str
    comparison : Comparison
    mcnemar_p, corrected_t_p : float
        After Holm's correction; those of `comparison` are before it.
    """

    first: str
    second: str
    comparison: Comparison
    mcnemar_p: float
    corrected_t_p: float


def compare_all(judgements: Mapping[str, Judgement]) -> tuple[Pair, ...]:
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
    return _pairs(judgements, list(combinations(judgements, 2)))


def compare_with(judgements: Mapping[str, Judgement], reference: str) -> tuple[Pair, ...]:
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
    return _pairs(judgements, [(name, reference) for name in judgements if name != reference])


def _pairs(judgements: Mapping[str, Judgement], names: list[tuple[str, str]]) -> tuple[Pair, ...]:
    found = [compare(judgements[a], judgements[b]) for a, b in names]
    mcnemar = holm([one.mcnemar_p for one in found])
    corrected = holm([one.corrected_t_p for one in found])
    return tuple(
        Pair(a, b, one, p, q) for (a, b), one, p, q in zip(names, found, mcnemar, corrected, strict=True)
    )
