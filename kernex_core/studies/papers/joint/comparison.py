"""Who wins: the joint kernel with λ chosen inside the training folds, against each kernel that has the same treatment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernex_core.base.frozen import EqualByContent, IntArray, ReadOnlyArrays
from kernex_core.learning.chance.interval import Interval, Passes
from kernex_core.learning.chance.paired import DIFFERENT, Paired, corrected_t_p, holm, paired
from kernex_core.learning.chance.tried import Tried
from kernex_core.learning.chance.verdict import Verdict, verdict_of
from kernex_core.studies.papers.joint.measuring import AS_IT_IS, ENDS, JOINT, NAMES, JointFigure

CHOSEN: Final = "joint, λ chosen"
"""What the joint kernel with λ chosen inside the training folds is called."""
BASELINES: Final = ("Gaussian", "linear", "sum", "product")
"""With the landmarks, weights, nugget and normalisation of the joint kernel."""


@dataclass(frozen=True, eq=False)
class ChosenLam(ReadOnlyArrays):
    """The joint kernel with λ chosen in five folds of the training items of every fold.

    Attributes
    ----------
    tried : Tried
        Of what was chosen.
    picked : (n_folds,) int
        Which of JOINT each training fold chose.
    best : str
        The name that looks best on the test folds: a choice in hindsight.
    optimism : float
        What reporting that one adds to the accuracy.
    """

    tried: Tried
    picked: IntArray
    best: str
    optimism: float

    @property
    def picks(self) -> tuple[tuple[str, int], ...]:
        """Every λ that was chosen, with the number of folds."""
        names = tuple(JOINT)
        return tuple((names[at], int((self.picked == at).sum())) for at in np.unique(self.picked).tolist())


@dataclass(frozen=True, eq=False)
class Against(EqualByContent):
    """The joint kernel less another one, on the same folds.

    Attributes
    ----------
    name : str
        Of the other one.
    paired : Paired
        The joint kernel less the other one, of this pair alone.
    holm_p : float
        After Holm's correction for the number of kernels.
    corrected_t_p : float
        What the field's papers test by: corrected resampled t-test over all folds (Nadeau and Bengio 2003), of this pair
        alone; NaN for fewer than four folds. It decides nothing here.
    """

    name: str
    paired: Paired
    holm_p: float
    corrected_t_p: float

    @property
    def difference(self) -> float:
        """Of mean accuracies, as a share."""
        return self.paired.difference

    @property
    def interval(self) -> Interval:
        """Of the difference, for other data sets of this size."""
        return self.paired.interval

    @property
    def p(self) -> float:
        """Of this pair alone."""
        return self.paired.p

    @property
    def told(self) -> int:
        """1: the joint kernel is better; -1: the other one is; 0: they are not told apart."""
        if self.holm_p >= DIFFERENT:
            return 0
        return 1 if self.difference > 0.0 else -1


def chosen_lam(found: JointFigure) -> ChosenLam | None:
    """Choose λ in every fold by what its training items say among themselves; None before every λ is done."""
    joint = [found.tried[name] for name in JOINT if name in found.tried]
    if len(joint) < len(JOINT):
        return None
    picked = np.array([one.inside for one in joint]).argmax(axis=0)
    folds = found.how.folds
    items = np.zeros_like(joint[0].items)
    for fold, at in zip(folds, picked, strict=True):
        items[fold.repeat, fold.test] = joint[at].items[fold.repeat, fold.test]
    rows = np.arange(picked.size)
    inside, outside = (
        np.array([getattr(one, side) for one in joint])[picked, rows] for side in ("inside", "outside")
    )
    tried = Tried(inside, outside, items)
    means = [found.accuracy(one).mean for one in joint]
    best = int(np.argmax(means))
    return ChosenLam(tried, picked, tuple(JOINT)[best], means[best] - found.accuracy(tried).mean)


def shown_kernels(found: JointFigure, chosen: ChosenLam | None) -> dict[str, Tried]:
    """All kernels that are done, by the names of the page: each alone, treated alike, joint, chosen, as they are."""
    singles = {f"{name} alone": found.of(name) for name in ENDS}
    joint = {name: found.of(name) for name in JOINT if name not in ENDS.values()}
    others = {name: found.of(name) for name in NAMES if name not in JOINT}
    treated = {name: one for name, one in others.items() if not name.endswith(AS_IT_IS)}
    as_they_are = {name: one for name, one in others.items() if name.endswith(AS_IT_IS)}
    picked = {CHOSEN: None if chosen is None else chosen.tried}
    ordered = {**singles, **treated, **joint, **picked, **as_they_are}
    return {name: one for name, one in ordered.items() if one is not None}


def figure_verdict(found: JointFigure, chosen: ChosenLam | None) -> Verdict:
    """Which kernel of the figure is best, and who is told apart from it; plain baselines are all that are not joint."""
    shown = shown_kernels(found, chosen)
    return verdict_of(
        {name: found.by_item(one) for name, one in shown.items()},
        Passes(found.n_folds, found.n_repeats),
        plain=[name for name in shown if not name.startswith("joint")],
        groups=_groups(found),
    )


def against(found: JointFigure, joint: Tried) -> tuple[Against, ...]:
    """Compare a joint kernel with those of BASELINES that are done."""
    others = [(name, other) for name in BASELINES if (other := found.of(name)) is not None]
    compared = [_paired(found, joint, other) for _, other in others]
    corrected = holm([each.p for each in compared])
    share = 1.0 / (found.n_folds - 1) if found.n_folds > 1 else 1.0
    return tuple(
        Against(name, each, p, corrected_t_p((joint.outside - other.outside).tolist(), share))
        for (name, other), each, p in zip(others, compared, corrected, strict=True)
    )


def _paired(found: JointFigure, joint: Tried, other: Tried) -> Paired:
    return paired(
        found.by_item(joint),
        found.by_item(other),
        Passes(found.n_folds, found.n_repeats),
        groups=_groups(found),
    )


def _groups(found: JointFigure) -> NDArray[np.str_] | None:
    return None if found.how.groups is None else found.how.groups[found.how.coded.codes >= 0]
