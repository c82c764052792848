"""Whether test items were seen while a kernel was built, computed from the steps that built it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from kernex_core.conditioning.imputed_kernel import ImputedKernel
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.step import Step

Mode = Literal["inductive", "transductive", "leak"]

EXPLANATIONS: dict[Mode, str] = {
    "inductive": "The kernel between training items, and from test to training items, was built without a look at "
    "any other test item.",
    "transductive": "The kernel was built on all items: similarities of test items were seen, their labels were not.",
    "leak": "A step looked at labels of items that are tested later: this accuracy is too good and means nothing.",
}


def steps_of(K: GramMatrix) -> tuple[Step, ...]:
    """All steps behind a matrix, those of its operands (the source of a completion, ...) included."""
    found: list[Step] = []
    for step in K.steps:
        for operand in _operands(step):
            found += steps_of(operand)
        found.append(step)
    return tuple(found)


def fills_unknown(K: GramMatrix) -> bool:
    """Whether a step fills unknown entries of vectors from the rows that it is fitted on: inside the fold by default."""
    return any(isinstance(step, ImputedKernel) for step in steps_of(K))


def set_by_items(K: GramMatrix) -> bool:
    """Whether a parameter of the kernel, or of an operand of its steps, was set from all items beforehand."""
    return K.base.set_by_items or any(set_by_items(each) for step in K.steps for each in _operands(step))


def _operands(step: Step) -> list[GramMatrix]:
    return [value for value in vars(step).values() if isinstance(value, GramMatrix)]


def worst_mode(modes: Collection[Mode]) -> Mode:
    """Tag of what is made of several kernels, each with its own."""
    return "leak" if "leak" in modes else "transductive" if "transductive" in modes else "inductive"


def evaluation_mode(K: GramMatrix, *, inductive: bool) -> Mode:
    """Tag of a cross-validated accuracy of `K`.

    Parameters
    ----------
    K : GramMatrix
    inductive : bool
        Whether the steps are fitted inside every training fold.

    Returns
    -------
    {"inductive", "transductive", "leak"}
        Steps that look at a pair and its two diagonals only are inductive wherever they are fitted. A kernel whose
        width was set from all items is transductive even so.
    """
    steps = steps_of(K)
    # what depends on a pair and on labels is a number that was made from them beforehand: it is not fitted anew
    if any(step.sees.labels and (not inductive or step.sees.rows == "pair") for step in steps):
        return "leak"
    if set_by_items(K):
        return "transductive"
    fitted_on_all = not inductive and any(step.sees.rows == "fitted" for step in steps)
    return "transductive" if fitted_on_all else "inductive"
