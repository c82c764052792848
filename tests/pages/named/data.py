"""What the page Data shows of a data set."""

from __future__ import annotations

from tests.pages.named.compared import WORDS, Arrays, Matrix, Named, Rows


def classes(seen):
    """Names of the classes, largest first."""
    y = list(seen.dataset.labels.y)
    return [(y, name) for name in sorted(set(y), key=lambda one: -y.count(one))]


def kernel(seen):
    return seen.dataset.kernels["good"].values


DATA = Named(
    tables={
        r"^data\.health$": Rows(
            classes,
            {
                "^Class$": lambda row: row[1],
                "^Items$": lambda row: row[0].count(row[1]),
                "^Share$": lambda row: 100 * row[0].count(row[1]) / len(row[0]),
            },
        )
    },
    files={
        "^Save workspace$": WORDS,  # given back bit by bit by the tests of workspaces
        "^CSV$": Matrix(kernel),
        "^NPZ$": Arrays({"K": kernel}),
        "^Items and labels as CSV$": Rows(
            lambda seen: list(zip(seen.dataset.ids, seen.dataset.labels.y, strict=True)),
            {"^id$": lambda row: row[0], "^label$": lambda row: row[1]},
        ),
    },
)
