"""The kernel between graphs that the page is about: which one, its parameters, and how far they may go."""

from __future__ import annotations

import dataclasses
from typing import Final, cast

import streamlit as st

from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from kernex_core.parameters import parameters
from pages.shared.cached import cached
from pages.shared.messages import guard, plain
from pages.shared.panels.side_by_side import places
from pages.shared.widget import widget

KEY: Final = "graph_kernel"
"""Of the choice, and so its name in the address."""
FIRST: Final = "WeisfeilerLehman"
KINDS: Final = cast("tuple[type[GraphKernel], ...]", kernels_for("graphs"))
WIDTH: Final = 210
LABELS: Final = {"vertex_labels": "node_labels", "edge_labels": "edge_labels"}
"""Parameters that say nothing where the graphs lack the labels, and what these are called there."""


def choose(graphs: GraphSet) -> GraphKernel:
    """Draw kernel, formula and parameters; defaults that depend on the data are set from all graphs."""
    with st.container(border=True, gap="small"):
        left, right = st.columns([1, 2], gap="medium")
        titles = [kind.title for kind in KINDS]
        first = next((k for k, kind in enumerate(KINDS) if kind.__name__ == FIRST), 0)
        title = left.selectbox(
            "Kernel", titles, index=first, key=KEY, bind="query-params", persist_state="session",
            help="What two graphs are compared by.",
        )  # fmt: skip
        kind = KINDS[titles.index(title)] if title in titles else KINDS[first]
        right.latex(kind.formula)
        right.caption(f"{plain(kind.source)}. Cost: {plain(kind.cost)}.")
        kernel = kind.suggested()
        with guard():
            kernel = _parameters(kernel, graphs)
    return resolved(kernel, graphs)


@cached(public=True)
def resolved(kernel: GraphKernel, graphs: GraphSet) -> GraphKernel:
    """Return the kernel with its data-dependent defaults set from all graphs."""
    return kernel.of(graphs)


def _parameters(kernel: GraphKernel, graphs: GraphSet) -> GraphKernel:
    """Draw the parameters that say something about these graphs."""
    described = {
        field: p
        for field, p in parameters(kernel).items()
        if not p.hidden and (field not in LABELS or getattr(graphs, LABELS[field]) is not None)
    }
    name, values = type(kernel).__name__, {}
    toggles = [field for field in described if isinstance(getattr(kernel, field), bool)]
    fields = [*(field for field in described if field not in toggles), *toggles]
    slots = places(*("content" if field in toggles else WIDTH for field in fields), align="bottom")
    for field, slot in zip(fields, slots, strict=True):
        p = described[field]
        with slot:
            values[field] = widget(p, getattr(kernel, field), name=field, key=f"{name}.{field}", bound=True)
    return dataclasses.replace(kernel, **values)
