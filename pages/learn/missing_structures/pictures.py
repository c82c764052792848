"""What the controls of the lesson on missing structures say, and its pictures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.gram.ellipse import Ellipse, ellipse_of
from kernex_core.studies.lessons import missing_structures as core
from pages.learn.stage.marks import line, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.shared.cached import cached
from pages.shared.digits import number, percent
from pages.shared.figures.theme import FITS, ROLES

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
