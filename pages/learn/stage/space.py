"""Points in space, seen from the side: what a lesson draws of three axes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.frozen import FloatArray


@dataclass(frozen=True)
class Sight:
    """From where: `turn` degrees around the third axis, `tilt` degrees above the plane of the first two."""

    turn: float
    tilt: float = 20.0

    def project(self, points: ArrayLike) -> FloatArray:
        """Return where points (3, ...) are seen, (2, ...), without perspective."""
        x, y, z = np.asarray(points, dtype=np.float64)
        a, b = np.deg2rad(self.turn), np.deg2rad(self.tilt)
        across, away = x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)
        return np.stack([across, z * np.cos(b) + away * np.sin(b)])


def edges_of_box(low: ArrayLike, high: ArrayLike) -> FloatArray:
    """Return both ends of the 12 edges of a box, (12, 2, 3)."""
    ends = np.array([low, high], dtype=np.float64)
    found = []
    for axis in range(3):
        for others in product((0, 1), repeat=2):
            corner = np.insert(np.array(others), axis, 0)
            other = np.insert(np.array(others), axis, 1)
            found.append([ends[corner, range(3)], ends[other, range(3)]])
    return np.array(found)


def plane_in_box(w: FloatArray, level: float, low: ArrayLike, high: ArrayLike) -> FloatArray:
    """Return the corners (m, 3), in order, of the part of the plane w'z = level inside a box; none where it misses it."""
    ends = edges_of_box(low, high)
    at = ends @ w - level
    cut = (at[:, 0] < 0.0) != (at[:, 1] < 0.0)
    if not cut.any():
        return np.empty((0, 3))
    share = at[cut, 0] / (at[cut, 0] - at[cut, 1])
    corners = ends[cut, 0] + share[:, None] * (ends[cut, 1] - ends[cut, 0])
    around = corners - corners.mean(axis=0)
    first = around[0] / (np.linalg.norm(around[0]) or 1.0)
    second = np.cross(w / (np.linalg.norm(w) or 1.0), first)
    return np.asarray(corners[np.argsort(np.arctan2(around @ second, around @ first))])
