"""The part of a table of pairs that a matrix is made of: chosen before, where there are more items than fit."""

from __future__ import annotations

import dataclasses

import streamlit as st

from kernex_core.base.errors import KernexError, TooLargeError
from kernex_core.inputs.catalogue import LABELS
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.join import join_labels
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.options import ReadOptions
from kernex_core.inputs.samples import Labels
from kernex_core.inputs.similarities.pairs import PairOptions
from kernex_core.inputs.upload import Upload
from pages.shared import workspace
from pages.shared.cached import cached
from pages.shared.controls import controls
from pages.shared.files.reading import read_apart
from pages.shared.files.waiting import Outcome, key_of, outcome, start, waiting, ways
from pages.shared.item_limit import item_limit, needed
from pages.shared.readers.tasks import pair_items


def chosen_part(file: Upload, way: str, options: ReadOptions, made: Outcome) -> ReadOptions:
    """Draw the choice of a part where a table of pairs has more items than a matrix may have; options with that part."""
    if not isinstance(options, PairOptions) or not isinstance(made.error, TooLargeError):
        return options
    ids = _items(file)
    if len(ids) <= options.limit:
        return options
    labels = _labels(ids)
    st.markdown(f"**{len(ids):,} items: choose a part before the matrix is made**")
    fits = Selection(size=item_limit())
    spec = _spec(fits, labels, f"{key_of(file)}.{way}.part")
    size = spec.size if spec.size is not None else len(ids)
    st.caption(f"A matrix of {min(size, len(ids)):,} items: {needed(min(size, len(ids)))}.")
    if not spec.by_label:
        return dataclasses.replace(options, part_size=spec.size, part_seed=spec.seed)
    kept = spec.apply(ids, labels)
    return dataclasses.replace(options, part_ids=tuple(ids[int(k)] for k in kept))


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
            made = outcome(file, LABELS, beginning.options).result
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


def _items(file: Upload) -> tuple[str, ...]:
    return read_apart(pair_items, file)
