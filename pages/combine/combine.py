"""The page Combine on one screen: two kernels, the verdict, their combinations with λ at them, then accuracy over λ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameters
from kernex_core.completion.complete import Complete
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.chance.interval import Interval
from kernex_core.studies.combination import LAMS, CombinationScores, combination_names, of_each_curve
from pages.combine import results as accuracy
from pages.combine.results import chart, eigenvectors_of, results
from pages.combine.subject import LAM, SETTINGS, TABS, Subject, choice, judging_combinations, prepare, scores
from pages.server.digits import number, percent, span
from pages.server.messages import guard, plain, shortened
from pages.ui.answer import Choosing, VerdictPlace, choose, draw_parts, is_asked
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import common_scale
from pages.ui.frame import PageFrame, formula_text, need_data, open_page
from pages.ui.matrices import Drag, Follow, Panel, Room, Words, joint_follows
from pages.ui.panels.accuracy import OPTIMISTIC, state_badge, without_classes
from pages.ui.panels.item_map import chosen_row
from pages.ui.panels.linked import arranged, linked
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import RULE, verdict_words
from pages.ui.widget import widget

# Both kernels and what is made of them at λ, as linked matrices.

KEY = "combine.maps"


def draw_maps(subject: Subject, lam: float, how: str, carriers: DeltaGenerator) -> Items:
    """Draw them, with λ at them."""
    made = subject.made
    items = arranged(how, made.first, subject.labels)
    follows = (
        *joint_follows(made.path, 2, items.positions),
        Follow(3, "mix", of=(0, 1), note="λ = {}"),
    )
    pick = "" if subject.labels is None else "Choose λ"
    drag = Drag(
        LAM, "λ", "λ, in the picture", lam, 0.0, 1.0, 0.01, follows, title="Weight of the first", pick=pick
    )
    settings = f"λ = {number(lam, 2)}, nugget {number(made.config.nugget, 3)}"
    words = Words(f"{subject.dataset.name}: {subject.first.name} and {subject.second.name}", settings)
    linked(panels(subject, lam), items, key=KEY, words=words, drag=drag, room=Room(carriers, 0.4, TABS))
    return items


def panels(subject: Subject, lam: float) -> list[Panel]:
    """Return what is drawn."""
    made, at = subject.made, f"λ = {number(lam, 2)}"
    shown: list[tuple[str, str, FloatArray]] = [
        (subject.first.name, "first", made.first.values),
        (subject.second.name, "second", made.second.values),
        ("Joint", at, made.values("joint", lam)),
        ("Weighted sum", at, made.values("weighted sum", lam)),
        ("Product", "entry by entry", made.values("product", lam)),
    ]
    return [Panel(shortened(name, 20), note, K, common_scale([K])) for name, note, K in shown]


# The verdict of the page Combine: one sentence and three numbers.

JOINT, SUM, ALONE, ALIKE = "Joint", "Weighted sum", "Best alone", "Alignment"
CURVES: Final = ((JOINT, "joint"), (SUM, "weighted sum"))


def names(judged: bool) -> tuple[str, ...]:
    """Return what the numbers are of, before anything is computed."""
    return (JOINT, SUM, ALONE) if judged else (ALIKE,)


def fill(place: VerdictPlace, subject: Subject, found: CombinationScores | None, lam: float) -> None:
    """Write it."""
    if subject.labels is None:
        _unlabelled(place, subject)
        return
    if found is None or found.done < found.total:
        place.waits("All combinations are judged on the same folds; the best of them is then said here.")
        return
    place.say(sentence(subject, found), f"{subject.measure.replace('_', '-')} accuracy")
    at = min(LAMS, key=lambda judged: abs(judged - lam))
    for k, (name, kind) in enumerate(CURVES):
        interval = found.interval(kind, at, subject.measure)
        note = _ends(interval) if abs(at - lam) < 1e-9 else f"λ = {number(at, 2)}"
        value = float(found.values(kind, at, subject.measure).mean())
        place.number(k, name, percent(value, 1), note)
    alone = {kind: float(found.values(kind, 0.0, subject.measure).mean()) for kind in ("first", "second")}
    best = max(alone, key=lambda kind: alone[kind])
    kernel = subject.first if best == "first" else subject.second
    place.number(2, ALONE, percent(alone[best], 1), plain(shortened(kernel.name, 12)))


def sentence(subject: Subject, found: CombinationScores) -> str:
    """Say which of all that is on the chart is best, a curve by its best λ, and who is told apart from it."""
    both = subject.first.name, subject.second.name
    made = of_each_curve(subject.verdict(subject.measure), found, *both)
    return verdict_words(made, gain="combining gains nothing", typed=[f"{name} alone" for name in both])


def _unlabelled(place: VerdictPlace, subject: Subject) -> None:
    alike = subject.alike
    place.say(
        f"Alignment {number(alike, 2)}: how alike both kernels are, from 0 to 1. "
        f"{without_classes(subject.dataset.labels)}"
    )
    place.number(
        0, ALIKE, number(alike, 2), "", "Cosine between both kernels, centred: 1 = the same but for size."
    )


def _ends(interval: Interval | None) -> str:
    return "" if interval is None else span(interval.low, interval.high)


# Choose λ, and with it how both kernels are combined: opened by the button in the bar of the pictures.


def dialog_if_asked(subject: Subject, found: CombinationScores | None, lam: float) -> None:
    """Open the dialog where the button was pressed."""
    if not is_asked(KEY) or found is None or found.done < found.total:
        return
    named = {
        name: key for key, name in combination_names(found, subject.first.name, subject.second.name).items()
    }
    # without the floor: nobody sees what happens between 95 and 98 on a scale that begins at 28
    choose(
        Choosing(
            "λ", subject.choosing(), "combine", lambda name: _used(*named[name]),
            now=f"joint (λ = {lam:g})", picture=lambda: chart(subject, found, lam, 240, floor=False),
        )
    )  # fmt: skip


def _used(kind: str, lam: float) -> dict[str, object]:
    """What is set: the combination that is kept, and λ where it has one."""
    return {"combine.kind": kind} | ({} if kind == "product" else {LAM: lam})


# How the page Combine works, in formulas and sentences.

FORMULAS: Final = (
    r"K_{\mathrm{joint}}(\lambda) = \left(\lambda (K_1+\rho I)^{-1} + (1-\lambda)(K_2+\rho I)^{-1}\right)^{-1}",
    r"K_{\mathrm{sum}}(\lambda) = \lambda K_1 + (1-\lambda) K_2,\qquad K_{\mathrm{product}} = K_1 \circ K_2",
)
ASSUMPTIONS: Final = (
    "The joint kernel is a weighted *harmonic* mean: smooth is what both kernels find smooth. It is no weighted sum.",
    "*λ* weights the first kernel. At 0 the joint kernel is the second one, at 1 the first, each with the nugget *ρ* "
    "on its diagonal. Kernels alone, sums and products have no nugget, here and on the page Evaluate: under Accuracy "
    "stands what the nugget alone does to either kernel.",
    "All kernels of a chart are judged on the same folds, with the same *C*. What is kept is what was judged.",
    "One decomposition serves every *λ*.",
    "Borgwardt, Guttman, Vishwanathan, Smola, Joint regularization, 2005; Kernel extrapolation, 2006, section 3.",
)


AUTOMATIC = 320
"""Up to this number of items all combinations are judged in a few seconds, without a click."""


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    chosen = choice(dataset)
    place = VerdictPlace(*names(dataset.judgeable is not None))
    made = prepare(chosen.config, chosen.first, chosen.second)
    if made is None:
        return
    subject = Subject(
        dataset, chosen.first, chosen.second, dataset.judgeable, made, chosen.validation, chosen.measure
    )
    joint, others = made.state("joint"), made.state("product")
    state_badge(joint, page.slot, of="" if joint == others else "joint")
    if joint != others:
        state_badge(others, page.slot, of="sum, product", key="plain")
    # the matrices do not wait for accuracies: once these are there, the page is drawn again
    study = _study(subject)
    _moving(subject, place, chosen.order, None if study is None else study.known())
    if study is not None:
        with place.wait.container():
            _judge(subject, study)


def _study(subject: Subject) -> Staged[CombinationScores] | None:
    """All combinations on the same folds; nothing without classes."""
    if subject.labels is None:
        return None
    args = (subject.made.config, subject.first, subject.second, subject.labels, subject.validation)
    return Staged(scores, judging_combinations, args)


def _judge(subject: Subject, study: Staged[CombinationScores]) -> None:
    """Run what is not judged yet, with progress; then the page is drawn again."""
    folds = subject.validation.folds * subject.validation.repeats or subject.first.n
    run_study(
        study.leading, key="combine", what="kernels", label="Judge all combinations",
        automatic=subject.first.n <= AUTOMATIC,
        cost=f"{3 + 2 * len(LAMS)} kernels × {folds:,} folds × {subject.n_classes} classes: this starts with a click.",
    )  # fmt: skip


@st.fragment
def _moving(subject: Subject, place: VerdictPlace, order: str, found: CombinationScores | None) -> None:
    with st.container(key=f"hidden_slider.{LAM}"):
        # it keeps the setting; the one that is seen is in the pictures
        lam = widget(parameters(Complete)["lam"], 0.5, name="lam", setting=LAM)
    with guard():
        fill(place, subject, found, lam)
        maps, lower, carriers = st.container(gap="xsmall", key="maps"), st.container(), st.container()
        with maps:
            items = draw_maps(subject, lam, order, carriers)
        with lower:
            _tabs(subject, found, lam, items)
            results(subject, found, lam, items)
        dialog_if_asked(subject, found, lam)


def _tabs(subject: Subject, found: CombinationScores | None, lam: float, items: Items) -> None:
    """Draw what one asks second: the part that is open."""
    parts: dict[str, Callable[[], None]] = {
        "Accuracy": lambda: accuracy.show(subject, found, lam),
        "Eigenvectors": lambda: eigenvectors_of(subject, lam, items),
        "Pair": lambda: chosen_row(panels(subject, lam), items, KEY),
        "Method": lambda: _method(subject, found),
    }
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)


def _method(subject: Subject, found: CombinationScores | None) -> None:
    said = [f"{RULE}."]
    if found is not None:
        said = [
            accuracy.ends(subject, found, subject.measure),
            f"The best λ of a curve is {OPTIMISTIC}.",
            *said,
        ]
    st.caption(" ".join(filter(None, said)))
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Combine",
        "Do two kernels of the same items know more together than either alone, and at which weight?",
        SETTINGS,
    )
    dataset = need_data()
    with guard():
        show(page, dataset)
