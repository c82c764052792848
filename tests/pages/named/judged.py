"""What pages show of judgements: the accuracy panel, tests between kernels, files."""

from __future__ import annotations

import numpy as np

from kernex_core.learning.compare import compare_all
from tests.pages.named.compared import WORDS, Rows

FIELDS = ("multi_class", "one_vs_rest", "balanced", "matthews", "auc")


def ends(interval, scale=1.0):
    """Both ends, none where there is no interval."""
    return [] if interval is None else [scale * interval.low, scale * interval.high]


def with_ends(field, scale=1.0):
    """Mean and interval of a measure of a judgement."""
    return lambda made: [scale * getattr(made, field).mean, *ends(made.interval(field), scale)]


def spread_out(score, scale):
    return [scale * sd for sd in (score.sd_repeats, score.sd_folds, score.sd_classes) if not np.isnan(sd)]


def counts_of(judged):
    """The five numbers of the accuracy panel; `judged` returns the judgement from what was seen."""

    def one(field, scale):
        def meant(seen):
            made = judged(seen)
            score = getattr(made, field)
            return [scale * score.mean], [
                scale * score.floor, *ends(made.interval(field), scale), *spread_out(score, scale)
            ]  # fmt: skip

        return meant

    return {
        "(?i)multi-class accuracy$": one("multi_class", 100.0),
        "(?i)one-vs-rest accuracy$": one("one_vs_rest", 100.0),
        "(?i)balanced accuracy$": one("balanced", 100.0),
        "(?i)matthews": one("matthews", 1.0),
        "(?i)ROC": one("auc", 1.0),
    }


def measures(judgements):
    """Rows of the file of all measures: (name, judgement, field)."""
    return [(name, made, field) for name, made in judgements.items() for field in FIELDS]


MEASURE_COLUMNS = {
    "^measure$": lambda row: getattr(row[1], row[2]).title,
    "^mean$": lambda row: getattr(row[1], row[2]).mean,
    "^floor$": lambda row: getattr(row[1], row[2]).floor,
    "^interval from$": lambda row: row[1].interval(row[2]).low,
    "^interval to$": lambda row: row[1].interval(row[2]).high,
    "^interval$": WORDS,
    "^sd over repetitions$": lambda row: getattr(row[1], row[2]).sd_repeats,
    "^sd over folds$": lambda row: getattr(row[1], row[2]).sd_folds,
    "^sd over classes$": lambda row: getattr(row[1], row[2]).sd_classes,
    "^items$": lambda row: row[1].n_items,
    "^repetitions$": lambda row: row[1].n_repeats,
    "^folds$": lambda row: row[1].n_folds,
    "^seed$": lambda row: row[1].config.seed,
    "^C$": lambda row: row[1].config.C,
    "^mode$": lambda row: str(row[1].mode),
    "^remarks$": lambda row: " ".join(row[1].remarks),
    "^kernel$": lambda row: row[0],
}


def item_rows(judged):
    """File of the items of one judgement."""

    def about(seen):
        made = judged(seen)
        return [(made, i) for i in np.flatnonzero(made.labelled)]

    return Rows(
        about,
        {
            "^id$": WORDS,
            "^class$": lambda row: row[0].classes[row[0].codes[row[1]]],
            "^predicted$": lambda row: row[0].classes[row[0].predicted[row[1]]],
            "^right$": lambda row: float(row[0].correct[:, row[1]].mean()),
        },
        alike=True,
    )


def class_tables(judged, key):
    """Confusion counts and classes of one judgement, drawn and in files."""

    def classes(seen):
        made = judged(seen)
        return [(made, c) for c in range(len(made.classes))]

    def confusion(seen):
        made = judged(seen)
        return [Row(made, c) for c in range(len(made.classes))]

    names = "abcdefghij"
    counted = {f"^{letter}$": column(place) for place, letter in enumerate(names)}
    found = {
        "(?i)^class$": lambda row: row[0].classes[row[1]],
        "(?i)^items$": lambda row: row[0].sizes[row[1]],
        "^Found": lambda row: [100 * row[0].class_recall[row[1]], *ends(row[0].found_intervals()[row[1]], 100.0)],
        "^One-vs-rest": lambda row: [
            100 * row[0].class_accuracy[row[1]], *ends(row[0].decided_intervals()[row[1]], 100.0)
        ],
        "^Floor": lambda row: 100 * (1 - row[0].sizes[row[1]] / row[0].n_items),
    }  # fmt: skip
    filed = {
        "(?i)^class$": found["(?i)^class$"],
        "^items$": found["(?i)^items$"],
        "^found$": lambda row: row[0].class_recall[row[1]],
        "^found interval from$": lambda row: row[0].found_intervals()[row[1]].low,
        "^found interval to$": lambda row: row[0].found_intervals()[row[1]].high,
        "^one-vs-rest accuracy$": lambda row: row[0].class_accuracy[row[1]],
        "^one-vs-rest interval from$": lambda row: row[0].decided_intervals()[row[1]].low,
        "^one-vs-rest interval to$": lambda row: row[0].decided_intervals()[row[1]].high,
        "^one-vs-rest floor$": lambda row: 1 - row[0].sizes[row[1]] / row[0].n_items,
    }
    head = {"^true class$": lambda row: row.made.classes[row.place]}
    tables = {
        rf"^{key}\.confusion$": Rows(confusion, head | counted),
        rf"^{key}\.classes$": Rows(classes, found),
    }
    files = {
        "^Confusion as CSV$": Rows(confusion, head | counted),
        "^Classes as CSV$": Rows(classes, filed),
    }
    return tables, files


class Row:
    """One true class of a confusion table."""

    def __init__(self, made, place):
        self.made, self.place = made, place


def column(place):
    """How many of a true class were given the class of that place; a dot stands for none."""

    def count(row):
        found = int(row.made.confusion[row.place, place])
        return found if found else float("nan")

    return count


def pair_tables(judgements, key):
    """Tests between all kernels, drawn and in a file; `judgements` returns them by name from what was seen."""

    def about(seen):
        return compare_all(judgements(seen))

    def one(field, scale=1.0):
        return lambda pair: scale * getattr(pair.comparison, field)

    drawn = {
        "^kernels$": lambda pair: f"{pair.first} − {pair.second}",
        "^multi-class, points": one("difference", 100.0),
        "^more than other": one("half_width", 100.0),
        "^1 corrected t": lambda pair: [pair.comparison.corrected_t_p, pair.corrected_t_p],
        "^2 McNemar": lambda pair: [
            pair.comparison.mcnemar_p,
            pair.mcnemar_p,
            pair.comparison.only_first,
            pair.comparison.only_second,
        ],
        "^3 Yates p of multi": one("yates_multi_class_p"),
        "^one-vs-rest, points": one("one_vs_rest_difference", 100.0),
        "^3 Yates p of one": one("yates_p"),
    }
    written = {
        "^first$": lambda pair: pair.first,
        "^second$": lambda pair: pair.second,
        "^multi_class_difference$": one("difference"),
        "^half_width$": one("half_width"),
        "^told_apart$": lambda pair: pair.comparison.told_apart,
        "^corrected_t_p$": one("corrected_t_p"),
        "^corrected_t_p_holm$": lambda pair: pair.corrected_t_p,
        "^mcnemar_p$": one("mcnemar_p"),
        "^mcnemar_p_holm$": lambda pair: pair.mcnemar_p,
        "^only_first$": one("only_first"),
        "^only_second$": one("only_second"),
        "^yates_multi_class_p$": one("yates_multi_class_p"),
        "^one_vs_rest_difference$": one("one_vs_rest_difference"),
        "^yates_one_vs_rest_p$": one("yates_p"),
        "^repetitions$": one("n_repeats"),
        "^tests$": WORDS,
    }
    return {rf"^{key}\.pairs$": Rows(about, drawn)}, {"^Comparison as CSV$": Rows(about, written)}
