"""Kernels that the table of all graph kernels tries: each as it is, then with other values of what is a small number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple, cast

from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from kernex_core.parameters import check_parameters, parameter, parameters

TRIED: Final[dict[str, tuple[tuple[str, float | bool], ...]]] = {
    "WalkOfOrder": (("n", 1), ("n", 2), ("n", 5)),
    "RandomWalk": (("stop", 0.3),),
    "ShortestPath": (("width", 2),),
    "Graphlet": (("k", 4), ("vertex_labels", True)),
    "WeisfeilerLehman": (("iterations", 0), ("iterations", 1), ("iterations", 2), ("iterations", 5)),
    "TreePattern": (("height", 2),),
}
"""Other values of one parameter, by kernel; 0 iterations count labels of vertices alone, the plainest thing there is."""
GREEK: Final = {r"\beta": "β", r"\lambda": "λ"}
UNTOLD: Final = ("seed",)
"""Parameters that are told only where they are not as the kernel starts."""
PLAIN: Final = "WeisfeilerLehman"
"""Kernel whose 0 iterations are the baseline."""


@dataclass(frozen=True)
class GraphTableConfig:
    """What is tried."""

    more: bool = parameter(
        True, label="Other parameters", help="Also some other values of the number of steps, edges or iterations of each "
        "kernel; without them every kernel is tried as the page starts with it.",
    )  # fmt: skip
    nested: bool = parameter(
        True, label="Judge the choice", help="The best of many rows is too optimistic: let every training fold choose its "
        "row by five folds of its own, and judge that.",
    )  # fmt: skip
    slowest: float = parameter(
        60.0, label="Longest", unit="s", help="Kernels that would take longer by their estimate are left out, and told.",
        low=1.0, high=36000.0, logarithmic=True,
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_parameters(self)


class Candidate(NamedTuple):
    """A kernel of the table.

    Attributes
    ----------
    kernel : GraphKernel
    setting : str
        Its parameters, as the table writes them.
    fixed : bool
        Whether it stands as it was before anything was judged: those are compared with each other.
    """

    kernel: GraphKernel
    setting: str
    fixed: bool

    @property
    def title(self) -> str:
        """Kernel and parameters."""
        name = type(self.kernel).title
        return f"{name}, {self.setting}" if self.setting else name


def graph_kernel_grid(config: GraphTableConfig) -> tuple[Candidate, ...]:
    """Kernels of the table: every one of the catalogue as it starts, and with `config.more` other values beside it.

    Counts of labels, Weisfeiler-Lehman with 0 iterations, are always there as the baseline.
    """
    made: list[Candidate] = []
    for kind in cast("tuple[type[GraphKernel], ...]", kernels_for("graphs")):
        start = kind.suggested()
        made.append(Candidate(start, _setting(start), True))
        for field, value in TRIED.get(kind.__name__, ()):
            baseline = kind.__name__ == PLAIN and value == 0
            if baseline or config.more:
                other = replace(start, **{field: value})
                made.append(Candidate(other, _setting(other), baseline))
    return tuple(made)


def _setting(kernel: GraphKernel) -> str:
    """Numbers of a kernel by their symbols, and switches that are not as it starts; what data set is left out."""
    start, found = type(kernel).suggested(), []
    for name, described in parameters(kernel).items():
        value, symbol = getattr(kernel, name), described.symbol
        if value is None and described.auto and not described.hidden:
            found.append(f"{GREEK.get(symbol, symbol if symbol.isalpha() else name)} = {described.auto}")
            continue
        if value is None or described.hidden or (name in UNTOLD and value == getattr(start, name)):
            continue
        if isinstance(value, bool):
            if value != getattr(start, name):
                found.append(f"{'with' if value else 'without'} {(described.label or name).lower()}")
            continue
        if isinstance(value, str):
            found.append(value)
        else:
            found.append(f"{GREEK.get(symbol, symbol if symbol.isalpha() else name)} = {value:g}")
    return ", ".join(found)
