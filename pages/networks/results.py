"""What the page Networks gives away: the kernel, for the workspace and as files; accuracies; similarities of the node."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.inputs.names import counted, listed
from kernex_core.kernels.networks.spectrum import Operator
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import written_accuracy
from kernex_core.learning.judgement import Judgement, Score
from kernex_core.learning.permutations import Permuted
from kernex_core.studies.networks.study import NetworkSweep, NetworkView, scaled, sweeping_network
from pages.export.downloads import BESIDE_KERNEX
from pages.networks import subject as state
from pages.networks.subject import Scale, Subject
from pages.server import workspace
from pages.server.declared import setting
from pages.server.digits import number, percent
from pages.server.messages import findings, guard, plain
from pages.ui import widgets
from pages.ui.answer import VerdictPlace
from pages.ui.figures.chart import Across, Items, Picture, PlotMargin, Spec, Values, axis, draw
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.heatmap import heatmap
from pages.ui.figures.theme import POSITIVE_EIGENVALUE, SERIES, Role
from pages.ui.frame import panel_title
from pages.ui.glossary import explained
from pages.ui.panels.accuracy import OPTIMISTIC, ends_of, floor_chip, own_classes, rests_on, spreads, value_of
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.linked import draw as linked_draw
from pages.ui.panels.staged import run_study
from pages.ui.panels.verdicts import (
    chance_beside,
    chance_recipe,
    chance_row,
    known_chance,
    numbers_in_a_row,
    printed_chance,
    verdict_row,
    verdict_rule,
    verdict_words,
)
from pages.ui.shown import choice_remarks, measure, remarks, remarks_of_choice, spelt

# Charts of the page Networks: the spectrum under the kernel's function, and accuracy against the parameter.

MATRICES: Final[dict[Operator, str]] = {
    "normalized": "normalised Laplacian",
    "unnormalized": "Laplacian",
    "adjacency": "adjacency matrix",
}
FINE: Final = 200
MEASURES: Final = {"accuracy": "multi_class", "balanced": "balanced", "ROC area": "auc"}
SPREAD: Final = Role(SERIES.colour, 1.0)


def spectrum(view: NetworkView, operator: Operator, *, height: int = 300) -> Picture:
    """Eigenvalues of the network's matrix as marks on the axis, and over each what the kernel makes of it."""
    x, f = view.eigenvalues, view.weights
    top = float(f.max(initial=0.0)) or 1.0
    low, high = float(x.min()), float(x.max())
    room = 0.03 * ((high - low) or 1.0)
    through = np.linspace(low, high, FINE)
    sticks = np.full((x.size, 3, 2), np.nan)
    sticks[:, 0, 0] = sticks[:, 1, 0] = x
    sticks[:, 0, 1], sticks[:, 1, 1] = -0.07 * top, f
    flat = sticks.reshape(-1, 2)
    data: list[Spec] = [
        {"type": "scatter", "mode": "lines", "x": flat[:, 0], "y": flat[:, 1], "hoverinfo": "skip",
         "line": {"color": POSITIVE_EIGENVALUE, "width": 1}},
        {"type": "scatter", "mode": "lines", "x": through, "y": view.kernel.weights(through), "line": SERIES.line,
         "hovertemplate": "%{y:.3~g} at %{x:.3~g}<extra></extra>"},
    ]  # fmt: skip
    layout: Spec = {
        "xaxis": axis("eigenvalue x", range=[low - room, high + room], showgrid=False),
        "yaxis": axis("eigenvalue of the kernel, f(x)", range=[-0.08 * top, 1.06 * top], nticks=5),
    }  # fmt: skip
    sentence = (
        f"Spectrum: {counted(x.size, 'eigenvalue')} of the {MATRICES[operator]} from {number(low)} to {number(high)}; the "
        f"kernel makes of them values from {number(float(f.min(initial=0.0)))} to {number(top)}."
    )
    return Picture(draw(data, height, PlotMargin(56, 8, 10, 46), layout), sentence)


def accuracy(subject: Subject, found: NetworkSweep, value: float, measure: str) -> Picture:
    """Accuracy against the parameter, with a band over items and bars over repetitions."""
    scale, name = subject.scale, MEASURES[measure]
    many = name != "auc"
    factor = 100.0 if many else 1.0
    mean, sd = found.curve(name)  # type: ignore[arg-type]
    places = scale.places([parameter_of(scale, kernel) for kernel in found.kernels])
    lines = []
    if np.isfinite(sd).any():
        repeated = found.judged[0].multi_class.sd_repeats
        what = "repetitions" if np.isfinite(repeated) else "folds"
        lines.append(Line(f"± sd, {what}", places, factor * mean, SPREAD, error=factor * sd, bars=True))
    band = factor * found.reach() if name == "multi_class" else None
    lines.append(Line(measure, places, factor * mean, SERIES, error=band))
    floor = getattr(found.judged[0], name).floor
    every = scale.places(scale.grid)
    room = 0.04 * float(every.max() - every.min())
    across = Across(
        scale.axis, guide=float(scale.places([value])[0]), ticks=every.tolist(),
        texts=tick_texts(scale), range=(float(every.min()) - room, float(every.max()) + room),
    )  # fmt: skip
    unit = "%" if many else ""
    title = f"{'balanced accuracy' if name == 'balanced' else measure}{', %' if many else ''}"
    return curve(
        lines, across, Values(title, unit, bounds=(0.0, factor)),
        levels=[Level("floor", factor * float(floor), "floor")], heading="transductive: the whole network is seen",
        height=300,
    )  # fmt: skip


def parameter_of(scale: Scale, kernel: object) -> float:
    """Value of the parameter in a kernel."""
    return float(getattr(kernel, scale.name))


def tick_texts(scale: Scale) -> list[str]:
    """Values of the grid, without those that would stand on one another."""
    places, texts, last = scale.places(scale.grid), [], -np.inf
    gap = max(0.08 * float(places.max() - places.min()), 0.0)
    for place, value in zip(places.tolist(), scale.grid, strict=True):
        clear = place - last >= gap
        texts.append(scale.tick(value) if clear else "")
        last = place if clear else last
    return texts


def results(subject: Subject, view: NetworkView, value: float, items: Items) -> None:
    """Draw the row of the kernel, and the row of accuracies and similarities of the node."""
    name, gram = suggested_name(subject, value), view.gram
    node = subject.network.ids[view.node]
    settings = {"data": subject.dataset.name, "kernel": gram.name, **spelt(view.kernel), "node": node}
    study = subject.study()
    found = None if study is None else study.known()
    every = {} if found is None or found.done < found.total else found.by_name()
    against = known_chance(every)
    scripted = Offer(
        lambda: script(subject, view, value, chance_recipe(against, every)),
        help="Python that computes this kernel, and its accuracy, again with kernex_core alone.",
    )
    result = Result(
        name,
        kernel=lambda: gram,
        figure=Drawing(
            lambda: heatmap(gram.values, items, name=name, height=620),
            title=f"Networks: {subject.dataset.name}", settings=settings,
        ),
        script=scripted,
    )  # fmt: skip
    keep_row(result, key="networks", keep=Keep())
    table = Offer(
        lambda: rows(subject, found, against) if found else [], label="Accuracies as CSV", key="accuracies"
    )
    similar = Offer(
        lambda: nearest(view), label="Similarities of the node as CSV", name=f"{name} to {node}", key="node"
    )
    further = (similar,) if found is None else (table, similar)
    with st.container():
        keep_row(Result(f"{name} network", further=further), key="networks.more", look="tertiary")


def suggested_name(subject: Subject, value: float) -> str:
    """ "diffusion τ = 5"; with the Laplacian where there are two."""
    laplacian = getattr(subject.kernel, "laplacian", "")
    parts = [subject.kernel.title.lower(), subject.scale.words(value)]
    return " ".join(filter(None, parts)) + (", not normalised" if laplacian == "unnormalized" else "")


def script(subject: Subject, view: NetworkView, value: float, permuted: tuple[Call, ...] = ()) -> str:
    """Script of the kernel, of the accuracy that the page shows for it, and of p against chance where it was asked for."""
    made, prints = [view.gram.recipe], ["$0.values"]
    if subject.labels is not None:
        judged = call("judgement", "judge", scaled(view.gram), subject.labels, subject.validation)
        made.append(judged)
        prints += [
            "'multi-class accuracy', $1.multi_class.mean",
            "'balanced accuracy', $1.balanced.mean",
            "'ROC area', $1.auc.mean",
            "$1.rests_on, $1.interval()",
            "$1.state.words",
        ]
        made += permuted
        if permuted:
            prints.append(printed_chance(2))
    heading = f"Kernex: {suggested_name(subject, value)}\n{BESIDE_KERNEX}"
    return write_script(made, heading=heading, prints=prints)


def rows(subject: Subject, found: NetworkSweep, against: Permuted | None = None) -> list[dict[str, object]]:
    """Return one row a judged value."""
    scale, verdict = subject.scale, found.verdict()
    made: list[dict[str, object]] = []
    for (name, one), kernel in zip(found.by_name().items(), found.kernels, strict=True):
        made.append(
            {
                "kernel": kernel.title, scale.name or "parameter": parameter_of(scale, kernel) if scale.name else "",
                **written_accuracy(one),
                "sd_folds": one.multi_class.sd_folds,
                "balanced_accuracy": one.balanced.mean, "roc_area": one.auc.mean, "mode": one.state.words,
                **verdict_row(verdict, name), **chance_row(against, name),
            }
        )  # fmt: skip
    return made


def nearest(view: NetworkView) -> list[dict[str, object]]:
    """Return the node and all others, the most similar first."""
    ids = view.gram.ids
    return [
        {"node": ids[view.node], "other": ids[int(k)], "similarity": float(view.column[int(k)])}
        for k in (view.node, *view.nearest.tolist())
    ]


# What the kernels on nodes are worth: accuracy against the parameter, numbers at its value, the choice made again.

AUTOMATIC: Final = 320
"""Up to this number of nodes every value is judged without a click, in a few seconds."""
SHOWN: Final = ("multi_class", "balanced", "auc")
NEEDS: Final = ":gray[These nodes are not of two classes, so nothing can be judged. Bring ids and labels under Node table.]"

SETTINGS = (setting("measure", "Measure"),)


def run(subject: Subject, place: DeltaGenerator) -> None:
    """Judge every value, in stages, with a bar in a place; what is done is drawn by the next run of the page."""
    study = subject.study()
    if study is None:
        return
    many = max(len(subject.scale.grid), 1)
    folds = subject.validation.folds * subject.validation.repeats or subject.network.n
    with place.container(), guard():
        run_study(
            study.leading, key="networks", what="values" if many > 1 else "kernels",
            automatic=subject.network.n <= AUTOMATIC,
            label="Judge every value" if many > 1 else "Judge the kernel",
            cost=f"{many} kernels × {folds:,} folds: this starts with a click.",
        )  # fmt: skip


def is_open(subject: Subject) -> bool:
    """Whether something is left to judge."""
    study, found = subject.study(), subject.judged
    return study is not None and (found is None or found.done < found.total)


def comes_by_itself(subject: Subject) -> bool:
    """Whether values are judged without a click as soon as the page is run."""
    study = subject.study()
    if study is None or subject.network.n > AUTOMATIC:
        return False
    return study.known() is None and workspace.recall("networks.stopped", None) != study.settings


def show(subject: Subject, value: float) -> None:
    """Draw accuracy against the parameter, as far as it is known."""
    found = subject.judged
    if subject.labels is None:
        panel_title("Accuracy", "needs labels of at least two classes")
        st.markdown(NEEDS)
    elif found is None or not found.judged:
        panel_title("Accuracy")
        st.caption("Nothing is judged yet.")
        if found is not None:
            _failures(subject, found)
    elif subject.scale.name:
        _chart(subject, found, value)
        here(subject, value, found)
    else:
        panel_title("Accuracy", "one kernel, no parameter: the numbers stand under Measures")


def measures(subject: Subject, value: float) -> None:
    """Draw three measures at the present value of the parameter."""
    found = subject.judged
    if found is None or not found.judged:
        st.caption("Nothing is judged yet." if subject.labels is not None else NEEDS)
    else:
        numbers(subject, value, found)


def _chart(subject: Subject, found: NetworkSweep, value: float) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        panel_title(
            f"Accuracy against {subject.scale.symbol}",
            "band: 95 % over nodes; bars: ± sd",
            ("Multi-class", "Floor"),
        )
        measure = widgets.pick(
            "measure", tuple(MEASURES), default="accuracy", label_visibility="collapsed", key="networks.measure"
        )  # fmt: skip
    linked_draw(accuracy(subject, found, value, measure or "accuracy"), "networks.accuracy")
    own_classes(subject.labels)
    if found.nested is not None:
        names = tuple(subject.named(kernel) for kernel in found.kernels)
        made = found.verdict(MEASURES[measure or "accuracy"], names)
        said = best_value(made, measure == "ROC area")
        st.caption(said, help=None if made is None else verdict_rule(made))
        remarks_of_choice("networks.choice", replace(found.nested, names=names))
    _failures(subject, found)


def best_value(made: Verdict | None, area: bool = False) -> str:
    """Which value is best by the measure that is drawn, and who is told apart from it; nothing before all are judged."""
    if made is None:
        return ""
    return f"**{verdict_words(made, unit='' if area else '%')}** The best of {len(made.candidates)} is {OPTIMISTIC}. "


def _failures(subject: Subject, found: NetworkSweep) -> None:
    findings([f"{subject.named(kernel)} could not be judged. {why}" for kernel, why in found.failed])


def numbers(subject: Subject, value: float, found: NetworkSweep) -> None:
    """Draw three measures at the present value, each with its floor and spreads."""
    one = known(subject, value, found)
    if one is None:
        st.caption(f"{subject.scale.words(value)} is not judged: the button for it stands under Accuracy.")
        return
    at = subject.scale.words(value) or subject.kernel.title
    for column, name in zip(numbers_in_a_row(len(SHOWN)), SHOWN, strict=True):
        score: Score = getattr(one, name)
        interval = one.interval(name)
        title = {"multi_class": "Accuracy", "balanced": "Balanced accuracy", "auc": "ROC area"}[name]
        floor = number(score.floor) if name == "auc" else percent(score.floor, 1)
        chip, color = floor_chip(score.mean, score.floor, floor)
        ends = () if interval is None else (f"**{ends_of(score, interval)}** for other data sets",)
        about = explained(title, f"At {at}.")
        with column:
            measure(title, value_of(score), chip, *ends, spreads(score), help=about, color=color)
    st.caption(f"At {plain(at)}: {rests_on(one)}")
    remarks("networks.numbers", {at: one})
    every = found.by_name() if found.done >= found.total else {}
    named = next((name for name, made in every.items() if made is one), "")
    if named:
        chance_beside(every, named, key="networks")


def here(subject: Subject, value: float, found: NetworkSweep) -> None:
    """Offer to judge the present value where it is not among those of the sweep."""
    kernel = subject.scale.at(subject.kernel, value)
    if known(subject, value, found) is not None or kernel in dict(found.failed) or subject.labels is None:
        return
    asked = st.button(
        f"Judge {subject.scale.words(value)} too", icon=":material/play_arrow:", key="networks.here",
        help="This value is not in the chart; it is judged on the same folds.",
    )  # fmt: skip
    if asked:
        args = (subject.prepared, (kernel,), subject.labels, subject.validation)
        *_, made = sweeping_network(*args)
        state.sweep.keep(made, *args)
        _failures(subject, made)


def known(subject: Subject, value: float, found: NetworkSweep) -> Judgement | None:
    """Return the judgement at a value, where it was made."""
    kernel = subject.scale.at(subject.kernel, value)
    if kernel in found.kernels:
        return found.judged[found.kernels.index(kernel)]
    if subject.labels is None:
        return None
    alone = state.sweep.peek(subject.prepared, (kernel,), subject.labels, subject.validation)
    return alone.judged[0] if alone is not None and alone.judged else None


# The verdict of the page Networks: which value of the parameter is chosen, what that is worth, and the one that is set.

CHOSEN, HERE = "Choice", "Multi-class"
NEAREST = 3


def names(subject: Subject) -> tuple[str, ...]:
    """Return what the numbers are of; none without classes."""
    if subject.labels is None:
        return ()
    return (f"{CHOSEN} of {subject.scale.symbol}", HERE) if subject.scale.name else (HERE,)


def fill(place: VerdictPlace, subject: Subject, view: NetworkView, value: float) -> None:
    """Write it."""
    found = subject.judged
    if subject.labels is None:
        place.say(_without_labels(subject, view))
    elif found is None or not found.judged:
        if comes_by_itself(subject):
            place.waits("Judged on the same folds at every value …")
        else:
            place.say("Not judged yet.")
    elif found.nested is None or found.done < found.total:
        place.say("Not every value is judged: which one is chosen is not known yet.")
    else:
        _judged(place, subject, found, found.nested, value)


def _judged(
    place: VerdictPlace, subject: Subject, found: NetworkSweep, nested: NestedChoice, value: float
) -> None:
    one = known(subject, value, found)
    floor = f"largest class alone {percent(found.floor, 1)}"
    at = len(place.names) - 1
    if not subject.scale.name:
        place.say(f"{_cell(subject.kernel.title, found.judged[0])}; {floor}.", "multi-class accuracy")
    else:
        called = replace(nested, names=tuple(subject.named(kernel) for kernel in found.kernels))
        (picked, _), interval = called.picks[0], called.interval
        worth = f"{percent(called.mean, 1)} [{ends_in_percent(interval.low, interval.high, ', ')}]"
        said = [f"{plain(picked)} is chosen: {worth}; {floor}.", _set(subject, found, value, picked)]
        place.say(" ".join(filter(None, [*said, *choice_remarks(called)])), "multi-class accuracy")
        ends = f"{ends_in_percent(interval.low, interval.high)}\u00a0%"
        place.number(0, place.names[0], percent(called.mean, 1), ends)
    shown = "—" if one is None else percent(one.multi_class.mean, 1)
    spread = None if one is None else one.interval()
    note = "" if spread is None else f"{ends_in_percent(spread.low, spread.high)}\u00a0%"
    words = subject.scale.words(value)
    place.number(at, f"At {words}" if words else HERE, shown, note)


def _set(subject: Subject, found: NetworkSweep, value: float, picked: str) -> str:
    """How the value that is set stands beside the best of all that were judged."""
    words = subject.scale.words(value)
    made = found.verdict(names=tuple(subject.named(kernel) for kernel in found.kernels))
    if words == picked or made is None:
        return ""
    one = next((each for each in made.candidates if each.name == words), None)
    if one is None:
        return f"{words}, which is set, is not among those that were judged."
    if one is made.best:
        return f"{words}, which is set, reads highest."
    best = f"the best, {made.best.name}"
    return (
        f"{words}, which is set, is worse than {best}."
        if one.told_apart
        else f"{words}, which is set, is not told apart from {best}."
    )


def _cell(name: str, one: Judgement) -> str:
    interval = one.interval()
    ends = "" if interval is None else f" [{ends_in_percent(interval.low, interval.high, ', ')}]"
    return f"{name}: {percent(one.multi_class.mean, 1)}{ends}"


def ends_in_percent(low: float, high: float, between: str = "–") -> str:
    """Both ends of an interval of shares, in percent."""
    return f"{number(100.0 * low, 0)}{between}{number(100.0 * high, 0)}"


def _without_labels(subject: Subject, view: NetworkView) -> str:
    ids = subject.network.ids
    near = [ids[int(k)] for k in view.nearest[:NEAREST] if view.column[int(k)] > 0.0]
    most = f"is most similar to {plain(listed(near))}" if near else "is similar to no other node"
    return f"{plain(ids[view.node])} {most}. Labels, under Node table, would say how far similarity should reach."


# How the page Networks works, in formulas and sentences.

FORMULAS: Final = (
    r"L = \operatorname{diag}(1[d_i > 0]) - D^{-1/2} B D^{-1/2} \quad\text{(normalised)}",
    r"L = D - B \quad\text{(not normalised)}",
    r"\text{diffusion: } K = e^{-\tau L}\qquad \text{regularised Laplacian: } K = (c\,I + L)^{-1}",
    r"\text{pseudo-inverse: } K = L^{+}",
    r"\text{exponential: } K = e^{\lambda B}\qquad \text{von Neumann: } K = (I - \lambda B)^{-1},\; "
    r"\lambda < 1/\rho(B)",
    r"\text{common neighbours: } K = B^2",
    r"L = U \operatorname{diag}(x)\, U^\top \;\Rightarrow\; K = U \operatorname{diag}(f(x))\, U^\top",
    r"\text{new nodes: } k_Q(x, x') = \varphi(x)^\top Q\, \varphi(x'),\quad \varphi(x) = -\frac{t(x) - E[t]}{sd(t)} "
    r"\text{ and ones}",
    r"Q = (\Phi^{+})^\top K\, \Phi^{+} \text{ (free) or } "
    r"(\Phi K^{-1} \Phi^\top)^{-1} \text{ (shear)}",
    r"\text{reduced set } S\text{: } \Phi = K_{S \cdot} \;\Rightarrow\; K_Q = K_{\cdot S} K_{SS}^{-1} K_{S \cdot} "
    r"\text{ (shear: Nyström)}",
)
ASSUMPTIONS: Final = (
    "*B* holds the weights of the edges, *D* the degrees *d*. Edges have no direction; self loops are dropped.",
    "A network is decomposed once; every value of every parameter of that matrix follows by one product.",
    "Between components every similarity is 0; a node without an edge is similar to itself alone.",
    "Accuracy: the kernel, divided by its mean self-similarity, in a support vector machine, on the same folds at every "
    "value. Transductive: the kernel is made of the whole network, tested nodes included, never of their labels.",
    "The highest of several values is too optimistic: it was chosen on the same folds that it is reported "
    "on. What the choice is "
    "worth is said beside it, by nested cross-validation.",
    "Places of the nodes are drawn by springs and mean nothing beyond what is joined. Colours end at the most similar "
    "other node, so that the chosen node itself does not take them all.",
    "New nodes: attributes enter as Fisher scores of a distribution (Gaussian, Bernoulli, Poisson, multinomial), with "
    "mean and deviation of the known nodes alone. The kernel was made of the whole network, so its known part has felt "
    "the edges of nodes that are hidden afterwards. Free: least error in the Frobenius norm. Shear: what is left of the "
    "kernel is a kernel, and the trace that is kept is small where attributes are few.",
    "New nodes and reduced sets: Vishwanathan, Borgwardt, Guttman and Smola, Neurocomputing 2006, sections 2, 4.1, 4.2.",
    "Diffusion: Kondor and Lafferty, ICML 2002. Regularised Laplacian: Smola and Kondor, COLT 2003. Pseudo-inverse: "
    "Fouss, Pirotte, Renders and Saerens, IEEE TKDE 2007. Exponential and von Neumann: Kandola, Shawe-Taylor and "
    "Cristianini, NIPS 2003.",
)
