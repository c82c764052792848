"""Which page comes next: after data were brought, and after a kernel was kept. Nobody is led to a page that does not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from kernex_core.inputs.dataset import DataSet, kind_words
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Sequences
from pages.shared.declared.fit import why_not


@dataclass(frozen=True)
class Step:
    """What comes next: the address of its page, what the link to it is called, and why one would go there."""

    address: str
    label: str
    said: str


COMPLETES: Final = Step(
    "complete", "Complete", "Next: fill in what is unknown from a kernel that is known everywhere."
)
EACH_OTHER: Final = Step(
    "together",
    "Complete together",
    "Next: let the kernels complete each other; none of them is known everywhere.",
)
HIDES: Final = Step("complete", "Complete", "Next: hide a part of one kernel and rebuild it from the other.")
INSPECTS: Final = Step("kernels", "Kernels", "Next: see whether this is a kernel, and what it tells apart.")
NETWORK: Final = Step("networks", "Networks", "Next: see how far heat should spread on this network.")
STRINGS: Final = Step("strings", "Strings", "Next: choose a string kernel and see what it sees.")
GRAPHS: Final = Step("graphs", "Graphs", "Next: look at the graphs, and choose what makes two of them alike.")
TWO: Final = Step("combine", "Combine", "Next: see whether two kernels know more together than either alone.")
MANY: Final = Step("many", "Many kernels", "Next: see which weight each of these kernels deserves.")
JUDGES: Final = Step("evaluate", "Evaluate", "Next: see how well it tells the classes of held-out items.")
MAPS: Final = Step("map", "Map", "Next: see the items as this kernel places them.")


def after_bringing(data: DataSet) -> Step:
    """Return what comes next once files were read."""
    partly = any(not K.unknown.complete for K in data.kernels.values())
    kinds = " and ".join(dict.fromkeys(kind_words(part.kind) for part in data.samples.values()))
    several = len(data.kernels) > 1
    asked: tuple[tuple[bool, Step], ...] = (
        (data.all_partly_known, EACH_OTHER),
        (several and partly, COMPLETES),
        (several, HIDES),
        (bool(data.kernels), INSPECTS),
        (_has(data, Network), NETWORK),
        (_has(data, Sequences), STRINGS),
        (_has(data, GraphSet), GRAPHS),
    )
    built = Step("kernels", "Kernels", f"Next: build a kernel from these {kinds}.")
    return next((step for holds, step in asked if holds and _fits(data, step)), built)


def after_keeping(data: DataSet, is_here: Callable[[str], bool]) -> Step | None:
    """Return what comes next once a kernel was kept on one of the pages for which `is_here` holds; None = nothing fits."""
    whole = sum(K.unknown.complete for K in data.kernels.values())
    asked = (
        (whole < len(data.kernels), COMPLETES),
        (data.all_partly_known, EACH_OTHER),
        (is_here(INSPECTS.address), JUDGES),  # made of one kernel: the question is whether it is better
        (whole > 2, MANY),
        (whole == 2, TWO),
        (True, JUDGES),
        (True, MAPS),
        (True, INSPECTS),
    )
    found = (step for holds, step in asked if holds and not is_here(step.address) and _fits(data, step))
    return next(found, None)


def _has(data: DataSet, kind: type) -> bool:
    return any(isinstance(part, kind) for part in data.samples.values())


def _fits(data: DataSet, step: Step) -> bool:
    return not why_not(step.address, data)
