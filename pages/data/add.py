"""From waiting files to the workspace: where to, under which names, which items, and what that leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import streamlit as st

from kernex_core.gram.provenance import Call
from kernex_core.inputs.dataset import AnySamples, DataSet
from kernex_core.inputs.items.align import How
from kernex_core.inputs.items.match import difference
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels, Note, Similarity, Vectors
from kernex_core.inputs.similarities.finish import OTHER_ROWS
from kernex_core.inputs.upload import Upload
from kernex_core.learning.regression.judgement import kinds_counted
from kernex_core.studies.data import Assembly, assemble, beside_kernels, mask_of, with_mask
from pages.data.file import is_open, name_of, parts_of, places_for, waiting_file
from pages.data.health import ADDED, leave_out_boxes
from pages.export.downloads import csv_button
from pages.server import workspace
from pages.server.cached import cached
from pages.server.colour_scheme import on_primary
from pages.server.item_limit import item_limit, limit_control
from pages.server.messages import findings, guard, plain
from pages.ui.files import (
    Outcome,
    keep_for,
    key_of,
    limits,
    new_items_key,
    put_away,
    upload_box,
    waiting,
)
from pages.ui.frame import demo_buttons
from pages.ui.panels.staged import public_data

NEW = "A new data set"
ITEMS: Mapping[How, str] = {
    "union": "All; what a kernel lacks is unknown",
    "intersection": "Only those that every source has",
}
MOST_IDS = 300
Told: TypeAlias = tuple[AnySamples, Labels | None, tuple[Note, ...], Call | None]


def add_box(read: Sequence[tuple[Upload, Outcome]]) -> None:
    """Draw what becomes of the files that could be read, and the button that does it."""
    ready = [(file, made.result) for file, made in read if made.result is not None]
    if not ready:
        return
    sources = [(file, result) for file, result in ready if not isinstance(result, Labels)]
    labels = [(file, result) for file, result in ready if isinstance(result, Labels)]
    base = _where(sources)
    sources, beside = _apart(sources)
    places = places_for(sources, base)
    parts = parts_of(sources, base, places)
    waiting_rows = _rows_of(beside, sources, parts)
    said: tuple[Note, ...] = ()
    chosen, role, unnamed = _labels(labels, any(isinstance(part, Similarity) for part in parts.values()))
    beside += unnamed
    with guard():
        parts, said = _masked(parts, beside)
    name = name_of(sources, places) if base is None else base.name
    loosely = _loosely(parts, base, chosen)
    how = _items(parts, base)
    with guard():
        made = _assembled(_told(parts), chosen, name, base, how, role == "order", loosely, item_limit())
        st.markdown(f"**{_sum(made, base)}**")
        findings((*said, *made.notes))
        data = leave_out_boxes(made.data)
        _lists(made)
        if role is None or any(each.role is None for each in beside):
            st.caption("What a file holds is asked above.")
        elif st.button(on_primary(_button(base)), key="data.add", type="primary", icon=":material/add:"):
            _add(data, base, [file.digest for file, made in read if not is_open(made)], waiting_rows)
    left = [made for _, made in read if made.result is None]
    if waits := sum(map(is_open, left)):
        st.caption(f"{counted(waits, 'file')} whose question is open will go on waiting.")
    if len(left) > waits:
        st.caption(f"{counted(len(left) - waits, 'file')} that cannot be read will be put away.")


@dataclass(frozen=True)
class _Beside:
    """A file that stands beside kernels: which items they have ("mask"), new items ("new"), or nobody has said (None)."""

    file: Upload
    vectors: Vectors
    role: str | None


ROWS: Final = {"new": "New items", "vectors": "Measurements of the items"}
UNNAMED: Final = {
    "order": "Labels, in the order of the items",
    "mask": "Which items the kernels have",
    "": "Left out",
}
"""What a list without ids may be."""


def _apart(
    sources: Sequence[tuple[Upload, AnySamples]],
) -> tuple[list[tuple[Upload, AnySamples]], list[_Beside]]:
    """Files that become parts of the data set, and those beside kernels; a name settles it, and can be taken back."""
    every = {
        f"{file.digest}.{k}": part
        for file, result in sources
        for k, part in enumerate((result, *result.others) if isinstance(result, Similarity) else (result,))
    }
    roles, kept, beside = beside_kernels(every), list[tuple[Upload, AnySamples]](), list[_Beside]()
    for file, result in sources:
        found, told = roles.get(f"{file.digest}.0", ("", False))
        role: str | None = found
        if found == "mask" and isinstance(result, Vectors):
            role = "mask" if st.toggle(
                f"{plain(file.filename)} says which items each kernel has", True, key=f"{key_of(file)}.mask",
                persist_state="session", help="Rows that it marks with 0 are unknown. Otherwise it is brought as vectors.",
            ) else ""  # fmt: skip
        elif found == "new" and isinstance(result, Vectors):
            chosen = st.segmented_control(
                f"{plain(file.filename)} has a column for each item: its {len(result.ids):,} rows are", tuple(ROWS),
                default="new" if told else None, format_func=ROWS.__getitem__, key=f"{key_of(file)}.rows",
                persist_state="session", help="New items wait at their box on the page Map.",
            )  # fmt: skip
            role = chosen if chosen != "vectors" else ""
        if role == "" or not isinstance(result, Vectors):
            kept.append((file, result))
        else:
            beside.append(_Beside(file, result, role))
    return kept, beside


def _masked(
    parts: Mapping[str, AnySamples], beside: Sequence[_Beside]
) -> tuple[dict[str, AnySamples], tuple[Note, ...]]:
    """Parts with the kernels that masks say."""
    made, notes = dict(parts), list[Note]()
    for each in beside:
        if each.role == "mask":
            kernels = {name: part for name, part in made.items() if isinstance(part, Similarity)}
            hidden, note = with_mask(kernels, each.vectors)
            made.update(hidden)
            notes.append(note)
    return made, tuple(notes)


def _rows_of(
    beside: Sequence[_Beside], sources: Sequence[tuple[Upload, AnySamples]], parts: Mapping[str, AnySamples]
) -> list[tuple[str, Upload]]:
    """Names of kernels, and files with new items of theirs: in a file of their own, or in that of the kernel."""
    kernels = {name: part for name, part in parts.items() if isinstance(part, Similarity)}
    found = []
    for each in beside:
        width = each.vectors.X.shape[1]
        name = next((name for name, part in kernels.items() if part.n == width), None)
        if each.role == "new" and name is not None:
            found.append((name, each.file))
    for file, result in sources:
        if isinstance(result, Similarity) and any(note.text.startswith(OTHER_ROWS) for note in result.notes):
            found += [(name, file) for name, part in kernels.items() if part.gram is result.gram]
    return found


def _where(sources: Sequence[tuple[Upload, AnySamples]]) -> DataSet | None:
    """The data set that the files are added to, or None for a new one."""
    current = workspace.current_name()
    if current is None:
        return None
    base = workspace.get(current)
    there = f"Add to {current}"
    options = [NEW, there] if sources else [there]
    chosen = st.segmented_control(
        "Make of it", options, default=there if _belongs(sources, base) else NEW, required=True,
        key=f"data.where.{current}.{bool(sources)}", help="Items are brought together by id.",
    )  # fmt: skip
    return base if chosen == there else None


def _belongs(sources: Sequence[tuple[Upload, AnySamples]], base: DataSet) -> bool:
    """Whether most items of the first source are in the data set; labels alone always belong to it."""
    if not sources:
        return True
    ids = sources[0][1].ids
    return 2 * len(set(ids) & set(base.ids)) > len(ids)


def _labels(
    labels: Sequence[tuple[Upload, Labels]], kernels: bool
) -> tuple[Labels | None, str | None, list[_Beside]]:
    """The labels that count, what a list without ids is (None: nobody has said), and the mask that it is said to be."""
    if not labels:
        return None, "", []
    file, chosen = labels[-1]
    if len(labels) > 1:
        names = [file.filename for file, _ in labels]
        name = st.selectbox("Labels from", names, index=len(names) - 1, key="data.labels")
        file, chosen = labels[names.index(name)]
    if not chosen.positional:
        return chosen, "", []
    mask = mask_of(chosen) if kernels else None
    role = st.segmented_control(
        f"{plain(file.filename)} has {len(chosen.ids):,} values without ids: they are",
        [each for each in UNNAMED if each != "mask" or mask is not None], format_func=UNNAMED.__getitem__,
        key=f"{key_of(file)}.position", persist_state="session",
        help="Nothing in the file can check this but you. Items that a mask marks with 0 are unknown.",
    )  # fmt: skip
    if role == "mask" and mask is not None:
        return None, role, [_Beside(file, mask, role)]
    return chosen if role == "order" else None, role, []


def _loosely(parts: Mapping[str, AnySamples], base: DataSet | None, labels: Labels | None) -> bool:
    """Whether labels are matched without what programs put around ids; asked only where that makes a difference."""
    ids = [name for part in (*parts.values(), *([base] if base else [])) for name in part.ids]
    by = "" if labels is None or labels.positional else difference_of(tuple(ids), labels.ids)
    if not by:
        return False
    return st.toggle(
        "Match ids without their surroundings", key="data.loosely", persist_state="session",
        help=f"Some ids of the labels differ from those of the items by {plain(by)} alone.",
    )  # fmt: skip


@cached
def difference_of(ids: tuple[str, ...], others: tuple[str, ...]) -> str:
    """By what ids without a line of their own differ from those of other lines; "" if by nothing that is known."""
    known = set(others)
    return difference([name for name in dict.fromkeys(ids) if name not in known], others)


def _items(parts: Mapping[str, AnySamples], base: DataSet | None) -> How:
    """Which items are kept; asked only where the sources differ."""
    sets = [set(part.ids) for part in parts.values()] + ([set(base.ids)] if base else [])
    if not parts or all(ids == sets[0] for ids in sets):
        return "union"
    how: How = st.segmented_control(
        "Items", tuple(ITEMS), default="union", format_func=lambda key: ITEMS[key], required=True,
        key="data.items", persist_state="session",
        help="Unknown rows can be completed from another kernel. Sequences and vectors cannot have gaps: items "
        "without them are left out either way.",
    )  # fmt: skip
    return how


def _told(parts: Mapping[str, AnySamples]) -> dict[str, Told]:
    """Parts with what two readings of one file may differ in although the digest of their items is the same."""
    return {name: (part, part.labels, part.notes, part.recipe) for name, part in parts.items()}


@cached
def _assembled(
    parts: Mapping[str, Told],
    labels: Labels | None,
    name: str,
    base: DataSet | None,
    how: How,
    by_position: bool,
    loosely: bool,
    limit: int,
) -> Assembly:
    samples = {title: part for title, (part, *_) in parts.items()}
    return assemble(
        samples, labels, name=name, base=base, how=how, by_position=by_position, loosely=loosely, limit=limit
    )


def _sum(made: Assembly, base: DataSet | None) -> str:
    before = f" (before: {base.n:,})" if base is not None and base.n != made.data.n else ""
    labels = made.data.labels
    return f"{counted(made.data.n, 'item')}{before}, {kinds_counted(labels) if labels and labels.classes else 'no labels'}"


def _lists(made: Assembly) -> None:
    """Every id that did not fit, behind a closed lid."""
    if not made.lists:
        return
    with st.expander("Ids that do not fit everywhere"):
        for title, ids in made.lists.items():
            shown = ", ".join(plain(name) for name in ids[:MOST_IDS])
            more = f" and {len(ids) - MOST_IDS:,} more" if len(ids) > MOST_IDS else ""
            st.markdown(f"**{len(ids):,} {plain(title)}** :small[:gray[{shown}{more}]]")
        csv_button(
            "Ids as CSV",
            lambda: [{"id": name, "what": title} for title, ids in made.lists.items() for name in ids],
            "ids that do not fit",
            of="",  # they are added only now
            key="data.lists",
        )


def _button(base: DataSet | None) -> str:
    return "Add as new data set" if base is None else f"Add to {base.name}"


def _add(
    data: DataSet, base: DataSet | None, done: Sequence[str], rows: Sequence[tuple[str, Upload]]
) -> None:
    name = data.name
    if base is None:
        name = workspace.add(data)
    else:
        workspace.replace(data, base)
    for kernel, file in rows:
        keep_for(new_items_key(name, kernel), file)
    workspace.remember(ADDED, data.name)
    for digest in done:
        put_away(digest)
    st.rerun()


# The part of the page Data where files are brought.

KINDS = (
    "similarity matrices, pairs and hits, sequences, vectors, networks, zipped graphs, labels, .gz too; unknown entries may "
    "stay empty"
)


def bring() -> None:
    """Draw the uploader, the files that wait, and what becomes of them."""
    empty, files = workspace.current_name() is None, waiting()
    # closed or open, the box stands in its place: one that came with the opening would lose what it is given meanwhile
    with st.container() if empty else st.expander("Bring more data", icon=":material/upload:"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f"**Your own data** :small[:gray[{KINDS}]]", width="content", help=limits())
            limit_control("data")
        arrived = upload_box("data.upload")
    if arrived:
        st.rerun()
    if files:
        with st.container(gap="xsmall"):
            read = [(file, waiting_file(file)) for file in files]
        add_box(read)
    elif empty:
        st.header("Or open a demo", anchor=False)
        demo_buttons("data")
        st.header("Or fetch a public data set", anchor=False)
        public_data("data")


def public() -> None:
    """Offer public data sets where something is open; where nothing is they stand above."""
    if workspace.current_name() is None or waiting():
        return
    lid = st.expander(
        "Fetch a public data set", icon=":material/download:", on_change="rerun", key="data.public"
    )
    if lid.open:
        with lid:
            public_data("data")
