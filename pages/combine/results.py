"""What the page Combine gives away: each combination at λ as a kernel, file and script; the table of accuracies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.permutations import Permuted
from kernex_core.studies.combination import (
    ALONE,
    KINDS,
    CombinationScores,
    combination_names,
    combination_verdict,
)
from pages.server.digits import number, percent
from pages.server.messages import plain
from pages.ui import widgets
from pages.ui.figures.chart import Across, Items, Picture, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.heatmap import heatmap
from pages.ui.frame import panel_title
from pages.ui.panels.accuracy import numbered_classes, own_classes
from pages.ui.panels.chance import asked_chance, chance_columns, printed_chance, say_p
from pages.ui.panels.inspection import eigenvectors
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, buttons
from pages.ui.panels.linked import draw
from pages.ui.shown import remarks_of_copies, spelt

if TYPE_CHECKING:
    from pages.combine.subject import Subject


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


def show(subject: Subject, found: CombinationScores | None, lam: float) -> None:
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
