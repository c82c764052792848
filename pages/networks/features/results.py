"""What the page Features on a network gives away: the kernel, weights, accuracies, selected edges, scripts."""

from __future__ import annotations

from kernex_core.gram.provenance import call, write_script
from kernex_core.learning.written_rows import written_accuracy
from kernex_core.studies.networks.features.accuracy import PLAIN
from kernex_core.studies.networks.features.graph_lasso import GraphLasso, LassoAccuracy, LassoStep
from pages.networks.charts import parameter_of
from pages.networks.features.subject import Subject
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items, Picture
from pages.shared.panels.arrangement import class_list
from pages.shared.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.shared.panels.verdicts import verdict_row
from pages.shared.shown.words import spelt

HEADING = "Run it beside the folder kernex_core, with the uploaded files in the same place."


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
        heading=f"Kernex: {name_of(subject, value)}\n{HEADING}",
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
    return write_script([made], heading=f"Kernex: accuracy of the graph lasso\n{HEADING}", prints=prints)


def edge_rows(subject: Subject, found: GraphLasso, step: LassoStep) -> list[dict[str, object]]:
    """Return one row a selected edge, the heaviest first; a selected node without an edge has no other end."""
    ids, piece_of = subject.matched.network.ids, {}
    for number, nodes in enumerate(found.pieces(step), 1):
        piece_of.update(dict.fromkeys(nodes.tolist(), number))
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
        [made], heading=f"Kernex: graph lasso of {subject.dataset.name}\n{HEADING}", prints=prints
    )
