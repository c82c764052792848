"""How well edges of new nodes are found, and what the page gives away: tables, curves, predicted edges, scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from scipy import sparse
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import BoolArray, FloatArray, IntArray
from kernex_core.base.parameters import parameters
from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.edges.methods import EDGE_METHODS, EdgeMethod
from kernex_core.learning.leakage import State
from kernex_core.studies.networks.edges.judging import edge_verdict
from kernex_core.studies.networks.edges.predicting import PredictedEdges
from kernex_core.studies.networks.edges.sources import (
    GRID,
    INNER_FOLDS,
    UNTUNED_ABOVE,
    EdgeSummary,
    EdgeTable,
    OverFolds,
    PairSummary,
    ends_chosen,
    mean_curve,
    values_chosen,
)
from pages.export.downloads import BESIDE_KERNEX
from pages.networks.drawing import edge_ends, edge_line, sizes
from pages.networks.edges.subject import (
    AUC,
    FIELDS,
    SHORT,
    WITHIN,
    Subject,
    called,
    mean_sd,
    note_of,
    say,
    source_title,
    with_ends,
)
from pages.server.declared import setting
from pages.server.digits import number
from pages.server.messages import findings, guard, plain
from pages.ui import shown as registry
from pages.ui import widgets
from pages.ui.figures.chart import BARE_AXIS, Across, Picture, PlotMargin, Spec, Values, padded
from pages.ui.figures.chart import draw as chart_draw
from pages.ui.figures.curve import Line, curve
from pages.ui.figures.theme import ABOVE, CLASS_COLOURS, OTHER, SERIES, Role, escaped
from pages.ui.frame import panel_title
from pages.ui.panels.keep import Drawing, Offer, Result, keep_row, none_drawn
from pages.ui.panels.linked import draw as linked_draw
from pages.ui.panels.staged import run_study
from pages.ui.panels.verdicts import verdict_row
from pages.ui.shown import copies_said, spelt, table

# What the page Edges of new nodes gives away: the table, predicted edges, scripts.


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
        heading=f"Kernex: edges of new nodes of {subject.dataset.name}, judged\n{BESIDE_KERNEX}",
        prints=prints,
    )


def predicting_script(subject: Subject, new: tuple[str, ...], method: EdgeMethod, source: str) -> str:
    """Script of the ranking."""
    found = call("found", "predict_edges", recipe_of(subject), new, method, source)
    prints = ["*(f'{a} {b} {s}' for (a, b), s in zip($0.names[:30], $0.scores[:30])), sep='\\n'", "$1.words"]
    heading = (
        f"Kernex: predicted edges of {subject.dataset.name}, {source_title(source, 'long')}\n{BESIDE_KERNEX}"
    )
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
    return Picture(chart_draw(data, height, _MARGIN, layout), sentence, note)


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


# How well edges of new nodes are found: every method on every source over folds of nodes, curves, weights.

# ROC curves of edges: a mean over folds for each kernel, for their sum and for MKL; degree alone is dotted.

DEGREE: Final = Role("#858b93", 1.5, "1.5px,2.5px")
COMBINED: Final[dict[str, Role | str]] = {"sum": SERIES, "mkl": Role(ABOVE, 2.5)}
ALONE: Final = tuple(colour for colour in CLASS_COLOURS if colour not in ("#ba4d02", "#e46f31"))
"""Colours of single kernels: none that is near the orange of MKL."""
LEFT_OUT: Final = "alignment"
"""Its weights stand beside those of MKL; one more line would lie on theirs."""


def roc(found: EdgeTable, kind: type[EdgeMethod], *, new: bool = False, height: int = 360) -> Picture:
    """Draw shares of edges found over shares of other pairs taken for edges, both in percent; `new`: of two new nodes."""
    lines, said = [], []
    if not new:  # two new nodes have no degree
        degree = OverFolds.of(found.degree.known_new)
        lines.append(_line("degree alone", mean_curve(found.degree.curve), degree.mean, DEGREE))
        said.append(f"degree alone {number(degree.mean, 2)}")
    for k, source in enumerate(found.data.sources):
        each = found.summary(source, kind.name)
        pairs, values = (each.new_new, each.curve_new) if new else (each.known_new, each.curve)
        if source == LEFT_OUT or not pairs.auc.folds:
            continue
        role = COMBINED.get(source, Role(ALONE[k % len(ALONE)], 1.25))
        title = source_title(source)
        lines.append(_line(title, values, pairs.auc.mean, role))
        said.append(f"{title} {number(pairs.auc.mean, 2)}")
    ticks = [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    made = curve(
        lines, Across("other pairs taken for edges, %", ticks=ticks, range=(0.0, 100.0)),
        Values("edges found, %", "%", bounds=(0.0, 100.0)), height=height,
    )  # fmt: skip
    kind_of_pair = "two new nodes" if new else "a known and a new node"
    return replace(
        made,
        alt=f"ROC curves of {kind.title}, mean over folds, pairs of {kind_of_pair}. AUC: {', '.join(said)}.",
    )


def _line(name: str, values: FloatArray, auc: float, role: str | Role) -> Line:
    return Line(f"{name} {number(auc, 2)}", 100.0 * GRID, 100.0 * values, role, markers=False)


# Parameters that were chosen inside the folds: how often each value, on each source.


def draw(subject: Subject, of: Callable[[str], Sequence[EdgeMethod]], *, key: str) -> None:
    """Draw the table of the method that is looked at; nothing where the usual parameters were taken.

    Parameters
    ----------
    subject : Subject
    of : callable
        What was fitted on a source, one a fold.
    key : str
    """
    if not subject.chooses:
        return
    kind = subject.kind
    panel_title("Parameters chosen", f"{kind.title}; in brackets the number of folds")
    if not kind.tried:
        st.caption(f"{kind.title} has no parameter to choose.")
        return
    described, sources = parameters(kind), subject.data.sources
    counts = [values_chosen(of(source)) for source in sources]
    rows = {"Source": [plain(source_title(source)) for source in sources]}
    for name in kind.tried:
        rows[described[name].label] = [_chosen_values_cell(each.get(name, {})) for each in counts]
    table(key, rows, title=f"Parameters of {kind.title} chosen inside the folds", note="folds in brackets")
    tried = "; ".join(
        f"{described[name].label.lower()} {', '.join(number(value) for value in values)}"
        for name, values in kind.tried.items()
    )
    st.caption(f"Tried: {tried}. All other parameters as usual.")
    ends = [
        f"{kind.title}, {source_title(source)}: {end.words}"
        for source in sources
        for end in ends_chosen(of(source))
    ]
    registry.remark(key, ends)
    findings(ends)


def _chosen_values_cell(times: dict[float, int]) -> str:
    return ", ".join(f"{number(value)}\u00a0({count})" for value, count in times.items()) or "–"


def values_of(method: EdgeMethod) -> str:
    """Say the parameters that were chosen; nothing of a method without any."""
    described = parameters(type(method))
    said = [f"{described[name].label.lower()} {number(getattr(method, name))}" for name in method.tried]
    return f" ({', '.join(said)})" if said else ""


def how(subject: Subject, of_what: str) -> str:
    """Say where parameters come from; `of_what`: what the inner folds are of."""
    if subject.chooses:
        return f"parameters chosen on {INNER_FOLDS} inner folds of {of_what}"
    if subject.config.tuned:
        return f"above {UNTUNED_ABOVE:,} nodes the usual parameters are taken"
    return "every method with its usual parameters"


AUTOMATIC: Final = 320
"""Nodes up to which the table is filled without a click, in some seconds."""
Summaries: TypeAlias = dict[tuple[str, str], EdgeSummary]
KNOWN_NEW, NEW_NEW = "Known and new node", "Two new nodes"


SETTINGS = (setting("edge_pairs", "Pairs"),)


def run(subject: Subject, place: DeltaGenerator) -> None:
    """Fill the table, with a bar in a place; what is done is drawn by the next run of the page."""
    with place.container(), guard():
        run_study(
            subject.study().leading, key="edges", what="cells", label="Judge every method", automatic=is_automatic(subject),
            cost=_cost(subject),
        )  # fmt: skip


def is_automatic(subject: Subject) -> bool:
    """Whether the table is filled without a click."""
    return len(subject.data.ids) <= AUTOMATIC and not subject.config.tuned


def show(subject: Subject, measure: str) -> None:
    """Draw the tables, as far as they are known."""
    found = subject.study().known()
    if found is None:
        st.caption("Nothing is judged yet.")
        return
    _tables(found, measure)
    st.caption(words(subject, found))
    copies_said("edges", found.copies)
    draw(
        subject,
        lambda source: [cell.fitted for cell in found.of(source, subject.kind.name)],
        key="edges.chosen",
    )


def curves(subject: Subject) -> None:
    """Draw the curves of the method that is looked at, and the weights of the kernels."""
    found = subject.study().known()
    if found is None:
        st.caption("Nothing is judged yet.")
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _curves(subject, found)
    with right:
        _weights(found)


def _curves(subject: Subject, found: EdgeTable) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        panel_title("Curves", f"{subject.kind.title}; mean over folds", ("AUC", "Multiple kernel learning"))
        which = widgets.pick("edge_pairs", (KNOWN_NEW, NEW_NEW), label_visibility="collapsed")
    new = which == NEW_NEW
    if new and not subject.kind.between_new:
        st.caption(f"Two new nodes get no score from {subject.kind.title}.")
        return
    linked_draw(roc(found, subject.kind, new=new), "edges.roc.new" if new else "edges.roc")


def _cost(subject: Subject) -> str:
    cells = subject.config.folds * len(subject.data.sources) * len(EDGE_METHODS)
    inside = ", each with its parameters chosen inside" if subject.config.tuned else ""
    return f"{counted(len(subject.data.ids), 'node')}, {cells:,} cells{inside}: this starts with a click."


def _tables(found: EdgeTable, measure: str) -> None:
    """Draw a table for each kind of pair."""
    every = {
        (source, kind.name): found.summary(source, kind.name)
        for source in found.data.sources
        for kind in EDGE_METHODS
    }
    for new, key, head in ((False, "known", KNOWN_NEW), (True, "new", NEW_NEW)):
        if new and measure == WITHIN:
            st.caption("Within a known node; two new nodes have none.")
            return
        verdict = edge_verdict(found, FIELDS[measure], called, new=new)
        rows = _rows(found, every, measure, verdict, new=new)
        table(f"edges.table.{key}", rows, title=f"{head}: {measure}", note=note_of(verdict))
        say(verdict)


def counts(pairs: PairSummary) -> str:
    """Say how many pairs there are, and edges among them."""
    return f"{pairs.edges:,} edges among {pairs.pairs:,} pairs"


def _rows(
    found: EdgeTable, every: Summaries, measure: str, verdict: Verdict | None, *, new: bool
) -> dict[str, list[str]]:
    sources = found.data.sources
    head = KNOWN_NEW if not new else NEW_NEW
    # short names stay on one line where the table is narrow
    titles = [plain(source_title(source)) for source in sources]
    rows = {head: [each.replace(" ", "\u00a0") if len(each) <= SHORT else each for each in titles]}
    for kind in EDGE_METHODS:
        rows[kind.title] = [
            _cell(every[source, kind.name], kind, measure, new, verdict, called(kind.name, source))
            for source in sources
        ]
    return rows


def _cell(
    each: EdgeSummary, kind: type[EdgeMethod], measure: str, new: bool, verdict: Verdict | None, name: str
) -> str:
    if new and not kind.between_new:
        return "no\u00a0score"
    if measure == WITHIN:
        return with_ends(each.within, verdict, name)
    pairs = each.new_new if new else each.known_new
    return with_ends(pairs.auc if measure == AUC else pairs.average_precision, verdict, name)


def words(subject: Subject, found: EdgeTable) -> str:
    """Say what the numbers rest on."""
    some = found.summary(found.data.sources[0], EDGE_METHODS[0].name)
    done = f"{some.known_new.auc.folds} of {found.config.folds} folds over {len(found.data.ids):,} nodes"
    said = [f"{done}, seed {found.config.seed}; {counts(some.known_new)} of a known and a new node"]
    pairs = some.new_new
    share = number(pairs.prevalence.mean, 3)
    said.append(
        f"{counts(pairs)} of two new ones, prevalence {share}, {pairs.auc.folds} folds with an edge among them"
    )
    if found.without_edges:
        said.append(f"{counted(found.without_edges, 'fold')} without an edge left out")
    said.append(how(subject, "the training nodes"))
    return (
        "; ".join(said)
        + ". Intervals are over nodes, for pairs of one node are not independent, and allow for shared training sets; ±, "
        "where there is one: standard deviation over folds, which share nodes. No edge means that none is known."
    )


def _weights(found: EdgeTable) -> None:
    """Weights of the kernels in each weighing, over folds."""
    panel_title("Weights", "mean ± sd over folds")
    learned = [source for source in found.data.sources if source not in (*found.data.names, "sum")]
    if not learned:
        st.caption("There is one kernel: nothing to weigh.")
        return
    rows = {"Kernel": [plain(name) for name in found.data.names]}
    for source in learned:
        eta = found.weights(source)
        rows[source_title(source)] = [mean_sd(OverFolds.of(column)) for column in eta.T]
    table("edges.weights", rows, title="Weights of the kernels")
    st.caption(
        "Of kernels centred and divided by their mean diagonal on the training nodes; they add up to 1, and in the sum all "
        "weigh alike."
    )
