"""What the panel of missing edges gives away: ranked pairs without a known edge, the cells, a script."""

from __future__ import annotations

from kernex_core.gram.provenance import call, write_script
from kernex_core.learning.edges.genes import PAIR_BASELINES
from kernex_core.learning.leakage import State
from kernex_core.studies.networks.edges.judging import MissingTable
from kernex_core.studies.networks.edges.predicting import UnobservedPairs
from pages.networks.edges.results import HEADING, recipe_of, state_of_kernels
from pages.networks.edges.subject import Subject, source_title, unobserved
from pages.shared.panels.keep import Offer, Result, keep_row


def row(subject: Subject, found: MissingTable | None, source: str) -> None:
    """Draw the row; cells where there are some."""
    name = f"{subject.dataset.name} missing edges"
    cells = () if found is None else (_cells(subject, found, name),)
    result = Result(
        name,
        table=Offer(
            lambda: open_rows(unobserved(subject.data, subject.for_known(source), source)), label="Ranked pairs as CSV",
            help="Every pair without a known edge, the highest score first, with its common neighbours.",
        ),
        further=cells,
        script=Offer(lambda: script(subject, source), help="Python that ranks these pairs and judges again."),
    )  # fmt: skip
    keep_row(result, key="edges.missing", look="tertiary")


def _cells(subject: Subject, found: MissingTable, name: str) -> Offer[list[dict[str, object]]]:
    return Offer(
        lambda: cell_rows(found, subject.state), label="Cells as CSV", name=f"{name} judged", key="cells",
        help="One row a fold, source and method, and a fold and baseline: AUC, average precision, counts, weights, "
        "parameters.",
    )  # fmt: skip


def open_rows(found: UnobservedPairs) -> list[dict[str, object]]:
    """Return one row a pair, the highest score first."""
    return [
        {"rank": k + 1, "a": a, "b": b, "score": score, "common_neighbours": common}
        for k, ((a, b), score, common) in enumerate(
            zip(found.names.tolist(), found.scores.tolist(), found.common.tolist(), strict=True)
        )
    ]


def cell_rows(found: MissingTable, state: State) -> list[dict[str, object]]:
    """Return one row a fold, source and method; baselines have no source and no weights."""
    none = ("",) * len(found.data.names)
    cells = [
        *((c.fold, c.source, c.method, c.hidden, tuple(c.eta.tolist()), repr(c.fitted)) for c in found.cells),
        *(
            (fold, "", name, each[name], none, "")
            for fold, each in enumerate(found.baselines)
            for name in PAIR_BASELINES
        ),
    ]
    return [
        {
            "fold": fold + 1, "source": source, "method": method, "auc": scores.auc,
            "average_precision": scores.average_precision, "edges": scores.edges, "pairs": scores.pairs,
            **{f"weight {kernel}": eta for kernel, eta in zip(found.data.names, weights, strict=True)},
            "parameters": fitted, "chosen_inside": int(found.tuned), "seed": found.seed, "mode": state.words,
        }
        for fold, source, method, scores, weights, fitted in cells
    ]  # fmt: skip


def script(subject: Subject, source: str) -> str:
    """Script of the ranked pairs and of the table."""
    data = recipe_of(subject)
    found = call("found", "rank_unobserved", data, subject.for_known(source), source)
    states = call(
        "states", "last_state", call(
            "judging", "judging_missing", data, subject.config.folds, subject.config.seed, subject.config.tuned,
        ),
    )  # fmt: skip
    prints = [
        "*(f'{a} {b} {s}' for (a, b), s in zip($0.names[:30], $0.scores[:30])), sep='\\n'",
        "*(f'{cell.fold + 1} {cell.source} {cell.method} {cell.hidden.auc}' for cell in $1.cells), sep='\\n'",
        "$2.words",
    ]
    heading = f"Kernex: missing edges of {subject.dataset.name}, {source_title(source, 'long')}\n{HEADING}"
    return write_script([found, states, state_of_kernels(subject)], heading=heading, prints=prints)
