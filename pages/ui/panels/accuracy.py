"""The accuracy panel, the same on every page.

    accuracy_panel(judgement, key="evaluate", title="Accuracy", note="", name="accuracy", ids=None)

Multi-class accuracy first, one-vs-rest beside its floor, balanced, Matthews, ROC; its interval of what has one;
every spread by its name; what the numbers rest on; the mode; confusion and classes in an expander; all of it as CSV.

    state_badge(state, place=st)    the badge alone, for a header
    rests_on(judgement) -> str      "296 items, each judged 5 times, 2 folds, seed 0, C = 10."
    with_interval(score, interval)  "84.1 [79.6, 88.0]", a cell of a table in percent
    neighbour_interval(diagnosis)   of the nearest neighbour of a diagnosis: one pass over its items
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, Literal

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.digits import typeset
from kernex_core.base.frozen import FloatArray
from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels, Note
from kernex_core.learning.chance.interval import Interval, Passes, interval_of_count, judged_times
from kernex_core.learning.chance.tried import NestedChoice
from kernex_core.learning.compare import written_remarks
from kernex_core.learning.folds import LEAVE_ONE_OUT
from kernex_core.learning.judgement import ROUNDING, Judgement, Score
from kernex_core.learning.leakage import Mode, State
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.permutations import Permuted
from kernex_core.learning.regression.judgement import NumberJudgement, are_numbers
from pages.export.downloads import csv_button
from pages.server.digits import number, percent
from pages.server.messages import findings, plain
from pages.ui import shown as registry
from pages.ui.frame import panel_title
from pages.ui.glossary import explained
from pages.ui.panels.verdicts import chance_row, numbers_in_a_row
from pages.ui.shown import CHOSEN, choice_remarks, learner_words, measure, remarks, table

# A judgement as the tables that the accuracy panel draws and that are written to files.

FIELDS: Final = ("multi_class", "one_vs_rest", "balanced", "matthews", "auc")
"""Measures as a judgement names them, in the order in which they stand."""


def measures(made: Judgement, against: Permuted | None = None, name: str = "") -> pd.DataFrame:
    """Return all measures with floors, intervals over items, spreads and protocol, one row each.

    Where it was asked for, p against chance of the one of that name stands in the row of the measure that it is of.
    """
    rows = [_row(made, measure) for measure in FIELDS]
    if against is not None:
        for measure, row in zip(FIELDS, rows, strict=True):
            row |= chance_row(against, name if measure == against.measure else "")
    return pd.DataFrame(rows)


def _row(made: Judgement, measure: str) -> dict[str, object]:
    score, interval = getattr(made, measure), made.interval(measure)
    return {
        "measure": score.title, "mean": score.mean, "floor": score.floor,
        "interval from": math.nan if interval is None else interval.low,
        "interval to": math.nan if interval is None else interval.high,
        "interval": "" if interval is None else interval.words,
        "sd over repetitions": score.sd_repeats, "sd over folds": score.sd_folds,
        "sd over classes": score.sd_classes, "items": made.n_items, "repetitions": made.n_repeats,
        "folds": made.n_folds, "seed": made.config.seed, **_learned(made), "mode": made.state.words,
        "remarks": written_remarks(made),
    }  # fmt: skip


def by_class(made: Judgement) -> pd.DataFrame:
    """Return what was reached for each class, largest first."""
    return pd.DataFrame(
        {
            "class": list(made.classes),
            "items": list(made.sizes),
            "found": made.class_recall,
            **_ends("found", made.found_intervals()),
            "one-vs-rest accuracy": made.class_accuracy,
            **_ends("one-vs-rest", made.decided_intervals()),
            "one-vs-rest floor": _floors(made),
        }
    )


def _floors(made: Judgement) -> list[float]:
    """Always "no"; of two classes always the larger, because both questions are one."""
    if len(made.sizes) == 2:
        return [max(made.sizes) / made.n_items] * 2
    return [1.0 - size / made.n_items for size in made.sizes]


def _ends(what: str, intervals: Sequence[Interval]) -> dict[str, list[float]]:
    if not intervals:
        return {}
    return {
        f"{what} interval from": [one.low for one in intervals],
        f"{what} interval to": [one.high for one in intervals],
    }


def by_item(made: Judgement, ids: Sequence[str]) -> pd.DataFrame:
    """Return true class, class given most often, and share of repetitions that were right, for judged items."""
    at = [i for i, judged in enumerate(made.labelled) if judged]
    return pd.DataFrame(
        {
            "id": [ids[i] for i in at],
            "class": [made.classes[made.codes[i]] for i in at],
            "predicted": [made.classes[made.predicted[i]] for i in at],
            "right": made.correct[:, at].mean(axis=0),
        }
    )


def confusion(made: Judgement) -> pd.DataFrame:
    """Return counts over all repetitions; rows are the true classes."""
    table = pd.DataFrame(made.confusion, index=list(made.classes), columns=list(made.classes))
    table.index.name = "true class"
    return table


def counts(made: Judgement) -> dict[str, list[str]]:
    """Cells of the confusion table: the diagonal bold, zeros a dot."""
    rows = {"true class": [plain(name) for name in made.classes]}
    for column, name in enumerate(made.classes):
        cells = [int(count) for count in made.confusion[:, column]]
        # a zero-width space tells a class apart that is called like the first column
        rows[plain(name) if plain(name) not in rows else plain(name) + "\u200b"] = [
            "·" if not count else f"**{count:,}**" if row == column else f"{count:,}"
            for row, count in enumerate(cells)
        ]
    return rows


def _learned(made: Judgement) -> dict[str, str]:
    return {"C" if learner_of(made) is None else "learner": costs(made).removeprefix("C = ")}


def costs(made: Judgement) -> str:
    """Return the C that was used, or those that were chosen inside the folds; of another learner its name as well."""
    learner = learner_of(made)
    if learner is not None:
        return learner_words(learner, made.costs if made.config.choose_C else ())
    if not made.config.choose_C:
        return f"C = {made.config.C:g}"
    return f"C {CHOSEN}: " + ", ".join(f"{C:g} in {count}" for C, count in made.costs)


def learner_of(made: Judgement) -> Learner | None:
    """Return the learner that was judged, None where it is the C-SVM of the protocol."""
    learner = made.options.get("learner")
    return learner if isinstance(learner, Learner) else None


# A warning beside every accuracy whose classes were made of a kernel: it would be judged by its own answers.

OWN: Final = "A kernel that finds them again finds its own answers: the accuracy is no evidence that it knows anything else"


def own_classes(labels: Labels | None) -> None:
    """Write the warning; nothing where classes say something else about the items."""
    if labels is not None and labels.made_from:
        findings(
            [Note(f"These classes were made of similarities: {labels.made_from}", OWN, severity="warning")]
        )


def numbered_classes(labels: Labels | None) -> None:
    """Say that numbers are taken for classes where they are."""
    if labels is not None and are_numbers(labels):
        st.caption(
            f"The labels are numbers: each of the {len(labels.classes):,} different ones is a class here. Evaluate can also "
            "predict the numbers."
        )


def without_classes(labels: Labels | None) -> str:
    """What labels lack that cannot be judged as classes, and what to do."""
    if labels is not None and labels.measured:
        return "The labels are numbers that hardly any two items share: the page Evaluate predicts them."
    return "Accuracy needs labels of at least two classes, brought on Data."


MEANINGS: Final = {"Area under the ROC curve": "Mean over classes, inside folds. Floor: 0.5."}
"""What the glossary does not say of a measure."""
SHORT: Final = {"Matthews correlation": "Matthews corr.", "Area under the ROC curve": "ROC area"}
ONE_PASS: Final = (
    "Interval: 95\u00a0%, other data sets (Wilson), for one pass. Floor: always the largest class; the neighbour of a "
    "kernel that knows nothing falls below it, to the mean share of other items of one's own class."
)
"""What stands beside a share of the nearest neighbour."""
_SHARES: Final = ("Multi-class accuracy", "One-vs-rest accuracy", "Balanced accuracy")
_MOST_TABLE_CLASSES: Final = 12


def accuracy_panel(
    made: Judgement,
    *,
    key: str,
    title: str = "Accuracy",
    note: str = "",
    name: str = "accuracy",
    ids: Sequence[str] | None = None,
    against: Permuted | None = None,
    named: str = "",
) -> None:
    """Draw everything about one judgement; `ids` of all its items add a table of items to the downloads.

    `against` is what was found of chance, in which it is called `named`: the file of measures has its p.
    """
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        panel_title(title, note, ("Interval", "Spread"))
        state_badge(made.state, key=f"{key}.state")
    fields = [field for field in FIELDS if field not in made.repeated]
    for column, field in zip(numbers_in_a_row(len(fields)), fields, strict=True):
        score, interval = getattr(made, field), made.interval(field)
        ends = () if interval is None else (f"**{ends_of(score, interval)}** for other data sets",)
        chip, color = floor_chip(score.mean, score.floor, _floor(score))
        with column:
            measure(
                SHORT.get(score.title, score.title), value_of(score), chip, *ends,
                spreads(score, folds=not single_items(made)), about=f"{title} {note}",
                help=explained(score.title, MEANINGS.get(score.title)), color=color,
            )  # fmt: skip
    if made.repeated:
        st.caption(repeated_words([made]))
    st.caption(rests_on(made))
    if made.interval() is not None:
        st.caption(meaning(made))
    remarks(key, {title: made})
    findings(_notes(made))
    judged = made.subject[1]
    own_classes(judged if isinstance(judged, Labels) else None)
    _details(made, key, name, ids, against, named)


STATE_COLORS: Final[dict[Mode, Literal["gray", "orange", "red"]]] = {
    "inductive": "gray", "transductive": "gray", "as brought": "orange", "leak": "red",
}  # fmt: skip


def state_badge(
    state: State,
    place: DeltaGenerator | None = None,
    *,
    about: str = "",
    of: str = "",
    key: str = "page",
) -> None:
    """Say what was seen of test items, on every page in the same words; a leak in red, what nobody knows in orange.

    `about` says of this page what was built how, and stands before the sentence; `of` says of which kernel the badge is,
    where a page has several. The report has what was last said under each `key`.
    """
    named = f"{of}: {state.words}" if of else state.words
    registry.say_state(key, named, f"{about} {state.sentence}".strip())
    (place or st).badge(
        named,
        color="orange" if state.brought and state.mode != "leak" else STATE_COLORS[state.mode],
        icon=":material/warning:" if state.mode == "leak" else None,
        help=explained(state.mode, f"{about} {state.sentence}".strip()),
    )


def state_badges(made: Iterable[Judgement | NumberJudgement], place: DeltaGenerator) -> None:
    """One badge for each state among several judgements."""
    for state in sorted({each.state for each in made}, key=lambda state: state.words):
        state_badge(state, place, key=state.words)


def value_of(score: Score) -> str:
    """Return a measure as it is read: accuracies in percent, the others as numbers."""
    return _shown(score, score.mean)


def single_items(made: Judgement) -> bool:
    """Whether every fold tests one item: it is right or wrong, and the spread of that says nothing more."""
    return made.config.folds == LEAVE_ONE_OUT and made.groups is None


def spreads(score: Score, folds: bool = True) -> str:
    """Return every spread that there is and says something, by its name."""
    over_folds = score.sd_folds if folds else math.nan
    named = (("repetitions", score.sd_repeats), ("folds", over_folds), ("classes", score.sd_classes))
    parts = [f"{_spread(score, sd)} over {what}" for what, sd in named if not math.isnan(sd)]
    return "sd " + ", ".join(parts) if parts else "no spread: one repetition"


def rests_on(made: Judgement) -> str:
    """Return what the numbers rest on, in one line."""
    config = made.config
    parts = [made.rests_on]
    if single_items(made):
        parts.append("leave-one-out")
    else:
        parts += [f"{made.n_folds} folds", f"seed {config.seed}"]
    if config.grouped:
        parts.append("groups kept together")
    parts.append(typeset(costs(made)))
    return ", ".join(parts) + "."


def between(interval: Interval) -> str:
    """Return both ends of an interval in percent, as a caption says them."""
    return f"{number(100.0 * interval.low, 1)} to {number(100.0 * interval.high, 1)}\u00a0%"


def ends_of(score: Score, interval: Interval) -> str:
    """Return both ends of the interval of a measure, in percent where it is a share: "0.796 to 0.880"."""
    low, high = _shown(score, interval.low), _shown(score, interval.high)
    return between(interval) if score.title in _SHARES else f"{low} to {high}"


def floor_chip(mean: float, floor: float, shown: str) -> tuple[str, Literal["gray", "orange"]]:
    """Return the floor of a measure as a chip, and its colour: a number that is no higher says so.

    Parameters
    ----------
    mean, floor : float
    shown : str
        The floor as it is read.
    """
    if math.isnan(floor):
        return "no floor", "gray"
    if mean > floor + ROUNDING:
        return f"floor {shown}", "gray"
    return f"{'at' if mean > floor - ROUNDING else 'below'} its floor {shown}", "orange"


def at_floor(mean: float, floor: float) -> str:
    """Return what stands beside a number in a table where it is no higher than its floor; nothing otherwise."""
    chip, color = floor_chip(mean, floor, "")
    return f" :orange[{chip.strip()}]" if color == "orange" else ""


def repeated_words(made: Sequence[Judgement]) -> str:
    """Return why some measures are not shown: they are the multi-class accuracy once more."""
    names = [title for field, title in REPEATED.items() if all(field in one.repeated for one in made)]
    return f"With two classes {' and '.join(names)} accuracy is the same number." if names else ""


REPEATED: Final = {"one_vs_rest": "one-vs-rest", "balanced": "balanced"}


def with_interval(
    mean: float, interval: Interval | None, *, bold: bool = False, floor: float | None = None
) -> str:
    """Return an accuracy in percent with its interval, as a cell of a table holds it; a word where it is at its floor."""
    if math.isnan(mean):
        return "—"
    text = f"**{number(100.0 * mean, 1)}**" if bold else number(100.0 * mean, 1)
    flag = "" if floor is None else at_floor(mean, floor)
    if interval is None:
        return text + flag
    return f"{text} :gray[[{number(100.0 * interval.low, 1)}, {number(100.0 * interval.high, 1)}]]{flag}"


def neighbour_interval(diagnosis: Diagnosis) -> Interval | None:
    """Return Wilson's interval of the nearest neighbour's share of right items; None without classes."""
    share, n = diagnosis.neighbour_accuracy, diagnosis.n_labelled
    return None if math.isnan(share) else interval_of_count(round(share * n), n, Passes(n, 1))


def against_floor(diagnosis: Diagnosis) -> tuple[str, Literal["gray", "orange"]]:
    """Return the floor of the nearest neighbour and the colour of its badge."""
    if math.isnan(diagnosis.neighbour_floor):
        return "leave-one-out", "gray"
    floor = percent(diagnosis.neighbour_floor, 1)
    return (f"below its floor {floor}", "orange") if diagnosis.below_floor else (f"floor {floor}", "gray")


def meaning(made: Judgement) -> str:
    """Return what the interval is, and what it is for, in a sentence."""
    interval = made.interval()
    if interval is None:
        return ""
    return f"Interval: {interval.words}. Repetitions judge the same items again, so their sd says nothing about other items."


@st.fragment
def _details(
    made: Judgement, key: str, name: str, ids: Sequence[str] | None, against: Permuted | None, named: str
) -> None:
    panel = st.expander("Confusion matrix and classes", on_change="rerun", key=f"{key}.confusion")
    with st.container(horizontal=True):
        csv_button(
            "Accuracy as CSV", lambda: measures(made, against, named), name, key=f"{key}.csv", type="tertiary"
        )
        if ids is not None:
            csv_button(
                "Items as CSV",
                lambda: by_item(made, ids),
                f"{name} by item",
                key=f"{key}.items",
                type="tertiary",
            )
    if not panel.open:
        return
    with panel:
        panel_title("Confusion", "rows: true class; columns: predicted; counts over all repetitions")
        if len(made.classes) <= _MOST_TABLE_CLASSES:
            table(f"{key}.confusion", counts(made))
        else:
            st.dataframe(confusion(made), width="stretch")
        panel_title("Classes", "share found, and one-vs-rest accuracy beside its floor")
        table(f"{key}.classes", _class_cells(made))
        with st.container(horizontal=True):
            csv_button(
                "Confusion as CSV", lambda: confusion(made), f"{name} confusion", key=f"{key}.confusion.csv"
            )
            csv_button("Classes as CSV", lambda: by_class(made), f"{name} by class", key=f"{key}.classes.csv")


def _class_cells(made: Judgement) -> dict[str, list[str]]:
    table = by_class(made)
    return {
        "Class": [plain(name) for name in made.classes],
        "Items": [f"{size:,}" for size in made.sizes],
        "Found, % [95\u00a0%]": _shares(made.class_recall, made.found_intervals()),
        "One-vs-rest, % [95\u00a0%]": _shares(made.class_accuracy, made.decided_intervals()),
        "Floor": [percent(value, 1) for value in table["one-vs-rest floor"]],
    }


def _shares(values: FloatArray, intervals: Sequence[Interval]) -> list[str]:
    return [with_interval(float(v), intervals[c] if intervals else None) for c, v in enumerate(values)]


def _notes(made: Judgement) -> list[str]:
    said = list(made.notes)
    if made.undefined_auc:
        said.append(
            f"{made.undefined_auc:,} pairs of class and fold have no ROC curve: one kind of items is missing."
        )
    return said


def _shown(score: Score, value: float) -> str:
    if math.isnan(value):
        return "—"
    return percent(value, 1) if score.title in _SHARES else number(value, 3)


def _floor(score: Score) -> str:
    return percent(score.floor, 1) if score.title in _SHARES else number(score.floor)


def _spread(score: Score, sd: float) -> str:
    return number(100.0 * sd, 1) if score.title in _SHARES else number(sd, 3)


# Why a maximum that is read off is too optimistic, and what a choice is worth when it is made again inside the folds.
#
# choice_sentence(nested)      what was chosen and what that is worth; where it can be used, see
# `pages.ui.answer` choice_basis(nested)         what these numbers rest on

OPTIMISTIC: Final = "too optimistic, because it was chosen on the same folds that it is reported on"
MEASURES: Final = {
    "multi_class": "multi-class accuracy",
    "one_vs_rest": "one-vs-rest accuracy",
    "recall": "balanced accuracy",
    "balanced": "balanced loss",
}


def choice_sentence(found: NestedChoice) -> str:
    """Say what was chosen, what the choice is worth, and what the highest that was tried adds to that."""
    loss = found.measure == "balanced"

    def shown(value: float) -> float:
        return 1.0 - value if loss else value

    low, high = sorted((shown(found.interval.low), shown(found.interval.high)))
    picked, times = found.picks[0]
    name, best = found.best
    highest, gap = ("lowest", "lower") if loss else ("highest", "higher")
    much = (
        f"{number(100.0 * found.optimism, 1)} points {gap}, for it was picked on the folds that it is reported on"
        if found.optimism >= 5e-4
        else "no better"
    )
    ends = f"[{number(100.0 * low, 1)}, {number(100.0 * high, 1)}]"
    return (
        f"**{plain(picked)}** was chosen most often, in {times} of {counted(found.picked.size, 'training fold')}. The "
        f"choice is worth **{percent(shown(found.mean), 1)}** {ends}. The {highest} of all, {plain(name)}, reads "
        f"{percent(shown(best), 1)}: {much}."
        + "".join(f" **{plain(each)}**" for each in choice_remarks(found))
    )


def choice_basis(found: NestedChoice) -> str:
    """Say by which measure, and on how many items, folds and candidates that rests."""
    folds = "one item a fold" if found.n_folds == found.n_items else counted(found.n_folds, "fold")
    spread = (
        "" if found.by_repeat.size < 2 else f", sd over repetitions {number(100.0 * found.sd_repeats, 1)}"
    )
    return (
        f"{MEASURES[found.measure].capitalize()}; {judged_times(found.n_items, found.by_repeat.size)}, {folds}, "
        f"each choosing among {len(found.names)} by "
        f"{found.inner_folds} folds of its training items{spread}; in brackets {found.interval.words}."
    )
