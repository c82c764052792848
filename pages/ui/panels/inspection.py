"""What the page Kernels computes, cached: a change of one setting recomputes only what depends on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.digests import digest
from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.base.parameters import parameters
from kernex_core.base.validation import psd_tolerance
from kernex_core.conditioning.impute import FILLS, FillUnknown
from kernex_core.gram.diagnostics import LARGE_DIAGONAL, Diagnosis
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.spectrum import Decomposition, Eigenvector, decompose, eigenvector
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.judgement import Judgement
from kernex_core.runtime.progress import Steps, finished
from kernex_core.studies.inspection import (
    Inspection,
    InspectionConfig,
    Outlook,
    Treatment,
    condition,
    examining,
    foreseen,
    inspecting,
    known_block,
    treating,
)
from pages.export.downloads import csv_button
from pages.server import workspace
from pages.server.cached import cached
from pages.server.colour_scheme import ground
from pages.server.declared import Setting, in_view, label, of, of_data, setting
from pages.server.digits import number, percent
from pages.server.messages import guard, plain
from pages.ui import chosen, widgets
from pages.ui import shown as registry
from pages.ui.figures.chart import Items, Picture, Spec, axis, chart_config, draw, inked
from pages.ui.figures.scatter import BELOW_BUTTONS, Marked, Outlined, traces
from pages.ui.frame import panel_title
from pages.ui.glossary import hint
from pages.ui.panels.accuracy import state_badge
from pages.ui.panels.item_map import BUTTONS, drawn_chart, on_select
from pages.ui.panels.linked import order_box, orders
from pages.ui.panels.staged import Pieced, Staged, run_in_pieces, run_study
from pages.ui.panels.verdicts import NUMBER_WIDTH, row_of_numbers
from pages.ui.projector import enlarged
from pages.ui.shown import measure
from pages.ui.widget import widget

AT_ONCE = 2_000
"""Items up to which eigenvalues come without a word (about a second)."""
NEWEST = 32
"""Powers, kernels and repairs that are remembered."""
AT_ONCE_JUDGED, AT_ONCE_FOLDS = 320, 10
"""Items, and folds of all repetitions, up to which the accuracies do."""


@cached(newest=NEWEST, public=True)
def conditioned(config: InspectionConfig, K: GramMatrix) -> GramMatrix:
    """Return the kernel after the elementwise map and the normalisation."""
    return condition(config, K)


@cached(newest=NEWEST, public=True)
def inspection(config: InspectionConfig, K: GramMatrix, labels: Labels | None) -> Inspection:
    """Return the conditioned kernel and what it is like."""
    return finished(_inspecting(config, K, labels))


def _inspecting(config: InspectionConfig, K: GramMatrix, labels: Labels | None) -> Steps[Inspection]:
    return inspecting(config, conditioned(config, K), labels)


def watched_inspection(config: InspectionConfig, K: GramMatrix, labels: Labels | None) -> Inspection | None:
    """Return `inspection`, of many items with progress and Stop; None where it was stopped."""
    return run_in_pieces(
        Pieced(inspection, _inspecting, (config, K, labels)),
        key="kernels.spectrum",
        what="% of eigenvalues and map",
        at_once=_few(conditioned(config, K)),
        label="Compute the eigenvalues",
    )


@cached(newest=NEWEST, public=True)
def treatment(config: InspectionConfig, K: GramMatrix, labels: Labels | None, method: str) -> Treatment:
    """Return one row of the PSD doctor, without accuracy."""
    return finished(_treating(config, K, labels, method))


def _treating(
    config: InspectionConfig, K: GramMatrix, labels: Labels | None, method: str
) -> Steps[Treatment]:
    return treating(inspection(config, K, labels), method, labels)


def watched_treatment(
    config: InspectionConfig, K: GramMatrix, labels: Labels | None, method: str
) -> Treatment | None:
    """Return `treatment`, of many items with progress and Stop; None where it was stopped."""
    return run_in_pieces(
        Pieced(treatment, _treating, (config, K, labels, method)),
        key=f"kernels.repair.{method}",
        what=f"% of the repair {method}",
        at_once=_few(conditioned(config, K)),
        label=f"Repair: {method}",
    )


def _few(gram: GramMatrix) -> bool:
    return int(gram.known.sum()) <= AT_ONCE


@cached(public=True)
def accuracy(
    config: InspectionConfig, K: GramMatrix, labels: Labels, method: str, validation: CrossValidation
) -> Judgement:
    """Return the accuracy of one row of the PSD doctor."""
    made = [state.judgement for state in examining(treatment(config, K, labels, method), labels, validation)][
        -1
    ]
    assert made is not None  # the last state holds every repetition
    return made


@dataclass(frozen=True, eq=False)
class Accuracies:
    """Accuracies of several rows that are done, all on the same folds; of `total` folds `done` are."""

    judged: Mapping[str, Judgement]
    done: int
    total: int


Args: TypeAlias = tuple[InspectionConfig, GramMatrix, Labels, tuple[str, ...], CrossValidation]


@cached
def accuracies(
    config: InspectionConfig,
    K: GramMatrix,
    labels: Labels,
    methods: tuple[str, ...],
    validation: CrossValidation,
) -> Accuracies:
    """Return the accuracy of every row; the page keeps partial results under the same key."""
    *_, last = _comparing(config, K, labels, methods, validation)
    return last


def _comparing(
    config: InspectionConfig,
    K: GramMatrix,
    labels: Labels,
    methods: tuple[str, ...],
    validation: CrossValidation,
    done: Accuracies | None = None,
) -> Iterator[Accuracies]:
    """Judge row by row; whole rows are not judged again, whether `done` holds them or another comparison did."""
    judged: dict[str, Judgement] = {} if done is None else dict(done.judged)
    folds = 1
    for place, method in enumerate(methods):
        # a repair that leaves a kernel as it is has that kernel's accuracy
        same = foreseen(inspection(config, K, labels), method).same_as
        made = judged.get(method) or accuracy.peek(config, K, labels, same, validation)
        if made is None:
            for state in examining(treatment(config, K, labels, same), labels, validation):
                made, folds = state.judgement, state.total
                yield Accuracies(
                    dict(judged), place * folds + min(state.done, folds - 1), len(methods) * folds
                )
            assert made is not None  # the last state holds every repetition
            made = accuracy.keep(made, config, K, labels, same, validation)
        judged[method] = made
        yield Accuracies(dict(judged), (place + 1) * folds, len(methods) * folds)


def watched_accuracies(args: Args, *, automatic: bool) -> Mapping[str, Judgement]:
    """Return the accuracy of every row, with progress and Stop where they take longer; after a stop those that are done."""
    config, K, _, _, validation = args
    n = int(conditioned(config, K).known.sum())
    study: Staged[Accuracies] = Staged(accuracies, _comparing, args, resumes=True)
    found = study.known()
    if found is not None and found.done >= found.total:
        return found.judged
    if automatic and n <= AT_ONCE_JUDGED and 0 < validation.folds * validation.repeats <= AT_ONCE_FOLDS:
        return accuracies(*args).judged
    found = run_study(
        study,
        key="kernels.accuracies",
        what="folds of all repairs" if len(args[3]) > 1 else "folds",
        automatic=automatic,
        label="Judge the repairs" if len(args[3]) > 1 else "Judge",
    )
    return {} if found is None else found.judged


# Numbers about one kernel beside those of its verdict, each with a hint; and the badges of the page.

BadgeColor: TypeAlias = Literal["gray", "green", "orange"]


def numbers(d: Diagnosis, labels: Labels | None) -> None:
    """Draw what the diagnosis found and the verdict does not say."""
    with row_of_numbers():
        if d.indefinite:
            _measure("Effective rank", number(d.effective_rank), f"of {d.n_known:,}")
        else:
            _measure("Negative mass", percent(d.negative_mass, 1), "of all |λ|")
        _measure("Rank", f"{d.rank:,}", f"of {d.n_known:,}")
        _measure("Condition", number(d.condition), "largest / smallest")
        large = "large diagonal" if d.large_diagonal else f"flagged above {LARGE_DIAGONAL:g}"
        _measure("Diagonal dominance", number(d.dominance), large, "orange" if d.large_diagonal else "gray")
        zeros = "Share of similarities between two items that are exactly 0."
        _measure("Zeros", percent(d.zero_share, 1), "off the diagonal", help=zeros)
        if labels is not None:
            _measure("Alignment", _or_dash(d.alignment, number(d.alignment, 2)), "with the classes")
        known = (
            "Items whose pairs are all known. Every number, the spectrum and the map are about these alone."
        )
        _measure("Items known", f"{d.n_known:,}", f"of {d.n:,}, {d.n_labelled:,} labelled", help=known)


def badges(place: DeltaGenerator, diagnosis: Diagnosis, kept: Outlook, inductive: bool) -> None:
    """Fill the header: mode of the kernel that would be kept, and what is unknown."""
    steps = ", ".join(step.name for step in kept.steps) or "none"
    with place.container(horizontal=True, width="content", gap="xsmall"):
        state_badge(kept.state(inductive=inductive), about=f"Steps: {steps}.")
        if diagnosis.n_known < diagnosis.n:
            st.badge(
                f"{diagnosis.n_known:,} of {diagnosis.n:,} items known", color="gray",
                help="Hatched entries are unknown. All numbers are about the items whose pairs are all known.",
            )  # fmt: skip


def smallest(eigenvalues: FloatArray) -> str:
    """Return the last of descending eigenvalues, with 0 for what is rounding only."""
    least = float(eigenvalues[-1])
    is_zero = abs(least) <= psd_tolerance(eigenvalues.size, float(abs(eigenvalues).max()))
    return "0" if is_zero else number(least)


def _measure(name: str, value: str, chip: str, color: BadgeColor = "gray", *, help: str = "") -> None:
    measure(name, value, chip, help=help or hint(name), color=color, width=NUMBER_WIDTH)


def _or_dash(value: float, text: str) -> str:
    return "—" if math.isnan(value) else text


# Controls of the pages Kernels and Sequences: what is done to a kernel before it is looked at, and the order of items.

FIELDS = parameters(InspectionConfig)
OF_STRINGS = InspectionConfig(normalize="cosine")
"""Where a kernel of strings or graphs starts, on every page: those of many sizes start cosine-normalised."""


def conditioned_by(prefix: str = "", *, in_row: bool = False) -> tuple[Setting, ...]:
    """Declare what `conditioning` draws; `in_row`: normalisation and power stand in the first row of the page."""
    name = label(FIELDS["normalize"], "normalize")
    first = (
        setting(f"{prefix}normalise", name), setting(f"{prefix}normalise_strings", name),
        *of(InspectionConfig, "p", prefix=prefix),
    )  # fmt: skip
    elements = of(InspectionConfig, "elements", prefix=prefix)
    return (*(in_view(*first) if in_row else first), *elements, *orders(prefix))


def conditioning(
    slots: Sequence[AbstractContextManager[object]],
    start: InspectionConfig,
    *,
    with_classes: bool,
    prefix: str = "",
) -> tuple[InspectionConfig, str]:
    """Draw normalisation, elements, power and order, each into its slot; return the settings and the order's name.

    Parameters
    ----------
    slots : four containers
    start : InspectionConfig
        Defaults.
    with_classes : bool
        Whether items can be sorted by class.
    prefix : str
        As they were declared.
    """

    def drawn(slot: AbstractContextManager[object], field: str, name: str) -> Any:
        with slot:
            return widget(FIELDS[field], getattr(start, field), name=name, setting=f"{prefix}{name}")

    # two widgets, for they start with different values
    strings = start.normalize == OF_STRINGS.normalize
    normalize = drawn(slots[0], "normalize", "normalise_strings" if strings else "normalise")
    elements = drawn(slots[1], "elements", "elements")
    p = drawn(slots[2], "p", "p") if elements == "power" else 1.0
    how = order_box(slots[3], with_classes=with_classes, prefix=prefix)
    return InspectionConfig(elements=str(elements), p=float(p), normalize=str(normalize)), how


# What stands for the pairs of a mostly unknown kernel while it is looked at.

LEFT_UNKNOWN: Final = "left unknown"
FILLED_AT_ONCE: Final = 300
"""Items up to which a kernel opens filled: its eigenvalues come without a wait."""


SETTINGS: Final = (of_data("filled", "Unknown pairs become"),)


def mostly_unknown(K: GramMatrix) -> bool:
    """Whether more than half of the pairs of two items are unknown, as in a table of hits."""
    return K.unknown.between > K.n * (K.n - 1) / 4


def shown_filled(K: GramMatrix, dataset: str) -> GramMatrix:
    """Draw the choice of what unknown pairs become and return the kernel that is looked at."""
    method = widgets.pick(
        "filled", (*FILLS, LEFT_UNKNOWN), default="zero" if K.n <= FILLED_AT_ONCE else LEFT_UNKNOWN,
        key=f"kernels.filled.{dataset}.{K.name}",
        help="What is looked at, measured, repaired and kept on this page; what was reported stands beside it. Left "
        "unknown: only the largest set of items whose pairs are all known is looked at.",
    )  # fmt: skip
    return K if method == LEFT_UNKNOWN else _filled(K, str(method))


@cached
def _filled(K: GramMatrix, method: str) -> GramMatrix:
    return K.then(FillUnknown(method)).renamed(f"{K.name}, {method}")


# One eigenvector of the spectrum over the items: which it sets against which; items are chosen in it.
#
# eigenvector_panel(Decomposed.of(inspection), Items(ids, classes, order), name="SW 3Di", key="kernels.eigenvector")
#
# It is read off the decomposition that the spectrum rests on.

MOST = 1_000
"""Points that are drawn: of more items each stands for as many neighbours."""
NAMED = 3
HOW = "A click chooses an item on every page, lasso and box several."
NOTHING = Marked()
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Decomposed:
    """A decomposed similarity: its known block, the items of it, and how many eigenvalues are below 0."""

    decomposition: Decomposition
    block: FloatArray
    known: IntArray
    negative: int

    @classmethod
    def of(cls, made: Inspection) -> Decomposed:
        """The kernel of the page Kernels."""
        known = np.flatnonzero(made.gram.known)
        return cls(made.decomposition, known_block(made.gram), known, made.diagnosis.negative)


@st.fragment
def eigenvector_panel(made: Decomposed, items: Items, *, name: str, key: str, of: str = "") -> None:
    """Draw the entries of one eigenvector in the order of the matrix, with what they say and the choice of the rank.

    Parameters
    ----------
    made : Decomposed
    items : Items
        All of them, with their order in the matrix.
    name : str
        Of the similarity, for the file.
    key : str
        Of the panel.
    of : str
        Which one it is of several on the page.
    """
    with guard():
        n, known = len(made.known), made.known
        words, picture = st.columns([1.0, 2.2], gap="medium")
        with words:
            place = st.container(gap="xxsmall")
            rank = _rank(made, key)
            found = eigenvector(made.decomposition, made.block, rank)
            with place:
                panel_title(
                    "Eigenvector", f"{of}no. {rank:,} of {n:,}, eigenvalue {number(found.eigenvalue)}"
                )
            ids = [items.ids[k] for k in known.tolist()]
            st.markdown(said(found, ids, negative=rank > n - made.negative))
            csv_button(
                "Eigenvector as CSV", lambda: table(found, items, known), f"{name} eigenvector {rank}", key=f"{key}.csv",
                type="tertiary", icon=":material/download:",
            )  # fmt: skip
        with picture:
            _chart(found, items, known, key)
    if workspace.recall(f"{key}.chosen", False):
        workspace.remember(f"{key}.chosen", False)
        st.rerun()


EIGENVECTOR_SETTINGS = (setting("rank", "Rank"),)


def _rank(made: Decomposed, key: str) -> int:
    """Ask for the rank; it begins with the most negative one, or the largest that sets items against others."""
    n = len(made.known)
    first = n if made.negative else 1
    if (
        first == 1
        and n > 1
        and not all(
            eigenvector(made.decomposition, made.block, 1).side(positive, 1) for positive in (True, False)
        )
    ):
        first = 2
    rank = widgets.number(
        "rank", 1, n, 1, default=first, key=f"{key}.rank.{n}.{first}", width=150,
        help=f"1: the largest eigenvalue; {n:,}: the smallest, the most negative one of an indefinite matrix.",
    )  # fmt: skip
    return int(rank or first)


def said(found: Eigenvector, ids: Sequence[str], *, negative: bool) -> str:
    """Say which items the vector sets against which; `negative`: its eigenvalue is below 0, beyond rounding."""
    sides = [
        ", ".join(f"**{plain(ids[k])}**" for k in found.side(positive, NAMED)) for positive in (True, False)
    ]
    if not found.alone:
        return (
            "Other eigenvalues are the same up to rounding: the vector is one of many in their common space, and its "
            "entries alone say nothing."
        )
    if not sides[1]:
        sets = f"It sets no items against others: all entries have one sign, the largest are those of {sides[0]}."
    else:
        sets = f"It sets {sides[0]} (above 0) against {sides[1]} (below 0); those are the largest entries."
    carry = "carries" if found.carried_by == 1 else "carry"
    carried = f"{counted(found.carried_by, 'item')} of {len(ids):,} {carry} half of its squared length."
    within, across = both(found)
    weighed = "Weighted by the sizes of the entries, similarities"
    if negative:
        sums = (
            f"{weighed} across the sides sum to {across}, within them (each item with itself, too) to {within}: less, which "
            "no inner product allows."
        )
    else:
        sums = f"{weighed} within a side (each item with itself, too) sum to {within}, across to {across}."
    return f"{sets} {carried} :gray[{sums} The difference is the eigenvalue.]"


def both(found: Eigenvector) -> tuple[str, str]:
    """Write the sums within and across so that their difference is the eigenvalue as it is written beside them.

    With the digits of the eigenvalue the larger sum may be off by one in the last of them.
    """
    most, value = max(abs(found.within), abs(found.across)), found.eigenvalue
    # what is rounding beside the other is nothing
    within, across = (each if abs(each) > ROUNDING * most else 0.0 for each in (found.within, found.across))
    size = abs(value)
    if not (1e-4 < size < 1e7 and within and across):
        return number(within), number(across)
    digits = 2 - math.floor(math.log10(size))
    digits = max(digits, 0) if size < 1e4 else digits
    written, is_smaller = round(value, digits), abs(within) < abs(across)
    smaller = round(within if is_smaller else across, digits)
    sums = (smaller, smaller - written) if is_smaller else (smaller + written, smaller)
    return number(sums[0], max(digits, 0)), number(sums[1], max(digits, 0))


def eigenvector_picture(
    found: Eigenvector, items: Items, known: IntArray, marked: Marked = NOTHING
) -> Picture:
    """Entries by the place of their items in the matrix, classes by colour, chosen items with a ring."""
    n = len(items.ids)
    points = np.full((n, 2), np.nan)
    points[items.positions, 0] = np.arange(1, len(items.positions) + 1)
    points[known, 1] = found.entries
    step = thin(points, marked.items)
    top = 1.08 * float(np.abs(found.entries).max())
    layout: Spec = {
        "xaxis": axis("place in the order of the matrix", range=[0.0, n + 1.0], showgrid=False, nticks=8)
        | {"fixedrange": False},
        "yaxis": axis("entry", range=[-top, top], nticks=6, zeroline=True, zerolinewidth=1),
        "dragmode": "pan",
        "clickmode": "event+select",
    }
    data = traces(points, items, Outlined(np.zeros(n, dtype=bool)), marked)
    note = f"of every {step} neighbours the one with the largest entry" if step > 1 else ""
    alt = (
        f"Eigenvector no. {found.rank}, eigenvalue {number(found.eigenvalue)}: entries of {counted(len(known), 'item')} in "
        f"the order of the matrix, from {number(float(found.entries.min()))} to {number(float(found.entries.max()))}"
        f"{', ' + note if note else ''}."
    )
    return Picture(draw(data, 282, BELOW_BUTTONS, layout), alt, note)


def thin(points: FloatArray, kept: Sequence[int]) -> int:
    """Take the places of items away until `MOST` are left, besides chosen ones; return how many one stands for."""
    placed = np.flatnonzero(np.isfinite(points).all(axis=1))
    step = -(-len(placed) // MOST)
    if step > 1:
        block = np.argsort(np.argsort(points[placed, 0])) // step
        # of each block the largest: last among those that are sorted by block, then size
        order = np.lexsort((np.abs(points[placed, 1]), block))
        last = np.append(np.flatnonzero(np.diff(block[order])), len(order) - 1)
        away = np.ones(len(points), dtype=bool)
        away[placed[order[last]]] = False
        away[list(kept)[:MOST]] = False
        points[away] = np.nan
    return step


def table(found: Eigenvector, items: Items, known: IntArray) -> pd.DataFrame:
    """Return one row an item: id, class, place in the matrix, and entry; NaN for items that are not known."""
    entries = np.full(len(items.ids), np.nan)
    entries[known] = found.entries
    order = items.positions
    columns = {"id": [items.ids[k] for k in order], "place": np.arange(1, len(order) + 1)}
    if items.classes is not None:
        columns["class"] = [items.classes[k] or "" for k in order]
    return pd.DataFrame(columns | {"entry": entries[order]})


def _chart(found: Eigenvector, items: Items, known: IntArray, key: str) -> None:
    """The chart keeps its zoom where items are chosen in it, as a map does."""
    pair = chosen.pair(items.ids)
    marked = Marked(chosen.chosen(items.ids), pair)
    names = tuple(items.ids[k] for k in marked.items)
    what = digest(found.entries, items.positions, list(items.ids), list(pair or ()), ground())
    chart = drawn_chart(key, what, names)
    inside = set(chart.items)
    at = replace(marked, items=tuple(k for k, item in enumerate(items.ids) if item in inside), picked=True)
    picture = eigenvector_picture(found, items, known, at)
    still = partial(eigenvector_picture, found, items, known, marked)
    registry.show(key, still, classes=items.classes)
    config = chart_config(registry.file_named("eigenvector"))
    st.plotly_chart(
        enlarged(inked(picture.figure, ground())), width="stretch", theme="streamlit", alt=f"{picture.alt} {HOW}",
        config={**config, "displayModeBar": True, "modeBarButtons": [list(BUTTONS)]}, key=f"{key}.{chart.turn}",
        on_select=partial(_on_select, key, chart.turn, tuple(items.ids)), selection_mode=("points", "box", "lasso"),
    )  # fmt: skip
    if picture.note:
        st.caption(f"Drawn: {picture.note}; all are in the CSV.")


def _on_select(key: str, turn: int, ids: tuple[str, ...]) -> None:
    """Points were clicked, or surrounded; every picture of the page shows it."""
    on_select(key, turn, ids)
    workspace.remember(f"{key}.chosen", True)


# Eigenvectors of several kernels of a page, in an expander: nothing is decomposed while it is closed.
#
# eigenvectors({"joint": lambda: K, "source": lambda: source.values}, items, key="complete.eigenvector")

EIGENVECTORS_SETTINGS = (of_data("eigen_of", "Eigenvector of"), *EIGENVECTOR_SETTINGS)
NEWEST = 8
"""Decompositions that are remembered: a slider runs through many kernels."""


@cached(newest=NEWEST, public=True)
def decomposition(values: FloatArray) -> Decomposition:
    """Decomposition of a kernel that is known everywhere."""
    return decompose(values)


def eigenvectors(kernels: Mapping[str, Callable[[], FloatArray]], items: Items, *, key: str) -> None:
    """Draw an expander with the choice of a kernel, each given as what makes it (n, n), and one eigenvector on the items."""
    panel = st.expander(
        "Eigenvectors: which items does a kernel set against which?", on_change="rerun", key=f"{key}.open"
    )
    if not panel.open:
        return
    with panel:
        name = widgets.pick(
            "eigen_of", list(kernels), said=plain, key=f"{key}.kernel", label_visibility="collapsed"
        )
        K = kernels[name]()
        made = decomposition(K)
        values = made.eigenvalues
        negative = int((values < -psd_tolerance(values.size, float(np.abs(values).max()))).sum())
        whole = Decomposed(made, K, np.arange(len(K)), negative)
        eigenvector_panel(whole, items, name=name, key=key, of=f"{plain(name)}, ")
