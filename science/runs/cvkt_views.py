from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from kernex_core.frozen import BoolArray, FloatArray
from kernex_core.joint.views.complete import MODES, Mode
from kernex_core.joint.views.reported import REPORTED
from science.data import path
from science.runs.incomplete_views import TOLERANCES, by_library, errors
from science.table import Row

TITLE = "Digits and simulated kernels of CVKT's authors, completed together on their masks."
LEVELS = {"digits": (10, 20, 30, 40, 50, 60), "simulated": (1, 2, 3, 4)}
SMALL = {"LEVELS": {"digits": (10,), "simulated": (1,)}}
FILES = {
    "digits": ("digits_K_n200.mat", "digits_MID_missing{}_n200.mat"),
    "simulated": ("sim_rbf_K.mat", "sim_rbf_missing{}_MID.mat"),
}
SIMULATED = {
    1: {"fast": (0.00067, 0.0706), "tuned": (0.00069, 0.0713)},
    2: {"fast": (0.00146, 0.0793), "tuned": (0.00147, 0.0792)},
    3: {"fast": (0.00258, 0.0907), "tuned": (0.00255, 0.0901)},
    4: {"fast": (0.00381, 0.1002), "tuned": (0.00379, 0.0994)},
}


def given(data: str, level: int) -> tuple[FloatArray, BoolArray]:
    """Kernels (V, n, n) and mask (V, n) of `data/cvkt`, laid out as in the authors' repository."""
    from scipy.io import loadmat

    kernels, masks = (path("cvkt", data, name.format(level)) for name in FILES[data])
    return loadmat(kernels)["K"].transpose(2, 0, 1), loadmat(masks)["MID"].T > 0.5


def expected(data: str, level: int, mode: Mode) -> tuple[float, float]:
    if data == "simulated":
        return SIMULATED[level][mode]
    known = REPORTED[level][mode]
    return known.alignment_error, known.relative_error


def measured(task: tuple[str, int, Mode]) -> FloatArray:
    """Errors of one mask."""
    data, level, mode = task
    truth, known = given(data, level)
    return errors(truth, by_library(truth, known, mode), known)


def rows(map_: Callable[..., Iterable[FloatArray]]) -> Iterator[Row]:
    tasks = [(data, level, mode) for data, levels in LEVELS.items() for level, mode in product(levels, MODES)]
    for data, level, _ in tasks:
        given(data, level)  # what is absent is said before anything runs
    for task, found in zip(tasks, map_(measured, tasks), strict=True):
        data, level, mode = task
        for (what, tolerance), own, known in zip(TOLERANCES.items(), found, expected(*task), strict=True):
            yield Row(f"{data} {level}, {mode}: {what}", own, known, rounding=tolerance)
