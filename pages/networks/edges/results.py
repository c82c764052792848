"""What the page Edges of new nodes gives away: the table, predicted edges, scripts."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.learning.leakage import State
from kernex_core.studies.networks.edges.judging import edge_verdict
from kernex_core.studies.networks.edges.predicting import PredictedEdges
from kernex_core.studies.networks.edges.sources import EdgeTable
from pages.networks.drawing import edge_ends, edge_line, sizes
from pages.networks.edges.subject import FIELDS, Subject, called, source_title
from pages.ui.figures.chart import BARE_AXIS, Picture, PlotMargin, Spec, draw, padded
from pages.ui.figures.theme import ABOVE, OTHER, SERIES, escaped
from pages.ui.panels.keep import Drawing, Offer, Result, keep_row, none_drawn
from pages.ui.panels.verdicts import verdict_row
from pages.ui.shown import spelt

HEADING = "Run it beside the folder kernex_core, with the uploaded files in the same place."


def judged(subject: Subject, found: EdgeTable) -> None:
    """Draw the row of the table."""
    name = f"{subject.dataset.name} edges judged"
    result = Result(
        name,
        table=Offer(
            lambda: cell_rows(found, subject.state), label="Cells as CSV",
            help="One row a fold, source and method: AUC, average precision, prevalence, pairs, weights, parameters.",
        ),
        further=(
            Offer(
                lambda: mean_rows(found, subject.state), label="Means as CSV", key="means",
                help="One row a cell of each table: mean, interval over nodes, and how it stands beside the best.",
            ),
        ),
        script=Offer(lambda: judging_script(subject), help="Python that judges every method again."),
        figure=Drawing(none_drawn, title="Edges of new nodes", settings=spelt(subject.config)),
        report=True,
    )  # fmt: skip
    keep_row(result, key="edges.judged", look="tertiary")


def mean_rows(found: EdgeTable, state: State) -> list[dict[str, object]]:
    """Return one row a candidate of each verdict; none before all folds are done."""
    kinds = [
        (pairs, measure, edge_verdict(found, measure, called, new=pairs == "two new"))
        for pairs in ("known and new", "two new")
        for measure in FIELDS.values()
    ]
    return [
        {
            "pairs": pairs, "measure": measure, "method": one.name, "mean": one.value,
            "interval_from": one.interval.low, "interval_to": one.interval.high, "nodes": one.interval.units,
            "plain_baseline": one.plain, **verdict_row(verdict, one.name), "mode": state.words, "remarks": remarks_of(found),
        }
        for pairs, measure, verdict in kinds
        if verdict is not None
        for one in verdict.candidates
    ]  # fmt: skip


def cell_rows(found: EdgeTable, state: State) -> list[dict[str, object]]:
    """Return one row a fold, source and method."""
    rows: list[dict[str, object]] = []
    for cell in found.cells:
        row: dict[str, object] = {"fold": cell.fold + 1, "source": cell.source, "method": cell.method}
        for name, pairs in (("known_new", cell.known_new), ("new_new", cell.new_new)):
            row |= {
                f"{name}_{part}": "" if pairs is None else getattr(pairs, part)
                for part in ("auc", "average_precision", "prevalence", "edges", "pairs")
            }
        row |= {"within_known": cell.within, "degree_alone_auc": float(found.degree.known_new[cell.fold])}
        row |= {
            f"weight {kernel}": float(eta) for kernel, eta in zip(found.data.names, cell.eta, strict=True)
        }
        row |= {"parameters": repr(cell.fitted), "seed": found.config.seed}
        rows.append(row | {"mode": state.words, "remarks": remarks_of(found)})
    return rows


def remarks_of(found: EdgeTable) -> str:
    """What is said of copies."""
    return "" if found.copies is None else " ".join(found.copies.remarks)


def state_of_kernels(subject: Subject) -> Call:
    """What was seen, as a script finds it again."""
    return call("state", "edge_state", *subject.kernels.values())


def known_and_predicted(
    subject: Subject, found: PredictedEdges, new: tuple[str, ...], at: IntArray
) -> tuple[Network, IntArray]:
    """Network that is drawn, without the hidden edges: where nodes stand would tell of them; and the predicted pairs."""
    A = np.array(subject.data.A)
    hidden = np.isin(found.ids, new)
    A[hidden], A[:, hidden] = 0.0, 0.0
    pairs = found.pairs[at]
    A[pairs[:, 0], pairs[:, 1]] = A[pairs[:, 1], pairs[:, 0]] = 1.0
    return Network(found.ids, sparse.csr_array(A)), pairs


def predicted_row(
    subject: Subject, found: PredictedEdges, new: tuple[str, ...], method: EdgeMethod, source: str
) -> None:
    """Draw the row of the predicted edges."""
    result = Result(
        f"{subject.dataset.name} predicted edges",
        table=Offer(lambda: edge_rows(found, new), label="All pairs as CSV", help="Ranked, with score."),
        script=Offer(
            lambda: predicting_script(subject, new, method, source), help="Python that ranks these pairs again."
        ),
    )  # fmt: skip
    keep_row(result, key="edges.predicted", look="tertiary")


def new_first(found: PredictedEdges, new: tuple[str, ...]) -> NDArray[np.str_]:
    """(k, 2) ids of the pairs, the new node of a pair first."""
    names = found.names
    turned = ~np.isin(names[:, 0], new)
    return np.where(turned[:, None], names[:, ::-1], names)


def edge_rows(found: PredictedEdges, new: tuple[str, ...]) -> list[dict[str, object]]:
    """Return one row a pair, the highest score first."""
    return [
        {
            "rank": k + 1, "new": a, "other": b, "score": score, "both_new": int(both),
            "in_network": "yes" if known else "unknown",
        }
        for k, ((a, b), score, both, known) in enumerate(
            zip(new_first(found, new).tolist(), found.scores.tolist(), found.both_new, found.in_network, strict=True)
        )
    ]  # fmt: skip


def recipe_of(subject: Subject) -> Call:
    """Kernels and network, as a script brings them."""
    how = {"repair": subject.data.repair} if subject.data.indefinite else {}
    return call("data", "gene_data", dict(subject.kernels), subject.network, **how)


def judging_script(subject: Subject) -> str:
    """Script of the table."""
    states = call(
        "states", "last_state", call(
            "judging", "judging_edges", recipe_of(subject), subject.config,
        ),
    )  # fmt: skip
    prints = [
        "*(f'{cell.fold + 1} {cell.source} {cell.method} {cell.known_new.auc}' for cell in $0.cells), sep='\\n'",
        "*$0.copies.remarks",
        "$1.words",
    ]
    return write_script(
        [states, state_of_kernels(subject)],
        heading=f"Kernex: edges of new nodes of {subject.dataset.name}, judged\n{HEADING}",
        prints=prints,
    )


def predicting_script(subject: Subject, new: tuple[str, ...], method: EdgeMethod, source: str) -> str:
    """Script of the ranking."""
    found = call("found", "predict_edges", recipe_of(subject), new, method, source)
    prints = ["*(f'{a} {b} {s}' for (a, b), s in zip($0.names[:30], $0.scores[:30])), sep='\\n'", "$1.words"]
    heading = f"Kernex: predicted edges of {subject.dataset.name}, {source_title(source, 'long')}\n{HEADING}"
    return write_script([found, state_of_kernels(subject)], heading=heading, prints=prints)


# A network with predicted edges: known ones solid, predicted ones dashed, new nodes in colour.

NODE: Final = OTHER
FOUND, ASKED = SERIES.colour, ABOVE
"""Of predicted edges that the network has, and of which it knows nothing."""
_MARGIN: Final = PlotMargin(4, 4, 4, 4)


def predicted_network(
    places: FloatArray,
    network: Network,
    pairs: IntArray,
    in_network: BoolArray,
    new: BoolArray,
    *,
    height: int = 430,
) -> Picture:
    """Draw nodes (n, 2); `network` has known and predicted edges, `pairs` (k, 2) are the latter."""
    ends, _, note = edge_ends(network)
    dashed = {frozenset(pair) for pair in pairs.tolist()}
    solid = np.array([frozenset(pair) not in dashed for pair in ends.tolist()], dtype=bool)
    data = [edge_line(places, ends[solid], 0.8, False)]
    for which, colour, dash in ((in_network, FOUND, "6px,3px"), (~in_network, ASKED, "2px,3px")):
        if which.any():
            line: Spec = {"color": colour, "width": 2.0, "dash": dash}
            data.append({**edge_line(places, pairs[which], 2.0, False), "line": line})
    data.append(_nodes(places, network, new))
    layout: Spec = {
        "xaxis": {**BARE_AXIS, "range": padded(places[:, 0], 0.05)},
        "yaxis": {**BARE_AXIS, "range": padded(places[:, 1], 0.05)},
        "dragmode": "pan",
    }
    sentence = (
        f"Network of {counted(network.n, 'node')}, {counted(int(new.sum()), 'new one')}: "
        f"{counted(int(solid.sum()), 'known edge')} solid, {counted(len(pairs), 'predicted edge')} dashed, of which the "
        f"network that was brought has {int(in_network.sum()):,}."
    )
    return Picture(draw(data, height, _MARGIN, layout), sentence, note)


def _nodes(places: FloatArray, network: Network, new: BoolArray) -> Spec:
    said = [
        f"{escaped(name)}<br>{'new' if is_new else 'known'}, {counted(degree, 'edge')} drawn"
        for name, is_new, degree in zip(network.ids, new.tolist(), network.neighbours.tolist(), strict=True)
    ]
    return {
        "type": "scatter", "mode": "markers", "x": places[:, 0].astype(np.float32), "y": places[:, 1].astype(np.float32),
        "hovertext": said, "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "symbol": "circle", "size": 0.6 * sizes(network), "opacity": 1.0,
            "color": np.where(new, ASKED, NODE).tolist(),
            "line": {"width": np.where(new, 2.0, 0.0), "color": ASKED},
        },
    }  # fmt: skip
