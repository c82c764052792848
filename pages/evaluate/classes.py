"""Classes, predicted: kernels side by side on the same folds, the verdict, and what one asks second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.base.digits import typeset
from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.leakage import evaluation_mode
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.learners.reliability import FoldReliability, fold_reliability
from kernex_core.learning.permutations import Permuted
from kernex_core.learning.predict import predict_unlabelled
from kernex_core.learning.regression.evaluate import predict_numbers
from kernex_core.learning.regression.judgement import NumberJudgement
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, evaluating, hidden_once, judged_form
from kernex_core.studies.model.model import save_model
from kernex_core.studies.model.training import reaches_new, train_model
from pages.evaluate import difference, side_by_side
from pages.evaluate import settings as parts
from pages.evaluate.settings import Subject, judged
from pages.evaluate.side_by_side import IN_DETAIL, said_of_highest
from pages.export.downloads import csv_button
from pages.server.cached import cached
from pages.server.digits import in_table, number, percent
from pages.server.messages import findings, guard, plain
from pages.ui import chosen, widgets
from pages.ui import shown as registry
from pages.ui.answer import Parts, VerdictPlace
from pages.ui.figures.chart import Picture, PlotMargin, Spec, axis, draw, padded
from pages.ui.figures.theme import GUIDE, SERIES, escaped
from pages.ui.frame import PageFrame, panel_title
from pages.ui.panels.accuracy import accuracy_panel, learner_of, measures, rests_on, state_badges
from pages.ui.panels.keep import Drawing, Offer, Result, buttons, keep_row
from pages.ui.panels.linked import draw as linked_draw
from pages.ui.panels.staged import Staged
from pages.ui.panels.verdicts import (
    chance,
    chance_recipe,
    comparisons,
    known_chance,
    printed_chance,
    say_chance,
)
from pages.ui.shown import learner_words, spelt, strength_symbol

# Predicted classes, or numbers, of the unlabelled items, on the page Evaluate.


def predictions(what: Subject) -> None:
    """Predict the classes of the items without one."""
    labels = what.labels
    panel_title("Predicted classes", f"of {counted(int((~labels.labelled).sum()), 'unlabelled item')}")
    with guard():
        name, K = _kernel(what, "evaluate.predict")
        made = predict_unlabelled(K, labels, C=what.validation.C, learner=what.asked.learner)
        rows = pd.DataFrame({"id": made.ids, "predicted class": made.labels, "margin": made.margin})
        _listed("evaluate.predictions", rows, "Predicted classes", name)
        st.caption(
            "Margin: largest decision value minus the runner-up; near 0 = undecided. Trained on all labelled items."
        )
        csv_button("Predictions as CSV", lambda: rows, "predictions", key="evaluate.predictions")


def predicted_numbers(what: Subject) -> None:
    """Predict the numbers of the items without one."""
    labels = what.labels
    panel_title("Predicted numbers", f"of {counted(int((~labels.labelled).sum()), 'item')} without one")
    with guard():
        name, K = _kernel(what, "evaluate.predict_numbers")
        choose = what.validation
        made = predict_numbers(K, labels, learner=what.asked.by, choose=choose)
        rows = pd.DataFrame({"id": made.ids, "predicted number": made.numbers})
        _listed("evaluate.predicted_numbers", rows, "Predicted numbers", name)
        chose = ""
        if choose.choose_C and what.asked.symbol:
            units = ", in units of their mean diagonal" if made.learner.scaled else ""
            chose = f", {what.asked.symbol} chosen in folds of these{units}"
        st.caption(
            f"By {typeset(learner_words(made.learner))}{chose}, trained on all {counted(made.trained, 'item')} with a "
            "number. How far such numbers are off is the RMSE above, for items of the same kind."
        )
        findings(made.notes)
        csv_button("Predictions as CSV", lambda: rows, "predicted numbers", key="evaluate.predicted_numbers")


def _kernel(what: Subject, key: str) -> tuple[str, GramMatrix]:
    """Let one of the complete kernels be chosen; its name, and the kernel as it is judged."""
    kernels = what.dataset.kernels
    complete = [name for name, K in kernels.items() if K.unknown.complete]
    name = widgets.choose("predictions_of", complete, key=f"{key}.{what.dataset.name}", label="Kernel")
    return name, judged_form(what.config, kernels[name])


def _listed(key: str, rows: pd.DataFrame, title: str, kernel: str) -> None:
    """Draw the rows, those of chosen items first, and list them for the report."""
    registry.list_rows(key, rows, title, kernel)
    st.dataframe(in_table(chosen.first(rows)), hide_index=True, width="stretch")


# Predicted beside true, with the diagonal on which both are equal.

_HEIGHT = 320


def agreement(
    across: ArrayLike,
    up: ArrayLike,
    *,
    titles: tuple[str, str],
    hover: Sequence[str],
    alt: str,
    errors: FloatArray | None = None,
    lines: bool = False,
) -> Picture:
    """Points with the diagonal; `errors` (2, n) go below and above, `lines` joins the points in their order."""
    x, y = np.asarray(across, dtype=np.float64), np.asarray(up, dtype=np.float64)
    reach = [x, y] if errors is None else [x, y - errors[0], y + errors[1]]
    low, high = padded(np.concatenate(reach))
    points: Spec = {
        "type": "scatter",
        "mode": "lines+markers" if lines else "markers",
        "x": x,
        "y": y,
        "marker": {"color": SERIES.colour, "size": 8 if lines else 6, "opacity": 1.0 if lines else 0.6},
        "line": {"color": SERIES.colour, "width": 1.5},
        "hovertext": [escaped(each) for each in hover],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "showlegend": False,
    }
    if errors is not None:
        points["error_y"] = {
            "type": "data", "array": errors[1], "arrayminus": errors[0], "symmetric": False, "color": SERIES.colour,
            "thickness": 1, "width": 0,
        }  # fmt: skip
    diagonal: Spec = {
        "type": "line", "x0": low, "y0": low, "x1": high, "y1": high,
        "line": {"color": GUIDE.colour, "width": 1, "dash": "3px,3px"},
    }  # fmt: skip
    layout: Spec = {
        "xaxis": axis(titles[0], range=[low, high], showgrid=True),
        "yaxis": axis(titles[1], range=[low, high], showgrid=True),
        "shapes": [diagonal],
    }
    return Picture(draw([points], _HEIGHT, PlotMargin(left=64, right=12, top=12, bottom=46), layout), alt)


# Whether the probabilities of one judged kernel mean what they say, on the page Evaluate.


def probabilities(made: Judgement, name: str) -> None:
    """Draw predicted beside observed shares; nothing where the learner has no probabilities."""
    if not made.probabilities.size:
        return
    panel_title(
        "Reliability",
        f"{plain(name)}: of the items predicted at 30 %, three in ten should be of the class; dashed: equal",
    )
    of = made.classes[1]
    if len(made.classes) > 2:
        of = widgets.choose("reliability_of", made.classes, key="evaluate.reliability_of")
    found = fold_reliability(made, of)
    picture = _picture(found, of)
    linked_draw(picture, "evaluate.bins")
    st.caption(
        f"Probabilities of {plain(of)} against all others, of items in no training fold. Brier score "
        f"**{number(found.table.brier, 3)}** (floor {number(found.floor, 3)}: always the share of the class); mean distance "
        f"from the diagonal {number(100.0 * found.table.error, 1)} points. Bars: 95 %, other data sets; "
        "a bin of few items says little."
    )
    files = f"reliability of {name}"
    drawing = Drawing(lambda: picture, title=f"Reliability of {name}", settings=spelt(made.config))
    with st.container(horizontal=True, vertical_alignment="center"):
        shown = Result(
            files, table=Offer(lambda: probabilities_table(found), label="Reliability as CSV"), figure=drawing
        )
        buttons(shown, key="evaluate.reliability", look="tertiary")
        again = Offer(
            lambda: probabilities_script(made, of),
            help="Python that judges this kernel and makes this table again.",
        )
        # by itself: the report of this page stands further up
        buttons(Result(files, script=again), key="evaluate.reliability.of")


def probabilities_script(made: Judgement, of: str) -> str:
    """Script that judges the kernel, and prints the bins."""
    found = call(
        "found", "fold_reliability", made.recipe, of,
    )  # fmt: skip
    return write_script(
        [found],
        heading=f"Kernex: reliability of probabilities of {of}",
        prints=["$0.table.predicted", "$0.table.observed", "$0.low", "$0.high", "$0.table.brier"],
    )


def probabilities_table(found: FoldReliability) -> pd.DataFrame:
    """Return one row a bin that has items."""
    return pd.DataFrame(
        {
            "predicted": found.table.predicted, "observed": found.table.observed, "interval from": found.low,
            "interval to": found.high, "predictions": found.table.counts, "items": found.items,
        }
    )  # fmt: skip


def _picture(found: FoldReliability, of: str) -> Picture:
    x, y = 100.0 * found.table.predicted, 100.0 * found.table.observed
    ends = np.maximum([y - 100.0 * found.low, 100.0 * found.high - y], 0.0)
    said = [
        f"predicted {a:.0f} %, observed {b:.0f} %: {count:,} predictions of {items:,} items"
        for a, b, count, items in zip(x, y, found.table.counts, found.items, strict=True)
    ]
    return agreement(
        x, y, titles=(f"predicted probability of {of}, %", "observed share, %"), hover=said, errors=ends, lines=True,
        alt=f"Observed over predicted probabilities of {of}: {'; '.join(said)}.",
    )  # fmt: skip


# One of the judged kernels in full, and which of them were completed with one set of hidden items.


def completed_once(found: Evaluation, kernels: Mapping[str, GramMatrix]) -> None:
    """Say why the page Complete has another number for a kernel that was kept there."""
    hidden = {name: hidden_once(kernels[name]) for name in found.judgements}
    once = [f"{plain(name)} ({count:,} hidden items)" for name, count in hidden.items() if count]
    if once:
        st.caption(
            f"Completed once, with one set of hidden items: {', '.join(once)}. On the page Complete every repetition hides "
            "other items, so the accuracy there is an average over hidden sets, and another number."
        )


def learned_before(found: Evaluation, kernels: Mapping[str, GramMatrix]) -> None:
    """Say where the honest number of kernels with learned weights is: the folds do not make these again."""
    leaking = [name for name, made in found.judgements.items() if made.mode == "leak"]
    fixed = [plain(name) for name in leaking if evaluation_mode(kernels[name], inductive=True) == "leak"]
    if fixed:
        st.caption(
            f"Kept with weights that were learned from the labels of all items: {', '.join(fixed)}. Inductive changes "
            "nothing about that, because the weights are fixed numbers by now; the honest number, with weights made again "
            "inside every fold, is on the page Many kernels, under Accuracy."
        )


def one(dataset: DataSet, found: Evaluation, against: Permuted | None = None) -> None:
    """Draw one of the judged kernels in full."""
    names = list(found.judgements)
    name = (
        widgets.choose("detail", names, key=f"evaluate.detail.{dataset.name}") if len(names) > 1 else names[0]
    )
    made = found.judgements.get(name) or found.judgements[names[0]]
    accuracy_panel(
        made, key="evaluate.panel", title=plain(name), name=f"accuracy of {name}", ids=dataset.ids,
        against=against, named=name,
    )  # fmt: skip
    probabilities(made, name)
    if made.grid:
        learner = learner_of(made)
        letter = "C" if learner is None else strength_symbol(learner)
        best, value = made.best_in_grid
        optimism = f"{100 * made.optimism:+.1f}".replace("-", "−")
        st.caption(
            f"Choosing {letter} inside the folds gives {percent(made.multi_class.mean, 1)}. Reporting the best {letter} of "
            f"the grid ({letter} = {best:g}) would read {percent(value, 1)}: {optimism} points of optimism."
        )


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
        side_by_side.fill(place, made, floor, f"{what.measure} accuracy", "%", rests_on(first))
    against = known_chance(judgements, measure=what.field) if whole else None
    picture = side_by_side.show(found, what, ranked, made, against)
    completed_once(found, what.kernels)
    learned_before(found, what.kernels)
    parts.show(_parts(found, what, ranked, against), said_of_highest(found, what))
    leads = next(iter(ranked))
    _give(found, picture, against, saved_model(what, leads, ranked[leads]) if whole else None)


def saved_model(what: Subject, name: str, made: Judgement | NumberJudgement) -> Offer[bytes] | None:
    """Offer the kernel that leads, trained on all items; None where it reaches no new ones."""
    K, dataset = what.kernels[name], what.dataset
    if not reaches_new(K):  # repair and normalisation, which are made by the click, do
        return None

    def build() -> bytes:
        form = judged_form(what.config, K)
        return save_model(train_model(form, what.labels, made, samples=dataset.samples.values()))

    return Offer(
        build, name=f"model of {name}",
        help=f"{plain(name)}, which leads here, trained on all labelled items: a file that predicts new ones on the page "
        "Predict, in a script (`load_model`) or at the command line (`kernex predict`).",
    )  # fmt: skip


def _parts(
    found: Evaluation, what: Subject, ranked: Mapping[str, Judgement], against: Permuted | None
) -> Parts:
    whole, several = found.done >= found.total, len(ranked) > 1
    return {
        **({"Chance": lambda: _chance(found, what)} if whole else {}),
        **({"Pairs": lambda: comparisons(found.judgements, key="evaluate")} if several and whole else {}),
        **({"Difference": lambda: difference.show(what, found.judgements)} if whole else {}),
        "All measures": lambda: side_by_side.every_measure(ranked),
        IN_DETAIL: lambda: one(what.dataset, found, against),
        **({} if what.labels.labelled.all() else {"Predicted": lambda: predictions(what)}),
    }  # fmt: skip


def _chance(found: Evaluation, what: Subject) -> None:
    say_chance(chance(found.judgements, key="evaluate", measure=what.field), key="evaluate")


def _give(found: Evaluation, picture: Picture, against: Permuted | None, model: Offer[bytes] | None) -> None:
    first = next(iter(found.judgements.values()))
    result = Result(
        "evaluation",
        table=Offer(lambda: table(found.judgements, against)),
        figure=Drawing(lambda: picture, title="Kernels side by side", settings=spelt(first.config)),
        script=Offer(
            lambda: script(found, against),
            help="Python that judges these kernels again with kernex_core alone.",
        ),
        model=model,
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
