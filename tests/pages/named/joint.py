"""What the page of "Joint regularization" shows of its demo."""

from __future__ import annotations

import numpy as np

from kernex_core.studies.papers.joint.measuring import JointFigure, against, chosen_lam, figure_verdict
from kernex_core.studies.papers.joint.theorem import TheoremDemo
from tests.pages.named.compared import WORDS, Named, Rows, near
from tests.pages.named.drawn import dots_of, guides_of, levels_of, lines_of
from tests.pages.named.verdict_said import Said

LAMS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


def found(seen):
    return max(seen.by_class[JointFigure], key=lambda one: one.done)


def joint(seen, lam):
    return found(seen).accuracy(found(seen).tried[f"joint, λ = {lam:g}"])


def named(seen):
    """Accuracies by the names of the page: λ = 1 is the Gaussian kernel alone, λ = 0 the linear one."""
    one = found(seen)
    made = {"Gaussian alone": joint(seen, 1.0), "linear alone": joint(seen, 0.0)}
    made |= {name: one.accuracy(one.tried[name]) for name in ("sum", "product")}
    made |= {f"joint, λ = {lam:g}": joint(seen, lam) for lam in LAMS[1:-1]}
    made["joint, λ chosen"] = one.accuracy(chosen_lam(one).tried)
    return made | {name: one.accuracy(one.tried[name]) for name in one.tried if name.endswith("as it is")}


def ends(one):
    return [100 * one.interval.low, 100 * one.interval.high]


def by_lam(seen, picture):
    (rows,) = lines_of(picture).values()
    near(rows, [(lam, 100 * joint(seen, lam).mean, *ends(joint(seen, lam))) for lam in LAMS], "joint")
    meant = [100 * named(seen)[name].mean for name in ("sum", "product")]
    near(list(levels_of(picture).values()), [*meant, 100 * found(seen).floor], "levels")


def dots(seen, picture):
    shown = dots_of(picture)
    assert list(shown) == list(named(seen))
    for name, one in named(seen).items():
        near(shown[name], [100 * one.mean, *ends(one)], name)
    near(guides_of(picture), [100 * found(seen).floor], "floor")


SAID = Said(
    lambda seen: figure_verdict(found(seen), chosen_lam(found(seen))),
    lambda seen: {name: row[0] for name, row in dots_of(seen.picture("joint.kernels")).items()},
)


def theorem(seen, picture):
    demo = seen.result(TheoremDemo)
    for trace, values in zip(picture.figure.data, (demo.truth, demo.y, demo.fit.f), strict=True):
        near(trace.x, demo.x, "x")
        near(trace.y, values, str(trace.mode))


def compared(seen):
    return list(against(found(seen), chosen_lam(found(seen)).tried))


def called(each):
    return f"{each.name} kernel alone" if each.name in ("Gaussian", "linear") else each.name


JOINT = Named(
    verdict=SAID,
    tables={
        r"^joint\.verdict$": Rows(
            compared,
            {
                "^joint less$": called,
                "^difference$": lambda each: 100 * each.difference,
                "^95": lambda each: [100 * each.interval.low, 100 * each.interval.high],
                "^p$": lambda each: each.p,
                "corrected resampled t": lambda each: each.corrected_t_p,
                "^p after Holm$": lambda each: each.holm_p,
                "^told apart$": lambda each: ("no", "joint is better", "joint is worse")[each.told],
            },
        ),
        r"^joint\.kernels$": Rows(
            lambda seen: list(named(seen).items()),
            {
                "^kernel$": lambda row: row[0],
                "^accuracy$": lambda row: 100 * row[1].mean,
                "^over graphs$": lambda row: ends(row[1]),
                "^sd over repetitions$": lambda row: 100 * row[1].sd_repeats,
                "^sd over folds$": lambda row: 100 * row[1].sd_folds,
            },
        ),
    },
    files={
        "^CSV$": Rows(
            lambda seen: [(found(seen), name, one) for name, one in named(seen).items()],
            {
                "^kernel$": lambda row: row[1],
                "^accuracy$": lambda row: row[2].mean,
                "^over_graphs_from$": lambda row: row[2].interval.low,
                "^over_graphs_to$": lambda row: row[2].interval.high,
                "^sd_repetitions$": lambda row: row[2].sd_repeats,
                "^sd_folds$": lambda row: row[2].sd_folds,
                "^graphs$": lambda row: row[0].n_items,
                "^folds$": lambda row: row[0].n_folds,
                "^repetitions$": lambda row: row[0].n_repeats,
                "^floor$": lambda row: row[0].floor,
                "^sigma$": lambda row: row[0].sigma,
                "^landmarks$": lambda row: row[0].n_landmarks,
                "^(nugget|choice|length|seed|remarks)$": WORDS,
            },
        ),
        "^NPZ$": WORDS,  # a kernel that the tests of the study compare with its formula
    },
    pictures={r"^joint\.lam$": by_lam, r"^joint\.kernels$": dots, r"^joint\.theorem$": theorem},
    counts={
        "^Joint$": lambda seen: (
            100 * named(seen)["joint, λ chosen"].mean,
            ends(named(seen)["joint, λ chosen"]),
        ),
        "^Best other$": lambda seen: (
            100
            * max(named(seen)[name].mean for name in ("Gaussian alone", "linear alone", "sum", "product")),
            [],
        ),
        "^Floor$": lambda seen: (100 * found(seen).floor, []),
        "^β₁": lambda seen: (seen.result(TheoremDemo).fit.beta[0], []),
        "^β₂": lambda seen: (seen.result(TheoremDemo).fit.beta[1], []),
        "^λ = ": lambda seen: (
            seen.result(TheoremDemo).fit.beta[0] / np.sum(seen.result(TheoremDemo).fit.beta),
            [],
        ),
    },
)
