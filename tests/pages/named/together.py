"""What the page Complete together shows of three kernels, two of which lack items."""

from __future__ import annotations

import numpy as np

from kernex_core.completion.views.methods import CompletedKernels
from tests.pages.named.compared import WORDS, Arrays, Matrix, Named, Rows, near
from tests.pages.named.drawn import lines_of

KERNELS = ("good", "fair", "poor")
LACK = ("fair", "poor")


def made(seen):
    return seen.result(CompletedKernels)


def known(seen):
    """(V, n): which kernel has which item."""
    return np.array([~np.isnan(np.diag(seen.dataset.kernels[name].values)) for name in KERNELS])


def completed(name):
    return lambda seen: made(seen).kernels[name].values


def before(name):
    return lambda seen: seen.dataset.kernels[name].values


def trusted(seen):
    """Kernel, item and trust of all that was lacking, the least trusted first."""
    views = made(seen).views
    rows = [
        (name, seen.dataset.ids[i], views.trust[v, i], known(seen)[:, i].sum())
        for v, name in enumerate(KERNELS)
        for i in np.flatnonzero(~known(seen)[v])
    ]
    return sorted(rows, key=lambda row: row[2])


def coverage(seen, picture):
    (cells,) = picture.figure.data
    near(np.nansum(np.asarray(cells.z, float), axis=1), known(seen).sum(axis=1), "coverage")


def trust(seen, picture):
    (bars,) = picture.figure.data
    near(sorted(bars.y), sorted(100 * row[2] for row in trusted(seen) if row[0] == "fair"), "trust")


def objective(seen, picture):
    (points,) = lines_of(picture).values()
    near(points[:, 1], made(seen).views.objective, "objective")


TOGETHER = Named(
    tables={
        r"^many\.trust\.least$": Rows(
            lambda seen: trusted(seen)[:8],
            {
                "^kernel$": lambda row: row[0],
                "^item$": lambda row: row[1],
                "^trust$": lambda row: 100 * row[2],
                "^in other kernels$": lambda row: row[3],
            },
        ),
    },
    files={
        "^Coverage as CSV$": Rows(
            lambda seen: list(zip(seen.dataset.ids, known(seen).T, strict=True)),
            {"^id$": lambda row: row[0], **{f"^{n}$": (lambda row, v=v: int(row[1][v])) for v, n in enumerate(KERNELS)}},
            alike=True,
        ),
        "^Trust as CSV$": Rows(
            trusted,
            {
                "^kernel$": lambda row: row[0],
                "^id$": lambda row: row[1],
                "^trust$": lambda row: row[2],
                "^in_other_kernels$": lambda row: row[3],
            },
        ),
        "^CSV$": Matrix(completed("fair")),
        "^NPZ$": Arrays({"K": completed("fair")}),
    },
    pictures={
        r"^many\.maps\.0$": Matrix(before("fair"), "fair"),
        r"^many\.maps\.1$": Matrix(completed("fair"), "fair"),
        r"^many\.maps\.2$": Matrix(before("poor"), "poor"),
        r"^many\.maps\.3$": Matrix(completed("poor"), "poor"),
        r"^many\.coverage$": coverage,
        r"^many\.trust$": trust,
        r"^many\.objective$": objective,
    },
    counts={
        "^Trust$": lambda seen: (100 * np.median([row[2] for row in trusted(seen)]), []),
        "^Last move$": lambda seen: (100 * made(seen).views.gap, WORDS),
        "^Smallest eigenvalue$": lambda seen: (
            float(made(seen).views.smallest_eigenvalues.min()), []
        ),
    },
)  # fmt: skip
