"""Is one kernel better than another? Tests on paired decisions, and the papers' own, which is not valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import binomtest, chi2, t

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent
from kernex_core.learning.judgement import Judgement
from kernex_core.parameters import check_range

NOT_INDEPENDENT = (
    "Yates' test counts every repetition as new items, as the papers do. Repetitions decide on the same items again, "
    "so its p is too small; it is shown for comparison with the papers only."
)


@dataclass(frozen=True, eq=False)
class Comparison(EqualByContent):
    """Two kernels on the same folds.

    Attributes
    ----------
    difference : float
        Multi-class accuracy of the first minus that of the second.
    mcnemar_p : float
        Exact two-sided p on the paired decisions of the first repetition.
    only_first, only_second : int
        Items that only one of them named rightly in that repetition.
    corrected_t_p : float
        Corrected resampled t-test over all folds (Nadeau and Bengio 2003); NaN with fewer than two folds.
    yates_p : float
        Yates' chi-square over all decisions, as the papers did it: see `NOT_INDEPENDENT`.
    """

    difference: float
    mcnemar_p: float
    only_first: int
    only_second: int
    corrected_t_p: float
    yates_p: float
    n_repeats: int = 1

    @property
    def warning(self) -> str:
        """What has to stand beside `yates_p`; empty if there is but one repetition."""
        return NOT_INDEPENDENT if self.n_repeats > 1 else ""


def yates_p(correct_a: float, correct_b: float, n: float) -> float:
    """P-value of Yates' chi-square on two proportions of n decisions each.

    Parameters
    ----------
    correct_a, correct_b : float
        Right decisions of either; may be fractional, as in the paper's Table 1.
    n : float
        Decisions of each.

    Raises
    ------
    InvalidInputError
        Counts outside 0 to n.

    Examples
    --------
    >>> from kernex_core import yates_p
    >>> round(yates_p(80, 65, 100), 4)
    0.0266
    """
    n = check_range("The number of decisions", n, 0.0, 1e15, open_low=True)
    a, b = (check_range("The number of right decisions", value, 0.0, n) for value in (correct_a, correct_b))
    right, wrong = a + b, 2 * n - a - b
    if right == 0.0 or wrong == 0.0:
        return 1.0
    # in shares of n, whose squares stay in range: |a (n − b) − b (n − a)| = n |a − b|
    gap = max(abs(a - b) - 1.0, 0.0) / n
    return float(chi2.sf(2 * n * gap**2 / ((right / n) * (wrong / n)), 1))


def mcnemar_p(only_a: int, only_b: int) -> float:
    """Exact two-sided p that items named rightly by only one kernel fall to either side evenly (McNemar 1947)."""
    both = only_a + only_b
    return float(binomtest(only_a, both, 0.5).pvalue) if both else 1.0


def corrected_t_p(differences: Sequence[float], test_share: float) -> float:
    """Corrected resampled t-test (Nadeau and Bengio 2003, eq. 10).

    Parameters
    ----------
    differences : sequence of float
        Of the accuracies in every fold of every repetition.
    test_share : float
        n_test / n_train of a fold.

    Returns
    -------
    float
        Two-sided p; NaN for fewer than two differences, 1 if they are all 0.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.size < 2:
        return float("nan")
    variance = float(values.var(ddof=1))
    if variance == 0.0:
        return 1.0 if values.mean() == 0.0 else 0.0
    statistic = float(values.mean()) / np.sqrt((1.0 / values.size + test_share) * variance)
    return float(2.0 * t.sf(abs(statistic), values.size - 1))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values corrected for being many (Holm 1979), in the order given."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(np.minimum((p.size - np.arange(p.size)) * p[order], 1.0))
    corrected = np.empty_like(p)
    corrected[order] = stepped
    return tuple(corrected.tolist())


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
    names = list(combinations(judgements, 2))
    found = [compare(judgements[a], judgements[b]) for a, b in names]
    mcnemar = holm([one.mcnemar_p for one in found])
    corrected = holm([one.corrected_t_p for one in found])
    return tuple(
        Pair(a, b, one, p, q) for (a, b), one, p, q in zip(names, found, mcnemar, corrected, strict=True)
    )
