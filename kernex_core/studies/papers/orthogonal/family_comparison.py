"""Table 6 beside what is printed: means over families, and how many rows fit with each basis of the map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import EqualByContent, FloatArray
from kernex_core.studies.papers.difference import Difference
from kernex_core.studies.papers.orthogonal.families import FamilyTable
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, TRAIN_ONLY
from kernex_core.studies.papers.paper_table import PaperTable

RFP, ROC = "median RFP", "ROC"
SCORES = (RFP, ROC)
"""Columns of Table 6: rate of false positives above the median item of a family, and ROC score, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Mean(EqualByContent):
    """Mean over the families where it is defined.

    Attributes
    ----------
    value : float
        NaN where there is none.
    se : float
        Over families; NaN for one.
    families : int
    difference : Difference
        To what is printed. The paper prints no spread, so ours stands for both: √2 times the standard error.
    """

    value: float
    se: float
    families: int
    difference: Difference


@dataclass(frozen=True, eq=False)
class FamilyComparison(EqualByContent):
    """Table 6 beside what is measured of it."""

    paper: PaperTable
    found: FamilyTable

    def values(self, score: str, column: str) -> FloatArray:
        """(n_families, n_powers) of one score on one basis."""
        return (self.found.rfp if score == RFP else self.found.roc)[column]

    def means(self, score: str, column: str) -> tuple[Mean, ...]:
        """Return one mean a row."""
        rows = zip(self.values(score, column).T, self.paper.printed[score], strict=True)
        return tuple(mean_over_families(values, printed.mean) for values, printed in rows)

    def inside(self, score: str, column: str) -> int:
        """Return how many rows are not outside."""
        return sum(not each.difference.outside for each in self.means(score, column))

    @property
    def tells(self) -> bool:
        """Whether the bases differ in how many rows fit, on either score."""
        return any(self.inside(score, ALL_POINTS) != self.inside(score, TRAIN_ONLY) for score in SCORES)

    def better(self, column: str, row: int) -> tuple[int, int, int]:
        """Return in how many families the map of a row is better than the kernel as it is, worse, and both are known."""
        now, was = self.found.roc[column][:, row], self.found.roc[column][:, 0]
        both = np.isfinite(now) & np.isfinite(was)
        return int((now > was)[both].sum()), int((now < was)[both].sum()), int(both.sum())

    def measured(self) -> tuple[float, ...]:
        """Return every p with a map of which some family is done."""
        roc = self.found.roc[ALL_POINTS]
        return tuple(
            p for row, p in enumerate(self.found.powers) if p is not None and np.isfinite(roc[:, row]).any()
        )


def mean_over_families(values: FloatArray, printed: float) -> Mean:
    """Mean of one row (n_families,), NaN = not defined, beside the printed mean."""
    defined = values[~np.isnan(values)]
    value = float(defined.mean()) if defined.size else float("nan")
    se = float(defined.std(ddof=1)) / defined.size**0.5 if defined.size > 1 else float("nan")
    return Mean(value, se, int(defined.size), Difference(value - printed, 2.0**0.5 * se))
