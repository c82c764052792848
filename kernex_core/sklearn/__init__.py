"""Kernels, steps, completions and learners as estimators of scikit-learn: in pipelines, folds and grids that it runs.

Thin: the mathematics is that of the core, which is called. Nothing else of `kernex_core` loads scikit-learn for this.
"""

from kernex_core.sklearn.completion import JointKernel, KernelCompleter, ViewsCompleter
from kernex_core.sklearn.contract import RefusedInput
from kernex_core.sklearn.folds import JudgedFolds
from kernex_core.sklearn.learners import PrecomputedLogistic, PrecomputedRidge, PrecomputedSVC
from kernex_core.sklearn.transformers import KernelTransformer, StepTransformer

__all__ = [
    "JointKernel", "JudgedFolds", "KernelCompleter", "KernelTransformer", "PrecomputedLogistic", "PrecomputedRidge",
    "PrecomputedSVC", "RefusedInput", "StepTransformer", "ViewsCompleter",
]  # fmt: skip
