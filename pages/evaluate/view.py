"""The page Evaluate: kernels under one protocol on the same folds; comparisons; predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.permutations import Permuted
from kernex_core.studies.evaluation import (
    Evaluation,
    EvaluationConfig,
    evaluating,
)
from pages.evaluate import numbers
from pages.evaluate.detail import completed_once, learned_before, one
from pages.evaluate.highest import highest
from pages.evaluate.learner import choose_learner
from pages.evaluate.predictions import predictions
from pages.evaluate.settings import Subject, choose_kernels, cost, refused, settings, starts
from pages.shared.cached import cached
from pages.shared.figures.dots import Dot, dots
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.messages import guard, plain
from pages.shared.panels.accuracy import repeated_words, state_badges, with_interval
from pages.shared.panels.accuracy_files import measures
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Drawing, Offer, Result, keep_row
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.several.chance import (
    chance,
    chance_recipe,
    p_against_chance,
    printed_chance,
    say_chance,
)
from pages.shared.panels.several.comparisons import comparisons
from pages.shared.panels.staged import Staged, run_study
from pages.shared.panels.verdicts import verdict_words
from pages.shared.settings import widgets
from pages.shared.shown import drawn
from pages.shared.shown.remarks import remarks
from pages.shared.shown.words import spelt

MEASURES = {"multi-class": "multi_class", "one-vs-rest": "one_vs_rest", "balanced": "balanced"}

PRINTED = (
    *("multi_class", "one_vs_rest", "balanced", "matthews", "auc", "rests_on", "state.words", "remarks"),
    *("interval()", "interval('one_vs_rest')", "interval('balanced')"),
)
"""What the script prints of every kernel: all columns of the table."""


@cached(public=True)
def evaluation(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    learner: Learner | None,
) -> Evaluation:
    """All judgements; the page keeps partial ones under the same key."""
    return list(evaluating(config, kernels, labels, validation, learner))[-1]


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    labels = dataset.judgeable
    if labels is None:
        raise InvalidInputError(
            "Accuracy needs labels of at least two classes",
            f"{'no labels' if dataset.labels is None else 'one class'} in {dataset.name!r}",
            "Bring labels, or select items of more classes, on the page Data",
        )
    kernels = choose_kernels(dataset)
    asked = choose_learner(labels)
    config, validation = settings(dataset, labels, kernels, asked)
    what = Subject(dataset, kernels, labels, config, validation, asked)
    if asked.kind == "numbers":
        numbers.show(page, what)
    else:
        _classes(page, what)


def _classes(page: PageFrame, what: Subject) -> None:
    config, kernels, labels, validation = what.config, what.kernels, what.labels, what.validation
    found = run_study(
        Staged(evaluation, evaluating, (config, kernels, labels, validation, what.asked.learner)),
        key="evaluate",
        what="folds",
        automatic=starts(what.dataset, validation),
        label="Judge",
        cost=cost(kernels, labels, validation, what.asked),
    )
    if found is None or not found.judgements:
        refused(found, kernels)
        return
    state_badges(found.judgements.values(), page.slot)
    refused(found, kernels)
    field, against = _side_by_side(found, config, labels)
    with guard():
        highest(found, what, field)
    completed_once(found, kernels)
    learned_before(found, kernels)
    one(what.dataset, found, against)
    comparisons(found.judgements, key="evaluate")
    predictions(what)


def _side_by_side(found: Evaluation, config: EvaluationConfig, labels: Labels) -> tuple[str, Permuted | None]:
    """Draw the picture and the table of all kernels; return the measure that is shown, and what was found of chance."""
    first = next(iter(found.judgements.values()))
    interval = first.interval()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        panel_title(
            "Side by side",
            f"{first.rests_on}, the same folds for every kernel; bars: {interval.kind if interval else 'none'}"
            + ("; cosine-normalised first" if config.normalize else ""),
            (*MEASURES, "Matthews", "AUC", "Floor", "Conditioning"),
        )
        measure = widgets.pick(
            "measure", tuple(MEASURES), default="multi-class", key="evaluate.measure", label_visibility="collapsed"
        )  # fmt: skip
    field = MEASURES[measure]
    scores = {name: getattr(made, field) for name, made in found.judgements.items()}
    # one order for the chart and the table: that of the measure that is read
    ranked = dict(sorted(found.judgements.items(), key=lambda named: -getattr(named[1], field).mean))
    rows = [_dot(name, scores[name].mean, made.interval(field)) for name, made in ranked.items()]
    floor = next(iter(scores.values())).floor
    picture = dots(rows, x_title=f"{measure} accuracy, %", floor=100.0 * floor)
    draw(picture, "evaluate.dots")
    own_classes(labels)
    if len(ranked) > 1 and found.done >= found.total:
        st.markdown(f"**{verdict_words(judged_verdict(ranked, field), typed=ranked)}**")
    whole = found.judgements if found.done >= found.total else {}
    against = chance(whole, key="evaluate", measure=field) if whole else None
    drawn.table("evaluate.kernels", _table(ranked, against), title="Kernels under one protocol")
    say_chance(against, key="evaluate")
    same = repeated_words(list(found.judgements.values()))
    if same:
        st.caption(same)
    remarks("evaluate.kernels", ranked)
    result = Result(
        "evaluation",
        table=Offer(lambda: table(found.judgements, against)),
        figure=Drawing(lambda: picture, title="Kernels side by side", settings=spelt(first.config)),
        script=Offer(
            lambda: script(found, against),
            help="Python that judges these kernels again with kernex_core alone.",
        ),
    )
    keep_row(result, key="evaluate")
    return field, against


def _dot(name: str, mean: float, interval: Interval | None) -> Dot:
    ends = {} if interval is None else {"low": 100.0 * interval.low, "high": 100.0 * interval.high}
    return Dot(name, 100.0 * mean, **ends)


def script(found: Evaluation, against: Permuted | None = None) -> str:
    """Script that judges the same kernels, and compares them with chance where the page did."""
    count = len(found.judgements)
    prints = [f"${place}.{part}" for place in range(count) for part in PRINTED]
    permuted = chance_recipe(against, found.judgements)
    prints += [printed_chance(count)] if permuted else []
    return write_script(
        [*(made.recipe for made in found.judgements.values()), *permuted],
        heading="Kernex: " + ", ".join(found.judgements),
        prints=prints,
    )


def _number(mean: float, interval: Interval | None, places: int) -> str:
    text = number(mean, places)
    if interval is None:
        return text
    return f"{text} :gray[[{number(interval.low, places)}, {number(interval.high, places)}]]"


def _table(judgements: Mapping[str, Judgement], against: Permuted | None) -> dict[str, list[str]]:
    made = list(judgements.values())
    chances = {"against chance": [p_against_chance(against, name) for name in judgements]} if against else {}
    return {
        "kernel": [plain(name) for name in judgements],
        **{
            f"{name}, %": [
                with_interval(score.mean, m.interval(field), bold=field == "multi_class", floor=score.floor)
                for m in made
                for score in (getattr(m, field),)
            ]
            for name, field in MEASURES.items()
            if not all(field in m.repeated for m in made)
        },
        "Matthews": [_number(m.matthews.mean, m.interval("matthews"), 2) for m in made],
        "ROC area": [_number(m.auc.mean, m.interval("auc"), 3) for m in made],
        **chances,
        "mode": [m.state.words for m in made],
        "floors, %": [f":gray[{', '.join(_floors(m, made))}]" for m in made],
    }


def _floors(of: Judgement, made: Sequence[Judgement]) -> list[str]:
    """Floors of the measures that the table shows."""
    fields = [field for field in MEASURES.values() if not all(field in m.repeated for m in made)]
    return [number(100.0 * getattr(of, field).floor, 1) for field in fields]


def table(judgements: Mapping[str, Judgement], against: Permuted | None = None) -> pd.DataFrame:
    """Return all measures of all kernels, one row each; p against chance in the row of the measure that it is of."""
    tables = [measures(made, against, name).assign(kernel=name) for name, made in judgements.items()]
    return pd.concat(tables, ignore_index=True)
