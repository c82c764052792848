"""The page Many kernels on one screen: which, the verdict, weights beside accuracy; then what one asks second."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameters
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted, listed
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.verdict import Candidate
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.many_kernels import (
    ALONE,
    DecisionParts,
    ManyAccuracy,
    ManyConfig,
    WeighedKernels,
    alignments_between,
    decision_parts,
    noise_kernel,
)
from pages.combine import several
from pages.combine.many import judged
from pages.combine.many import weights as weighing
from pages.combine.many.judged import Study
from pages.combine.many.subject import (
    LEARNED,
    SETTINGS,
    TABS,
    eigenvalues,
    on_one_scale,
    one_of,
    take_former_protocol,
    weighed,
)
from pages.combine.many.subject import weights as held_weights
from pages.combine.several import Subject, subject_of
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number, percent, span
from pages.server.messages import guard, plain, shortened
from pages.server.navigation import page_at
from pages.ui import chosen, widgets
from pages.ui.answer import Later, VerdictPlace, draw_parts, first_row, group, in_title, settings_box
from pages.ui.figures.bars import signed_bars
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import common_scale, heatmap
from pages.ui.figures.spectrum import EigenvalueLine, spectra
from pages.ui.figures.theme import SERIES
from pages.ui.frame import PageFrame, formula_text, need_data, open_page, panel_title
from pages.ui.matrices import Panel, Words
from pages.ui.panels.accuracy import state_badges, without_classes
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.linked import draw, linked
from pages.ui.panels.verdicts import comparisons, verdict_words
from pages.ui.shown import copies_among, spelt, table
from pages.ui.widget import controls, widget

# How alike the kernels are, a kernel of noise with one click, and what each adds to the decision on one item.

NOISE: Final = (
    "A Gaussian kernel of six random features, kept beside the others. What does each way of weighing do with it? "
    "A small C leaves it out; a large one may not."
)


@cached(public=True)
def between(kernels: tuple[GramMatrix, ...]) -> FloatArray:
    """Alignments of every two kernels."""
    return alignments_between(kernels)


@cached(newest=16, public=True)
def parts_of(kernels: tuple[GramMatrix, ...], labels: Labels, config: ManyConfig, item: int) -> DecisionParts:
    """What each kernel adds to the decision on an item."""
    return decision_parts(kernels, labels, config, item)


def noise_button(ids: Sequence[str], box: str, names: Sequence[str]) -> None:
    """Offer a kernel of noise, which is kept and chosen at once; `box` is the key of the choice of kernels."""
    st.button(
        "Add a noise kernel", icon=":material/grain:", key="many.noise", help=NOISE, on_click=_add_noise,
        args=(tuple(ids), box, list(names)),
    )  # fmt: skip


def _add_noise(ids: tuple[str, ...], box: str, names: list[str]) -> None:
    seed = sum(name.startswith("noise, seed") for name in workspace.kept())
    kept = workspace.keep_kernel(f"noise, seed {seed}", noise_kernel(ids, seed))
    workspace.show_in(box, [*names, kept])


def show_alike(kernels: tuple[GramMatrix, ...]) -> None:
    """Draw the alignments as a table."""
    panel_title("How alike the kernels are", "cosine between centred kernels, 0 to 1")
    A = between(kernels)
    cells: dict[str, list[str]] = {"kernel": [plain(K.name) for K in kernels]}
    for K, column in zip(kernels, A.T, strict=True):
        cells[plain(shortened(K.name, 18))] = [number(float(value), 2) for value in column]
    table("many.alike", cells, hide_index=True)


def decision(subject: Subject, kernels: tuple[GramMatrix, ...], config: ManyConfig) -> None:
    """Take the decision on one item apart, once somebody asks."""
    labels = subject.labels
    if labels is None:
        return
    panel_title("One item", "what each kernel says about it")
    with st.container():
        ids = list(subject.covered.ids)
        marked = [name for name in chosen.chosen_ids() if name in ids]
        item = widgets.choose(
            "item", ids, default=marked[0] if marked else ids[0], key=f"many.item.{subject.dataset.name}",
            width=260, help="Weights and classifier are learned from all other items.",
        )  # fmt: skip
        place = ids.index(item) if item in ids else 0
        found = parts_of(kernels, labels, ManyConfig(C=config.C, loss=config.loss), place)
        total = found.parts.sum(axis=0) + found.bias
        k = int(np.argmax(total)) if len(found.classes) > 1 else 0
        names = [*(shortened(name, 24) for name in found.names), "bias"]
        values = [*found.parts[:, k].tolist(), float(found.bias[k])]
        draw(signed_bars(values, names=names, x_title=f"for {found.classes[k]}"), "many.decision")
        own = labels.y[place]
        st.caption(
            f"MKL at C = {number(config.C, 3)}, trained on all other items: {plain(ids[place])} gets "
            f"{number(float(total[k]), 3)} for {plain(found.classes[k])}, the sum of these bars"
            + (
                "; above 0 speaks for it, below against it. "
                if len(found.classes) == 1
                else ", the highest of all classes. "
            )
            + (f"Its class is {plain(str(own))}." if own else "It has no class.")
        )


# The verdict of the page Many kernels: one sentence and three numbers.

BEST, PLAIN, FLOOR = "Best", "Best plain", "Floor"
NAMES: Final = (BEST, PLAIN, FLOOR)
HINTS: Final = {
    PLAIN: "The best of what learns nothing: each kernel alone, and the sum in which all weigh alike.",
    FLOOR: "The largest class alone.",
}
"""They stand in the title's hint: the sliders of the weights are next on the way of the Tab key."""


def fill(place: VerdictPlace, found: ManyAccuracy) -> None:
    """Write it, once all are judged."""
    made = found.verdict
    if made is None:
        return
    alone = [name for name in found.judged if name.endswith(ALONE)]
    place.say(verdict_words(made, typed=alone), "multi-class accuracy")
    first = next(iter(found.judged.values()))
    _number(place, 0, BEST, made.best)
    if made.best_plain is not None:
        _number(place, 1, PLAIN, made.best_plain)
    place.number(2, FLOOR, percent(first.multi_class.floor, 1), help="")


def unlabelled(place: VerdictPlace, kernels: tuple[GramMatrix, ...], labels: Labels | None) -> None:
    """Say without labels which two are most alike."""
    A = between(kernels)
    value, u, v = max((float(A[u, v]), u, v) for u in range(len(A)) for v in range(u))
    names = f"{plain(kernels[v].name)} and {plain(kernels[u].name)}"
    place.say(f"Most alike are {names}: alignment {number(value, 2)}. {without_classes(labels)}")


def _number(place: VerdictPlace, at: int, name: str, one: Candidate) -> None:
    place.number(at, name, percent(one.value, 1), span(one.interval.low, one.interval.high), help="")


# The controls of the page Many kernels: which, weighed how, and everything behind Settings: made one how, judged how.

PROTOCOL = ("folds", "repeats", "C", "choose_C", "seed")


@dataclass(frozen=True)
class Choice:
    """Everything that is chosen above the picture; no names where fewer than two kernels are."""

    dataset: DataSet
    names: tuple[str, ...]
    config: ManyConfig
    validation: CrossValidation


def choose(dataset: DataSet) -> Choice:
    """Draw the first row."""
    own = dataset
    config = ManyConfig(nugget=dataset.defaults.nugget)
    with first_row():
        first, second = st.container(width="stretch"), st.container(width=150)
        third = st.container(width="content")
        for name, hint in HINTS.items():
            in_title(name, hint)
    with first:
        dataset, names = several.choose(dataset, several.box(dataset))
    with third, settings_box(2) as (left, right):
        with left:
            group("Kernels")
            config = controls(config, "", only=("kind", "normalize"))
            noise_button(own.ids, several.box(own), names)
            group("Learned weights")
            config = _learning(config)
        with right:
            take_former_protocol()
            group("Judging")
            validation = controls(
                CrossValidation(C=dataset.defaults.C), f"many.cv.{dataset.name}",
                only=(*PROTOCOL, *copies_among(dataset)), prefix="cv_",
            )  # fmt: skip
    with Later(second):
        config = _weighed(config, dataset.judgeable is not None)
    return Choice(dataset, names, config, validation)


def _weighed(config: ManyConfig, judged: bool) -> ManyConfig:
    """Draw how kernels are weighed; of the ways, those that need labels only where there are some."""
    if config.kind == "product":
        st.caption("A product has no weights.")
        return config
    ways = ("by hand", "equal", "alignment", "MKL") if judged else ("by hand", "equal")
    said = parameters(config)["weigh"].help
    return replace(config, weigh=widgets.choose("weigh", ways, help=said, key="weigh"))


def _learning(config: ManyConfig) -> ManyConfig:
    """Draw how weights are learned; its C is not that of classifiers, and has another name in the address."""
    described, values = parameters(config), {}
    for name, setting in LEARNED.items():
        values[name] = widget(described[name], getattr(config, name), name=name, setting=setting)
    return controls(replace(config, **values), "", only=("nugget",))


# How the page Many kernels works, in formulas and sentences.

FORMULAS: Final = (
    r"K_\eta = \sum_m \eta_m K_m,\qquad \eta_m \geq 0,\ \sum_m \eta_m = 1",
    r"\text{MKL: } \min_\eta \max_{0 \leq \alpha \leq C,\ y^\top\alpha = 0} 1^\top\alpha - \tfrac12 "
    r"\sum_m \eta_m (y\alpha)^\top K_m (y\alpha)",
    r"\text{joint: } J = \Big(\sum_m \eta_m (K_m + \rho I)^{-1}\Big)^{-1},\qquad "
    r"\text{new items: } k(x, \cdot) = k_\eta(x)^\top (K_\eta + \rho I)^{-1} J",
)
ASSUMPTIONS: Final = (
    "Only items that all kernels have are weighed and judged; kernels that lack items can be completed together first.",
    "By hand: moving one weight moves the others in proportion, for their sum stays 1.",
    "The duality gap of multiple kernel learning says how far the objective may be above the least, as a share of it. "
    "Of equal kernels only the summed weight is certain.",
    "Under Accuracy everything that looks at more than a pair is made inside the fold: scale, weights, the joint kernel "
    "(which test items reach by the last formula), and with a choice inside the folds both C. A product needs no fold.",
    "Weights that were learned here have seen all labels. A kernel that is made with them and kept says leak wherever "
    "it is judged.",
    "Bach, Lanckriet and Jordan, ICML 2004. "
    "Rakotomamonjy et al., JMLR 2008. Cortes, Mohri and Rostamizadeh, JMLR 2012. Borgwardt, Guttman, Vishwanathan "
    "and Smola, Joint regularization, 2005.",
)


# Why kernels or combinations of them could not be judged, in words: each reason once.


def show_unjudged(refused: Mapping[str, str]) -> None:
    """A line a reason; nothing where nothing was refused."""
    for why in dict.fromkeys(refused.values()):
        names = [plain(name) for name, said in refused.items() if said == why]
        st.caption(f"{listed(names)} could not be judged. {plain(why)}")


# The combination drawn, its spectrum, and what the page gives away of it.

MOST_SHOWN = 6


def name_of(config: ManyConfig, names: Sequence[str]) -> str:
    """ "weighted sum, MKL, of pixels, zones and 3 more"."""
    how = "" if config.kind == "product" else f", {config.weigh}"
    rest = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return f"{config.kind}{how}, of {', '.join(names[:2])}{rest}"


def show_results(
    subject: Subject, kernels: Sequence[GramMatrix], K: GramMatrix, config: ManyConfig, items: Items
) -> None:
    """Draw the kernels on one scale and what was made of them, and its spectrum."""
    panel_title("Combined", f"{config.kind}; the first is what was made, the others as they count in it")
    title = config.kind[0].upper() + config.kind[1:]
    shown = [Panel(title, "", K.values, common_scale([K.values]))]
    shown += [
        Panel(shortened(each.name, 20), config.normalize, each.values, common_scale([each.values]))
        for each in kernels[:MOST_SHOWN]
    ]
    words = Words(f"{subject.dataset.name}: {K.name}", f"scale {config.normalize}")
    linked(shown, items, key="many.combined", words=words, whole_page=True)
    if len(kernels) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN} of {len(kernels)} kernels are drawn.")


def spectrum(K: GramMatrix) -> None:
    """Draw the eigenvalues of the combination."""
    values = eigenvalues(K.values)
    panel_title("Spectrum", f"of the combination; smallest {number(float(values[-1]))}")
    picture = spectra([EigenvalueLine("combined", values, SERIES)], height=260)
    draw(picture, "many.spectrum")


def give(subject: Subject, K: GramMatrix, made: WeighedKernels, config: ManyConfig, items: Items) -> None:
    """Keep it, download it, get its script."""
    weights = ", ".join(number(float(weight), 3) for weight in made.weights)
    result = Result(
        K.name,
        kernel=lambda: K,
        figure=Drawing(
            partial(heatmap, K.values, items, name=K.name, height=620), title=K.name,
            settings={"data": subject.dataset.name, **spelt(config), "weights": weights},
        ),
        script=Offer(lambda: script(K), help="Python that computes this kernel again with kernex_core alone."),
    )  # fmt: skip
    keep_row(result, key="many", keep=Keep(named=True))


def script(K: GramMatrix) -> str:
    """Script of the combination."""
    return write_script([K.recipe], heading=f"Kernex: {K.name}", prints=["$0.values"])


@dataclass(frozen=True, eq=False)
class Weighed:
    """Kernels on one scale, their weights, and what they make together."""

    subject: Subject
    kernels: tuple[GramMatrix, ...]
    config: ManyConfig
    made: WeighedKernels
    K: GramMatrix


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    chosen = choose(dataset)
    if not chosen.names:
        return
    whole = subject_of(chosen.dataset, chosen.names, False)
    common = whole.covered.in_all.size
    if whole.incomplete and common < 3:
        _lead(whole)
        return
    subject = subject_of(chosen.dataset, chosen.names, True) if whole.incomplete else whole
    place = VerdictPlace(*(NAMES if subject.labels is not None else ()))
    if whole.incomplete:
        _left_out(subject)
    with st.container(gap="xsmall", key="maps"):
        first, second = st.columns([2, 3], gap="large")
    with first:
        hand, here = _weights(subject, chosen.config)
    study = found = None
    if subject.labels is None:
        unlabelled(place, here.kernels, subject.dataset.labels)
    else:
        study = judged.study_of(subject, subject.kernels, chosen.validation, chosen.config, hand)
        place.waits("Who is best, alone or together, is said here.")
        with place.wait.container():
            found = judged.run(subject, study)
        with second, guard():
            _accuracy(page, place, subject, found, study)
    _tabs(here, found, study, whole)
    give(subject, here.K, here.made, here.config, subject.items)


def _lead(whole: Subject) -> None:
    """Say that too few items are in all kernels, and where they are completed."""
    common, count = whole.covered.in_all.size, len(whole.covered.names)
    said = (
        f"Only {counted(common, 'item')} {'is' if common == 1 else 'are'} in all {count} kernels: too few "
        "to weigh them. Complete them together first, or leave one out."
    )
    st.info(said if common else several.none_in_all(whole.covered), icon=":material/info:")
    _link()
    several.show(whole)


def _left_out(subject: Subject) -> None:
    """Say which items are not in all kernels, and where they are completed."""
    with st.container(horizontal=True, vertical_alignment="center"):
        gone = counted(len(subject.dropped), "item")
        st.caption(f"Of {len(subject.covered.ids):,} items that all have; {gone} left out.", width="content")
        _link()


def _link() -> None:
    st.page_link(page_at("together"), label="Complete together", icon=":material/grid_view:")


def _weights(subject: Subject, config: ManyConfig) -> tuple[tuple[float, ...], Weighed]:
    """Draw sliders or what was learned; return weights by hand, and what is made of them."""
    names, above = list(subject.kernels), st.container()
    held_weights(len(names))  # nonsense leaves the address, whether or not they count
    hand: tuple[float, ...] = ()
    if config.weigh == "by hand" and config.kind != "product":
        hand = weighing.by_hand(names, f"many.hand.{subject.dataset.name}.{len(names)}")
    scaled = tuple(on_one_scale(K, config.normalize).renamed(name) for name, K in subject.kernels.items())
    made = weighed(scaled, None if config.weigh in ("by hand", "equal") else subject.labels, config, hand)
    K = one_of(scaled, made, config, name_of(config, names))
    units = np.array([float(np.diag(each.values).mean()) for each in subject.kernels.values()])
    with above:  # the sliders begin below the upper edge of the picture beside them
        panel_title("Weights", "sum 1" if config.kind != "product" else "a product has none")
        weighing.show(names, units, made, config)
    return hand, Weighed(subject, scaled, config, made, K)


def _accuracy(
    page: PageFrame, place: VerdictPlace, subject: Subject, found: ManyAccuracy | None, study: Study
) -> None:
    """Draw a dot for each that is judged, and write the verdict."""
    assert subject.labels is not None  # else nothing is judged
    if found is None:
        panel_title("Accuracy", "not judged yet")
        return
    if found.judged:
        state_badges(found.judged.values(), page.slot)
        judged.side_by_side(found, subject.labels, study)
        fill(place, found)
    else:
        place.say("Nothing can be judged here, neither alone nor together.")
        for at in range(len(NAMES)):
            place.without(at)
    show_unjudged(found.refused)


def _tabs(here: Weighed, found: ManyAccuracy | None, study: Study | None, whole: Subject) -> None:
    """Draw what one asks second: the part that is open."""
    subject, labels = here.subject, here.subject.labels
    parts: dict[str, Callable[[], None]] = {}
    if found is not None and study is not None and labels is not None and found.judged:
        parts["Accuracy"] = lambda: judged.accuracies(found, labels, study)
        if found.done >= found.total and len(found.judged) > 1:
            parts["Pairs"] = lambda: comparisons(found.judged, key="many")
    parts["Combined"] = lambda: _combined(here)
    parts["Alike"] = lambda: _alike(here)
    if labels is not None:
        parts["Learned weights"] = lambda: _learned(here, found)
    if whole.incomplete:
        parts["Coverage"] = lambda: several.show(replace(whole, dropped=subject.dropped))
    parts["Method"] = lambda: _method(found)
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)


def _combined(here: Weighed) -> None:
    show_results(here.subject, here.kernels, here.K, here.config, here.subject.items)
    spectrum(here.K)


def _alike(here: Weighed) -> None:
    show_alike(here.kernels)
    decision(here.subject, here.kernels, here.config)


def _learned(here: Weighed, found: ManyAccuracy | None) -> None:
    weighing.learned(here.made, len(here.kernels))
    if found is not None:
        judged.weights_of_folds(found)
    weighing.show_path(here.kernels, here.subject.labels, here.config)


def _method(found: ManyAccuracy | None) -> None:
    if found is not None and found.judged:
        st.caption(judged.rule(found))
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Many kernels", "How much should each of several kernels of the same items count?", SETTINGS
    )
    dataset = need_data()
    with guard():
        show(page, dataset)
