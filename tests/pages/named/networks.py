"""What the page Networks shows of its demo."""

from __future__ import annotations

import re

import numpy as np

from kernex_core.learning.compare import judged_verdict
from kernex_core.studies.networks.new_nodes import Placing
from kernex_core.studies.networks.reduced import Reducing
from kernex_core.studies.networks.study import NetworkSweep, NetworkView
from pages.server.digits import number
from tests.pages.named.compared import WORDS, Arrays, Matrix, Named, Rows, near
from tests.pages.named.drawn import levels_of, lines_of
from tests.pages.named.judged import beside_best, ends, spread_out
from tests.pages.named.told import tells
from tests.pages.named.verdict_said import Said

WAYS = ("placed", "baseline", "true")


def view(seen):
    return seen.result(NetworkView)


def gram(seen):
    return view(seen).gram.values


def placing(seen):
    return seen.result(Placing)


def placed(seen):
    return placing(seen).first.values


def reduced(seen):
    return seen.result(Reducing).kernel


def told_by_landmarks(seen):
    """K[:, S] K_SS⁺ K[S, :]."""
    K, S = gram(seen), reduced(seen).landmarks
    return K[:, S] @ np.linalg.pinv(K[np.ix_(S, S)], hermitian=True) @ K[S]


def sweep(seen):
    return max(seen.by_class[NetworkSweep], key=lambda one: one.done)


def judged(seen):
    """That of the parameter which is shown."""
    found = sweep(seen)
    return found.judged[found.kernels.index(view(seen).kernel)]


def measure(field, scale):
    def meant(seen):
        score, interval = getattr(judged(seen), field), judged(seen).interval(field)
        return scale * score.mean, [scale * score.floor, *ends(interval, scale), *spread_out(score, scale)]

    return meant


def choice_of_tau(seen):
    """What choosing inside the training folds is worth, over the repetitions that each judge all nodes."""
    nested = sweep(seen).nested
    return 100 * nested.by_item.mean(), ends(nested.interval, 100.0)


def here(seen):
    one = judged(seen)
    return 100 * one.multi_class.mean, ends(one.interval(), 100.0)


def drawing(seen, picture):
    nodes = next(trace for trace in picture.figure.data if trace.hovertext is not None)
    network = seen.dataset.samples["network"]
    for place, said in enumerate(nodes.hovertext):
        name, _, numbers = said.partition("<br>")
        assert name == network.ids[place]
        numbers = re.sub(r"^.*<br>", "", numbers)
        assert tells(numbers, [gram(seen)[view(seen).node, place], network.neighbours[place]]), said


def accuracy(seen, picture):
    found, shown = sweep(seen), lines_of(picture)
    places = np.log10([kernel.tau for kernel in found.kernels if kernel.tau > 0])
    for name, rows in shown.items():
        meant = [
            [100 * one.multi_class.mean, *ends(one.interval(), 100.0)]
            if name == "accuracy"
            else [100 * (one.multi_class.mean + side * one.multi_class.sd_repeats) for side in (0, -1, 1)]
            for one in found.judged
        ]
        near(rows[:, 1:], np.clip(meant, 0, 100) if name == "accuracy" else meant, name)
        near(rows[-places.size :, 0], places, name)
    near(list(levels_of(picture).values()), [100 * found.floor], "floor")


def spectrum(seen, picture):
    sticks, line = picture.figure.data
    made = view(seen)
    near(np.sort(np.asarray(sticks.x, float)[::3]), np.sort(made.eigenvalues), "eigenvalues")
    at = np.argsort(np.asarray(sticks.x, float)[::3], kind="stable")
    near(np.asarray(sticks.y, float)[1::3][at], made.kernel.weights(np.sort(made.eigenvalues)), "weights")
    near(line.y, made.kernel.weights(np.asarray(line.x, float)), "f")


def landmark_errors(seen, picture):
    found, shown = seen.result(Reducing).errors, lines_of(picture)
    bands = [trace for trace in picture.figure.data if trace.fill == "toself"]
    near(shown["least of that rank"][:, :2], np.column_stack([found.counts, found.best]), "best")
    for (name, values), band in zip((("free", found.free), ("Nyström", found.nystroem)), bands, strict=True):
        mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
        near(shown[name][:, :2], np.column_stack([found.counts, mean]), name)
        near(band.y, np.concatenate([np.clip(mean + sd, 0, 1), np.clip(mean - sd, 0, 1)[::-1]]), name)


def spread(values, scale=1.0):
    """Mean and deviation over repetitions; of numbers that are all the same there is none."""
    if scale == 1.0 and np.ptp(values) < 1e-12:
        return [values.mean()]
    return [scale * values.mean(), scale * values.std(ddof=1)]


def way(field, scale=1.0):
    """A column of the table of ways; the floor stands in its last row."""

    def meant(row):
        found, place = row
        if place < 3:
            return spread(getattr(found, field)[:, place], scale)
        return spread(found.floor, scale) if field == "accuracy" else []

    return meant


def placed_rows(seen):
    found = placing(seen)
    return [(found, r, c) for r in range(found.done) for c in range(3)]


def sweep_rows(seen):
    found = sweep(seen)
    verdict = judged_verdict(
        {f"tau = {k.tau:g}": one for k, one in zip(found.kernels, found.judged, strict=True)}
    )
    return [(kernel, one, verdict) for kernel, one in zip(found.kernels, found.judged, strict=True)]


def similar(seen):
    """The node, then all others, the most similar first."""
    row = gram(seen)[view(seen).node]
    others = sorted(set(range(row.size)) - {view(seen).node}, key=lambda k: -row[k])
    return [(seen, k) for k in (view(seen).node, *others)]


def error_rows(seen):
    found = seen.result(Reducing).errors
    return [(found, place, draw) for place in range(len(found.counts)) for draw in range(len(found.nystroem))]


def values(seen):
    return [f"τ = {number(kernel.tau)}" for kernel in sweep(seen).kernels]


SAID = Said(
    lambda seen: judged_verdict(dict(zip(values(seen), sweep(seen).judged, strict=True))),
    lambda seen: dict(
        zip(values(seen), lines_of(seen.picture("networks.accuracy"))["accuracy"][:, 1], strict=True)
    ),
)


def error_of(K, L):
    return np.linalg.norm(K - L) / np.linalg.norm(K)


NETWORKS = Named(
    verdict=SAID,
    tables={
        r"^networks\.placed$": Rows(
            lambda seen: [(placing(seen), place) for place in range(4)],
            {
                "^hidden nodes": lambda row: (
                    "by their attributes",
                    "by the mean: as similar to each known node as those are to it on average",
                    "by their own edges: what only nodes of the network have",
                    "floor: their largest class is named for all",
                )[row[1]],
                "^error": way("error"),
                "^alignment": way("alignment"),
                "^accuracy": way("accuracy", 100.0),
            },
        ),
    },
    files={
        # the row of every panel has its own: the last one is that of the reduced sets
        "^CSV$": Matrix(told_by_landmarks),
        "^NPZ$": Arrays({"K": told_by_landmarks}),
        "^Accuracies as CSV$": Rows(
            sweep_rows,
            {
                "^kernel$": lambda row: row[0].title,
                "^tau$": lambda row: row[0].tau,
                "^accuracy$": lambda row: row[1].multi_class.mean,
                "^floor$": lambda row: row[1].multi_class.floor,
                "^interval_from$": lambda row: row[1].interval().low,
                "^interval_to$": lambda row: row[1].interval().high,
                "^sd_repetitions$": lambda row: row[1].multi_class.sd_repeats,
                "^sd_folds$": lambda row: row[1].multi_class.sd_folds,
                "^balanced_accuracy$": lambda row: row[1].balanced.mean,
                "^roc_area$": lambda row: row[1].auc.mean,
                "^p against chance$": lambda row: float("nan"),  # nobody has asked
                "^permutations$": lambda row: float("nan"),
                **beside_best(lambda row: row[2], lambda row: f"tau = {row[0].tau:g}"),
                "^mode$": lambda row: "transductive",
                "^remarks$": WORDS,
            },
        ),
        "^Similarities of the node": Rows(
            similar,
            {
                "^node$": lambda row: view(row[0]).gram.ids[view(row[0]).node],
                "^other$": lambda row: view(row[0]).gram.ids[row[1]],
                "^similarity$": lambda row: gram(row[0])[view(row[0]).node, row[1]],
            },
        ),
        "^Numbers as CSV$": Rows(
            placed_rows,
            {
                "^repetition$": lambda row: row[1] + 1,
                "^placed$": lambda row: ("by their attributes", "by the mean", "by their own edges")[row[2]],
                "^error$": lambda row: row[0].error[row[1], row[2]],
                "^alignment$": lambda row: row[0].alignment[row[1], row[2]],
                "^accuracy$": lambda row: row[0].accuracy[row[1], row[2]],
                "^floor$": lambda row: row[0].floor[row[1]],
                "^training_error$": lambda row: row[0].training[row[1]],
                "^trace_kept$": lambda row: row[0].trace[row[1]],
            },
        ),
        "^Errors as CSV$": Rows(
            error_rows,
            {
                "^landmarks$": lambda row: row[0].counts[row[1]],
                "^draw$": lambda row: row[2] + 1,
                "^nystroem$": lambda row: row[0].nystroem[row[2], row[1]],
                "^free$": lambda row: row[0].free[row[2], row[1]],
                "^least_of_that_rank$": lambda row: row[0].best[row[1]],
            },
        ),
    },
    pictures={
        r"^networks\.drawing$": drawing,
        r"^networks\.maps\.0$": Matrix(gram, "Diffusion"),
        r"^networks\.accuracy$": accuracy,
        r"^networks\.spectrum$": spectrum,
        r"^networks\.new\.maps\.0$": Matrix(gram, "True"),
        r"^networks\.new\.maps\.1$": Matrix(placed, "Extrapolated"),
        r"^networks\.new\.maps\.2$": Matrix(lambda seen: placed(seen) - gram(seen), "Error"),
        r"^networks\.reduced\.errors$": landmark_errors,
        r"^networks\.reduced\.maps\.0$": Matrix(gram, "Kernel"),
        r"^networks\.reduced\.maps\.1$": Matrix(told_by_landmarks, "By landmarks"),
    },
    counts={
        "^Choice of τ$": choice_of_tau,
        "^At τ = ": here,
        "^Accuracy$": measure("multi_class", 100.0),
        "^Balanced accuracy$": measure("balanced", 100.0),
        "^ROC area$": measure("auc", 1.0),
        "New nodes: Error": lambda seen: (spread(placing(seen).error[:, 0]), spread(placing(seen).error[:, 1])),
        "New nodes: Training error": lambda seen: (
            placing(seen).training.mean(), sorted([placing(seen).other.mean(), placing(seen).training.mean()])[::-1]
        ),
        "New nodes: Trace kept": lambda seen: (
            100 * placing(seen).trace.mean(),
            [placing(seen).first.extended.approximation.rank, placing(seen).first.known.size],
        ),
        "New nodes: Certificate": lambda seen: (
            placing(seen).first.extended.approximation.shear_eigenvalue, []
        ),
        "Reduced sets: Error": lambda seen: (
            error_of(gram(seen), told_by_landmarks(seen)), [reduced(seen).landmarks.size, len(gram(seen))]
        ),
        "Reduced sets: Trace kept": lambda seen: (
            100 * np.trace(told_by_landmarks(seen)) / np.trace(gram(seen)), [reduced(seen).landmarks.size]
        ),
        "Reduced sets: Certificate": lambda seen: (reduced(seen).approximation.shear_eigenvalue, []),
        "Reduced sets: From Nyström": lambda seen: (reduced(seen).nystroem, WORDS),
    },
)  # fmt: skip
