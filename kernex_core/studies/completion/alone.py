"""Source and target judged alone, as the page Evaluate judges them: no hidden share and no nugget changes these scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kernex_core.frozen import FloatArray, ReadOnlyArrays
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.learning.cells import CellScores, scores_of
from kernex_core.learning.protocol import Judging
from kernex_core.studies.completion.config import CompletionConfig
from kernex_core.studies.completion.study import Completion
from kernex_core.validation import as_symmetric


@dataclass(frozen=True, eq=False)
class Before(ReadOnlyArrays):
    """What of a sweep is known before it starts; it is computed where it is not.

    Attributes
    ----------
    first : Completion, optional
        What `prepare` makes of the first share in the first repetition.
    whole : GramMatrix, optional
        `conditioned(config, target)`.
    levels : dict of str to tuple of CellScores, optional
        `alone` in every repetition, by kernel.
    """

    first: Completion | None = None
    whole: GramMatrix | None = None
    levels: Mapping[str, tuple[CellScores, ...]] | None = None


def alone(
    config: CompletionConfig, source: FloatArray, truth: FloatArray, how: Judging
) -> dict[str, CellScores]:
    """Scores of source (m, m) and target in one repetition; of a target that is known everywhere only."""
    levels = {"source": scores_of(finished(config, source), how)}
    if not np.isnan(truth).any():
        levels["target"] = scores_of(finished(config, truth), how)
    return levels


def finished(config: CompletionConfig, K: FloatArray) -> FloatArray:
    """What is done to the joint kernel last is done to every kernel beside it."""
    return CosineNormalize()(as_symmetric(K)) if config.normalize_after else K
