"""What the page Strings shows, tab by tab, of short strings in three classes."""

from __future__ import annotations

from collections import Counter

import numpy as np

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.explanation import Explanation
from kernex_core.learning.learners.neighbours import Nearest
from kernex_core.learning.predict import Predictions
from kernex_core.studies.sequences.classifier import ClassEvidence, Neighbours
from kernex_core.studies.sequences.new_items import ComparedRows, ConditionedRows
from kernex_core.studies.sequences.table import StringTable
from tests.pages.named.compared import WORDS, Arrays, Named, Rows, near
from tests.pages.named.family import best_and_floor, drawn_columns, one_kernel, written_columns
from tests.pages.named.verdict_said import Said

K = 3
"""Letters of a word of the kernel that the page opens with."""


def strings():
    """Twenty-five short strings; each class is richer in other letters."""
    rng = np.random.default_rng(4)
    y = np.repeat(["a", "b", "c"], [11, 8, 6])
    ids = tuple(f"item{i}" for i in range(y.size))
    share = {"a": [0.5, 0.25, 0.125, 0.125], "b": [0.125, 0.5, 0.25, 0.125], "c": [0.125, 0.125, 0.25, 0.5]}
    made = tuple("".join(rng.choice(list("ACGT"), int(rng.integers(9, 14)), p=share[kind])) for kind in y)
    return DataSet("strings", ids, Labels(ids, y), {"DNA": Sequences(ids, made, "dna")})


def of(seen):
    return seen.dataset.samples["DNA"].strings


def words(string):
    return Counter(string[at : at + K] for at in range(len(string) - K + 1))


def spectrum_kernel(seen):
    counted = [words(string) for string in of(seen)]
    return np.array([[sum(n * t[word] for word, n in s.items()) for t in counted] for s in counted], float)


def judge_all(at):
    """Few kernels, and a click on the button."""
    key = "sequences.table.strings"
    at.slider(key=f"{key}.grid.longest").set_value(1)
    at.slider(key=f"{key}.repeats").set_value(2)
    at.toggle(key=f"{key}.grid.nested").set_value(False)
    at.toggle(key=f"{key}.grid.alignments").set_value(False)
    at.button(key="sequences.table.run").click().run()


def parts(seen):
    return list(seen.result(Explanation).parts)


def places(positions):
    return ", ".join(str(at + 1) for at in positions)


PAIR = Named(
    pictures={r"^sequences\.marks$": WORDS},  # places, which have tests of their own
    files={
        "^Parts as CSV$": Rows(
            parts,
            {
                "^K-mer$": lambda row: row.kmer_s,
                "^Count in first$": lambda row: len(row.positions_s),
                "^Count in second$": lambda row: len(row.positions_t),
                "^Part of K$": lambda row: row.contribution,
                "^At in first$": lambda row: places(row.positions_s),
                "^At in second$": lambda row: places(row.positions_t),
            },
        ),
        "^Row as CSV$": Rows(
            lambda seen: list(zip(seen.result(Neighbours).ids, seen.result(Neighbours).values, strict=True)),
            {"^id$": lambda row: row[0], "^K$": lambda row: row[1]},
        ),
    },
)


def evidence(seen):
    return seen.result(ClassEvidence)


def weights(seen):
    """(word, its weight, how often it is in the string, sqrt(K(x, x))) of every word with a weight."""
    made = evidence(seen)
    (table,) = made.tables
    here = words(made.string)
    return [
        (word, weight, here[word], made.length)
        for word, weight in zip(table.kmers, table.weights, strict=True)
        if weight
    ]


def along(seen, picture):
    near(np.concatenate([trace.y for trace in picture.figure.data]), evidence(seen).along, "along")


def heaviest(seen, picture):
    """What the heaviest words of both signs add here."""
    (bars,) = picture.figure.data
    by_word = {word: weight * times / length for word, weight, times, length in weights(seen)}
    near(bars.x, [by_word[word] for word in bars.hovertext], "bars")
    near(bars.x, np.sort(bars.x)[::-1], "order")
    assert len(bars.x) == sum(value != 0 for value in by_word.values())


def letters(seen):
    return [(evidence(seen), at) for at in range(len(evidence(seen).string))]


def window(row):
    made, at = row
    return at if at + K <= len(made.string) else None


CLASS = Named(
    pictures={r"^sequences\.class\.along$": along, r"^sequences\.class\.bars$": heaviest},
    files={
        "^Weights as CSV$": Rows(
            weights,
            {
                "^kmer$": lambda row: row[0],
                "^weight$": lambda row: row[1],
                "^occurrences$": lambda row: row[2],
                "^contribution$": lambda row: row[1] * row[2] / row[3],
            },
        ),
        "^Positions as CSV$": Rows(
            letters,
            {
                "^position$": lambda row: row[1] + 1,
                "^letter$": lambda row: row[0].string[row[1]],
                "^contribution$": lambda row: row[0].along[row[1]],
                "^window of 3$": lambda row: (
                    "" if window(row) is None else row[0].string[row[1] : row[1] + K]
                ),
                "^contribution of window": lambda row: (
                    None if window(row) is None else row[0].windows[0][row[1]]
                ),
            },
        ),
    },
)


def cross(seen):
    return seen.result(ConditionedRows).cross


def named(seen):
    """The one new sequence: what is seen, its nearest item, and what it is taken for."""
    return [(seen, seen.result(Nearest).positions[0, 0], seen.result(Predictions))]


def nearest(seen):
    return [(seen, at) for at in seen.result(Nearest).positions[0]]


def decisions(seen, picture):
    (bars,) = picture.figure.data
    made = seen.result(Predictions)
    by_class = dict(zip(made.classes, made.decisions[0], strict=True))
    near(bars.y, [by_class[name] for name in bars.hovertext], "decisions")
    assert bars.hovertext[0] == made.labels[0]
    assert set(bars.hovertext) == set(made.classes)


NEW_COLUMNS = {
    "^new sequence$": lambda row: row[0].result(ComparedRows).ids[0],
    "^letters$": lambda row: len(
        of(row[0])[int(row[0].result(ComparedRows).ids[0].removeprefix("like_item"))]
    ),
    "^nearest$": lambda row: row[0].dataset.ids[row[1]],
    "^similarity$": lambda row: round(cross(row[0])[0, row[1]], 4),
    "^its class$": lambda row: row[0].dataset.labels.y[row[1]],
    "^class$": lambda row: row[2].labels[0],
    "^margin$": lambda row: round(float(-np.diff(np.sort(row[2].decisions[0])[::-1])[0]), 3),
}
NEW = Named(
    tables={
        r"^sequences\.new$": Rows(named, NEW_COLUMNS),
        r"^sequences\.nearest$": Rows(
            nearest,
            {
                "^item$": lambda row: row[0].dataset.ids[row[1]],
                "^class$": lambda row: row[0].dataset.labels.y[row[1]],
                "^similarity$": lambda row: cross(row[0])[0, row[1]],
            },
        ),
    },
    pictures={r"^sequences\.new\.decisions$": decisions},
    files={
        "^Table as CSV$": Rows(named, NEW_COLUMNS),
        "^NPZ$": Arrays({"raw": lambda seen: seen.result(ComparedRows).raw, "similarity": cross}),
        "^Similarities as CSV$": Rows(
            lambda seen: [(seen, at) for at in range(seen.dataset.n)],
            {
                "^new$": lambda row: row[0].result(ComparedRows).ids[0],
                "^item$": lambda row: row[0].dataset.ids[row[1]],
                "^raw$": lambda row: row[0].result(ComparedRows).raw[0, row[1]],
                "^similarity$": lambda row: cross(row[0])[0, row[1]],
            },
        ),
    },
)


def table(seen):
    return seen.result(StringTable)


def rows(seen):
    return list(table(seen).rows)


def shown(seen):
    """One-vs-rest accuracy of every row of the table, by kernel and power as a sentence names them."""
    drawn = seen.tables["sequences.kernels"]
    return {
        f"{kernel}, {setting}, power {power:g}": value
        for kernel, setting, power, value in zip(
            drawn["kernel"], drawn["parameters"], drawn["power"], drawn["one-vs-rest"], strict=True
        )
    }


ABOUT = {
    "^kernel$": lambda row: type(row.candidate.kernel).title,
    "^parameters$": lambda row: row.candidate.setting,
    "^power$": lambda row: row.power,
    "^repair$": lambda row: "clip" if row.repaired else "none",
}
FIELDS = {"one-vs-rest": "one_vs_rest", "multi-class": "multi_class", "balanced": "balanced"}
EVERY = Named(
    tables={
        r"^sequences\.kernels$": Rows(rows, ABOUT | drawn_columns(FIELDS, ("one_vs_rest", "multi_class")))
    },
    files={
        "^Table as CSV$": Rows(
            rows,
            ABOUT
            | {"^all_negative_floor$": lambda row: row.judgement.one_vs_rest.floor}
            | written_columns(
                FIELDS.values(),
                [("one_vs_rest", "sd_repeats"), ("one_vs_rest", "sd_folds"), ("multi_class", "sd_repeats")],
            ),
        )
    },
    counts=best_and_floor(rows, "one_vs_rest"),
    verdict=Said(lambda seen: table(seen).verdict(), shown, rounded=0.05),
)

SEQUENCES = {
    **one_kernel(spectrum_kernel, "Matrix"),
    "Why similar?": (PAIR, None),
    "Why this class?": (CLASS, None),
    "New sequences": (NEW, None),
    "Every string kernel": (EVERY, judge_all),
}
"""By tab: what it shows, and what is clicked first."""
