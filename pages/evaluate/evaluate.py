"""The page Evaluate on one screen: what is judged, the verdict, kernels side by side; then what one asks second."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
import pandas as pd
import streamlit as st

from kernex_core.base.digits import typeset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.compare import written_remarks
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Score
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.regression.evaluate import number_verdict
from kernex_core.learning.regression.judgement import NumberJudgement
from kernex_core.studies.evaluation import EvaluationConfig, NumberEvaluation, evaluating_numbers
from pages.evaluate import classes
from pages.evaluate import settings as parts
from pages.evaluate import side_by_side as verdict
from pages.evaluate.classes import agreement, predicted_numbers, saved_model
from pages.evaluate.settings import NUMBER_MEASURES, SETTINGS, Subject, choose, judged
from pages.evaluate.side_by_side import compared
from pages.export.downloads import csv_button
from pages.server.cached import cached
from pages.server.digits import number, percent
from pages.server.messages import findings, guard, plain
from pages.ui import shown as drawn
from pages.ui import widgets
from pages.ui.answer import VerdictPlace
from pages.ui.figures.bars import Dot, dots
from pages.ui.figures.chart import Picture
from pages.ui.frame import PageFrame, need_data, open_page, panel_title
from pages.ui.panels.accuracy import own_classes, state_badges
from pages.ui.panels.keep import Drawing, Offer, Result, keep_row
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Staged
from pages.ui.panels.verdicts import beside
from pages.ui.shown import learner_words, remarks, spelt

# Labels that are numbers, predicted: kernels side by side on the same folds, and one of them in full.

FIELDS: Final[Mapping[str, Literal["rmse", "r2", "spearman"]]] = {
    "rmse": "rmse", "r2": "r2", "spearman": "spearman",
}  # fmt: skip
PRINTED: Final = (*FIELDS, "state.words", *(f"interval('{field}')" for field in FIELDS), "remarks")
"""What the script prints of every kernel: all columns of the table."""


@cached(public=True)
def number_evaluation(
    config: EvaluationConfig,
    kernels: Mapping[str, GramMatrix],
    labels: Labels,
    validation: CrossValidation,
    learner: Learner,
) -> NumberEvaluation:
    """All judgements; the page keeps partial ones under the same key."""
    return list(evaluating_numbers(config, kernels, labels, validation, learner))[-1]


def show_numbers(page: PageFrame, what: Subject, place: VerdictPlace) -> None:
    """Draw what comes below the controls."""
    args = (what.config, what.kernels, what.labels, what.validation, what.asked.by)
    found = judged(what, Staged(number_evaluation, evaluating_numbers, args), place)
    if found is None:
        return
    judgements = found.judgements
    state_badges(judgements.values(), page.slot)
    sign = -1.0 if what.field == "rmse" else 1.0
    ranked = dict(sorted(judgements.items(), key=lambda named: -sign * _of(named[1], what.field).mean))
    made = number_verdict(ranked) if found.done >= found.total else None
    if made is not None:
        first = next(iter(ranked.values()))
        verdict.fill(place, made, first.rmse.floor, "RMSE", "", judged_times(first.n_items, first.n_repeats))
    picture = _side_by_side(what, ranked, made)
    places = _places(next(iter(ranked.values())))
    parts.show(
        {
            "In detail": lambda: _one(what.dataset, found),
            **({"Pairs": lambda: compared(judgements, places)} if len(judgements) > 1 else {}),
            **({} if what.labels.labelled.all() else {"Predicted": lambda: predicted_numbers(what)}),
        },
        _method(what, next(iter(judgements.values()))),
    )  # fmt: skip
    leads = next(iter(ranked))
    model = saved_model(what, leads, ranked[leads]) if made is not None else None
    result = Result(
        "evaluation of numbers",
        table=Offer(lambda: table(judgements)),
        figure=Drawing(
            lambda: picture,
            title="Kernels side by side",
            settings=spelt(next(iter(judgements.values())).config),
        ),
        script=Offer(
            lambda: script(found), help="Python that judges these kernels again with kernex_core alone."
        ),
        model=model,
    )
    keep_row(result, key="evaluate")


def _side_by_side(what: Subject, ranked: Mapping[str, NumberJudgement], made: Verdict | None) -> Picture:
    first, field, measure = next(iter(ranked.values())), what.field, what.measure
    panel_title(
        "Side by side",
        f"{judged_times(first.n_items, first.n_repeats)}, the same folds for every kernel"
        + ("; cosine-normalised first" if what.config.normalize else ""),
        tuple(NUMBER_MEASURES),
    )
    picture = dots(
        [_dot(name, each, field) for name, each in ranked.items()],
        x_title=f"{measure}{', in units of the labels: smaller is better' if measure == 'RMSE' else ''}",
        floor=_of(first, field).floor, unit="", decimals=3,
    )  # fmt: skip
    draw(picture, "evaluate.number_dots")
    own_classes(what.labels)
    drawn.table("evaluate.number_kernels", _cells(ranked, made), title="Kernels under one protocol")
    remarks("evaluate.number_kernels", ranked)
    st.caption(
        f"By {_by(what)}. Floor: what predicting the mean of the training items gets on the same folds."
    )
    return picture


def _method(what: Subject, first: NumberJudgement) -> str:
    return (
        f"By {_by(what)}. In brackets: {first.interval().words}; ±: standard deviation over repetitions. Rank correlation "
        "(Spearman) inside folds, its interval by the jackknife. Repetitions judge the same items again. The verdict and "
        "the test beside each row are by RMSE."
    )


def _by(what: Subject) -> str:
    if not (what.validation.choose_C and what.asked.symbol):
        return typeset(learner_words(what.asked.by))
    return f"{what.asked.by.title.lower()}, {what.asked.symbol} chosen inside the folds"


def _of(made: NumberJudgement, field: str) -> Score:
    score: Score = getattr(made, field)
    return score


def _dot(name: str, made: NumberJudgement, field: str) -> Dot:
    low, high = _ends(made, field)
    return Dot(name, _of(made, field).mean, low, high)


def _ends(made: NumberJudgement, field: str) -> tuple[float, float]:
    interval = made.interval(FIELDS[field])
    return interval.low, interval.high


def _places(made: NumberJudgement) -> int:
    """Decimals that show three digits of an error as large as the floor."""
    size = abs(made.rmse.floor)
    return max(0, 2 - math.floor(math.log10(size))) if size > 0.0 and math.isfinite(size) else 3


def _cell(made: NumberJudgement, field: str, places: int) -> str:
    score, (low, high) = _of(made, field), _ends(made, field)
    if math.isnan(score.mean):
        return "—"
    spread = "" if math.isnan(score.sd_repeats) else f" ± {number(score.sd_repeats, places)}"
    text = f"**{number(score.mean, places)}**{spread}"
    return text if math.isnan(low) else f"{text} :gray[[{number(low, places)},\u00a0{number(high, places)}]]"


def _cells(judgements: Mapping[str, NumberJudgement], verdict_made: Verdict | None) -> dict[str, list[str]]:
    made = list(judgements.values())
    places = _places(made[0])
    return {
        "kernel": [plain(name) for name in judgements],
        "RMSE": [_cell(each, "rmse", places) for each in made],
        "beside the best": [beside(verdict_made, name) for name in judgements],
        "R²": [_cell(each, "r2", 3) for each in made],
        "rank correlation": [_cell(each, "spearman", 3) for each in made],
        "mode": [each.state.words for each in made],
        "floors": [
            f":gray[{number(each.rmse.floor, places)}, {number(each.r2.floor, 3)}, {number(each.spearman.floor)}]"
            for each in made
        ],
    }


def table(judgements: Mapping[str, NumberJudgement]) -> pd.DataFrame:
    """Return all measures of all kernels, one row each, with floors, intervals, spreads and protocol."""
    return pd.DataFrame(
        [_row(name, made, field) for name, made in judgements.items() for field in NUMBER_MEASURES.values()]
    )


def _row(name: str, made: NumberJudgement, field: str) -> dict[str, object]:
    score, (low, high) = _of(made, field), _ends(made, field)
    used = made.strengths if made.config.choose_C else ()
    return {
        "kernel": name, "measure": score.title, "mean": score.mean, "floor": score.floor,
        "interval from": low, "interval to": high,
        "interval": "" if math.isnan(low) else made.interval(FIELDS[field]).words,
        "sd over repetitions": score.sd_repeats, "sd over folds": score.sd_folds, "items": made.n_items,
        "repetitions": made.n_repeats, "folds": made.n_folds, "seed": made.config.seed,
        "learner": learner_words(made.learner, used), "mode": made.state.words, "remarks": written_remarks(made),
    }  # fmt: skip


def script(found: NumberEvaluation) -> str:
    """Script that judges the same kernels."""
    return write_script(
        [made.recipe for made in found.judgements.values()],
        heading="Kernex: " + ", ".join(found.judgements),
        prints=[f"${place}.{part}" for place in range(len(found.judgements)) for part in PRINTED],
    )


def _one(dataset: DataSet, found: NumberEvaluation) -> None:
    names = list(found.judgements)
    key = f"evaluate.detail.{dataset.name}"
    name = widgets.choose("detail", names, key=key) if len(names) > 1 else names[0]
    made = found.judgements.get(name) or found.judgements[names[0]]
    panel_title(plain(name), "predicted beside true, mean over repetitions; dashed: equal")
    if made.config.choose_C and made.strengths:
        st.caption(f"By {typeset(learner_words(made.learner, made.strengths))} folds.")
    if not math.isnan(made.coverage):
        st.caption(f"90\u00a0% intervals of new numbers hold {percent(made.coverage)} of the tested ones.")
    rows = by_item(made, dataset)
    draw(_predicted(rows), "evaluate.predicted")
    csv_button(
        "Items as CSV",
        lambda: rows,
        f"numbers of {name} by item",
        key="evaluate.number_items",
        type="tertiary",
    )
    findings(made.notes)


def by_item(made: NumberJudgement, dataset: DataSet) -> pd.DataFrame:
    """Return true and predicted number of each judged item, and its spread over repetitions."""
    at = np.flatnonzero(~np.isnan(made.y))
    predicted = made.predicted[:, at]
    sd = predicted.std(axis=0, ddof=1) if len(predicted) > 1 else np.full(at.size, np.nan)
    half = {"half of the 90 % interval": made.half[:, at].mean(axis=0)} if made.half.size else {}
    return pd.DataFrame(
        {
            "id": [dataset.ids[i] for i in at],
            "true": made.y[at],
            "predicted": predicted.mean(axis=0),
            "sd over repetitions": sd,
            **half,
        }
    )


def _predicted(rows: pd.DataFrame) -> Picture:
    x, y = rows["true"].to_numpy(), rows["predicted"].to_numpy()
    said = [f"{i}: true {a:.4g}, predicted {b:.4g}" for i, a, b in zip(rows["id"], x, y, strict=True)]
    return agreement(
        x, y, titles=("true number", "predicted"), hover=said,
        alt=f"Predicted over true numbers of {len(rows):,} items; true from {x.min():.4g} to {x.max():.4g}, predicted from "
        f"{y.min():.4g} to {y.max():.4g}.",
    )  # fmt: skip


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    labels = dataset.labels_with_copies
    assert labels is not None  # else the page says what it needs
    what = choose(dataset, labels)
    if what is None:
        st.caption("Choose at least one kernel.")
        return
    place = VerdictPlace(*verdict.NAMES)
    if what.asked.kind == "numbers":
        show_numbers(page, what, place)
    else:
        classes.show(page, what, place)


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Evaluate",
        "How well do these kernels predict classes or numbers, and is one of them really better?",
        SETTINGS,
    )
    dataset = need_data()
    with guard():
        show(page, dataset)
