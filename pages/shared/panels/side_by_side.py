"""Places beside each other that go to the next line where the page is narrow, instead of being cut.

first, second = places(150, 220)        one place a width, in pixels; each is filled with `with`
one, two, three = numbers_in_a_row(3)   places of numbers under their names
with row_of_numbers():                  numbers of NUMBER_WIDTH that need no place of their own
"""

from __future__ import annotations

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

Width = int | Literal["stretch", "content"]

NUMBER_WIDTH = 172
"""Pixels of a number with its name in full and a hint: five stand in a row at 1,400 px, two at 390 px."""


def places(*widths: Width, align: Literal["top", "bottom"] = "top") -> list[DeltaGenerator]:
    """Return one place a width: pixels, "content", or "stretch" for what takes the rest of its line."""
    with st.container(horizontal=True, vertical_alignment=align, gap="small"):
        return [st.container(width=width) for width in widths]


def row_of_numbers() -> DeltaGenerator:
    """Return a row for numbers of NUMBER_WIDTH."""
    return st.container(horizontal=True, gap="small")


def numbers_in_a_row(count: int) -> list[DeltaGenerator]:
    """Return places for so many numbers, each with room for a badge and small print close under it."""
    with row_of_numbers():
        return [st.container(width=NUMBER_WIDTH, gap="xxsmall") for _ in range(count)]
