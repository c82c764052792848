"""How several kernels become one inside a fold: normalised, weighed and combined by what the training block says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kernex_core.errors import InvalidInputError
from kernex_core.frozen import EqualByContent, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import Split
from kernex_core.joint.blocks import KINDS, combined_blocks
from kernex_core.learning.engine import Cut, WeighedSplit, cut_of
from kernex_core.learning.folds import Fold
from kernex_core.learning.learners.choice import goodness_inside
from kernex_core.learning.learners.contract import Learner, Targets
from kernex_core.learning.learners.cost import mean_diagonal
from kernex_core.learning.mkl.base_kernels import KernelStack
from kernex_core.learning.mkl.normalise import normalised
from kernex_core.learning.mkl.weightings import Weighting, check_weighting
from kernex_core.parameters import check_choice


@dataclass(frozen=True, eq=False)
class Together(EqualByContent):
    """How several kernels become one inside a fold.

    Attributes
    ----------
    weighting : Weighting
    normalize : {"none", "mean", "cosine", "centred"}
        By the training block of every fold.
    learner : Learner, optional
        The C-SVM of the config, or kernel ridge for numbers, by default. `choose_C` of the config chooses its strength
        inside the folds; the C of learned weights is that of the weighting, or chosen there where the weighting says so.
    numbers : bool
        Whether numbers are learned.
    kind : {"weighted sum", "joint", "product"}
        See `combined_blocks`: the joint kernel is fitted on the training block, too. A product has no weights.
    nugget : float
        ρ of the joint kernel.
    """

    weighting: Weighting
    normalize: str = "mean"
    learner: Learner | None = None
    numbers: bool = False
    kind: str = "weighted sum"
    nugget: float = 0.1


def check_together(together: Together) -> None:
    """Refuse what is no way to make one kernel of several.

    Raises
    ------
    InvalidInputError
    """
    if not isinstance(together, Together):
        raise InvalidInputError("How kernels become one has to be a Together(...)", type(together).__name__)
    check_weighting(together.weighting)
    check_choice("A combination", together.kind, tuple(KINDS))


@dataclass(frozen=True, eq=False)
class Deciding(EqualByContent):
    """What a fold decides by where something is chosen among its training items.

    Attributes
    ----------
    targets : Targets
        Of all items; only those of training items are looked at.
    learner : Learner
    several : bool
        Its strength is chosen, too.
    inner : callable
        Folds of training items.
    checked : bool
        Training blocks are known to be kernels.
    """

    targets: Targets
    learner: Learner
    several: bool
    inner: Callable[[IntArray], Sequence[Fold]]
    checked: bool = True


def cut_together(
    kernels: Sequence[GramMatrix], together: Together, deciding: Deciding, *, inductive: bool
) -> Cut:
    """How several kernels are cut: normalised, weighed and combined by the training block and its labels alone.

    Parameters
    ----------
    kernels : sequence of GramMatrix
        Of the same items.
    together : Together
    deciding : Deciding
    inductive : bool
        Their own steps are fitted inside the fold, too.
    """
    cuts = [cut_of(K, inductive=inductive) for K in kernels]

    def cut(train: IntArray, test: IntArray) -> Split:
        way = together.weighting
        candidates = way.candidates
        if len(candidates) < 2:
            return _made(cuts, together, deciding.targets, way, train, test)
        way = _best(candidates, cuts, together, deciding, train)
        made = _made(cuts, together, deciding.targets, way, train, test)
        inside = partial(_made, cuts, together, deciding.targets, way)
        return replace(made, cost=way.cost, _inside=inside)

    return cut


def _best(
    candidates: Sequence[Weighting],
    cuts: Sequence[Cut],
    together: Together,
    deciding: Deciding,
    train: IntArray,
) -> Weighting:
    """The candidate that does best in folds of the training items, of equally good ones the first."""
    folds = deciding.inner(train)
    if not folds:
        return together.weighting
    learner = deciding.learner

    def good(way: Weighting) -> float:
        cut = partial(_made, cuts, together, deciding.targets, way)
        return float(
            goodness_inside(
                learner, cut, deciding.targets, folds, checked=deciding.checked, several=deciding.several
            ).max()
        )

    return candidates[int(np.argmax([good(way) for way in candidates]))]


def _made(
    cuts: Sequence[Cut], together: Together, targets: Targets, way: Weighting, train: IntArray, test: IntArray
) -> WeighedSplit:
    parts = [normalised(each(train, test), together.normalize)[0] for each in cuts]
    own = replace(targets, values=targets.values[train])
    stack = np.array([part.K_train for part in parts])
    if len(together.weighting.candidates) > 1:  # C of the weights is chosen: in units of the kernels
        stack /= mean_diagonal(stack.mean(axis=0))
    # plain: whatever labels made them are those of training items
    weights = np.asarray(way.weigh(KernelStack(stack), own).weights)
    made = combined_blocks(parts, weights, kind=together.kind, nugget=together.nugget)
    return WeighedSplit(made.K_train, made.K_cross, made.diag_test, weights=weights)
