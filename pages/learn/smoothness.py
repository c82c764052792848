"""Lesson 4: the norm is the price of bending, and the kernel sets it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.errors import KernexError
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Vectors
from kernex_core.studies.lessons import smoothness as core
from kernex_core.studies.lessons.smoothness import BETS, check_bet, check_challenge
from pages.learn.screen import Choice, Screen, Teaching, settings_of
from pages.learn.stage import Axis, Mark, Panel, Picture, Told, bars, line, points, segments
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui.figures.theme import ABOVE, BELOW
from pages.ui.panels.build import NEW

# What the controls of the lesson say, and the points that a visitor drags.

X_STOPS: Final = tuple(round(k / 40, 3) for k in range(41))
Y_STOPS: Final = tuple(round(-0.5 + k / 20, 2) for k in range(41))
Points = tuple[tuple[float, float], ...]
START: Final[Points] = tuple(zip(core.START.x.tolist(), core.START.y.tolist(), strict=True))


@dataclass(frozen=True)
class Setting(core.SmoothChoice):
    """What the controls say, and the points."""

    at: Points = START
    bet: str = ""
    open: bool = True

    @property
    def made(self) -> core.SmoothCurve:
        """The cheapest curve."""
        return core.smooth_curve(core.curve_points(*zip(*self.at, strict=True)), self)


def along(setting: Setting, item: str) -> list[dict[float, Setting]]:
    """Return where a point may stop while it is dragged, and the setting then: along x, along y."""
    if item not in map(str, range(len(setting.at))):
        return []
    k = int(item)
    x, y = setting.at[k]
    return [
        {stop: _moved(setting, k, (stop, y)) for stop in X_STOPS},
        {stop: _moved(setting, k, (x, stop)) for stop in Y_STOPS},
    ]


def _moved(setting: Setting, k: int, to: tuple[float, float]) -> Setting:
    return replace(setting, at=(*setting.at[:k], to, *setting.at[k + 1 :]))


def stopped(x: object, y: object) -> tuple[float, float]:
    return tuple(
        min(stops, key=lambda stop: abs(stop - float(str(v)))) for v, stops in ((x, X_STOPS), (y, Y_STOPS))
    )  # type: ignore[return-value]


def parsed(text: str) -> Points:
    """Read points as the address has them, "0.2,0.5_0.5,0.2"; the first points where it has none that can be read."""
    try:
        pairs = [pair.split(",") for pair in text.split("_")[: core.MOST + 1]]
        read = tuple((float(x), float(y)) for x, y in pairs)
        core.curve_points(*zip(*read, strict=True))
    except (ValueError, TypeError, KernexError):
        return START
    return tuple((x, min(max(y, Y_STOPS[0]), Y_STOPS[-1])) for x, y in read)


# The curve with its band and its pair, and beside it what its norm is made of.

FIT, PAIR = BELOW, ABOVE
EVERY: Final = slice(None, None, 2)


@cached(shared=True)
def drawn(setting: Setting) -> Picture:
    """The points; once the answer is open, the curve, its band and its pair, and what its norm is made of."""
    if not setting.open:
        return Picture((_plane((_items(setting),), "Three points.", place=False),))
    made = setting.made
    readings = [("‖f‖²", number(made.squared_norm, 4))]
    if made.pair is not None and made.ratio is not None:
        climbs = abs(float(np.diff(np.interp(made.pair, core.GRID, made.mean))[0]))
        readings += [
            ("nearest pair", f"{number(made.pair[0])} and {number(made.pair[1])}"),
            ("between them f changes by", number(climbs, 3)), ("at most ‖f‖ d", number(climbs / made.ratio, 3)),
            ("ratio", number(made.ratio, 3)),
        ]  # fmt: skip
    else:
        readings.append(("ratio", "not defined"))
    readings += [("note", note) for note in made.notes]
    plane = _plane(
        (*_curve(made), _bet(setting), *_pair(made), _items(setting)),
        "The cheapest curve through the points, with a band of two standard deviations, and the pair of places between "
        "which it changes most for its norm.",
        place=len(setting.at) < core.MOST,
    )
    return Picture((plane, _beside(setting, made)), tuple(readings))


def _plane(marks: tuple[Mark, ...], alt: str, *, place: bool) -> Panel:
    return Panel(
        "Curve", alt, Axis(0.0, 1.0, "x"), Axis(-0.5, 1.5, "f(x)"), marks, aspect=0.68, weight=1.5, place=place,
        note="drag a point; click for a new one" if place else "",
    )  # fmt: skip


def _items(setting: Setting) -> Mark:
    x, y = zip(*setting.at, strict=True)
    if not setting.open:
        return points(x, y, size=13)
    says = [
        f"Point at {number(a)}, {number(b)}: drag it or use the arrow keys; Delete removes it"
        for a, b in setting.at
    ]
    return points(x, y, size=13, ids=[str(k) for k in range(len(x))], movable=True, says=says)


def _curve(made: core.SmoothCurve) -> tuple[Mark, ...]:
    x, mean, sd = core.GRID[EVERY], made.mean[EVERY], made.sd[EVERY]
    across, band = np.append(x, x[::-1]), np.append(mean + 2.0 * sd, (mean - 2.0 * sd)[::-1])
    return (
        line(across, np.round(band, 3), FIT, width=0.0, closed=True, fill=0.18),
        line(x, np.round(mean, 4), FIT, width=2.5),
    )


def _bet(setting: Setting) -> Mark:
    """What was bet on, beside the curve of the question; nothing beside another."""
    x = core.GRID[EVERY]
    y = np.zeros(0)
    if setting.kernel == "Minimum" and setting.at == START:
        if setting.bet == "smooth":
            y = core.smooth_curve(core.START, core.SmoothChoice("Gaussian")).mean[EVERY]
        elif setting.bet == "steps":
            y = np.append(0.0, core.START.y)[np.searchsorted(core.START.x, x, side="right")]
    return line(x[: y.size], y, "muted", width=1.5, dash="5 4", name="your bet", anchor="end", name_at=98)


def _pair(made: core.SmoothCurve) -> tuple[Mark, ...]:
    x = np.array(made.pair or ())
    y = np.interp(x, core.GRID, made.mean)
    return (
        segments(x[:1], y[:1], x[1:], y[1:], colour=PAIR, width=2.5, dash="3 4"),
        points(x, y, colour=PAIR, size=18, open=True),
    )


def _beside(setting: Setting, made: core.SmoothCurve) -> Panel:
    if setting.kernel == "Minimum":
        x = np.arange(1, len(made.pieces) + 1)
        top = max(2.0, 1.15 * float(made.pieces.max(initial=0.0)))
        ticks = tuple((float(k), str(k)) for k in x)
        return Panel(
            "What each piece costs", "Bars: square of the rise over the run of each straight piece; they add up to ‖f‖².",
            Axis(0.4, max(len(x), 3) + 0.6, "piece, from (0, 0) on", ticks), Axis(0.0, top, "(Δy)² / Δx"),
            (bars(x, made.pieces, wide=0.7, colour=FIT),), aspect=0.72, least=190,
        )  # fmt: skip
    top = 1.1 * float(made.density.max(initial=0.0)) or 1.0
    return Panel(
        "Spectral density", "How much of each frequency the kernel holds.",
        Axis(-60.0, 60.0, "frequency ω"), Axis(0.0, top),
        (line(core.FREQUENCIES[EVERY], made.density[EVERY], FIT, fill=0.18),),
        note="what is rare here is dear", aspect=0.72, least=190,
    )  # fmt: skip


# Lesson: the norm is the price of bending, and the kernel sets it.

QUESTION: Final = Choice(
    "A curve f is to run through the three points. The kernel k(x, x′) = min(x, x′) says what a curve costs: it begins at "
    "f(0) = 0, and pays the square of its slope, added up over all x: ∫ f′(x)² dx. How does the **cheapest** curve look?",
    {
        "smooth": "A smooth curve without corners",
        "pieces": "Straight from (0, 0) from point to point, then flat",
        "steps": "Steps: flat, and a jump at each point",
    },
    right=next(bet for bet in BETS if check_bet(bet).right),
    because=BETS,
)
TEACHING: Final = Teaching(
    ask=(
        "Between the points the band is widest halfway: why is it 0 at a point, and at x = 0?",
        "Which kernel lets a curve wiggle fast, and where do you see that in its spectral density?",
        "Two kernels give the norms 3.18 and 1.09. Is the second curve smoother?",
    ),
    wrong=(
        (
            "A smooth curve.",
            "A norm always counts bends. This one counts slopes: a corner costs nothing extra.",
        ),
        (
            "Norms of two kernels compare.",
            "Each kernel has a price list of its own: Gaussian 1.09 is not less than min 3.18.",
        ),
    ),
    state="bet=-&s_kernel=Gaussian&s_sigma=0.1",
)
CONTROL: Final = {"Gaussian": "sigma", "Laplace": "gamma", "Sinc": "omega"}
KERNELS: Final = {
    "Minimum": "min(x, x'),   ‖f‖^{2} = y^{T} K^{−1} y = ∫ f'(x)^{2} dx",
    "Gaussian": "e^{−(x − x')²/2[sigma|σ]²},   ‖f‖^{2} = y^{T} K^{−1} y",
    "Laplace": "e^{−[gamma|γ]|x − x'|},   ‖f‖^{2} = y^{T} K^{−1} y",
    "Sinc": "sin [omega|Ω](x − x') / π(x − x'),   ‖f‖^{2} = y^{T} K^{−1} y",
}


SETTINGS: Final = settings_of("smoothness", Setting, "points")


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Kernel", "Norm"))
    setting = Setting(open=False)
    with screen.picture():
        if bet.open:
            kept = parsed(screen.kept("points"))
            setting = screen.controls(Setting(bet=bet.answer, at=kept), only=("kernel",))
        follows = (CONTROL[setting.kernel],) if bet.open and setting.kernel in CONTROL else ()
        if follows:
            setting = screen.controls(setting, only=follows)
        formula = f"k = {KERNELS[setting.kernel]}" if bet.open else ""
        screen.stage(
            drawn, setting, follows=follows, play=follows, formula=formula, drags=along if bet.open else None,
            on=lambda act, told: _act(screen, setting, act, told),
        )  # fmt: skip
        if setting.at != START:
            st.button(
                "The first points", key="smoothness.first", type="tertiary", icon=":material/replay:",
                on_click=screen.keep, args=("points", ""), help="Brings the three points of the question back.",
            )  # fmt: skip
    if bet.open:
        _explain(screen, setting)


def _explain(screen: Screen, setting: Setting) -> None:
    screen.reveal(
        "The *norm* ‖f‖ is the price of a curve, and the kernel sets the prices: another kernel, another cheapest curve. "
        "Norms of two kernels do not compare.",
        "Band: were f drawn at random with covariance k, about 95\u00a0% of the curves through the points would lie in it "
        "at each x.",
        "A cheap curve cannot be steep: |f(x) − f(x′)| ≤ ‖f‖ d(x, x′), with d(x, x′)² = k(x, x) − 2k(x, x′) + k(x′, x′). "
        "Orange: the pair that comes nearest to it.",
        words=("Norm", "Spectral density"),
    )
    screen.challenge(
        "With the minimum kernel, drag the points so that the ratio is 0.999 or more.", setting,
        lambda: check_challenge(setting.made, setting),
    )  # fmt: skip
    _carry(screen, setting)


def _carry(screen: Screen, setting: Setting) -> None:
    here = workspace.current()
    given = (
        None
        if here is None
        else next((n for n, part in here.samples.items() if isinstance(part, Vectors)), None)
    )
    name, data = (given, here.name) if here is not None and given else ("points", "Points of a lesson")
    kernel = setting.similarity
    settings: dict[str, object] = {
        "kernel": NEW, f"build.samples.{data}": name, "build.kind.vectors": type(kernel),
        **{f"build.{type(kernel).__name__}.{name}.{field}": value for field, value in vars(kernel).items()},
    }  # fmt: skip
    screen.carry(
        "kernels", "Try the kernel on your vectors", settings,
        dataset=None if given else lambda: _data(data, setting.at),
        help="Builds this kernel on the vectors that are open; where none are, on the points of this lesson.",
    )  # fmt: skip


def _data(name: str, at: Points) -> DataSet:
    ids = tuple(str(k + 1) for k in range(len(at)))
    x = np.array([[a] for a, _ in at])
    return DataSet(name, ids, samples={"points": Vectors(ids, x, ("x",))})


def _act(screen: Screen, setting: Setting, act: str, told: Told) -> None:
    """A point was moved, added or taken out."""
    at = list(setting.at)
    if act == "placed" and len(at) < core.MOST:
        at.append(stopped(*told[-2:]))
    elif act in ("moved", "removed") and str(told[0]).isdecimal() and int(told[0]) < len(at):
        place = int(told[0])
        if act == "moved":
            at[place] = stopped(*told[-2:])
        elif len(at) > 1:
            del at[place]
    screen.keep("points", "_".join(f"{x:g},{y:g}" for x, y in at))
