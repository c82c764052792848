"""Completion of single pairs as a step: fitted on all items, or inside every training fold, where new items get factors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self, cast

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameter
from kernex_core.completion.complete import source_block
from kernex_core.completion.scattered.factors import PairModel, new_factors
from kernex_core.completion.scattered.pairs import (
    FINISHES,
    CompletedPairs,
    Finish,
    checked_rho,
    complete_pairs,
)
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.split import split_inductively
from kernex_core.gram.step import CrossBlock, FittedStep, Sees, Step


@dataclass(frozen=True)
class CompletePairs(Step):
    """Complete unknown pairs by few factors, see `complete_pairs`.

    An item outside the fitted block gets its own factors from its known pairs with the fitted items and from what the source
    says of it; theirs stay as they are. Its known pairs are kept.

    Attributes
    ----------
    source : GramMatrix or None
        A kernel on the same items, known everywhere.
    finish : {"keep", "smooth", "exact"}
        Of the fitted block.
    strength, rho, rank
        None: chosen by known pairs that are held back, anew wherever the step is fitted.
    seed : int

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import CompletePairs, GramMatrix
    >>> K = np.array([[1, 0.8, np.nan], [0.8, 1, 0.7], [np.nan, 0.7, 1]])
    >>> made = GramMatrix(K).then(CompletePairs())
    >>> made.unknown.complete, made.has_seen().items, made.has_seen(inductive=True).items
    (True, True, False)
    """

    name: ClassVar[str] = "completion of pairs"
    sees: ClassVar[Sees] = Sees("fitted")
    carries_digits: ClassVar[bool] = False
    source: GramMatrix | None = parameter(
        None, help="Kernel known for all items, beside the known pairs.", hidden=True
    )
    finish: str = parameter(
        "keep", help="How known values and predictions become a kernel.", choices=FINISHES
    )
    strength: float | None = parameter(
        None, help="Of the penalty on factors; chosen by held-back pairs.", optional=True
    )
    rho: float | None = None  # infinity, too
    rank: int | None = parameter(None, help="Number of factors.", low=1, optional=True)
    seed: int = parameter(0, help="Draws which pairs are held back.", low=0, high=2**31 - 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_rho(self.rho, self.source is not None)

    def fit(self, K_train: FloatArray, *, items: IntArray | None = None) -> FittedStep:
        """See Step.

        Raises
        ------
        InvalidInputError
            If the source is about other items, or no pair is known.
        """
        whole = np.arange(len(K_train)) if items is None else items
        ids = tuple(map(str, range(len(K_train))))
        source = None
        if self.source is not None:
            source = GramMatrix(source_block(self.source, len(K_train), items), ids, "source")
        rank = None if self.rank is None else min(self.rank, len(ids))
        made = complete_pairs(
            GramMatrix(K_train, ids, "target"), source, finish=cast("Finish", self.finish), strength=self.strength,
            rho=self.rho, rank=rank, seed=self.seed, intervals=False,
        )  # fmt: skip
        return _CompletedByFactors(self, made, whole, source)

    def take(self, items: IntArray) -> Self:
        """See Step."""
        return self if self.source is None else replace(self, source=self.source.take(items))


class _CompletedByFactors(FittedStep):
    def __init__(
        self, step: CompletePairs, made: CompletedPairs, whole: IntArray, source: GramMatrix | None
    ) -> None:
        self.step, self.made, self.whole = step, made, whole
        self.unit = 1.0 if source is None else float(np.mean(np.diag(source.values)))

    def apply(self, K: FloatArray) -> FloatArray:
        return self.made.values

    def apply_cross(
        self, K_cross: FloatArray, diag: FloatArray, *, items: IntArray | None = None
    ) -> CrossBlock:
        model: PairModel = self.made.fitted
        known = ~np.isnan(K_cross)
        S_cross = S_own = None
        if self.step.source is not None:
            if items is None:
                raise InvalidInputError("New items need their positions in the source", "none")
            cut = split_inductively(self.step.source, self.whole, items)
            S_cross, S_own = cut.K_cross / self.unit, cut.diag_test / self.unit
        U = new_factors(self.made.problem, model, np.where(known, K_cross, 0.0), known, S_cross, S_own)
        predicted = model.m + U @ model.U.T
        if S_cross is not None:
            predicted = predicted + model.c * S_cross
        own = np.where(np.isnan(diag), float(np.mean(np.diag(self.made.values))), diag)
        return CrossBlock(np.where(known, K_cross, predicted), own)
