"""Every string kernel in one table, for the page Strings: progress, time left, stop, download."""

from __future__ import annotations

from typing import Final, TypeAlias

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.permutations import Permuted
from kernex_core.runtime.progress import finished
from kernex_core.studies.sequences.table import (
    StringTable,
    StringTableConfig,
    named_row,
    permuting_string_table,
    string_kernel_grid,
    string_table,
)
from pages.server.cached import cached
from pages.server.digits import percent, span
from pages.server.messages import findings, guard, plain
from pages.ui import shown as registry
from pages.ui.answer import VerdictPlace, group
from pages.ui.chosen import measure_columns
from pages.ui.frame import panel_title
from pages.ui.panels.accuracy import OPTIMISTIC, choice_basis, choice_sentence
from pages.ui.panels.keep import judging_controls, keep_table, needed_labels, of_table, spread_words
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import (
    Asked,
    asked_beside,
    chance_row,
    printed_chance,
    verdict_rule,
    verdict_words,
)
from pages.ui.shown import remarks

Args: TypeAlias = tuple[StringTableConfig, Sequences, Labels, CrossValidation, SubstitutionMatrix | None]
NESTED: Final = 320
"""Up to this number of sequences the choice among the rows is judged too, unless somebody switches it off."""
BEST, FLOOR = "Best", "Floor"
MEASURES = {"one_vs_rest": "one-vs-rest", "multi_class": "multi-class", "balanced": "balanced"}


@cached(public=True)
def judged_table(
    config: StringTableConfig,
    sequences: Sequences,
    labels: Labels,
    validation: CrossValidation,
    matrix: SubstitutionMatrix | None,
) -> StringTable:
    """Return the whole table; the page keeps what is done under the same key."""
    return list(string_table(config, sequences, labels, validation, matrix))[-1]


def draw(
    dataset: DataSet,
    samples: Sequences,
    places: tuple[DeltaGenerator, DeltaGenerator],
    matrix: SubstitutionMatrix | None = None,
) -> None:
    """Draw the panel for one set of sequences.

    Parameters
    ----------
    dataset : DataSet
        Whose labels are judged by.
    samples : Sequences
    places : two containers
        Of the verdict, and among the settings of how they are judged.
    matrix : SubstitutionMatrix, optional
        An uploaded one for the alignments; by default that of the kind of letters.
    """
    with guard():
        labels = needed_labels(dataset)
        top, judging = places
        with judging:
            validation, config = _settings(dataset, samples, labels)
        panel_title(
            "Every string kernel",
            "all on the same folds; each as it is, and with a power of its entries; Fisher kernels below",
        )
        with top:
            place = VerdictPlace(BEST, FLOOR)
        kernels = len(string_kernel_grid(config, samples.alphabet, matrix))
        args: Args = (config, samples, labels, validation, matrix)
        found = run_study(
            Staged(judged_table, string_table, args).leading,
            key="sequences.table",
            what="judgements",
            automatic=False,
            label="Judge every string kernel",
            cost=f"{kernels} kernels, {kernels * len(config.powers)} judgements of {samples.n:,} sequences: "
            "seconds for short ones, minutes for hundreds of proteins.",
        )
        if found is None or found.best is None:
            place.say("Not judged yet: every string kernel on the same folds, at a click.")
            place.number(0, BEST, "—")
            place.number(1, FLOOR, "—")
        if found is not None:
            _results(found, dataset.name, args, place)


SETTINGS = of_table(StringTableConfig())


def _settings(
    dataset: DataSet, samples: Sequences, labels: Labels
) -> tuple[CrossValidation, StringTableConfig]:
    group("Judging")
    key = f"sequences.table.{dataset.name}"
    start = CrossValidation(folds=dataset.defaults.folds, C=dataset.defaults.C)
    grid = StringTableConfig(
        gap_open=10 if samples.alphabet == "structure" else 11, nested=samples.n <= NESTED
    )
    return judging_controls(start, grid, labels, key)


def _verdict(place: VerdictPlace, found: StringTable) -> None:
    """Say which row is best, by one-vs-rest accuracy; of one row alone there is nothing to tell apart."""
    best, made = found.best, found.verdict()
    if best is None:
        return
    score, interval = best.judgement.one_vs_rest, best.judgement.interval("one_vs_rest")
    named = named_row(best)
    said = verdict_words(made) if made is not None else f"{plain(named)} has {percent(score.mean, 1)}."
    place.say(said, "one-vs-rest accuracy")
    ends = "" if interval is None else span(interval.low, interval.high)
    rule = "" if made is None else f" {verdict_rule(made)}"
    place.number(
        0, BEST, percent(score.mean, 1), ends, f"One-vs-rest accuracy of {named}, {OPTIMISTIC}.{rule}"
    )
    place.number(1, FLOOR, percent(score.floor, 1), help="Always saying no.")


def _results(found: StringTable, name: str, args: Args, place: VerdictPlace) -> None:
    rows = found.table()
    if rows:
        first, best = found.rows[0].judgement, found.best
        # of two classes both measures are one, and so are their floors
        no = f"always saying no {percent(first.one_vs_rest.floor, 1)}, " if len(first.classes) > 2 else ""
        floors = (
            f"{'floors: ' if no else 'floor: '}{no}the largest class {percent(first.multi_class.floor, 1)}"
        )
        registry.list_rows("sequences.kernels", _shown(rows), "Every string kernel", name)
        st.dataframe(_shown(rows), hide_index=True, height=420, key="sequences.table.rows")
        assert best is not None  # there are rows
        spread = spread_words([row.judgement for row in found.rows], MEASURES)
        _verdict(place, found)
        st.caption(
            f"Accuracies in %; {spread}; {first.config.folds or 'leave-one-out'} folds, {first.rests_on}, "
            f"seed {first.config.seed}; {floors}. Best is said of one-vs-rest: {best.candidate.title}, power "
            f"{best.power:g}; the highest of {len(rows)} rows is {OPTIMISTIC}."
            + (
                ""
                if found.choice or args[0].nested
                else " What that is worth: Judge the choice, under Kernels."
            )
        )
        remarks(
            "sequences.kernels",
            {f"{row.candidate.title}, power {row.power:g}": row.judgement for row in found.rows},
        )
        if found.choice is not None:
            st.caption(f"{choice_sentence(found.choice)} {choice_basis(found.choice)}")
        whole = found.done >= found.total
        against = asked_beside(_asked(found, args), named_row(best), key="sequences.table") if whole else None
        keep_table(
            f"{name} string kernels",
            [{**row, **chance_row(against, one)} for row, one in zip(rows, found.by_name, strict=True)],
            lambda: script(args, against),
            "sequences.table",
        )
    findings([f"{kernel} was not judged. {reason}" for kernel, reason in found.refused.items()])


@cached(public=True)
def permuted(
    config: StringTableConfig,
    sequences: Sequences,
    labels: Labels,
    validation: CrossValidation,
    matrix: SubstitutionMatrix | None,
    names: tuple[str, ...],
) -> Permuted:
    """All rows beside permuted labels; kept when it is whole."""
    return finished(permuting_string_table(config, sequences, labels, validation, matrix, names))


def _asked(found: StringTable, args: Args) -> Asked:
    """All rows are candidates; their kernels are computed once more, for the table keeps none."""
    judged = [row.judgement for row in found.rows]
    return Asked.of(permuted, permuting_string_table, (*args, tuple(found.by_name)), judged)


def _recipe(args: Args, against: Permuted | None) -> tuple[Call, ...]:
    """How a script computes p again; nothing before it was asked for."""
    if against is None:
        return ()
    made = call(
        "permuted", "string_table_chance", *args, against.names, measure=against.measure, permutations=against.permutations,
    )  # fmt: skip
    return (made,)


def script(args: Args, against: Permuted | None = None) -> str:
    """Script that judges the same kernels on the same folds, and compares them with chance where the page did."""
    states = call("found", "last_state", call("states", "string_table", *args))
    return write_script(
        [states, *_recipe(args, against)],
        heading="Kernex: every string kernel\n"
        "Kernel, parameters, power, one-vs-rest accuracy, multi-class accuracy, items, how often each was judged, and the\n"
        "ends of the interval of multi-class accuracy.",
        prints=[
            "*((row['kernel'], row['parameters'], row['power'], row['one_vs_rest'], row['multi_class'], "
            "row['items'], row['repetitions'], row['multi_class_from'], row['multi_class_to']) "
            "for row in $0.table()), sep='\\n'",
            *([printed_chance(1)] if against else []),
        ],
    )


def _shown(rows: list[dict[str, object]]) -> pd.DataFrame:
    table = pd.DataFrame(rows)
    shown = pd.DataFrame(
        {
            "kernel": table["kernel"],
            "parameters": table["parameters"],
            "power": table["power"],
            "repair": table["repair"],
        }
    )
    for field, title in MEASURES.items():
        shown = shown.assign(**measure_columns(table, field, title))
        if field != "balanced":
            shown[f"± {title}"] = (100.0 * table[f"{field}_sd_repetitions"]).round(1)
    return shown.assign(tag=table["tag"], seconds=table["gram_seconds"])
