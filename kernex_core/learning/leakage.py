"""What a judged kernel has seen of test items, in four states that follow from the record of how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Literal

from kernex_core.conditioning.impute import ImputedKernel
from kernex_core.gram.matrix import GramMatrix, operands_of
from kernex_core.gram.provenance import Call, call
from kernex_core.gram.seen import Seen
from kernex_core.gram.step import Step

Mode = Literal["inductive", "transductive", "leak", "as brought"]

EXPLANATIONS: dict[Mode, str] = {
    "inductive": "The kernel between training items, and from test to training items, was built without a look at "
    "any other test item.",
    "transductive": "The kernel was built on all items: similarities of test items were seen, their labels were not.",
    "leak": "A step looked at labels of items that are tested later: this accuracy is too good and means nothing.",
    "as brought": "The matrix, or weights in it, came from outside, and nobody here knows what they saw. Were tested items, "
    "or their labels, in sight when they were made? Then this accuracy is transductive, or a leak.",
}
"""The one sentence that every page shows for a state."""
BROUGHT_TOO = (
    "The kernel was built on all items: similarities of test items were seen. It rests on numbers that came from outside "
    "(as brought): whether those saw labels nobody here knows."
)


@dataclass(frozen=True)
class State:
    """What a judged kernel has seen.

    Attributes
    ----------
    mode : {"inductive", "transductive", "leak", "as brought"}
    brought : bool
        It rests on numbers from outside, whatever is known besides.
    """

    mode: Mode
    brought: bool = False

    @property
    def words(self) -> str:
        """The state as pages and files write it: "transductive, as brought" where both hold."""
        return f"{self.mode}, as brought" if self.mode == "transductive" and self.brought else self.mode

    @property
    def sentence(self) -> str:
        """What it means, in one or two sentences."""
        return BROUGHT_TOO if self.mode == "transductive" and self.brought else EXPLANATIONS[self.mode]


def state_of(seen: Seen) -> State:
    """The state that follows from what was seen: what is known to be worse stands before what nobody knows.

    Examples
    --------
    >>> from kernex_core import Seen
    >>> state_of(Seen(items=True, brought=True)).words
    'transductive, as brought'
    """
    mode: Mode = (
        "leak"
        if seen.labels
        else "transductive"
        if seen.items
        else "as brought"
        if seen.brought
        else "inductive"
    )
    return State(mode, seen.brought)


def evaluation_state(*kernels: GramMatrix, inductive: bool) -> State:
    """State of a cross-validated accuracy of what is made of these kernels.

    Parameters
    ----------
    *kernels : GramMatrix
    inductive : bool
        Whether the steps are fitted inside every training fold.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import GramMatrix, evaluation_state
    >>> evaluation_state(GramMatrix(np.eye(2)), inductive=False).words
    'as brought'
    """
    return state_of(reduce(Seen.__or__, (K.has_seen(inductive=inductive) for K in kernels), Seen()))


def recorded_state(K: GramMatrix, *, inductive: bool = False) -> Call:
    """How a script says what a kernel has seen; `.words` and `.sentence` of it can be printed."""
    return call("state", "evaluation_state", K, inductive=inductive)


def evaluation_mode(K: GramMatrix, *, inductive: bool) -> Mode:
    """First word of the state of a cross-validated accuracy of `K`.

    Parameters
    ----------
    K : GramMatrix
    inductive : bool
        Whether the steps are fitted inside every training fold.

    Returns
    -------
    {"inductive", "transductive", "leak", "as brought"}
        Steps that look at a pair and its two diagonals only are inductive wherever they are fitted. A kernel whose
        width was set from all items, and one on the nodes of a network, are transductive even so. A matrix from outside
        is as brought.
    """
    return evaluation_state(K, inductive=inductive).mode


def steps_of(K: GramMatrix) -> tuple[Step, ...]:
    """All steps behind a matrix, those of its operands (the source of a completion, ...) included."""
    found: list[Step] = []
    for step in K.steps:
        for operand in operands_of(step):
            found += steps_of(operand)
        found.append(step)
    return tuple(found)


def fills_unknown(K: GramMatrix) -> bool:
    """Whether a step fills unknown entries of vectors from the rows that it is fitted on: inside the fold by default."""
    return any(isinstance(step, ImputedKernel) for step in steps_of(K))
