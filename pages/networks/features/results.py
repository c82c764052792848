"""What the page Features on a network gives away: the kernel, weights, accuracies, selected edges, scripts."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.learning.compare import written_accuracy
from kernex_core.studies.networks.features.accuracy import PLAIN
from kernex_core.studies.networks.features.graph_lasso import GraphLasso, LassoAccuracy, LassoStep
from pages.export.downloads import BESIDE_KERNEX
from pages.networks.drawing import edge_ends, edge_line
from pages.networks.features.subject import Subject
from pages.networks.results import parameter_of
from pages.server.digits import number
from pages.ui.figures.chart import BARE_AXIS, Items, Picture, PlotMargin, Spec, draw, padded
from pages.ui.figures.heatmap import heatmap
from pages.ui.figures.theme import ABOVE, BELOW, SERIES, escaped
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.linked import class_list
from pages.ui.panels.verdicts import verdict_row
from pages.ui.shown import spelt


def unmatched(subject: Subject) -> None:
    """Offer the names of columns and nodes without a partner."""
    matched = subject.matched
    rows = [
        *({"id": name, "is": "a column without a node"} for name in matched.without_node),
        *({"id": name, "is": "a node without a column"} for name in matched.without_column),
    ]
    if not rows:
        return
    keep_row(
        Result(
            f"{subject.dataset.name} unmatched",
            table=Offer(lambda: rows, label=f"All {len(rows):,} unmatched ids as CSV", key="unmatched"),
        ),
        key="features.unmatched", look="tertiary",
    )  # fmt: skip


def name_of(subject: Subject, value: float) -> str:
    """ "diffusion τ = 5 of features"."""
    parts = [subject.kernel.title.lower(), subject.scale.words(value), "of features"]
    return " ".join(filter(None, parts))


def results(subject: Subject, value: float) -> None:
    """Draw the row of the kernel, and the row of weights and accuracies."""
    name = name_of(subject, value)
    kernel = subject.scale.at(subject.kernel, value)
    result = Result(
        name,
        kernel=lambda: subject.gram(value, name),
        figure=Drawing(
            lambda: _heatmap(subject, value, name), title=f"Features on a network: {subject.dataset.name}",
            settings={"data": subject.dataset.name, **spelt(kernel), "scaling": subject.prepared.scaling},
        ),
        script=Offer(lambda: script(subject, value), help="Python that computes this kernel, its accuracy and its weights."),
    )  # fmt: skip
    keep_row(
        result,
        key="features",
        keep=Keep(help="Its columns are scaled anew in every training fold, on every page."),
    )
    found = subject.study().known()
    further = [
        Offer(
            lambda: weight_rows(subject, value), label="Weights as CSV", name=f"{name} weights", key="weights"
        )
    ]
    if found is not None and found.judged:
        further.append(
            Offer(
                lambda: accuracy_rows(subject),
                label="Accuracies as CSV",
                name=f"{name} accuracies",
                key="accuracies",
            )
        )
    keep_row(Result(name, further=tuple(further)), key="features.more", look="tertiary")


def _heatmap(subject: Subject, value: float, name: str) -> Picture:
    K = subject.gram(value, name)
    return heatmap(K.values, Items(K.ids, class_list(subject.dataset.labels)), name=name, height=620)


def weight_rows(subject: Subject, value: float) -> list[dict[str, object]]:
    """Return one row a node, the largest weight first."""
    smooth, plain = subject.weights(value), subject.weights(None)
    network = subject.matched.network
    measured = set(subject.matched.at.tolist())
    order = sorted(range(network.n), key=lambda k: -abs(float(smooth.beta[k])))
    return [
        {
            "node": network.ids[k], "weight": float(smooth.beta[k]), "weight_plain": float(plain.beta[k]),
            "degree": int(network.neighbours[k]), "measured": int(k in measured), "speaks_for": smooth.of,
        }
        for k in order
    ]  # fmt: skip


def accuracy_rows(subject: Subject) -> list[dict[str, object]]:
    """Return one row a judged kernel, the plain one first."""
    found, scale = subject.study().known(), subject.scale
    if found is None:
        return []
    rows: list[dict[str, object]] = []
    verdict = found.verdict()
    for kernel, (name, one), compared in (
        (None, (PLAIN, found.plain), None),
        *zip(found.kernels, found.by_name().items(), found.compared, strict=True),
    ):
        rows.append(
            {
                "kernel": "plain" if kernel is None else kernel.title,
                scale.name or "parameter": parameter_of(scale, kernel) if kernel is not None and scale.name else "",
                **written_accuracy(one),
                "balanced_accuracy": one.balanced.mean,
                "roc_area": one.auc.mean,
                "above_plain": None if compared is None else compared.difference,
                "above_plain_p": None if compared is None else compared.p, **verdict_row(verdict, name),
                "mode": one.state.words,
            }
        )  # fmt: skip
    return rows


def script(subject: Subject, value: float) -> str:
    """Script of the kernel, of the accuracies that the page shows, and of the weights."""
    gram, plain = subject.gram(value, name_of(subject, value)), subject.gram(None)
    kernel = subject.scale.at(subject.kernel, value)
    judged = [
        call(name, "judge", K, subject.labels, subject.validation)
        for name, K in (("on_the_network", gram), ("plain", plain))
    ]
    weights = call(
        "weights", "node_weights", subject.prepared, kernel, subject.labels, C=subject.validation.C, of=subject.of,
    )  # fmt: skip
    prints = [
        "$0.values",
        "'accuracy on the network', $1.multi_class.mean, 'plain', $2.multi_class.mean",
        "$1.rests_on, $1.interval(), $2.interval()",
        "'roughness', $3.roughness",
    ]
    return write_script(
        [gram.recipe, *judged, weights],
        heading=f"Kernex: {name_of(subject, value)}\n{BESIDE_KERNEX}",
        prints=prints,
    )


def lasso_results(subject: Subject, found: GraphLasso, step: LassoStep) -> None:
    """Draw the row of the graph lasso."""
    name = f"graph lasso at {step.strength:g}"
    result = Result(
        name,
        table=Offer(lambda: edge_rows(subject, found, step), label="Selected edges as CSV", key="edges"),
        further=(Offer(lambda: path_rows(found), label="Path as CSV", name="graph lasso path", key="path"),),
        script=Offer(lambda: lasso_script(subject, step), help="Python that computes the path again."),
    )
    keep_row(result, key="features.lasso", look="tertiary")


def lasso_accuracies(subject: Subject, found: LassoAccuracy) -> None:
    """Draw the row of the graph lasso's accuracies."""
    result = Result(
        "graph lasso accuracies",
        table=Offer(lambda: lasso_accuracy_rows(subject, found), label="Accuracies as CSV"),
        script=Offer(lambda: lasso_accuracy_script(subject), help="Python that judges every penalty again."),
    )
    keep_row(result, key="features.lasso.accuracies", look="tertiary")


def lasso_accuracy_rows(subject: Subject, found: LassoAccuracy) -> list[dict[str, object]]:
    """Return one row a penalty, then the choice made inside the training folds, then the plain kernel."""
    rows: list[dict[str, object]] = [
        {"penalty": strength, "accuracy": float(mean), "sd_repetitions": float(sd), "repetitions": found.done}
        for strength, mean, sd in zip(found.strengths, found.accuracy, found.sd, strict=True)
    ]
    interval = found.nested.interval
    rows.append(
        {
            "penalty": "chosen inside", "accuracy": found.claim.chosen, "sd_repetitions": found.nested.sd_repeats,
            "repetitions": found.done, "interval_from": interval.low, "interval_to": interval.high,
            "above_plain": found.claim.difference, "above_plain_from": found.claim.interval.low,
            "above_plain_to": found.claim.interval.high, "above_plain_p": found.claim.paired.p,
        }
    )  # fmt: skip
    rows.append({"penalty": "plain kernel", "accuracy": found.plain, "repetitions": found.done})
    return [{**row, "floor": found.floor, "mode": subject.mode} for row in rows]


def lasso_accuracy_script(subject: Subject) -> str:
    """Script of the accuracies at every penalty."""
    made = call(
        "states", "judging_lasso", subject.prepared, subject.labels, subject.validation, of=subject.of,
    )  # fmt: skip
    prints = [
        "*(f'{s.done} repetitions: {s.accuracy}, chosen inside {s.claim.chosen}, plain {s.plain}' for s in $0), sep='\\n'"
    ]
    return write_script(
        [made], heading=f"Kernex: accuracy of the graph lasso\n{BESIDE_KERNEX}", prints=prints
    )


def edge_rows(subject: Subject, found: GraphLasso, step: LassoStep) -> list[dict[str, object]]:
    """Return one row a selected edge, the heaviest first; a selected node without an edge has no other end."""
    ids, piece_of = subject.matched.network.ids, {}
    for place, nodes in enumerate(found.pieces(step), 1):
        piece_of.update(dict.fromkeys(nodes.tolist(), place))
    rows: list[dict[str, object]] = []
    for e, weight in sorted(
        zip(step.edges.tolist(), step.weights.tolist(), strict=True), key=lambda pair: -pair[1]
    ):
        i, j = found.groups.edges[e].tolist()
        rows.append(
            {
                "node": ids[i], "other": ids[j], "edge_weight": weight, "weight_node": float(step.beta[i]),
                "weight_other": float(step.beta[j]), "piece": piece_of[i],
            }
        )  # fmt: skip
    alone = [
        {"node": ids[k], "other": "", "weight_node": float(step.beta[k]), "piece": piece_of[k]}
        for k in step.alone.tolist()
    ]
    return [*rows, *alone]


def path_rows(found: GraphLasso) -> list[dict[str, object]]:
    """Return one row a penalty."""
    return [
        {
            "penalty": step.strength, "lambda": step.lam, "edges": len(step.edges), "single_nodes": len(step.alone),
            "pieces": len(found.pieces(step)), "gap": step.gap, "converged": int(step.converged), "steps": step.steps,
        }
        for step in found.steps
    ]  # fmt: skip


def lasso_script(subject: Subject, step: LassoStep) -> str:
    """Script of the whole path."""
    made = call(
        "path", "graph_lasso", subject.prepared, subject.labels, of=subject.of,
    )  # fmt: skip
    prints = [
        "*(f'penalty {s.strength:g}: {len(s.edges)} edges, gap {s.gap:.2g}' for s in $0.steps), sep='\\n'",
    ]
    return write_script(
        [made], heading=f"Kernex: graph lasso of {subject.dataset.name}\n{BESIDE_KERNEX}", prints=prints
    )


# A network with signed weights of its nodes: colour by sign, size by magnitude; selected edges drawn out.

FOR, AGAINST, NONE = ABOVE, BELOW, "rgba(128,132,138,0.55)"
"""Colours of weights that speak for the class, against it, and of 0."""
CHOSEN: Final = SERIES.colour
THIN: Final = 0.8
RIM: Final = "rgba(255,255,255,0.7)"
"""Around each node: those that lie over each other can be counted."""
SMALLEST, WIDEST = 3.0, 20.0
NEGLIGIBLE: Final = 1e-9
"""Share of the largest weight below which a weight is drawn as 0."""
_MARGIN: Final = PlotMargin(4, 4, 4, 4)


def signed(
    places: FloatArray,
    network: Network,
    beta: FloatArray,
    of: str,
    *,
    edges: IntArray | None = None,
    unmeasured: IntArray | None = None,
    height: int = 420,
) -> Picture:
    """Draw weights (N,) at (N, 2) places; `edges` (k, 2) are drawn out, nodes of `unmeasured` hollow."""
    ends, _, note = edge_ends(network)
    # thin, whatever they weigh: the nodes are what is looked at
    data = [edge_line(places, ends, THIN, False)]
    if edges is not None and len(edges):
        drawn_out = edge_line(places, edges, 3.0, False)
        data.append({**drawn_out, "line": {"color": CHOSEN, "width": 3.0}})
    data.append(_nodes(places, network, beta, unmeasured))
    layout: Spec = {
        "xaxis": {**BARE_AXIS, "range": padded(places[:, 0], 0.05)},
        "yaxis": {**BARE_AXIS, "range": padded(places[:, 1], 0.05)},
        "dragmode": "pan",
    }
    size = float(np.abs(beta).max(initial=0.0))
    shown = np.abs(beta) > NEGLIGIBLE * size
    up, down = (int((shown & side).sum()) for side in (beta > 0.0, beta < 0.0))
    sentence = (
        f"Network of {counted(network.n, 'node')} with weights that speak for {escaped(of)} ({up:,} nodes) or against "
        f"it ({down:,}), of size up to {number(size)}"
        + (f"; {counted(len(edges), 'edge')} selected." if edges is not None else ".")
    )
    return Picture(draw(data, height, _MARGIN, layout), sentence, note)


def _nodes(places: FloatArray, network: Network, beta: FloatArray, unmeasured: IntArray | None) -> Spec:
    size = float(np.abs(beta).max(initial=0.0)) or 1.0
    share = np.abs(beta) / size
    small = share <= NEGLIGIBLE
    colour = np.where(small, NONE, np.where(beta > 0.0, FOR, AGAINST))
    crowd = float(np.clip(np.sqrt(200.0 / max(network.n, 1)), 0.35, 1.0))
    # the area of a node grows with its weight
    width = np.where(small, SMALLEST, np.maximum(SMALLEST, WIDEST * np.sqrt(share))) * crowd
    hollow = np.zeros(network.n, dtype=bool)
    if unmeasured is not None:
        hollow[unmeasured] = True
    said = [
        f"{escaped(name)}<br>weight {number(value)}, degree {degree}" + ("<br>not measured" if empty else "")
        for name, value, degree, empty in zip(
            network.ids, beta.tolist(), network.neighbours.tolist(), hollow.tolist(), strict=True
        )
    ]
    return {
        "type": "scatter", "mode": "markers", "x": places[:, 0].astype(np.float32), "y": places[:, 1].astype(np.float32),
        "hovertext": said, "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "symbol": np.where(hollow, "circle-open", "circle").tolist(), "size": np.round(width, 1), "opacity": 0.9,
            "color": colour.tolist(), "line": {"width": np.where(hollow, 1.5, 0.8).tolist(), "color": RIM},
        },
    }  # fmt: skip
