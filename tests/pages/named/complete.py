"""What the page Complete shows."""

from __future__ import annotations

import numpy as np

from kernex_core.learning.cells import cell_interval, cell_verdict
from kernex_core.learning.leakage import evaluation_state
from kernex_core.studies.completion.share_sweep import Sweep, joint_scores, other_joint_scores
from kernex_core.studies.completion.study import Completion, CompletionView
from tests.pages.named.compared import WORDS, Arrays, Matrix, Named, Rows, near
from tests.pages.named.drawn import guides_of, levels_of, lines_of
from tests.pages.named.kernel_pictures import eigenvector_file, eigenvector_points, spectra
from tests.pages.named.verdict_said import Said

NAMES = {
    "joint": "joint", "other joint": "joint with the residual", "extrapolated": "extrapolated",
    "two machines": "two machines", "nystroem": "Nyström", "zero-fill": "zero-fill", "mean-fill": "mean-fill",
    "source": "good alone", "target": "fair, complete",
}  # fmt: skip


def sweeps(seen):
    """Of every hidden share, whole."""
    return {one.shares[0]: one for one in seen.by_class[Sweep] if one.done == one.total}


def here(seen):
    """Of the share that the page shows."""
    return sweeps(seen)[made(seen).config.share]


def made(seen):
    return seen.result(Completion)


def view(seen):
    return seen.result(CompletionView)


def judged(seen, role, sweep=None):
    """Scores of one contestant, one a repetition."""
    sweep = here(seen) if sweep is None else sweep
    if role in ("source", "target"):
        return sweep.levels[role]
    if role == "joint":
        return [joint_scores(cell, view(seen).lam) for cell in sweep.cells]
    if role == "other joint":
        return [other_joint_scores(cell, view(seen).lam) for cell in sweep.cells]
    return [cell.plain[role] for cell in sweep.cells]


def moments(scores, measure):
    """Mean, both ends of its interval, and the deviation over repetitions."""
    values, interval = [getattr(one, measure) for one in scores], cell_interval(scores, measure)
    return np.array([np.mean(values), interval.low, interval.high, np.std(values, ddof=1)])


def error(seen, role):
    """Root mean square on the pairs with a hidden item, after least squares."""
    done = made(seen)
    lam, K = view(seen).lam, view(seen).K
    rest = done.source.values + done.config.nugget * np.eye(done.m) - done.baselines["nystroem"]
    beyond = np.where(np.outer(~done.known, ~done.known), rest, 0.0) / lam
    K = {
        "joint": K, "other joint": K + beyond, "extrapolated": done.extrapolation.T_hat, **done.baselines,
    }.get(role)  # fmt: skip
    if K is None:
        return float("nan")
    pairs = done.hidden[:, None] | done.hidden[None, :]
    np.fill_diagonal(pairs, False)
    x, y = K[pairs], done.truth[pairs]
    scale = x @ y / (x @ x) if x.any() else 1.0
    return float(np.sqrt(np.mean((scale * x - y) ** 2)))


def state(seen, role):
    """What the kept kernel of that name says; of two machines nothing is kept."""
    done = made(seen)
    alone = {
        "source": (done.source,),
        "target": (done.known_target,),
        "two machines": (done.source, done.known_target),
    }
    return evaluation_state(*alone.get(role, (done.kernel(view(seen).lam),)), inductive=False).words


PLAIN = ("nystroem", "zero-fill", "mean-fill", "source")


def verdict(seen):
    """On everything but the target that nobody has."""
    scores = {name: judged(seen, role) for role, name in NAMES.items() if role != "target"}
    return cell_verdict(scores, plain=[NAMES[role] for role in PLAIN])


def beside_the_best(row):
    """What a row says of its contestant beside the best, and p."""
    seen, role = row
    if role == "target":
        return "", float("nan")
    found, each = verdict(seen), verdict(seen).of(NAMES[role])
    if each.name == found.best.name:
        return "best", float("nan")
    return "worse" if each.told_apart else "not told apart", each.p


def rows(seen):
    return [(seen, role) for role in NAMES]


def moment(measure, place):
    return lambda row: moments(judged(*row), measure)[place]


def accuracy(seen, picture):
    shown, rising = lines_of(picture), sorted(sweeps(seen))
    lines = [role for role in NAMES if role not in ("source", "target")]
    assert shown.keys() == {NAMES[role] for role in lines}
    for role in lines:
        points = [made(seen).config.share] if role == "other joint" else rising
        for (x, mean, low, high), share in zip(shown[NAMES[role]], points, strict=True):
            meant = 100 * moments(judged(seen, role, sweeps(seen)[share]), "multi_class")
            near([x, mean], [100 * share, meant[0]], f"{role} at {share}")
            if role in ("joint", "other joint"):
                near([low, high], meant[1:3], f"interval of {role} at {share}")
    levels = levels_of(picture)
    assert list(levels) == [NAMES["target"], NAMES["source"], "floor"]
    meant = [100 * moments(judged(seen, role), "multi_class")[0] for role in ("target", "source")]
    near(list(levels.values()), [*meant, 100 * here(seen).multi_floor], "levels")
    assert len(set(np.round(list(levels.values()), 3))) == 3
    near(guides_of(picture), [100 * made(seen).config.share], "guide")


def drawn_here(seen):
    """Of the share that is shown; the complete target nobody has."""
    picture, share = seen.picture("complete.accuracy"), 100 * made(seen).config.share
    found = {
        name: next(value for x, value, *_ in rows if abs(x - share) < 1e-9)
        for name, rows in lines_of(picture).items()
    } | levels_of(picture)
    return {name: value for name, value in found.items() if name not in ("floor", NAMES["target"])}


SAID = Said(verdict, drawn_here)


def trust(seen, picture):
    (bars,) = picture.figure.data
    done = made(seen)
    near(bars.y, np.sort(100 * (1 - done.extrapolation.unexplained[~done.known]))[::-1], "trust")


def unknown(seen):
    """Unknown items, the least explained first."""
    done = made(seen)
    at = np.flatnonzero(~done.known)
    return [(seen, i) for i in at[np.argsort(1 - done.extrapolation.unexplained[at], kind="stable")]]


def explained(row):
    seen, i = row
    return 1 - made(seen).extrapolation.unexplained[i]


def known_alone(seen):
    done = made(seen)
    return np.where(np.outer(done.known, done.known), done.truth, np.nan)


def off(seen):
    """The joint kernel minus the truth, after least squares on the hidden pairs."""
    return view(seen).scale * view(seen).K - made(seen).truth


def tile(role):
    def meant(seen):
        found = 100 * moments(judged(seen, role), "multi_class")
        return found[0], found[1:3]

    return meant


def over_lam(seen, picture):
    """Every λ that is tried, at the share that is shown, beside what has none."""
    ((name, points),) = lines_of(picture).items()
    assert name == "joint"
    lams = (0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
    for (x, mean, low, high), lam in zip(points, lams, strict=True):
        scores = [joint_scores(cell, lam) for cell in here(seen).cells]
        meant = 100 * moments(scores, "multi_class")
        near([x, mean, low, high], [lam, *meant[:3]], f"λ = {lam}")
    meant = [100 * moments(judged(seen, role), "multi_class")[0] for role in ("extrapolated", "source")]
    levels = levels_of(picture)
    assert list(levels) == ["extrapolated", NAMES["source"], "floor"]
    near(list(levels.values()), [*meant, 100 * here(seen).multi_floor], "levels over λ")
    near(guides_of(picture), [view(seen).lam], "λ that is set")


def joint(seen):
    return view(seen).K


COMPLETE = Named(
    verdict=SAID,
    tables={
        r"^complete\.baselines$": Rows(
            rows,
            {
                "^kernel$": lambda row: NAMES[row[1]],
                "^meaning$": WORDS,
                "^multi-class": lambda row: 100 * moments(judged(*row), "multi_class"),
                "^one-vs-rest": lambda row: 100 * moments(judged(*row), "one_vs_rest"),
                "^beside the best$": lambda row: [beside_the_best(row)[1]],
                "^error": lambda row: error(*row),
            },
        ),
    },
    files={
        "^CSV$": Matrix(joint),
        "^NPZ$": Arrays(
            {
                "joint": joint,
                "extrapolated": lambda seen: made(seen).extrapolation.T_hat,
                "truth": lambda seen: made(seen).truth,
                "known": lambda seen: made(seen).known,
                "hidden": lambda seen: made(seen).hidden,
                "unexplained": lambda seen: made(seen).extrapolation.unexplained,
                "lam": lambda seen: view(seen).lam,
            }
        ),
        "^Eigenvector as CSV$": eigenvector_file(joint),
        "^Trust as CSV$": Rows(
            unknown,
            {"^id$": lambda row: f"item{row[1]}", "^class$": WORDS, "^explained$": explained},
        ),
        "^Table as CSV$": Rows(
            rows,
            {
                "^kernel$": lambda row: NAMES[row[1]],
                "^meaning$": WORDS,
                "^error$": lambda row: error(*row),
                "^mode$": lambda row: state(*row),
                "^beside_the_best$": lambda row: beside_the_best(row)[0],
                "^p$": lambda row: beside_the_best(row)[1],
                "^multi_class$": moment("multi_class", 0),
                "^multi_class_sd$": moment("multi_class", 3),
                "^multi_class_from$": moment("multi_class", 1),
                "^multi_class_to$": moment("multi_class", 2),
                "^one_vs_rest$": moment("one_vs_rest", 0),
                "^one_vs_rest_sd$": moment("one_vs_rest", 3),
                "^one_vs_rest_from$": moment("one_vs_rest", 1),
                "^one_vs_rest_to$": moment("one_vs_rest", 2),
            },
        ),
    },
    pictures={
        r"^complete\.maps\.0$": Matrix(known_alone, "Known"),
        r"^complete\.maps\.1$": Matrix(lambda seen: made(seen).extrapolation.T_hat, "Extrapolated"),
        r"^complete\.maps\.2$": Matrix(joint, "Joint"),
        r"^complete\.maps\.3$": Matrix(off, "Error"),
        r"^complete\.over_lam$": over_lam,
        r"^complete\.spectrum$": spectra(
            fair=lambda seen: made(seen).truth, extrapolated=lambda seen: made(seen).extrapolation.T_hat, joint=joint
        ),
        r"^complete\.eigenvector$": eigenvector_points(joint),
        r"^complete\.trust\.bars$": trust,
        r"^complete\.accuracy$": accuracy,
    },
    counts={
        "^Error$": lambda seen: (error(seen, "joint"), [error(seen, "mean-fill")]),
        "^Trace kept": lambda seen: (
            100 * made(seen).extrapolation.trace_share, [made(seen).known.sum(), made(seen).m]
        ),
        "^Explained": lambda seen: (
            100 * float(np.median([explained(row) for row in unknown(seen)])), []
        ),
        "^Extrapolated$": tile("extrapolated"),
        "^Joint$": tile("joint"),
    },
)  # fmt: skip
