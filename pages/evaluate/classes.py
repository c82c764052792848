"""Classes, predicted: kernels side by side on the same folds, the verdict, and what one asks second."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.permutations import Permuted
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, evaluating
from pages.evaluate import parts, side_by_side, verdict
from pages.evaluate.choosing import IN_DETAIL, said_of_highest
from pages.evaluate.detail import completed_once, learned_before, one
from pages.evaluate.predictions import predictions
from pages.evaluate.settings import Subject, judged
from pages.shared.answer.parts import Parts
from pages.shared.answer.verdict_place import VerdictPlace
from pages.shared.cached import cached
from pages.shared.figures.picture import Picture
from pages.shared.frame import PageFrame
from pages.shared.panels.accuracy import rests_on, state_badges
from pages.shared.panels.accuracy_files import measures
from pages.shared.panels.keep import Drawing, Offer, Result, keep_row
from pages.shared.panels.several.chance import (
    chance,
    chance_recipe,
    known_chance,
    printed_chance,
    say_chance,
)
from pages.shared.panels.several.comparisons import comparisons
from pages.shared.panels.staged import Staged
from pages.shared.shown.words import spelt

PRINTED = (
    *("multi_class", "one_vs_rest", "balanced", "matthews", "auc", "rests_on", "state.words", "remarks"),
    *("interval()", "interval('one_vs_rest')", "interval('balanced')"),
)
"""What the script prints of every kernel: all columns of the tables."""


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


def show(page: PageFrame, what: Subject, place: VerdictPlace) -> None:
    """Draw what comes below the controls."""
    args = (what.config, what.kernels, what.labels, what.validation, what.asked.learner)
    found = judged(what, Staged(evaluation, evaluating, args), place)
    if found is None:
        return
    judgements, whole = found.judgements, found.done >= found.total
    state_badges(judgements.values(), page.slot)
    # one order for the picture, the tables and the verdict: that of the measure that leads
    ranked = dict(sorted(judgements.items(), key=lambda named: -getattr(named[1], what.field).mean))
    made = judged_verdict(ranked, what.field) if whole else None
    if made is not None:
        first = next(iter(ranked.values()))
        floor = getattr(first, what.field).floor
        verdict.fill(place, made, floor, f"{what.measure} accuracy", "%", rests_on(first))
    against = known_chance(judgements, measure=what.field) if whole else None
    picture = side_by_side.show(found, what, ranked, made, against)
    completed_once(found, what.kernels)
    learned_before(found, what.kernels)
    parts.show(_parts(found, what, ranked, against), said_of_highest(found, what))
    _give(found, picture, against)


def _parts(
    found: Evaluation, what: Subject, ranked: Mapping[str, Judgement], against: Permuted | None
) -> Parts:
    whole, several = found.done >= found.total, len(ranked) > 1
    return {
        **({"Chance": lambda: _chance(found, what)} if whole else {}),
        **({"Pairs": lambda: comparisons(found.judgements, key="evaluate")} if several and whole else {}),
        "All measures": lambda: side_by_side.every_measure(ranked),
        IN_DETAIL: lambda: one(what.dataset, found, against),
        **({} if what.labels.labelled.all() else {"Predicted": lambda: predictions(what)}),
    }  # fmt: skip


def _chance(found: Evaluation, what: Subject) -> None:
    say_chance(chance(found.judgements, key="evaluate", measure=what.field), key="evaluate")


def _give(found: Evaluation, picture: Picture, against: Permuted | None) -> None:
    first = next(iter(found.judgements.values()))
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


def table(judgements: Mapping[str, Judgement], against: Permuted | None = None) -> pd.DataFrame:
    """Return all measures of all kernels, one row each; p against chance in the row of the measure that it is of."""
    tables = [measures(made, against, name).assign(kernel=name) for name, made in judgements.items()]
    return pd.concat(tables, ignore_index=True)
