"""What a user can choose when graphs are read, whatever format they come in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from kernex_core.inputs.options import SampleOptions
from kernex_core.parameters import parameter

Use: TypeAlias = Literal["use", "ignore"]


def _use(of: str, label: str) -> Any:
    return parameter(
        "use",
        help=f"Whether {of} are read.",
        label=label,
        choices=("use", "ignore"),
        names=("read", "left out"),
    )


@dataclass(frozen=True)
class GraphOptions(SampleOptions):
    """Options of every format that holds graphs."""

    node_labels: Use = _use("labels of vertices", "Labels of vertices")
    edge_labels: Use = _use("labels of edges", "Labels of edges")
    attributes: Use = _use("numbers that describe the vertices", "Attributes")
