"""Columns of vectors that tell the class: a warning, with a click beside it that leaves them out."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from kernex_core.base.digests import digest
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.findings.label_leakage import LeakingColumn, leak_groups, leak_note, leaking_columns
from kernex_core.inputs.items.selection import column_keys, without_columns
from kernex_core.inputs.samples import AnyVectors, Labels
from pages.server import workspace
from pages.server.cached import cached
from pages.server.messages import findings, plain

MOST_NAMES = 100


def leave_out_boxes(data: DataSet) -> DataSet:
    """Warn of the columns of data that are about to be added; return them without those whose box is ticked."""
    for place, (name, vectors) in enumerate(_vectors(data)):
        found = told(vectors, data.labels)
        gone: list[int] = []
        for kind, members in leak_groups(found):
            which = digest([kind, [(each.column, each.name) for each in members]])[:12]
            with st.container(gap="xsmall"):
                findings([leak_note(kind, members)])
                ticked = st.checkbox(
                    _label(members), key=f"data.leave.{place}.{which}", persist_state="session",
                    help=_all(members),
                )  # fmt: skip
            gone += [each.column for each in members] if ticked else []
        if gone:
            data = data.with_samples(name, reduced(vectors, tuple(gone)))
            left = data.samples[name]
            assert isinstance(left, AnyVectors)  # as it was before
            st.caption(
                f"{plain(name)} keeps {left.X.shape[1]:,} of {vectors.X.shape[1]:,} columns; its script leaves out the "
                "same. Clear the box to have them back."
            )
    return data


def leave_out_buttons(name: str, vectors: AnyVectors, data: DataSet) -> None:
    """Warn of the columns of a part of the data set that is open, each kind with a button that leaves them out."""
    kernels = (
        " Kernels that were computed with them stay as they are: build them anew." if data.kernels else ""
    )
    for kind, members in leak_groups(told(vectors, data.labels)):
        with st.container(gap="xsmall"):
            findings([leak_note(kind, members)])
            st.button(
                _label(members), key=f"data.leave.{name}.{kind}", icon=":material/remove_selection:",
                help=f"{_all(members)} All items and all else stay.{kernels}",
                on_click=take_out, args=(name, tuple(each.column for each in members)),
            )  # fmt: skip


def take_out(name: str, columns: tuple[int, ...]) -> None:
    """Leave columns out of samples of the data set that is open, whatever is selected of it."""
    current = workspace.current_name()
    assert current is not None  # the button stands in its report

    def without(whole: DataSet) -> DataSet:
        vectors = whole.samples.get(name)
        return (
            whole.with_samples(name, reduced(vectors, columns)) if isinstance(vectors, AnyVectors) else whole
        )

    workspace.change(current, without)


@cached
def told(vectors: AnyVectors, labels: Labels | None) -> tuple[LeakingColumn, ...]:
    """Columns of the vectors that tell the class."""
    return () if labels is None else leaking_columns(vectors, labels)


@cached
def reduced(vectors: AnyVectors, columns: tuple[int, ...]) -> AnyVectors:
    """Vectors without the columns at these positions."""
    return without_columns(vectors, column_keys(vectors, columns))


def _vectors(data: DataSet) -> list[tuple[str, AnyVectors]]:
    return [(name, part) for name, part in data.samples.items() if isinstance(part, AnyVectors)]


def _label(members: Sequence[LeakingColumn]) -> str:
    if len(members) > 3:
        return f"Leave out these {len(members):,} columns"
    return "Leave out " + " and ".join(plain(each.name[:40]) for each in members)


def _all(members: Sequence[LeakingColumn]) -> str:
    shown = ", ".join(plain(each.name) for each in members[:MOST_NAMES])
    more = f" and {len(members) - MOST_NAMES:,} more" if len(members) > MOST_NAMES else ""
    return f"Out of the features: {shown}{more}."
