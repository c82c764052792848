"""Ways to fill unknown pairs, for kernels that a search tool reported in part."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from kernex_core.conditioning.fill import FILLS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement, Score
from kernex_core.learning.permutations import Permuted
from kernex_core.learning.written_rows import written_accuracy
from kernex_core.studies.filling import Filled, FillingProgress, filling
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import of_data, setting
from pages.server.digits import number, percent
from pages.server.messages import guard, plain
from pages.ui import widgets
from pages.ui.answer import Picked, choice_of_kernels
from pages.ui.glossary import hint
from pages.ui.panels.accuracy import OPTIMISTIC, with_interval
from pages.ui.panels.chance import (
    chance,
    chance_recipe,
    chance_row,
    known_chance,
    p_against_chance,
    printed_chance,
    say_chance,
)
from pages.ui.panels.keep import ARCHIVE_HELP, Keep, Offer, Result, buttons
from pages.ui.panels.staged import Staged, run_study
from pages.ui.shown import table

THEN = "it may be indefinite: repair it above, or let the other pages clip it."
MEANINGS = {
    "zero": "not reported = not similar",
    "half the lowest": "below the lowest reported score, but not nothing",
    "lowest": "as low as the lowest reported score",
    "mean": "denies that absence says anything",
}


SETTINGS = of_data("fill_kernel", "Partly unknown kernel"), setting("fill", "Fill with")
AUTOMATIC = 300
"""Items up to which the ways are compared without a click (a second or two)."""


@cached(public=True)
def ways(K: GramMatrix, labels: Labels | None, validation: CrossValidation) -> FillingProgress:
    """Return every way to fill, with what it costs."""
    return list(filling(K, labels, validation))[-1]


def partly_unknown(dataset: DataSet) -> list[str]:
    """Return the names of the kernels that lack pairs."""
    return [name for name, K in dataset.kernels.items() if not K.unknown.complete]


def show(dataset: DataSet) -> None:
    """Draw the table for the partly unknown kernels of the data set, of which there is at least one."""
    names = partly_unknown(dataset)
    place = st.empty()
    name = (
        widgets.choose("fill_kernel", names, key=f"fill.kernel.{dataset.name}")
        if len(names) > 1
        else names[0]
    )
    K, labels = dataset.kernels[name], dataset.labels
    validation = CrossValidation(C=dataset.defaults.C)
    with guard():
        title = f"**Unknown pairs** :gray[{plain(name)}: {unknown_pairs(K)}. What should stand for them?]"
        place.markdown(title, help=hint("Unknown"))
        found = run_study(
            Staged(ways, filling, (K, labels, validation), resumes=True),
            key="fill",
            what="%",
            automatic=K.n <= AUTOMATIC,
            label="Compare all ways",
            cost=cost(K, labels, validation),
        )
        rows = () if found is None else found.rows
        if not rows:
            return
        judged = {row.method: row.judgement for row in rows if row.judgement is not None}
        done = found is not None and found.done >= found.total
        against = known_chance(judged) if done else None
        table("fill.ways", _cells(rows, against), title="Ways to fill what is unknown", note=plain(name))
        if rows[0].judgement is not None:
            made = rows[0].judgement
            rests = (
                f"Each way, cosine-normalised: what it does to definiteness, and after clipping to accuracy. C = "
                f"{validation.C:g}, two-fold, seed {validation.seed}; {made.rests_on}, the same folds for every row; "
                f"[95\u00a0%] ± sd over repetitions; {made.state.words}; floors {percent(made.multi_class.floor, 1)} and "
                f"{percent(made.one_vs_rest.floor, 1)}. The highest of these ways is {OPTIMISTIC}."
            )
            place.markdown(title, help=hint("Unknown", first=rests))
            if done and labels is not None:
                say_chance(chance(judged, key="fill"), key="fill")
                subjects = {method: each.subject[0] for method, each in judged.items()}
                kernels = {method: gram for method, gram in subjects.items() if gram is not None}
                now = str(workspace.widget_says("fill.method", "zero"))
                choice_of_kernels(
                    judged, kernels, labels, validation, Picked("fill", "fill.method", "fill", now)
                )
        _keep(name, rows, judged, against)


def cost(K: GramMatrix, labels: Labels | None, validation: CrossValidation) -> str:
    """Say what a click will ask for, because nothing that takes long starts by itself."""
    each = f"the eigenvalues of {K.n:,} items"
    if labels is not None and labels.judgeable:
        each += f" and {validation.folds * validation.repeats} folds × {len(labels.classes)} classes"
    return f"{len(FILLS)} ways, each with {each}: this starts with a click."


def unknown_pairs(K: GramMatrix) -> str:
    """Return how many pairs of two items are unknown, and how many items' similarities to themselves."""
    total = K.n * (K.n - 1) // 2
    share = K.unknown.between / max(total, 1)
    # of a table of hits nearly all pairs are unknown, and those that are not must not be rounded away
    digits = 1 if 0.99 < share < 1.0 else 0
    said = f"{K.unknown.between:,} of {total:,} pairs unknown ({percent(share, digits)})"
    alone = K.unknown.unknown_selves
    return said + (f", and the self-similarities of {counted(alone, 'item')}" if alone else "")


def _cells(rows: tuple[Filled, ...], against: Permuted | None = None) -> dict[str, list[str]]:
    cells = {
        "Unknown pairs become": [f"**{row.method}**" for row in rows],
        "meaning": [f":gray[{MEANINGS[row.method]}]" for row in rows],
        "λ min": [number(row.min_eigenvalue, 2) for row in rows],
        "Negative mass": [percent(row.negative_mass, 1) for row in rows],
    }
    judged = [row.judgement for row in rows]
    if judged[0] is None:
        return cells
    chances = {"against chance": [p_against_chance(against, row.method) for row in rows]} if against else {}
    return cells | {
        "Multi-class, %": [_spread(j.multi_class, j.interval()) for j in judged if j],
        **chances,
        "One-vs-rest, %": [_spread(j.one_vs_rest, j.interval("one_vs_rest")) for j in judged if j],
    }


def _spread(score: Score, interval: Interval | None) -> str:
    return f"{with_interval(score.mean, interval, floor=score.floor)} :gray[± {number(100.0 * score.sd_repeats, 1)}]"


def _keep(
    name: str, rows: tuple[Filled, ...], judged: Mapping[str, Judgement], against: Permuted | None
) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = widgets.pick("fill", [row.method for row in rows], default="zero", key="fill.method")
        chosen = next(row for row in rows if row.method == method)
        accuracies = Offer(
            lambda: accuracy_rows(judged, against), label="Accuracies as CSV", name=f"{name} ways to fill",
            key="accuracies", help="One row a way: accuracy, its interval, and p against chance where it was asked for.",
        )  # fmt: skip
        further = (accuracies,) if judged else ()
        result = Result(
            f"{name}, filled with {method}",
            kernel=lambda: chosen.gram,
            table=Offer(lambda: chosen.gram, name=f"{name} {method}"),
            arrays=Offer(lambda: chosen.gram, help=ARCHIVE_HELP, name=f"{name} {method}"),
            script=Offer(
                lambda: script(name, chosen, chance_recipe(against, judged)),
                help="Python that fills and judges again with kernex_core alone.",
                name=f"{name} {method}",
            ),
            further=further,
        )
        buttons(result, key="fill", keep=Keep("Keep the filled kernel", then=THEN))


def accuracy_rows(judged: Mapping[str, Judgement], against: Permuted | None) -> list[dict[str, object]]:
    """Return one row a way to fill."""
    return [
        {
            "fill": method, **written_accuracy(made), "one_vs_rest": made.one_vs_rest.mean, "mode": made.state.words,
            **chance_row(against, method),
        }
        for method, made in judged.items()
    ]  # fmt: skip


def script(name: str, row: Filled, permuted: tuple[Call, ...] = ()) -> str:
    """Script of one way to fill, of its accuracy where there is one, and of p against chance where it was asked for."""
    results, prints = [row.gram.recipe], ["$0.values"]
    if row.judgement is not None:
        results.append(row.judgement.recipe)
        prints.append(
            "'multi-class accuracy', $1.multi_class.mean, $1.rests_on, $1.interval(), $1.state.words"
        )
        results += permuted
        prints += [printed_chance(2)] if permuted else []
    return write_script(results, heading=f"Kernex: {name}, unknown pairs become {row.method}", prints=prints)
