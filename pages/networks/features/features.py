"""The page Features on a network on one screen: the verdict, weights on the network and without it, then the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.errors import TooLargeError
from kernex_core.base.parameters import parameters
from kernex_core.conditioning.network_features import SCALINGS, PreparedFeatures, Scaling, preparing_features
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.match import MatchedFeatures, Matching
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.networks.diffusion import Diffusion, LaplacianPseudoinverse, RegularizedLaplacian
from kernex_core.kernels.networks.network_kernel import NetworkKernel
from kernex_core.kernels.networks.spectrum import NODE_LIMIT
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.studies.networks.features.accuracy import FeatureSweep, NodeWeights
from pages.networks.features import judged
from pages.networks.features import judged as lasso
from pages.networks.features import subject as bring
from pages.networks.features.results import results, signed, unmatched
from pages.networks.features.subject import Subject, matched, prepared
from pages.networks.results import ends_in_percent
from pages.networks.subject import places
from pages.server.declared import declared, in_view, label, of, of_data, of_items, setting
from pages.server.digits import number, percent
from pages.server.messages import findings, guard, plain
from pages.ui import widgets
from pages.ui.answer import Choosing, VerdictPlace, draw_parts, first_row, group, settings_box
from pages.ui.answer import choose as choose_value
from pages.ui.frame import PageFrame, formula_text, need_data, open_page, panel_title
from pages.ui.glossary import explained
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Pieced, run_in_pieces
from pages.ui.panels.verdicts import numbers_in_a_row
from pages.ui.projector import fitted
from pages.ui.shown import choice_remarks, metric
from pages.ui.widget import controls, widget

# The controls of the page Features on a network: what it is about, and how it is judged.

AT_ONCE: Final = 500
"""Up to this number of nodes the decomposition takes no time worth a word."""
KINDS: Final[tuple[type[NetworkKernel], ...]] = (Diffusion, RegularizedLaplacian, LaplacianPseudoinverse)
PROTOCOL: Final = ("folds", "repeats", "C", "seed", "copies")
MOST_SIDE_BY_SIDE: Final = 4
"""Classes up to which they stand side by side."""
VECTORS_HELP: Final = "Profiles: a line an item, a column a gene."
NETWORK_HELP: Final = (
    "Its nodes are columns of the vectors. Those of other open data sets are offered, if they share an id."
)


TABS: Final = "features.tab"


def choose(dataset: DataSet) -> Subject | None:
    """Draw the first row and Settings; None where something has to be brought, which is then asked for."""
    offered = bring.vectors_of(dataset)
    with first_row():
        first = st.container(width=240)
        fourth = st.container(width="stretch", horizontal_alignment="right")
    every = {name: bring.networks_for(dataset, vectors) for name, vectors in offered.items()}
    if not any(every.values()):
        bring.say_no_network(dataset)
        return None
    labels = dataset.judgeable
    if labels is None:
        bring.say_no_labels()
        return None
    with first:
        kind = _kind()
    with fourth, settings_box(2) as (left, right):
        with left:
            group("Data")
            vectors, network = _data(dataset, offered, every)
            which = _class(labels)
            group("Matching")
            start = Matching(through=network.n <= NODE_LIMIT)
            key = f"features.matching.{dataset.name}.{network.digest[:8]}"
            matching = controls(start, key, prefix="matching_")
        with right:
            group("Kernel")
            kernel, scaling = _kernel(kind), _scaling()
            group("Judging")
            validation = _protocol(dataset)
    found = _prepare(matched(vectors, network, matching), kernel, scaling)
    if found is None:
        return None
    return Subject(dataset, found, kernel, labels, validation, which, len(vectors.columns))


def _data(
    dataset: DataSet, offered: dict[str, Vectors], every: dict[str, dict[str, Network]]
) -> tuple[Vectors, Network]:
    """Draw which vectors, where there are several with a network, and which network."""
    names = [name for name in offered if every[name]]
    name = names[0]
    if len(names) > 1:
        name = widgets.choose("vectors", names, key=f"features.vectors.{dataset.name}", help=VECTORS_HELP)
    networks = every[name]
    key = f"features.network.{dataset.name}.{len(networks)}"
    return offered[name], networks[widgets.choose("network", list(networks), key=key, help=NETWORK_HELP)]


def _kind() -> type[NetworkKernel]:
    title = widgets.choose(
        "features_kernel", [kind.title for kind in KINDS],
        help="How a weight is shared by columns that are joined: Method.",
    )  # fmt: skip
    return next(kind for kind in KINDS if kind.title == title)


def _kernel(kind: type[NetworkKernel]) -> NetworkKernel:
    described = parameters(kind)["laplacian"]
    key = f"features.laplacian.{kind.__name__}"
    chosen = widget(described, "normalized", name="laplacian", key=key, setting="features_laplacian")
    return kind(laplacian=chosen)  # type: ignore[call-arg]  # these three have one


def _scaling() -> Scaling:
    scaling: Scaling = widgets.pick(
        "scaling", SCALINGS, key="features.scaling",
        help="centred: less their mean over the training items. standardised: also over their standard deviation, for "
        "columns of different units. Of every kernel here, the plain one too.",
    )  # fmt: skip
    return scaling


def _protocol(dataset: DataSet) -> CrossValidation:
    given = dataset.defaults
    start = CrossValidation(folds=given.folds, repeats=given.repeats, C=given.C, inductive=True)
    return controls(start, f"features.cv.{dataset.name}", only=PROTOCOL, prefix="cv_")


def _class(labels: Labels) -> int:
    """Position of the class that a positive weight speaks for."""
    names = [name for name, _ in labels.classes]
    help = "A positive weight speaks for this class, a negative one against it."
    if len(names) <= MOST_SIDE_BY_SIDE:
        name = widgets.pick("of", names, key="features.of", help=help)
    else:
        name = widgets.choose("of", names, key="features.of", width=200, help=help)
    return names.index(name)


def _prepare(made: MatchedFeatures, kernel: NetworkKernel, scaling: Scaling) -> PreparedFeatures | None:
    """Decompose, with progress and Stop where it takes a while; None where it was stopped."""
    if made.network.n > NODE_LIMIT:
        raise TooLargeError(
            f"A network is decomposed up to {NODE_LIMIT:,} nodes", f"{made.network.n:,} nodes",
            "In Settings, take out nodes that were not measured",
        )  # fmt: skip
    return run_in_pieces(
        Pieced(prepared, preparing_features, (made, kernel.operator, scaling)),
        key="features.decompose", what="% of the decomposition", at_once=made.network.n <= AT_ONCE, label="Decompose",
    )  # fmt: skip


# The verdict of the page Features on a network: what the chosen value is worth beside the plain kernel.

PLAIN = "Plain"


def names(subject: Subject) -> tuple[str, ...]:
    """Return what the numbers are of."""
    scale = subject.scale
    return (f"Choice of {scale.symbol}", "At", PLAIN) if scale.name else ("On the network", PLAIN)


def fill(place: VerdictPlace, subject: Subject, value: float) -> None:
    """Write it."""
    found = subject.judged
    if found is None or found.done < found.total or not found.judged:
        place.waits(
            "Every value is judged on the same folds …" if judged.is_automatic(subject) else "Not judged yet."
        )
        return
    place.say(words(subject, found), "multi-class accuracy")
    kernel = subject.scale.at(subject.kernel, value)
    one = found.judged[found.kernels.index(kernel)] if kernel in found.kernels else None
    if subject.scale.name and found.nested is not None:
        nested = replace(found.nested, names=tuple(subject.named(each) for each in found.kernels))
        interval = nested.interval
        ends = f"{ends_in_percent(interval.low, interval.high)}\u00a0%"
        place.number(0, place.names[0], percent(nested.mean, 1), ends)
        _number(place, 1, f"At {subject.named(kernel)}", one)
    else:
        _number(place, 0, place.names[0], one)
    _number(place, len(place.names) - 1, PLAIN, found.plain, "The same profiles without the network.")


def words(subject: Subject, found: FeatureSweep) -> str:
    """Return what is chosen, what that is worth, and whether the plain kernel is told apart from it."""
    end: tuple[str, ...] = ()
    if subject.scale.name and found.nested is not None:
        nested = replace(found.nested, names=tuple(subject.named(each) for each in found.kernels))
        ends = f"[{ends_in_percent(nested.interval.low, nested.interval.high, ', ')}]"
        first, end = (
            f"{plain(nested.picks[0][0])} is chosen: {percent(nested.mean, 1)} {ends}",
            choice_remarks(nested),
        )
    else:
        first = f"{subject.kernel.title}: {percent(found.judged[0].multi_class.mean, 1)}"
    without = f"the plain kernel, {percent(found.plain.multi_class.mean, 1)}"
    beside = ""
    if found.claim is not None:
        above = "above" if found.claim.difference > 0.0 else "below"
        beside = f", {above if found.claim.paired.told_apart else 'not told apart from'} {without}"
    floor = f"largest class alone {percent(found.plain.multi_class.floor, 1)}"
    return " ".join([f"{first}{beside}; {floor}.", *end])


def _number(place: VerdictPlace, at: int, name: str, one: Judgement | None, about: str | None = None) -> None:
    interval = None if one is None else one.interval()
    note = "" if interval is None else f"{ends_in_percent(interval.low, interval.high)}\u00a0%"
    place.number(at, name, "—" if one is None else percent(one.multi_class.mean, 1), note, about)


# How the page Features on a network works, in formulas and sentences.

FORMULAS: Final = (
    r"k(x, x') = x^\top K_G\, x',\qquad K_G = e^{-\tau L}\ (\tau = 2t),\quad (c\,I + L)^{-1},\quad L^{+}",
    r"\text{plain: } K_G = I",
    r"f(x) = \beta^\top x + b,\qquad \beta = K_G X^\top \alpha,\qquad \text{roughness: } "
    r"\frac{\beta^\top L \beta}{\beta^\top \beta}",
    r"\text{graph lasso: } \min_\beta \tfrac{1}{n}\lVert y - X\beta\rVert^2 + \lambda\,\Omega(\beta)^2",
    r"\Omega(\beta) = \min_{\sum_e v_e = \beta} \sum_e \lVert v_e \rVert,\quad v_e \text{ on both ends of } e",
    r"K_e = x_i x_i^\top + x_j x_j^\top:\quad \min_{\eta \geq 0,\ \sum \eta_e = 1} "
    r"\lambda\, y^\top \Big(\sum_e \eta_e K_e + n \lambda I\Big)^{-1} y",
)
ASSUMPTIONS: Final = (
    "Columns of the vectors are matched with nodes by id. *x* holds a column at its node and 0 at nodes that were not "
    "measured; *L* is the Laplacian of the whole network, which is decomposed once for every value of the parameter.",
    "Columns are centred by the mean over the training items of each fold, and standardised, where asked for, by their "
    "standard deviation; unknown entries become that mean. The plain kernel *x'x'* has exactly the same columns, "
    "scaling, folds and cost *C*. Every kernel is divided by its mean self-similarity over the training items.",
    "Inductive: nothing of a tested profile is seen in training. The network says which columns are joined, and "
    "nothing of the items.",
    "Weights are drawn of a classifier that was trained on all labelled items: they are for looking. What the kernel is "
    "worth is said by cross-validation, and a parameter that was chosen for its accuracy by nested cross-validation.",
    "The highest of several values is too optimistic: it was chosen on the same folds that it is reported on.",
    "Graph lasso: one kernel of rank 2 an edge, one of rank 1 for a node without an edge, square loss on ±1, an "
    "intercept; weights by projected gradients until the duality gap is 10⁻³ of the objective. An edge of weight 10⁻⁶ "
    "or more is selected.",
    "Rapaport, Zinovyev, Dutreix, Barillot and Vert, Classification of microarray data using gene networks, BMC "
    "Bioinformatics 2007. Jacob, Obozinski and Vert, Group lasso with overlap and graph lasso, ICML 2009. Bach, "
    "Lanckriet and Jordan, ICML 2004.",
)


SMOOTH, WITHOUT = "Weights on the network", "Weights without the network"
HEIGHT = 305
"""Pixels of a drawing."""
TAU = "features_tau"
"""Key of the slider τ, and so its name in the address."""
MODES = {
    "inductive": "Columns are scaled, and everything is trained, on the training items of each fold.",
    "transductive": "Which columns vary most was seen over all items, tested ones too; their labels never. All else is "
    "fitted on the training items of each fold.",
}


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page, then judge what is not judged yet."""
    formula_text(FORMULAS, ASSUMPTIONS)
    subject = choose(dataset)
    if subject is None:
        return
    page.badge(subject.mode, help=MODES[subject.mode])
    place = VerdictPlace(*names(subject))
    with guard():
        with st.container(horizontal=True, vertical_alignment="bottom"):
            value = _slide(subject)
            found = subject.judged
            study = None if found is None else subject.choosing(found)
            name = f"Choose {subject.scale.symbol}"
            if found is not None and study is not None and st.button(name, key="features.choose"):
                _choose(subject, found, study, value)
        _pictures(subject, value)
        _tabs(subject, value)
        results(subject, value)
        fill(place, subject, value)
    judged.run(subject, place.wait)


def _choose(subject: Subject, found: FeatureSweep, study: NestedChoice, value: float) -> None:
    """Open the dialog in which the parameter is chosen."""
    scale = subject.scale
    values = {scale.words(each): each for each in scale.grid}
    key = TAU if scale.name == "tau" else "features_c"
    choose_value(
        Choosing(
            scale.symbol, study, "features", lambda name: (key, values[name]), now=scale.words(value),
            picture=lambda: judged.chart(subject, found),
        )
    )  # fmt: skip


def _pictures(subject: Subject, value: float) -> None:
    """Weights on the network at the value of the slider, beside those of the plain kernel."""
    at = subject.scale.words(value)
    smooth, plain_ones = subject.weights(value), subject.weights(None)
    with st.container(key="maps", gap="xsmall"):
        left, right = st.columns(2, gap="medium")
        with left:
            _drawing(subject, smooth, SMOOTH, ", ".join(filter(None, (subject.kernel.title, at))), "smooth")
        with right:
            _drawing(subject, plain_ones, WITHOUT, "plain kernel", "plain")
        others = [plain(name) for name, _ in subject.labels.classes if name != subject.of]
        other = others[0] if len(others) == 1 else "other classes"
        hollow = " Hollow: not measured." if subject.matched.without_column else ""
        st.caption(
            f"Orange speaks for {plain(subject.of)}, blue for {other}; area: size of the weight.{hollow}"
        )


def _tabs(subject: Subject, value: float) -> None:
    """Draw what one asks second: the part that is open."""
    parts: dict[str, Callable[[], None]] = {
        "Accuracy": lambda: judged.show(subject),
        "Numbers": lambda: _numbers(subject, value),
        "Which edges matter?": lambda: lasso.show_lasso(subject),
        "Matching": lambda: _matching(subject),
        "Method": lambda: _method(),
    }
    draw_parts(parts, key=TABS)


def _numbers(subject: Subject, value: float) -> None:
    """How the choice stands beside the plain kernel, how rough the weights are, and how near to what a demo has planted."""
    with guard():
        judged.numbers(subject, value)
    known = subject.planted
    for column, name, made in zip(
        st.columns(2, gap="medium"), (SMOOTH, WITHOUT), (subject.weights(value), subject.weights(None)), strict=True
    ):  # fmt: skip
        with column:
            panel_title(name)
            row = numbers_in_a_row(1 if known is None else 2)
            with row[0]:
                metric("Roughness", number(made.roughness, 2), help=explained("Roughness"), about=name)
            if known is not None:
                with row[1]:
                    metric(
                        "Agreement with truth", number(float(np.corrcoef(made.beta, known)[0, 1]), 2), about=name,
                        help="Correlation of the weights with the planted effect, over all nodes. No training sees it.",
                    )  # fmt: skip
    st.caption(
        "Trained on all labelled items: for looking, not for judging. Sizes are in units of the largest."
    )


def _matching(subject: Subject) -> None:
    """What matched and what did not, with names, and a box for another network."""
    matched = subject.matched
    st.caption(f"{matched.at.size:,} of {subject.columns:,} columns are on the network.")
    findings([*matched.notes, *(note for note in matched.network.notes if note.severity != "fine")])
    unmatched(subject)
    bring.bring_network(subject.dataset)


def _method() -> None:
    st.caption(
        "Weights follow the slider when it is let go: each of its values trains a classifier anew, which no browser does."
    )
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


VIEW_SETTINGS = setting(TAU, "Time τ"), setting("features_c", "Constant c")


def _slide(subject: Subject) -> float:
    """Draw the slider of the kernel's parameter, logarithmic, and return its value."""
    scale, kernel = subject.scale, subject.kernel
    if not scale.name:
        return scale.start
    described = parameters(kernel)[scale.name]
    made = widgets.stop(
        TAU if scale.name == "tau" else "features_c", scale.options, default=scale.start,
        said=lambda value: f"{value:g}", label=label(described, scale.name),
    )  # fmt: skip
    return float(made)


def _drawing(subject: Subject, made: NodeWeights, name: str, title: str, key: str) -> None:
    network = subject.matched.network
    where = places(network).places
    picture = signed(where, network, made.beta, made.of, unmeasured=subject.unmeasured, height=fitted(HEIGHT))
    with st.container(gap="xxsmall"):
        panel_title(name, plain(title))
        draw(picture, f"features.{key}")


# What can be set on the page Features on a network.

SETTINGS: Final = declared(
    *in_view(
        setting("features_kernel", "Kernel of the columns"), setting("tab", "Part of the page"), *VIEW_SETTINGS,
        *lasso.SETTINGS,
    ),
    of_data("vectors", "Vectors"), of_data("network", "Network of the columns"), of_items("of", "Weights speak for"),
    setting("features_laplacian", "Laplacian"), setting("scaling", "Columns"), *of(Matching, prefix="matching_"),
    *of(CrossValidation, *PROTOCOL, prefix="cv_"),
)  # fmt: skip


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Features on a network",
        "Profiles of genes, and a network of these genes: does it help to know which are joined, and which edges matter?",
        SETTINGS,
    )
    dataset = need_data(demo="Expression on a network")
    with guard():
        show(page, dataset)
