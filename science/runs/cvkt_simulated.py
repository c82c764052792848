from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.completion.views.complete import MODES, Mode
from science.data import path
from science.runs.incomplete_views import TOLERANCES, by_library, errors
from science.table import Row

TITLE = "Simulated kernels of CVKT's authors, completed together on their masks."
LEVELS: tuple[int, ...] = (1, 2, 3, 4)
SMALL = {"LEVELS": (1,)}
KNOWN = {
    1: {"fast": (0.00067, 0.0706), "tuned": (0.00069, 0.0713)},
    2: {"fast": (0.00146, 0.0793), "tuned": (0.00147, 0.0792)},
    3: {"fast": (0.00258, 0.0907), "tuned": (0.00255, 0.0901)},
    4: {"fast": (0.00381, 0.1002), "tuned": (0.00379, 0.0994)},
}


def given(level: int) -> tuple[FloatArray, BoolArray]:
    """Kernels (V, n, n) and mask (V, n) of the authors' repository."""
    from scipy.io import loadmat

    names = ("sim_rbf_K.mat", f"sim_rbf_missing{level}_MID.mat")
    kernels, masks = (path("cvkt_simulated", name) for name in names)
    return loadmat(kernels)["K"].transpose(2, 0, 1), loadmat(masks)["MID"].T > 0.5


def measured(task: tuple[int, Mode]) -> FloatArray:
    """Errors of one mask."""
    level, mode = task
    truth, known = given(level)
    return errors(truth, by_library(truth, known, mode), known)


def rows(map_: Callable[..., Iterable[FloatArray]]) -> Iterator[Row]:
    tasks = list(product(LEVELS, MODES))
    for level in LEVELS:
        given(level)  # what is absent is said before anything runs
    for (level, mode), found in zip(tasks, map_(measured, tasks), strict=True):
        for (what, tolerance), own, other in zip(TOLERANCES.items(), found, KNOWN[level][mode], strict=True):
            yield Row(f"level {level}, {mode}: {what}", own, other, rounding=tolerance)
