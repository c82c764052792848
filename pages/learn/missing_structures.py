"""Lesson: missing structures, as a rod pressed into an ellipse and an item that is hidden."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.ellipse import Ellipse, ellipse_of
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.studies.lessons import missing_structures as core
from kernex_core.studies.lessons.catalogue import Check
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Axis, Panel, Picture, line, points, segments, text
from pages.server.cached import cached
from pages.server.digits import number, percent
from pages.ui.figures.theme import FITS, ROLES

# What the controls of the lesson on missing structures say, and its pictures.

SOURCE, REBUILT, GOOD, BROKEN = ROLES["source"].colour, ROLES["extrapolated"].colour, FITS, "#c0392b"
ANGLES: Final = np.linspace(0.0, 2.0 * np.pi, 73)
EDGE, TOP = 2.35, 1.45


@dataclass(frozen=True)
class Setting:
    """What the controls say, and what is drawn of it."""

    look: str = parameter(
        "rod", label="Look at", help="A rod pressed into an ellipse; or three items, of which the third is hidden.",
        choices=("rod", "item"), names=("rod", "item"),
    )  # fmt: skip
    theta: float = parameter(
        0.0, label="Angle", symbol="θ", unit="°", help="Which way the rod points.", low=0.0, high=180.0, step=5.0
    )  # fmt: skip
    q: float = parameter(
        1.0, label="Squared half length", symbol="q", help="Of the rod.", low=0.0, high=4.0, step=0.02
    )
    rho: float = parameter(
        0.1, label="Nugget", symbol=r"\rho", help="Added to the diagonal of both kernels.", low=0.0, high=1.0, step=0.05
    )  # fmt: skip
    c: float = parameter(
        1.0, label="Stretch", symbol="c", help="1 is what Kernex computes; above it the constraint is broken.",
        low=0.5, high=1.5, step=0.05,
    )  # fmt: skip
    bet: str = ""
    open: bool = True

    def __post_init__(self) -> None:
        check_parameters(self)


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The rod in the ellipse and what it leaves, or the hidden item and the certificate of its source."""
    return _item(setting) if setting.look == "item" else _rod(setting)


def _rod(setting: Setting) -> Picture:
    made = core.rod(setting.theta, setting.q)
    around = core.ellipse_of_metric()
    ends = np.outer([-1.0, 1.0], math.sqrt(setting.q) * made.u)
    reach = np.sqrt([made.shear, made.free])
    at = np.outer(reach, made.u)
    across = 3.0 * np.array([-made.u[1], made.u[0]])
    shadow = [at[1] - across, at[1] + across]
    colour = GOOD if made.holds else BROKEN
    left = np.array(core.METRIC) - setting.q * np.outer(made.u, made.u)
    inner = _outline(ellipse_of(left)) if made.holds and setting.open else ([], [])
    marks = [
        line(*_xy(around.outline(ANGLES)), SOURCE, width=2.5, closed=True, name="K", name_at=45, shift=[-14, 12]),
        line(*_xy(np.array(shadow)), "muted", dash="4 4"),
        line(inner[0], inner[1], "#e5af10", dash="5 4", closed=True),
        segments(ends[:1, 0], ends[:1, 1], ends[1:, 0], ends[1:, 1], colour=colour, width=6.0),
        points(
            *_xy(at), colour=["ink", "muted"], marker=["circle", "diamond"], size=10,
            labels=["", ""] if setting.open else ["b", "a"],
            ring=["ink" if setting.bet == each else "" for each in ("b", "a")],
        ),
    ]  # fmt: skip
    plane = Panel(
        "A rod in the ellipse of a kernel", "An ellipse, a rod through its centre, the point where the rod would meet the "
        "ellipse, and the shadow of the ellipse along the rod.", Axis(-EDGE, EDGE, "feature 1"),
        Axis(-TOP, TOP, "feature 2"), tuple(marks), note="what the rod leaves is yellow" if setting.open else "",
        aspect=TOP / EDGE, stretch=False,
    )  # fmt: skip
    if not setting.open:
        return Picture((plane,))
    readings = (
        ("certificate", _certificate("K − quu'", made.eigenvalue, made.holds, 3)),
        ("longest rod inside, q", "?" if setting.theta == core.CHALLENGE else number(made.shear, 3)),
        ("shadow, q", number(made.free, 3)),
        ("smallest eigenvalue there", number(made.free_eigenvalue, 3)), *_bet(setting),
    )  # fmt: skip
    return Picture((plane,), readings)


def _bet(setting: Setting) -> tuple[tuple[str, str], ...]:
    named = {"a": "the shadow, ringed", "b": "the ellipse, ringed"}.get(setting.bet)
    return (("your bet", named),) if named else ()


def _certificate(of: str, eigenvalue: float, holds: bool, digits: int) -> str:
    return f"{'holds' if holds else 'broken'}: smallest eigenvalue of {of} {number(eigenvalue, digits)}"


def _item(setting: Setting) -> Picture:
    made = core.hidden_item(setting.rho, setting.c)
    readings = (
        (
            "certificate",
            _certificate("K' − cΦ'QΦ", made.eigenvalue, made.holds, 4),
        ),
        ("T̂₁₃, T̂₂₃, T̂₃₃", ", ".join(number(float(v), 4) for v in made.row)),
        ("not explained", percent(made.unexplained, 1)),
    )
    return Picture((_space(made), _pressed(made)), readings)


def _space(made: core.HiddenItem) -> Panel:
    """Items 1 and 2 at the angle of their target similarity, 3 where its weights put it."""
    cosine = core.TARGET[0][1]
    known = np.array([[1.0, 0.0], [cosine, math.sqrt(1.0 - cosine**2)]])
    third = made.weights @ known
    tips = np.vstack([known, third])
    origin = np.zeros(3)
    return Panel(
        "Three items in feature space", "Arrows to items 1 and 2; a disc in which the part of item 3 in their plane lies, "
        "and the point that the source puts it at.", Axis(-1.2, 1.2), Axis(-1.2, 1.2),
        (
            line(np.cos(ANGLES), np.sin(ANGLES), "#e5af10", closed=True, fill=0.12, dash="5 4"),
            segments(origin, origin, tips[:, 0], tips[:, 1], colour=["muted", "muted", REBUILT], width=2.5),
            points(*_xy(tips), colour=["muted", "muted", REBUILT], size=20, labels=["1", "2", "3"], inside=True),
            text([0.0], [-0.62], ["3 may be anywhere here"], colour="muted"),
        ),
        note="target kernel", aspect=1.0, weight=0.8, least=210, bare=True, stretch=False,
    )  # fmt: skip


def _pressed(made: core.HiddenItem) -> Panel:
    """Ellipses of items 1 and 3 alone: the source, and what is rebuilt of it, pressed under it."""
    pair = np.ix_([0, 2], [0, 2])
    source, rebuilt = (ellipse_of(K[pair]) for K in (made.source, made.rebuilt))
    colour = REBUILT if made.holds else BROKEN
    size = 1.65
    return Panel(
        "Rebuilt, pressed under the source", "Two ellipses of items 1 and 3: of the source, and of what is rebuilt "
        "of it, which lies inside and touches where item 1 is known; stretched, it sticks out.", Axis(-size, size, "item 1"),
        Axis(-size, size, "item 3"),
        (
            line(*_outline(source), SOURCE, width=2.5, closed=True, name="K'", name_at=18, shift=[0, -8]),
            line(*_outline(rebuilt), colour, width=2.5, closed=True, fill=0.2),
        ),
        note="items 1 and 3", aspect=1.0, least=220, stretch=False,
    )  # fmt: skip


def _outline(ellipse: Ellipse) -> tuple[Any, Any]:
    return _xy(ellipse.outline(ANGLES))


def _xy(places: Any) -> tuple[Any, Any]:
    return places[:, 0], places[:, 1]


QUESTION: Final = Choice(
    "The ellipse, all x with x'K⁻¹x ≤ 1, stands for a kernel K that is known everywhere. A rod through its centre, in the "
    "direction *u* and of half length √q, is what can be rebuilt of it from one known feature. It may nowhere exceed K: "
    "K − q uu' has to stay a kernel. How far may the rod reach?",
    {"a": "To the shadow of the ellipse, √3 (point a)", "b": "To the ellipse itself, √2 (point b)"},
    right="b",
    because={
        "a": "Whoever says so measures how wide the ellipse is. With q = 3 the rod sticks out of it, and K − q uu' has a "
        "negative eigenvalue. It is what Kernex calls *free*: best in squared distance, without the constraint.",
        "b": "At q = 2 the rod touches the ellipse, and the smallest eigenvalue of K − q uu' is just 0. What is known "
        "allows the section, not the shadow.",
    },
)
TEACHING: Final = Teaching(
    ask=(
        "At which angles are section and shadow the same?",
        "Why does a large nugget move item 3 towards the middle?",
        "Does a certificate that holds say that the completion is true?",
    ),
    wrong=(
        ("√3.", "Width is measured, which is the shadow."),
        (
            "The certificate says how good the guess is.",
            "It says that the computation kept its constraint, and no more.",
        ),
    ),
    state="bet=-&ms_theta=30",
)


SETTINGS: Final = settings_of("missing_structures", Setting)


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel", "Smallest eigenvalue"))
    with screen.picture():
        setting = Setting(open=False)
        if bet.open:
            setting = screen.controls(Setting(bet=bet.answer), only=("look",), of=3)
            setting = screen.controls(setting, only=_follow(setting))
        screen.stage(
            drawn, setting, follows=_follow(setting) if bet.open else (), play=("theta", "rho"),
            formula=_formula(setting) if bet.open else "",
        )  # fmt: skip
    if bet.open:
        screen.reveal(
            "Shear: what is rebuilt is pressed flat under K and touches it along what is known. One step further and the "
            "certificate is broken, in red: K − q uu' is no kernel any more.",
            "A hidden item works the same way: its weights on the known items come from the source, its similarities "
            "follow, and the certificate belongs to the *source*. Stretch it by c = 1.05, and it fails.",
            words=("Shear", "Certificate", "Source"),
        )
        screen.challenge(
            "Turn the rod to 60°. Which is the longest one whose certificate still holds?",
            setting,
            lambda: check(setting),
        )
        screen.carry(
            "complete",
            "Try ρ on your data, with a third hidden",
            {"nugget": setting.rho, "hidden": "35 %"},
        )
        screen.carry(
            "complete", "Take the three items along", {"nugget": setting.rho}, dataset=three_items,
            help="Opens them on the page Complete, where the third is unknown in the target.",
        )  # fmt: skip


def _follow(setting: Setting) -> tuple[str, str]:
    return ("rho", "c") if setting.look == "item" else ("theta", "q")


def _formula(setting: Setting) -> str:
    if setting.look == "item":
        return "T̂ = W' T W,  W = A^{−1}Φ,  A = K_{known} + [rho|ρ]I;  K' − [c|c] Φ' Q Φ ⪰ 0"
    return "K − [q|q] [theta|u][theta|u]' ⪰ 0  up to  [q|q] = 1 / (u' K^{−1}u);  shadow u' K u"


def check(setting: Setting) -> Check:
    """Whether the rod at the challenge's angle is the longest that fits."""
    if setting.look != "rod" or setting.theta != core.CHALLENGE:
        return Check(
            False, math.nan, f"Look at the rod, above the picture, and turn it to {core.CHALLENGE:g}°."
        )
    return core.check_rod(setting.q)


def three_items() -> DataSet:
    """The lesson's three items, the third of which the target does not know."""
    target = np.full((3, 3), np.nan)
    target[:2, :2] = core.TARGET
    ids = ("item 1", "item 2", "item 3")
    kernels = {"source": GramMatrix(np.array(core.SOURCE), ids), "target": GramMatrix(target, ids)}
    return DataSet(
        "Three items", ids, kernels=kernels, source="source", target="target",
        description="Three items of the lesson on missing structures; the target does not know the third.",
    )  # fmt: skip
