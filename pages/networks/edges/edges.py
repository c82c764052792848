"""The page Edges of new nodes on one screen: the verdict, predicted edges with their drawing, then how well that goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.verdict import Candidate, Verdict
from kernex_core.learning.edges.methods import EDGE_METHODS
from kernex_core.studies.networks.edges.judging import DEGREE, edge_verdict
from kernex_core.studies.networks.edges.sources import EdgeConfig, EdgeTable
from pages.networks.edges import predictions, results
from pages.networks.edges import predictions as missing
from pages.networks.edges import results as judged
from pages.networks.edges.predictions import Ranking
from pages.networks.edges.subject import (
    AUC,
    CONFIGURED,
    FIELDS,
    KINDS,
    TABS,
    UNITS,
    WITHIN,
    Asked,
    Listing,
    Subject,
    called,
    choose,
    incomplete,
    mode_help,
    told,
)
from pages.server.declared import declared, in_view, of, of_data, of_each, setting
from pages.server.digits import number
from pages.server.messages import findings, guard, plain
from pages.ui.answer import VerdictPlace, draw_parts
from pages.ui.frame import PageFrame, formula_text, need_data, open_page
from pages.ui.glossary import explained
from pages.ui.panels.accuracy import state_badge
from pages.ui.panels.verdicts import verdict_words

# What can be set on the page Edges of new nodes.

SETTINGS: Final = declared(
    *in_view(
        setting("edge_new", "New nodes"), of_data("edge_source", "From"), setting("edge_method", "Method"),
        setting("tab", "Part of the page"), *judged.SETTINGS, *missing.SETTINGS,
    ),
    of_data("network", "Network"), of_data("edge_kernels", "Kernels of the nodes"), setting("edge_repair", "Repair"),
    *of(EdgeConfig, *CONFIGURED, "copies", prefix="edge_"), setting("edge_measure", "Measure"),
    *of(Listing, prefix="edge_"), *of_each(KINDS.values()),
)  # fmt: skip


# The verdict of the page Edges of new nodes: the method that is shown beside the best of all, and what needs no kernel.

SHOWN, ALONE, PREVALENCE = "Method shown", "Degree alone", "Prevalence"
NAMES = (SHOWN, ALONE, PREVALENCE)


def fill(place: VerdictPlace, subject: Subject, asked: Asked) -> None:
    """Write it."""
    found = subject.study().known()
    made = None if found is None else edge_verdict(found, FIELDS[asked.measure], called)
    if found is None or made is None:
        place.waits(
            "Every method is judged on the same folds …"
            if judged.is_automatic(subject)
            else "Edges are ranked; how well such edges are found is not judged yet."
        )
        return
    name = called(subject.kind.name, asked.source)
    one = next((each for each in made.candidates if each.name == name), None)
    measure = asked.measure if asked.measure.startswith(AUC) else asked.measure.capitalize()
    place.say(words(made, one, measure), asked.measure)
    _numbers(place, found, made, one, asked.measure)


def words(made: Verdict, one: Candidate | None, measure: str) -> str:
    """Return the sentence: what is shown beside the highest of all, and degree alone."""
    best, degree = made.best, made.of(called(DEGREE, None))
    if one is None or made.plain_does:  # what is said first is that a plain baseline does
        return verdict_words(made, unit="")
    shown = f"{plain(one.name)}: {measure} {number(one.value, 2)}"
    if one is best:
        first = f"{shown}, the highest of {len(made.candidates)}"
    else:
        beside = "worse than" if one.told_apart else "not told apart from"
        first = f"{shown}, {beside} the highest of {len(made.candidates)}, {plain(best.name)} {number(best.value, 2)}"
    told = "is worse" if degree.told_apart else "is not told apart from it"
    return f"{first}; {plain(degree.name)} {told}."


def _numbers(
    place: VerdictPlace, found: EdgeTable, made: Verdict, one: Candidate | None, measure: str
) -> None:
    about = f"{measure}; in grey 95\u00a0%, for other data sets of as many nodes. {UNITS}"
    degree = made.of(called(DEGREE, None))
    for at, name, each in ((0, SHOWN, one), (1, ALONE, degree)):
        value = "no score" if each is None else number(each.value, 2)
        ends = "" if each is None else f"{number(each.interval.low, 2)}–{number(each.interval.high, 2)}"
        place.number(at, name, value, ends, about if at == 0 else explained(ALONE))
    pairs = found.summary(found.data.sources[0], EDGE_METHODS[0].name).known_new
    if measure == WITHIN:
        place.without(2)
    else:
        place.number(
            2, PREVALENCE, number(pairs.prevalence.mean, 3), f"{pairs.edges:,} edges", explained(PREVALENCE)
        )


# How the page Edges of new nodes works, in formulas and sentences.

FORMULAS: Final = (
    r"K = \sum_m \eta_m K_m,\quad \eta \geq 0,\ \sum \eta_m = 1,\qquad "
    r"K_m \text{ centred and divided by its mean diagonal, both over the training nodes } T",
    *(rf"\text{{{kind.title}: }} {kind.formula}" for kind in EDGE_METHODS),
    r"\text{weights by alignment: } \min_{\eta \geq 0} \Big\lVert G - \sum_m \eta_m K_m \Big\rVert_F,\qquad "
    r"G = H e^{-\tau L} H \text{ on } T,\ \tau = 10",
    r"\text{by MKL: } \min_{\eta} \lambda\, \mathrm{tr}\big((K_\eta + |T| \lambda I)^{-1} G\big),\quad |T| \lambda = 10",
)
ASSUMPTIONS: Final = (
    "Folds are of nodes: all edges of a test node are hidden, from weights and parameters too. Pairs of two training "
    "nodes are fitted and never scored. Were pairs divided at random instead, both nodes' other edges would be "
    "known, and counting common neighbours would do well without any kernel.",
    "That is what missing edges among known nodes are about, and they stand apart: each pair of nodes, edge or not, is "
    "hidden in one fold over pairs, counts as no edge for weights, methods and baselines alike, and is then ranked. "
    "Common neighbours and the product of degrees are ranked on the same pairs (Liben-Nowell and Kleinberg, The "
    "link-prediction problem for social networks, JASIST 2007).",
    "Local models score two known nodes by the mean of both nodes' machines; each was trained without the pair and a "
    "fifth of the node's other pairs, because a machine says back what it was told of a pair.",
    "Parameters are the usual ones, or chosen inside every fold: three inner folds over its training nodes, or over its "
    "pairs that are not hidden, with weights learned anew in each; the setting of the best mean AUC is fitted on the "
    "whole training part.",
    "Pairs of a known and a new node, and of two new nodes, are judged apart: the latter are harder. AUC and average "
    "precision are computed within a fold, then averaged; scores of different folds are never pooled.",
    "Degree alone scores a pair by how many edges its known node has. It needs no kernel, and a method that is not "
    "above it has found out who has many partners, not whose. AUC within a known node leaves that out: there degree "
    "gets 0.5.",
    "A similarity that is no kernel (indefinite) is repaired: the repair is fitted on the training nodes of each split, "
    "and new nodes follow by the eigenvectors that it found there. What is a kernel is left as it is.",
    "No edge means that none is known: a pair that scores high without one may be an edge that nobody has looked for.",
    "Edges count as 0 or 1, without weight and direction; an edge of a node to itself is left out.",
    "Yamanishi, Vert and Kanehisa, Protein network inference from multiple genomic data: a supervised approach, "
    "Bioinformatics 2004. Vert and Yamanishi, Supervised graph inference, NIPS 2004. Bleakley, Biau and Vert, "
    "Supervised reconstruction of biological networks with local models, Bioinformatics 2007. Pairwise machine: "
    "Vert, Qiu and Noble, A new pairwise kernel for biological network inference with support vector machines, BMC "
    "Bioinformatics 2007. Two-step ridge: "
    "Stock, Pahikkala, Airola, De Baets and Waegeman 2018.",
)


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page, then judge what is not judged yet: the ranking does not wait for it."""
    formula_text(FORMULAS, ASSUMPTIONS)
    found = choose(dataset)
    if found is None:
        return
    subject, asked = found
    state_badge(subject.state, page.slot, about=mode_help(subject))
    place = VerdictPlace(*NAMES)
    pictures, lower = st.container(key="maps"), st.container()
    ranking = None
    with pictures, guard():
        ranking = predictions.show(subject, asked)
    with lower:
        findings([*told(subject), *(note for note in subject.network.notes if note.severity != "fine")])
        incomplete(dataset)
        _tabs(subject, asked, ranking)
        _rows(subject, asked, ranking)
    with guard():
        fill(place, subject, asked)
    judged.run(subject, place.wait)


def _tabs(subject: Subject, asked: Asked, ranking: Ranking | None) -> None:
    """Draw what one asks second: the part that is open."""
    parts: dict[str, Callable[[], None]] = {
        "Curves and weights": lambda: judged.curves(subject),
        "Every method": lambda: judged.show(subject, asked.measure),
        "Missing edges": lambda: missing.show_missing(subject),
        "Method": lambda: _method(subject, ranking),
    }
    draw_parts(parts, key=TABS)


def _method(subject: Subject, ranking: Ranking | None) -> None:
    st.caption(f"**{subject.kind.title}.** {subject.kind.about}")
    if ranking is not None:
        st.caption(ranking.words)
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


def _rows(subject: Subject, asked: Asked, ranking: Ranking | None) -> None:
    if ranking is not None:
        results.predicted_row(subject, ranking.found, asked.new, ranking.method, asked.source)
    known = subject.study().known()
    if known is not None:
        results.judged(subject, known)


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Edges of new nodes",
        "A network, and kernels of its nodes: which edges has a node that the network has never seen, and how sure is that?",
        SETTINGS,
    )
    dataset = need_data(demo="Interacting genes")
    with guard():
        show(page, dataset)
