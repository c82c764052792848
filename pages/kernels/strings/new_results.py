"""What new sequences turn out to be: neighbours, completed similarities, classes; one row each, then one in detail."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.base.frozen import FloatArray, IntArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.base import AbstractKernel
from kernex_core.learning.learners.neighbours import Nearest
from kernex_core.learning.predict import Predictions
from kernex_core.studies.completion.study import CompletionConfig
from kernex_core.studies.sequences.new_items import (
    ComparedRows,
    ConditionedRows,
    Extended,
    classes_of,
    conditioned_rows,
    extended,
    joint_classes,
    neighbours_of,
)
from pages.kernels.strings.new_files import CarriedRows, all_rows, pair_table, script
from pages.shared import chosen
from pages.shared.cached import cached
from pages.shared.declared.settings import of_items
from pages.shared.figures.theme import number, percent
from pages.shared.figures.weights import weight_bars
from pages.shared.frame import panel_title
from pages.shared.messages import guard, plain
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Offer, Result, keep_row
from pages.shared.panels.source_target import completion
from pages.shared.settings import widgets
from pages.shared.shown import drawn, registry

MOST_CLASSES = 24
SHOWN = 8
MOST_PAIRS = 1_000_000
"""Pairs of a new sequence and an item up to which all of them can be downloaded as a table."""


@cached
def carried_rows(source: GramMatrix, rows: ComparedRows) -> ConditionedRows:
    """Return rows and self-similarities after the steps of the source; whatever follows takes these."""
    return conditioned_rows(source, rows)


@cached
def nearest(source: GramMatrix, rows: ConditionedRows) -> Nearest:
    """Return the nearest items of every new one."""
    return neighbours_of(source, rows, SHOWN)


@cached
def carried_over(
    config: CompletionConfig, K: GramMatrix, target: GramMatrix, rows: ConditionedRows, lam: float
) -> Extended:
    """Return the similarities in the target."""
    return extended(completion(config, K, target), rows, lam)


@cached
def predicted(source: GramMatrix, labels: Labels, rows: ConditionedRows, C: float) -> Predictions:
    """Return the classes by the string kernel."""
    return classes_of(source, labels, rows, C)


@cached
def predicted_jointly(
    config: CompletionConfig, K: GramMatrix, target: GramMatrix, labels: Labels, found: Extended, C: float
) -> Predictions:
    """Return the classes by the joint kernel."""
    return joint_classes(completion(config, K, target), labels, found, C)


SETTINGS = (of_items("new_one", "Look at"),)


def results(
    dataset: DataSet,
    kernel: AbstractKernel[Sequence[str]],
    samples: Sequences,
    new: Sequences,
    answer: CarriedRows,
) -> None:
    """Draw the table of all new sequences, and one of them in detail."""
    rows = carried_rows(answer.source, answer.rows)
    closest = nearest(answer.source, rows).positions
    carried = None if answer.asked is None else carried_over(*answer.asked, rows, answer.lam)
    by_string, by_joint = _classes(answer, rows, carried)
    table = _table(answer, new, rows.cross, closest[:, 0], carried, by_string, by_joint)
    narrow = {name: st.column_config.TextColumn(width="small") for name in ("new sequence", "nearest")}
    marked = chosen.first(table, "new sequence", "nearest")
    registry.list_rows("sequences.new", table, "New sequences")
    st.dataframe(marked, hide_index=True, width="stretch", column_config=narrow, key="sequences.new.table")
    st.caption(_basis(answer, by_string))
    named = by_string is not None and answer.labels is not None
    result = Result(
        "new sequences",
        table=Offer(lambda: table, label="Table as CSV"),
        arrays=Offer(
            lambda: all_rows(answer.source, answer.rows, rows.cross, carried),
            help="NumPy archive: similarities of new sequences (rows) and items, raw, conditioned and carried over; ids.",
            name="new sequences similarities",
        ),
        further=(
            Offer(
                lambda: pair_table(answer.source, answer.rows, rows.cross, carried),
                label="Similarities as CSV",
                help="Every new sequence with every item: raw, conditioned, and carried over.",
                name="new sequences similarities",
                key="rows",
            ),
        )
        if rows.cross.size <= MOST_PAIRS
        else (),
        script=Offer(
            lambda: script(kernel, samples, new, answer),
            help="Python that names the classes again with kernex_core alone.",
        )
        if named
        else None,
        report=True,
    )
    keep_row(result, key="sequences.new")
    _one(answer, rows.cross, closest, carried, by_joint or by_string, joint=by_joint is not None)


def _classes(
    answer: CarriedRows, rows: ConditionedRows, carried: Extended | None
) -> tuple[Predictions | None, Predictions | None]:
    by_string = by_joint = None
    if answer.labels is not None:
        with guard():
            by_string = predicted(answer.source, answer.labels, rows, answer.C)
        if answer.asked is not None and carried is not None:
            with guard():
                by_joint = predicted_jointly(*answer.asked, answer.labels, carried, answer.C)
    return by_string, by_joint


def _table(
    answer: CarriedRows,
    new: Sequences,
    cross: FloatArray,
    closest: IntArray,
    carried: Extended | None,
    by_string: Predictions | None,
    by_joint: Predictions | None,
) -> pd.DataFrame:
    columns: dict[str, ArrayLike] = {
        "new sequence": list(new.ids),
        "letters": [len(string) for string in new.strings],
        "nearest": [answer.source.ids[i] for i in closest],
        "similarity": cross[np.arange(new.n), closest].round(4),
    }
    if answer.labels is not None:
        columns["its class"] = [answer.labels.y[i] for i in closest]
    for title, made in (("", by_string), ("joint ", by_joint)):
        if made is not None:
            columns[f"{title}class"] = list(made.labels)
            columns[f"{title}margin"] = made.margin.round(3)
    if carried is not None:
        columns["explained, %"] = (100.0 * carried.explained).round(1)
    return pd.DataFrame(columns)


def _basis(answer: CarriedRows, made: Predictions | None) -> str:
    parts = [
        "Similarity: after clipping negative eigenvalues and cosine normalisation, fitted on the data alone."
    ]
    if made is not None and answer.labels is not None:
        parts.append(
            f"Classes: one C-SVM a class, C = {answer.C:g}, trained on all {int(answer.labels.labelled.sum()):,} labelled "
            f"items of {len(made.classes)} classes; new sequences were not seen. Margin: largest decision value minus the "
            "runner-up; near 0 = undecided."
            + (" Joint: the same by the joint kernel." if answer.made is not None else "")
        )
    elif answer.labels is None:
        parts.append("Classes need labels of at least two classes, which are brought on the page Data.")
    if answer.made is not None:
        known = int(answer.made.known.sum())
        parts.append(
            f"Explained: share of a sequence's own similarity that the {known:,} known items explain; near 0\u00a0% nothing "
            "can be carried over to it."
        )
    return " ".join(parts)


def _one(
    answer: CarriedRows,
    cross: FloatArray,
    closest: IntArray,
    carried: Extended | None,
    made: Predictions | None,
    *,
    joint: bool,
) -> None:
    ids = answer.rows.ids
    name = widgets.choose("new_one", ids, key="sequences.new.one") if len(ids) > 1 else ids[0]
    at = ids.index(name) if name in ids else 0
    left, right = st.columns([1, 1.2], gap="medium")
    with left:
        _decisions(ids[at], at, made, joint=joint)
    with right:
        _nearest(answer, at, cross, closest[at], carried)


def _decisions(name: str, at: int, made: Predictions | None, *, joint: bool) -> None:
    if made is None:
        return
    panel_title("Decision values", f"of {plain(name)}, by the {'joint' if joint else 'string'} kernel")
    order = np.argsort(-made.decisions[at], kind="stable")[:MOST_CLASSES]
    picture = weight_bars(
        made.decisions[at][order], names=[made.classes[c] for c in order], highlighted=[0], x_title="class",
        y_title="decision value", height=260,
    )  # fmt: skip
    draw(picture, "sequences.new.decisions")
    st.caption("Above 0 its C-SVM says yes; the largest value is the class that is named.")


def _nearest(
    answer: CarriedRows, at: int, cross: FloatArray, places: IntArray, carried: Extended | None
) -> None:
    panel_title("Nearest items", "by the distance that the string kernel induces")
    at_hand = set(chosen.chosen_ids())
    named = [answer.source.ids[i] for i in places]
    columns = {"item": [plain(name) for name in named]}
    if at_hand.intersection(named):
        columns["chosen"] = ["●" if name in at_hand else "" for name in named]
    if answer.labels is not None:
        columns["class"] = [plain(answer.labels.y[i]) for i in places]
    columns["similarity"] = [number(cross[at, i], 3) for i in places]
    if carried is not None:
        columns["extrapolated"] = [number(carried.extrapolated[at, i], 3) for i in places]
        columns["joint"] = [number(carried.joint[at, i], 3) for i in places]
    drawn.table("sequences.nearest", columns)
    if carried is not None:
        st.caption(
            f"Extrapolated and joint (λ = {answer.lam:g}): similarities in the target, by way of the string kernel; "
            f"{percent(carried.explained[at], 0)} of this sequence is explained by known items."
        )
