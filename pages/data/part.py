"""The part of a table of pairs that a matrix is made of: chosen before, where there are more items than fit."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Final

import streamlit as st

from kernex_core.base.errors import KernexError, TooLargeError
from kernex_core.inputs.catalogue import LABELS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.join import join_labels
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.names import counted
from kernex_core.inputs.options import ReadOptions
from kernex_core.inputs.samples import Labels
from kernex_core.inputs.similarities.pairs import PairOptions
from kernex_core.inputs.similarities.parts import PairPart
from kernex_core.inputs.upload import Upload
from pages.server import workspace
from pages.server.cached import cached
from pages.server.item_limit import item_limit, needed
from pages.server.readers.tasks import pair_parts
from pages.ui.files import Outcome, asked, key_of, read_apart, start, waiting, ways
from pages.ui.widget import controls

TITLES: Final[Mapping[str, str]] = {
    "connected": "The largest connected part",
    "densest": "The items with most known pairs",
    "neighbours": "One item and its neighbours",
    "labelled": "Items with a label",
    "random": "At random, or by class",
}


def chosen_part(file: Upload, way: str, options: ReadOptions, made: Outcome) -> ReadOptions:
    """Draw the choice of a part where a table of pairs has more items than a matrix may have; options with that part."""
    if not isinstance(options, PairOptions) or not isinstance(made.error, TooLargeError):
        return options
    score, key = str(getattr(options, "score_column", "")), f"{key_of(file)}.{way}.part"
    found = read_apart(pair_parts, file, score, item_limit(), (), "", 0)
    if len(found.ids) <= options.limit:
        return options
    labels = _labels(found.ids)
    labelled = () if labels is None else tuple(i for i, y in zip(labels.ids, labels.y, strict=True) if y)
    st.markdown(f"**{len(found.ids):,} items: choose a part before the matrix is made**")
    query = str(workspace.widget_says(f"{key}.query") or "")
    if labelled or query:
        found = read_apart(pair_parts, file, score, item_limit(), labelled, query, 0)
    parts: dict[str, PairPart | None] = {part.way: part for part in found.parts}
    offered = [each for each in TITLES if each in parts or each == "neighbours"]
    chosen = st.radio(
        "Part", offered, format_func=lambda each: _described(each, parts.get(each)), key=f"{key}.by",
        persist_state="session", help="Each with how much of it is known: what a matrix is worth rests on that.",
    )  # fmt: skip
    if chosen == "neighbours":
        st.selectbox(
            "Item", found.ids, index=None, key=f"{key}.query", persist_state="session",
            help="Those that it has the largest known scores with are kept beside it.",
        )  # fmt: skip
    if chosen != "random":
        part = parts.get(chosen)
        return options if part is None else dataclasses.replace(options, part_ids=part.ids)
    fits = Selection(size=item_limit())
    spec = _spec(fits, labels, key)
    size = spec.size if spec.size is not None else len(found.ids)
    st.caption(f"A matrix of {min(size, len(found.ids)):,} items: {needed(min(size, len(found.ids)))}.")
    if not spec.by_label:
        return dataclasses.replace(options, part_size=spec.size, part_seed=spec.seed)
    kept = spec.apply(found.ids, labels)
    return dataclasses.replace(options, part_ids=tuple(found.ids[int(k)] for k in kept))


def _described(way: str, part: PairPart | None) -> str:
    if part is None:
        return TITLES[way]
    of = "" if part.whole else ", the densest of them"
    share = 100.0 * part.known
    return f"{TITLES[way]}: {counted(len(part.ids), 'item')}{of}, {share:.3g} % of their pairs known"


def _spec(fits: Selection, labels: Labels | None, key: str) -> Selection:
    """Size and seed; with labels also classes, and a draw that keeps the share of each."""
    if labels is None:
        st.caption("Bring a file of labels, too, to choose by class.")
        return controls(fits, key, only=["size", "seed"], slots=st.columns(2), kept=False)
    sizes = dict(labels.classes)
    classes = st.multiselect(
        "Classes", list(sizes), format_func=lambda name: f"{name} ({sizes[name]:,})", key=f"{key}.classes",
        persist_state="session", placeholder="all", help="Classes that are kept, with their sizes.",
    )  # fmt: skip
    fits = dataclasses.replace(fits, classes=tuple(classes) or None)
    slots = st.columns(3, vertical_alignment="bottom")
    return controls(fits, key, only=["size", "seed", "stratified"], slots=slots, kept=False)


def _labels(ids: tuple[str, ...]) -> Labels | None:
    """Labels of the items from another file that waits, else from the data set that is open."""
    for file in reversed(waiting()):
        found = ways(file)
        beginning = start(file, LABELS) if found and found[0].format.name == LABELS else None
        if beginning is not None:
            made = asked(file, LABELS, beginning.options).result
            if isinstance(made, Labels) and (joined := _joined(ids, made)) is not None:
                return joined
    data = workspace.current()
    own = data.labels if isinstance(data, DataSet) else None
    return None if own is None else _joined(ids, own)


@cached
def _joined(ids: tuple[str, ...], labels: Labels) -> Labels | None:
    try:
        return join_labels(ids, labels).labels
    except KernexError:
        return None
