"""Question, reveal and challenges of the lesson on luck and skill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from kernex_core.conditioning.columns_by_labels import columns_by_labels
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.folds import LEAVE_ONE_OUT
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.lessons.luck_or_skill import (
    ASKED_COUNT,
    CHOSEN,
    IDS,
    LABELS,
    guess_check,
    leak_check,
    never_right_check,
    noise_columns,
    noise_kernel,
    unequal_floor,
)
from pages.learn.luck_or_skill.judged import C_OF_FIVE, FIVE, ahead, judged
from pages.learn.luck_or_skill.picture import Setting, asked, drawn
from pages.learn.screen.question import Guess
from pages.learn.screen.screen import Bet, Screen
from pages.learn.screen.settings import settings_of
from pages.learn.screen.teaching import Teaching
from pages.learn.stage.component import Told
from pages.shared import workspace
from pages.shared.digits import percent

NAME: Final = "noise of the lesson"


def because(guess: float) -> Check:
    """What a guess of the best accuracy, in percent, is told."""
    return guess_check(judged(FIVE, 0, C_OF_FIVE), guess / 100.0)


QUESTION: Final = Guess(
    f"Forty items, half of class a and half of b. {ASKED_COUNT} kernels are made of **pure noise** and judged by five "
    "folds: each is right about every second time. How many percent does the **best** of them reach?",
    40.0, 100.0, 1.0, 70.0, because, "%", start=50.0,
)  # fmt: skip
TEACHING: Final = Teaching(
    ask=(
        "The winner does as well on twenty other divisions into folds. Why does that not clear it?",
        "Leave one item out, and noise is right less than half of the time. Which class is the left-out item of?",
        "Twenty columns of noise reach 40 of 40. Where has the choice of columns looked?",
    ),
    wrong=(
        ("50 to 55\u00a0%.", "It takes the best of many for one of them."),
        (
            "Other folds show that the winner is luck.",
            "They divide the same items, which are what it was lucky with.",
        ),
        (
            "Cross-validation below 50\u00a0% is an error.",
            "Leaving an item out makes its class the smaller one.",
        ),
    ),
    state="bet=-",
)


@dataclass(frozen=True)
class Look:
    """One of the pictures: its controls, those that it follows, its formula, its challenge, and words to explain."""

    controls: tuple[str, ...]
    follows: tuple[str, ...]
    formula: str
    challenge: str
    words: tuple[str, ...]


NEVER: Final = "Under *Each item left out in turn*, find a C at which no kernel names a single item rightly."
LOOKS: Final[Mapping[str, Look]] = {
    "many": Look(("count", "state"), ("count", "state"), "coins: E max = Σ_{k<n} (1 − F(k)^{[count|m]}) / n", NEVER,
                 ("Folds", "Floor")),
    "each": Look(("C",), ("C",), "f(x) = Σ α_{i} y_{i} k(x_{i}, x) + b , 0 ≤ α_{i} ≤ [C|C]", NEVER, ("Floor", "Held out")),
    "leak": Look(
        ("plant", "world"), ("world",), "[plant|columns] → kernel → folds",
        "Plant a leak: choose the kernel whose tag says that a step has looked at labels of test items.",
        ("Leak", "Transductive"),
    ),
}  # fmt: skip


SETTINGS: Final = settings_of("luck_or_skill", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, ("Kernel", "Folds"))
    with screen.picture():
        setting = _picture(screen, bet)
    if bet.open:
        screen.reveal(_seen(setting), words=LOOKS[setting.look].words)
        screen.challenge(LOOKS[setting.look].challenge, setting, partial(_judged, setting))
        _carry(screen, setting)
    with screen.picture():
        ahead(setting.look)


def _picture(screen: Screen, bet: Bet) -> Setting:
    if not bet.open:
        screen.stage(asked, Setting(), formula="accuracy = right / n")
        return Setting()
    start = Setting(guess=float(bet.answer) if bet.answer else 0.0)
    setting = screen.controls(start, only=("look",), of=(200, "stretch", "stretch"))
    look = LOOKS[setting.look]
    setting = screen.controls(setting, only=look.controls)
    screen.stage(
        drawn,
        setting,
        follows=look.follows,
        play=look.follows[:1],
        formula=look.formula,
        on=partial(_click, screen),
    )
    return setting


def _click(screen: Screen, act: str, told: Told) -> None:
    """A click on a bar makes its kernel."""
    if act == "picked":
        workspace.show_in(f"{screen.lesson.address}plant", str(told[0]))


def _seen(setting: Setting) -> str:
    if setting.look == "many":
        return (
            "Each kernel is right by chance, and the best is chosen for its luck. **Other folds of the same items do not "
            "expose it; new items do.** As many coins reach less: the decisions of one machine depend on each other, which "
            "spreads accuracies."
        )
    if setting.look == "each":
        return (
            "The item that is left out belongs to the smaller class of the rest. At a small C every new item is given to "
            "the larger class, so every answer is wrong. The floor is the larger class: "
            f"{percent(unequal_floor())} where classes have 30 and 10 items."
        )
    return (
        "Of 1,000 columns of noise, some fit the labels by luck. If they are chosen on all items, the labels of the test "
        "items have taken part. The tag is not guessed from the accuracy: it says which steps saw labels. "
        f"{setting.row.said}"
    )


def _judged(setting: Setting) -> Check:
    if setting.look == "leak":
        return leak_check(setting.row)
    return never_right_check(setting.judged)


def _carry(screen: Screen, setting: Setting) -> None:
    folds = LEAVE_ONE_OUT if setting.look == "each" else FIVE
    asked_for = {"folds": folds, "repeats": 1, "C": setting.C if setting.look == "each" else C_OF_FIVE}
    for label, name, made in (
        ("Judge your kernels so", workspace.current_name(), None),
        ("Judge this noise on Evaluate", NAME, partial(noise, setting)),
    ):
        settings = {f"evaluate.{name}.{field}": value for field, value in asked_for.items()} if name else {}
        screen.carry(
            "evaluate/evaluate.py", label, settings, made, f"Opens Evaluate with C and {_words(folds)}."
        )


def _words(folds: int) -> str:
    return f"{folds} folds" if folds else "each item left out in turn"


def noise(setting: Setting) -> DataSet:
    """The items with the winner among the kernels, and the kernel of columns that were chosen by labels."""
    found = judged(FIVE, setting.state, C_OF_FIVE).first(setting.count)
    best = noise_kernel(found.best_seed)
    planted = columns_by_labels(noise_columns(setting.world), LABELS, CHOSEN)
    return DataSet(
        NAME, IDS, LABELS, kernels={f"noise {found.best_seed}": best, "columns chosen by labels": planted},
        description="Forty items and kernels of pure noise, of the lesson Luck or skill.",
    )  # fmt: skip
