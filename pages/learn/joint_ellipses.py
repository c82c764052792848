"""Lesson: joint regularization, as two ellipses and the one that both allow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.ellipse import Ellipse
from kernex_core.studies.lessons import joint_ellipses as core
from kernex_core.studies.lessons.catalogue import Check
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Axis, Mark, Panel, Picture, field, line, points, segments, text
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui.figures.theme import ROLES

# What the controls of the lesson on joint regularization say, and its pictures.

FIRST, SECOND, JOINT = (ROLES[role].colour for role in ("source", "target", "joint"))
NAMED_WITHIN: Final = 2.6
ANGLES: Final = np.linspace(0.0, 2.0 * np.pi, 73)
LAMS: Final = np.linspace(0.0, 1.0, 51)
LOW, HIGH = (math.log10(c) for c in core.BOUNDS)
MAP: Final = LOW + (HIGH - LOW) * (np.arange(33) + 0.5) / 33.0
ENDS: Final = ((0.0, "0: Q₂"), (0.5, "½"), (1.0, "1: Q₁"))
TICKS: Final = tuple((math.log10(c), f"{c:g}") for c in (0.1, 1.0, 10.0))
BOUND: Final = {
    "low": core.BOUNDS[0],
    "high": core.BOUNDS[1],
    "logarithmic": True,
    "fine": True,
}


@dataclass(frozen=True)
class Setting:
    """What the controls say, and what is drawn of it."""

    way: str = parameter(
        "chosen", label="Who sets λ", help="You do, or the bounds that a fit has to keep: then λ comes out.",
        choices=("chosen", "bounds"), names=("you", "bounds"),
    )  # fmt: skip
    lam: float = parameter(
        0.5, label="Weight of the first", symbol=r"\lambda", help="Of the first kernel's inverse; 1 − λ is the second's.",
        low=0.0, high=1.0, step=0.01,
    )  # fmt: skip
    phi: float = parameter(
        90.0, label="Angle", symbol="φ", unit="°", help="By which the second one is turned.", low=0.0, high=90.0, step=5.0
    )  # fmt: skip
    c1: float = parameter(1.0, label="First bound", symbol="c₁", help="Of half of w'Q₁⁻¹w.", **BOUND)
    c2: float = parameter(1.0, label="Second bound", symbol="c₂", help="Of half of w'Q₂⁻¹w.", **BOUND)
    bet: str = ""
    open: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The ellipses, and beside them the area at every λ, or the λ of every pair of bounds."""
    return _bounded(setting) if setting.way == "bounds" else _chosen(setting)


def _chosen(setting: Setting) -> Picture:
    made = core.joint_ellipses(setting.lam, setting.phi)
    marks = [_outline(made.first, FIRST, "Q₁"), _outline(made.second, SECOND, "Q₂")]
    if setting.open:
        joint = core.joint_outlines([setting.lam], setting.phi)[0]
        marks += [
            _outline(made.added, "muted", dash="5 4"),
            line(joint[:, 0], joint[:, 1], JOINT, width=3.0, closed=True, fill=0.15),
            points(made.crossing[:, 0], made.crossing[:, 1], colour="ink", size=9),
        ]
    plane = Panel(
        "Ellipses", "Two ellipses of the same area, the dashed one of their sum, and the joint ellipse, through the points "
        "at which the two cross.", Axis(-2.4, 2.4, "feature 1"), Axis(-2.4, 2.4, "feature 2"), tuple(marks),
        note="joint orange, sum dashed" if setting.open else "", aspect=1.0, least=220, stretch=False,
    )  # fmt: skip
    if not setting.open:
        return Picture((plane, _areas(setting, made)))
    areas = {"joint": made.joint.area / math.pi, "sum": made.added.area / math.pi}
    along = {"Q₁": made.first, "Q₂": made.second, "joint": made.joint, "sum": made.added}
    readings = (
        ("area / π", ", ".join(f"{name} {number(area, 3)}" for name, area in areas.items())),
        (
            "along feature 1",
            ", ".join(f"{name} {number(float(each.Q[0, 0]))}" for name, each in along.items()),
        ),
    )
    return Picture((plane, _areas(setting, made)), readings)


def _areas(setting: Setting, made: core.JointEllipses) -> Panel:
    marks: list[Mark] = [points([0.0, 1.0], [1.0, 1.0], colour=[SECOND, FIRST])]
    if setting.open:
        joint, added = _over_weights(setting.phi)
        now = [made.joint.area / math.pi, made.added.area / math.pi]
        half = core.joint_areas([0.5])[:, 0]
        bet = {"a": [1.0], "b": [float(half[0])], "c": [float(half[1])]}.get(setting.bet, [])
        marks += [
            line(LAMS, added, "muted", dash="5 4", name="sum", name_at=14, anchor="end"),
            line(LAMS, joint, JOINT, width=3.0, name="joint", name_at=12, shift=[-4, 16], anchor="end"),
            points([setting.lam] * 2, now, colour=[JOINT, "muted"], size=11),
            points([0.5] * len(bet), bet, marker="x", colour="ink", size=12, labels=["your bet"] * len(bet)),
        ]
    else:
        marks.append(text([0.5], [1.0], ["?"], size=26, bold=True, middle=True))
    return Panel(
        "Area / π", "Area of the joint ellipse and of the sum over λ.", Axis(-0.06, 1.06, "λ", ENDS), Axis(0.0, 2.3),
        tuple(marks), aspect=0.9, weight=0.8, least=210,
    )  # fmt: skip


@cached(shared=True)
def _over_weights(degrees: float) -> FloatArray:
    return core.joint_areas(LAMS, degrees)


def _bounded(setting: Setting) -> Picture:
    made = core.bounded(setting.c1, setting.c2)
    both = core.joint_ellipses(made.lam if made.defined else 0.5)
    target, w = np.array(core.TARGET), made.w
    pulls = [
        b * np.linalg.solve(each.Q, w) for b, each in zip(made.beta, (both.first, both.second), strict=True)
    ]
    between = w + pulls[0]
    reach = math.sqrt(float(w @ np.linalg.solve(both.joint.Q, w))) if made.defined else math.nan
    starts, ends, named = (
        np.array([w, between]),
        np.array([between, between + pulls[1]]),
        np.array([target, w]),
    )
    plane = Panel(
        "The nearest point that both allow", "Two ellipses of bounds, a target outside them, the nearest point w that "
        "both allow, and the joint ellipse through it.", Axis(-3.0, 3.0, "feature 1"), Axis(-3.0, 3.0, "feature 2"),
        (
            _outline(both.first, FIRST, "c₁", times=math.sqrt(2.0 * setting.c1), fill=0.08, down=True),
            _outline(both.second, SECOND, "c₂", times=math.sqrt(2.0 * setting.c2), fill=0.08, down=True),
            _outline(both.joint, JOINT, times=reach, width=3.0),
            segments(starts[:, 0], starts[:, 1], ends[:, 0], ends[:, 1], colour=[FIRST, SECOND], width=4.0),
            points(named[:, 0], named[:, 1], colour=["muted", JOINT], size=12, labels=["target", ""]),
            text([w[0] - 0.1], [w[1] - 0.38], ["w"], anchor="end", colour=JOINT, bold=True),
        ),
        aspect=1.0, least=220, stretch=False,
    )  # fmt: skip
    readings = (
        ("multipliers β₁, β₂", f"{number(made.beta[0], 3)}, {number(made.beta[1], 3)}"),
        ("λ = β₁ / (β₁ + β₂)", number(made.lam, 3) if made.defined else "not defined"), ("", made.said),
    )  # fmt: skip
    return Picture((plane, _map(setting)), readings)


def _map(setting: Setting) -> Panel:
    slack = math.log10(core.slack_from())
    marks = (
        field(_implied()[::-1]),
        line([slack, HIGH, HIGH, slack], [slack, slack, HIGH, HIGH], "ground", closed=True, fill=1.0),
        text([(slack + HIGH) / 2.0] * 2, [slack + 0.2, slack + 0.05], ["no", "λ"]),
        points([math.log10(setting.c1)], [math.log10(setting.c2)], colour=JOINT, size=12, ring="#fff"),
    )
    return Panel(
        "λ that the bounds imply", "The implied weight for every pair of bounds: dark 0, light 1; in the upper right corner "
        "no bound binds, and there is none.", Axis(LOW, HIGH, "c₁", TICKS), Axis(LOW, HIGH, "c₂", TICKS), marks,
        note="light 1, dark 0", aspect=1.0, weight=0.8, least=210, stretch=False,
    )  # fmt: skip


@cached(shared=True)
def _implied() -> FloatArray:
    """Where no bound binds there is no weight: it takes the colour beside it, and is covered."""
    made = core.implied(10.0**MAP)
    return np.where(np.isnan(made), np.tri(MAP.size), made)


def _outline(
    ellipse: Ellipse, colour: str, name: str = "", *, times: float = 1.0, down: bool = False, **more: Any
) -> Mark:
    x, y = times * ellipse.outline(ANGLES).T
    inside = np.hypot(x, y) < NAMED_WITHIN
    at = int(np.argmax(np.where(inside, 0.8 * x - y if down else 0.8 * x + y, -np.inf)))
    return line(
        x, y, colour, closed=True, name=name if inside.any() else "", name_at=at, shift=[4, -4], **more
    )


QUESTION: Final = Choice(
    "Two kernels on two features, each drawn as an ellipse: long where it lets a function be large. Both ellipses have the "
    "area π. Halfway between them, at λ = ½, what area has the ellipse of their *joint* kernel?",
    {"a": "π, like both", "b": "Less than π", "c": "More: 2.1 π"},
    right="b",
    because={
        "a": "Whoever says so thinks that a mean lies between what it is made of. Here the *prices* are averaged, which are "
        "inverses.",
        "b": "The joint kernel is large only where both are. At λ = ½ its area is 0.471 π.",
        "c": "That is the *sum* of both kernels, dashed: it is large wherever one of them is.",
    },
)
TEACHING: Final = Teaching(
    ask=(
        "Which points lie on every joint ellipse, whatever λ is?",
        "If bound 1 is four times as loose as bound 2, is λ = ¼ or ⅕?",
        "When would you rather add two kernels than join them?",
    ),
    wrong=(
        ("π.", "A mean lies between: true of the prices, and an area is no price."),
        ("2.1 π.", "It is the sum that is meant."),
        (
            "λ = c₂ / (c₁ + c₂).",
            "That bounds weigh the kernels. Their multipliers do, and these come out of the fit.",
        ),
    ),
    state="bet=-&je_phi=60",
)


SETTINGS: Final = settings_of("joint_ellipses", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel", "Joint kernel"))
    with screen.picture():
        setting = Setting(open=False)
        if bet.open:
            setting = screen.controls(Setting(bet=bet.answer), only=("way",), of=3)
            setting = screen.controls(setting, only=_follow(setting))
        screen.stage(
            drawn,
            setting,
            follows=_follow(setting) if bet.open else (),
            play=("lam", "phi", "c2"),
            formula=_formula(setting),
        )
    if bet.open:
        screen.reveal(
            "A kernel is a price list: w costs w'Q⁻¹w. Joining averages the *prices*, so a direction is cheap only if it is "
            "cheap for both. Every joint ellipse passes through the points at which the two cross.",
            "A fit with one bound a kernel has a λ of its own: what its bounds cost, as shares of the whole.",
            words=("Multiplier",),
        )
        screen.challenge(
            "Let two bounds set λ. With c₁ = 1, for which c₂ does the fit imply λ = 0.25?",
            setting,
            lambda: check(setting),
        )
        lam = core.bounded(setting.c1, setting.c2).lam if setting.way == "bounds" else setting.lam
        carried = {} if math.isnan(lam) else {"combine_lam": round(lam, 2)}
        screen.carry("combine", "Try λ on your kernels", carried)


def _follow(setting: Setting) -> tuple[str, str]:
    return ("c1", "c2") if setting.way == "bounds" else ("lam", "phi")


def _formula(setting: Setting) -> str:
    if setting.way == "bounds":
        return "min ½ |w − t|^{2},  ½ w'Q_{1}^{−1}w ≤ [c1|c₁],  ½ w'Q_{2}^{−1}w ≤ [c2|c₂]"
    return "Q = ([lam|λ] Q_{1}^{−1} + (1 − [lam|λ]) [phi|Q₂]^{−1})^{−1}"


def check(setting: Setting) -> Check:
    """Whether the bounds imply the λ of the challenge."""
    if setting.way != "bounds" or setting.c1 != 1.0:
        return Check(False, math.nan, "Let the two bounds set λ, above the picture, with c₁ = 1.")
    return core.check_bound(setting.c2)
