"""One uploaded file that stays in the workspace: when its box goes, when the page is loaded anew, and in other tabs.

kept_upload(label, *, key, types=None, help=None) -> Upload | None
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from kernex_core.inputs.upload import Upload
from pages.shared import workspace
from pages.shared.files.uploads import upload
from pages.shared.messages import plain


def kept_upload(
    label: str, *, key: str, types: Sequence[str] | None = None, help: str | None = None
) -> Upload | None:
    """Ask for one file; it stays until it is let go of, or another one comes."""
    times = workspace.tab().space.emptied
    box = (
        f"{key}.again.{times}" if times else key
    )  # where everything was forgotten the box is another one, and empty
    file = upload(label, key=box, types=types, help=help, on_change=_follow, args=(key, box))
    if file is not None:
        if workspace.recall(f"{key}.came", False):
            workspace.remember(f"{key}.came", False)
            workspace.put(_kept(key), file)
        return file
    nothing: Upload | None = None
    kept = workspace.setting(_kept(key), nothing)
    if kept is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{plain(kept.filename)} is still here.", width="content")
            st.button(
                "Let go of it", key=f"{key}.forget", type="tertiary", icon=":material/close:", on_click=workspace.put,
                args=(_kept(key), None),
            )  # fmt: skip
    return kept


def _kept(key: str) -> str:
    return f"{key}.kept"


def _follow(key: str, box: str) -> None:
    """A file that was taken out of its box by hand is let go of; one whose box has gone is not."""
    came = workspace.told(box, "name") is not None
    workspace.remember(f"{key}.came", came)
    if not came:
        workspace.put(_kept(key), None)
