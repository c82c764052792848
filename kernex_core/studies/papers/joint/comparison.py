"""Who wins: the joint kernel with λ chosen inside the training folds, against each kernel that has the same treatment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.frozen import EqualByContent, IntArray, ReadOnlyArrays
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.paired import of_difference
from kernex_core.learning.chance.tests import corrected_t_p, holm
from kernex_core.learning.chance.tried import Tried
from kernex_core.studies.papers.joint.graph_kernels import JOINT
from kernex_core.studies.papers.joint.measuring import JointFigure

BASELINES: Final = ("Gaussian", "linear", "sum", "product")
"""With the landmarks, weights, nugget and normalisation of the joint kernel."""
LEVEL: Final = 0.05


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
    difference : float
        Of mean accuracies, as a share.
    interval : Interval
        Of it, over graphs.
    p, holm_p : float
        Corrected resampled t-test over all folds (Nadeau and Bengio 2003), and after Holm's correction for the number of
        kernels; NaN for fewer than four folds.
    """

    name: str
    difference: float
    interval: Interval
    p: float
    holm_p: float

    @property
    def told(self) -> int:
        """1: the joint kernel is better; -1: the other one is; 0: they are not told apart.

        Test and interval have to agree: the first knows of other training sets, the second of other graphs.
        """
        if not self.holm_p < LEVEL or self.interval.low <= 0.0 <= self.interval.high:
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


def against(found: JointFigure, joint: Tried) -> tuple[Against, ...]:
    """Compare a joint kernel with those of BASELINES that are done."""
    others = [(name, other) for name in BASELINES if (other := found.of(name)) is not None]
    made = [_against(found, joint, name, other) for name, other in others]
    p_values = [each.p for each in made]
    stepped = holm(p_values) if p_values and not np.isnan(p_values).any() else p_values
    return tuple(
        Against(each.name, each.difference, each.interval, each.p, p)
        for each, p in zip(made, stepped, strict=True)
    )


def _against(found: JointFigure, joint: Tried, name: str, other: Tried) -> Against:
    first, second = found.by_item(joint), found.by_item(other)
    labelled = found.how.coded.codes >= 0
    groups = None if found.how.groups is None else found.how.groups[labelled]
    p = corrected_t_p(
        (joint.outside - other.outside).tolist(), 1.0 / (found.n_folds - 1) if found.n_folds > 1 else 1.0
    )
    return Against(
        name, float(first.mean() - second.mean()), of_difference(first, second, groups=groups), p, p
    )
