"""What the page Evaluate shows."""

from __future__ import annotations

from kernex_core import load_model
from kernex_core.learning.chance.paired import holm
from kernex_core.learning.compare import judged_verdict
from kernex_core.learning.differences import classes_differ, pairs_differ
from kernex_core.studies.evaluation import Evaluation, EvaluationConfig, judged_form
from tests.pages.named.compared import WORDS, Named, Rows, near
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


def differences(seen):
    """Kernels by the share that lies between the classes, each with p after Holm over all, tested anew."""
    labels, config = seen.dataset.labels_with_copies, EvaluationConfig()
    made = {
        name: classes_differ(judged_form(config, seen.dataset.kernels[name]), labels)
        for name in judgements(seen)
    }
    p = dict(zip(made, holm([one.p for one in made.values()]), strict=True))
    return [(name, one, p[name]) for name, one in sorted(made.items(), key=lambda named: -named[1].share)]


def pairs(seen):
    """Pairs of classes in the kernel in which most lies between the classes."""
    name = differences(seen)[0][0]
    K = judged_form(EvaluationConfig(), seen.dataset.kernels[name])
    return sorted(pairs_differ(K, seen.dataset.labels_with_copies), key=lambda one: (-one.p_holm, one.effect))


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
        r"^evaluate\.difference$": Rows(
            differences,
            {
                "^kernel$": lambda row: row[0],
                "^between classes": lambda row: 100 * row[1].share,
                "^by chance": lambda row: 100 * row[1].drawn.mean(),
                "^F$": lambda row: row[1].F,
                "^p$": lambda row: row[1].p,
                "^p, all kernels$": lambda row: row[2],
                "^p of the spread$": lambda row: row[1].spread_p,
            },
        ),
        r"^evaluate\.pairs_differ$": Rows(
            pairs,
            {
                "^classes$": lambda one: f"{one.first} – {one.second}",
                "^distance of means$": lambda one: one.effect,
                "^MMD": lambda one: one.mmd2,
                "^p$": lambda one: one.p,
                "^p, all pairs$": lambda one: one.p_holm,
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
        "^Differences as CSV$": Rows(
            lambda seen: sorted(differences(seen), key=lambda row: list(judgements(seen)).index(row[0])),
            {
                "^kernel$": lambda row: row[0],
                "^between_classes$": lambda row: row[1].share,
                "^by_chance$": lambda row: row[1].drawn.mean(),
                "^F$": lambda row: row[1].F,
                "^p$": lambda row: row[1].p,
                "^p_holm$": lambda row: row[2],
                "^spread_F$": lambda row: row[1].spread_F,
                "^spread_p$": lambda row: row[1].spread_p,
                "^items$": lambda row: row[1].counts.sum(),
                "^classes$": lambda row: len(row[1].classes),
                "^permutations$": lambda row: row[1].permutations,
                "^seed$": lambda row: row[1].seed,
            },
        ),
        "^Pairs as CSV$": Rows(
            lambda seen: sorted(pairs(seen), key=lambda one: (one.first, one.second)),
            {
                "^kernel$": WORDS,
                "^first$": lambda one: one.first,
                "^second$": lambda one: one.second,
                "^distance_of_means$": lambda one: one.effect,
                "^mmd2$": lambda one: one.mmd2,
                "^p$": lambda one: one.p,
                "^p_holm$": lambda one: one.p_holm,
            },
        ),
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
