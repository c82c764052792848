"""What the page Evaluate shows."""

from __future__ import annotations

from kernex_core import load_model
from kernex_core.learning.compare import judged_verdict
from kernex_core.studies.evaluation import Evaluation
from tests.pages.named.compared import Named, Rows, near
from tests.pages.named.drawn import dots_of, guides_of
from tests.pages.named.judged import (
    MEASURE_COLUMNS,
    class_tables,
    counts_of,
    item_rows,
    measures,
    pair_tables,
    with_ends,
)
from tests.pages.named.verdict_said import Said


def judgements(seen):
    return seen.result(Evaluation).judgements


def ranked(seen):
    """In the order of the table: by multi-class accuracy."""
    return sorted(judgements(seen).items(), key=lambda named: -named[1].multi_class.mean)


def first(seen):
    return next(iter(judgements(seen).values()))


def dots(seen, picture):
    shown, found = dots_of(picture), judgements(seen)
    assert shown.keys() == found.keys()
    for name, made in found.items():
        near(shown[name], with_ends("multi_class", 100.0)(made), f"dot of {name}")
    near(guides_of(picture), [100 * first(seen).multi_class.floor], "floor")


def of(field, scale=1.0):
    return lambda row: with_ends(field, scale)(row[1])


def verdict(seen):
    return judged_verdict(dict(ranked(seen)))


def beside_the_best(row):
    """p of a row beside the best, after correction."""
    made = verdict(row[2])
    return "best" if row[0] == made.best.name else made.of(row[0]).p


def best(seen):
    value, *ends = with_ends("multi_class", 100.0)(ranked(seen)[0][1])
    return value, ends


def model_file(seen, label):
    """The file of the kernel that leads, with its judged number."""
    name, made = ranked(seen)[0]
    judged = load_model(seen.files[label]()).judged
    near([judged.value, judged.low, judged.high], with_ends("multi_class")(made), f"model of {name}")
    near([judged.floor], [made.multi_class.floor], "floor of the model")


SAID = Said(
    verdict,
    lambda seen: {name: row[0] for name, row in dots_of(seen.picture("evaluate.dots")).items()},
)
PAIRS = pair_tables(judgements, "evaluate")
TABLES, FILES = class_tables(first, r"evaluate\.panel")

EVALUATE = Named(
    verdict=SAID,
    tables={
        r"^evaluate\.kernels$": Rows(
            lambda seen: [(*row, seen) for row in ranked(seen)],
            {
                "^kernel$": lambda row: row[0],
                "^multi-class": of("multi_class", 100.0),
                "^beside the best$": beside_the_best,
                "^floor": lambda row: 100 * row[1].multi_class.floor,
                "^mode$": lambda row: row[1].state.words,
            },
        ),
        r"^evaluate\.measures$": Rows(
            ranked,
            {
                "^kernel$": lambda row: row[0],
                "^multi-class": of("multi_class", 100.0),
                "^one-vs-rest": of("one_vs_rest", 100.0),
                "^balanced": of("balanced", 100.0),
                "^Matthews": of("matthews"),
                "^ROC": of("auc"),
                "^floors": lambda row: [
                    100 * getattr(row[1], field).floor for field in ("multi_class", "one_vs_rest", "balanced")
                ],
            },
        ),
        **PAIRS[0],
        **TABLES,
    },
    files={
        "^Table$|^CSV$": Rows(lambda seen: measures(judgements(seen)), MEASURE_COLUMNS),
        "^Accuracy as CSV$": Rows(
            lambda seen: [row for row in measures(judgements(seen)) if row[1] is first(seen)], MEASURE_COLUMNS
        ),
        "^Items as CSV$": item_rows(first),
        "^Save model$": model_file,
        **PAIRS[1],
        **FILES,
    },
    pictures={r"^evaluate\.dots$": dots},
    counts={
        **counts_of(first),
        "^Best$": best,
        "^Next$": lambda seen: (100 * ranked(seen)[1][1].multi_class.mean, verdict(seen).candidates[1].p),
        "^Floor$": lambda seen: (100 * first(seen).multi_class.floor, []),
    },
)
