"""The learners: one line each, all on a precomputed kernel."""

from __future__ import annotations

from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.learners.logistic import KernelLogistic
from kernex_core.learning.learners.neighbours import NearestNeighbours
from kernex_core.learning.learners.on_components import OnComponents
from kernex_core.learning.learners.process import GaussianProcess
from kernex_core.learning.learners.ridge import KernelRidge
from kernex_core.learning.learners.support_vectors import HardMargin, SupportVectorRegression, SupportVectors

LEARNERS: tuple[type[Learner], ...] = (
    SupportVectors,
    HardMargin,
    SupportVectorRegression,
    KernelRidge,
    GaussianProcess,
    KernelLogistic,
    NearestNeighbours,
    OnComponents,
)
"""All learners, in the order in which pages offer them."""
