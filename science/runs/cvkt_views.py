from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from kernex_core.base.frozen import BoolArray, FloatArray
from kernex_core.completion.views.complete import MODES, Mode
from kernex_core.completion.views.methods import REPORTED
from science.data import path
from science.runs.incomplete_views import TOLERANCES, by_library, errors
from science.table import Row

TITLE = "Digits in six views of CVKT's authors, completed together on their masks."
MISSING: tuple[int, ...] = (10, 20, 30, 40, 50, 60)
SMALL = {"MISSING": (10,)}


def given(percent: int) -> tuple[FloatArray, BoolArray]:
    """Kernels (V, n, n) and mask (V, n) of the authors' repository."""
    from scipy.io import loadmat

    names = ("digits_K_n200.mat", f"digits_MID_missing{percent}_n200.mat")
    kernels, masks = (path("cvkt_digits", name) for name in names)
    return loadmat(kernels)["K"].transpose(2, 0, 1), loadmat(masks)["MID"].T > 0.5


def measured(task: tuple[int, Mode]) -> FloatArray:
    """Errors of one mask."""
    percent, mode = task
    truth, known = given(percent)
    return errors(truth, by_library(truth, known, mode), known)


def rows(map_: Callable[..., Iterable[FloatArray]]) -> Iterator[Row]:
    tasks = list(product(MISSING, MODES))
    for percent in MISSING:
        given(percent)  # what is absent is said before anything runs
    for (percent, mode), found in zip(tasks, map_(measured, tasks), strict=True):
        expected = REPORTED[percent][mode]
        known = expected.alignment_error, expected.relative_error
        for (what, tolerance), own, other in zip(TOLERANCES.items(), found, known, strict=True):
            yield Row(f"{percent} % missing, {mode}: {what}", own, other, rounding=tolerance)
