"""What the page of "Kernel extrapolation" shows: what is printed, and what was measured."""

from __future__ import annotations

import numpy as np

from kernex_core.learning.cells import cell_interval
from kernex_core.learning.chance.paired import yates_p
from kernex_core.studies.papers.catalogue import tables_of
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables
from tests.pages.named.compared import Named, Rows, near
from tests.pages.named.verdict_said import AS_GIVEN

TABLE_1, TABLE_2 = tables_of("extrapolation")
SHARES, LAMS = TABLE_2.rows, (0.1, 0.25, 0.5, 0.75, 0.9)


def found(seen):
    return max(seen.by_class[ExtrapolationTables], key=lambda one: one.done)


def cell(seen, share, lam):
    return found(seen).scores[share, lam]


def mean(scores, measure="one_vs_rest"):
    return float(np.mean([getattr(one, measure) for one in scores]))


def sd(scores, measure="one_vs_rest"):
    return float(np.std([getattr(one, measure) for one in scores], ddof=1))


def of_classes(scores):
    """Deviation over classes, each with the mean over repetitions."""
    return float(np.mean([one.by_class for one in scores], axis=0).std(ddof=1))


def of_folds(scores):
    return float(np.concatenate([one.by_fold[:, 1] for one in scores]).std(ddof=1))


def printed(share, lam):
    return TABLE_2.printed[f"λ = {lam:.2f}"][SHARES.index(share)]


def yates(seen, scores, measure="one_vs_rest"):
    n = found(seen).n_items * len(scores)
    return yates_p(mean(scores, measure) * n, mean(found(seen).levels["source"], measure) * n, n)


def measured(scores):
    """Mean and interval in percent."""
    interval = cell_interval(scores, "one_vs_rest")
    return [100 * mean(scores), 100 * interval.low, 100 * interval.high]


def of_lam(lam):
    """A column of Table 2, in which three rows belong to a share: printed, measured, their difference."""

    def meant(row):
        seen, share, kind = row
        paper, scores = printed(share, lam), cell(seen, share, lam)
        if kind == "published":
            return [100 * paper.mean, 100 * paper.plus_minus]
        if kind == "difference":
            return 100 * (mean(scores) - paper.mean)
        value, *ends = measured(scores)
        return [value, 100 * sd(scores), *ends]

    return meant


def first_rows(seen):
    """Rows of Table 1: both kernels alone, then the joint kernel at the smallest λ."""
    rows = enumerate(zip(TABLE_1.rows, TABLE_1.printed["accuracy"], TABLE_1.printed["Yates p"], strict=True))
    return [
        (
            seen,
            name,
            paper,
            p,
            found(seen).levels[name] if isinstance(name, str) else cell(seen, name, LAMS[0]),
        )
        for _, (name, paper, p) in rows
    ]


def chart(share):
    def compare(seen, picture):
        paper, ours = picture.figure.data[-2:]
        values = [printed(share, lam) for lam in LAMS]
        near(paper.x, LAMS, "λ")
        near(paper.y, [100 * one.mean for one in values], "published")
        near(paper.error_y.array, [100 * one.plus_minus for one in values], "published ±")
        near(ours.x, LAMS, "λ")
        near(ours.y, [100 * mean(cell(seen, share, lam)) for lam in LAMS], "measured")
        levels = sorted({round(float(trace.y[0]), 6) for trace in picture.figure.data[:-2]})
        near(
            levels,
            sorted(round(100 * mean(found(seen).levels[role]), 6) for role in ("target", "source")),
            "levels",
        )

    return compare


def of_row(getter):
    return lambda row: getter(cell(*row))


def end(measure, side):
    return lambda row: getattr(cell_interval(cell(*row), measure), side)


EXTRAPOLATION = Named(
    # three sentences, one a share: each is compared with the verdict that it was made of
    verdict=AS_GIVEN,
    tables={
        r"^extrapolation\.table_2$": Rows(
            lambda seen: [
                (seen, share, kind) for share in SHARES for kind in ("published", "measured", "difference")
            ],
            {
                "^missing$": lambda row: 100 * row[1] if row[2] == "published" else float("nan"),
                "^row$": lambda row: row[2],
                **{f"^λ = {lam:.2f}$": of_lam(lam) for lam in LAMS},
            },
        ),
        r"^extrapolation\.table_1$": Rows(
            first_rows,
            {
                "^kernel$": lambda row: 100 * row[1] if isinstance(row[1], float) else float("nan"),
                "^published$": lambda row: [100 * row[2].mean, 100 * row[2].plus_minus],
                "^measured$": lambda row: measured(row[4]),
                "^sd over repetitions$": lambda row: 100 * sd(row[4]),
                "^sd over folds$": lambda row: 100 * of_folds(row[4]),
                "^sd over classes$": lambda row: 100 * of_classes(row[4]),
                "^Yates p of one-vs-rest, published$": lambda row: (
                    row[3].mean if isinstance(row[1], float) else float("nan")
                ),
                "^Yates p of one-vs-rest, measured$": lambda row: (
                    yates(row[0], row[4]) if isinstance(row[1], float) else float("nan")
                ),
            },
        ),
    },
    files={
        "^CSV$": Rows(
            lambda seen: [(seen, share, lam) for share in SHARES for lam in LAMS],
            {
                "^missing$": lambda row: row[1],
                "^lambda$": lambda row: row[2],
                "^one_vs_rest$": of_row(mean),
                "^sd_repetitions$": of_row(sd),
                "^sd_classes$": of_row(of_classes),
                "^multi_class$": lambda row: mean(cell(*row), "multi_class"),
                "^multi_class_sd_repetitions$": lambda row: sd(cell(*row), "multi_class"),
                "^published$": lambda row: printed(*row[1:]).mean,
                "^published_plus_minus$": lambda row: printed(*row[1:]).plus_minus,
                "^one_vs_rest_from$": end("one_vs_rest", "low"),
                "^one_vs_rest_to$": end("one_vs_rest", "high"),
                "^multi_class_from$": end("multi_class", "low"),
                "^multi_class_to$": end("multi_class", "high"),
                "^yates_p_one_vs_rest$": lambda row: yates(row[0], cell(*row)),
                "^yates_p_multi_class$": lambda row: yates(row[0], cell(*row), "multi_class"),
            },
        ),
    },
    pictures={rf"^papers\.chart\.{place}$": chart(share) for place, share in enumerate(SHARES)},
    counts={
        f"^{100 * share:g}.%.missing$": (
            lambda seen, share=share: (
                100 * mean(cell(seen, share, LAMS[0])),
                [100 * printed(share, LAMS[0]).mean],
            )
        )
        for share in SHARES
    },
)
