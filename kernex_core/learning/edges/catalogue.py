"""EDGE_METHODS: how pairs of genes are scored, one line each."""

from __future__ import annotations

from typing import Final

from kernex_core.learning.edges.local_models import LocalModels
from kernex_core.learning.edges.methods import (
    CanonicalProjection,
    Direct,
    EdgeMethod,
    MetricLearning,
    Spectral,
    TwoStepRidge,
)
from kernex_core.learning.edges.pairwise import PairwiseMachine

EDGE_METHODS: Final[tuple[type[EdgeMethod], ...]] = (
    CanonicalProjection,
    MetricLearning,
    TwoStepRidge,
    LocalModels,
    PairwiseMachine,
    Spectral,
    Direct,
)
