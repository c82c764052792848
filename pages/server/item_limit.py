"""How many items a visitor's matrix may have: they raise it, as far as the server allows.

A visitor's matrix takes the server's memory. Who starts Kernex for others says with KERNEX_MAX_ITEMS how large it may
be; without it, a server that answers this machine alone allows MOST_ITEMS, and one that others reach ITEM_LIMIT.

most_items() -> int           what this server allows
item_limit() -> int           of this visitor
limit_sentence() -> str       the limit, and whether it can be raised
limit_control(key)            a popover that raises it
needed(n) -> str              what a matrix of n items takes, and what looking at it takes
"""

from __future__ import annotations

import os
from typing import Final

import streamlit as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.validation import ITEM_LIMIT, MOST_ITEMS, memory_bytes, shown_bytes
from pages.server import workspace
from pages.server.cached import allow
from pages.server.visitors import limits

LIMIT: Final = "items.limit"
COPIES: Final = 6
"""Matrices of one size that a page holds at most: given, conditioned, decomposed, with eigenvectors, repaired, shown."""

SETTING: Final = "KERNEX_MAX_ITEMS"
"""Environment variable: to how many items a visitor may raise the limit."""


def most_items() -> int:
    """Largest number of items that this server allows.

    Raises
    ------
    InvalidInputError
        KERNEX_MAX_ITEMS is no whole number from 2 to MOST_ITEMS.
    """
    given = os.environ.get(SETTING, "").strip()
    if not given:
        return MOST_ITEMS if limits.answers_alone() else ITEM_LIMIT
    # more digits than MOST_ITEMS has are never read: int() refuses thousands of them in words of its own
    if not (given.isascii() and given.isdecimal() and len(given) < 10 and 2 <= int(given) <= MOST_ITEMS):
        raise InvalidInputError(
            f"The environment variable {SETTING} has to be a whole number from 2 to {MOST_ITEMS:,}",
            repr(given[:40]),
            f"Set it to the most items that a visitor's matrix may have, or leave it out: {MOST_ITEMS:,} where the server "
            f"answers its own machine alone, {ITEM_LIMIT:,} where others reach it",
        )
    return int(given)


def item_limit() -> int:
    """Largest number of items that a matrix is made of."""
    most = most_items()
    return min(workspace.setting(LIMIT, min(ITEM_LIMIT, most)), most)


def limit_sentence() -> str:
    """The limit of this visitor as part of a sentence."""
    more = item_limit() < most_items()
    raised = "unless you raise the limit on the page Data" if more else "which is all that this server allows"
    return f"matrices of at most {item_limit():,} items, {raised},"


def needed(n: int) -> str:
    """Memory of a matrix of n items, and of a page that looks at it."""
    one = memory_bytes(n)
    return f"{shown_bytes(one)} for the matrix (8 n² bytes), up to {shown_bytes(COPIES * one)} to look at it"


def limit_control(key: str) -> None:
    """Draw the popover that changes the limit, for all pages; at the server's own it says so."""
    most, now = most_items(), item_limit()
    with st.popover(f"At most {now:,} items", icon=":material/memory:", type="tertiary"):
        chosen = int(
            st.number_input(
                "Items that a matrix may have", 2, most, now, 500, key=f"{key}.limit.{now}",
                help=f"Work grows with the cube of it. This server allows {most:,}.",
            )
        )  # fmt: skip
        st.caption(f"{chosen:,} items: {needed(chosen)}.")
        if chosen == most:
            st.caption(_why(most))
        if st.button("Set the limit", key=f"{key}.limit.set", disabled=chosen == now):
            workspace.put(LIMIT, chosen)
            allow(COPIES * memory_bytes(chosen))
            st.rerun()


def _why(most: int) -> str:
    if most == MOST_ITEMS:
        return f"{most:,} items are the most that Kernex makes a matrix of."
    return (
        f"{most:,} items are the most that this server allows, whose memory all visitors share. "
        f"Who starts it can set another number ({SETTING}, in the README); on a machine of your own it is {MOST_ITEMS:,}."
    )
