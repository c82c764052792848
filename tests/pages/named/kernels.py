"""What the page Kernels shows of a similarity that is no kernel."""

from __future__ import annotations

import numpy as np

from kernex_core.conditioning.repairs import repair_psd
from kernex_core.gram.diagnostics import diagnose
from kernex_core.gram.spectrum import kernel_pca
from kernex_core.learning.chance.interval import Passes, interval_of_count
from kernex_core.studies.inspection import change, change_paired
from pages.ui.panels.inspection import Accuracies
from tests.pages.named.compared import Arrays, Matrix, Named, Rows, near
from tests.pages.named.judged import MEASURE_COLUMNS, class_tables, counts_of, ends, item_rows, measures

METHODS = ("none", "clip", "flip", "shift", "square")


def K(seen):
    return seen.dataset.kernels["rough"].values


def y(seen):
    return seen.dataset.labels.y


def repaired(seen, method):
    return K(seen) if method == "none" else repair_psd(K(seen), method).gram


def judged(seen):
    return seen.result(Accuracies).judged


def chosen(seen):
    """That of the repair which the page suggests."""
    return judged(seen)["clip"]


def diagnosis(seen):
    return diagnose(K(seen), y(seen))


def neighbour(matrix, labels):
    """Share of items whose nearest other item is of their class, with its interval."""
    own = np.diag(matrix)
    D = own[:, None] - 2 * matrix + own[None, :]
    np.fill_diagonal(D, np.inf)
    right = labels[D.argmin(axis=1)] == labels
    return [
        100 * right.mean(),
        *ends(interval_of_count(int(right.sum()), right.size, Passes(right.size, 1)), 100.0),
    ]


def accuracy(row):
    made = judged(row[0]).get(row[1])
    if made is None:
        return []
    return [100 * made.multi_class.mean, *ends(made.interval(), 100.0), 100 * made.multi_class.sd_repeats]


def gained(row):
    found = judged(row[0])
    if row[1] not in found or row[1] == "clip":
        return []
    score, beside = change(found[row[1]], found["clip"]), change_paired(found[row[1]], found["clip"])
    return [100 * score.mean, *ends(beside.interval, 100.0), 100 * score.sd_repeats, beside.p]


def smallest(row):
    values = np.linalg.eigvalsh(repaired(*row))
    return values[0] if abs(values[0]) > 1e-9 * abs(values).max() else 0


def moved(row):
    """Distance in percent of the norm, which a square is beyond."""
    share = np.linalg.norm(repaired(*row) - K(row[0])) / np.linalg.norm(K(row[0]))
    return 100 * share if share < 10 else []


def spectrum(seen, picture):
    values = np.linalg.eigvalsh(K(seen))[::-1]
    bars = [np.asarray(trace.y, float) for trace in picture.figure.data]
    near(np.sort(np.concatenate(bars))[::-1], values, "spectrum")
    assert all((one < 0).all() or (one >= 0).all() for one in bars), "bars of one colour have one sign"


def items(seen, picture):
    made = kernel_pca(K(seen), 2)
    for trace in picture.figure.data:
        at = y(seen) == trace.name
        assert at.any()
        near(np.abs([trace.x, trace.y]), np.abs(made.coordinates[at].T), f"map of class {trace.name}")


def eigenvector(seen):
    return np.linalg.eigh(K(seen))[1][:, 0]


def eigenvector_rows(seen, label):
    frame = seen.frame(label)
    at = [seen.dataset.ids.index(name) for name in frame["id"]]
    near(np.abs(frame["entry"]), np.abs(eigenvector(seen)[at]), label)
    assert list(frame["class"]) == list(y(seen)[at])


def eigenvector_points(seen, picture):
    for trace in picture.figure.data:
        near(np.sort(np.abs(trace.y)), np.sort(np.abs(eigenvector(seen)[y(seen) == trace.name])), trace.name)


def one(meant, note=lambda seen: []):
    return lambda seen: (meant(seen), note(seen))


TABLES, FILES = class_tables(chosen, r"kernels\.accuracy")
N = 45
KERNELS = Named(
    tables={
        r"^kernels\.repairs$": Rows(
            lambda seen: [(seen, method) for method in METHODS],
            {
                "^Repair$": lambda row: row[1],
                "^λ min": smallest,
                "^Distance": moved,
                "^Rank": lambda row: int((np.abs(np.linalg.eigvalsh(repaired(*row))) > 1e-9).sum()),
                "^Multi-class accuracy": accuracy,
                "^Change against": gained,
                "^Nearest neighbour": lambda row: neighbour(repaired(*row), y(row[0])),
            },
        ),
        **TABLES,
    },
    files={
        "^CSV$": Matrix(lambda seen: repaired(seen, "clip")),
        "^NPZ$": Arrays({"K": lambda seen: repaired(seen, "clip")}),
        "^Eigenvector as CSV$": eigenvector_rows,
        "^Accuracy as CSV$": Rows(lambda seen: measures({"clip": chosen(seen)}), MEASURE_COLUMNS),
        "^Items as CSV$": item_rows(chosen),
        **FILES,
    },
    pictures={
        r"^kernels\.map\.0$": Matrix(K, "Similarity"),
        r"^kernels\.spectrum$": spectrum,
        r"^kernels\.items$": items,
        r"^kernels\.eigenvector$": eigenvector_points,
    },
    counts={
        "^Smallest λ": one(
            lambda seen: np.linalg.eigvalsh(K(seen))[0],
            lambda seen: [(np.linalg.eigvalsh(K(seen)) < 0).sum(), 0],
        ),
        "^Negative mass": one(lambda seen: 100 * diagnosis(seen).negative_mass),
        "^Rank": one(lambda seen: (np.abs(np.linalg.eigvalsh(K(seen))) > 1e-9).sum(), lambda seen: [N]),
        "^Effective rank": one(lambda seen: diagnosis(seen).effective_rank, lambda seen: [N]),
        "^Condition": one(lambda seen: []),
        "^Diagonal dominance": one(lambda seen: diagnosis(seen).dominance, lambda seen: [10]),
        "^Zeros": one(lambda seen: 100 * diagnosis(seen).zero_share),
        "^Alignment": one(lambda seen: diagnosis(seen).alignment),
        "^Neighbour": one(
            lambda seen: neighbour(K(seen), y(seen))[0], lambda seen: neighbour(K(seen), y(seen))[1:]
        ),
        "^Items known": one(lambda seen: N, lambda seen: [N, N]),
        **counts_of(chosen),
    },
)
