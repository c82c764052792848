"""Lesson 1: a kernel machine is a weighted sum of similarities to few items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import KernexError
from kernex_core.base.frozen import FloatArray
from kernex_core.base.parameters import parameter
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.vectors.dot_product import Polynomial, monomial_map
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.lessons.what_is_a_kernel import (
    AXIS,
    MOST,
    PLANE_SETS,
    RINGS,
    STILL,
    WINDOW,
    Deletions,
    PlaneChoice,
    PlaneMachine,
    PlanePoints,
    check_bet,
    check_challenge,
    deletions,
    feature_plane,
    plane_points,
    plane_system,
)
from kernex_core.studies.lessons.what_is_a_kernel import moved as what_is_a_kernel_moved
from pages.learn.screen import Click, Screen, Teaching, settings_of
from pages.learn.stage import (
    Axis,
    Mark,
    Panel,
    Picture,
    Sight,
    Told,
    contour,
    edges_of_box,
    field,
    line,
    plane_in_box,
    points,
    segments,
    text,
)
from pages.server.cached import cached
from pages.server.digits import number
from pages.ui.figures.theme import ABOVE, BELOW, MARK
from pages.ui.panels.build import NEW

# What the controls of the lesson on kernels say, and what was clicked, as the address says it.

Own = tuple[tuple[float, float, int], ...]
FIRST: Final[Own] = ((-1.0, 0.0, -1), (1.0, 0.0, 1))
"""Points of one's own, before any is set."""
OWN: Final = "Own"


@dataclass(frozen=True)
class Setting(PlaneChoice):
    """Controls in sight, those in the popover, and what was clicked."""

    points: str = parameter(
        "Rings", choices=(*PLANE_SETS, OWN), label="Points",
        help="Your own: click into the plane to set one, drag it, and delete it with the key Delete.",
    )  # fmt: skip
    next_class: str = parameter(
        "-", choices=("-", "+"), names=("● blue", "◆ orange"), label="Class of the next point",
        help="What a click into the plane sets, among points of your own.",
    )  # fmt: skip
    keep: str = parameter(
        "C", choices=("C", "lam"), names=("C", "λ"), label="Left out: kept is",
        help="Leaving out a point at fixed λ = 1 / (2nC) changes C, because n changes.",
    )  # fmt: skip
    turn: float = parameter(
        0.0,
        low=0.0,
        high=360.0,
        step=10.0,
        label="Turn",
        help="From where the features are seen, in degrees.",
    )
    own: Own = FIRST
    left: tuple[int, ...] = ()
    bet: int | None = None
    revealed: bool = False

    @property
    def plane(self) -> PlanePoints | None:
        """The points; None where one class or one point alone is set."""
        if self.points != OWN:
            return PLANE_SETS[self.points]
        try:
            return plane_points([point[:2] for point in self.own], [point[2] for point in self.own])
        except KernexError:
            return None

    @property
    def placed(self) -> Own:
        """Where the points lie, with their classes."""
        if self.points == OWN:
            return self.own
        found = PLANE_SETS[self.points]
        return tuple((float(a), float(b), int(c)) for (a, b), c in zip(found.X, found.y, strict=True))

    @property
    def kept(self) -> tuple[int, ...]:
        """Places of the points that are trained on: all where only one class would be left."""
        kept = tuple(k for k in range(len(self.placed)) if k not in self.left)
        return kept if len({self.placed[k][2] for k in kept}) > 1 else tuple(range(len(self.placed)))

    @property
    def cost(self) -> float:
        """C of the machine without the points that are left out."""
        return self.C * len(self.placed) / len(self.kept) if self.keep == "lam" else self.C


def written(own: Own) -> str:
    """Return points as the address says them: "-1,0,- 1,0,+"; "" for the first ones."""
    return "" if own == FIRST else "_".join(f"{x:g},{y:g},{'+' if c > 0 else '-'}" for x, y, c in own)


def read(text: str) -> Own:
    """Return the points of an address; what is no point is left out."""
    if not text:
        return FIRST
    found = []
    for part in text.split("_")[:MOST]:
        try:
            x, y, c = part.split(",")
            at = _inside(float(x)), _inside(float(y))
        except ValueError:
            continue
        if np.isfinite(at).all() and c in ("+", "-", " "):  # an unquoted + arrives as a space
            found.append((*at, -1 if c == "-" else 1))
    return tuple(found)


def placed(own: Own, x: float, y: float, next_class: str) -> Own:
    """Add a point, unless there are as many as may be."""
    return own if len(own) >= MOST else (*own, (_inside(x), _inside(y), 1 if next_class == "+" else -1))


def moved(own: Own, place: int, x: float, y: float) -> Own:
    """Move a point."""
    return tuple((_inside(x), _inside(y), p[2]) if k == place else p for k, p in enumerate(own))


def places(text: str) -> tuple[int, ...]:
    """Return places as an address says them: "3_5"."""
    return tuple(sorted({int(part) for part in text.split("_") if part.isdecimal() and len(part) < 4}))


def toggled(left: Iterable[int], place: int) -> str:
    """Take a place in, or out, and return what the address then says."""
    return "_".join(map(str, sorted(set(left) ^ {place})))


def _inside(value: float) -> float:
    return round(min(max(value, -WINDOW), WINDOW), 2) + 0.0


# The plane with its surface, boundary and stems, and beside it the features in which the boundary is flat.

BLUE, ORANGE = BELOW, ABOVE
SIDE: Final = 30.0
"""From where the features are seen before they are turned, in degrees."""
STEM: Final = 0.5
"""Height of the highest stem, in units of the plane."""
EDGE: Final = WINDOW + float(AXIS[1] - AXIS[0]) / 2.0
_COORDINATE: Final = Axis(
    -EDGE, EDGE, "x₁", tuple((float(v), f"{v}".replace("-", "−")) for v in range(-2, 3))
)


def drawn(setting: Setting) -> Picture:
    """The picture of a setting; of the visitor's own points in their own cache."""
    return _of_own(setting) if setting.points == OWN else _of_sets(setting)


@cached(shared=True)
def _of_sets(setting: Setting) -> Picture:
    return _picture(setting)


@cached
def _of_own(setting: Setting) -> Picture:
    return _picture(setting)


def trained(setting: Setting) -> tuple[PlaneMachine, PlaneMachine] | None:
    """Return the machine on all points and the one without those left out; None without points of both classes."""
    plane = setting.plane
    if plane is None:
        return None
    system = plane_system(plane, setting)
    whole = system.train(setting.C)
    kept = np.array(setting.kept)
    return whole, whole if kept.size == plane.n else system.train(setting.cost, kept)


def _picture(setting: Setting) -> Picture:
    found = trained(setting)
    readings = () if found is None or not setting.revealed else _readings(setting, *found)
    panels = [_plane(setting, found)]
    if setting.revealed:
        panels.append(_features(setting))
    return Picture(tuple(panels), readings)


def _plane(setting: Setting, found: tuple[PlaneMachine, PlaneMachine] | None) -> Panel:
    placed = np.array(setting.placed, dtype=np.float64).reshape(-1, 3)
    X, y, n = placed[:, :2], placed[:, 2], len(placed)
    whole, made = found or (None, None)
    edges = made if setting.revealed else None  # they pass through the points with a stem
    gone = np.isin(np.arange(n), setting.left)
    stems = np.abs(made.weights) if made is not None and setting.revealed else np.zeros(n)
    high = STEM * stems / (stems.max() if stems.any() else 1.0)
    colours = [BLUE if each < 0 else ORANGE for each in y]
    names = [f"Point {k + 1}, {'blue' if y[k] < 0 else 'orange'}" for k in range(n)]
    on = np.flatnonzero(high)
    marks = (
        field(np.zeros((2, 2)) if made is None else made.field[::-1], limit=2.0, opacity=0.6),
        _level(made, 0.0, "ink", 2.5), _level(edges, -1.0, BLUE, 1.5, "5 4"), _level(edges, 1.0, ORANGE, 1.5, "5 4"),
        _level(whole if whole is not made else None, 0.0, MARK, 1.5, "2 4"),
        segments(X[on, 0], X[on, 1], X[on, 0], X[on, 1] + high[on], colour="ink", width=3.0),
        points(
            X[:, 0], X[:, 1], colour=colours, marker=["circle" if each < 0 else "diamond" for each in y],
            size=10.0 if setting.revealed else 18.0, open=gone.tolist(), ids=[str(k) for k in range(n)],
            says=_says(names, stems, gone, setting.revealed), movable=setting.points == OWN,
            ring=[MARK if k == setting.bet else "ink" if high[k] else "" for k in range(n)],
            labels=["your bet" if k == setting.bet else "" for k in range(n)] if setting.revealed
            else [str(k + 1) for k in range(n)],
            inside=not setting.revealed,
        ),
    )  # fmt: skip
    note = "line f = 0, dashes f = ±1; stems α" if setting.revealed else "line: the boundary, f = 0"
    if found is None:
        note = "set points of both classes"
    alt = f"{n} points of two classes in the plane, the boundary between them" + (
        f", and stems on {on.size} of them." if setting.revealed else "."
    )
    return Panel(
        "The plane", alt, _COORDINATE, Axis(-EDGE, EDGE, "x₂", _COORDINATE.ticks), marks, note=note, aspect=1.0,
        place=setting.points == OWN, stretch=False, least=270,
    )  # fmt: skip


def _says(names: list[str], stems: FloatArray, gone: np.ndarray, revealed: bool) -> list[str]:
    if not revealed:
        return names
    return [
        f"{name}: {'left out' if out else f'α = {number(float(stem))}'}"
        for name, stem, out in zip(names, stems, gone, strict=True)
    ]


def _level(made: PlaneMachine | None, level: float, colour: str, width: float, dash: str = "") -> Mark:
    if made is None or made.margin is None:
        return line((), (), colour, width=width, dash=dash)
    x, y = contour(made.field, AXIS, AXIS, level)
    return line(x.round(3), y.round(3), colour, width=width, dash=dash)


def _features(setting: Setting) -> Panel:
    placed = np.array(setting.placed, dtype=np.float64).reshape(-1, 3)
    Z = monomial_map(placed[:, :2], Polynomial(2, 0.0)) if placed.size else np.empty((0, 3))
    most = max(1.0, float(np.abs(Z).max(initial=0.0)))
    low, high, sight = np.array([0.0, 0.0, -most]), np.full(3, most), Sight(SIDE + setting.turn)
    plane, flat = setting.plane, np.empty((0, 3))
    if plane is not None:
        left = tuple(k for k in range(plane.n) if k not in setting.kept)
        made = feature_plane(plane, setting.cost, left)
        flat = plane_in_box(made.w, -made.bias, low, high)
    at, corners = sight.project(Z.T), sight.project(flat.T)
    a, b = np.moveaxis(sight.project(np.moveaxis(edges_of_box(low, high), -1, 0)), -1, 0)
    names = sight.project(np.array([[most, 0, -most], [0, most, -most], [0, 0, most]]).T)
    half = 1.5 * most
    same = setting.kernel == "Polynomial" and setting.degree == 2 and setting.constant == 0.0
    marks = (
        segments(*a, *b, colour="edge", width=1.0),
        line(corners[0].round(3), corners[1].round(3), "ink", closed=True, fill=0.16, width=1.5),
        points(
            at[0].round(3), at[1].round(3), colour=[BLUE if each < 0 else ORANGE for each in placed[:, 2]], size=8.0,
            marker=["circle" if each < 0 else "diamond" for each in placed[:, 2]],
            open=np.isin(np.arange(len(placed)), setting.left).tolist(),
        ),
        text(names[0], names[1], ("x₁²", "x₂²", "√2 x₁x₂")),
    )  # fmt: skip
    return Panel(
        "Three features",
        "The same points with three products as coordinates, and the plane between the classes there.",
        Axis(-half, half), Axis(-half, half), marks, aspect=1.0, bare=True, stretch=False, least=240,
        note="f is a plane here" if same else "degree 2 is a plane here",
    )  # fmt: skip


def _readings(setting: Setting, whole: PlaneMachine, made: PlaneMachine) -> tuple[tuple[str, str], ...]:
    margin = "not defined" if made.margin is None else number(made.margin, 4)
    kept = len(setting.kept)
    highest = float(np.abs(made.weights).max())
    found = (
        ("support vectors", f"{made.support.size} of {kept}, {made.at_cost.size} at α = C"),
        ("errors", str(made.errors)), ("margin 1/‖f‖", margin),
        ("b", number(made.bias)), ("highest stem", number(highest)),
    )  # fmt: skip
    if whole is made:
        return found
    apart = what_is_a_kernel_moved(whole, made)
    return (*found, ("f moved by", "nothing" if apart < STILL else number(apart)))


# The screen of the lesson on kernels.

NONE: Final = "none"
SAMPLES: Final = "points"


@cached(shared=True)
def _deletions() -> Deletions:
    return deletions(RINGS, PlaneChoice())


@cached(shared=True)
def _at_fixed_lam() -> Deletions:
    return deletions(RINGS, PlaneChoice(C=1.0), keep_lam=True)


def _because(bet: str) -> Check:
    return check_bet(_deletions(), None if bet == NONE else int(bet))


QUESTION: Final = Click(
    "A machine has drawn a boundary between 12 inner and 12 outer points. Click a point that could be deleted, and the "
    "machine trained anew, **without moving the boundary at all**. Or is there no such point?",
    {str(k): f"Point {k + 1}, {'inner' if k < 12 else 'outer'}" for k in range(24)},
    _because,
    {NONE: "No such point: each of them counts"},
)
TEACHING: Final = Teaching(
    ask=(
        "How few points can carry a boundary between the rings?",
        "Why does everything move a little if λ is kept fixed instead of C?",
    ),
    wrong=(
        ("No such point.", "Every datum counts in least squares; here only points with a stem do."),
        (
            "A point far from the boundary, always.",
            "A far point of a narrow Gaussian carries a stem, too: drag σ to 0.2.",
        ),
    ),
    state="bet=-&wiak_kernel=Polynomial",
)
_SHAPES: Final = {"Gaussian": ("sigma",), "Linear": (), "Polynomial": ("degree",)}
_SUM: Final = "f(x) = Σ_{i} α_{i} y_{i} k(x_{i}, x) + b,   0 ≤ α_{i} ≤ [C|C]"
_FORMULAS: Final = {
    "Gaussian": "k(x, x′) = exp(−‖x − x′‖² / 2[sigma|σ]^{2})",
    "Linear": "k(x, x′) = x · x′",
    "Polynomial": "k(x, x′) = (x · x′ + c)^{[degree|d]}",
}


SETTINGS: Final = settings_of("what_is_a_kernel", Setting, "own", "left")


def show(screen: Screen) -> None:
    """Draw the lesson."""
    bet = screen.ask(QUESTION, words=("Support vector machine",))
    with screen.picture():
        if not bet.open:
            screen.stage(drawn, Setting(), on=lambda act, told: _bet(screen, act, told))
            return
        chosen, place = _controls(screen)
        setting = replace(
            chosen, revealed=True, own=read(screen.kept("own")), left=places(screen.kept("left")),
            bet=int(bet.answer) if bet.answer.isdecimal() and chosen.points == "Rings" else None,
        )  # fmt: skip
        with place:
            screen.stage(
                drawn, setting, follows=(*_SHAPES[setting.kernel], "C", "turn"), play=("turn",),
                formula=f"{_SUM},   {_FORMULAS[setting.kernel]}",
                on=partial(_touched, screen, setting),
            )  # fmt: skip
    _after(screen, setting)


def _controls(screen: Screen) -> tuple[Setting, DeltaGenerator]:
    """Controls in sight, those in the popover below the picture, and where the picture is drawn, between them."""
    first = screen.controls(Setting(), only=("kernel",), of=("content", "stretch", "stretch"))
    chosen = screen.controls(first, only=(*_SHAPES[first.kernel], "C"))
    more = ("points", "next_class", "keep", "turn", *(("constant",) if chosen.kernel == "Polynomial" else ()))
    place = st.container()
    return screen.controls(chosen, only=more, within=screen.more()), place


def _after(screen: Screen, setting: Setting) -> None:
    fixed = _at_fixed_lam().moves[0]
    notes = () if (found := trained(setting)) is None else found[1].notes
    screen.reveal(
        "The boundary is a weighted sum of similarities to the points: the **representer theorem**. Those with a stem, as "
        "high as their weight α, are the **support vectors**. " + _moves(_deletions()),
        f"That is so while C and σ stay. While λ = 1/(2nC) stays (under *More*), a missing point changes C: at C = 1 "
        f"without point 1 f moves by {number(fixed or 0.0)}. A σ that is the median distance would move, too.",
        *notes,
        words=("Kernel", "Representer theorem", "Support vector", "Margin"),
    )  # fmt: skip
    screen.challenge(
        "Separate the points without an error, with at most 5 support vectors.",
        setting,
        lambda: _challenge(setting),
    )
    data = _dataset(setting)
    screen.carry(
        "kernels", "These points on the page Kernels", _built(setting, data.name), lambda: data,
        help="Opens them as a data set, from which Kernels builds this kernel and others.",
    )  # fmt: skip


def _moves(made: Deletions) -> str:
    least = number(made.least_of_support or 0.0)
    if made.others_stay:
        moved = f"With one, f moves, in the question by {least} at least."
        return f"Click points without a stem: they go, and nothing moves. {moved}"
    return "Not every point without a stem goes without a trace."


def _challenge(setting: Setting) -> Check:
    found = trained(setting)
    if found is None:
        return Check(False, 0.0, "There have to be points of both classes.")
    if len(setting.kept) < len(setting.placed):
        return Check(False, 0.0, "All points count: take back those that are left out, by a click.")
    return check_challenge(found[1])


def _bet(screen: Screen, act: str, told: Told) -> None:
    if act == "picked" and str(told[-1]) in QUESTION.items:
        screen.take(str(told[-1]))


def _touched(screen: Screen, setting: Setting, act: str, told: Told) -> None:
    """A point was clicked, set, dragged or deleted."""
    own = setting.own
    if act == "placed" and setting.points == OWN:
        screen.keep("own", written(placed(own, float(told[0]), float(told[1]), setting.next_class)))
        return
    place = int(told[0]) if str(told[0]).isdecimal() else -1
    if not 0 <= place < len(setting.placed):
        return
    if act == "picked":
        screen.keep("left", toggled(setting.left, place))
    elif act == "moved" and setting.points == OWN:
        screen.keep("own", written(moved(own, place, float(told[1]), float(told[2]))))
    elif act == "removed" and setting.points == OWN:
        screen.keep("own", written(own[:place] + own[place + 1 :]))
        screen.keep("left", "")


def _built(setting: Setting, data: str) -> dict[str, object]:
    """What the page Kernels is to say to build this kernel of the points."""
    kernel = setting.similarity
    return {
        "kernel": NEW, f"build.samples.{data}": SAMPLES, "build.kind.vectors": type(kernel),
        **{f"build.{type(kernel).__name__}.{SAMPLES}.{field}": value for field, value in vars(kernel).items()},
    }  # fmt: skip


def _dataset(setting: Setting) -> DataSet:
    plane: PlanePoints = setting.plane or RINGS
    ids = tuple(f"point {k + 1}" for k in range(plane.n))
    vectors = Vectors(ids=ids, X=plane.X, columns=("x1", "x2"))
    labels = Labels(ids, np.where(plane.y < 0.0, "blue", "orange"))
    return DataSet(
        f"{setting.points} of the lesson" if setting.points != OWN else "My points", ids, labels, {SAMPLES: vectors},
        description="Points in the plane, from the lesson What a kernel is.",
    )  # fmt: skip
