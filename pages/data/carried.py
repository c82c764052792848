"""Save everything that is open into one file, and open such a file, here or on another machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from kernex_core.inputs.dataset import kind_words
from kernex_core.inputs.names import counted
from kernex_core.inputs.upload import Upload
from kernex_core.workspace.archive import WORKSPACE_LIMIT
from kernex_core.workspace.file import workspace_of, write_workspace
from kernex_core.workspace.workspace import OpenData, Workspace
from pages.server import workspace
from pages.server.colour_scheme import on_primary
from pages.server.item_limit import most_items
from pages.server.messages import guard, plain
from pages.server.navigation import PAGES, page_of
from pages.server.readers.tasks import workspace_parts
from pages.server.visitors import limits
from pages.server.visitors.contents import Contents
from pages.server.visitors.tab import Opened, added, carried, check_items, in_place, named
from pages.ui import settings as held
from pages.ui.files import (
    MAX_MEGABYTES,
    WORKSPACE,
    file_stem,
    key_of,
    made_apart,
    put_away,
    safe_name,
    workspaces,
)

TURN: Final = "data.workspace.turn"
OPENED: Final = "data.workspace.opened"
IN_IT: Final = (
    "One file with the data sets that you have brought or changed and the one that is open, their labels and selections, "
    "kept kernels with their steps, and the settings of pages. Not in it: other demos, results, which are computed again, "
    "and files that wait. It opens on another machine and in later versions, bit for bit, and "
    "`kernex_core.read_workspace` gives a script the same."
)


def read(file: Upload) -> Workspace:
    """Return what a file holds: unpacked in another process, and made here of plain JSON and arrays."""
    return made_apart(_made, workspace_parts, file, min(WORKSPACE_LIMIT, limits.workspace_bytes()))


def _made(parts: Mapping[str, NDArray[np.uint8]]) -> Workspace:
    return workspace_of({name: part.data for name, part in parts.items()})


def show() -> None:
    """Draw both buttons behind a lid."""
    lid = st.expander(
        "Save or open a workspace", icon=":material/inventory_2:", on_change="rerun", key="data.workspace.lid"
    )
    if lid.open:
        with lid:
            _save()
            _open()


def _save() -> None:
    if not workspace.datasets():
        return
    seen, chosen = workspace.tab().seen, workspace.current_name()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name of the file", chosen or "kernex", key="data.workspace.name", width=320)
        st.download_button(
            "Save workspace", lambda: write_workspace(carried(seen, chosen)),
            file_name=f"{file_stem(name or 'kernex')}{WORKSPACE}", mime="application/octet-stream", on_click="ignore",
            key="data.workspace.save", icon=":material/save:",
        )  # fmt: skip
    st.caption(IN_IT)


def _open() -> None:
    most = limits.LARGEST_WORKSPACE if limits.answers_alone() else MAX_MEGABYTES
    given = st.file_uploader(
        "Open workspace", type="kernex", key=f"{TURN}.{workspace.recall(TURN, 0)}", max_upload_size=most,
        help="A .kernex file. What it holds is said before anything is changed.",
    )  # fmt: skip
    if given is not None:
        _look(Upload(safe_name(given.name), given.getvalue()))


def dropped() -> None:
    """Say what saved workspaces hold that were dropped among other files, and open them by a click."""
    for file in workspaces():
        with st.container(border=True, gap="xsmall"):
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.markdown(f"**{plain(file.filename)}** · a saved workspace")
                st.button(
                    "Put away", key=f"{key_of(file)}.away", type="tertiary", icon=":material/close:",
                    on_click=put_away, args=(file.digest,),
                )  # fmt: skip
            _look(file)


def _look(given: Upload) -> None:
    with guard():
        file = named(read(given))
        check_items(file, most_items())
        _ask(file, given.digest)


def _ask(file: Workspace, digest: str) -> None:
    """Say what a file holds and what would become of it, and open it by a click."""
    held = ["The file holds no data set."] if not file.data else [_holds(each) for each in file.data]
    st.markdown("\n".join(f"- {line}" for line in held))
    here = workspace.tab().seen
    made = added(here, file)
    renamed = [f"{plain(old)} is added as {plain(new)}" for old, new in made.names.items() if old != new]
    if renamed:
        st.caption(f"Names that are taken here: {'; '.join(renamed)}.")
    if made.here_already:
        st.caption(f"Here already, the very same: {', '.join(map(plain, made.here_already))}.")
    with st.container(horizontal=True):
        label = "Add to what is open" if here.entries else "Open it"
        if st.button(on_primary(label), type="primary", key="data.workspace.add", icon=":material/add:"):
            _take(lambda now: added(now, file), digest)
        if here.entries:
            with st.popover("Replace what is open", icon=":material/swap_horiz:"):
                kept = sum(len(entry.kernels) for entry in here.entries.values())
                st.markdown(
                    f"{counted(len(here.entries), 'data set')} with {counted(kept, 'kept kernel')} would be closed, in all "
                    f"your tabs: {', '.join(plain(name) for name in here.entries)}. Save them first, if you want them back."
                )
                if st.button("Close them and open the file", key="data.workspace.replace"):
                    _take(lambda _: in_place(file), digest)


def _holds(each: OpenData) -> str:
    """One data set in a line."""
    data, parts = each.dataset, []
    if data.labels is not None:
        parts.append(counted(len(data.labels.classes), "class"))
    parts += [f"{kind_words(part.kind)} ({name})" for name, part in data.samples.items()]
    parts += [counted(len(data.kernels), "kernel")] if data.kernels else []
    parts += (
        [f"{counted(len(each.kernels), 'kept kernel')} ({', '.join(each.kernels)})"] if each.kernels else []
    )
    parts += ["a selection of items"] if each.selection is not None else []
    return f"**{plain(data.name)}**: {plain(', '.join([counted(data.n, 'item'), *parts]))}"


def _take(opened: Callable[[Contents], Opened], digest: str) -> None:
    """Change the workspace at once, in all tabs, as it is at this moment: another tab may have changed it meanwhile."""
    with workspace.tab().changing() as space:
        made = opened(space.contents)
        space.contents = made.contents
    first = made.contents.last or next(reversed(made.contents.entries), None)
    if first is not None:
        workspace.switch(first)
    held.forget()
    if digest in {file.digest for file in workspaces()}:
        put_away(digest)
    workspace.remember(OPENED, (tuple(made.names.values()), made.addresses))
    workspace.remember(TURN, workspace.recall(TURN, 0) + 1)
    st.rerun()


def opened() -> None:
    """Say once what was opened, and lead to the pages with the settings that they had."""
    nothing: tuple[tuple[str, ...], Mapping[str, Mapping[str, str]]] | None = None
    found = workspace.recall(OPENED, nothing)
    if found is None or not set(found[0]) <= set(workspace.datasets()):
        return
    names, settings = found
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/inventory_2: Open now: {', '.join(map(plain, names))}.", width="content")
        for entry in PAGES:
            if entry.url_path != "data" and set(settings.get(entry.url_path, ())) - {workspace.CHOICE_KEY}:
                st.page_link(
                    page_of(entry), label=f"{entry.title}, with its settings",
                    query_params=dict(settings[entry.url_path]),
                )  # fmt: skip
