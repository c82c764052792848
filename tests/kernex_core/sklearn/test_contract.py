"""The estimators keep the contract of scikit-learn: its own checks, each exclusion with its reason."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from kernex_core import Center, Gaussian
from kernex_core.sklearn import (
    JointKernel,
    KernelCompleter,
    KernelTransformer,
    PrecomputedLogistic,
    PrecomputedRidge,
    PrecomputedSVC,
    StepTransformer,
    ViewsCompleter,
)

EVERY = [
    StepTransformer(Center()),
    KernelTransformer(Gaussian(), steps=(Center(),)),
    KernelCompleter(None),
    JointKernel(None),
    ViewsCompleter(),
    PrecomputedSVC(),
    PrecomputedSVC(C=None, in_units=False),
    PrecomputedLogistic(),
    PrecomputedRidge(),
]
NO_KERNEL = {
    "check_positive_only_tag_during_fit": "takes the mean off a Gram matrix, which is no kernel then",
    "check_estimators_dtypes": "cuts the entries of a Gram matrix to whole numbers, which is no kernel then",
}
IN_PARTS = ("check_methods_subset_invariance", "check_methods_sample_order_invariance")


def excluded(estimator):
    """Checks that cannot hold, by name, each with the reason."""
    if isinstance(estimator, PrecomputedLogistic):
        return NO_KERNEL | {"check_decision_proba_consistency": "gives 80 × 2 numbers to what is pairwise"}
    if isinstance(estimator, PrecomputedSVC | PrecomputedRidge):
        return NO_KERNEL
    if isinstance(estimator, JointKernel):
        nugget = "the nugget is on the diagonal of training items: the block of all of them has it, its rows alone do not"
        return NO_KERNEL | dict.fromkeys(IN_PARTS, nugget)
    if isinstance(estimator, KernelCompleter):
        placed = "rows are new items, which are placed by their positions in the source, and none are given"
        return NO_KERNEL | dict.fromkeys(IN_PARTS, placed)
    if isinstance(estimator, ViewsCompleter):
        together = "all views are completed together: there is no transform of other items, or of a part"
        hidden = "hides entries, and there are no other views to complete them from"
        return dict.fromkeys((*IN_PARTS, "check_fit_idempotent"), together) | {
            "check_estimators_pickle": hidden
        }
    return {}


@parametrize_with_checks(EVERY, expected_failed_checks=excluded, xfail_strict=True)
def test_of_scikit_learn(estimator, check):
    check(estimator)
