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
    "^mode$": lambda row: row[1].state.words,
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


def beside_best(verdict, name):
    """Columns of a file that say how each row stands beside the best; a row has both a verdict and its name there."""

    def one(field):
        return lambda row: getattr(verdict(row).of(name(row)), field)

    return {
        "^behind_best$": one("behind"),
        "^p_holm_to_best$": one("p"),
        "^told_apart_from_best$": one("told_apart"),
    }


def pair_tables(judgements, key):
    """Tests between all kernels, drawn and in a file; `judgements` returns them by name from what was seen."""

    def about(seen):
        return compare_all(judgements(seen))

    def one(field):
        return lambda pair: getattr(pair.comparison, field)

    def side(field):
        return lambda pair: getattr(pair.comparison.paired, field)

    drawn = {
        "^kernels$": lambda pair: f"{pair.first} − {pair.second}",
        "^multi-class, points": lambda pair: [
            100 * value
            for made in (pair.comparison,)
            for value in (made.difference, made.interval.low, made.interval.high)
        ],
        "^told apart$": lambda pair: pair.p,
        "^p of the pair": one("p"),
        "^items on either": lambda pair: [side("first_better")(pair), side("second_better")(pair)],
    }
    written = {
        "^first$": lambda pair: pair.first,
        "^second$": lambda pair: pair.second,
        "^measure$": one("measure"),
        "^difference$": one("difference"),
        "^difference_from$": lambda pair: pair.comparison.interval.low,
        "^difference_to$": lambda pair: pair.comparison.interval.high,
        "^told_apart$": lambda pair: pair.told_apart,
        "^p$": one("p"),
        "^p_holm$": lambda pair: pair.p,
        "^first_better$": side("first_better"),
        "^second_better$": side("second_better"),
        "^repetitions$": one("n_repeats"),
        "^pairs$": WORDS,
    }
    return {rf"^{key}\.pairs$": Rows(about, drawn)}, {"^Comparison as CSV$": Rows(about, written)}
