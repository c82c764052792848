"""What each kernel and each combination is worth on the same folds, and how much learned weights vary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import call, write_script
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.nested_choice import NestedChoice
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.mkl.judging import USED, WeightsOfFolds
from kernex_core.learning.permutations import Permuted
from kernex_core.learning.written_rows import written_accuracy
from kernex_core.pieces import finished
from kernex_core.studies.against_chance import permuting_together
from kernex_core.studies.many_accuracy import ManyAccuracy, judging_together
from kernex_core.studies.many_kernels import ManyConfig
from kernex_core.studies.many_ways import ALONE, choosing_together
from pages.combine.many import unjudged
from pages.combine.many.settings import take_former_protocol
from pages.combine.many.subject import Subject
from pages.combine.many.weights import WEIGHED
from pages.shared.cached import cached
from pages.shared.controls import spelt_out
from pages.shared.figures.dots import Dot, dots
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import number, percent
from pages.shared.frame import panel_title
from pages.shared.messages import findings, plain
from pages.shared.panels.accuracy import rests_on, with_interval
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Offer, Result, keep_row
from pages.shared.panels.optimism import OPTIMISTIC, choice_row
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.several.chance import (
    Asked,
    asked_chance,
    chance_row,
    p_against_chance,
    printed_chance,
    say_chance,
)
from pages.shared.panels.several.comparisons import comparisons
from pages.shared.panels.staged import Staged, run_study
from pages.shared.panels.verdicts import verdict_row, verdict_rule, verdict_words
from pages.shared.shown import registry
from pages.shared.shown.drawn import table
from pages.shared.shown.learners import CHOSEN
from pages.shared.shown.remarks import copies_field, remarks

AUTOMATIC: Final = 400
"""Items × classes up to which all are judged in a few seconds, without a click."""
PROTOCOL: Final = ("folds", "repeats", "C", "choose_C", "seed")


@cached(public=True)
def accuracy_of(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    config: ManyConfig,
    hand: tuple[float, ...],
) -> ManyAccuracy:
    """All of it; the page keeps partial ones under the same key."""
    *_, last = judging_together(kernels, labels, validation, config, hand)
    return last


@cached(public=True)
def chosen(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    config: ManyConfig,
    hand: tuple[float, ...],
    refused: tuple[str, ...],
) -> NestedChoice:
    """The choice among all of them; the page keeps partial ones under the same key."""
    *_, last = choosing_together(kernels, labels, validation, config, hand, refused)
    return last


@cached(public=True)
def permuted(
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    config: ManyConfig,
    hand: tuple[float, ...],
    refused: tuple[str, ...],
) -> Permuted:
    """All of them beside permuted labels; kept when it is whole."""
    return finished(permuting_together(kernels, labels, validation, config, hand, refused))


def show(
    subject: Subject, kernels: Mapping[str, GramMatrix], config: ManyConfig, hand: tuple[float, ...]
) -> None:
    """Judge, with progress and Stop; draw what is known."""
    panel_title("Accuracy", "each alone and together, on the same folds", ("Floor", "Interval", "Balanced"))
    labels = subject.labels
    if labels is None:
        st.markdown(
            ":gray[These items have no classes, so nothing can be judged by them. Labels are brought on the page Data.]"
        )
        return
    defaults = subject.dataset.defaults
    usual, key = CrossValidation(C=defaults.C), f"many.cv.{subject.dataset.name}"
    take_former_protocol()
    fields = (*PROTOCOL, *copies_field(labels, kernels.values()))
    validation = spelt_out(usual, key, fields, prefix="cv_")
    asked = having_a_say(config)
    study = Staged(accuracy_of, judging_together, (dict(kernels), labels, validation, asked, hand))
    place = st.empty()
    count = len(kernels) + 5
    run_study(
        study, key="many.judge", what="folds", label="Judge all",
        automatic=len(labels.y) * len(labels.classes) <= AUTOMATIC and len(kernels) <= 4,
        cost=f"{count} kernels × {validation.folds * validation.repeats or len(labels.y)} folds, weights learned anew in "
        "each: this starts with a click.",
    )  # fmt: skip
    found = study.known()
    if found is None:
        return
    if not found.judged:
        unjudged.show(found.refused, labels)
        return
    with place.container():
        draw(chart(found), "many.accuracy")
    made = found.verdict
    st.caption(words(found), help=None if made is None else verdict_rule(made))
    asked_of = _asked(found, study.args) if found.done >= found.total else None
    against = None if asked_of is None else asked_chance(asked_of, key="many")
    table("many.judged", cells(found, against), title="Each alone and together")
    say_chance(against, key="many")
    remarks("many.judged", found.judged)
    own_classes(labels)
    unjudged.show(found.refused, labels)
    if found.done >= found.total and len(found.judged) > 1:
        choice_row(
            Staged(chosen, choosing_together, (*study.args, tuple(found.refused))),
            key="many", of="the combination",
            cost=f"{len(found.judged)} rows, each judged inside every training fold too: this starts with a click.",
        )  # fmt: skip
        comparisons(found.judged, key="many")
    if found.weights:
        _weights(found)
    result = Result(
        f"{subject.dataset.name} many kernels",
        table=Offer(lambda: rows(found, against), label="Accuracies as CSV", name="many kernels accuracies"),
        further=(Offer(lambda: weight_rows(found), label="Weights of folds as CSV", name="weights of folds", key="folds"),)
        if found.weights
        else (),
        script=Offer(
            lambda: script(study.args, found, against), name="many kernels accuracies",
            help="Python that judges all of them again with kernex_core alone.",
        ),
    )  # fmt: skip
    keep_row(result, key="many.judged", look="tertiary")


def _asked(found: ManyAccuracy, args: tuple[object, ...]) -> Asked:
    first = next(iter(found.judged.values()))
    folds = first.passes.folds * first.passes.repeats
    return Asked(permuted, permuting_together, (*args, tuple(found.refused)), folds, found.seconds)


def script(args: tuple[object, ...], found: ManyAccuracy, against: Permuted | None = None) -> str:
    """Script that judges all of them on the same folds, and compares them with chance where the page did."""
    module = "from kernex_core.studies.many_accuracy import judging_together"
    made = [call("states", "judging_together", *args, imports=(module,))]
    prints = [
        "*((name, one.multi_class.mean, one.interval(), one.state.words) for state in list($0)[-1:] "
        "for name, one in state.judged.items()), sep='\\n'"
    ]
    if against is not None:
        made.append(
            call(
                "permuted", "together_chance", *args, tuple(found.refused), permutations=against.permutations,
                imports=("from kernex_core.studies.against_chance import together_chance",),
            )
        )  # fmt: skip
        prints.append(printed_chance(1))
    return write_script(
        made, heading="Kernex: each kernel alone and all of them together, on the same folds", prints=prints
    )


def having_a_say(config: ManyConfig) -> ManyConfig:
    """The settings without those that change no accuracy: they do not start the judging again."""
    asked = ManyConfig(normalize=config.normalize, C=config.C, loss=config.loss, nugget=config.nugget)
    if config.kind == "joint" and config.weigh in ("alignment", "MKL"):
        return replace(asked, kind=config.kind, weigh=config.weigh)
    return asked


def cells(found: ManyAccuracy, against: Permuted | None = None) -> dict[str, list[str]]:
    """One row a kernel and combination."""
    made = list(found.judged.values())
    chances = (
        {"against chance": [p_against_chance(against, name) for name in found.judged]} if against else {}
    )
    shown = {
        "kernel": [plain(name) for name in found.judged],
        "accuracy, %": [
            with_interval(one.multi_class.mean, one.interval(), floor=one.multi_class.floor) for one in made
        ],
        **chances,
        "± over repetitions": [number(100.0 * one.multi_class.sd_repeats, 1) for one in made],
        "balanced, %": [
            with_interval(one.balanced.mean, one.interval("balanced"), floor=one.balanced.floor)
            for one in made
        ],
        "one-vs-rest, %": [
            with_interval(one.one_vs_rest.mean, one.interval("one_vs_rest"), floor=one.one_vs_rest.floor)
            for one in made
        ],
        "mode": [one.state.words for one in made],
    }
    if len(made[0].classes) == 2:  # each decision is counted once for either class: the same numbers
        del shown["one-vs-rest, %"]
    return shown


def chart(found: ManyAccuracy) -> Picture:
    """One dot a kernel and combination, with its interval over items."""
    shown = []
    for name, made in found.judged.items():
        interval, value = made.interval(), 100.0 * made.multi_class.mean
        ends = () if interval is None else (100.0 * interval.low, 100.0 * interval.high)
        shown.append(Dot(name, value, *ends))
    floor = next(iter(found.judged.values())).multi_class.floor
    return dots(shown, x_title="accuracy, %", floor=100.0 * floor)


def words(found: ManyAccuracy) -> str:
    """What it rests on; who is best of all, the best plain baseline, and who is told apart from the best."""
    first = next(iter(found.judged.values()))
    said = [
        f"{rests_on(first)} Bars: 95\u00a0%, other data sets. Floor {percent(first.multi_class.floor, 1)}; {modes(found)}."
    ]
    made = found.verdict
    if made is not None:
        alone = [name for name in found.judged if name.endswith(ALONE)]
        said.append(
            f"**{verdict_words(made, typed=alone)}** The best of {len(made.candidates)} rows is {OPTIMISTIC}."
        )
    return " ".join(said)


def modes(found: ManyAccuracy) -> str:
    """What was seen of test items, where it is not the same of all."""
    by_mode: dict[str, list[str]] = {}
    for name, one in found.judged.items():
        by_mode.setdefault(one.state.words, []).append(name)
    if len(by_mode) == 1:
        return next(iter(by_mode))
    least = min(by_mode, key=lambda mode: len(by_mode[mode]))
    others = " or ".join(mode for mode in by_mode if mode != least)
    return f"{', '.join(map(plain, by_mode[least]))} {least}, the others {others}"


def _weights(found: ManyAccuracy) -> None:
    names = next(iter(found.weights.values())).names
    cells: dict[str, list[str]] = {"kernel": [plain(name) for name in names]}
    for how, weights in found.weights.items():
        cells[f"{how}: mean ± sd"] = [
            f"{number(float(m), 3)} ± {number(float(s), 3)}"
            for m, s in zip(weights.mean, weights.sd, strict=True)
        ]
        cells[f"{how}: used in"] = [percent(float(share)) for share in weights.used]
    folds = len(next(iter(found.weights.values())).by_fold)
    panel_title("Weights inside the folds", f"{counted(folds, 'fold')}; used: above {number(USED)}", WEIGHED)
    table("many.folds", cells, hide_index=True)
    for how, weights in found.weights.items():
        if weights.costs:
            picked = ", ".join(f"{C:g} in {count}" for C, count in weights.costs)
            st.caption(f"C of {how}, {CHOSEN}: {picked}.")
    ends = [f"{how}: {end.words}" for how, weights in found.weights.items() if (end := weights.grid_end)]
    registry.remark("many.weights", ends)
    findings(ends)


def rows(found: ManyAccuracy, against: Permuted | None = None) -> list[dict[str, object]]:
    """One row a kernel or combination."""
    made: list[dict[str, object]] = []
    verdict = found.verdict
    for name, one in found.judged.items():
        made.append(
            {
                "kernel": name,
                **written_accuracy(one),
                "one_vs_rest": one.one_vs_rest.mean, "mode": one.state.words,
                **verdict_row(verdict, name),
                **chance_row(against, name),
            }
        )  # fmt: skip
    return made


def weight_rows(found: ManyAccuracy) -> list[dict[str, object]]:
    """One row a way, fold and kernel."""

    def of(how: str, weights: WeightsOfFolds) -> Iterator[dict[str, object]]:
        for fold, each in enumerate(weights.by_fold, 1):
            for name, weight in zip(weights.names, each.tolist(), strict=True):
                yield {"weights": how, "fold": fold, "kernel": name, "weight": weight}

    return [row for how, weights in found.weights.items() for row in of(how, weights)]
