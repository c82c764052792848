"""All kernels by the measure that leads: a dot and a row each, sorted, with the test beside it; and all other measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.chance.tried import Measure, NestedChoice
from kernex_core.learning.chance.verdict import Candidate, Unit, Verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.permutations import Permuted
from kernex_core.learning.regression.evaluate import NumberPair, compare_numbers
from kernex_core.learning.regression.judgement import NumberJudgement
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, choosing_kernel
from pages.evaluate.settings import MEASURES as SETTINGS_MEASURES
from pages.evaluate.settings import TABS, Subject
from pages.export.downloads import csv_button
from pages.server.cached import cached
from pages.server.digits import number, p_value, percent, span
from pages.server.messages import guard, plain, shortened
from pages.ui import shown as drawn
from pages.ui.answer import Choosing, VerdictPlace, choose
from pages.ui.figures.bars import Dot, dots
from pages.ui.figures.chart import Picture
from pages.ui.frame import panel_title
from pages.ui.glossary import hint
from pages.ui.panels.accuracy import MEASURES, OPTIMISTIC, own_classes, repeated_words, with_interval
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Staged
from pages.ui.panels.verdicts import (
    ALL_PAIRS,
    beside,
    choose_pairs,
    p_against_chance,
    paired_row,
    rule_words,
    told_cells,
    verdict_words,
)
from pages.ui.shown import remarks, table

# Choose the kernel: which one training folds choose, and what that choice is worth; why the highest is too optimistic.

CHOSEN_BY: Final[dict[str, Measure]] = {
    "multi_class": "multi_class",
    "one_vs_rest": "one_vs_rest",
    "balanced": "recall",
}
"""What the choice is made by inside the training folds, by the measure that the page shows."""

OTHER_COLUMNS: Final = (
    "The highest in any other column is too optimistic for the same reason; the choice by Matthews correlation or ROC "
    "area is not made again inside the training folds, because a fold in there may hold too few items of a class for "
    "either."
)
OTHER_LEARNER: Final = (
    "The highest in any other column is too optimistic for the same reason. The choice is made again inside the training "
    "folds for the support vector machine alone."
)

IN_DETAIL: Final = "In detail"
HELP: Final = "Each kernel is judged inside every training fold too; the one that is chosen opens in detail."
LEAKS: Final = (
    "It is a leak besides: its weights or steps saw the labels of items that it is tested on, and so this number means "
    "nothing. "
)
LEFT_OUT: Final = "because their weights or steps saw the labels of items that they are tested on"


def _choosing(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> Iterator[NestedChoice]:
    return choosing_kernel(config, kernels, labels, validation, measure=measure)


@cached(public=True)
def chosen(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    measure: Measure,
) -> NestedChoice:
    """Return the choice among all kernels; the page keeps partial ones under the same key."""
    return list(_choosing(config, kernels, labels, validation, measure))[-1]


def said_of_highest(found: Evaluation, what: Subject) -> str:
    """Say which kernel is highest by the measure that leads, chosen on these folds; "" where there is one."""
    judged = found.judgements
    if len(judged) < 2 or found.done < found.total:
        return ""
    best = max(judged, key=lambda name: float(getattr(judged[name], what.field).mean))
    value = percent(getattr(judged[best], what.field).mean, 1)
    said = (
        f"Highest {MEASURES[CHOSEN_BY[what.field]]} of these {len(judged)}: {plain(best)} with {value}, which is "
        f"{OPTIMISTIC}. {LEAKS if judged[best].mode == 'leak' else ''}"
        f"{OTHER_COLUMNS if what.asked.learner is None else OTHER_LEARNER}"
    )
    leaking = ", ".join(plain(name) for name, made in judged.items() if made.mode == "leak")
    return said + (
        f" Left out of the choice inside the training folds, {LEFT_OUT}: {leaking}." if leaking else ""
    )


def choose_button(found: Evaluation, what: Subject) -> None:
    """Draw the button that opens the choice among the kernels made inside the training folds; what leaks takes no part."""
    # of what has seen the labels of test items a choice is worth nothing, wherever it is made
    same = {name: what.kernels[name] for name, made in found.judgements.items() if made.mode != "leak"}
    if len(same) < 2 or found.done < found.total or what.asked.learner is not None:
        return
    if not st.button("Choose the kernel", key="evaluate.choose", help=HELP):
        return
    measure = CHOSEN_BY[what.field]
    study = Staged(chosen, _choosing, (what.config, same, what.labels, what.validation, measure))
    detail = f"evaluate.detail.{what.dataset.name}"
    choose(Choosing("the kernel", study, "evaluate", lambda name: {detail: name, TABS: IN_DETAIL}))


# The verdict of the page Evaluate: one sentence and three numbers, by the measure that leads.

BEST, NEXT, FLOOR = "Best", "Next", "Floor"
NAMES: Final = (BEST, NEXT, FLOOR)
UNEVEN: Final = 2
"""Times by which the largest class exceeds the smallest above which it is said that accuracy counts items, not classes."""


def fill(place: VerdictPlace, made: Verdict, floor: float, measure: str, unit: Unit, rests: str) -> None:
    """Write it."""
    place.say(verdict_words(made, unit=unit, typed=[each.name for each in made.candidates]), measure)
    best = made.best
    place.number(0, BEST, _value(best.value, unit), _ends(best.interval, unit), _help(best, rests))
    if len(made.candidates) > 1:
        second = made.candidates[1]
        place.number(1, NEXT, _value(second.value, unit), f"p\u00a0{p_value(second.p)}", _help(second, rests))
    else:
        place.without(1)
    place.number(
        2, FLOOR, _value(floor, unit), "", "What knowing nothing of the items gets on the same folds."
    )


def why(field: str, labels: Labels) -> str:
    """Say why this measure leads."""
    if field == "balanced":
        return "Balanced accuracy leads: every class counts alike, however few its items are."
    if field == "one_vs_rest":
        return "One-vs-rest accuracy leads: each class is asked for alone, and all others are one."
    sizes = [size for _, size in labels.classes]
    said = "Multi-class accuracy leads: every item counts alike."
    if max(sizes) > UNEVEN * min(sizes):
        said = f"{said[:-1]}; classes have {min(sizes):,} to {max(sizes):,}, so balanced accuracy may say another thing."
    return said


def _value(value: float, unit: Unit) -> str:
    return percent(value, 1) if unit == "%" else number(value, 3)


def _ends(interval: Interval, unit: Unit) -> str:
    if unit == "%":
        return span(interval.low, interval.high)
    return f"{number(interval.low, 2)}–{number(interval.high, 2)}"


def _help(one: Candidate, rests: str) -> str:
    return f"{plain(shortened(one.name, 40))}. {rests}"


def show(
    found: Evaluation,
    what: Subject,
    ranked: Mapping[str, Judgement],
    made: Verdict | None,
    against: Permuted | None,
) -> Picture:
    """Draw both; return the picture."""
    first = next(iter(ranked.values()))
    interval, field = first.interval(), what.field
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="beside_choice"
    ):
        panel_title(
            "Side by side",
            f"{first.rests_on}, the same folds; bars: {interval.kind if interval else 'none'}"
            + ("; cosine-normalised first" if what.config.normalize else ""),
            (*SETTINGS_MEASURES, "Matthews", "AUC", "Floor", "Conditioning"),
        )
        choose_button(found, what)
    scores = {name: getattr(one, field) for name, one in ranked.items()}
    rows = [_dot(name, scores[name].mean, one.interval(field)) for name, one in ranked.items()]
    floor = next(iter(scores.values())).floor
    picture = dots(
        rows, x_title=f"{what.measure} accuracy, %", floor=100.0 * floor, tied=_tied(made, list(ranked))
    )
    draw(picture, "evaluate.dots")
    own_classes(what.labels)
    drawn.table("evaluate.kernels", _leading(ranked, what, made, against), title="Kernels under one protocol")
    st.caption(why(field, what.labels))
    remarks("evaluate.kernels", ranked)
    return picture


def _tied(made: Verdict | None, names: Sequence[str]) -> list[int]:
    """Places of the best, and of all that are not told apart from it; none where there is nothing to compare."""
    if made is None or len(made.candidates) < 2:
        return []
    return [k for k, name in enumerate(names) if not made.of(name).told_apart or made.of(name) is made.best]


def _dot(name: str, mean: float, interval: Interval | None) -> Dot:
    ends = () if interval is None else (100.0 * interval.low, 100.0 * interval.high)
    return Dot(name, 100.0 * mean, *ends)


def _leading(
    ranked: Mapping[str, Judgement], what: Subject, made: Verdict | None, against: Permuted | None
) -> dict[str, list[str]]:
    scores = {name: getattr(one, what.field) for name, one in ranked.items()}
    chances = {"against chance": [p_against_chance(against, name) for name in ranked]} if against else {}
    return {
        "kernel": [plain(name) for name in ranked],
        f"{what.measure}, %": [
            with_interval(score.mean, ranked[name].interval(what.field), bold=True, floor=score.floor)
            for name, score in scores.items()
        ],
        **({"beside the best": [beside(made, name) for name in ranked]} if len(ranked) > 1 else {}),
        **chances,
        **_where_they_differ(
            {
                "floor, %": [number(100.0 * score.floor, 1) for score in scores.values()],
                "mode": [one.state.words for one in ranked.values()],
            }
        ),
    }


def _where_they_differ(columns: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Columns that tell rows apart: what is true of all stands above the page, in a badge or a number."""
    return {name: cells for name, cells in columns.items() if len(set(cells)) > 1}


def every_measure(ranked: Mapping[str, Judgement]) -> None:
    """Draw the table of all measures."""
    drawn.table("evaluate.measures", _table(ranked), title="All measures")
    if same := repeated_words(list(ranked.values())):
        st.caption(same)


def _number(mean: float, interval: Interval | None, places: int) -> str:
    text = number(mean, places)
    if interval is None:
        return text
    return f"{text} :gray[[{number(interval.low, places)}, {number(interval.high, places)}]]"


def _table(judgements: Mapping[str, Judgement]) -> dict[str, list[str]]:
    made = list(judgements.values())
    return {
        "kernel": [plain(name) for name in judgements],
        **{
            f"{name}, %": [
                with_interval(score.mean, m.interval(field), bold=field == "multi_class", floor=score.floor)
                for m in made
                for score in (getattr(m, field),)
            ]
            for name, field in SETTINGS_MEASURES.items()
            if not all(field in m.repeated for m in made)
        },
        "Matthews": [_number(m.matthews.mean, m.interval("matthews"), 2) for m in made],
        "ROC area": [_number(m.auc.mean, m.interval("auc"), 3) for m in made],
        "floors, %": [f":gray[{', '.join(_floors(m, made))}]" for m in made],
    }


def _floors(of: Judgement, made: Sequence[Judgement]) -> list[str]:
    """Floors of the measures that the table shows."""
    fields = [field for field in SETTINGS_MEASURES.values() if not all(field in m.repeated for m in made)]
    return [number(100.0 * getattr(of, field).floor, 1) for field in fields]


# Is one kernel better than another at predicting numbers? On the page Evaluate, as of classes.


def compared(judged: Mapping[str, NumberJudgement], places: int) -> None:
    """Draw the tests; nothing where there is one kernel. `places`: decimals of an error."""
    if len(judged) < 2:
        return
    with guard():
        best = min(judged, key=lambda name: judged[name].rmse.mean)
        reference = choose_pairs(judged, best, key="evaluate.number_reference")
        pairs = compare_numbers(judged, None if reference == ALL_PAIRS else reference)
        table("evaluate.number_pairs", _cells(pairs, places), title="Is one of them really better?")
        st.caption(
            f"Below 0 the first kernel is better. {rule_words(len(pairs))}", help=hint("Told apart", "Holm")
        )
        csv_button(
            "Comparison as CSV", lambda: pair_rows(pairs), "numbers compared",
            key="evaluate.number_compare.csv", type="tertiary",
            help="One row a pair: difference of errors, its interval, p-values before and after Holm's correction.",
        )  # fmt: skip


def pair_rows(pairs: Sequence[NumberPair]) -> list[dict[str, object]]:
    """Return one row a pair, in full precision."""
    return [
        {
            "first": pair.first, "second": pair.second, "measure": "rmse", **paired_row(pair.paired, pair.p),
            "pairs": len(pairs),
        }
        for pair in pairs
    ]  # fmt: skip


def _cells(pairs: Sequence[NumberPair], places: int) -> dict[str, list[str]]:
    return {
        "kernels": [f"{plain(pair.first)} − {plain(pair.second)}" for pair in pairs],
        "RMSE [95\u00a0%]": [
            f"**{_signed(pair.difference, places)}** "
            f":gray[[{_signed(pair.interval.low, places)}, {_signed(pair.interval.high, places)}]]"
            for pair in pairs
        ],
        "told apart": told_cells([(pair.paired, pair.p) for pair in pairs]),
        "p of the pair alone": [p_value(pair.paired.p).replace(" ", "\u00a0") for pair in pairs],
    }


def _signed(value: float, places: int) -> str:
    return f"{'+' if value > 0.0 else ''}{number(value, places)}"
