"""What the page Networks gives away: the kernel, for the workspace and as files; accuracies; similarities of the node."""

from __future__ import annotations

import streamlit as st

from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.learning.permutations import Permuted
from kernex_core.learning.written_rows import written_accuracy
from kernex_core.studies.networks.study import NetworkSweep, NetworkView, scaled
from pages.networks import charts
from pages.networks.subject import Subject
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items
from pages.shared.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.shared.panels.several.chance import chance_recipe, chance_row, known_chance, printed_chance
from pages.shared.panels.verdicts import verdict_row
from pages.shared.shown.words import spelt


def results(subject: Subject, view: NetworkView, value: float, items: Items) -> None:
    """Draw the row of the kernel, and the row of accuracies and similarities of the node."""
    name, gram = suggested_name(subject, value), view.gram
    node = subject.network.ids[view.node]
    settings = {"data": subject.dataset.name, "kernel": gram.name, **spelt(view.kernel), "node": node}
    study = subject.study()
    found = None if study is None else study.known()
    every = {} if found is None or found.done < found.total else found.by_name()
    against = known_chance(every)
    scripted = Offer(
        lambda: script(subject, view, value, chance_recipe(against, every)),
        help="Python that computes this kernel, and its accuracy, again with kernex_core alone.",
    )
    result = Result(
        name,
        kernel=lambda: gram,
        figure=Drawing(
            lambda: heatmap(gram.values, items, name=name, height=620),
            title=f"Networks: {subject.dataset.name}", settings=settings,
        ),
        script=scripted,
    )  # fmt: skip
    keep_row(result, key="networks", keep=Keep())
    table = Offer(
        lambda: rows(subject, found, against) if found else [], label="Accuracies as CSV", key="accuracies"
    )
    similar = Offer(
        lambda: nearest(view), label="Similarities of the node as CSV", name=f"{name} to {node}", key="node"
    )
    further = (similar,) if found is None else (table, similar)
    with st.container():
        keep_row(Result(f"{name} network", further=further), key="networks.more", look="tertiary")


def suggested_name(subject: Subject, value: float) -> str:
    """ "diffusion τ = 5"; with the Laplacian where there are two."""
    laplacian = getattr(subject.kernel, "laplacian", "")
    parts = [subject.kernel.title.lower(), subject.scale.words(value)]
    return " ".join(filter(None, parts)) + (", not normalised" if laplacian == "unnormalized" else "")


def script(subject: Subject, view: NetworkView, value: float, permuted: tuple[Call, ...] = ()) -> str:
    """Script of the kernel, of the accuracy that the page shows for it, and of p against chance where it was asked for."""
    made, prints = [view.gram.recipe], ["$0.values"]
    if subject.labels is not None:
        judged = call("judgement", "judge", scaled(view.gram), subject.labels, subject.validation)
        made.append(judged)
        prints += [
            "'multi-class accuracy', $1.multi_class.mean",
            "'balanced accuracy', $1.balanced.mean",
            "'ROC area', $1.auc.mean",
            "$1.rests_on, $1.interval()",
            "$1.state.words",
        ]
        made += permuted
        if permuted:
            prints.append(printed_chance(2))
    heading = (
        f"Kernex: {suggested_name(subject, value)}\n"
        "Run it beside the folder kernex_core, with the uploaded files in the same place."
    )
    return write_script(made, heading=heading, prints=prints)


def rows(subject: Subject, found: NetworkSweep, against: Permuted | None = None) -> list[dict[str, object]]:
    """Return one row a judged value."""
    scale, verdict = subject.scale, found.verdict()
    made: list[dict[str, object]] = []
    for (name, one), kernel in zip(found.by_name().items(), found.kernels, strict=True):
        made.append(
            {
                "kernel": kernel.title, scale.name or "parameter": charts.parameter_of(scale, kernel) if scale.name else "",
                **written_accuracy(one),
                "sd_folds": one.multi_class.sd_folds,
                "balanced_accuracy": one.balanced.mean, "roc_area": one.auc.mean, "mode": one.state.words,
                **verdict_row(verdict, name), **chance_row(against, name),
            }
        )  # fmt: skip
    return made


def nearest(view: NetworkView) -> list[dict[str, object]]:
    """Return the node and all others, the most similar first."""
    ids = view.gram.ids
    return [
        {"node": ids[view.node], "other": ids[int(k)], "similarity": float(view.column[int(k)])}
        for k in (view.node, *view.nearest.tolist())
    ]
