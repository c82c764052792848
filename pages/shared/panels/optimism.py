"""Why a maximum that is read off is too optimistic, and what a choice is worth when it is made again inside the folds.

choice_words(nested, "the row")      in a sentence; where it can be used, see `pages.shared.answer.choosing`
"""

from __future__ import annotations

from typing import Final

from kernex_core.inputs.names import counted
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.nested_choice import NestedChoice
from pages.shared.figures.theme import number, percent
from pages.shared.messages import plain
from pages.shared.shown.remarks import choice_remarks

OPTIMISTIC: Final = "too optimistic, because it was chosen on the same folds that it is reported on"
MEASURES: Final = {
    "multi_class": "multi-class accuracy",
    "one_vs_rest": "one-vs-rest accuracy",
    "recall": "balanced accuracy",
    "balanced": "balanced loss",
}


def choice_words(found: NestedChoice, of: str) -> str:
    """Say what the choice is worth, how many items, folds and repetitions say so, and what reporting the best adds."""
    loss = found.measure == "balanced"
    name, value = found.best
    spread = "" if found.by_repeat.size < 2 else f" ± {number(100.0 * found.sd_repeats, 1)}"
    low, high = found.interval.low, found.interval.high
    ends = (1.0 - high, 1.0 - low) if loss else (low, high)
    folds = "one item a fold" if found.n_folds == found.n_items else counted(found.n_folds, "fold")
    said = f"sd over {counted(found.by_repeat.size, 'repetition')}; " if spread else ""
    picked, times = found.picks[0]
    highest, gap = ("lowest", "lower") if loss else ("highest", "higher")
    return (
        f"The choice of {of} made again inside every training fold: {MEASURES[found.measure]} "
        f"**{percent(_shown(found.mean, loss), 1)}**{spread} ({said}{judged_times(found.n_items, found.by_repeat.size)}, "
        f"{folds}, each choosing among {len(found.names)} by {found.inner_folds} folds of its training items; "
        f"{number(100.0 * ends[0], 1)} to {number(100.0 * ends[1], 1)}: {found.interval.words}). The {highest} on the test "
        f"folds, {plain(name)}, reads {percent(_shown(value, loss), 1)}: {_gap(found.optimism, gap)}. Most often chosen: "
        f"{plain(picked)}, in {times} of {found.picked.size} folds."
        + "".join(f" **{plain(each)}**" for each in choice_remarks(found))
    )


def _shown(value: float, loss: bool) -> float:
    return 1.0 - value if loss else value


def _gap(optimism: float, gap: str) -> str:
    if optimism < 5e-4:
        return "not too optimistic here"
    return f"{number(100.0 * optimism, 1)} points {gap} than the choice is worth"
