"""PSD doctor: each repair with its cost and its effect on accuracy, and the accuracy of the chosen one in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, write_script
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.leakage import fills_unknown
from kernex_core.studies.inspection import (
    NO_REPAIR,
    TREATMENTS,
    Inspection,
    InspectionConfig,
    Outlook,
    Treatment,
    change,
    change_paired,
    foreseen,
)
from pages.server.declared import of, setting
from pages.server.digits import number, p_value
from pages.server.messages import guard
from pages.ui import shown as drawn
from pages.ui import widgets
from pages.ui.answer import Picked, choice_of_kernels, group
from pages.ui.figures.chart import Picture
from pages.ui.glossary import hint
from pages.ui.panels.accuracy import OPTIMISTIC, accuracy_panel, neighbour_interval, with_interval
from pages.ui.panels.inspection import (
    accuracy,
    smallest,
    treatment,
    watched_accuracies,
    watched_treatment,
)
from pages.ui.panels.item_map import Why
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.verdicts import (
    NOT,
    chance_beside,
    chance_recipe,
    interval_words,
    known_chance,
    printed_chance,
)
from pages.ui.shown import copies_field
from pages.ui.widget import controls

# What the page Kernels gives away: the chosen kernel for the workspace, its files and its script.


def keep(judging: Judging, method: str, picture: Callable[[], Picture]) -> None:
    """Draw name, button, downloads and script of the chosen kernel, which is made once somebody asks for it."""
    title, config, outlook = judging.subject.name, judging.subject.config, judging.outlook(method)
    made, every = judging.known(method), different(judging.every)
    against = known_chance(every)
    result = Result(
        suggested_name(title, config, outlook),
        kernel=lambda: judging.repaired(method).gram,
        figure=Drawing(
            picture,
            title=title,
            settings=settings(title, outlook),
        ),
        script=Offer(
            lambda: script(title, judging.repaired(method), made, chance_recipe(against, every)),
            help="Python that computes this kernel, and its accuracy, again with kernex_core alone.",
        ),
    )
    keep_row(result, key="kernels", keep=Keep(named=True))


def suggested_name(title: str, config: InspectionConfig, row: Outlook) -> str:
    """Return the kernel's name with what was done to it: "structure, log1p, cosine, clip"."""
    parts = [title]
    if config.elements != "power":
        parts.append(config.elements)
    elif config.p != 1.0:
        parts.append(f"p={config.p:g}")
    if config.normalize != "none":
        parts.append(config.normalize)
    return ", ".join([*parts, row.method] if row.changed else parts)


def settings(title: str, row: Outlook) -> dict[str, str]:
    """Return what a downloaded figure says about itself."""
    steps = ", then ".join(step.name for step in row.steps) or "none"
    return {"kernel": title, "items": f"{row.gram.n:,}", "steps": steps}


def different(judged: Mapping[str, Judgement]) -> dict[str, Judgement]:
    """Return the accuracies that differ: repairs that leave a kernel as it is share one, under the name of the first."""
    found: dict[str, Judgement] = {}
    for name, made in judged.items():
        if not any(made is other for other in found.values()):
            found[name] = made
    return found


def named_among(every: Mapping[str, Judgement], made: Judgement) -> str:
    """Return under which name an accuracy stands there."""
    return next(name for name, other in every.items() if other is made)


def script(title: str, row: Treatment, made: Judgement | None, permuted: tuple[Call, ...] = ()) -> str:
    """Script of the chosen kernel, of its accuracy where there is one, and of p against chance where it was asked for."""
    results, prints = [row.gram.recipe], ["$0.values"]
    if made is not None:
        results.append(made.recipe)
        prints += ["$1.multi_class", "$1.rests_on, $1.interval()", "$1.state.words"]
        results += permuted
        prints += [printed_chance(2)] if permuted else []
    return write_script(results, heading=f"Kernex: {title}, repair {row.method}", prints=prints)


def choice_of_repair(
    labels: Labels | None,
    rows: Mapping[str, Treatment],
    judged: Mapping[str, Judgement],
    validation: CrossValidation,
    now: str,
) -> None:
    """Offer to choose the repair inside the training folds, once all are judged; those that change nothing are one."""
    if labels is None or len(judged) < sum(row.can_be_judged for row in rows.values()):
        return
    different = {
        name: row for name, row in rows.items() if name in judged and (row.changed or name == NO_REPAIR)
    }
    kernels = {method: row.subject for method, row in different.items()}
    for row in list(different.values())[:1]:
        known = labels if row.known.size == row.gram.n else labels.take(row.known)
        picked = Picked("repair", "repair", "kernels.repair", now)
        choice_of_kernels(judged, kernels, known, validation, picked)


VALIDATION_FIELDS = ("folds", "repeats", "seed", "C", "choose_C", "inductive")
REFERENCE = "clip"
MANY = 500
DASH = "—"

SETTINGS = (*of(CrossValidation, prefix="cv_"), setting("repair_kernel", "Repair"))
IN_VIEW = setting("repair", "Repair"), setting("compare", "Compare all repairs")
CHOSEN_HELP = "The one that is kept, downloaded, and judged under Accuracy."


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


def protocol(subject: Subject) -> CrossValidation:
    """Draw the choice of folds and return the protocol; what fills unknown entries is fitted inside them."""
    filled = fills_unknown(subject.K)
    start = CrossValidation(C=subject.default_C, inductive=filled)
    if subject.labels is None:
        return start
    group("Judging")
    fields = (*VALIDATION_FIELDS, *copies_field(subject.labels, (subject.K,)))
    fields += () if subject.labels.groups is None else ("grouped",)
    key = f"kernels.cv.{subject.dataset}{'.filled' if filled else ''}"
    return controls(start, key, only=fields, prefix="cv_")


@dataclass(eq=False)
class Judging:
    """Repairs of one kernel, and the accuracies of those that were judged in this run."""

    subject: Subject
    made: Inspection
    validation: CrossValidation
    every: dict[str, Judgement] = field(default_factory=dict)
    compared: bool = True
    asked: tuple[str, ...] = ()

    @property
    def gram(self) -> GramMatrix:
        """The kernel before any repair."""
        return self.made.gram

    @property
    def has_classes(self) -> bool:
        """Whether the known items are of at least two classes."""
        return has_classes(self.subject, self.gram)

    def choose(self) -> str:
        """Draw the choice of a repair, and return it."""
        indefinite, many = self.made.diagnosis.indefinite, self.made.diagnosis.n_known > MANY
        if not indefinite:
            group("Repair")
        with st.container(horizontal=True, vertical_alignment="center"):
            # two widgets: what is suggested, and so the choice, differs where a repair is needed
            chosen = widgets.pick(
                "repair" if indefinite else "repair_kernel", TREATMENTS, default=REFERENCE if indefinite else NO_REPAIR,
                help=hint("Repair", first=CHOSEN_HELP),
            )  # fmt: skip
            self.compared = indefinite and (
                not many
                or widgets.switch(
                    "compare", key="kernels.compare",
                    help=f"Above {MANY} items this takes seconds after every change, so it waits for you to ask; so do "
                    "nearest neighbours in the repaired kernel.",
                )
            )  # fmt: skip
        return chosen

    def row(self, method: str) -> Treatment | None:
        """One repair; None where it was stopped."""
        return watched_treatment(self.subject.config, self.subject.K, self.subject.labels, method)

    def repaired(self, method: str) -> Treatment:
        """One repair, whatever was stopped before: somebody asks for it."""
        return treatment(self.subject.config, self.subject.K, self.subject.labels, method)

    def outlook(self, method: str) -> Outlook:
        """What a repair would do."""
        return foreseen(self.made, method)

    def _line(self, method: str) -> Treatment | Outlook | None:
        """One row of the table: of many items what follows from the eigenvalues, until somebody compares them all."""
        foreseen = self.outlook(method)
        if self.compared or not (foreseen.changed and foreseen.follows):
            return self.row(method)
        return foreseen

    def can_judge(self, row: Treatment | Outlook) -> bool:
        """Whether a repaired kernel can be judged."""
        return self.has_classes and row.can_be_judged

    def known(self, method: str) -> Judgement | None:
        """Accuracy of a repair as far as anything has asked for it."""
        labels = self.subject.labels
        if labels is None:
            return None
        same = self.outlook(method).same_as
        return accuracy.peek(self.subject.config, self.subject.K, labels, same, self.validation)

    def _judge(self, methods: tuple[str, ...], automatic: bool) -> None:
        labels = self.subject.labels
        if labels is not None and self.has_classes and methods and methods != self.asked:
            self.asked = methods
            args = self.subject.config, self.subject.K, labels, methods, self.validation
            self.every = dict(watched_accuracies(args, automatic=automatic))

    def repairs(self, chosen: str) -> None:
        """Draw the table of all repairs, and the choice among them."""
        above, table, below = st.empty(), st.empty(), st.container()
        found = {
            method: self._line(method)
            for method in TREATMENTS
            if self.compared or method in (NO_REPAIR, chosen)
        }
        rows = {method: row for method, row in found.items() if row is not None}
        # what keeps a cross-validation from running does not keep the repairs from being shown
        with below, guard():
            if self.compared:
                self._judge(tuple(method for method, row in rows.items() if row.can_be_judged), True)
        labels = self.subject.labels
        few = ""
        if labels is not None and not self.has_classes:
            n = self.made.diagnosis.n_known
            few = f" The {n:,} known items are of one class: there is nothing to judge."
        above.markdown(f":gray[{explanation(self.made, labels, len(self.every))}{few}]")
        with table:
            shown = cells(rows, self.every, chosen, labelled=labels is not None, compared=self.compared)
            drawn.table("kernels.repairs", shown, title="PSD doctor")
        # what keeps a choice from being made does not keep the repairs from being shown
        with below, guard():
            whole = {method: row for method, row in rows.items() if isinstance(row, Treatment)}
            if len(whole) == len(rows):
                choice_of_repair(labels, whole, self.every, self.validation, chosen)

    def accuracy(self, chosen: str) -> None:
        """Draw the accuracy of the chosen repair in full, and its p against chance once somebody asks."""
        if not self.can_judge(self.outlook(chosen)):
            st.caption(
                f"The {self.made.diagnosis.n_known:,} known items are of one class: there is nothing to judge."
                if not self.has_classes
                else "A support vector machine would fit an indefinite matrix silently, and wrongly: choose a repair."
            )
            return
        automatic = self.made.diagnosis.n_known <= MANY or self.compared
        if automatic and self.row(chosen) is None:
            return
        methods = TREATMENTS if self.compared else (chosen,)
        judgeable = [each for each in methods if self.outlook(each).can_be_judged]
        self._judge(tuple(judgeable), automatic)
        if chosen in self.every:
            full_accuracy(self.subject.name, self.repaired(chosen), self.every)


def has_classes(subject: Subject, gram: GramMatrix) -> bool:
    """Whether the known items are of at least two classes, so that they can be judged."""
    return subject.labels is not None and len(set(subject.labels.y[gram.known].tolist()) - {""}) > 1


def cells(
    rows: Mapping[str, Treatment | Outlook],
    judged: Mapping[str, Judgement],
    chosen: str,
    *,
    labelled: bool,
    compared: bool = True,
) -> dict[str, list[str]]:
    """Cells of the table; the chosen row is bold."""
    columns: dict[str, list[str]] = {
        "Repair": list(rows),
        "*λ* min after": [smallest(row.eigenvalues) for row in rows.values()],
        "Distance, % of the norm": [_percent(row.relative_distance) for row in rows.values()],
        "Rank": [str(row.rank) for row in rows.values()],
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


def _neighbour(row: Treatment | Outlook) -> str:
    if isinstance(row, Outlook):
        return DASH
    d = row.diagnosis
    flag = " :orange[below its floor]" if d.below_floor else ""
    return with_interval(d.neighbour_accuracy, neighbour_interval(d)) + flag


def explanation(made: Inspection, labels: Labels | None, judged: int) -> str:
    """Return the sentences above the table; `judged` is the number of accuracies in it."""
    again = ", cosine-normalised again" if made.config.normalize == "cosine" else ""
    if labels is None:
        return f"Each repair{again}: how far it moves the kernel. Accuracy needs labels of two classes."
    if judged < 2:
        return f"Each repair{again}: how far it moves the kernel."
    return (
        f"Each repair{again}: how far it moves the kernel, and what that does to accuracy on the same folds. The "
        f"highest is {OPTIMISTIC}."
    )


def full_accuracy(name: str, row: Treatment, every: Mapping[str, Judgement]) -> None:
    """Draw the accuracy of the chosen repair in full, and its p against chance once somebody asks."""
    made, kernels = every[row.method], different(every)
    named = named_among(kernels, made)
    accuracy_panel(
        made, key="kernels.accuracy", note=f"after repair “{row.method}”" if row.changed else "of this kernel",
        name=f"accuracy {name} {row.method}", ids=row.subject.ids, against=known_chance(kernels), named=named,
    )  # fmt: skip
    with guard():
        chance_beside(kernels, named, key="kernels")
