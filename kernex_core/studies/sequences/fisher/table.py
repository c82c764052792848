"""Settings and table of SVM-Fisher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernex_core.frozen import FloatArray, IntArray, ReadOnlyArrays
from kernex_core.parameters import check_parameters, parameter


@dataclass(frozen=True)
class FisherConfig:
    """What is judged beside the Fisher kernel of raw scores.

    Attributes
    ----------
    others : bool
        Also the diagonal information and a Gaussian of the scores.
    chain : bool
        Also a Markov chain in place of the profile.
    rounds : int
        Of EM, for every profile.
    """

    others: bool = parameter(
        False, label="Other Fisher kernels",
        help="Also scores divided by the diagonal of the information, and a Gaussian of scores as in the first paper on it.",
    )  # fmt: skip
    chain: bool = parameter(
        False,
        label="Markov chain",
        help="Also a first-order Markov chain of the class in place of the profile.",
    )
    rounds: int = parameter(
        8, label="Rounds of EM", help="Of every profile; each takes as long as reading its training members once.",
        low=1, high=50, step=1,
    )  # fmt: skip

    SPECTRUM: ClassVar[str] = "Spectrum 3, SVM"
    ODDS: ClassVar[str] = "Profile, log-odds"
    RAW: ClassVar[str] = "Profile, Fisher, SVM"

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def methods(self) -> tuple[str, ...]:
        """Rows of the table."""
        others = ("Profile, Fisher, diagonal information", "Profile, Fisher, Gaussian") if self.others else ()
        chain = ("Chain, log-odds", "Chain, Fisher, SVM") if self.chain else ()
        return (self.SPECTRUM, self.ODDS, self.RAW, *others, *chain)


@dataclass(frozen=True, eq=False)
class FisherTable(ReadOnlyArrays):
    """Areas under the ROC curve, class against all others, in the folds that are done.

    Attributes
    ----------
    methods, classes : tuple of str
        Classes largest first.
    sizes : (n_classes,) int
    areas : (n_methods, n_classes, n_folds) float
        In the test items of each fold; NaN where it is not done, or has no member or nothing else, or where fewer than two
        members are left to train on.
    done, total : int
        Profiles: folds times classes.
    now : str
        What is being done.
    remarks : tuple of str
        On letters that are skipped.
    """

    methods: tuple[str, ...]
    classes: tuple[str, ...]
    sizes: IntArray
    areas: FloatArray
    done: int
    total: int
    now: str
    remarks: tuple[str, ...] = ()

    @property
    def by_class(self) -> FloatArray:
        """(n_methods, n_classes) means over folds; NaN without any."""
        return _mean(self.areas)

    @property
    def means(self) -> FloatArray:
        """(n_methods,) means over classes, each class once."""
        return _mean(self.by_class)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was skipped or could not be judged."""
        absent = [c for c, area in zip(self.classes, self.by_class[0], strict=True) if np.isnan(area)]
        if not absent or self.done < self.total:
            return self.remarks
        return (
            *self.remarks,
            f"Not judged, for want of members in training and test: {', '.join(absent)}.",
        )

    def table(self) -> list[dict[str, object]]:
        """One row a method and class, and one a method for the mean over classes ("")."""
        return [
            {"method": method, "class": name, "members": int(size), "auc": float(area)}
            for method, areas, mean in zip(self.methods, self.by_class, self.means, strict=True)
            for name, size, area in [
                *zip(self.classes, self.sizes, areas, strict=True), ("", self.sizes.sum(), mean)
            ]
        ]  # fmt: skip


def _mean(values: FloatArray) -> FloatArray:
    """Mean over the last axis of what is known; NaN without any."""
    known = ~np.isnan(values)
    counts = known.sum(axis=-1)
    totals = np.where(known, values, 0.0).sum(axis=-1)
    return np.asarray(np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0))
