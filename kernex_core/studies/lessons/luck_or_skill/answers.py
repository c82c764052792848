"""What is asked of luck and skill, and what is right."""

from __future__ import annotations

from typing import Final

from kernex_core.learning.folds import LEAVE_ONE_OUT
from kernex_core.studies.lessons.check import Check
from kernex_core.studies.lessons.luck_or_skill.leak import LeakRow
from kernex_core.studies.lessons.luck_or_skill.noise import ITEMS, JudgedNoise

ASKED_COUNT: Final = 50
NEAR: Final = 0.03
"""A guess of the best accuracy counts as right up to so far off."""


def guess_check(judged: JudgedNoise, guess: float) -> Check:
    """A guess (0 to 1) of the best accuracy of 50 kernels of noise."""
    truth = judged.first(ASKED_COUNT)
    said = f"The best of {ASKED_COUNT} has {truth.best} of {ITEMS} right, {100 * truth.best_share:.0f} %."
    if guess < truth.best_share - NEAR:
        said += (
            f" A guess near {100 * truth.mean:.0f} % takes the best of many for one of them: each is right by chance, the "
            "highest is chosen for its luck."
        )
    elif guess > truth.best_share + NEAR:
        said += " Luck does not reach that far on 40 items."
    return Check(abs(guess - truth.best_share) <= NEAR + 1e-9, truth.best_share, said)


def never_right_check(judged: JudgedNoise, count: int = ASKED_COUNT) -> Check:
    """Leave-one-out in which no kernel names a single item rightly."""
    found = judged.first(count)
    total = sum(found.right)
    if judged.folds != LEAVE_ONE_OUT:
        said = f"{total:,} of {ITEMS * count:,} right: these are five folds, in which classes stay equal."
        return Check(False, float(total), said)
    if total:
        said = (
            f"{total:,} of {ITEMS * count:,} right: at C = {judged.C:g} single items still pull the machine to "
            "their side."
        )
        return Check(False, float(total), said)
    said = (
        f"None of {ITEMS * count:,} is right. The item that is left out belongs to the smaller class of the rest, and at a "
        "small C every new item is given to the larger one."
    )
    return Check(True, 0.0, said)


def leak_check(row: LeakRow) -> Check:
    """Whether a row is the leak: by its tag, not by its accuracy."""
    said = f"{row.name}: {row.right} of {ITEMS} right, {row.mode}. {row.said}"
    return Check(row.mode == "leak", row.share, said)
