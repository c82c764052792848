"""What the page of "Almost orthogonal patterns" shows of its first table and of the toy."""

from __future__ import annotations

import numpy as np

from kernex_core.studies.papers.catalogue import tables_of
from kernex_core.studies.papers.orthogonal.paper import LossComparison
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, TRAIN_ONLY, PowerTable
from kernex_core.studies.papers.orthogonal.toy import TOY_CODES, TOY_X, ToyLesson
from tests.pages.named.compared import WORDS, Named, Rows, near

BOTH = (ALL_POINTS, TRAIN_ONLY)


def found(seen):
    return max(seen.by_class[PowerTable], key=lambda one: one.done)


def paper():
    return next(table for table in tables_of("orthogonal") if str(table.number) == "1")


def compared(seen):
    return LossComparison(paper(), found(seen))


def printed():
    return paper().printed["balanced loss"]


def rows(seen):
    return [(seen, place) for place in range(len(found(seen).powers))]


def error_of_printed(row):
    seen, place = row
    return max(compared(seen).printed_se(column)[place] for column in BOTH)


def measured(column):
    """Mean, standard error and deviation over folds, from the losses themselves."""

    def meant(row):
        losses = found(row[0]).losses[column][:, :, row[1]]
        losses = losses[~np.isnan(losses).any(axis=1)]
        of_trials = losses.mean(axis=1)
        return [
            100 * losses.mean(),
            100 * of_trials.std(ddof=1) / np.sqrt(of_trials.size),
            100 * losses.std(ddof=1),
        ]

    return meant


def gap(column):
    return lambda row: measured(column)(row)[0] - 100 * printed()[row[1]].mean


def beside(seen):
    return [(seen, each) for each in paper().beside if each.row in found(seen).powers]


def measured_beside(row):
    seen, each = row
    return measured(each.column)((seen, found(seen).powers.index(each.row)))


def filed(seen):
    """Rows of the file: a column of the table, and classifiers beside it, with the powers that they have."""
    one = found(seen)
    return [
        (seen, place, column)
        for column, losses in one.losses.items()
        for place in range(len(one.powers))
        if not np.isnan(losses[:, :, place]).all()
    ]


def of_paper(field):
    """What is printed of a row: in the table, or in the text beside it."""

    def meant(row):
        seen, place, column = row
        if column in BOTH:
            return getattr(printed()[place], field)
        power = found(seen).powers[place]
        known = [each.printed for each in paper().beside if (each.column, each.row) == (column, power)]
        return getattr(known[0], field) if known else None

    return meant


def chart(column):
    def compare(seen, picture):
        values, ours = picture.figure.data[-2:]
        powers = found(seen).powers[1:]
        near(values.x, powers, "p")
        near(values.y, [100 * one.mean for one in printed()[1:]], "published")
        near(values.error_y.array, [100 * one.plus_minus for one in printed()[1:]], "published ±")
        meant = [measured(column)((seen, place + 1)) for place in range(len(powers))]
        near(ours.y, [one[0] for one in meant], "measured")
        near(ours.error_y.array, [2 * one[1] for one in meant], "two standard errors")

    return compare


def toy(plain):
    def compare(seen, picture):
        (bars,) = picture.figure.data
        (made,) = [one for one in seen.by_class[ToyLesson] if (one.p is None) == plain][-1:]
        near(bars.y, made.response, "toy")

    return compare


ORTHOGONAL = Named(
    tables={
        r"^orthogonal\.table$": Rows(
            rows,
            {
                "^kernel$": lambda row: found(row[0]).powers[row[1]] or [],
                "^published": lambda row: [
                    100 * printed()[row[1]].mean,
                    100 * error_of_printed(row),
                    100 * printed()[row[1]].plus_minus,
                ],
                f"^{ALL_POINTS}$": measured(ALL_POINTS),
                f"^{TRAIN_ONLY}$": measured(TRAIN_ONLY),
                "^difference$": gap(ALL_POINTS),
                "^difference $": gap(TRAIN_ONLY),
            },
        ),
        r"^orthogonal\.beside$": Rows(
            beside,
            {
                "^classifier$": WORDS,
                "^published$": lambda row: [
                    100 * row[1].printed.mean,
                    100 * compared(row[0]).beside_se(row[1]),
                    100 * row[1].printed.plus_minus,
                ],
                "^measured$": measured_beside,
                "^difference$": lambda row: measured_beside(row)[0] - 100 * row[1].printed.mean,
            },
        ),
        r"^orthogonal\.patterns$": Rows(
            lambda seen: list(zip(TOY_CODES, TOY_X, strict=True)),
            {
                "^class$": lambda row: 1 if row[0] else -1,
                **{f"^{j + 1}$": (lambda row, j=j: row[1][j] or []) for j in range(TOY_X.shape[1])},
            },
            alike=True,
        ),
    },
    files={
        "^CSV$": Rows(
            filed,
            {
                "^(table|sd_over|repetitions|published_data|trials|splits|seed|length|decay|C|limit_2_se|remarks)$": WORDS,
                "^p$": lambda row: (
                    "as it is" if found(row[0]).powers[row[1]] is None else f"{found(row[0]).powers[row[1]]}"
                ),
                "^column$": lambda row: row[2],
                "^loss$": lambda row: measured(row[2])(row[:2])[0] / 100,
                "^sd$": lambda row: measured(row[2])(row[:2])[2] / 100,
                "^se$": lambda row: measured(row[2])(row[:2])[1] / 100,
                "^published$": of_paper("mean"),
                "^published_plus_minus$": of_paper("plus_minus"),
                "^published_se$": lambda row: (
                    compared(row[0]).printed_se(row[2])[row[1]] if row[2] in BOTH else None
                ),
            },
        ),
    },
    pictures={
        r"^papers\.orthogonal\.0$": chart(ALL_POINTS),
        r"^papers\.orthogonal\.1$": chart(TRAIN_ONLY),
        r"^toy\.plain$": toy(True),
        r"^toy\.mapped$": toy(False),
    },
    counts={
        "^All points$": lambda seen: (compared(seen).inside(ALL_POINTS), []),
        "^Training points$": lambda seen: (compared(seen).inside(TRAIN_ONLY), []),
        "^Kernel as it is$": lambda seen: (measured(ALL_POINTS)((seen, 0))[0], []),
    },
)
