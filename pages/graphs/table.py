"""Every graph kernel in one table, for the page Graphs: progress, time left, stop and go on, download."""

from __future__ import annotations

from typing import Final, TypeAlias

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.permutations import Permuted
from kernex_core.runtime.progress import finished
from kernex_core.studies.graphs.table import (
    GraphTable,
    GraphTableConfig,
    graph_kernel_grid,
    graph_table,
    permuting_graph_table,
)
from pages.server.cached import cached
from pages.server.digits import p_value, percent, span
from pages.server.messages import findings, guard, plain
from pages.ui import shown as registry
from pages.ui.answer import VerdictPlace, first_row, group, settings_box
from pages.ui.chosen import measure_columns
from pages.ui.frame import panel_title
from pages.ui.panels.accuracy import OPTIMISTIC, choice_basis, choice_sentence
from pages.ui.panels.chance import Asked, asked_beside, chance_row, printed_chance
from pages.ui.panels.keep import judging_controls, keep_table, needed_labels, of_table, spread_words
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import interval_words, rule_words, signed_points, verdict_words
from pages.ui.shown import remarks

Args: TypeAlias = tuple[GraphTableConfig, GraphSet, Labels, CrossValidation]
KEY: Final = "graphs.table"
BEST, FLOOR = "Best", "Floor"
MEASURES: Final = {"multi_class": "multi-class", "balanced": "balanced"}
TESTS: Final = ("Told apart", "Holm")
"""Words of the glossary beside who wins."""
PARTS: Final = ("Walk", "Weisfeiler-Lehman label", "Graphlet", "Tree pattern", "Floor")
"""Words of the glossary that name kernels."""
COLUMNS: Final = {
    "kernel": st.column_config.TextColumn(width=140),
    "parameters": st.column_config.TextColumn(width=170),
    "seconds": st.column_config.NumberColumn(
        help="That the matrix took in this run, on this machine, without what is compiled once."
    ),
    **{name: st.column_config.NumberColumn(format="%.1f") for name in (*MEASURES.values(), "± multi-class")},
}
CHOICE_UP_TO: Final = 320
"""Graphs up to which the choice among the rows is judged too, unless somebody switches it off."""


@cached(public=True)
def judged_table(
    config: GraphTableConfig, graphs: GraphSet, labels: Labels, validation: CrossValidation
) -> GraphTable:
    """Return the whole table; the page keeps what is done under the same key."""
    return list(graph_table(config, graphs, labels, validation))[-1]


def draw(top: DeltaGenerator, dataset: DataSet, graphs: GraphSet) -> None:
    """Draw the panel for one set of graphs, with Settings and the verdict at the top of the page."""
    with guard():
        labels = needed_labels(dataset)
        with top:
            with first_row(), settings_box():
                validation, config = _settings(dataset, graphs, labels)
            place = VerdictPlace(BEST, FLOOR)
        panel_title("Every graph kernel", "cosine-normalised, all on the same folds", PARTS)
        args: Args = (config, graphs, labels, validation)
        kernels = len(graph_kernel_grid(config))
        found = run_study(
            Staged(judged_table, graph_table, args, resumes=True).leading,
            key=KEY,
            what="steps" if config.nested else "kernels",
            automatic=False,
            label="Judge every graph kernel",
            cost=f"{f'{kernels + 1} steps: ' if config.nested else ''}{kernels} kernels of {graphs.n:,} graphs on the same "
            f"folds{', then the choice among them' if config.nested else ''}. Seconds for small molecules, minutes for "
            "hundreds of proteins.",
        )
        if found is None or not found.rows:
            place.say("Not judged yet: every graph kernel on the same folds, at a click.")
            for at, name in enumerate(place.names):
                place.number(at, name, "—")
        if found is not None:
            _results(found, dataset.name, args, place)


SETTINGS = of_table(GraphTableConfig())


def _settings(dataset: DataSet, graphs: GraphSet, labels: Labels) -> tuple[CrossValidation, GraphTableConfig]:
    group("Judging")
    key = f"{KEY}.{dataset.name}"
    given = dataset.defaults
    start = CrossValidation(folds=given.folds, repeats=given.repeats, C=given.C)
    return judging_controls(start, GraphTableConfig(nested=graphs.n <= CHOICE_UP_TO), labels, key)


def _fill(place: VerdictPlace, found: GraphTable, verdict: Verdict | None) -> None:
    """Say which row is best, once all are judged: all rows of the table are candidates."""
    best = found.best
    assert best is not None  # there are rows
    score, interval = best.judgement.multi_class, best.judgement.interval()
    if verdict is None:
        place.say(f"{plain(best.candidate.title)} is highest so far, of {counted(len(found.rows), 'row')}.")
    elif verdict.as_good:
        place.say(f"Nobody wins: {verdict_words(verdict)}", "multi-class accuracy")
    else:
        place.say(verdict_words(verdict), "multi-class accuracy")
    ends = "" if interval is None else span(interval.low, interval.high)
    said = f"Multi-class accuracy of {plain(best.candidate.title)}, {OPTIMISTIC}."
    place.number(0, BEST, percent(score.mean, 1), ends, said)
    place.number(1, FLOOR, percent(score.floor, 1), help="Always the largest class.")


def _results(found: GraphTable, name: str, args: Args, place: VerdictPlace) -> None:
    rows = found.table()
    whole = found.done >= found.total
    if rows:
        verdict = found.verdict() if whole else None
        _fill(place, found, verdict)
        shown = _shown(rows)
        registry.list_rows("graphs.kernels", shown, "Every graph kernel", name)
        st.dataframe(
            shown,
            hide_index=True,
            height=33 * (len(rows) + 1) + 2,
            key=f"{KEY}.rows",
            column_config=COLUMNS,
        )
        st.caption(_caption(found, args[0]))
        remarks("graphs.kernels", {row.candidate.title: row.judgement for row in found.rows})
        if found.choice is not None:
            st.caption(f"{choice_sentence(found.choice)} {choice_basis(found.choice)}")
        if verdict is not None:
            _verdict(verdict)
        against = asked_beside(_asked(found, args), best_of(found), key=KEY) if whole else None
        keep_table(
            f"{name} graph kernels",
            [{**row, **chance_row(against, one)} for row, one in zip(rows, found.by_name, strict=True)],
            lambda: script(args, against),
            KEY,
        )
    findings([f"{kernel} was not judged. {reason}" for kernel, reason in found.refused.items()])


@cached(public=True)
def permuted(
    config: GraphTableConfig,
    graphs: GraphSet,
    labels: Labels,
    validation: CrossValidation,
    names: tuple[str, ...],
) -> Permuted:
    """All rows beside permuted labels; kept when it is whole."""
    return finished(permuting_graph_table(config, graphs, labels, validation, names))


def _asked(found: GraphTable, args: Args) -> Asked:
    """All rows are candidates; their kernels are computed once more, for the table keeps none."""
    judged = [row.judgement for row in found.rows]
    return Asked.of(permuted, permuting_graph_table, (*args, tuple(found.by_name)), judged)


def _recipe(args: Args, against: Permuted | None) -> tuple[Call, ...]:
    """How a script computes p again; nothing before it was asked for."""
    if against is None:
        return ()
    made = call(
        "permuted", "graph_table_chance", *args, against.names, measure=against.measure, permutations=against.permutations,
    )  # fmt: skip
    return (made,)


def best_of(found: GraphTable) -> str:
    """Name of the row of the highest accuracy."""
    return max(found.by_name, key=lambda name: found.by_name[name].multi_class.mean)


def _caption(found: GraphTable, config: GraphTableConfig) -> str:
    first, best = found.rows[0].judgement, found.best
    assert best is not None  # there are rows
    spread = spread_words([row.judgement for row in found.rows], MEASURES)
    optimistic = f"is {OPTIMISTIC}" if len(found.rows) > 1 else "stands alone so far"
    said = (
        f"Accuracies in %; {spread}; {first.config.folds or 'leave-one-out'} folds, {first.rests_on}, seed "
        f"{first.config.seed}, C = {first.config.C:g}; floor, the largest class: {percent(first.multi_class.floor, 1)}. "
        f"Highest: {plain(best.candidate.title)}, {percent(best.judgement.multi_class.mean, 1)}, of {len(found.rows)} rows: "
        f"it {optimistic}."
    )
    return said if config.nested else f"{said} What that is worth: Judge the choice, under Kernels."


def _verdict(made: Verdict) -> None:
    """Draw the best row beside every other."""
    panel_title("Does one of them win?", "all rows", TESTS)
    best = plain(made.best.name)
    n = len(made.candidates)
    st.caption(rule_words(n * (n - 1) // 2))
    others = [(each, each.against_best) for each in made.candidates if each.against_best is not None]
    registry.table(
        f"{KEY}.pairs",
        {
            f"{best} against": [plain(each.name) for each, _ in others],
            "points [95\u00a0%]": [
                f"{signed_points(pair.difference)} :gray[{interval_words(pair)}]" for _, pair in others
            ],
            "p": [p_value(pair.p) for _, pair in others],
            "p, Holm": [p_value(each.p) for each, _ in others],
        },
        title="Does one of them win?",
    )


def script(args: Args, against: Permuted | None = None) -> str:
    """Script that judges the same kernels on the same folds, and compares them with chance where the page did."""
    states = call("found", "last_state", call("states", "graph_table", *args))
    return write_script(
        [states, *_recipe(args, against)],
        heading="Kernex: every graph kernel\n"
        "Kernel, parameters, multi-class accuracy, items, how often each was judged, and the ends of its interval.",
        prints=[
            "*((row['kernel'], row['parameters'], row['multi_class'], row['items'], row['repetitions'], "
            "row['multi_class_from'], row['multi_class_to']) for row in $0.table()), sep='\\n'",
            *([printed_chance(1)] if against else []),
        ],
    )


def _shown(rows: list[dict[str, object]]) -> pd.DataFrame:
    table = pd.DataFrame(rows)
    shown = pd.DataFrame(
        {
            "kernel": table["kernel"],
            "parameters": table["parameters"],
            "fixed": table["fixed"].map({True: "●", False: ""}),
        }
    )
    for field, title in MEASURES.items():
        shown = shown.assign(**measure_columns(table, field, title))
    shown.insert(5, "± multi-class", (100.0 * table["multi_class_sd_repetitions"]).round(1))
    return shown.assign(tag=table["tag"], seconds=table["gram_seconds"])
