"""The kernel between graphs that the page is about, and why it finds two of them alike."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Final, cast

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.parameters import Parameter, parameters
from kernex_core.gram.graph import Graph
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.explanation import (
    Explanation,
    Part,
    SharedGraphlet,
    SharedPath,
    SharedRoots,
    SharedSubtree,
    SharedWalk,
)
from kernex_core.kernels.graphs.all_walks import GeometricWalk
from kernex_core.kernels.graphs.graph_kernel import GraphKernel
from kernex_core.kernels.graphs.product import radii
from kernex_core.studies.graphs.pictures import (
    GraphNeighbours,
    Occurrence,
    along,
    among,
    around,
    nearest_graphs,
    on_paths,
    on_walks,
)
from pages.export.downloads import csv_button
from pages.graphs.drawing import LARGEST, DrawnGraph, draw_cards, drawn, key_of, label_styles, layouts, sizes
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import in_view, of, of_items, setting
from pages.server.digits import number, percent
from pages.server.messages import findings, guard, plain
from pages.server.warmup import await_loops
from pages.ui import chosen, widgets
from pages.ui import settings as held
from pages.ui.answer import Later, first_row, group, settings_box
from pages.ui.chosen import both_numbers, exact, listed_of
from pages.ui.frame import panel_title
from pages.ui.panels.build import computed, drawn_parameters, remarks
from pages.ui.panels.linked import draw
from pages.ui.widget import neighbour_buttons, widget

# The kernel between graphs that the page is about: which one, its parameters, and how far they may go.

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


# Why two graphs are similar: both drawn, the parts of their similarity, and the nearest neighbours.
#
# A row of the table is a part; choosing it marks where that part lies in both graphs.

# Parts of a similarity of graphs as a table, and where a part lies in both graphs.

PART_OF_K: Final = "Part of K"
ALL_PATHS: Final = 800
"""Vertices up to which all shortest paths of a kind are marked: every pair is looked at for every edge."""
BOTH: Final = ("Edges in first", "Edges in second")
"""Columns that are one where all paths are as long in both graphs."""
ANY: Final = "•"
"""A vertex whose label does not count."""


@dataclass(frozen=True, eq=False)
class Found:
    """One part in words, and where it lies in the first graph and in the second."""

    words: str
    sides: tuple[Occurrence, Occurrence]


def part_table(made: Explanation) -> pd.DataFrame:
    """Return one row a part, largest first, with its share of K."""
    total = made.total or 1.0
    table = pd.DataFrame(
        [
            {
                **_row(part),
                PART_OF_K: part.contribution,
                "Share, %": round(100.0 * part.contribution / total, 1),
            }
            for part in made.parts
        ]
    )
    lengths = [name for name in BOTH if name in table]
    if lengths and (table[lengths[0]] == table[lengths[1]]).all():
        table = table.drop(columns=lengths[1]).rename(columns={lengths[0]: "Edges"})
    return table


def found_in(part: Part, kernel: GraphKernel, graphs: tuple[Graph, Graph]) -> Found | None:
    """Return the vertices and edges of a part in both graphs; None where nobody can tell."""
    s, t = graphs
    labelled = bool(getattr(kernel, "vertex_labels", True))
    if isinstance(part, SharedWalk):
        vertices = part.vertices if labelled else len(part.vertices)
        edges = part.edges if getattr(kernel, "edge_labels", True) else None
        sides = on_walks(s, vertices, edges), on_walks(t, vertices, edges)
        return Found(f"all walks {walk_words(part)}", sides)
    if isinstance(part, SharedPath):
        ends = part.ends if labelled else None
        if max(s.n_nodes, t.n_nodes) > ALL_PATHS:
            one = along(s, part.path_s), along(t, part.path_t)
            return Found(
                f"one of the {_ends(part)}, {_hops(part)} apart, and a shortest path between them", one
            )
        sides = on_paths(s, ends, part.hops_s), on_paths(t, ends, part.hops_t)
        return Found(f"{_ends(part)}, {_hops(part)} apart, and the shortest paths between them", sides)
    if isinstance(part, SharedSubtree):
        sides = around(s, part.roots_s, part.height), around(t, part.roots_t, part.height)
        reach = f", and what lies within {counted(part.height, 'edge')} of them" if part.height else ""
        return Found(f"vertices that are roots of {part.tree}{reach}", sides)
    if isinstance(part, SharedGraphlet):
        return Found(f"one {part.name} of each graph", (among(s, part.vertices_s), among(t, part.vertices_t)))
    if isinstance(part, SharedRoots):
        below = part.height - 1
        sides = around(s, [part.vertex_s], below), around(t, [part.vertex_t], below)
        return Found(f"two roots, and what lies within {counted(below, 'edge')} of them", sides)
    return None


def walk_words(part: SharedWalk) -> str:
    """Labels along a walk: C –1– C –2– O; where labels do not count, its length."""
    if not any(part.vertices) and not any(part.edges):
        return f"of {counted(part.n_edges, 'edge')}"
    said = [part.vertices[0] or ANY]
    for edge, vertex in zip(part.edges, part.vertices[1:], strict=True):
        said += [f"–{edge}–" if edge else "–", vertex or ANY]
    return " ".join(said)


def _ends(part: SharedPath) -> str:
    if not any(part.ends):
        return "pairs of vertices"
    return f"pairs {part.ends[0] or ANY} … {part.ends[1] or ANY}"


def _hops(part: SharedPath) -> str:
    if part.hops_s == part.hops_t:
        return counted(part.hops_s, "edge")
    return f"{part.hops_s} and {counted(part.hops_t, 'edge')}"


def _row(part: Part) -> dict[str, object]:
    if isinstance(part, SharedWalk):
        return {
            "Walk": walk_words(part), "Edges": part.n_edges, "In first": part.count_s * part.ways,
            "In second": part.count_t * part.ways,
        }  # fmt: skip
    if isinstance(part, SharedPath):
        return {
            "Ends": f"{part.ends[0] or ANY} … {part.ends[1] or ANY}", "Edges in first": part.hops_s,
            "Edges in second": part.hops_t, "In first": part.count_s, "In second": part.count_t,
        }  # fmt: skip
    if isinstance(part, SharedSubtree):
        return {
            "Subtree": part.tree, "Height": part.height, "In first": len(part.roots_s), "In second": len(part.roots_t),
        }  # fmt: skip
    if isinstance(part, SharedGraphlet):
        labels = {"Labels": " ".join(part.labels)} if any(part.labels) else {}
        return {
            "Subgraph": part.name, **labels, "In first": round(part.count_s, 1), "In second": round(part.count_t, 1)
        }  # fmt: skip
    if isinstance(part, SharedRoots):
        label = {"Label": part.label} if part.label else {}
        return {
            **label, "Root in first": part.vertex_s + 1, "Root in second": part.vertex_t + 1, "Levels": part.height
        }  # fmt: skip
    raise TypeError(f"{type(part).__name__} is no part of graphs")


TOP: Final = 20
BRIEFLY: Final = 3
"""Parts that are listed beside a matrix."""
TABLE: Final = "graphs.parts"


@cached(newest=32)
def explanation(kernel: GraphKernel, graphs: GraphSet, i: int, j: int) -> Explanation:
    """Return the parts of one similarity."""
    return kernel.explain(graphs.graphs[i], graphs.graphs[j], TOP)


@cached(public=True, newest=32)
def neighbours(K: GramMatrix, item: int) -> GraphNeighbours:
    """Return the other graphs by their cosine with one."""
    return nearest_graphs(K, item)


def why_similar(top: DeltaGenerator, dataset: DataSet, graphs: GraphSet, name: str) -> None:
    """Draw what makes one similarity: two ids, both graphs, both numbers, and the parts; the kernel at the top."""
    with top:
        kernel = choose(graphs).kernel
    if graphs.n < 2:
        st.markdown("There is one graph, so no other to compare it with.")
        return
    K = matrix_of(kernel, graphs, name)
    if K is None:
        return
    _compared(kernel, graphs, K, f"{dataset.name}.{name}")


@st.fragment
def _compared(kernel: GraphKernel, graphs: GraphSet, K: GramMatrix, name: str) -> None:
    """Draw two graphs beside each other; another pair, or another part, runs this alone."""
    i, j, key = _pair(graphs, K, name)
    _title(graphs, K, i, j)
    numbers, pictures = st.container(), st.container()
    left, right = st.columns([2.4, 1.0], gap="medium")
    found = None
    with left, guard():
        made = explanation(kernel, graphs, i, j)
        numbers.markdown(both_numbers(made))
        found = _parts(made, kernel, graphs, (i, j))
    with right:
        _neighbours(graphs, K, i, key)
    with pictures:
        _pictures(graphs, (i, j), found)
    # of these two alone; the bound of a parameter is that of all graphs
    findings(GraphKernel.remarks(kernel, [graphs.graphs[i], graphs.graphs[j]]))


def briefly(graphs: GraphSet, kernel: GraphKernel, first: str, second: str) -> None:
    """Write what makes one similarity in a table of a few lines, beside the matrix."""
    i, j = (graphs.ids.index(item) for item in (first, second))
    made = explanation(kernel, graphs, i, j)
    if not made.parts:
        st.markdown("They share nothing that this kernel sees.")
        return
    table = part_table(made)[:BRIEFLY]
    left = made.sum_of_parts - math.fsum(part.contribution for part in made.parts[:BRIEFLY])
    panel_title(
        "Why similar?",
        f"before any normalisation: {exact(made.total)}, of which these; the rest is {exact(left)}",
    )
    st.dataframe(table, hide_index=True, height="content")


def _pair(graphs: GraphSet, K: GramMatrix, name: str) -> tuple[int, int, str]:
    """Draw both choices; the second opens on the nearest neighbour of the first. Return positions and its key."""
    _follow(graphs, name)
    left, right = st.columns(2)
    with left:
        first = widgets.choose("first", graphs.ids, key=f"graphs.0.{name}", help="Type to search by id.")
    at = graphs.ids.index(first)
    key = f"graphs.1.{name}.{first}"
    held.hangs_on("second", first)
    with right:
        second = widgets.choose(
            "second", graphs.ids, default=neighbours(K, at).ids[0], key=key,
            help="Opens on the first one's nearest neighbour by cosine. Type to search by id.",
        )  # fmt: skip
    return at, graphs.ids.index(second), key


PAIR_SETTINGS = of_items("first", "First"), of_items("second", "Second")


def _follow(graphs: GraphSet, name: str) -> None:
    """Let both boxes show the pair that was chosen in a picture, or two chosen graphs, once."""
    pair = chosen.pair(graphs.ids)
    two = chosen.chosen(graphs.ids)
    at = pair if pair is not None else (two if len(two) == 2 else None)
    ids = None if at is None else (graphs.ids[at[0]], graphs.ids[at[1]])
    if ids is not None and ids != workspace.recall(f"graphs.{name}.followed", ("", "")):
        workspace.show_in(f"graphs.0.{name}", ids[0])
        workspace.show_in(f"graphs.1.{name}.{ids[0]}", ids[1])
        workspace.remember(f"graphs.{name}.followed", ids)


def _title(graphs: GraphSet, K: GramMatrix, i: int, j: int) -> None:
    values = K.values
    both = float(values[i, i]) * float(values[j, j])
    cosine = (
        number(float(values[i, j]) / math.sqrt(both), 3)
        if both > 0.0
        else "0: one of them has nothing to compare"
    )
    panel_title(f"{plain(graphs.ids[i])} and {plain(graphs.ids[j])}", f"cosine {cosine}")


def _pictures(graphs: GraphSet, at: tuple[int, int], found: Found | None) -> None:
    """Draw both graphs side by side, with the places of a part marked in both."""
    styles = label_styles(graphs)
    for side, (column, k) in enumerate(zip(st.columns(2, gap="medium"), at, strict=True)):
        graph = graphs.graphs[k]
        with column, st.container(gap="xxsmall"):
            marked = None if found is None else found.sides[side]
            note = sizes(graph) + (
                "" if marked is None else f" · {counted(int(marked.vertices.sum()), 'vertex')} marked"
            )
            panel_title(plain(graphs.ids[k]), note)
            if graph.n_nodes > LARGEST:
                st.markdown(f"Not drawn: more than {LARGEST:,} vertices.")
                continue
            shown = DrawnGraph(
                graphs.ids[k], graph, layouts(graphs, (k,))[0], styles.vertices, styles.node_codes[k], styles.edges,
                styles.edge_codes[k],
            )  # fmt: skip
            draw(drawn(shown, marked, "" if found is None else found.words), f"graphs.drawing.{side}")
    draw_cards({"cards": [], **key_of(styles)}, "graphs.key")
    if found is not None:
        st.caption(f"Pink: {plain(found.words)}.")


def _parts(made: Explanation, kernel: GraphKernel, graphs: GraphSet, at: tuple[int, int]) -> Found | None:
    """Draw the parts as a table; return where the chosen one lies."""
    if not made.parts:
        st.markdown("They share nothing that this kernel sees.")
        return None
    table = part_table(made)
    share = math.fsum(part.contribution for part in made.parts) / (made.total or 1.0)
    panel_title("Parts", f"{listed_of(made)}: {percent(share)} of *K*; a click on a row marks it above")
    key = f"{TABLE}.{graphs.ids[at[0]]}.{graphs.ids[at[1]]}.{type(kernel).__name__}"
    whole = bool((table[PART_OF_K] % 1.0 == 0.0).all())
    picked = st.dataframe(
        table, hide_index=True, height="content" if len(table) <= 10 else 370, key=key, on_select="rerun",
        column_config={PART_OF_K: st.column_config.NumberColumn(format="localized" if whole else "%.4g")},
        selection_mode="single-row-required", selection_default={"selection": {"rows": [0]}},
    )  # fmt: skip
    first, second = (graphs.ids[k] for k in at)
    csv_button("Parts as CSV", lambda: table, f"{first} {second} parts", key="graphs.parts.csv")
    rows = [row for row in picked.selection.rows if row < len(made.parts)]
    return (
        found_in(made.parts[rows[0]], kernel, (graphs.graphs[at[0]], graphs.graphs[at[1]])) if rows else None
    )


def _neighbours(graphs: GraphSet, K: GramMatrix, item: int, key: str) -> None:
    """Draw the most similar graphs; a click on one puts it beside the first, into the box of that key."""
    made = neighbours(K, item)
    panel_title("Nearest neighbours", f"of {plain(graphs.ids[item])}, by cosine")
    said = (number(value, 3) for value in made.cosines.tolist())
    neighbour_buttons(zip(made.ids, said, strict=True), key)
    whole = pd.DataFrame({"id": made.ids, "cosine": made.cosines, "K": made.values})
    csv_button("Row as CSV", lambda: whole, f"{graphs.ids[item]} row", key="graphs.row")
