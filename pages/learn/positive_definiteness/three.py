"""Pictures of three similarities: an interval, an ellipse, a body."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.studies.lessons.positive_definiteness import (
    CHALLENGE,
    SHARE_OF_CUBE,
    ThreeItems,
    check_largest,
    determinant,
    elliptope,
    repairs_of,
    share_of_square,
    three_items,
    two_unknown,
)
from pages.learn.positive_definiteness.setting import Setting
from pages.learn.stage.marks import Mark, bars, cells, line, points, segments, text
from pages.learn.stage.picture import Axis, Panel, Picture
from pages.learn.stage.space import Sight, edges_of_box
from pages.shared.digits import number, percent
from pages.shared.figures.theme import FITS, MARK, NEGATIVE_EIGENVALUE, POSITIVE_EIGENVALUE

NOT = NEGATIVE_EIGENVALUE
LETTERS: Final = "ABCDEF"
SIDE: Final = 30.0
"""From where the body is seen before it is turned, in degrees."""
NUGGET: Final = 0.1
ALL: Final = Axis(-1.05, 1.05, "r₁₃, similarity of A and C")
LINES, EVERY = 25, 3


def made_of(setting: Setting) -> ThreeItems:
    """What the core says of the three similarities."""
    return three_items(setting.r12, setting.r23, setting.r13)


def asked() -> Picture:
    """Before the bet: three items, two similarities, and one that nobody has measured."""
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])
    return Picture((
        Panel(
            "Three items", "A triangle of A, B and C: 0.9 between A and B, 0.9 between B and C, unknown between A and C.",
            Axis(-0.4, 2.4), Axis(-0.4, 1.4),
            (
                segments([0.0, 1.0], [0.0, 1.0], [1.0, 2.0], [1.0, 0.0], colour=POSITIVE_EIGENVALUE, width=4.0),
                segments([0.0], [0.0], [2.0], [0.0], colour="muted", width=2.0, dash="5 5"),
                points(corners[:, 0], corners[:, 1], colour=POSITIVE_EIGENVALUE, size=34, labels=list("ABC"), inside=True),
                text([0.38, 1.62, 1.0], [0.55, 0.55, 0.07], ["0.9", "0.9", "?"], size=15, bold=True),
            ),
            aspect=0.6, bare=True, stretch=False,
        ),
    ))  # fmt: skip


def one(setting: Setting) -> Picture:
    """r13 alone is unknown: its interval, and what is wrong outside it."""
    made = made_of(setting)
    x = np.linspace(-1.0, 1.0, 161)
    det = np.maximum(determinant(setting.r12, setting.r23, x), -1.6)
    colour = FITS if made.fits else NOT
    panel = Panel(
        "What fits", f"The determinant over r₁₃: at least 0 from {number(made.low)} to {number(made.high)}.",
        ALL, Axis(-1.3, 1.08, "determinant"),
        (
            line([made.low, made.high, made.high, made.low], [-1.3, -1.3, 1.08, 1.08], FITS, width=0.0, closed=True,
                 fill=0.16),
            segments([-1.05], [0.0], [1.05], [0.0], colour="muted", width=1.0),
            line(x, det.round(4), "ink"),
            segments([made.low], [0.0], [made.high], [0.0], colour=FITS, width=6.0),
            points([made.middle], [made.largest_det], colour="ink", marker="diamond", size=10),
            points([made.through], [made.largest_det], colour=MARK, marker="x", size=9),
            segments([setting.r13], [-1.3], [setting.r13], [1.08], colour=colour, width=1.5, dash="4 4"),
            points([setting.r13], [max(made.det, -1.25)], colour=colour, size=13),
        ),
        note="◆ largest; × extrapolation", weight=1.5,
    )  # fmt: skip
    return Picture((panel, _pattern(made)), _readings(setting, made))


def _readings(setting: Setting, made: ThreeItems) -> tuple[tuple[str, str], ...]:
    ridged = three_items(setting.r12, setting.r23, setting.r13, nugget=NUGGET).through
    challenged = (setting.r12, setting.r23) == CHALLENGE and not check_largest(setting.r13).right
    found = (
        ("fits from", "find it" if challenged else f"{number(made.low, 3)} to {number(made.high, 3)}"),
        ("largest determinant", f"{number(made.largest_det)} at {number(made.middle)}"),
        ("extrapolation through B", f"{number(made.through)}, with nugget {NUGGET:g}: {number(ridged)}"),
        ("eigenvalues", ", ".join(number(float(each)) for each in made.eigenvalues)),
    )
    if made.fits:
        return found
    repaired = (
        (f"{each.method} costs", f"{number(each.distance)} (r₁₃ {number(float(each.K[0, 2]))})")
        for each in repairs_of(made.K)
    )  # fmt: skip
    return (*found, ("negative mass", percent(made.negative_mass, 1)), *repaired)


def _pattern(made: ThreeItems) -> Panel:
    values = np.zeros(3) if made.fits else made.pattern
    said = f"squared length {number(float(made.eigenvalues[0]))}"
    wrong = "Bars over A, B and C: the combination whose squared length is negative."
    return Panel(
        "What is wrong" if not made.fits else "Nothing is wrong", "The three fit together." if made.fits else wrong,
        Axis(-0.6, 2.6, "", tuple((float(k), LETTERS[k]) for k in range(3))), Axis(-1.05, 1.05, ""),
        (
            segments([-0.6], [0.0], [2.6], [0.0], colour="muted", width=1.0),
            bars(np.arange(3), values, wide=0.6, colour=NOT),
            text([1.0], [0.85], [said], colour="ink" if made.fits else NOT),
        ),
        note="no negative length" if made.fits else "a sum of items", least=210,
    )  # fmt: skip


def two(setting: Setting) -> Picture:
    """r12 is known: r13 and r23 lie in an ellipse."""
    made, ellipse = made_of(setting), two_unknown(setting.r12)
    outline = ellipse.outline(np.linspace(0.0, 2.0 * np.pi, 97)).round(4)
    panel = Panel(
        "Pairs that fit", "An ellipse in the square of all pairs: the similarities of C to A and to B that fit to r₁₂.",
        Axis(-1.05, 1.05, "r₁₃, A and C"), Axis(-1.05, 1.05, "r₂₃, B and C"),
        (
            line([-1, 1, 1, -1], [-1, -1, 1, 1], "muted", closed=True, width=1.0),
            line(outline[:, 0], outline[:, 1], FITS, closed=True, fill=0.2),
            points([0.0], [0.0], colour="ink", marker="diamond", size=10),
            points([setting.r13], [setting.r23], colour=FITS if made.fits else NOT, size=13),
        ),
        note="◆ largest determinant", aspect=1.0, stretch=False,
    )  # fmt: skip
    half = ", ".join(number(float(each)) for each in ellipse.half_axes)
    readings = (
        ("half-axes √(1 ± r₁₂)", half), ("of the square", percent(share_of_square(setting.r12), 1)),
        ("determinant", number(made.det)), ("smallest eigenvalue", number(float(made.eigenvalues[0]))),
    )  # fmt: skip
    return Picture((panel, _table(setting)), readings)


def _table(setting: Setting) -> Panel:
    K = made_of(setting).K
    rows, columns = np.indices((3, 3))
    return Panel(
        "The matrix", "Three rows and columns of similarities.", Axis(-1.1, 2.6), Axis(-0.6, 3.1),
        (
            cells(columns.ravel(), 2.0 - rows.ravel(), [number(value, 2) for value in K.ravel()], colour=_shades(K),
                  opacity=(0.15 + 0.5 * np.abs(K.ravel())).round(2).tolist()),
            text([-0.8] * 3, [2.0, 1.0, 0.0], list("ABC"), bold=True, middle=True),
            text([0.0, 1.0, 2.0], [2.75] * 3, list("ABC"), bold=True, middle=True),
        ),
        aspect=1.0, bare=True, stretch=False, weight=0.7, least=200,
    )  # fmt: skip


def _shades(K: np.ndarray) -> list[str]:
    return [NOT if value < 0.0 else POSITIVE_EIGENVALUE for value in K.ravel()]


def body(setting: Setting) -> Picture:
    """All three are unknown: the body, its slice at r12, and the point of the three sliders."""
    made, sight = made_of(setting), Sight(SIDE + setting.turn)
    surface = sight.project(elliptope(LINES))
    mesh = [*np.moveaxis(surface, 0, -1)[::EVERY], *np.moveaxis(surface, 0, -1).swapaxes(0, 1)[::EVERY]]
    drawn = np.concatenate([np.vstack([each, [np.nan, np.nan]]) for each in mesh]).round(3)
    ring = two_unknown(setting.r12).outline(np.linspace(0.0, 2.0 * np.pi, 49))
    cut = sight.project(np.column_stack([np.full(len(ring), setting.r12), ring]).T).round(3)
    at = sight.project(np.array([[setting.r12], [setting.r13], [setting.r23]]))
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=float).T
    tips, centre = sight.project(corners), sight.project(np.zeros((3, 1)))
    panel = Panel(
        "Triples that fit", "A body like a swollen tetrahedron inside the cube of all triples.",
        Axis(-1.75, 1.75), Axis(-1.65, 1.65), (*_cube(sight), *_inside(drawn, cut), *(
            points(tips[0], tips[1], colour="ink", size=6),
            points(centre[0], centre[1], colour="ink", marker="diamond", size=9),
            points(at[0], at[1], colour=FITS if made.fits else NOT, size=13),
        )),
        note="◆ largest determinant; ring: with this r₁₂", aspect=0.94, bare=True, stretch=False,
    )  # fmt: skip
    readings = (
        ("of the cube", percent(SHARE_OF_CUBE, 1)), ("determinant", number(made.det)),
        ("smallest eigenvalue", number(float(made.eigenvalues[0]))),
    )  # fmt: skip
    return Picture((panel, _table(setting)), readings)


def _cube(sight: Sight) -> tuple[Mark, ...]:
    a, b = np.moveaxis(sight.project(np.moveaxis(edges_of_box([-1.0] * 3, [1.0] * 3), -1, 0)), -1, 0)
    ends = sight.project(np.array([[0.0, -1.0, -1.0], [-1.0, 0.0, -1.0], [-1.0, -1.0, 0.0]]).T)
    return (
        segments(*a.round(3), *b.round(3), colour="edge", width=1.0),
        text(ends[0].round(3), ends[1].round(3), ("r₁₂", "r₁₃", "r₂₃"), colour="muted"),
    )


def _inside(drawn: np.ndarray, cut: np.ndarray) -> tuple[Mark, ...]:
    return (
        line(drawn[:, 0], drawn[:, 1], FITS, width=0.8),
        line(cut[0], cut[1], MARK, closed=True, fill=0.12, width=2.0),
    )
