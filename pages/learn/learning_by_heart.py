"""Lesson: nearly orthogonal items are learned by heart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.studies.lessons import learning_by_heart as core
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.papers.orthogonal.toy import TOY_CODES, TOY_X
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Axis, Panel, Picture, bars, cells, line, points, segments, text
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui.figures.theme import ABOVE, BELOW, SERIES

QUESTION: Final = Choice(
    "Each of six strings has one long passage of its own, which counts 8 or 9. A, B and C share one short passage, which "
    "counts 1. A machine has learnt to say +1 for A, B, C and −1 for D, E, F, without an error. Now comes a **new string: "
    "it has the shared passage and nothing else**. What does the machine say?",
    {"a": "About +1", "b": "Hardly more than 0", "c": "Less than 0"},
    right="abc"[core.right_bet()],
    because={
        "a": "That assumes that it has found what tells the classes apart. It had no need to: each string is recognised by "
        "the passage that no other has.",
        "b": "It says 0.02. Each string is recognised by the passage that no other has: the machine knows them by heart.",
        "c": "That assumes that the shared passage counts for nothing. It does count, but for a hundredth.",
    },
)
TEACHING: Final = Teaching(
    ask=(
        "All six strings are told apart without an error. Why does that say nothing here?",
        "Which strings stay on their axes, whatever p is, and why?",
        "With p = 1 the machine is worse than with the kernel as it is. What has squared the similarities?",
    ),
    wrong=(
        ("About +1.", "A machine without an error must have found the feature that separates the classes."),
        (
            "p = 0 would be best.",
            "Every similarity that is not 0 would be 1, and the strings of a class one point.",
        ),
    ),
    state="bet=-&lbh_kernel=power&lbh_p=0.2",
)
NAMES: Final = "ABCDEF"
FEATURES: Final = ("shared", *NAMES, "none")
COLUMNS: Final = (0, 3, 5, 7, 2, 6, 8, 1)
"""Of the patterns: the shared feature, the passage of each string, and one that none of them has."""
ANGLES: Final = np.radians(150.0 - 60.0 * np.arange(6))
SPOKES: Final = np.stack([np.cos(ANGLES), np.sin(ANGLES)])
SHARED, PLUS, MINUS = SERIES.colour, ABOVE, BELOW
BETS: Final = {"a": 1.0, "b": 0.02, "c": -0.5}
"""Where a bet is drawn."""


@dataclass(frozen=True)
class Setting:
    """What the controls say, and what is drawn of it."""

    kernel: str = parameter(
        "plain", label="Similarities", help="As they are, or each taken to a power and made a kernel again.",
        choices=("plain", "power"),
    )  # fmt: skip
    p: float = parameter(
        1.0, label="Power", symbol="p", help="The smaller, the less a large similarity exceeds a small one.",
        low=core.POWERS[0], high=1.0, step=0.005,
    )  # fmt: skip
    bet: str = ""
    open: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def memory(self) -> core.Memory:
        """What the machine makes of it."""
        return core.memory(self.p if self.kernel == "power" else None)


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The six strings; once the answer is open, their directions, and what the machine says of every passage alone."""
    if not setting.open:
        return Picture((_table(),))
    made = setting.memory
    readings = (
        ("says of the new string", number(made.shared, 3)), ("of one that shares nothing", number(made.bias, 3)),
        ("similarity of A and B", number(made.cosine, 3)),
    )  # fmt: skip
    return Picture((_star(made), _answers(made, setting.bet)), readings)


def _table() -> Panel:
    """How often each string has each passage."""
    shown = TOY_X[:, COLUMNS[:-1]]
    rows, columns = np.indices(shown.shape)
    sizes = shown.ravel()
    colour = [
        SHARED if size == 1.0 else PLUS if row < 3 else MINUS
        for size, row in zip(sizes, rows.flat, strict=True)
    ]
    here = sizes > 0.0
    return Panel(
        "Six strings", "Table of six strings and seven passages. Each string has one passage of its own, 8 or 9 times; "
        "A, B and C share one, once each.", Axis(-1.6, 7.6), Axis(-0.6, 7.2),
        (
            cells(columns.ravel(), 5.0 - rows.ravel(), [f"{size:g}" if size else "" for size in sizes],
                  colour=[shade if on else "edge" for shade, on in zip(colour, here, strict=True)],
                  opacity=[1.0 if on else 0.35 for on in here], ink="#fff"),
            text([-0.75] * 6, 5.0 - np.arange(6), list(NAMES), bold=True, middle=True),
            text([7.1] * 6, 5.0 - np.arange(6), ["+1"] * 3 + ["−1"] * 3, colour=[PLUS] * 3 + [MINUS] * 3, bold=True,
                 middle=True),
            text(np.arange(7), [5.75] * 7, ["shared", *(f"of {name}" for name in NAMES)], colour="muted"),
            text([3.0], [6.6], ["Passages, and how often a string has them"], colour="muted"),
        ),
        aspect=0.62, bare=True,
    )  # fmt: skip


def _star(made: core.Memory) -> Panel:
    """Each string as a point; it stands at the end of its own axis where it is like no other."""
    x, y = SPOKES @ made.directions.T
    colour = [PLUS] * 3 + [MINUS] * 3
    return Panel(
        "Directions", "Six axes seen from above, one a string. A, B and C leave their axes as p becomes smaller, and come "
        "together; D, E and F stay.", Axis(-1.3, 1.3), Axis(-1.3, 1.3),
        (
            segments([0.0] * 6, [0.0] * 6, SPOKES[0], SPOKES[1], colour="muted", width=1.5),
            segments(SPOKES[0], SPOKES[1], x, y, colour=colour, width=2.5),
            points(x, y, colour=colour, size=22, labels=list(NAMES), inside=True),
        ),
        note="an axis a string", aspect=1.0, weight=0.7, least=220, bare=True, stretch=False,
    )  # fmt: skip


def _answers(made: core.Memory, bet: str) -> Panel:
    """What the machine says of a string that has one passage alone, once."""
    x, says = np.arange(8), made.decisions[list(COLUMNS)]
    at = [BETS[bet]] if bet in BETS else []
    return Panel(
        "Answer to one passage alone", "Bars from the answer to a string that shares nothing up or down to the answer to "
        "each passage alone.",
        Axis(-0.6, 7.6, "all that the string has", tuple(zip(map(float, x), FEATURES, strict=True))),
        Axis(-1.15, 1.15, "", tuple((v, f"{v:+g}".replace("-", "−") if v else "0") for v in (-1.0, -0.5, 0.0, 0.5, 1.0))),
        (
            bars(x, says, base=made.bias, wide=0.7, colour=[SHARED] + [PLUS] * 3 + [MINUS] * 3 + ["muted"]),
            segments([-0.6], [made.bias], [7.6], [made.bias], colour="muted", dash="5 4"),
            line([-0.6, 7.6], [0.0, 0.0], "edge", width=1.0),
            points([0.0] * len(at), at, marker="x", size=12, labels=["your bet"] * len(at)),
        ),
        note="dashed: to a string that shares nothing", aspect=0.62,
    )  # fmt: skip


SETTINGS: Final = settings_of("learning_by_heart", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, ("Support vector machine",))
    setting = Setting(open=False)
    with screen.picture():
        if bet.open:
            setting = screen.controls(Setting(bet=bet.answer), only=("kernel",), of=2)
        if power := setting.kernel == "power":
            setting = screen.controls(setting, only=("p",))
        follows = ("p",) if power else ()
        formula = (
            "φ(x) = ( sgn k(x, x_{i}) · |k(x, x_{i})|^{[p|p]} )_{i}"
            if power
            else "f(x) = Σ α_{i} y_{i} k(x_{i}, x) + b"
        )
        screen.stage(drawn, setting, follows=follows, play=follows, formula=formula if bet.open else "")
    if bet.open:
        _explain(screen, setting)


def _explain(screen: Screen, setting: Setting) -> None:
    screen.reveal(
        "Each string stands on an axis of its own: its similarity to itself is 65 or more, to any other 1 or 0. Such a "
        "kernel has a *large diagonal*.",
        "Take the similarities to a small **power** p: |k|ᵖ brings 81 and 1 nearer to each other, and A, B, C leave their "
        "axes. A 0 stays 0: D, E, F have nothing in common.",
        words=("Diagonal dominance", "Power", "Empirical map"),
    )
    screen.challenge(
        "Find the largest p at which the new string gets 0.5 or more.", setting, lambda: _check(setting)
    )
    screen.carry(
        "power", "Try p on your data", {"power": setting.p, "phi": "power"},
        dataset=toy if workspace.current() is None else None,
    )  # fmt: skip


def _check(setting: Setting) -> Check:
    if setting.kernel == "power":
        return core.check(setting.p)
    f = core.memory().shared
    return Check(False, f, f"With the similarities as they are it gets {number(f, 3)}. Take them to a power.")


def toy() -> DataSet:
    """Return the six strings for the working page, where no other data are open."""
    ids = tuple(NAMES)
    K = GramMatrix(TOY_X @ TOY_X.T, ids)
    labels = Labels(ids, np.where(TOY_CODES == 1, "has the shared passage", "has not"))
    return DataSet("Six strings", ids, labels, kernels={"shared passages": K})
