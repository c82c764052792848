"""What the controls of the lesson say, and the points that a visitor drags."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kernex_core.base.errors import KernexError
from kernex_core.studies.lessons import smoothness as core

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
