"""The pages, one line each. Paths are relative to pages/main.py and start with the section's folder."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Final

import streamlit as st


@dataclass(frozen=True)
class PageEntry:
    """One line of the navigation: file, title, icon, section ("" = above all sections), heading where it differs."""

    path: str
    title: str
    icon: str
    section: str = ""
    heading: str = ""

    @property
    def url_path(self) -> str:
        """Return the last part of the page's address."""
        return self.path.rsplit("/", 1)[1].removesuffix(".py")


PAGES: Final = (
    PageEntry("start/start.py", "Start", ":material/home:", heading="See what your similarities know"),
    PageEntry("data/data.py", "Data", ":material/table:"),
    PageEntry("kernels/kernels.py", "Kernels", ":material/grid_on:", "Build"),
    PageEntry("sequences/sequences.py", "Sequences", ":material/genetics:", "Build"),
    PageEntry("diagonals/diagonals.py", "Large diagonals", ":material/north_west:", "Build"),
    PageEntry("complete/complete.py", "Complete", ":material/border_inner:", "Build"),
    PageEntry("combine/combine.py", "Combine", ":material/join:", "Build"),
    PageEntry("evaluate/evaluate.py", "Evaluate", ":material/rule:", "Judge"),
    PageEntry(
        "papers/extrapolation/extrapolation.py", "Kernel extrapolation", ":material/article:", "Papers"
    ),
    PageEntry(
        "papers/orthogonal/orthogonal.py",
        "Orthogonal patterns",
        ":material/article:",
        "Papers",
        "Almost orthogonal patterns",
    ),
    PageEntry("glossary/glossary.py", "Glossary", ":material/menu_book:", "Words"),
)


def sections() -> dict[str, list[st.Page]]:
    """Return what st.navigation takes, made anew in every run; the first page is the one without a path."""
    return {
        section: [
            st.Page(
                entry.path,
                title=entry.title,
                icon=entry.icon,
                url_path=entry.url_path,
                default=entry is PAGES[0],
            )
            for entry in entries
        ]
        for section, entries in groupby(PAGES, key=lambda entry: entry.section)
    }


def go_to(path: str) -> None:
    """Go to another page. The data set stays in the address: its select box writes it there again."""
    # without query_params Streamlit refuses, because a parameter that is bound to a widget cannot be cleared
    st.switch_page(path, query_params={})
