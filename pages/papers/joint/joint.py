"""The page Joint regularization: accuracy against λ and beside other kernels, who wins, and what it rests on."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.digits import power_of_ten
from kernex_core.gram.provenance import call, write_script
from kernex_core.gram.seen import ITEMS
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.leakage import state_of
from kernex_core.studies.papers.joint.measuring import (
    COSTS,
    Accuracy,
    Against,
    ChosenLam,
    JointFigure,
    against,
    chosen_lam,
    figure_verdict,
    shown_kernels,
)
from kernex_core.studies.papers.joint.measuring import JOINT as MEASURING_JOINT
from kernex_core.studies.papers.joint.measuring import NAMES as MEASURING_NAMES
from kernex_core.studies.papers.joint.printed import ERRATA, PATTERN, SOURCE
from kernex_core.studies.papers.joint.theorem import TheoremConfig, TheoremDemo, theorem_demo
from pages.papers.joint import subject
from pages.papers.joint.subject import Subject, choose, figure, kernel, measuring_figure, with_attributes
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, setting
from pages.server.digits import number, p_value, percent, span, unbroken
from pages.server.messages import guard, plain
from pages.ui import shown as drawn
from pages.ui import widgets
from pages.ui.answer import VerdictPlace, draw_parts
from pages.ui.figures import chart
from pages.ui.figures.bars import Dot, dots
from pages.ui.figures.chart import Across, Picture, PlotMargin, Spec, Values, axis
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.theme import GUIDE, SERIES, role_of
from pages.ui.frame import PageFrame, demo_buttons, formula_text, need_data, open_page, panel_title, points
from pages.ui.panels import linked as heatmap
from pages.ui.panels.accuracy import OPTIMISTIC, own_classes, state_badge
from pages.ui.panels.keep import EVERYWHERE, Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Staged, public_data, run_study
from pages.ui.panels.verdicts import numbers_in_a_row, rule_words, verdict_rule, verdict_words
from pages.ui.projector import fitted
from pages.ui.widget import controls

# Theorem 4 tried out: two bounds, the multipliers that they imply, and what Lemma 6 makes of both.

THEOREM_NAMES: Final = ("smooth", "even")
_MARGIN = PlotMargin(left=40, right=8, top=8, bottom=44)


@cached(shared=True)
def demo(config: TheoremConfig) -> TheoremDemo:
    """The fit under both bounds."""
    return theorem_demo(config)


THEOREM_SETTINGS = of(TheoremConfig, prefix="theorem_")


@st.fragment
def show_theorem() -> None:
    """Draw controls, the fit and its multipliers."""
    st.markdown(
        ":gray[40 noisy points. The fit is the nearest one to them whose norm is bounded in two spaces: in one it costs to "
        "change quickly, in the other to differ between both sides of 0. Bounds imply multipliers *β*, and these the joint "
        "kernel.]"
    )
    left, right = st.columns([1.4, 1.0], gap="medium")
    with right:
        made = demo(
            controls(TheoremConfig, "theorem", slots=[st.container(), st.container()], prefix="theorem_")
        )
        _numbers(made)
    with left:
        panel_title("The fit", "line; dashed: what the points follow without noise")
        heatmap.draw(picture(made), "joint.theorem")
    st.markdown(said(made))


def _numbers(made: TheoremDemo) -> None:
    fit = made.fit
    values = (
        (r"β₁, smooth", number(float(fit.beta[0])), "Multiplier of the first bound; 0 where it does not bind."),
        (r"β₂, even", number(float(fit.beta[1])), "Multiplier of the second bound; 0 where it does not bind."),
        ("λ = β₁ / (β₁ + β₂)", "none" if not fit.total else number(float(fit.weights[0])), "Weight of the smooth kernel."),
    )  # fmt: skip
    for place, (name, value, help_) in zip(numbers_in_a_row(3), values, strict=True):
        with place:
            drawn.metric(name, value, help=help_)


def said(made: TheoremDemo) -> str:
    """Return what the multipliers say, and Lemma 6 with them."""
    fit = made.fit
    if not fit.total:
        return "Neither bound binds: both multipliers are 0, and the fit goes through every point."
    free = [name for name, binds in zip(THEOREM_NAMES, fit.binding, strict=True) if not binds]
    first = (
        f"The bound of the {free[0]} kernel does not bind: its multiplier is 0, and the other kernel alone makes the fit."
        if free
        else "Both bounds bind."
    )
    lam, (one, other) = number(float(fit.weights[0])), made.shares.tolist()
    return (
        f"{first} The fit is ridge regression with the joint kernel at *λ* = {lam} and the ridge *β*₁ + *β*₂ = "
        f"{number(fit.total)}. Half squared norms over their bounds: {number(one)} and {number(other)}. Lemma 6 bounds "
        f"their sum, {number(one + other)} here. On the boundary of both constraints it lies anywhere above 1 and up to 2: "
        "the two are not equivalent."
    )


def picture(made: TheoremDemo) -> Picture:
    """Points, what they follow, and the fit."""
    joint = role_of("joint")
    traces: list[Spec] = [
        {
            "type": "scatter", "mode": "lines", "x": made.x, "y": made.truth, "hoverinfo": "skip",
            "line": {"color": GUIDE.colour, "width": 1.5, "dash": "4px,3px"},
        },
        {
            "type": "scatter", "mode": "markers", "x": made.x, "y": made.y,
            "marker": {"color": SERIES.colour, "size": 6},
            "hovertemplate": "y(%{x:.2f}) = %{y:.2f}<extra></extra>",
        },
        {
            "type": "scatter", "mode": "lines", "x": made.x, "y": made.fit.f, "line": joint.line,
            "hovertemplate": "f(%{x:.2f}) = %{y:.2f}<extra></extra>",
        },
    ]  # fmt: skip
    layout: Spec = {"xaxis": axis("x"), "yaxis": axis("y and f")}
    fit = made.fit
    alt = (
        f"{made.x.size} points and the fit under both bounds: multipliers {number(float(fit.beta[0]))} and "
        f"{number(float(fit.beta[1]))}."
    )
    return Picture(chart.draw(traces, 280, _MARGIN, layout), alt)


# How Fig. 1 is measured, in formulas and sentences.

FORMULAS: Final = (
    r"J(\lambda) = \big(\lambda\,(K_1 + \rho I)^{-1} + (1-\lambda)\,(K_2 + \rho I)^{-1}\big)^{-1}"
    r"\quad\text{on landmarks } Z",
    r"w(x) = \big(k_+(Z,Z) + \rho I\big)^{-1} k_+(Z, x),\qquad k_+ = \tfrac{1}{2}(k_1 + k_2)",
    r"k(x, x') = \frac{w(x)^\top M\, w(x')}{\sqrt{w(x)^\top M\, w(x)}\,\sqrt{w(x')^\top M\, w(x')}}",
    r"M = J(\lambda),\;\; K_1 + \rho I,\;\; K_2 + \rho I,\;\; \tfrac{1}{2}(K_1 + K_2) + \rho I,"
    r"\;\text{ or } K_1 \circ K_2 + \rho I",
    r"\min_f \tfrac12 \lVert f - y\rVert^2 \;\text{ under }\; \tfrac12 f^\top K_i^{-1} f \le c_i"
    r"\quad\Rightarrow\quad f = J\,(J + sI)^{-1} y,\;\; s = \textstyle\sum_i \beta_i,\;\; "
    r"J = \big(\sum_i \tfrac{\beta_i}{s} K_i^{-1}\big)^{-1}",
    r"V_0 = K,\qquad V_l = K \circ \sum_{e} A_e\, V_{l-1}\, A_e'^{\top},\qquad "
    r"k(G, G') = \sum_{l=0}^{L} \mathbf{1}^\top V_l\, \mathbf{1}",
)
ASSUMPTIONS: Final = (
    "*k*₁ is a Gaussian kernel of the continuous attributes as they are, *k*₂ the cosine of the discrete ones. *λ* "
    "weights the inverse of *k*₁: at *λ* = 1 the joint kernel is *k*₁ alone, at 0 *k*₂ alone, to the last digits, both "
    "with the same landmarks, weights *w*, nugget and normalisation. Sum and product get exactly these too.",
    "Folds divide graphs as they are, as in the paper: graphs that are copies may stand on both sides.",
    "“As it is”: the same kernel on all vertices, without landmarks and nugget. It shows what these cost, and decides "
    "nothing.",
    "Landmarks stand for all vertices: similarities of 200 landmarks agree with those of 1,000 vertices of ENZYMES to "
    ".997 (cosine off the diagonal). Most of that is the kernel's high mean; of what deviates from it .7 to .95 agrees.",
    "A vertex without a discrete attribute has linear kernel 0 with every vertex “as it is”. By landmarks it has not: "
    "its weights *w* come from both kernels, so that linear alone still sees some of the continuous attributes there.",
    "Walks of two graphs are compared in step, vertex by vertex, along edges of equal type and equal rounded length. "
    "ENZYMES has neither types nor lengths: there all edges are equal. The demo has both.",
    "Graphs are cosine-normalised. *C* is chosen inside every training fold, of every kernel from 1 to 10⁴. "
    "Transductive: landmarks are chosen among the vertices of all graphs, tested ones included, never by their classes.",
    f"{SOURCE}, section 3. {PATTERN}",
)


# Fig. 1 as two charts: accuracy against λ, and all kernels beside one another.

LEVELS: Final = {"sum": "sum", "product": "nystroem"}


def named(found: JointFigure, chosen: ChosenLam | None) -> dict[str, Accuracy]:
    """What is done, by the names of the page: singles first, the joint kernel last."""
    return {name: found.accuracy(one) for name, one in shown_kernels(found, chosen).items()}


def over_lam(found: JointFigure, chosen: ChosenLam | None) -> Picture | None:
    """Draw accuracy over λ, and return the picture; nothing before a joint kernel is measured."""
    panel_title(
        "Accuracy against λ",
        "%; bars: 95\u00a0%, other data sets; 0 is the linear kernel alone, 1 the Gaussian; the paper's Fig. 1 prints no "
        "numbers",
        ("Joint kernel", "Floor", "Interval"),
    )
    picture = against_lam(found, named(found, chosen))
    if picture is not None:
        draw(picture, "joint.lam")
    return picture


def beside(found: JointFigure, chosen: ChosenLam | None) -> Picture:
    """Draw all kernels beside one another, as in Fig. 1, and return the picture."""
    panel_title("Kernels beside one another", "as in Fig. 1; lines: 95\u00a0%, other data sets")
    rows = [
        Dot(name, 100 * one.mean, 100 * one.interval.low, 100 * one.interval.high)
        for name, one in named(found, chosen).items()
    ]
    picture = dots(rows, x_title="accuracy, %", floor=100 * found.floor)
    draw(picture, "joint.kernels")
    return picture


def against_lam(found: JointFigure, made: dict[str, Accuracy]) -> Picture | None:
    """Accuracy of the joint kernel by λ, with sum, product and the floor as levels."""
    done = [
        (lam, found.accuracy(one))
        for name, lam in MEASURING_JOINT.items()
        if (one := found.of(name)) is not None
    ]
    if not done:
        return None
    mean = np.array([one.mean for _, one in done])
    reach = np.array([[one.mean - one.interval.low, one.interval.high - one.mean] for _, one in done]).T
    line = Line("joint", [lam for lam, _ in done], 100 * mean, "joint", error=100 * reach, bars=True)
    levels = [Level(name, 100 * made[name].mean, role) for name, role in LEVELS.items() if name in made]
    levels.append(Level("floor", 100 * found.floor, "floor"))
    across = Across(
        "weight λ of the Gaussian kernel", ticks=list(MEASURING_JOINT.values()), range=(-0.03, 1.03)
    )
    return curve([line], across, Values(unit="%", bounds=(0, 100)), levels=levels, height=fitted(340))


# The verdict of the page Joint regularization: one sentence and three numbers.

JOINT, OTHER, FLOOR = "Joint", "Best other", "Floor"
NAMES: Final = (JOINT, OTHER, FLOOR)
SAME: Final = ("Gaussian alone", "linear alone", "sum", "product")
"""Kernels with the same landmarks, weights, nugget and folds as the joint kernel."""


def fill(place: VerdictPlace, found: JointFigure, chosen: ChosenLam | None) -> None:
    """Write it, once every λ is measured."""
    if chosen is None:
        return
    place.say(verdict_words(figure_verdict(found, chosen)), "accuracy")
    joint, made = found.accuracy(chosen.tried), named(found, chosen)
    ends = span(joint.interval.low, joint.interval.high)
    place.number(
        0, JOINT, percent(joint.mean, 1), ends, "λ chosen inside every training fold; in grey 95\u00a0%."
    )
    best = max((name for name in SAME if name in made), key=lambda name: made[name].mean, default="")
    if best:
        place.number(
            1, OTHER, percent(made[best].mean, 1), best, "Of each kernel alone, their sum and their product."
        )
    place.number(2, FLOOR, percent(found.floor, 1), "", "The largest class alone.")


# Who wins, and every number of Fig. 1 with its spreads.


def verdict(found: JointFigure, chosen: ChosenLam | None) -> None:
    """Say who wins: the joint kernel with λ chosen inside the training folds, against each kernel treated like it."""
    if chosen is None:
        st.caption("Who wins is said as soon as every λ is measured.")
        return
    compared = against(found, chosen.tried)
    panel_title(
        "Who wins",
        "the joint kernel, λ chosen inside every training fold, less each kernel with the same landmarks, weights, nugget "
        "and folds; in points",
        ("Joint kernel", "Nested cross-validation", "Told apart", "Corrected resampled t"),
    )
    made = figure_verdict(found, chosen)
    st.markdown(sentence(compared), help=verdict_rule(made))
    drawn.table("joint.verdict", _rows(compared))
    picks = ", ".join(f"{name.removeprefix('joint, ')} in {count}" for name, count in chosen.picks)
    st.caption(
        f"Chosen: {picks} of {chosen.picked.size} folds. With λ chosen inside the folds the joint kernel has "
        f"{percent(found.accuracy(chosen.tried).mean, 1)}. {chosen.best.capitalize()} looks best on the test folds, "
        f"{points(chosen.optimism)} points above that: {OPTIMISTIC}. {rule_words(len(compared))} Kernels as "
        "they are have another treatment: they are among all of the first sentence, and not compared here."
    )


def sentence(compared: tuple[Against, ...]) -> str:
    """Return who wins, or that nobody does."""
    if len(compared) < 4 and not any(each.told for each in compared):
        return "Not all kernels are measured yet."
    wins = [_called(each.name) for each in compared if each.told > 0]
    losses = [_called(each.name) for each in compared if each.told < 0]
    if not wins and not losses:
        return "Nobody: these graphs do not tell the joint kernel from either kernel alone, their sum or their product."
    parts = []
    if wins:
        parts.append(f"The joint kernel is better than {_listed(wins)}")
    if losses:
        parts.append(f"{'it' if parts else 'The joint kernel'} is worse than {_listed(losses)}")
    rest = [_called(each.name) for each in compared if not each.told]
    if rest:
        parts.append(f"it is not told apart from {_listed(rest)}")
    return f"{'; '.join(parts)}."


def _called(name: str) -> str:
    return f"the {name} kernel alone" if name in ("Gaussian", "linear") else f"the {name}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _rows(compared: tuple[Against, ...]) -> dict[str, list[str]]:
    return {
        "joint less": [_called(each.name).removeprefix("the ") for each in compared],
        "difference": [f"**{points(each.difference)}**" for each in compared],
        "95\u00a0%, other data sets": [
            f"{points(each.interval.low)} to {points(each.interval.high)}" for each in compared
        ],
        "p": [p_value(each.p) for each in compared],
        "p after Holm": [p_value(each.holm_p) for each in compared],
        "of papers: corrected resampled t": [
            "—" if math.isnan(each.corrected_t_p) else p_value(each.corrected_t_p) for each in compared
        ],
        "told apart": [("no", "joint is better", "joint is worse")[each.told] for each in compared],
    }


def kernels(found: JointFigure, chosen: ChosenLam | None) -> None:
    """Draw every kernel with its accuracy, interval and spreads."""
    made = named(found, chosen)
    panel_title(
        "Every kernel",
        f"accuracy, %; [95\u00a0%]; λ chosen: inside every training fold; floor {percent(found.floor, 1)}",
    )
    drawn.table(
        "joint.kernels",
        {
            "kernel": list(made),
            "accuracy": [f"**{100 * one.mean:.1f}**" for one in made.values()],
            "over graphs": [
                f"[{100 * one.interval.low:.1f}, {100 * one.interval.high:.1f}]" for one in made.values()
            ],
            "sd over repetitions": [number(100 * one.sd_repeats, 1) for one in made.values()],
            "sd over folds": [number(100 * one.sd_folds, 1) for one in made.values()],
        },
    )


# What the page Joint regularization gives away: one of its kernels, the table, both charts, a script.

_MOST: Final = power_of_ten(round(math.log10(COSTS[-1])))
CHOSEN_C: Final = f"C chosen inside every training fold, from {number(COSTS[0])} to {_MOST}"
"""How every kernel of the page is judged: with one C for all folds, as on other pages, it has another accuracy."""
ANOTHER: Final = f"The accuracy here has {CHOSEN_C}: Evaluate with one fixed C shows another."
PRINTS = "*((name, $0.accuracy(one).mean) for name, one in $0.tried.items()), sep='\\n'"


FILE_SETTINGS: Final = (setting("keep", "Kernel to keep"),)


def files(subject: Subject, found: JointFigure, chosen: ChosenLam | None, drawn: Picture | None) -> None:
    """Draw the row of downloads."""
    name = widgets.choose(
        "keep", MEASURING_NAMES, default=MEASURING_NAMES[3], key="joint.keep.which", width=260,
        help="Walks over this kernel on vertices, cosine-normalised.",
    )  # fmt: skip
    given = Result(
        f"walks, {name}",
        kernel=partial(kernel, subject.config, subject.graphs, name),
        table=Offer(lambda: rows(subject, found, chosen), name="joint-regularization-figure-1"),
        script=Offer(lambda: script(subject), name="joint-regularization-figure-1"),
        figure=None if drawn is None else Drawing(
            lambda: drawn, title="Joint regularization, Fig. 1", name="joint-regularization-figure-1",
            settings={
                "graphs": found.n_items, "folds": found.n_folds, "repetitions": found.n_repeats, "σ": found.sigma,
                "nugget": subject.config.nugget, "landmarks": found.n_landmarks, "walks up to": subject.config.length,
                "seed": subject.validation.seed,
            },
        ),
    )  # fmt: skip
    keep_row(given, key="joint", keep=Keep(help=ANOTHER, then=f"{EVERYWHERE} {ANOTHER}"))


def rows(subject: Subject, found: JointFigure, chosen: ChosenLam | None) -> list[dict[str, object]]:
    """Return the table as rows of a file, with the settings that made it."""
    config, validation = subject.config, subject.validation
    return [
        {
            "kernel": name, "accuracy": one.mean, "over_graphs_from": one.interval.low, "over_graphs_to": one.interval.high,
            "sd_repetitions": one.sd_repeats, "sd_folds": one.sd_folds, "graphs": found.n_items,
            "folds": found.n_folds, "repetitions": found.n_repeats, "floor": found.floor, "sigma": found.sigma,
            "nugget": config.nugget, "landmarks": found.n_landmarks, "choice": config.choice, "length": config.length,
            "seed": validation.seed,
        }
        for name, one in named(found, chosen).items()
    ]  # fmt: skip


def script(subject: Subject) -> str:
    """Return the script that measures the same kernels."""
    states = call("found", "last_state", call("states", "measuring_joint", *subject.args))
    return write_script(
        [states], heading=f"Kernex: Fig. 1 of {SOURCE}, measured\nKernel, accuracy.", prints=[PRINTS]
    )


# What can be set on the page Joint regularization.

TABS: Final = "joint.tab"
SETTINGS: Final = declared(
    *in_view(*subject.IN_VIEW, *FILE_SETTINGS, *THEOREM_SETTINGS, setting("tab", "Part of the page")),
    *subject.SETTINGS,
)


SAYS: Final = (
    "Fig. 1 compares graphs whose vertices have attributes, continuous and discrete ones, and **{name}** does not have "
    "both. Open the demo, bring a TUDataset folder as a zip on the page Data, or fetch the stand-in for the paper's graphs:"
)
LANDMARKS: Final = "Landmarks are chosen among the vertices of all graphs, never by their classes."


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    graphs, labels = with_attributes(dataset), dataset.judgeable
    if graphs is None:
        st.markdown(SAYS.format(name=plain(dataset.name)))
        demo_buttons("joint", about="graphs")
        public_data("joint", ("enzymes",))
        show_theorem()
        return
    if labels is None:
        st.markdown("Fig. 1 needs graphs of at least two classes. Bring labels on the page Data.")
        show_theorem()
        return
    subject = choose(dataset, graphs, labels)
    place = VerdictPlace(*NAMES)
    page.badge("not the paper's data", "orange", ":material/science:", _origin(subject))
    state_badge(
        state_of(ITEMS),
        page.slot,
        about=LANDMARKS,
    )
    study = Staged(figure, measuring_figure, subject.args, resumes=True)
    place.waits("Who wins is said as soon as every λ is measured.")
    with place.wait.container():
        found = run_study(
            study.leading,
            key="papers.joint",
            what="kernels",
            automatic=subject.quick,
            label="Measure",
            cost="13 kernels on the same folds, each in some seconds: this starts with a click.",
        )
    if found is None:
        st.markdown(":gray[Nothing is measured yet. The paper's Fig. 1 prints no numbers.]")
    _result(subject, found, place)


def _origin(subject: Subject) -> str:
    if subject.like_enzymes:
        return (
            "The paper has 127 lyases and 127 ligases with typed edges and their lengths. ENZYMES has 100 and 100, without "
            "either; columns 3 to 6 are taken as continuous, 7 to 18 as discrete."
        )
    return (
        "The paper's 127 lyases and 127 ligases are not public. The same protocol runs on the chosen graphs."
    )


def _result(subject: Subject, found: JointFigure | None, place: VerdictPlace) -> None:
    chosen = None if found is None else chosen_lam(found)
    picture: Picture | None = None
    parts: dict[str, Callable[[], None]] = {}
    if found is not None:
        fill(place, found, chosen)
        with st.container(gap="xsmall", key="maps"):
            picture = over_lam(found, chosen)
        parts["Every kernel"] = lambda: _every(found, chosen)
        parts["Who wins"] = lambda: verdict(found, chosen)
    parts["Theorem 4"] = show_theorem
    parts["Method"] = lambda: _method(subject, found)
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)
    own_classes(subject.labels)
    if found is not None:
        files(subject, found, chosen, picture)


def _every(found: JointFigure, chosen: ChosenLam | None) -> None:
    beside(found, chosen)
    kernels(found, chosen)


def _method(subject: Subject, found: JointFigure | None) -> None:
    if found is not None:
        st.caption(_measured(subject, found))
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
    st.markdown("**Errata found by computation**\n\n" + "\n".join(f"- {unbroken(each)}" for each in ERRATA))


def _measured(subject: Subject, found: JointFigure) -> str:
    said = [
        f"{judged_times(found.n_items, found.n_repeats)}, {found.n_folds}-fold: "
        f"{found.n_items * found.n_repeats:,} decisions a kernel · {found.n_vertices:,} vertices, {found.n_landmarks:,} "
        f"landmarks, σ = {number(found.sigma)}, nugget {number(subject.config.nugget)}, walks up to {subject.config.length} "
        f"edges, {CHOSEN_C}, seed {subject.validation.seed} · {number(found.seconds, 1)} s."
    ]
    if found.unset:
        said.append(
            f"{found.unset:,} vertices have no discrete attribute: their linear kernel “as it is” is 0 with every vertex. "
            "By landmarks it is not: both kernels describe a vertex by them."
        )
    if found.empty:
        said.append(f"{found.empty:,} graphs have no vertices: they are similar to nothing.")
    return " ".join(said)


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Joint regularization",
        "Fig. 1 of the paper: is a joint kernel on mixed attributes better than each kernel alone, their sum "
        "and their product?",
        SETTINGS,
    )
    dataset = need_data(demo="Structure graphs")
    with guard():
        show(page, dataset)
