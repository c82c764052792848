"""What the page Edges of new nodes is about in this run: a network, kernels of its nodes, folds; all cached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, Literal

import numpy as np
import streamlit as st

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.base.parameters import parameter, parameters
from kernex_core.conditioning.repairs import REPAIRS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.kernels.networks.spectrum import NODE_LIMIT
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.edges.methods import EDGE_METHODS, EdgeMethod
from kernex_core.learning.leakage import State
from kernex_core.studies.networks.edges.judging import (
    DEGREE,
    Measure,
    MissingTable,
    judging_edges,
    judging_missing,
)
from kernex_core.studies.networks.edges.predicting import (
    PredictedEdges,
    UnobservedPairs,
    choose_for_known,
    choose_for_new,
    predict_edges,
    rank_unobserved,
)
from kernex_core.studies.networks.edges.sources import (
    EdgeConfig,
    EdgeTable,
    GeneData,
    OverFolds,
    chosen_inside,
    edge_state,
    gene_copies,
    gene_data,
    knows_a_network,
)
from pages.networks.subject import choose_network
from pages.server.cached import cached
from pages.server.declared import own_prefix
from pages.server.digits import number
from pages.server.messages import plain
from pages.server.navigation import page_at
from pages.ui import chosen, widgets
from pages.ui.answer import first_row, group, settings_box
from pages.ui.glossary import explained
from pages.ui.panels.accuracy import OPTIMISTIC
from pages.ui.panels.staged import Staged
from pages.ui.panels.verdicts import verdict_rule, verdict_words
from pages.ui.widget import controls, widget

SOURCES = {"sum": "sum", "alignment": "by alignment", "mkl": "MKL"}
"""What the page calls the weighings."""
KINDS = {kind.title: kind for kind in EDGE_METHODS}


@dataclass(frozen=True, eq=False)
class Subject:
    """Kernels and a network on the same nodes, how they are judged, and the method that is looked at."""

    dataset: DataSet
    network: Network
    kernels: Mapping[str, GramMatrix]
    data: GeneData
    config: EdgeConfig
    kind: type[EdgeMethod]

    @property
    def state(self) -> State:
        """What was seen of test nodes and their edges."""
        return edge_state(*self.kernels.values())

    @property
    def without_edges(self) -> tuple[str, ...]:
        """Nodes that the network has no edge of."""
        return tuple(np.asarray(self.data.ids)[self.data.A.sum(axis=0) == 0.0].tolist())

    @property
    def chooses(self) -> bool:
        """Whether parameters are chosen inside the folds of these data."""
        return chosen_inside(self.config.tuned, len(self.data.ids))

    def for_known(self, source: str) -> EdgeMethod:
        """The method that ranks pairs without a known edge, by the rule that its folds are judged by."""
        usual = self.kind()
        return chosen_for_known(self.data, usual, source) if self.chooses else usual

    def study(self) -> Staged[EdgeTable]:
        """Every method on every source, fold by fold."""
        return Staged(edge_table, judging_edges, (self.data, self.config), resumes=True)

    def missing(self) -> Staged[MissingTable]:
        """Every method on every source, over as many folds of hidden pairs."""
        config = self.config
        return Staged(
            missing_table, judging_missing, (self.data, config.folds, config.seed, config.tuned), resumes=True
        )


@cached(public=True)
def genes(kernels: Mapping[str, GramMatrix], network: Network, repair: str) -> GeneData:
    """Kernels and network brought to the same nodes."""
    return gene_data(kernels, network, repair=repair)


@cached(public=True)
def has_copies(data: GeneData) -> bool:
    """Whether a kernel does not tell nodes apart."""
    found = gene_copies(data, 1)
    return found.count > 0 or found.aside > 0


@cached(public=True)
def made_of_a_network(K: GramMatrix) -> bool:
    """Whether edges went into a kernel."""
    return knows_a_network(K)


@cached(public=True)
def edge_table(data: GeneData, config: EdgeConfig) -> EdgeTable:
    """The whole table; the page keeps partial ones under the same key."""
    *_, last = judging_edges(data, config)
    return last


@cached(public=True)
def missing_table(data: GeneData, folds: int, seed: int, tuned: bool) -> MissingTable:
    """The whole table of hidden pairs."""
    *_, last = judging_missing(data, folds, seed, tuned)
    return last


@cached(public=True, newest=8)
def unobserved(data: GeneData, method: EdgeMethod, source: str) -> UnobservedPairs:
    """All pairs without a known edge, ranked."""
    return rank_unobserved(data, method, source)


@cached(public=True, newest=8)
def predicted(data: GeneData, new: tuple[str, ...], method: EdgeMethod, source: str) -> PredictedEdges:
    """All pairs of new nodes, ranked."""
    return predict_edges(data, new, method, source)


@cached(public=True, newest=8)
def chosen_for_new(data: GeneData, new: tuple[str, ...], usual: EdgeMethod, source: str) -> EdgeMethod:
    """The method with the parameters that inner folds of the known nodes choose."""
    return choose_for_new(data, new, type(usual), source)


@cached(public=True, newest=8)
def chosen_for_known(data: GeneData, usual: EdgeMethod, source: str) -> EdgeMethod:
    """The method with the parameters that folds of all pairs choose."""
    return choose_for_known(data, type(usual), source)


def source_title(source: str, kind: Literal["short", "long"] = "short") -> str:
    """What a source is called; kernels have their own names."""
    return (
        SOURCES.get(source, source)
        if kind == "short" or source not in SOURCES
        else f"all kernels, {SOURCES[source]}"
    )


# What stands in a cell of a table of edges, and which cell is best: the same words for every kind of pair.

AUC, PRECISION, WITHIN = "AUC", "average precision", "AUC within a known node"
SHORT: Final = 14
FIELDS: Final[dict[str, Measure]] = {AUC: "auc", PRECISION: "average_precision", WITHIN: "within"}
UNITS: Final = (
    "Units are nodes: what a node has of the number is the change of it with the node's weight, over all its pairs. Plain "
    "baselines learn nothing from known edges."
)


def called(method: str, source: str | None) -> str:
    """What a cell is called in the verdict: "Metric learning on MKL"; "degree alone"."""
    if source is None:
        return f"{method} alone" if method == DEGREE else method
    title = next(kind.title for kind in EDGE_METHODS if kind.name == method)
    return f"{title} on {source_title(source)}"


def note_of(verdict: Verdict | None) -> str:
    """What stands in the cells: before all folds are done there are no intervals."""
    return (
        "mean ± sd over folds"
        if verdict is None
        else "mean [95\u00a0%], for other data sets of as many nodes"
    )


def say(verdict: Verdict | None) -> None:
    """Draw which cell is best, and who is told apart from it."""
    if verdict is not None:
        st.markdown(
            f"**{verdict_words(verdict, unit='')}** The best of {len(verdict.candidates)} is {OPTIMISTIC}.",
            help=f"{verdict_rule(verdict)} {UNITS}",
        )


def with_ends(of: OverFolds, verdict: Verdict | None, name: str) -> str:
    """Mean and interval; before the verdict, and of what it leaves out, mean and deviation over folds."""
    one = None if verdict is None else next((c for c in verdict.candidates if c.name == name), None)
    if one is None or not of.folds:
        return mean_sd(of)
    low, high = number(one.interval.low, 2), number(one.interval.high, 2)
    return f"{number(of.mean, 2)}\u00a0:gray[[{low},\u00a0{high}]]"


def mean_sd(of: OverFolds) -> str:
    """ "0.84 ± 0.02", the spread in grey; "–" where no fold has a value."""
    if not of.folds:
        return "–"
    return number(of.mean, 2) + (f"\u00a0:gray[±\u00a0{number(of.sd, 2)}]" if of.folds > 1 else "")


# The controls of the page Edges of new nodes: whose edges, from what, by which method, and everything behind Settings.

CONFIGURED: Final = ("folds", "seed", "tuned")
TABS: Final = "edges.tab"
MOST_AT_FIRST: Final = 8
NO_KERNEL: Final = (
    "**{name}** has a network, and no kernel of its nodes that is known for every pair. What was measured of the nodes "
    "(a table, sequences, another similarity) makes one."
)
KERNELS_HELP: Final = (
    "Edges are inferred from each of these alone, and from all of them with equal or learned weights. Kernels kept on "
    "other pages are listed here too."
)
METHOD_HELP: Final = (
    "How a pair is scored, in the list, the drawing and the curves; the table has all methods."
)
NEW_HELP: Final = (
    "Whose edges are asked for; theirs are hidden from the methods. Those without any edge, items that are chosen in a "
    "picture of any page, or so many drawn by the seed."
)
SOURCE_HELP: Final = (
    "One kernel, or all of them with these weights, learned from the edges among the other nodes."
)
ALONE, CHOSEN, DRAWN = "without edges", "chosen items", "some by seed"
REPAIRED: Final = (
    "The repair is fitted on the training nodes of every split, and new nodes follow by what it found there."
)
REPAIR_HELP: Final = "; ".join(f"{each.method}: {each.summary}" for each in REPAIRS) + "."
KNOWS: Final = (
    "{names} {were} made of a network. If it is this one, hidden edges are in the kernel, and what the table says of it "
    "and of sums with it is too good."
)


@dataclass(frozen=True)
class Listing:
    """What is listed, and which nodes are taken as new where they are drawn."""

    shown: int = parameter(
        30, label="Edges shown", low=1, high=500, step=1,
        help="So many pairs of the highest score are listed and drawn. How many are edges the scores do not say.",
    )  # fmt: skip
    many: int = parameter(
        10, label="Nodes", help="Taken as new, at most all but three.", low=1, high=1000, step=1
    )
    drawn_by: int = parameter(
        0, label="Seed of new nodes", help="Another seed draws other nodes.", low=0, high=2**31 - 1, step=1
    )


@dataclass(frozen=True, eq=False)
class Asked:
    """Whose edges are asked for, and how they are ranked.

    Attributes
    ----------
    new : tuple of str
        Nodes.
    source : str
        A kernel, or a weighing of all.
    method : EdgeMethod
    shown : int
        Pairs that are listed and drawn.
    measure : str
        By which methods are compared.
    """

    new: tuple[str, ...]
    source: str
    method: EdgeMethod
    shown: int
    measure: str


def choose(dataset: DataSet) -> tuple[Subject, Asked] | None:
    """Draw the first row and Settings; None where there is no kernel, which is then asked for."""
    whole = {name: K for name, K in dataset.kernels.items() if K.unknown.complete}
    if not whole:
        st.markdown(NO_KERNEL.format(name=plain(dataset.name)))
        st.page_link(page_at("kernels"), label="Build a kernel", icon=":material/grid_on:")
        incomplete(dataset)
        return None
    with first_row():
        first, second = st.container(width="content"), st.container(width=190)
        third, fourth = st.container(width=230), st.container(width="stretch", horizontal_alignment="right")
    with third:
        kind = KINDS[widgets.choose("edge_method", list(KINDS), help=METHOD_HELP)]
    with fourth, settings_box(3) as (left, middle, right):
        with left:
            group("Kernels")
            network = choose_network(dataset)
            kernels = _kernels(dataset, whole)
            limits(network)
            data = genes(kernels, network, REPAIRS[0].method)
            if data.indefinite:
                data = genes(kernels, network, _repair(data))
        with right:
            group("Judging")
            measure = widgets.pick("edge_measure", (AUC, PRECISION, WITHIN))
            config = _config(("copies",) if has_copies(data) else ())
        subject = Subject(dataset, network, kernels, data, config, kind)
        with middle:
            group("List")
            shown = _number("shown")
        with first:
            which = widgets.pick(
                "edge_new", (ALONE, CHOSEN, DRAWN), default=ALONE if subject.without_edges else DRAWN, help=NEW_HELP
            )  # fmt: skip
        with middle:
            new = {ALONE: subject.without_edges, CHOSEN: _chosen(subject)}.get(which)
            if new is None:
                new = _by_seed(subject)
            method = subject.kind()
            if fields(kind):
                group(kind.title)
                method = controls(method, f"edges.{kind.name}", prefix=own_prefix(kind))
        with second:
            sources = list(data.sources)
            source = widgets.choose(
                "edge_source", sources, default="mkl", said=source_title,
                key=f"edges.source.{len(sources)}.{sources[0]}", help=SOURCE_HELP,
            )  # fmt: skip
    return subject, Asked(new, source, method, shown, measure)


def _number(name: str) -> int:
    described = parameters(Listing)[name]
    made: int = widget(described, getattr(Listing(), name), name=name, setting=f"edge_{name}")
    return made


def _chosen(subject: Subject) -> tuple[str, ...]:
    wanted = set(chosen.chosen_ids())
    return tuple(name for name in subject.data.ids if name in wanted)


def _by_seed(subject: Subject) -> tuple[str, ...]:
    ids = subject.data.ids
    count, seed = _number("many"), _number("drawn_by")
    drawn = np.random.default_rng(seed).permutation(len(ids))[: min(count, len(ids) - 3)]
    return tuple(ids[k] for k in sorted(drawn.tolist()))


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
        raise InvalidInputError(
            "Edges are inferred from at least one kernel", "none", "Choose one in Settings"
        )
    return {name: whole[name] for name in names if name in whole}


def _config(more: tuple[str, ...]) -> EdgeConfig:
    start, described = EdgeConfig(), parameters(EdgeConfig)
    values = {
        name: widget(described[name], getattr(start, name), name=name, setting=f"edge_{name}")
        for name in (*CONFIGURED, *more)
    }
    return EdgeConfig(**values)


def incomplete(dataset: DataSet) -> None:
    """Name the kernels that lack pairs, and where they are completed."""
    partly = [name for name, K in dataset.kernels.items() if not K.unknown.complete]
    if not partly:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        listed = ", ".join(plain(name) for name in partly)
        st.caption(f"Not offered, because partly unknown: {listed}.", width="content")
        if dataset.all_partly_known:  # no kernel that one of them could be completed from
            st.page_link(page_at("many"), label="Many kernels", icon=":material/stacks:")
        else:
            st.page_link(page_at("complete"), label="Complete", icon=":material/border_inner:")


def limits(network: Network) -> None:
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
