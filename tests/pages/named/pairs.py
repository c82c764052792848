"""What the page Complete shows where single pairs are unknown: with a source and labels, of hits, of one matrix alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kernex_core.completion.scattered.factors import source_penalty
from kernex_core.completion.scattered.fills import hide_pairs
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.studies.completion.candidates import Measured
from kernex_core.studies.completion.pairs import CompletedScores
from tests.pages.named.compared import WORDS, Arrays, Matrix, Named, Rows, near
from tests.pages.named.drawn import lines_of
from tests.pages.named.told import tells

# Data: items in three classes of unlike size, of which single pairs are unknown.


def gapped(*, source=True, labels=True):
    """A fifth of the pairs is unknown, which ones is chance."""
    rng = np.random.default_rng(8)
    y = np.repeat(["a", "b", "c"], [18, 13, 9])
    ids = tuple(f"item{i}" for i in range(y.size))
    Z = 1.3 * rng.standard_normal((3, 6))[np.searchsorted(["a", "b", "c"], y)]
    Z = Z + rng.standard_normal(Z.shape)
    unknown = np.triu(rng.random((y.size, y.size)) < 0.2, 1)
    kernels = {"measured": GramMatrix(np.where(unknown | unknown.T, np.nan, Z @ Z.T), ids, "measured")}
    if source:
        X = Z + 0.8 * rng.standard_normal(Z.shape)
        kernels["cheap"] = GramMatrix(X @ X.T, ids, "cheap")
    return DataSet("gapped", ids, Labels(ids, y) if labels else None, kernels=kernels)


def hits():
    """The same, of which what is low was not reported: some of what is high was missed."""
    data = gapped()
    K = data.kernels["measured"].values
    low = np.nan_to_num(K, nan=np.inf) < np.nanquantile(K[np.triu_indices(len(K), 1)], 0.6)
    np.fill_diagonal(low, False)
    reported = GramMatrix(np.where(low, np.nan, K), data.ids, "measured")
    kernels = {**data.kernels, "measured": reported}
    return replace(data, kernels=kernels, defaults=replace(data.defaults, unreported=True))


def looked_at(dataset, share):
    """The pair that is looked at: one that is hidden on purpose, unless none is."""
    target = dataset.kernels["measured"]
    gone = np.isnan(hide_pairs(target, share).values) if share else np.isnan(target.values)
    if share:
        gone &= ~np.isnan(target.values)
    return tuple(np.argwhere(np.triu(gone, 1))[2].tolist())


# What is shown, from what was brought and from the study's result.


def made(seen):
    """The study, not the first picture."""
    return [each for each in seen.by_class[CompletedScores] if each.scores][-1]


def fit(seen):
    return made(seen).completed


def model(seen):
    return fit(seen).model


def kept(seen):
    """The kernel that is shown as the completed one."""
    return fit(seen).gram.values if made(seen).hits is None else made(seen).hits.gram.values


def likely(seen):
    return made(seen).hits.likely


def truth(seen):
    """As it was brought, with self-similarities of 1."""
    K = seen.dataset.kernels["measured"].values
    size = np.sqrt(np.diag(K))
    return K / size[:, None] / size


def given(seen):
    """What is left to complete from."""
    return made(seen).seen.values


def hidden(seen):
    return np.isnan(given(seen)) & ~np.isnan(truth(seen))


def off(seen):
    return np.where(hidden(seen), model(seen) - truth(seen), np.nan)


def on_hidden(seen, K):
    """(p,) of each hidden pair once."""
    return K[np.triu(hidden(seen), 1)]


def upper(seen):
    return np.triu_indices(seen.dataset.n, 1)


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def error(seen):
    return rms(on_hidden(seen, off(seen))) if hidden(seen).any() else float("nan")


def unknown(seen):
    return int(np.isnan(truth(seen)[upper(seen)]).sum())


def own(seen):
    return made(seen).scores[0]


def plain(seen):
    """The plain way that is nearest to the truth on hidden pairs."""
    return min(made(seen).scores[1:], key=lambda each: np.nan_to_num(each.error, nan=np.inf))


def found(seen):
    """Share of couples of a hidden hit and a pair that never was reported of which the hit is likelier."""
    high = on_hidden(seen, likely(seen))[:, None]
    low = likely(seen)[np.triu(np.isnan(truth(seen)), 1)]
    return float(np.mean((high > low) + 0.5 * (high == low)))


def finder(seen):
    """The plain way that tells most hidden hits."""
    return max(made(seen).scores[1:], key=lambda each: np.nan_to_num(each.auc, nan=-1.0))


def judged(each):
    """Accuracy of a way's kernel in percent, and its interval; NaN of a way that makes none."""
    if each.judgement is None:
        return float("nan"), [float("nan")] * 2
    ends = each.judgement.interval()
    return 100 * each.judgement.multi_class.mean, [100 * ends.low, 100 * ends.high]


def best(seen):
    """Of all ways, the one whose kernel is best for classes."""
    return max(made(seen).scores, key=lambda each: judged(each)[0])


def moved(seen):
    """How far the shown kernel is from known values: root mean square over pairs."""
    return rms((kept(seen) - given(seen))[upper(seen)][~np.isnan(given(seen)[upper(seen)])])


def pulls(seen):
    """Known pairs of the two items that are looked at, by how far the prediction moves where their value grows by 1."""
    one, rows = fit(seen), []
    U, W, n = one.fitted.U, one.problem.W, one.problem.n
    L = source_penalty(one.problem.S, n, one.rho)
    pair = seen.pair
    for a, b in (pair, pair[::-1]):
        others = np.flatnonzero(W[a])
        A = U[others].T @ U[others] + one.fitted.lam * L[a, a] * np.eye(U.shape[1])
        rows += [(float(U[b] @ np.linalg.solve(A, U[k])), a, k) for k in others]
    return sorted(rows, key=lambda row: -abs(row[0]))[:5]


def thirds(seen):
    """Half widths and errors of hidden pairs, the surest third first."""
    half, miss = on_hidden(seen, fit(seen).half_width), np.abs(on_hidden(seen, off(seen)))
    return [(half[part], miss[part]) for part in np.array_split(np.argsort(half, kind="stable"), 3)]


def matrices(seen):
    """What the picture, and then the table of a pair, has: name and matrix."""
    if made(seen).hits is None:
        third = "Uncertainty", fit(seen).sd
    else:
        third = "If reported", np.where(np.isnan(given(seen)), model(seen), given(seen))
    shown = [("Known", given(seen)), ("Completed", kept(seen)), third]
    return [*shown, ("Error", off(seen))] if hidden(seen).any() else shown


def panel(k, seen):
    return matrices(seen)[k][1]


def of_the_pair(seen):
    i, j = seen.pair
    sources = [(name, K.values) for name, K in seen.dataset.kernels.items() if name != "measured"]
    return [(name, K[i, j], K[i, i], K[j, j]) for name, K in (*matrices(seen), *sources)]


def predicted(seen, picture):
    """Each hidden pair once, in or outside of its interval."""
    x, y, half = (on_hidden(seen, K) for K in (model(seen), truth(seen), fit(seen).half_width))
    ids = seen.dataset.ids
    names = np.array([f"{ids[i]}, {ids[j]}" for i, j in np.argwhere(np.triu(hidden(seen), 1))])
    traces = {trace.name: trace for trace in picture.figure.data if trace.name}
    assert traces.keys() == {"within", "outside"}
    for name, trace in traces.items():
        at = np.argsort(x, kind="stable")
        at = at[(np.abs(x - y) <= half)[at] == (name == "within")]
        near(trace.x, x[at], f"predicted, {name}")
        near(trace.y, y[at], f"measured, {name}")
        near(trace.error_x.array, half[at], f"interval, {name}")
        assert list(trace.text) == names[at].tolist()


def measured(seen, picture):
    one, shown = seen.result(Measured), lines_of(picture)
    assert shown.keys() == {"at random", "chosen"}
    near(shown["at random"][:, :2], np.column_stack([one.counts, one.random]), "at random")
    near(shown["chosen"][:, :2], np.column_stack([one.counts, one.active]), "chosen")


def known_of(seen, item):
    """How many pairs of an item are known and not hidden."""
    return int((np.delete(fit(seen).problem.W[item], item) > 0).sum())


def next_to_measure(purpose):
    """What is asked for next: ids and gain; its numbers are looked up."""

    def rows(seen):
        ids = seen.dataset.ids
        return [
            (seen, place, ids.index(each.first), ids.index(each.second), each.gain)
            for place, each in enumerate(fit(seen).next_pairs(10, purpose), 1)
        ]

    return rows


def missed(seen):
    """Pairs without a value, the likeliest first."""
    pairs = np.argwhere(np.triu(np.isnan(given(seen)), 1)).tolist()
    first = sorted(pairs, key=lambda at: -likely(seen)[tuple(at)])[:10]
    return [(seen, place, *at, None) for place, at in enumerate(first, 1)]


def entry(K):
    return lambda row: float(K(row[0])[row[2], row[3]])


def called(which):
    return lambda row: row[0].dataset.ids[row[which]]


def ways(seen):
    return [(seen, each) for each in made(seen).scores]


def is_own(row):
    return row[1] is own(row[0])


def p(row):
    """Of a way's kernel beside the best."""
    return float("nan") if row[1] is best(row[0]) else made(row[0]).verdict.of(row[1].name).p


# Sentences.


def of_classes(seen):
    """The accuracy that is said of another way, where one is better."""
    return [] if seen.dataset.labels is None or best(seen) is own(seen) else [judged(best(seen))[0]]


def says(text, name, numbers):
    assert name in text, f"{name!r} is meant: {text!r}"
    assert tells(text.replace(name, ""), numbers), f"{text!r} is said, {numbers} is meant"


def said_of_gaps(seen, text):
    pairs, other = on_hidden(seen, off(seen)).size, plain(seen)
    assert error(seen) < other.error, "the sentence says that another way is better; compare on other data"
    share = 100 * error(seen) / other.error
    says(text, other.name, [pairs, share, own(seen).rank, unknown(seen), *of_classes(seen)])


def said_of_hits(seen, text):
    pairs, other = on_hidden(seen, off(seen)).size, finder(seen)
    says(text, other.name, [pairs, found(seen), other.auc, unknown(seen), *of_classes(seen)])


def said_as_uploaded(seen, text):
    says(text, "cheap", [unknown(seen)])


def said_of_the_pair(seen, text):
    at = seen.pair
    more = [] if made(seen).hits is None else [likely(seen)[at]]
    assert tells(text, [model(seen)[at], fit(seen).half_width[at], 90, *more]), text


def said_of_the_move(seen, text):
    assert moved(seen) > 0
    assert tells(re.search(r"moved by (.*?) \(root mean", text)[1], [moved(seen)]), text


def said_of_measuring(seen, text):
    assert tells(text, [100 * seen.result(Measured).saved]), text


# Scenes: data, what is set, and what is shown of it. Of the columns of a table each is there in some scenes.

OF_A_PAIR = {
    "^place$": lambda row: row[1],
    "^first$": called(2),
    "^second$": called(3),
    "^(prediction|score( if reported)?)$": entry(model),
    "sd$": entry(lambda seen: fit(seen).sd),
    "^gain$": lambda row: row[4],
    "^likely$": entry(likely),
    "^gain, % of the first$": lambda row: 100 * row[4] / fit(row[0]).next_pairs(1)[0].gain,
    "^known_of_first$": lambda row: known_of(row[0], row[2]),
    "^known_of_second$": lambda row: known_of(row[0], row[3]),
    "^known pairs of both$": lambda row: f"{known_of(row[0], row[2])}, {known_of(row[0], row[3])}",
}


def auc(row):
    if made(row[0]).hits is None:
        return float("nan")
    return found(row[0]) if is_own(row) else row[1].auc


OF_A_WAY = {
    "^way$": lambda row: row[1].name,
    "^error$": lambda row: error(row[0]) if is_own(row) else row[1].error,
    "^rank.correlation$": lambda row: row[1].rank,
    r"^(found \()?(auc|AUC)\)?$": auc,
    "^multi-class$": lambda row: judged(row[1])[0],
    "^beside the best$": lambda row: [p(row)],
    "^multi_class$": lambda row: judged(row[1])[0] / 100,
    "^multi_class_from$": lambda row: judged(row[1])[1][0] / 100,
    "^multi_class_to$": lambda row: judged(row[1])[1][1] / 100,
    "^p$": lambda row: made(row[0]).verdict.of(row[1].name).p,
}
ARRAYS = {
    "completed": kept,
    "model": model,
    "sd": lambda seen: fit(seen).sd,
    "half_width": lambda seen: fit(seen).half_width,
    "known": lambda seen: ~np.isnan(given(seen)),
    "hidden": hidden,
}
COVERAGE = {
    "^pairs$": WORDS,
    "^half width$": lambda third: float(np.median(third[0])),
    "^error$": lambda third: rms(third[1]),
    "^within$": lambda third: 100 * float(np.mean(third[1] <= third[0])),
}
ACCURACY = {"^Accuracy$": lambda seen: judged(own(seen))}
WITHIN = {
    "^Within intervals$": lambda seen: (
        100 * np.mean(np.abs(on_hidden(seen, off(seen))) <= on_hidden(seen, fit(seen).half_width)), [90],
    )
}  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """Data, the address, the pair that is looked at, whether a study is started by a click, and what is shown."""

    dataset: DataSet
    query: Mapping[str, str]
    pair: tuple[int, int]
    named: Named
    click: bool = False


def scene(dataset, share, *, listed, texts, counts, third="Uncertainty", **more):
    """What is shown of data with a share of the pairs hidden: what every scene has, and what this one has."""
    i, j = pair = looked_at(dataset, share)
    pairs = r"^complete\.pairs\.{}$".format
    about, name = listed
    titles = ["Known", "Completed", third, *(["Error"] if share else [])]
    pictures = {
        pairs(rf"maps\.{k}"): Matrix(partial(panel, k), f"^{title}$") for k, title in enumerate(titles)
    }
    tables = {
        pairs(r"maps\.pair"): Rows(
            of_the_pair,
            {
                "^similarity$": lambda row: row[0],
                "^with each other$": lambda row: [row[1]],
                f"^item{i} with itself$": lambda row: [row[2]],
                f"^item{j} with itself$": lambda row: [row[3]],
            },
        ),
        pairs("rests"): Rows(
            lambda seen: [(seen, *row) for row in pulls(seen)],
            {
                "^known pair$": lambda row: f"item{row[2]}, item{row[3]}",
                "^value$": lambda row: [given(row[0])[row[2], row[3]]],
                "^moves": lambda row: [row[1]],
            },
        ),
        pairs("scores"): Rows(ways, OF_A_WAY),
        pairs(name): Rows(about, OF_A_PAIR),
    }
    if share:
        tables[pairs("coverage")] = Rows(thirds, COVERAGE)
        pictures[pairs("predicted")] = predicted
        counts = {"^Error$": lambda seen: (error(seen), [plain(seen).error]), **counts}
    click = more.pop("click", False)
    if click:
        pictures[pairs("measured")] = measured
    named = Named(
        tables=tables,
        files={
            "^Table as CSV$": Rows(ways, OF_A_WAY),
            "^Pairs as CSV$": Rows(about, OF_A_PAIR),
            "^CSV$": Matrix(kept),
            "^NPZ$": Arrays({**ARRAYS, **more.pop("arrays", {})}),
        },
        pictures=pictures,
        counts=counts,
        texts={r"^Predicted \*\*": said_of_the_pair, "moved by": said_of_the_move, **texts},
    )
    query = {"hidden_pairs": f"{100 * share:.0f} %" if share else "as uploaded", **more}
    return Scene(dataset, query, pair, named, click)


SCENES = {
    "gaps beside a source, with labels": scene(
        gapped(), 0.3, click=True,
        listed=(next_to_measure("learn"), "next"),
        counts=WITHIN | ACCURACY,
        texts={"hidden pairs found with": said_of_gaps, "random choice's last error": said_of_measuring},
    ),
    "unreported hits": scene(
        hits(), 0.3, third="If reported", arrays={"likely": likely},
        listed=(missed, "missed"),
        counts={"^Hits found$": lambda seen: (found(seen), [finder(seen).auc])} | ACCURACY,
        texts={"hidden hits told from": said_of_hits},
    ),
    "one matrix alone": scene(
        gapped(source=False, labels=False), 0.2,
        listed=(next_to_measure("learn"), "next"),
        counts=WITHIN | {"^Rank correlation$": lambda seen: (own(seen).rank, [plain(seen).rank])},
        texts={"hidden pairs found with": said_of_gaps},
    ),
    "as uploaded": scene(
        gapped(), 0.0, purpose="find hits",
        listed=(next_to_measure("hits"), "next"),
        counts={
            "^Unknown pairs$": lambda seen: (unknown(seen), []),
            "^Expected error$": lambda seen: (fit(seen).error, []),
        } | ACCURACY,
        texts={"unknown pairs completed": said_as_uploaded},
    ),
}  # fmt: skip
