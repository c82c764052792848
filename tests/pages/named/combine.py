"""What the page Combine shows."""

from __future__ import annotations

import numpy as np

from kernex_core.learning.cells import COLUMNS, cell_interval, cell_verdict
from kernex_core.learning.leakage import evaluation_state
from kernex_core.learning.relations import related
from kernex_core.studies.combination import Combination, CombinationScores, of_each_curve
from tests.pages.named.compared import WORDS, Arrays, Matrix, Named, Rows, near
from tests.pages.named.drawn import guides_of, levels_of, lines_of
from tests.pages.named.kernel_pictures import eigenvector_file, eigenvector_points
from tests.pages.named.verdict_said import Said

LAM = 0.3


def found(seen):
    return seen.result(CombinationScores)


def mean(scores, measure="multi_class"):
    return 100.0 * np.mean([getattr(one, measure) for one in scores])


def accuracy(seen, picture):
    scores = found(seen).scores
    shown = lines_of(picture)
    assert shown.keys() == {"joint", "weighted sum"}
    for kind, rows in shown.items():
        at = sorted(lam for name, lam in scores if name == kind)
        intervals = [cell_interval(scores[kind, lam], "multi_class") for lam in at]
        meant = [
            (lam, mean(scores[kind, lam]), 100 * one.low, 100 * one.high)
            for lam, one in zip(at, intervals, strict=True)
        ]
        near(rows, meant, f"curve of {kind}")
    levels = levels_of(picture)
    assert list(levels) == ["good alone", "fair alone", "product", "floor"]
    meant = [mean(scores[kind, 0.0]) for kind in ("first", "second", "product")]
    near(list(levels.values()), [*meant, 100 * found(seen).floor["multi_class"]], "levels")
    assert len(set(np.round(list(levels.values()), 3))) == len(levels)
    near(guides_of(picture), [LAM], "guide")


OWN = {"first": "good alone", "second": "fair alone", "product": "product"}


def name_of(kind, lam):
    return OWN.get(kind, f"{kind} (λ = {lam:g})")


def verdict(seen, measure="multi_class"):
    """On everything on the chart."""
    scores = {name_of(*key): one for key, one in found(seen).scores.items()}
    return cell_verdict(scores, measure, plain=["good alone", "fair alone"])


def drawn_all(seen):
    """Every point of both curves, and the levels."""
    picture = seen.picture("combine.accuracy")
    points = {
        name_of(kind, lam): value
        for kind, rows in lines_of(picture).items()
        for lam, value, *_ in rows.tolist()
    }
    return points | {name: value for name, value in levels_of(picture).items() if name != "floor"}


SAID = Said(lambda seen: of_each_curve(verdict(seen), found(seen), "good", "fair"), drawn_all, whole=verdict)


def p_of(measure):
    def p(row):
        made = verdict(row[4], measure)
        each = made.of(name_of(*row[:2]))
        return None if each.name == made.best.name else each.p

    return p


def rows(seen):
    return [
        (kind, lam, place, one, seen)
        for (kind, lam), repeated in found(seen).scores.items()
        for place, one in enumerate(repeated)
    ]


def state(seen, kind, lam):
    """What the kept kernel of that name says."""
    made = seen.result(Combination)
    alone = {"first": made.first, "second": made.second}
    K = alone[kind] if kind in alone else made.kernel(kind, lam)
    return evaluation_state(K, inductive=False).words


def shown(kind):
    return lambda seen: seen.result(Combination).values(kind, LAM)


def interval_of(seen, kind):
    made = cell_interval(found(seen).scores[kind, LAM], "multi_class")
    return [100 * made.low, 100 * made.high]


def tile(kind):
    return lambda seen: (mean(found(seen).scores[kind, LAM]), interval_of(seen, kind))


def best_alone(seen):
    return max(mean(found(seen).scores[kind, 0.0]) for kind in ("first", "second")), []


def relations(seen):
    """Both kernels beside each other as they are combined, and with the third one held fixed where it was chosen."""
    made, labels = seen.result(Combination), seen.dataset.labels_with_copies
    return [
        (statistic, related(made.first, made.second, statistic=statistic, groups=labels))
        for statistic in ("alignment", "mantel")
    ]


RELATION = {
    "^value$": lambda row: row[1].value,
    "^by.chance$": lambda row: row[1].by_chance,
    "^p$": lambda row: row[1].p,
}

COMBINE = Named(
    verdict=SAID,
    tables={r"^combine\.related$": Rows(relations, {"^what": WORDS, **RELATION})},
    files={
        "^Relation as CSV$": Rows(
            relations,
            {
                "^statistic$": lambda row: row[0],
                "^held_fixed$": WORDS,
                **RELATION,
                "^items$": lambda row: row[1].units,
                "^permutations$": lambda row: row[1].permutations,
                "^seed$": lambda row: row[1].seed,
            },
        ),
        "^CSV$": Matrix(shown("joint")),
        "^NPZ$": Arrays({"K": shown("joint")}),
        "^Eigenvector as CSV$": eigenvector_file(shown("joint")),
        "^Accuracies as CSV$": Rows(
            rows,
            {
                "^combination$": lambda row: name_of(*row[:2]),
                "^lambda$": lambda row: row[1] if row[0] in ("joint", "weighted sum") else None,
                "^repetition$": lambda row: row[2],
                "^multi_class$": lambda row: row[3].multi_class,
                "^one_vs_rest$": lambda row: row[3].one_vs_rest,
                "^mode$": lambda row: state(row[4], row[0], row[1]),
                **{f"^{measure}_p_beside_the_best$": p_of(measure) for measure in COLUMNS},
            },
        ),
    },
    pictures={
        r"^combine\.accuracy$": accuracy,
        r"^combine\.eigenvector$": eigenvector_points(shown("joint")),
        r"^combine\.maps\.0$": Matrix(lambda seen: seen.result(Combination).first.values, "good"),
        r"^combine\.maps\.1$": Matrix(lambda seen: seen.result(Combination).second.values, "fair"),
        r"^combine\.maps\.2$": Matrix(shown("joint"), "Joint"),
        r"^combine\.maps\.3$": Matrix(shown("weighted sum"), "Weighted sum"),
        r"^combine\.maps\.4$": Matrix(shown("product"), "Product"),
    },
    counts={"^Joint$": tile("joint"), "^Weighted sum$": tile("weighted sum"), "^Best alone$": best_alone},
)
