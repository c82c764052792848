"""What the page Many kernels shows of kernels that lack nothing."""

from __future__ import annotations

import numpy as np

from kernex_core.gram.normalize import center, cosine_normalize
from kernex_core.learning.compare import judged_verdict
from kernex_core.studies.combination import WeightPath
from kernex_core.studies.many_kernels import DecisionParts, ManyAccuracy, WeighedKernels
from tests.pages.named.compared import WORDS, Arrays, Matrix, Named, Rows, near
from tests.pages.named.drawn import dots_of, guides_of, lines_of
from tests.pages.named.judged import beside_best, pair_tables, with_ends
from tests.pages.named.kernel_pictures import spectra
from tests.pages.named.verdict_said import Said

KERNELS = ("good", "fair", "poor")


def given(seen, name):
    return seen.dataset.kernels[name].values


def scaled(seen, name):
    """On the scale that the page has by itself."""
    return cosine_normalize(given(seen, name))


def combined(seen):
    weights = seen.result(WeighedKernels).weights
    return sum(weight * scaled(seen, name) for weight, name in zip(weights, KERNELS, strict=True))


def judged(seen):
    return seen.result(ManyAccuracy).judged


def verdict(seen):
    """Of all that are judged; what learns nothing is plain."""
    plain = {f"{name} alone" for name in KERNELS} | {"sum"}
    return judged_verdict(judged(seen), plain=plain)


def ranked(seen):
    """Name, judgement and what was seen of each, the highest first."""
    rows = sorted(judged(seen).items(), key=lambda named: -named[1].multi_class.mean)
    return [(*row, seen) for row in rows]


def beside_the_best(row):
    """p beside the best, after correction."""
    made = verdict(row[2])
    return "best" if row[0] == made.best.name else made.of(row[0]).p


def tile(which):
    def meant(seen):
        one = which(verdict(seen))
        return 100 * one.value, [100 * one.interval.low, 100 * one.interval.high]

    return meant


def of(field, scale=100.0):
    return lambda row: with_ends(field, scale)(row[1])


def alignment(seen, one, other):
    A, B = center(scaled(seen, one)), center(scaled(seen, other))
    return float((A * B).sum() / np.linalg.norm(A) / np.linalg.norm(B))


def dots(seen, picture):
    shown = dots_of(picture)
    assert shown.keys() == judged(seen).keys()
    for name, made in judged(seen).items():
        near(shown[name], with_ends("multi_class", 100.0)(made), name)
    near(guides_of(picture), [100 * next(iter(judged(seen).values())).multi_class.floor], "floor")


def path(seen, picture):
    found, shown = seen.result(WeightPath), lines_of(picture)
    assert tuple(shown) == found.names
    for place, name in enumerate(found.names):
        near(shown[name][:, 0], np.log10(found.costs), name)
        near(shown[name][:, 1], 100 * found.weights[:, place], name)


def decision(seen, picture):
    found, (bars,) = seen.result(DecisionParts), picture.figure.data
    k = int(np.argmax(found.parts.sum(axis=0) + found.bias))
    near(bars.x, [*found.parts[:, k], found.bias[k]], "decision")
    assert found.classes[k] in picture.figure.layout.xaxis.title.text


def weighted(seen):
    """Rows of the weights inside the folds, by kernel."""
    return [(seen.result(ManyAccuracy).weights, place) for place in range(3)]


def inside(how, *fields, scale=1.0):
    return lambda row: [scale * getattr(row[0][how], field)[row[1]] for field in fields]


def fold_weights(seen):
    return [
        (how, fold, name, weights.by_fold[fold - 1][place])
        for how, weights in seen.result(ManyAccuracy).weights.items()
        for fold in range(1, len(weights.by_fold) + 1)
        for place, name in enumerate(KERNELS)
    ]


def path_rows(seen):
    found = seen.result(WeightPath)
    return [(found, c, place) for c in range(len(found.costs)) for place in range(3)]


SAID = Said(
    verdict, lambda seen: {name: row[0] for name, row in dots_of(seen.picture("many.accuracy")).items()}
)
PAIRS = pair_tables(judged, "many")
MANY = Named(
    verdict=SAID,
    tables={
        r"^many\.weights$": Rows(
            lambda seen: [(seen, place, name) for place, name in enumerate(KERNELS)],
            {
                "^kernel$": lambda row: row[2],
                "^weight": lambda row: row[0].result(WeighedKernels).weights[row[1]],
                "^mean self-similarity": lambda row: np.diag(given(row[0], row[2])).mean(),
            },
        ),
        r"^many\.judged$": Rows(
            ranked,
            {
                "^kernel$": lambda row: row[0],
                "^accuracy": of("multi_class"),
                "^beside the best$": beside_the_best,
                "^± over repetitions": lambda row: 100 * row[1].multi_class.sd_repeats,
                "^balanced": of("balanced"),
                "^one-vs-rest": of("one_vs_rest"),
                "^mode$": lambda row: row[1].state.words,
                "^remarks$": WORDS,
            },
        ),
        r"^many\.folds$": Rows(
            weighted,
            {
                "^kernel$": lambda row: KERNELS[row[1]],
                "^alignment: mean": inside("alignment", "mean", "sd"),
                "^alignment: used": inside("alignment", "used", scale=100.0),
                "^MKL: mean": inside("MKL", "mean", "sd"),
                "^MKL: used": inside("MKL", "used", scale=100.0),
            },
        ),
        r"^many\.alike$": Rows(
            lambda seen: [(seen, name) for name in KERNELS],
            {
                "^kernel$": lambda row: row[1],
                **{f"^{name}$": (lambda row, other=name: alignment(*row, other)) for name in KERNELS},
            },
        ),
        **PAIRS[0],
    },
    files={
        "^CSV$": Matrix(combined),
        "^NPZ$": Arrays({"K": combined}),
        "^Accuracies as CSV$": Rows(
            lambda seen: [(*named, verdict(seen)) for named in judged(seen).items()],
            {
                "^kernel$": lambda row: row[0],
                "^accuracy$": lambda row: row[1].multi_class.mean,
                "^floor$": lambda row: row[1].multi_class.floor,
                "^interval_from$": lambda row: row[1].interval().low,
                "^interval_to$": lambda row: row[1].interval().high,
                "^sd_repetitions$": lambda row: row[1].multi_class.sd_repeats,
                "^one_vs_rest$": lambda row: row[1].one_vs_rest.mean,
                **beside_best(lambda row: row[2], lambda row: row[0]),
                "^mode$": lambda row: row[1].state.words,
                "^p against chance$|^permutations$": lambda row: float("nan"),  # nobody has asked
                "^remarks$": WORDS,
            },
        ),
        "^Weights of folds as CSV$": Rows(
            fold_weights,
            {
                "^weights$": lambda row: row[0],
                "^fold$": lambda row: row[1],
                "^kernel$": lambda row: row[2],
                "^weight$": lambda row: row[3],
            },
        ),
        "^Path as CSV$": Rows(
            path_rows,
            {
                "^C$": lambda row: row[0].costs[row[1]],
                "^kernel$": lambda row: KERNELS[row[2]],
                "^weight$": lambda row: row[0].weights[row[1], row[2]],
                "^gap$": lambda row: row[0].gaps[row[1]],
            },
        ),
        **PAIRS[1],
    },
    pictures={
        r"^many\.combined\.0$": Matrix(combined, "Weighted sum"),
        **{
            rf"^many\.combined\.{place + 1}$": Matrix((lambda seen, one=name: scaled(seen, one)), name)
            for place, name in enumerate(KERNELS)
        },
        r"^many\.spectrum$": spectra(combined=combined),
        r"^many\.accuracy$": dots,
        r"^many\.path$": path,
        r"^many\.decision$": decision,
    },
    counts={
        "^Best$": tile(lambda made: made.best),
        "^Best plain$": tile(lambda made: made.best_plain),
        "^Floor$": lambda seen: (100 * next(iter(judged(seen).values())).multi_class.floor, []),
    },
)
