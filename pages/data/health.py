"""The health report of every part of the data set, and its classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from kernex_core.base.digests import digest
from kernex_core.base.frozen import BoolArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet, KernelSamples
from kernex_core.inputs.health import ON_COMPLETE, ON_TOGETHER, HealthReport, class_notes, health, size_note
from kernex_core.inputs.items.selection import column_keys, without_columns
from kernex_core.inputs.label_leakage import LeakingColumn, leak_groups, leak_note, leaking_columns
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import AnyVectors, Labels, Note
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import after_bringing
from pages.server.digits import percent
from pages.server.messages import findings, plain
from pages.server.navigation import page_at, waiting_link
from pages.ui import shown as drawn
from pages.ui.frame import panel_title

# Columns of vectors that tell the class: a warning, with a click beside it that leaves them out.

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


def report(data: DataSet, whole: DataSet) -> None:
    """Write the findings, one block a part; a table of classes stands beside it."""
    st.subheader("Health report", anchor=False)
    left, right = st.columns([3, 2], gap="large")
    with left, st.container(gap="small", key="health"):
        _notes("As they came", data.notes)
        parts = {**data.samples, **data.kernels}
        for name, part in parts.items():
            own = () if isinstance(part, GramMatrix) else part.notes
            found = checked(part, name)
            _part(
                name,
                _completed_together(found) if data.all_partly_known else found,
                [note for note in own if note not in data.notes],
                data.n,
                len(parts) > 1,
            )
            if isinstance(part, AnyVectors):
                leave_out_buttons(name, part, data)
        if parts:
            findings([size_note(data.n)])
    with right:
        _classes(data.labels, data, whole)


@cached
def checked(part: GramMatrix | KernelSamples, name: str) -> HealthReport:
    """Return the findings about one part, without those about its file and its labels, which stand elsewhere."""
    bare = part if isinstance(part, GramMatrix) else replace(part, labels=None, notes=())
    return health(bare, title=name)


def _completed_together(found: HealthReport) -> HealthReport:
    """The same findings where no kernel can be the source: Complete would be a dead end."""
    notes = (
        replace(note, action=ON_TOGETHER) if note.action == ON_COMPLETE else note for note in found.notes
    )
    return replace(found, notes=tuple(notes))


def _part(name: str, found: HealthReport, own: list[Note], data_n: int, removable: bool) -> None:
    known = "" if found.n_known == found.n else f", {found.n_known:,} of them with all pairs known"
    with st.container(gap="xxsmall"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            panel_title(plain(name), counted(found.n, "item") + known)
            if removable:
                st.button(
                    "Remove", key=f"data.remove.{name}", type="tertiary", icon=":material/delete:",
                    help="Takes it out of this data set.", on_click=remove_part, args=(name,),
                )  # fmt: skip
        # what is true of every part stands once, below all of them
        notes = [*own, *(note for note in found.notes if note != size_note(data_n))]
        if notes:
            findings(notes)


def remove_part(name: str) -> None:
    """Take samples or a kernel out of the data set, or forget a kept kernel."""
    if name in workspace.kept():
        workspace.forget_kernel(name)
        return
    current = workspace.current_name()
    assert current is not None  # the button stands in its report
    workspace.change(
        current,
        lambda whole: replace(
            whole,
            samples={title: part for title, part in whole.samples.items() if title != name},
            kernels={title: part for title, part in whole.kernels.items() if title != name},
        ),
    )


def _notes(title: str, notes: tuple[Note, ...]) -> None:
    if notes:
        panel_title(title)
        findings(notes)


def _classes(labels: Labels | None, data: DataSet, whole: DataSet) -> None:
    if labels is None:
        panel_title("Classes")
        st.caption(
            "There are no labels: the data can be looked at and completed, but not judged. Bring a file of labels above."
        )
        return
    panel_title("Classes", f"{len(labels.classes):,}, largest first")
    rows = _table(labels, {name: K.known for name, K in data.kernels.items() if not K.unknown.complete})
    drawn.table("data.health", rows, hide_index=True)
    # notes on the classes are made anew for the selection
    old = {note.text for note in class_notes(whole.labels)} if whole.labels else set()
    read = [note for note in labels.notes if note.text not in old and note.severity != "fine"]
    findings([*read, *class_notes(labels)])


def _table(labels: Labels, known: Mapping[str, BoolArray]) -> list[dict[str, str]]:
    """Rows of the table of classes: size, and how many are known in every partly unknown kernel."""
    total = sum(size for _, size in labels.classes)
    rows = []
    for name, size in labels.classes:
        inside = labels.y == name
        row = {"Class": plain(name), "Items": f"{size:,}", "Share": percent(size / total, 1)}
        row |= {f"Known in {plain(kernel)}": f"{int(mask[inside].sum()):,}" for kernel, mask in known.items()}
        rows.append(row)
    return rows


# What to do with data that were just added: one line, and a link there.

ADDED = "data.added"
"""Name of the data set that files were added to last."""
_to_the_top = st.components.v2.component(
    "kernex_top",
    # the button that added them stood below what has gone: the browser would stay where it was
    js="""
export default function ({ data }) {
  if (window.kernexTop === data) return;
  window.kernexTop = data;
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
}
""",
)
UNLABELLED = "Labels, a file of ids and classes added above, would let it be judged."


def show(data: DataSet) -> None:
    """Say what comes next and link there; nothing on kernels that were not just brought."""
    brought = workspace.recall(ADDED, "") == workspace.current_name()
    if not brought and data.kernels:
        return
    link = waiting_link()
    if link is not None and link.data == data.name:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(":material/link: These are the data of the address that you opened:", width="content")
            st.page_link(
                page_at(link.url_path), label="Go there, with its settings", query_params=dict(link.settings)
            )
        return
    step = after_bringing(data)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/arrow_forward: {step.said}", width="content")
        st.page_link(page_at(step.address), label=step.label)
        if data.judgeable is None:
            st.markdown(f":gray[{UNLABELLED}]", width="content")
        if brought:
            _to_the_top(key="data.top", data=f"{data.name} {data.n}", height="content")
