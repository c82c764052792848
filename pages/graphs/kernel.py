"""The kernel between graphs that the page is about: which one, its parameters, and how far they may go."""

from __future__ import annotations

import dataclasses
import math
from typing import Final, cast

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.graphs.all_walks import GeometricWalk
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from kernex_core.kernels.graphs.radius import radii
from kernex_core.parameters import Parameter, parameters
from pages.shared.cached import cached
from pages.shared.declared.settings import of, setting
from pages.shared.figures.theme import number, percent
from pages.shared.messages import guard, plain
from pages.shared.panels.build import computed
from pages.shared.panels.build_state import drawn_parameters, remarks
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets
from pages.shared.widget import widget

KEY: Final = "graph_kernel"
"""Of the choice, and so its name in the address."""
FIRST: Final = "WeisfeilerLehman"
KINDS: Final = cast("tuple[type[GraphKernel], ...]", kernels_for("graphs"))
WIDTH: Final = 210
SHARE: Final = Parameter(
    "How much of the largest weight a step may have: near 100 % long walks count nearly as much as short ones.",
    label="Weight of a step, of its bound", low=0.01, high=0.99, step=0.01, unit="%",
)  # fmt: skip


SETTINGS: Final = (
    setting(KEY, "Kernel"), setting(f"{GeometricWalk.__name__}.share", SHARE.label),
    *(each for kind in KINDS for each in of(kind, prefix=f"{kind.__name__}.") if each.name != "GeometricWalk.beta"),
)  # fmt: skip


def choose(graphs: GraphSet) -> GraphKernel:
    """Draw kernel, formula and parameters; defaults that depend on the data are set from all graphs."""
    with st.container(border=True, gap="small"):
        left, right = st.columns([1, 2], gap="medium")
        first = next((kind for kind in KINDS if kind.__name__ == FIRST), KINDS[0])
        with left:
            title = widgets.choose(
                KEY,
                [kind.title for kind in KINDS],
                default=first.title,
                help="What two graphs are compared by.",
            )
        kind = next(kind for kind in KINDS if kind.title == title)
        right.latex(kind.formula)
        right.caption(f"{plain(kind.source)}. Cost: {plain(kind.cost)}.")
        kernel = kind.suggested()
        with guard():
            kernel = _parameters(kernel, graphs)
    return resolved(kernel, graphs)


@cached(public=True)
def bound_of(kernel: GeometricWalk, graphs: GraphSet) -> tuple[float, int]:
    """Return the bound of β over all graphs, and which graph it comes from."""
    own = radii(kernel.coded(graphs.values))
    return kernel.bound_on(graphs.values), int(own.argmax())


@cached(public=True)
def resolved(kernel: GraphKernel, graphs: GraphSet) -> GraphKernel:
    """Return the kernel with its data-dependent defaults set from all graphs."""
    return kernel.of(graphs)


def matrix_of(kernel: GraphKernel, graphs: GraphSet, name: str) -> GramMatrix | None:
    """Return the matrix where it is there or quick, else offer to compute it."""
    return computed(kernel, graphs, f"{kernel.title} of {name}")


def remarks_on(kernel: GraphKernel, graphs: GraphSet) -> tuple[str, ...]:
    """Return what the kernel takes for granted; the bound of β stands beside its slider."""
    return (
        GraphKernel.remarks(kernel, graphs.values)
        if isinstance(kernel, GeometricWalk)
        else remarks(kernel, graphs)
    )


def _parameters(kernel: GraphKernel, graphs: GraphSet) -> GraphKernel:
    """Draw the parameters that say something about these graphs."""
    described = parameters(kernel)
    name, values = type(kernel).__name__, {}
    numbers, toggles = drawn_parameters(kernel, graphs)
    fields = numbers + toggles
    slots = places(*("content" if field in toggles else WIDTH for field in fields), align="bottom")
    for field, slot in zip(fields, slots, strict=True):
        p = described[field]
        with slot:
            if isinstance(kernel, GeometricWalk) and field == "beta":
                continue  # after the labels, on which its bound depends
            values[field] = widget(p, getattr(kernel, field), name=field, setting=f"{name}.{field}")
    made = dataclasses.replace(kernel, **values)
    if isinstance(made, GeometricWalk):
        with slots[fields.index("beta")]:
            share = widget(SHARE, 0.5, name="share", setting=f"{name}.share")
        return _below_its_bound(made, share, graphs)
    return made


def _below_its_bound(kernel: GeometricWalk, share: float, graphs: GraphSet) -> GeometricWalk:
    """Set β to a share of its bound, and say where that comes from."""
    bound, at = bound_of(kernel, graphs)
    if not math.isfinite(bound):
        st.caption("No graph has an edge: every β gives the same.")
        return kernel
    # β and its share: whoever reads the record sees that all graphs have set it
    made = dataclasses.replace(kernel, beta=None, share=share).of(graphs)
    st.caption(
        f"*β* = {number(made.beta or 0.0, 4)}, {percent(share)} of its bound {number(bound, 4)}: 1 over the largest "
        f"eigenvalue of the product of a graph with itself, that of {plain(graphs.ids[at])} among {graphs.n:,}. From there "
        "on the sum over longer and longer walks has no end."
    )
    return made
