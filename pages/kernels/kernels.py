"""The page Kernels on one screen: what it is about and its power, then the kernel as `look` shows it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.conditioning.impute import FILLS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.base import AnyKernel
from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.compare import written_accuracy
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement, Score
from kernex_core.learning.permutations import Permuted
from kernex_core.studies.inspection import Filled, FillingProgress, InspectionConfig, filling
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of_data, setting
from pages.server.digits import number, percent
from pages.server.messages import guard, plain
from pages.ui import widgets
from pages.ui.answer import Later, Picked, choice_of_kernels, first_row, group, settings_box
from pages.ui.frame import PageFrame, formula_text, need_data, open_page
from pages.ui.glossary import hint
from pages.ui.one_kernel.doctor import Subject
from pages.ui.one_kernel.look import IN_FULL, Around, Parts, look
from pages.ui.panels import build
from pages.ui.panels import inspection as filled
from pages.ui.panels.accuracy import OPTIMISTIC, with_interval
from pages.ui.panels.build import NEW, about, build_kernel, of_strings
from pages.ui.panels.inspection import OF_STRINGS, conditioned_by, conditioning, mostly_unknown, shown_filled
from pages.ui.panels.keep import ARCHIVE_HELP, Keep, Offer, Result, buttons
from pages.ui.panels.staged import Staged, run_study
from pages.ui.panels.verdicts import (
    chance,
    chance_recipe,
    chance_row,
    known_chance,
    p_against_chance,
    printed_chance,
    say_chance,
)
from pages.ui.shown import table

# Ways to fill unknown pairs, for kernels that a search tool reported in part.

THEN = "it may be indefinite: repair it above, or let the other pages clip it."
MEANINGS = {
    "zero": "not reported = not similar",
    "half the lowest": "below the lowest reported score, but not nothing",
    "lowest": "as low as the lowest reported score",
    "mean": "denies that absence says anything",
}


FILLING_SETTINGS = of_data("fill_kernel", "Partly unknown kernel"), setting("fill", "Fill with")
AUTOMATIC = 300
"""Items up to which the ways are compared without a click (a second or two)."""


@cached(public=True)
def ways(K: GramMatrix, labels: Labels | None, validation: CrossValidation) -> FillingProgress:
    """Return every way to fill, with what it costs."""
    return list(filling(K, labels, validation))[-1]


def partly_unknown(dataset: DataSet) -> list[str]:
    """Return the names of the kernels that lack pairs."""
    return [name for name, K in dataset.kernels.items() if not K.unknown.complete]


def show_filling(dataset: DataSet) -> None:
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


# How the page Kernels works, in formulas and sentences.

FORMULAS: Final = (
    r"x \mapsto \operatorname{sgn}(x)\,|x|^p \quad\text{or}\quad \operatorname{sgn}(x)\log(1+|x|)",
    r"\text{cosine: } \frac{K_{ij}}{\sqrt{K_{ii}K_{jj}}}\qquad "
    r"\text{centre: } HKH,\; H = I - \tfrac{1}{n}\mathbf{1}\mathbf{1}^\top",
    r"K = \sum_i \lambda_i u_i u_i^\top:\quad \text{clip } \max(\lambda_i, 0),\;\; \text{flip } |\lambda_i|,"
    r"\;\; \text{shift } \lambda_i + |\lambda_{\min}|,\;\; \text{square } \lambda_i^2",
    r"\text{negative mass} = \frac{\sum_{\lambda_i<0}|\lambda_i|}{\sum_i|\lambda_i|}\qquad "
    r"\text{distance} = \frac{\lVert K' - K\rVert_F}{\lVert K\rVert_F}",
)
ASSUMPTIONS: Final = (
    "Order: map of entries, normalisation, repair; after a repair a cosine-normalised kernel is normalised again.",
    "*Power p* maps entries, here and on the part of that name, which makes a kernel of the result by a scheme: with its "
    "scheme *clip* and with *clip* as the repair here, both are the same kernel.",
    "A kernel is positive semidefinite: no eigenvalue below −*n* ε λ_max. Up to that rounding clip, flip and shift "
    "leave it exactly as it is.",
    "Of a partly unknown kernel the largest set of items whose pairs are all known (greedy) is looked at, repaired "
    "and judged; everything else stays unknown, hatched.",
    "Power, log1p and cosine look at a pair and its two diagonals only: inductive. Centring and repairs look at all "
    "rows: transductive, unless they are fitted on the training items of every fold (*Inductive*).",
    "The map is kernel PCA of the centred kernel; of an indefinite similarity it shows the positive part.",
    "Repairs: Higham 1988 (clip), Graepel et al. 1999 and Chen et al. 2009 (flip), Roth et al. 2003 (shift), "
    "empirical kernel map (square).",
)


# What can be set on the page Kernels.

KERNEL: Final = of_data("kernel", "Kernel")
SETTINGS: Final = declared(
    *in_view(KERNEL, *FILLING_SETTINGS), *conditioned_by(in_row=True), *filled.SETTINGS, *build.SETTINGS, *IN_FULL,
)  # fmt: skip


UNKNOWN = "Unknown pairs"
POWER = "p"


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page; ways to fill unknown pairs stand below it where what comes before is refused."""
    fill: Parts = {UNKNOWN: partial(show_filling, dataset)} if partly_unknown(dataset) else {}
    seen = False
    with guard():
        seen = _kernel(dataset, page.slot.empty(), fill)
    if not seen:
        for draw in fill.values():
            draw()


def _kernel(dataset: DataSet, header: DeltaGenerator, fill: Parts) -> bool:
    """Draw the first row and the kernel; return whether its parts are drawn, `fill` among them."""
    labels = dataset.judgeable
    row = first_row()
    name = _name(dataset, row)
    with row:
        kind = Later(st.container(width=210) if name == NEW else row)
        normal, last = st.container(width="stretch"), st.container(width="content")
    with last, settings_box(3) as (left, middle, right):
        with left:
            group("Entries")
            entries = st.container()
        with right:
            group("Pictures")
            order = st.container()
    K, built = _gram(dataset, name, kind, left)
    start = OF_STRINGS if built and K is not None and of_strings(K, dataset) else InspectionConfig()
    # it keeps the setting; the one that is seen is in the pictures
    power = st.container(key=f"hidden_slider.{POWER}")
    config, how = conditioning((Later(normal), entries, power, order), start, with_classes=labels is not None)
    said = formula_text(FORMULAS, ASSUMPTIONS)
    if K is None:
        if built is not None:
            about(built)
        return False

    def method() -> None:
        if built is not None:
            about(built)
        st.markdown(said)

    mostly, shown = mostly_unknown(K), K
    if mostly:
        with left:
            shown = shown_filled(K, dataset.name)
    title = K.name if built else name
    subject = Subject(
        title if shown is K else shown.name,
        config,
        shown,
        labels,
        dataset.defaults.C,
        dataset.name,
        None if shown is K else K,
    )
    before, behind = (fill, {}) if mostly else ({}, fill)
    look(subject, how, Around(header, st.container(), left, middle, method, before, behind, POWER))
    return True


def _name(dataset: DataSet, row: DeltaGenerator) -> str:
    """Ask which kernel, where there is one to be chosen."""
    if not dataset.kernels:
        return NEW
    with row, st.container(width=200):
        return widgets.choose(
            KERNEL.name, [*dataset.kernels, *([NEW] if dataset.samples else [])], default=dataset.target,
            help="A kernel or similarity of this data set, as it was brought or kept; or a new one from its samples.",
        )  # fmt: skip


def _gram(
    dataset: DataSet, name: str, kind: Later, rest: DeltaGenerator
) -> tuple[GramMatrix | None, type[AnyKernel] | None]:
    """Return the kernel, and of one that is built here its kind."""
    if name != NEW:
        return dataset.kernels[name], None
    with rest:
        group("Built from")
    built = build_kernel(dataset, kind, rest)
    return built.gram, built.kind


def run() -> None:
    """Draw the page in its frame."""
    page = open_page("Kernels", "What does this kernel see, and is it a kernel at all?", SETTINGS)
    show(page, need_data())
