"""PSD doctor: each repair side by side with its cost and its effect on accuracy; choose, keep, download."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.leakage import fills_unknown
from kernex_core.studies.inspection import Inspection, InspectionConfig
from kernex_core.studies.treatment import NO_REPAIR, TREATMENTS, Treatment, change, change_paired
from pages.shared.controls import spelt_out
from pages.shared.declared.settings import of, setting
from pages.shared.figures.picture import Picture
from pages.shared.figures.theme import number, p_value
from pages.shared.glossary.entries import hint
from pages.shared.messages import guard
from pages.shared.panels.accuracy import accuracy_panel, neighbour_interval, with_interval
from pages.shared.panels.chosen_row import Why
from pages.shared.panels.inspection.numbers import smallest
from pages.shared.panels.inspection.results import choice_of_repair, different, keep, named_among
from pages.shared.panels.inspection.subject import watched_accuracies, watched_treatment
from pages.shared.panels.optimism import OPTIMISTIC
from pages.shared.panels.several.chance import chance_beside, known_chance
from pages.shared.panels.verdicts import NOT, interval_words
from pages.shared.settings import widgets
from pages.shared.shown import drawn
from pages.shared.shown.remarks import copies_field

VALIDATION_FIELDS = ("folds", "repeats", "seed", "C", "choose_C", "inductive")
REFERENCE = "clip"
MANY = 500
DASH = "—"

SETTINGS = (
    *of(CrossValidation, prefix="cv_"), setting("repair", "Repair"), setting("repair_kernel", "Repair"),
    setting("compare", "Compare all repairs"),
)  # fmt: skip
CHOSEN_HELP = "The repair that is chosen below the table is kept, downloaded and judged in full."


@dataclass(frozen=True)
class Subject:
    """What the doctor is about.

    `labels` only if there are at least two classes; `reported` is `K` before it was filled; `why` draws reasons of a
    similarity.
    """

    name: str
    config: InspectionConfig
    K: GramMatrix
    labels: Labels | None
    default_C: float
    dataset: str
    reported: GramMatrix | None = None
    why: Why | None = None


def doctor_section(
    subject: Subject, made: Inspection, picture: Callable[[], Picture]
) -> tuple[Treatment | None, bool]:
    """Draw the doctor with everything below it; return the chosen repair, and whether it is judged inductively.

    None stands for a repair that was stopped.
    """
    st.divider()
    st.header("PSD doctor", anchor=False, help=hint("Repair", first=CHOSEN_HELP))
    validation = protocol(subject, fills_unknown(made.gram))
    few = ""
    if subject.labels is not None and not has_classes(subject, made.gram):
        few = f" The {made.diagnosis.n_known:,} known items are of one class: there is nothing to judge."
    above = st.empty()
    above.markdown(f":gray[{explanation(made, subject.labels, 0)}{few}]")
    row, every = doctor(subject, made, validation)
    if len(every) > 1:
        above.markdown(f":gray[{explanation(made, subject.labels, len(every))}]")
    if row is None:
        return None, False
    judged = every.get(row.method)
    keep(subject.name, subject.config, row, judged, picture, different(every))
    full_accuracy(subject.name, row, every)
    return row, validation.inductive and judged is not None


def has_classes(subject: Subject, gram: GramMatrix) -> bool:
    """Whether the known items are of at least two classes, so that they can be judged."""
    return subject.labels is not None and len(set(subject.labels.y[gram.known].tolist()) - {""}) > 1


def protocol(subject: Subject, filled: bool) -> CrossValidation:
    """Draw the choice of folds and return the protocol; what fills unknown entries is fitted inside them."""
    start = CrossValidation(C=subject.default_C, inductive=filled)
    if subject.labels is None:
        return start
    fields = (*VALIDATION_FIELDS, *copies_field(subject.labels, (subject.K,)))
    fields += () if subject.labels.groups is None else ("grouped",)
    key = f"kernels.cv.{subject.dataset}{'.filled' if filled else ''}"
    return spelt_out(start, key, fields, prefix="cv_")


def doctor(
    subject: Subject, made: Inspection, validation: CrossValidation
) -> tuple[Treatment | None, Mapping[str, Judgement]]:
    """Draw the table and return the repair that is chosen, and the accuracies of all that have one."""
    table, waiting = st.empty(), st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        # two widgets: what is suggested, and so the choice, differs where a repair is needed
        indefinite = made.diagnosis.indefinite
        chosen = widgets.pick(
            "repair" if indefinite else "repair_kernel", TREATMENTS, default=REFERENCE if indefinite else NO_REPAIR,
            label_visibility="collapsed",
        )  # fmt: skip
        compared = made.diagnosis.n_known <= MANY or widgets.switch(
            "compare", key="kernels.compare",
            help=f"Above {MANY} items this takes seconds after every change, so it waits for you to ask.",
        )  # fmt: skip
    methods = [m for m in TREATMENTS if compared or m in (NO_REPAIR, chosen)]
    rows: dict[str, Treatment] = {}
    for method in methods:
        row = watched_treatment(subject.config, subject.K, subject.labels, method)
        if row is not None:
            rows[method] = row
    judged: Mapping[str, Judgement] = {}
    # what keeps a cross-validation from running does not keep the repairs from being shown
    with guard():
        if compared and subject.labels is not None and has_classes(subject, made.gram):
            judgeable = tuple(method for method, row in rows.items() if row.can_be_judged)
            args = subject.config, subject.K, subject.labels, judgeable, validation
            judged = watched_accuracies(args, waiting)
    with table:
        shown = cells(rows, judged, chosen, labelled=subject.labels is not None, compared=compared)
        drawn.table("kernels.repairs", shown, title="PSD doctor")
    # what keeps a choice from being made does not keep the repairs from being shown
    with guard():
        choice_of_repair(subject.labels, rows, judged, validation)
    return rows.get(chosen), judged


def cells(
    rows: dict[str, Treatment],
    judged: Mapping[str, Judgement],
    chosen: str,
    *,
    labelled: bool,
    compared: bool = True,
) -> dict[str, list[str]]:
    """Cells of the table; the chosen row is bold."""
    columns: dict[str, list[str]] = {
        "Repair": list(rows),
        "*λ* min after": [smallest(row.diagnosis) for row in rows.values()],
        "Distance, % of the norm": [_percent(row.relative_distance) for row in rows.values()],
        "Rank": [str(row.diagnosis.rank) for row in rows.values()],
    }
    if labelled and compared:
        columns["Multi-class accuracy, % [95\u00a0%] ± sd over repetitions"] = [
            _accuracy(judged.get(m)) for m in rows
        ]
        columns["Change against clip, points [95\u00a0%] ± sd over repetitions"] = [
            _change(judged, method) for method in rows
        ]
    if labelled:
        columns["Nearest neighbour, % [95\u00a0%]"] = [_neighbour(row) for row in rows.values()]
    return {
        title: [
            f"**{cell}**" if method == chosen and cell else cell
            for method, cell in zip(rows, column, strict=True)
        ]
        for title, column in columns.items()
    }


def _percent(share: float) -> str:
    # squares are of another size altogether, and a percentage of it says nothing
    return number(100.0 * share, 1) if share < 10.0 else "another scale"


def _accuracy(made: Judgement | None) -> str:
    if made is None:
        return DASH
    score = made.multi_class
    spread = "" if score.sd_repeats != score.sd_repeats else f" ± {number(100.0 * score.sd_repeats, 1)}"
    return with_interval(score.mean, made.interval(), floor=score.floor) + spread


def _change(judged: Mapping[str, Judgement], method: str) -> str:
    if method == REFERENCE or method not in judged or REFERENCE not in judged:
        return ""
    if judged[method] is judged[REFERENCE]:
        return "0: the same kernel"
    made = change(judged[method], judged[REFERENCE])
    gain = 100.0 * made.mean
    spread = "" if made.sd_repeats != made.sd_repeats else f" ± {number(100.0 * made.sd_repeats, 1)}"
    beside = change_paired(judged[method], judged[REFERENCE])
    told = "" if beside.told_apart else f", {NOT}"
    return f"{_signed(gain)} :gray[{interval_words(beside)}]{spread} :gray[p\u00a0{p_value(beside.p)}{told}]"


def _signed(points: float) -> str:
    return f"{'+' if round(points, 1) > 0 else ''}{number(points, 1)}"


def _neighbour(row: Treatment) -> str:
    d = row.diagnosis
    flag = " :orange[below its floor]" if d.below_floor else ""
    return with_interval(d.neighbour_accuracy, neighbour_interval(d)) + flag


def explanation(made: Inspection, labels: Labels | None, judged: int) -> str:
    """Return the sentences above the table; `judged` is the number of accuracies in it."""
    again = ", cosine-normalised again" if made.config.normalize == "cosine" else ""
    if labels is None:
        parts = [f"Each repair{again}: how far it moves the kernel. Accuracy needs labels of two classes."]
    elif judged < 2:
        parts = [f"Each repair{again}: how far it moves the kernel."]
    else:
        parts = [
            f"Each repair{again}: how far it moves the kernel, and what that does to accuracy on the same folds. The "
            f"highest of these accuracies is {OPTIMISTIC}."
        ]
    if not made.diagnosis.indefinite:
        parts.append("This is a kernel already: only square changes it.")
    elif judged:
        parts.append(
            "Without a repair there is no accuracy (—): a support vector machine would fit an indefinite matrix "
            "silently, and wrongly; the nearest neighbour needs no kernel."
        )
    return " ".join(parts)


def full_accuracy(name: str, row: Treatment, every: Mapping[str, Judgement]) -> None:
    """Draw the accuracy of the chosen repair in full, and its p against chance once somebody asks."""
    made = every.get(row.method)
    if made is None:
        return
    kernels = different(every)
    named = named_among(kernels, made)
    accuracy_panel(
        made, key="kernels.accuracy", note=f"after repair “{row.method}”" if row.changed else "of this kernel",
        name=f"accuracy {name} {row.method}", ids=row.subject.ids, against=known_chance(kernels), named=named,
    )  # fmt: skip
    with guard():
        chance_beside(kernels, named, key="kernels")
