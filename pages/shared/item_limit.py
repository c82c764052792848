"""How many items a matrix may have in this session: the visitor raises it, with its memory beside it.

item_limit() -> int           of this session
limit_control(key)            a popover that raises it
needed(n) -> str              what a matrix of n items takes, and what looking at it takes
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from kernex_core.validation import ITEM_LIMIT, MOST_ITEMS, memory_bytes, shown_bytes
from pages.shared import workspace
from pages.shared.cached import allow

LIMIT: Final = "items.limit"
COPIES: Final = 6
"""Matrices of one size that a page holds at most: given, conditioned, decomposed, with eigenvectors, repaired, shown."""


def item_limit() -> int:
    """Largest number of items that a matrix is made of."""
    return workspace.recall(LIMIT, ITEM_LIMIT)


def needed(n: int) -> str:
    """Memory of a matrix of n items, and of a page that looks at it."""
    one = memory_bytes(n)
    return f"{shown_bytes(one)} for the matrix (8 n² bytes), up to {shown_bytes(COPIES * one)} to look at it"


def limit_control(key: str) -> None:
    """Draw the popover that raises the limit, for all pages until the session ends."""
    with st.popover(f"At most {item_limit():,} items", icon=":material/memory:", type="tertiary"):
        chosen = st.number_input(
            "Items that a matrix may have", 2, MOST_ITEMS, item_limit(), 500, key=f"{key}.limit.{item_limit()}",
            help=f"Work grows with the cube of it. At most {MOST_ITEMS:,}.",
        )  # fmt: skip
        st.caption(f"{int(chosen):,} items: {needed(int(chosen))}.")
        if st.button("Set the limit", key=f"{key}.limit.set", disabled=int(chosen) == item_limit()):
            workspace.remember(LIMIT, int(chosen))
            allow(COPIES * memory_bytes(int(chosen)))
            st.rerun()
