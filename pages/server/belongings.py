"""In the sidebar: what is open; how long the workspace is kept, a way to forget all of it, and what became of a former one.

describe()
show()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from kernex_core.base.validation import shown_bytes
from kernex_core.learning.regression.judgement import kinds_counted
from pages.server import workspace
from pages.server.cache import size_in_bytes
from pages.server.colour_scheme import on_primary
from pages.server.messages import plain
from pages.server.visitors import limits
from pages.server.visitors.keep import keeping

if TYPE_CHECKING:
    from kernex_core.inputs.dataset import DataSet


LONGEST_IN_BOX: Final = 19
SIZE: Final = "workspace.size"


def describe() -> None:
    """Say what is open, and let it be closed."""
    dataset = workspace.current()
    if dataset is None:
        st.caption("Nothing is open. Choose a demo above, or bring your own on the page Data.")
        return
    st.caption("  \n".join(_description(dataset)))
    st.button(
        "Close this data set", key="workspace.remove", type="tertiary", icon=":material/close:",
        on_click=workspace.remove, args=(workspace.current_name(),),
    )  # fmt: skip


def show() -> None:
    """Draw it; where nothing is the visitor's own there is nothing to keep or to forget."""
    if limits.is_open_to_all() and workspace.tab().page == "":
        st.caption(
            ":orange[:material/lock_open:] Whoever reaches this address can use this server. Who starts it can ask for a "
            f"token: `{limits.TOKEN}`, in the README."
        )
    tab = workspace.tab()
    for number, notice in enumerate(filter(None, (tab.notice, tab.space.notice))):
        st.warning(plain(notice))
        st.button(
            "Understood",
            key=f"workspace.understood.{number}",
            type="tertiary",
            on_click=_understood,
            args=(notice,),
        )
    keeper = keeping()
    kept = "" if keeper is None or tab.space.visitor is None else keeper.problem(tab.space.visitor)
    for problem in filter(None, (tab.space.problem, kept)):
        st.warning(problem, icon=":material/save:")
    if not workspace.tab().seen.is_own:
        return
    st.caption(_how_long())
    with st.popover("Forget everything", icon=":material/delete_forever:", type="tertiary"):
        st.markdown(
            "All data sets, kernels and results of yours on this server, in all tabs. Only a file that you have "
            "saved (page Data) brings them back."
        )
        st.button(
            on_primary("Forget all of it"),
            key="workspace.forget",
            type="primary",
            on_click=workspace.tab().forget,
        )


def _how_long() -> str:
    if workspace.tab().space.visitor is None:
        return "Gone when this tab is loaded anew, since your browser takes no cookie: save the workspace on the page Data."
    end = "" if limits.is_set(limits.KEEP) else ", or the server is started anew"
    return f"Kept for this browser, in all its tabs, until it was not used for {limits.idle_time()}{end}."


def _understood(notice: str) -> None:
    tab = workspace.tab()
    if tab.notice == notice:
        tab.notice = ""
    else:
        tab.space.notice = ""


def _description(dataset: DataSet) -> list[str]:
    labels = dataset.labels
    items = f"{dataset.n:,} items" + (f" · {kinds_counted(labels)}" if labels and labels.classes else "")
    whole = workspace.get(dataset.name).n
    # the box above cuts a long name off
    lines = [f"**{plain(dataset.name)}**"] if len(dataset.name) > LONGEST_IN_BOX else []
    lines.append(items if dataset.n == whole else f"{items}, selected of {whole:,}")
    if dataset.kernels:
        word = "kernel" if len(dataset.kernels) == 1 else "kernels"
        lines.append(
            f"{len(dataset.kernels)} {word}: " + ", ".join(f"*{plain(name)}*" for name in dataset.kernels)
        )
    if dataset.samples:
        lines.append("samples: " + ", ".join(f"*{plain(name)}*" for name in dataset.samples))
    if dataset.feature_networks:
        names = ", ".join(f"*{plain(name)}*" for name in dataset.feature_networks)
        lines.append(f"networks of columns: {names}")
    elsewhere = [name for name in workspace.kept() if name not in dataset.kernels]
    if elsewhere:
        lines.append("not on this selection: " + ", ".join(f"*{plain(name)}*" for name in elsewhere))
    return [*lines, shown_bytes(_size(dataset))]


def _size(dataset: DataSet) -> int:
    """Bytes of a data set; one that is still the same is not looked through again in every run."""
    nothing: tuple[DataSet | None, int] = (None, 0)
    known, size = workspace.recall(SIZE, nothing)
    if known is not dataset:
        size = size_in_bytes(dataset)
        workspace.remember(SIZE, (dataset, size))
    return size
