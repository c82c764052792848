"""What the lesson on smoothness asks: what the smoothest curve looks like, and how it reaches its bound."""

from __future__ import annotations

import numpy as np

from kernex_core.studies.lessons.check import Check
from kernex_core.studies.lessons.smoothness.curve import GRID, START, SmoothChoice, SmoothCurve, smooth_curve

REACHED = 0.999
"""From this ratio on the bound counts as reached."""
BETS = {
    "smooth": "That assumes that a norm always counts bends. This one counts slopes, ∫f'²: a corner costs nothing extra.",
    "pieces": "Between two points the straight way has the least ∫f'²; after the last point, standing still is free.",
    "steps": "That assumes that only values count. A step has an infinite slope, and ∫f'² with it.",
}


def check_bet(bet: str) -> Check:
    """Judge what the smoothest curve of the minimum kernel looks like: "smooth", "pieces" or "steps".

    The curve itself is looked at: between two of the points it has no bend, and after the last one no slope.
    """
    made = smooth_curve(START, SmoothChoice())
    bends = np.abs(np.diff(made.mean, 2))
    corners = np.isin(np.round(GRID[1:-1], 6), np.round(START.x, 6))
    straight = float(bends[~corners].max()) < 1e-9 < float(bends[corners].max())
    flat = float(np.ptp(made.mean[START.x[-1] <= GRID])) < 1e-9
    return Check(bet == "pieces" and straight and flat, float(bends[~corners].max()), BETS[bet])


def check_challenge(made: SmoothCurve, choice: SmoothChoice) -> Check:
    """With the minimum kernel, a curve that reaches its bound."""
    if made.ratio is None:
        return Check(False, 0.0, "f = 0 has no ratio: lift a point.")
    if choice.kernel != "Minimum":
        return Check(
            False, made.ratio, f"The ratio is {made.ratio:.3f}; the challenge is with the minimum kernel."
        )
    if made.ratio >= REACHED:
        return Check(
            True, made.ratio, f"The ratio is {made.ratio:.3f}: one ramp climbs as steeply as its norm allows."
        )
    return Check(
        False, made.ratio, f"The ratio is {made.ratio:.3f}: the curve pays for slopes outside the pair, too."
    )
