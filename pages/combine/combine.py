"""The page Combine on one screen: two kernels, the verdict, their combinations with λ at them, then accuracy over λ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameters
from kernex_core.completion.complete import Complete
from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS
from kernex_core.learning.chance.interval import Interval, judged_times
from kernex_core.learning.permutations import Permuted
from kernex_core.studies.combination import (
    ALONE,
    KINDS,
    LAMS,
    CombinationScores,
    combination_names,
    combination_verdict,
    of_each_curve,
)
from pages.combine.related import show_relation
from pages.combine.subject import LAM, SETTINGS, TABS, Subject, choice, judging_combinations, prepare, scores
from pages.server.digits import number, percent, span
from pages.server.messages import guard, plain, shortened
from pages.ui import widgets
from pages.ui.answer import Choosing, VerdictPlace, choose, draw_parts, is_asked
from pages.ui.figures.chart import Across, Items, Picture, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.heatmap import common_scale, heatmap
from pages.ui.frame import PageFrame, formula_text, need_data, open_page, panel_title
from pages.ui.matrices import Drag, Follow, Panel, Room, Words, joint_follows
from pages.ui.panels.accuracy import OPTIMISTIC, numbered_classes, own_classes, state_badge, without_classes
from pages.ui.panels.inspection import eigenvectors
from pages.ui.panels.item_map import chosen_row
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, buttons
from pages.ui.panels.linked import arranged, draw, linked
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import RULE, asked_chance, chance_columns, printed_chance, say_p, verdict_words
from pages.ui.shown import remarks_of_copies, spelt
from pages.ui.widget import widget

# What the page Combine gives away: each combination at λ as a kernel, file and script; the table of accuracies.


def results(subject: Subject, found: CombinationScores | None, lam: float, items: Items) -> None:
    """Choose a combination; keep it, download it, get its script."""
    made, both = subject.made, f"{subject.first.name} and {subject.second.name}"
    against = subject.known_chance(found)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = widgets.pick("kind", KINDS, default="joint", key="combine.kind")
        weight = "" if kind == "product" else f" λ={lam:g}"
        scores = Offer(
            lambda: rows(subject, found, against) if found is not None else [],
            label="Accuracies as CSV",
            help="Every combination at every λ, by repetition.",
            name="combinations",
            key="scores",
        )
        result = Result(
            f"{kind}{weight} of {both}",
            kernel=lambda: made.kernel(kind, lam),
            further=() if found is None else (scores,),
            figure=Drawing(
                lambda: heatmap(made.values(kind, lam), items, name=f"{kind} of {both}", height=620),
                key="kernel.figure",
                title=f"{kind} of {both}",
                settings=({} if kind == "product" else {"λ": f"{lam:g}"}) | spelt(made.config),
            ),
            script=Offer(
                lambda: script(subject, kind, lam, against),
                help="Python that computes this kernel, and its accuracy, again with kernex_core alone.",
            ),
        )
        buttons(result, key="combine", keep=Keep(then="it can be inspected and judged on the other pages."))


def eigenvectors_of(subject: Subject, lam: float, items: Items) -> None:
    """Draw those of every combination, and of both kernels as they are combined."""
    made = subject.made
    kernels = {name: partial(made.values, name, lam) for name in KINDS}
    for given, conditioned in ((subject.first, made.first), (subject.second, made.second)):
        kernels[f"{given.name}, conditioned"] = partial(getattr, conditioned, "values")
    eigenvectors(kernels, items, key="combine.eigenvector")


def script(
    subject: Subject, kind: str, lam: float, against: Mapping[str, Permuted] = MappingProxyType({})
) -> str:
    """Script of one combination, of the accuracy that the page shows for it, and of p against chance once asked for."""
    K = subject.made.kernel(kind, lam)
    results, prints = [K.recipe], ["$0.values"]
    if subject.labels is not None:
        results.append(call("judgement", "judge", K, subject.labels, subject.validation))
        verdict = _verdict(subject, subject.labels)
        alone = tuple(f"{each.name} alone" for each in (subject.first, subject.second))
        said = call("said", "verdict_sentence", verdict, gain="combining gains nothing", typed=alone)
        results += [said, verdict, *_permuted(subject, subject.labels, against)]
        prints += [
            "'multi-class accuracy', $1.multi_class.mean",
            "'one-vs-rest accuracy', $1.one_vs_rest.mean",
            "$1.rests_on, $1.interval(), $1.interval('one_vs_rest')",
            "$1.state.words",
            "$2",
            "*((each.name, each.value, each.interval.low, each.interval.high, each.p) for each in $3.candidates), sep='\\n'",
            *(f"{measure!r}, {printed_chance(4 + k)}" for k, measure in enumerate(against)),
        ]
    heading = f"Kernex: {kind} of {subject.first.name} and {subject.second.name}"
    return write_script(results, heading=heading, prints=prints)


def _permuted(subject: Subject, labels: Labels, against: Mapping[str, Permuted]) -> list[Call]:
    """All that is on the chart beside permuted labels, a recipe a measure that was asked for."""
    return [
        call(
            "permuted", "combination_chance", _both(subject), labels, subject.validation, first=subject.first.name,
            second=subject.second.name, measure=measure, permutations=found.permutations,
        )
        for measure, found in against.items()
    ]  # fmt: skip


def _both(subject: Subject) -> Call:
    return call(
        "both", "prepare_combination", subject.made.config, subject.first, subject.second,
    )  # fmt: skip


def _verdict(subject: Subject, labels: Labels) -> Call:
    """The best of each curve on the chart, among all that is judged there."""
    names = subject.first.name, subject.second.name
    states = call("states", "combining", _both(subject), labels, subject.validation)
    scores = call("scores", "last_state", states)
    whole = call("whole", "combination_verdict", scores, first=names[0], second=names[1])
    return call("verdict", "of_each_curve", whole, scores, *names)


def rows(
    subject: Subject, found: CombinationScores, against: Mapping[str, Permuted] = MappingProxyType({})
) -> list[dict[str, object]]:
    """Return one row a combination, λ and repetition, each with what the verdict says of it once all are judged, and with
    its p against chance where that was asked for.
    """
    names = combination_names(found, subject.first.name, subject.second.name)
    beside: dict[str, dict[str, object]] = {}
    if found.done == found.total and subject.labels is not None:
        for measure in COLUMNS:
            made = combination_verdict(
                found, first=subject.first.name, second=subject.second.name, measure=measure
            )
            for each in made.candidates:
                p = "" if each is made.best else each.p
                beside.setdefault(each.name, {})[f"{measure}_p_beside_the_best"] = p
    return [
        {
            "combination": name, "lambda": "" if kind in (*ALONE, "product") else lam,
            "repetition": repetition, "multi_class": score.multi_class, "one_vs_rest": score.one_vs_rest,
            "mode": subject.made.state(kind).words,
            **beside.get(name, {}), **chance_columns(against, name),
        }
        for (kind, lam), name in names.items()
        for repetition, score in enumerate(found.scores[kind, lam])
    ]  # fmt: skip


# Accuracy of every combination against λ, on the page Combine, and what it rests on.


def show_results(subject: Subject, found: CombinationScores | None, lam: float) -> None:
    """Draw joint kernel and weighted sum against λ, with what has none as levels."""
    if subject.labels is None or found is None:
        why = "needs labels of at least two classes" if subject.labels is None else "not judged yet"
        panel_title("Accuracy", why)
        return
    measure, folds = subject.measure, subject.validation.folds
    panel_title(
        "Accuracy",
        f"%, {measure.replace('_', '-')}, {f'{folds}-fold' if folds else 'leave-one-out'}, the same folds for every kernel; "
        "bars: 95\u00a0%, other data sets",
        ("Multi-class", "One-vs-rest", "Floor", "Joint kernel"),
    )
    draw(chart(subject, found, lam, 260), "combine.accuracy")
    own_classes(subject.labels)
    numbered_classes(subject.labels)
    remarks_of_copies(
        "combine", (subject.made.first, subject.made.second), subject.labels, subject.validation
    )
    if found.done < found.total:
        return
    count = len(found.scores)
    st.caption(
        f"{judged_times(found.n_items, found.repeats)}; told apart: p below .05, corrected for {count * (count - 1) // 2} "
        f"pairs (Holm). Floor: {percent(found.floor[measure], 1)}."
    )
    asked = asked_chance(subject.chance(found, measure), key="combine")
    say_p(asked, subject.verdict(measure).best.name, key="combine", measure=measure.replace("_", "-"))


def chart(subject: Subject, found: CombinationScores, lam: float, height: int, floor: bool = True) -> Picture:
    """Accuracy (%) of joint kernel and weighted sum against λ, with what has no λ as levels."""
    field, lines = subject.measure, []
    for kind, role in (("joint", "joint"), ("weighted sum", "sum")):
        done = [(at, v) for at in found.lams if (v := found.values(kind, at, field)).size]
        if done:
            places, mean = [at for at, _ in done], [100.0 * float(v.mean()) for _, v in done]
            lines.append(
                Line(kind, places, mean, role, error=_reach(found, kind, places, field), bars=kind == "joint")
            )
    levels = [
        Level(name, 100.0 * float(values.mean()), role)
        for name, kind, role in (
            (f"{subject.first.name} alone", "first", "source"),
            (f"{subject.second.name} alone", "second", "target"),
            ("product", "product", "nystroem"),
        )
        if (values := found.values(kind, 0.0, field)).size
    ]
    if floor:
        levels.append(Level("floor", 100.0 * found.floor[field], "floor"))
    across = Across("weight λ of the first kernel", guide=lam)
    return curve(lines, across, Values(unit="%", bounds=(0, 100)), levels=levels, height=height)


def ends(subject: Subject, found: CombinationScores, field: str) -> str:
    """Say what the nugget alone does to either kernel: it is in the joint kernel and in nothing beside it."""
    said = []
    for kernel, kind, at in ((subject.first, "first", 1.0), (subject.second, "second", 0.0)):
        alone, joint = found.values(kind, 0.0, field), found.values("joint", at, field)
        if alone.size and joint.size:
            with_nugget, without = percent(float(joint.mean()), 1), percent(float(alone.mean()), 1)
            said.append(f"{plain(kernel.name)} with the nugget {with_nugget}, without the nugget {without}")
    rho = number(subject.made.config.nugget)
    return (
        f"The joint kernel ends at each kernel alone with the nugget {rho}: {'; '.join(said)}."
        if said
        else ""
    )


def _reach(found: CombinationScores, kind: str, lams: Sequence[float], field: str) -> FloatArray:
    """(2, n) points that its interval goes below and above the mean."""
    ends = []
    for lam in lams:
        mean, interval = float(found.values(kind, lam, field).mean()), found.interval(kind, lam, field)
        ends.append((np.nan, np.nan) if interval is None else (mean - interval.low, interval.high - mean))
    return 100.0 * np.array(ends).T


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

JOINT, SUM, BEST_ALONE, ALIKE = "Joint", "Weighted sum", "Best alone", "Alignment"
CURVES: Final = ((JOINT, "joint"), (SUM, "weighted sum"))


def names(judged: bool) -> tuple[str, ...]:
    """Return what the numbers are of, before anything is computed."""
    return (JOINT, SUM, BEST_ALONE) if judged else (ALIKE,)


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
    place.number(2, BEST_ALONE, percent(alone[best], 1), plain(shortened(kernel.name, 12)))


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
    "Related: HSIC, Gretton and others, 2005; distances: Mantel, 1967; a third kernel held fixed: Smouse and others, 1986.",
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
        "Accuracy": lambda: show_results(subject, found, lam),
        "Eigenvectors": lambda: eigenvectors_of(subject, lam, items),
        "Pair": lambda: chosen_row(panels(subject, lam), items, KEY),
        "Related": lambda: show_relation(subject),
        "Method": lambda: _method(subject, found),
    }
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)


def _method(subject: Subject, found: CombinationScores | None) -> None:
    said = [f"{RULE}."]
    if found is not None:
        said = [
            ends(subject, found, subject.measure),
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
