"""The controls of the page Edges of new nodes: network, kernels, folds, method; what lacks is said."""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.conditioning.catalogue import REPAIRS
from kernex_core.errors import InvalidInputError, TooLargeError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.kernels.networks.spectrum import NODE_LIMIT
from kernex_core.parameters import parameters
from kernex_core.studies.networks.edges.sources import GeneData
from kernex_core.studies.networks.edges.table import EdgeConfig
from pages.networks.edges.subject import KINDS, Subject, genes, has_copies, made_of_a_network
from pages.networks.subject import choose_network, networks_of
from pages.shared.declared.settings import of, of_data, setting
from pages.shared.frame import demo_buttons
from pages.shared.glossary.entries import explained
from pages.shared.messages import plain
from pages.shared.panels.side_by_side import places
from pages.shared.settings import widgets
from pages.shared.widget import widget

CONFIGURED: Final = ("folds", "seed", "tuned")
SETTINGS: Final = (
    of_data("network", "Network"), of_data("edge_kernels", "Kernels of the nodes"), setting("edge_method", "Method"),
    setting("edge_repair", "Repair"), *of(EdgeConfig, *CONFIGURED, "copies", prefix="edge_"),
)  # fmt: skip
MOST_AT_FIRST: Final = 8
NO_NETWORK: Final = (
    "This page needs a network of the items, and **{name}** has none. Bring one on the page Data: a list of edges is "
    "enough, two ids a line."
)
NO_KERNEL: Final = (
    "**{name}** has a network, and no kernel of its nodes that is known for every pair. What was measured of the nodes "
    "(a table, sequences, another similarity) makes one."
)
KERNELS_HELP: Final = (
    "Edges are inferred from each of these alone, and from all of them with equal or learned weights. Kernels kept on "
    "other pages are listed here too."
)
METHOD_HELP: Final = (
    "How a pair is scored, for the curves and the predicted edges below; the table has all methods. "
    "Formulas stand at the bottom."
)
REPAIRED: Final = (
    "The repair is fitted on the training nodes of every split, and new nodes follow by what it found there."
)
REPAIR_HELP: Final = "; ".join(f"{each.method}: {each.summary}" for each in REPAIRS) + "."
KNOWS: Final = (
    "{names} {were} made of a network. If it is this one, hidden edges are in the kernel, and what the table says of it "
    "and of sums with it is too good."
)


def choose(dataset: DataSet) -> Subject | None:
    """Draw the controls and return what they ask for; None where something has to be brought, which is then asked for."""
    if not networks_of(dataset):
        st.markdown(NO_NETWORK.format(name=plain(dataset.name)))
        st.page_link("data/data.py", label="Bring a list of edges", icon=":material/upload:")
        _demos()
        return None
    whole = {name: K for name, K in dataset.kernels.items() if K.unknown.complete}
    if not whole:
        st.markdown(NO_KERNEL.format(name=plain(dataset.name)))
        st.page_link("kernels/kernels.py", label="Build a kernel", icon=":material/grid_on:")
        _incomplete(dataset)
        _demos()
        return None
    first, second, third, fourth = places("content", 420, 250, 230, align="bottom")
    with first:
        network = choose_network(dataset)
    with second:
        kernels = _kernels(dataset, whole)
    with third:
        title = widgets.choose("edge_method", list(KINDS), help=METHOD_HELP)
    _incomplete(dataset)
    _limits(network)
    data = genes(kernels, network, REPAIRS[0].method)
    with fourth, st.popover("Folds, parameters", icon=":material/rule:"):
        config = _config(("copies",) if has_copies(data) else ())
    if data.indefinite:
        data = genes(kernels, network, _repair(data))
    return Subject(dataset, network, kernels, data, config, KINDS[title])


def _repair(data: GeneData) -> str:
    """Let the repair of what is no kernel be chosen."""
    which = widgets.pick(
        "edge_repair", [each.method for each in REPAIRS], help=explained("Indefinite", REPAIR_HELP)
    )
    listed = ", ".join(plain(name) for name in data.indefinite)
    st.caption(f"Indefinite, and so no kernel: {listed}. {REPAIRED}")
    return which


def _kernels(dataset: DataSet, whole: dict[str, GramMatrix]) -> dict[str, GramMatrix]:
    start = [name for name, K in whole.items() if not made_of_a_network(K)][:MOST_AT_FIRST]
    key = f"edges.kernels.{dataset.name}.{len(whole)}"
    names = widgets.several("edge_kernels", list(whole), default=start, key=key, help=KERNELS_HELP)
    if not names:
        raise InvalidInputError("Edges are inferred from at least one kernel", "none", "Choose one above")
    return {name: whole[name] for name in names if name in whole}


def _config(more: tuple[str, ...]) -> EdgeConfig:
    start, described = EdgeConfig(), parameters(EdgeConfig)
    values = {
        name: widget(described[name], getattr(start, name), name=name, setting=f"edge_{name}")
        for name in (*CONFIGURED, *more)
    }
    return EdgeConfig(**values)


def _incomplete(dataset: DataSet) -> None:
    """Name the kernels that lack pairs, and where they are completed."""
    partly = [name for name, K in dataset.kernels.items() if not K.unknown.complete]
    if not partly:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        listed = ", ".join(plain(name) for name in partly)
        st.caption(f"Not offered, because partly unknown: {listed}.", width="content")
        if dataset.all_partly_known:  # no kernel that one of them could be completed from
            st.page_link("combine/many/many.py", label="Many kernels", icon=":material/stacks:")
        else:
            st.page_link("complete/complete.py", label="Complete", icon=":material/border_inner:")


def _limits(network: Network) -> None:
    if network.n > NODE_LIMIT:
        raise TooLargeError(
            f"Edges are inferred in networks of up to {NODE_LIMIT:,} nodes", f"{network.n:,} nodes",
            "Select a part of the items on the page Data",
        )  # fmt: skip


def told(subject: Subject) -> list[str]:
    """What a visitor has to know about these data: what was left out, and what knows too much."""
    dropped, found = subject.data.dropped, []
    if dropped:
        listed = ", ".join(dropped[:12]) + (f" and {len(dropped) - 12:,} more" if len(dropped) > 12 else "")
        found.append(
            f"{counted(len(dropped), 'node')} left out, which the network or a kernel lacks: {listed}."
        )
    knowing = [name for name, K in subject.kernels.items() if made_of_a_network(K)]
    if knowing:
        found.append(KNOWS.format(names=", ".join(knowing), were="was" if len(knowing) == 1 else "were"))
    return found


def mode_help(subject: Subject) -> str:
    """What is fitted where."""
    if subject.state.mode in ("inductive", "as brought"):
        return INDUCTIVE
    return f"{INDUCTIVE} But a kernel of these was made with all nodes in sight, or of a network."


INDUCTIVE: Final = (
    "Inside every fold, on training nodes and the edges among them alone: centring, scale, weights of the kernels, the "
    "methods, and their parameters if they are chosen inside the folds. Edges of test nodes are not looked at."
)


def _demos() -> None:
    st.markdown("Or open a demo:")
    demo_buttons("edges", about="edges")
