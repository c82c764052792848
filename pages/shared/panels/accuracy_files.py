"""A judgement as the tables that the accuracy panel draws and that are written to files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import pandas as pd

from kernex_core.learning.chance.interval import Interval
from kernex_core.learning.judgement import Judgement
from kernex_core.learning.learners.contract import Learner
from kernex_core.learning.permutations import Permuted
from kernex_core.learning.written_rows import written_remarks
from pages.shared.messages import plain
from pages.shared.panels.several.chance import chance_row
from pages.shared.shown.learners import CHOSEN, learner_words

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
