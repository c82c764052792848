"""The kernel between graphs that the page is about: which one, its parameters, and how far they may go."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Final, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.parameters import Parameter, parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.graphs.all_walks import GeometricWalk
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from kernex_core.kernels.graphs.product import radii
from pages.server.cached import cached
from pages.server.declared import in_view, of, setting
from pages.server.digits import number, percent
from pages.server.messages import guard, plain
from pages.server.warmup import await_loops
from pages.ui import widgets
from pages.ui.answer import Later, first_row, group, settings_box
from pages.ui.panels.build import computed, drawn_parameters, remarks
from pages.ui.widget import widget

KEY: Final = "graph_kernel"
"""Of the choice, and so its name in the address."""
FIRST_KIND: Final = "WeisfeilerLehman"
KINDS: Final = cast("tuple[type[GraphKernel], ...]", kernels_for("graphs"))
SHARE: Final = Parameter(
    "How much of the largest weight a step may have: near 100 % long walks count nearly as much as short ones.",
    label="Weight of a step, of its bound", low=0.01, high=0.99, step=0.01, unit="%",
)  # fmt: skip


FIRST: Final = frozenset(
    next((f"{kind.__name__}.{field}" for field, p in parameters(kind).items() if not p.hidden), "")
    for kind in KINDS
)
"""Of each kernel the parameter that stands in the first row."""
OF_EACH: Final = tuple(
    each
    for kind in KINDS
    for each in of(kind, prefix=f"{kind.__name__}.")
    if each.name != "GeometricWalk.beta"
)
SETTINGS: Final = (
    *in_view(
        setting(KEY, "Kernel"), setting(f"{GeometricWalk.__name__}.share", SHARE.label),
        *(each for each in OF_EACH if each.name in FIRST),
    ),
    *(each for each in OF_EACH if each.name not in FIRST),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Asked:
    """The kernel, and the columns of the button Settings that a part of the page fills."""

    kernel: GraphKernel
    entries: DeltaGenerator
    judging: DeltaGenerator
    pictures: DeltaGenerator


def choose(graphs: GraphSet) -> Asked:
    """Draw kernel, its first parameter and Settings; defaults that depend on the data are set from all graphs."""
    first = next((kind for kind in KINDS if kind.__name__ == FIRST_KIND), KINDS[0])
    with first_row():
        with st.container(width=250):
            title = widgets.choose(
                KEY,
                [kind.title for kind in KINDS],
                default=first.title,
                help="What two graphs are compared by.",
            )
        parameter, last = st.container(width="stretch"), st.container(width="content")
    kernel = kind_of(title).suggested()
    with parameter:
        await_loops(kernel)  # already the ends of its slider need them
    with last, settings_box(3) as (left, middle, right):
        with left:
            group("Kernel")
            with guard():
                kernel = _parameters(kernel, graphs, Later(parameter))
        asked = left.container(), middle.container(), right.container()
    return Asked(resolved(kernel, graphs), *asked)


def kind_of(title: str) -> type[GraphKernel]:
    """Return the kernel of that title."""
    return next(kind for kind in KINDS if kind.title == title)


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


def _parameters(kernel: GraphKernel, graphs: GraphSet, first: Later) -> GraphKernel:
    """Draw the parameters that say something about these graphs, one into the first row."""
    described = parameters(kernel)
    name, values = type(kernel).__name__, {}
    numbers, toggles = drawn_parameters(kernel, graphs)
    rest = st.container()
    slots = {field: first if f"{name}.{field}" in FIRST else rest for field in numbers + toggles}
    for field, slot in slots.items():
        if isinstance(kernel, GeometricWalk) and field == "beta":
            continue  # after the labels, on which its bound depends
        with slot:
            values[field] = widget(
                described[field], getattr(kernel, field), name=field, setting=f"{name}.{field}"
            )
    made = dataclasses.replace(kernel, **values)
    if isinstance(made, GeometricWalk):
        with slots["beta"]:
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
