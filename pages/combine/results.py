"""What the page Combine gives away: each combination at λ as a kernel, file and script; the table of accuracies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

import streamlit as st

from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS
from kernex_core.learning.permutations import Permuted
from kernex_core.studies.combination import (
    ALONE,
    KINDS,
    CombinationScores,
    combination_names,
    combination_verdict,
)
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items
from pages.shared.panels.inspection.eigenvectors import eigenvectors
from pages.shared.panels.keep import Drawing, Keep, Offer, Result, buttons
from pages.shared.panels.several.chance import chance_columns, printed_chance
from pages.shared.settings import widgets
from pages.shared.shown.words import spelt

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
