"""What the page Power p shows of a kernel, its lessons apart."""

from __future__ import annotations

import numpy as np

from kernex_core.conditioning.empirical_map import empirical_map
from kernex_core.gram.diagnostics import diagnose
from kernex_core.learning.chance.paired import holm, paired
from kernex_core.studies.diagonals.strength_sweep import DiagonalSweep
from tests.pages.named.compared import WORDS, Arrays, Matrix, Named, Rows, near
from tests.pages.named.drawn import guides_of, levels_of, lines_of
from tests.pages.named.kernel_pictures import eigenvector_file, eigenvector_points, spectra
from tests.pages.named.kernels import neighbour
from tests.pages.named.verdict_said import Said

P = 0.5
NAMES = {"svm": "SVM", "neighbour": "1-NN", "components": "15 components"}


def K(seen):
    return seen.dataset.kernels["good"].values


def y(seen):
    return seen.dataset.labels.y


def after(seen):
    """All items described by the power of their similarities to all."""
    return empirical_map(K(seen), P)


def unit(matrix):
    return matrix / np.diag(matrix).mean()


def sweep(seen):
    return max(seen.by_class[DiagonalSweep], key=lambda one: one.done)


def at(seen, name, strength=P):
    found = sweep(seen)
    return found.original[name] if strength is None else found.judged[found.strengths.index(strength)][name]


def loss(losses):
    """Mean, interval, and both spreads, in percent."""
    found = [losses.mean, losses.interval.low, losses.interval.high, losses.sd_repeats, losses.sd_folds]
    return [100 * one for one in found]


def lowest(row):
    seen, name = row
    strength = min(sweep(seen).strengths, key=lambda p: at(seen, name, p).mean)
    return [100 * at(seen, name, strength).mean, strength]


def against(seen):
    """Each loss less that of the same classifier as it is, with p after correction for all of them."""
    keys = [(name, p) for p in sweep(seen).strengths for name in NAMES]
    found = [
        paired(at(seen, *key).by_item, at(seen, key[0], None).by_item, at(seen, *key).passes) for key in keys
    ]
    corrected = holm([one.p for one in found])
    return {key: (one, p) for key, one, p in zip(keys, found, corrected, strict=True)}


def less(row):
    one, p = against(row[0])[row[1], lowest(row)[1]]
    return [100 * one.difference, 100 * one.interval.low, 100 * one.interval.high, p]


def beside(take):
    """Of the same in the file; the kernel as it is stands beside nothing."""
    return lambda row: float("nan") if row[2] is None else take(*row[4][row[1], row[2]])


def chart(seen, picture):
    shown = lines_of(picture)
    assert shown.keys() == set(NAMES.values())
    strengths = sorted(sweep(seen).strengths)
    bands = [trace for trace in picture.figure.data if trace.fill == "toself"]
    assert len(bands) == 2
    for name, title in NAMES.items():
        meant = [(p, 100 * at(seen, name, p).mean) for p in strengths]
        near(shown[title][:, :2], meant, name)
        if name != "components":
            ends = [loss(at(seen, name, p))[1:3] for p in strengths]
            near(shown[title][:, 2:], ends, f"interval of {name}")
    near(guides_of(picture)[-1:], [P], "guide")
    found = sweep(seen)
    near(list(levels_of(picture).values()), [100 * found.floor, 100 * found.original["svm"].mean], "levels")


def called(name, strength):
    short = "components" if name == "components" else NAMES[name]
    return f"{short}, as it is" if strength is None else f"{short}, p = {strength:g}"


def drawn_all(seen):
    """Every value of every classifier, and the support vector machine as it is."""
    picture = seen.picture("diagonals.losses")
    levels = list(levels_of(picture).values())
    return {called("svm", None): levels[1]} | {
        called(name, p): value
        for name, title in NAMES.items()
        for p, value, *_ in lines_of(picture)[title].tolist()
    }


SAID = Said(lambda seen: sweep(seen).verdict(called), drawn_all)


def histogram(matrix):
    def compare(seen, picture):
        (bars,) = picture.figure.data
        sizes = np.abs(unit(matrix(seen))[np.triu_indices(len(K(seen)), 1)])
        assert np.sum(bars.y) == (sizes > 0).sum()
        width = np.diff(np.asarray(bars.x, float)).mean()
        first = float(bars.x[0]) - width / 2
        edges = first + width * np.arange(len(bars.y) + 1)
        counted = np.histogram(np.log10(sizes[sizes > 0]), edges)[0]
        # an entry on an edge may be counted on either side of it
        assert np.abs(counted - np.asarray(bars.y)).sum() <= 4

    return compare


def both(field, scale=1.0):
    def meant(seen):
        now, was = (getattr(diagnose(one, y(seen)), field) for one in (after(seen), K(seen)))
        return scale * now, [] if np.isinf(was) else [scale * was]

    return meant


def tile(strength):
    def meant(seen):
        found = loss(at(seen, "svm", strength))
        return found[0], found[1:3]

    return meant


def losses(seen):
    found = sweep(seen)
    compared = against(seen)
    rows = [(found, name, None, one, compared) for name, one in found.original.items()]
    for strength, judged in zip(found.strengths, found.judged, strict=True):
        rows += [(found, name, strength, one, compared) for name, one in judged.items()]
    return rows


def of(field):
    return lambda row: getattr(row[3], field)


DIAGONALS = Named(
    verdict=SAID,
    tables={
        r"^diagonals\.losses$": Rows(
            lambda seen: [(seen, name) for name in NAMES],
            {
                "^classifier$": WORDS,
                "^as it is$": lambda row: loss(at(*row, None)),
                "^at p": lambda row: loss(at(*row)),
                "^lowest of": lowest,
                "^lowest less": less,
            },
        ),
    },
    files={
        "^CSV$": Matrix(after),
        "^NPZ$": Arrays({"K": after}),
        "^Eigenvector as CSV$": eigenvector_file(lambda seen: unit(K(seen))),
        "^Losses as CSV$": Rows(
            losses,
            {
                "^classifier$": lambda row: row[1],
                "^value$": lambda row: "as it is" if row[2] is None else str(row[2]),
                "^balanced_loss$": of("mean"),
                "^interval_from$": lambda row: row[3].interval.low,
                "^interval_to$": lambda row: row[3].interval.high,
                "^sd_repetitions$": of("sd_repeats"),
                "^sd_folds$": of("sd_folds"),
                "^training_errors$": of("training_errors"),
                "^at_bound$": of("at_bound"),
                "^not_converged$": of("not_converged"),
                "^problems$": of("problems"),
                "^iterations$": of("iterations"),
                "^less_as_it_is$": beside(lambda one, p: one.difference),
                "^less_as_it_is_p$": beside(lambda one, p: one.p),
                "^less_as_it_is_p_holm$": beside(lambda one, p: p),
                "^mode$": lambda row: row[0].state.words,
                "^remarks$": WORDS,
            },
        ),
        "^Numbers as CSV$": WORDS,  # of a lesson
    },
    pictures={
        r"^diagonals\.maps\.0$": Matrix(lambda seen: unit(K(seen)), "Before"),
        r"^diagonals\.maps\.1$": Matrix(lambda seen: unit(after(seen)), "After"),
        r"^diagonals\.spectra$": spectra(
            before=lambda seen: unit(K(seen)), after=lambda seen: unit(after(seen))
        ),
        r"^diagonals\.histogram\.Before$": histogram(K),
        r"^diagonals\.histogram\.After$": histogram(after),
        r"^diagonals\.eigenvector$": eigenvector_points(lambda seen: unit(K(seen))),
        r"^diagonals\.losses$": chart,
        r"^diagonals\.lesson\.": WORDS,
    },
    counts={
        "^Diagonal ratio$": both("dominance"),
        "^SVM loss$": tile(P),
        "^As it is$": tile(None),
        "^Zeros": both("zero_share", 100.0),
        "^Effective rank": both("effective_rank"),
        "^Condition": both("condition"),
        "^1-NN": lambda seen: (
            neighbour(after(seen), y(seen))[0],
            [
                neighbour(K(seen), y(seen))[0],
                *neighbour(after(seen), y(seen))[1:],
                100 * diagnose(K(seen), y(seen)).neighbour_floor,
            ],
        ),
    },
)
