"""Kernels, steps, completions and learners as estimators of scikit-learn: in pipelines, folds and grids that it runs.

Thin: the mathematics is that of the core, which is called. Nothing else of `kernex_core` loads scikit-learn for this.
"""

from kernex_core.sklearn.contract import RefusedInput
from kernex_core.sklearn.learners import JudgedFolds, PrecomputedLogistic, PrecomputedRidge, PrecomputedSVC
from kernex_core.sklearn.transformers import (
    JointKernel,
    KernelCompleter,
    KernelTransformer,
    StepTransformer,
    ViewsCompleter,
)

__all__ = [
    "JointKernel", "JudgedFolds", "KernelCompleter", "KernelTransformer", "PrecomputedLogistic", "PrecomputedRidge",
    "PrecomputedSVC", "RefusedInput", "StepTransformer", "ViewsCompleter",
]  # fmt: skip
