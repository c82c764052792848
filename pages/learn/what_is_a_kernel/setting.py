"""What the controls of the lesson on kernels say, and what was clicked, as the address says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.errors import KernexError
from kernex_core.base.parameters import parameter
from kernex_core.studies.lessons.what_is_a_kernel import (
    MOST,
    PLANE_SETS,
    WINDOW,
    PlaneChoice,
    PlanePoints,
    plane_points,
)

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
