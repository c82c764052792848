"""The plane with its surface, boundary and stems, and beside it the features in which the boundary is flat."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray
from kernex_core.kernels.vectors.dot_product import Polynomial, monomial_map
from kernex_core.studies.lessons.what_is_a_kernel import (
    AXIS,
    STILL,
    WINDOW,
    PlaneMachine,
    feature_plane,
    moved,
    plane_system,
)
from pages.learn.stage.contours import contour
from pages.learn.stage.marks import Mark, field, line, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.learn.stage.space import Sight, edges_of_box, plane_in_box
from pages.learn.what_is_a_kernel.setting import OWN, Setting
from pages.shared.cached import cached
from pages.shared.digits import number
from pages.shared.figures.theme import ABOVE, BELOW, MARK

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
    apart = moved(whole, made)
    return (*found, ("f moved by", "nothing" if apart < STILL else number(apart)))
