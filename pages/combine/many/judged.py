"""What each kernel and each combination is worth on the same folds, and how much learned weights vary."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.compare import written_accuracy
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.mkl.judging import USED, WeightsOfFolds
from kernex_core.learning.permutations import Permuted
from kernex_core.runtime.progress import finished
from kernex_core.studies.against_chance import permuting_together
from kernex_core.studies.many_kernels import (
    ALONE,
    SUM,
    ManyAccuracy,
    ManyConfig,
    choosing_together,
    judging_together,
)
from pages.combine.many.subject import set_weights
from pages.combine.many.weights import WEIGHED
from pages.combine.several import Subject
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number, percent
from pages.server.messages import findings, plain
from pages.ui import shown as registry
from pages.ui.answer import Choosing, choose
from pages.ui.figures.bars import Dot, dots
from pages.ui.figures.chart import Picture
from pages.ui.frame import panel_title
from pages.ui.panels.accuracy import OPTIMISTIC, numbered_classes, own_classes, rests_on, with_interval
from pages.ui.panels.keep import Offer, Result, keep_row
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import (
    Asked,
    asked_chance,
    beside,
    chance_row,
    p_against_chance,
    printed_chance,
    say_chance,
    verdict_row,
    verdict_rule,
)
from pages.ui.shown import CHOSEN, remarks, table

AUTOMATIC: Final = 400
"""Items × classes up to which all are judged in a few seconds, without a click."""


Kernels: TypeAlias = Mapping[str, GramMatrix]
Hand: TypeAlias = tuple[float, ...]
Study: TypeAlias = Staged[ManyAccuracy]
HAND: Final = "weights by hand"


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


def study_of(
    subject: Subject, kernels: Kernels, validation: CrossValidation, config: ManyConfig, hand: Hand
) -> Study:
    """What is judged: each kernel alone, and each combination with weights made inside the folds."""
    return Staged(
        accuracy_of, judging_together, (dict(kernels), subject.labels, validation, having_a_say(config), hand)
    )


def run(subject: Subject, study: Study) -> ManyAccuracy | None:
    """Judge, with progress and Stop; return what is known."""
    kernels, labels, validation = study.args[0], subject.labels, study.args[2]
    assert isinstance(kernels, dict)
    assert labels is not None
    assert isinstance(validation, CrossValidation)
    folds = validation.folds * validation.repeats or len(labels.y)
    return run_study(
        study.leading, key="many.judge", what="folds", label="Judge all",
        automatic=len(labels.y) * len(labels.classes) <= AUTOMATIC and len(kernels) <= 4,
        cost=f"{len(kernels) + 5} kernels × {folds} folds, weights learned anew in each: this starts with a click.",
    )  # fmt: skip


def side_by_side(found: ManyAccuracy, labels: Labels, study: Study) -> None:
    """Draw a dot for each, the best on top, with the choice among them."""
    panel_title("Accuracy", "each alone and together, on the same folds", ("Floor", "Interval", "Balanced"))
    draw(chart(found), "many.accuracy")
    _choose_button(found, study)
    own_classes(labels)
    numbered_classes(labels)


def _choose_button(found: ManyAccuracy, study: Study) -> None:
    if found.done < found.total or len(found.judged) < 2:
        return
    if st.button(
        "Choose weights", key="many.choose", help="Each row is judged inside every training fold too."
    ):
        nested = Staged(chosen, choosing_together, (*study.args, tuple(found.refused)))
        names = list(study.args[0]) if isinstance(study.args[0], dict) else []
        choose(Choosing("weights", nested, "many", lambda name: use(name, names)))


def use(name: str, kernels: Sequence[str]) -> Mapping[str, object] | Callable[[], None]:
    """Return what is set where a way is used: by which combination, with which weights."""
    if name == "product":
        return {"kind": "product"}
    if name.startswith("joint"):
        return {"kind": "joint", "weigh": name.partition(", ")[2] or "equal"}
    if not name.endswith(ALONE):
        return {"kind": "weighted sum", "weigh": {SUM: "equal", HAND: "by hand"}.get(name, name)}

    def alone() -> None:
        workspace.show_in("kind", "weighted sum")
        workspace.show_in("weigh", "by hand")
        set_weights(tuple(float(f"{each}{ALONE}" == name) for each in kernels))

    return alone


def accuracies(found: ManyAccuracy, labels: Labels, study: Study) -> None:
    """Draw the table of all measures, p against chance, and what is given away."""
    asked_of = asked(found, study.args) if found.done >= found.total else None
    against = None if asked_of is None else asked_of.known
    table("many.judged", cells(found, against), title="Each alone and together")
    st.caption(words(found))
    if asked_of is not None:
        say_chance(asked_chance(asked_of, key="many"), key="many")
    remarks("many.judged", found.judged)
    result = Result(
        "many kernels",
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


def asked(found: ManyAccuracy, args: tuple[object, ...]) -> Asked:
    """What may be asked of chance."""
    first = next(iter(found.judged.values()))
    folds = first.passes.folds * first.passes.repeats
    return Asked(permuted, permuting_together, (*args, tuple(found.refused)), folds, found.seconds)


def script(args: tuple[object, ...], found: ManyAccuracy, against: Permuted | None = None) -> str:
    """Script that judges all of them on the same folds, and compares them with chance where the page did."""
    made = [call("found", "last_state", call("states", "judging_together", *args))]
    prints = [
        "*((name, one.multi_class.mean, one.interval(), one.state.words) "
        "for name, one in $0.judged.items()), sep='\\n'"
    ]
    if against is not None:
        made.append(
            call(
                "permuted", "together_chance", *args, tuple(found.refused), permutations=against.permutations,
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
    """One row a kernel and combination, the best first."""
    ranked = by_accuracy(found)
    made, verdict = list(ranked.values()), found.verdict
    chances = {"against chance": [p_against_chance(against, name) for name in ranked]} if against else {}
    shown = {
        "kernel": [plain(name) for name in ranked],
        "accuracy, %": [
            with_interval(one.multi_class.mean, one.interval(), floor=one.multi_class.floor) for one in made
        ],
        "beside the best": [beside(verdict, name) for name in ranked],
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
    }
    if len(made[0].classes) == 2:  # each decision is counted once for either class: the same numbers
        del shown["one-vs-rest, %"]
    return shown


def by_accuracy(found: ManyAccuracy) -> dict[str, Judgement]:
    """All that is judged, the highest first."""
    return dict(sorted(found.judged.items(), key=lambda named: -named[1].multi_class.mean))


def chart(found: ManyAccuracy) -> Picture:
    """One dot a kernel and combination, the best on top, with its interval over items."""
    shown = []
    for name, made in by_accuracy(found).items():
        interval, value = made.interval(), 100.0 * made.multi_class.mean
        ends = () if interval is None else (100.0 * interval.low, 100.0 * interval.high)
        shown.append(Dot(name, value, *ends))
    floor = next(iter(found.judged.values())).multi_class.floor
    return dots(shown, x_title="accuracy, %", floor=100.0 * floor)


def words(found: ManyAccuracy) -> str:
    """What it rests on, and what was seen of test items."""
    first = next(iter(found.judged.values()))
    floor = percent(first.multi_class.floor, 1)
    return f"{rests_on(first)} Bars: 95\u00a0%, other data sets. Floor {floor}; {modes(found)}."


def rule(found: ManyAccuracy) -> str:
    """When two are told apart, and why the best is too optimistic; "" before all are judged."""
    made = found.verdict
    return (
        ""
        if made is None
        else f"{verdict_rule(made)} The best of {len(made.candidates)} rows is {OPTIMISTIC}."
    )


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


def weights_of_folds(found: ManyAccuracy) -> None:
    """Draw how much weights that are learned inside the folds vary."""
    if not found.weights:
        return
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
