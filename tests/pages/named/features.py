"""What the page Features on a network shows of its demo."""

from __future__ import annotations

import re

import numpy as np

from kernex_core.datasets.genes import PLANTED
from kernex_core.inputs.items.match import MatchedFeatures
from kernex_core.learning.compare import compare, judged_verdict
from kernex_core.studies.networks.features.accuracy import FeatureSweep, NodeWeights
from kernex_core.studies.networks.features.graph_lasso import GraphLasso, recovered
from pages.server.digits import number
from tests.pages.named.compared import WORDS, Named, Rows, near
from tests.pages.named.drawn import levels_of, lines_of
from tests.pages.named.judged import beside_best, ends
from tests.pages.named.told import tells
from tests.pages.named.verdict_said import Said

PENALTY = 1.0


def network(seen):
    return seen.result(MatchedFeatures).network


def effect(seen):
    """What the demo has planted."""
    attributes = network(seen).attributes
    planted = attributes.X[:, attributes.columns.index(PLANTED)]
    return planted if weights(seen).of == "case" else -planted


def weights(seen, smooth=True):
    found = [one for one in seen.by_class[NodeWeights] if (one.kernel is not None) == smooth]
    return found[-1]


def sweep(seen):
    return max(seen.by_class[FeatureSweep], key=lambda one: one.done)


def here(seen):
    """Place of the parameter that is shown."""
    return sweep(seen).kernels.index(weights(seen).kernel)


def step(seen):
    return next(one for one in seen.result(GraphLasso).steps if one.strength == PENALTY)


def known(seen, one=None):
    return recovered(seen.result(GraphLasso), step(seen) if one is None else one, effect(seen) != 0.0)


def nodes(beta):
    """Weights said on hover, node by node; that of `beta` from what was seen."""

    def compare_nodes(seen, picture):
        said = next(trace.hovertext for trace in picture.figure.data if trace.hovertext is not None)
        for place, text in enumerate(said):
            name, _, rest = text.partition("<br>")
            numbers = re.match(r"weight (.*), degree (\d+)", rest)
            assert name == network(seen).ids[place]
            assert tells(numbers[1], [beta(seen)[place]]), text
            assert int(numbers[2]) == network(seen).neighbours[place]

    return compare_nodes


def roughness(made, seen):
    """β'Lβ / β'β of the normalised Laplacian."""
    B = (
        network(seen).adjacency.toarray()
        if hasattr(network(seen).adjacency, "toarray")
        else network(seen).adjacency
    )
    d = B.sum(axis=1)
    root = np.where(d > 0, 1 / np.sqrt(np.where(d > 0, d, 1)), 0)
    L = np.diag((d > 0).astype(float)) - root[:, None] * B * root
    return float(made.beta @ L @ made.beta / (made.beta @ made.beta))


def agreement(made, seen):
    return float(np.corrcoef(made.beta, effect(seen))[0, 1])


def accuracy(seen, picture):
    found, (rows,) = sweep(seen), lines_of(picture).values()
    score = [one.multi_class for one in found.judged]
    meant = [[100 * (one.mean + side * one.sd_repeats) for side in (0, -1, 1)] for one in score]
    near(rows[:, 1:], meant, "accuracy")
    positive = [k for k, kernel in enumerate(found.kernels) if kernel.tau > 0]
    near(rows[positive, 0], np.log10([found.kernels[k].tau for k in positive]), "places")
    plain = found.plain.multi_class
    near(list(levels_of(picture).values()), [100 * plain.mean, 100 * plain.floor], "plain and floor")


def values(seen):
    return [f"τ = {number(kernel.tau)}" for kernel in sweep(seen).kernels]


def drawn_all(seen):
    """Every value, and the level of the plain kernel."""
    picture = seen.picture("features.accuracy")
    (rows,) = lines_of(picture).values()
    return {"plain kernel": next(iter(levels_of(picture).values()))} | dict(
        zip(values(seen), rows[:, 1], strict=True)
    )


def of_all(seen):
    on_network = dict(zip(values(seen), sweep(seen).judged, strict=True))
    return judged_verdict({"plain kernel": sweep(seen).plain} | on_network, plain=["plain kernel"])


SAID = Said(of_all, drawn_all)


def path(seen, picture):
    found, shown = seen.result(GraphLasso), lines_of(picture)
    told = sorted((np.log10(one.strength), known(seen, one)) for one in found.steps)
    near(shown["precise"][:, :2], [(x, 100 * one.precise) for x, one in told], "precise")
    near(shown["found"][:, :2], [(x, 100 * one.connected) for x, one in told], "found")


def by_weight(seen):
    order = np.argsort(-np.abs(weights(seen).beta), kind="stable")
    return [(seen, int(k)) for k in order]


def judged(seen):
    """The plain kernel first, then each on the network."""
    found = sweep(seen)
    on_network = list(zip(found.judged, found.kernels, strict=True))
    every = {"plain kernel": found.plain} | {f"tau = {kernel.tau:g}": one for one, kernel in on_network}
    verdict = judged_verdict(every, plain=["plain kernel"])
    return [
        (found.plain, None, None, verdict),
        *((one, kernel, found.plain, verdict) for one, kernel in on_network),
    ]


def beside(field):
    return lambda row: float("nan") if row[2] is None else getattr(compare(row[0], row[2]), field)


def selected(seen):
    """Edges by falling weight, then nodes without one: (ends, weight, β)."""
    found, one = seen.result(GraphLasso), step(seen)
    order = sorted(range(len(one.edges)), key=lambda e: -one.weights[e])
    rows = [(seen, *found.groups.edges[one.edges[e]].tolist(), one.weights[e]) for e in order]
    return [*rows, *((seen, int(k), None, float("nan")) for k in one.alone)]


def tile(judgement):
    """Accuracy, and both ends of its interval."""
    return 100 * judgement.multi_class.mean, ends(judgement.interval(), 100.0)


FEATURES = Named(
    verdict=SAID,
    files={
        "^CSV$": WORDS,  # one kernel of the class that tests of the study compare with its formula
        "^NPZ$": WORDS,
        "^Weights as CSV$": Rows(
            by_weight,
            {
                "^node$": lambda row: network(row[0]).ids[row[1]],
                "^weight$": lambda row: weights(row[0]).beta[row[1]],
                "^weight_plain$": lambda row: weights(row[0], False).beta[row[1]],
                "^degree$": lambda row: network(row[0]).neighbours[row[1]],
                "^measured$": WORDS,
                "^speaks_for$": lambda row: weights(row[0]).of,
            },
        ),
        "^Accuracies as CSV$": Rows(
            judged,
            {
                "^kernel$": lambda row: "plain" if row[1] is None else row[1].title,
                "^tau$": lambda row: float("nan") if row[1] is None else row[1].tau,
                "^accuracy$": lambda row: row[0].multi_class.mean,
                "^floor$": lambda row: row[0].multi_class.floor,
                "^interval_from$": lambda row: row[0].interval().low,
                "^interval_to$": lambda row: row[0].interval().high,
                "^sd_repetitions$": lambda row: row[0].multi_class.sd_repeats,
                "^balanced_accuracy$": lambda row: row[0].balanced.mean,
                "^roc_area$": lambda row: row[0].auc.mean,
                "^above_plain$": beside("difference"),
                "^above_plain_p$": beside("p"),
                **beside_best(
                    lambda row: row[3], lambda row: "plain kernel" if row[1] is None else f"tau = {row[1].tau:g}"
                ),
                "^mode$": lambda row: row[0].state.words,
                "^remarks$": WORDS,
            },
        ),
        "^Selected edges as CSV$": Rows(
            selected,
            {
                "^node$": lambda row: network(row[0]).ids[row[1]],
                "^other$": lambda row: "" if row[2] is None else network(row[0]).ids[row[2]],
                "^edge_weight$": lambda row: row[3],
                "^weight_node$": lambda row: step(row[0]).beta[row[1]],
                "^weight_other$": lambda row: float("nan") if row[2] is None else step(row[0]).beta[row[2]],
                "^piece$": WORDS,
            },
        ),
        "^Path as CSV$": Rows(
            lambda seen: [(seen.result(GraphLasso), one) for one in seen.result(GraphLasso).steps],
            {
                "^penalty$": lambda row: row[1].strength,
                "^lambda$": lambda row: row[1].lam,
                "^edges$": lambda row: len(row[1].edges),
                "^single_nodes$": lambda row: len(row[1].alone),
                "^pieces$": lambda row: len(row[0].pieces(row[1])),
                "^gap$": lambda row: row[1].gap,
                "^converged$": lambda row: int(row[1].converged),
                "^steps$": lambda row: row[1].steps,
            },
        ),
    },
    pictures={
        r"^features\.smooth$": nodes(lambda seen: weights(seen).beta),
        r"^features\.plain$": nodes(lambda seen: weights(seen, False).beta),
        r"^features\.lasso$": nodes(lambda seen: step(seen).beta),
        r"^features\.accuracy$": accuracy,
        r"^features\.path$": path,
    },
    counts={
        "on the network: Roughness": lambda seen: (roughness(weights(seen), seen), []),
        "without the network: Roughness": lambda seen: (roughness(weights(seen, False), seen), []),
        "on the network: Agreement": lambda seen: (agreement(weights(seen), seen), []),
        "without the network: Agreement": lambda seen: (agreement(weights(seen, False), seen), []),
        "^Choice of τ$": lambda seen: (
            100 * sweep(seen).nested.by_item.mean(), ends(sweep(seen).nested.interval, 100.0)
        ),
        "^At τ = ": lambda seen: tile(sweep(seen).judged[here(seen)]),
        "^Plain$": lambda seen: tile(sweep(seen).plain),
        "^Difference, points": lambda seen: (
            100 * (sweep(seen).judged[here(seen)].multi_class.mean - sweep(seen).plain.multi_class.mean), []
        ),
        "^Selected edges": lambda seen: (len(step(seen).edges), []),
        "^Connected pieces": lambda seen: (len(seen.result(GraphLasso).pieces(step(seen))), []),
        "^Duality gap": lambda seen: (step(seen).gap, []),
        "^Planted edges selected": lambda seen: (100 * known(seen).selected, []),
        "^Planted edges in one": lambda seen: (100 * known(seen).connected, []),
    },
)  # fmt: skip
