"""The page Evaluate: kernels under one protocol on the same folds; comparisons; predictions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.leakage import fills_unknown
from kernex_core.studies.evaluation import (
    Evaluation,
    EvaluationConfig,
    evaluating,
)
from pages.evaluate.comparisons import comparisons
from pages.evaluate.detail import completed_once, one
from pages.evaluate.highest import highest
from pages.evaluate.predictions import predictions
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.figures.dots import Dot, dots
from pages.shared.figures.theme import number
from pages.shared.frame import PageFrame, panel_title
from pages.shared.messages import findings, guard, plain
from pages.shared.panels.accuracy import mode_badge, with_interval
from pages.shared.panels.accuracy_files import measures
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Drawing, Offer, Result, keep_row
from pages.shared.panels.own_classes import own_classes
from pages.shared.panels.side_by_side import places
from pages.shared.panels.staged import Staged, run_study
from pages.shared.shown import drawn
from pages.shared.shown.words import spelt

AUTOMATIC = 320
"""Up to this number of items, and with fixed C, judging starts without a click."""
MEASURES = {"multi-class": "multi_class", "one-vs-rest": "one_vs_rest", "balanced": "balanced"}

PRINTED = (
    *("multi_class", "one_vs_rest", "balanced", "matthews", "auc", "rests_on"),
    *("interval()", "interval('one_vs_rest')", "interval('balanced')"),
)
"""What the script prints of every kernel: all columns of the table."""


@cached(public=True)
def evaluation(
    config: EvaluationConfig, kernels: Mapping[str, GramMatrix], labels: Labels, validation: CrossValidation
) -> Evaluation:
    """All judgements; the page keeps partial ones under the same key."""
    return list(evaluating(config, kernels, labels, validation))[-1]


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    labels = dataset.judgeable
    if labels is None:
        raise InvalidInputError(
            "Accuracy needs labels of at least two classes",
            f"{'no labels' if dataset.labels is None else 'one class'} in {dataset.name!r}",
            "Bring labels, or select items of more classes, on the page Data",
        )
    kernels = _choose(dataset)
    config, validation = _settings(dataset, labels, kernels)
    found = run_study(
        Staged(evaluation, evaluating, (config, kernels, labels, validation)),
        key="evaluate",
        what="folds",
        automatic=dataset.n <= AUTOMATIC and validation.folds != 0 and not validation.choose_C,
        label="Judge",
        cost=cost(kernels, labels, validation),
    )
    if found is None or not found.judgements:
        _refused(found, kernels)
        return
    for mode in sorted({made.mode for made in found.judgements.values()}):
        mode_badge(mode, page.slot)
    _refused(found, kernels)
    field = _side_by_side(found, config, labels)
    with guard():
        highest(found, config, kernels, labels, validation, field)
    completed_once(found, kernels)
    one(dataset, found)
    comparisons(found)
    predictions(dataset, config, labels, validation)


def cost(kernels: Mapping[str, GramMatrix], labels: Labels, validation: CrossValidation) -> str:
    """Say how many support vector machines the settings ask for, because nothing that takes long starts by itself."""
    folds, classes = validation.folds * validation.repeats or labels.labelled.sum(), len(labels.classes)
    kinds = f"{len(kernels)} {'kernel' if len(kernels) == 1 else 'kernels'}"
    inner = ", each several times to choose C" if validation.choose_C else ""
    return (
        f"{kinds} × {folds:,} folds × {classes} classes = {len(kernels) * folds * classes:,} support vector machines"
        f"{inner}: this starts with a click."
    )


def _choose(dataset: DataSet) -> dict[str, GramMatrix]:
    names = [name for name, K in dataset.kernels.items() if K.unknown.complete]
    left_out = [name for name in dataset.kernels if name not in names]
    if not names:
        raise InvalidInputError(
            "Judging needs a kernel that is known for every pair",
            f"{len(dataset.kernels)} kernels in {dataset.name!r}, none of them complete",
            "Build one on the page Kernels, or complete a partly known one on the page Complete",
        )
    chosen = st.multiselect(
        "Kernels", names, default=names[:6], key=f"evaluate.kernels.{dataset.name}", persist_state="session",
        help="All are judged on the same folds. Kernels kept on other pages are listed here too.",
    )  # fmt: skip
    if left_out:
        listed = ", ".join(plain(name) for name in left_out)
        st.caption(f"Not offered, because partly unknown: {listed}. Complete them first.")
    if not chosen:
        raise InvalidInputError("At least one kernel has to be chosen", "none", "Choose one above")
    return {name: dataset.kernels[name] for name in chosen}


def _settings(
    dataset: DataSet, labels: Labels, kernels: Mapping[str, GramMatrix]
) -> tuple[EvaluationConfig, CrossValidation]:
    protocol = CrossValidation(C=dataset.defaults.C)
    columns = places("content", "stretch", "stretch", 160)
    key = f"evaluate.{dataset.name}"
    validation = controls(protocol, key, only=("folds", "repeats", "C", "seed"), slots=columns)
    more = ["choose_C", "inductive", *(["grouped"] if labels.groups is not None else [])]
    with st.container(horizontal=True, vertical_alignment="center"):
        # what fills unknown entries is fitted inside the folds unless somebody wants it otherwise
        filled = any(fills_unknown(K) for K in kernels.values())
        start = replace(validation, inductive=filled)
        validation = controls(start, f"{key}.filled" if filled else key, only=more)
        with st.popover("Conditioning", icon=":material/tune:"):
            config = controls(EvaluationConfig(), "evaluate")
    return config, validation


def _refused(found: Evaluation | None, asked: Collection[str] = ()) -> None:
    if found is None:
        return
    waiting = [name for name in asked if name not in found.judgements and name not in found.refused]
    if waiting and found.done < found.total:
        findings(
            [f"Not judged yet: {', '.join(waiting)}. Judging goes kernel by kernel and was stopped before."]
        )
    findings([f"{name} was not judged. {reason}" for name, reason in found.refused.items()])


def _side_by_side(found: Evaluation, config: EvaluationConfig, labels: Labels) -> str:
    """Draw the picture and the table of all kernels; return the measure that is shown, a field of a judgement."""
    first = next(iter(found.judgements.values()))
    interval = first.interval()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        panel_title(
            "Side by side",
            f"{first.rests_on}, the same folds for every kernel; bars: {interval.kind if interval else 'none'}"
            + ("; cosine-normalised first" if config.normalize else ""),
        )
        measure = st.segmented_control(
            "Measure", tuple(MEASURES), default="multi-class", required=True, key="evaluate.measure",
            label_visibility="collapsed", persist_state="session",
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
    drawn.table("evaluate.kernels", _table(ranked), title="Kernels under one protocol")
    result = Result(
        "evaluation",
        table=Offer(lambda: table(found.judgements)),
        figure=Drawing(lambda: picture, title="Kernels side by side", settings=spelt(first.config)),
        script=Offer(
            lambda: script(found), help="Python that judges these kernels again with kernex_core alone."
        ),
    )
    keep_row(result, key="evaluate")
    return field


def _dot(name: str, mean: float, interval: Interval | None) -> Dot:
    ends = {} if interval is None else {"low": 100.0 * interval.low, "high": 100.0 * interval.high}
    return Dot(name, 100.0 * mean, **ends)


def script(found: Evaluation) -> str:
    """Script that judges the same kernels."""
    return write_script(
        [made.recipe for made in found.judgements.values()],
        heading="Kernex: " + ", ".join(found.judgements),
        prints=[f"${place}.{part}" for place in range(len(found.judgements)) for part in PRINTED],
    )


def _number(mean: float, interval: Interval | None, places: int) -> str:
    text = number(mean, places)
    if interval is None:
        return text
    return f"{text} :gray[[{number(interval.low, places)}, {number(interval.high, places)}]]"


def _table(judgements: Mapping[str, Judgement]) -> dict[str, list[str]]:
    made = list(judgements.values())
    return {
        "kernel": [plain(name) for name in judgements],
        "multi-class, %": [with_interval(m.multi_class.mean, m.interval(), bold=True) for m in made],
        "one-vs-rest, %": [with_interval(m.one_vs_rest.mean, m.interval("one_vs_rest")) for m in made],
        "balanced, %": [with_interval(m.balanced.mean, m.interval("balanced")) for m in made],
        "Matthews": [_number(m.matthews.mean, m.interval("matthews"), 2) for m in made],
        "ROC area": [_number(m.auc.mean, m.interval("auc"), 3) for m in made],
        "mode": [str(m.mode) for m in made],
        "floors, %": [
            f":gray[{', '.join(number(100.0 * score.floor, 1) for score in (m.multi_class, m.one_vs_rest, m.balanced))}]"
            for m in made
        ],
    }


def table(judgements: Mapping[str, Judgement]) -> pd.DataFrame:
    """Return all measures of all kernels, one row each."""
    return pd.concat(
        [measures(made).assign(kernel=name) for name, made in judgements.items()], ignore_index=True
    )
