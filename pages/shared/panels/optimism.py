"""Why a maximum that is read off is too optimistic, and what a choice is worth when it is made again inside the folds.

choice_sentence(nested)      what was chosen and what that is worth; where it can be used, see `pages.shared.answer.choosing`
choice_basis(nested)         what these numbers rest on
"""

from __future__ import annotations

from typing import Final

from kernex_core.inputs.names import counted
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.tried import NestedChoice
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
