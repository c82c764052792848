"""At the end of the sidebar: how long the workspace is kept, a way to forget all of it, and what became of a former one.

show()
"""

from __future__ import annotations

import streamlit as st

from pages.shared import workspace
from pages.shared.ground import on_primary
from pages.shared.visitors import limits


def show() -> None:
    """Draw it; where nothing is the visitor's own there is nothing to keep or to forget."""
    if limits.is_open_to_all() and workspace.tab().page == "":
        st.caption(
            ":orange[:material/lock_open:] Whoever reaches this address can use this server. Who starts it can ask for a "
            f"token: `{limits.TOKEN}`, in the README."
        )
    notice = workspace.tab().space.notice
    if notice:
        st.warning(notice)
        st.button("Understood", key="workspace.understood", type="tertiary", on_click=_understood)
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


def _understood() -> None:
    workspace.tab().space.notice = ""
