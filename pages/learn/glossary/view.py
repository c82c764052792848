"""The page Glossary: every word of Kernex, searchable; `?term=nugget` leads to one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

import streamlit as st

from pages.learn.glossary.pictures import PICTURES
from pages.shared.digits import unbroken
from pages.shared.glossary.entries import ENTRIES, GlossaryEntry, address, entry
from pages.shared.ground import ground
from pages.shared.lessons import of_word

SOURCE: Final = "docs/glossary.md"


def show() -> None:
    """Draw the search box and what it finds."""
    asked = (
        st.text_input(
            "Search", key="term", bind="query-params", placeholder="nugget, floor, transductive …", width=420
        )
        or ""
    )
    found = search(asked)
    if len(found) > 1:
        st.markdown(jump_list(found))
    if not found:
        st.markdown("Nothing of that name. Try another word, or part of one.")
    for subject, entries in groupby(found, key=lambda each: each.subject):
        st.header(subject, anchor=False)
        for each in entries:
            _entry(each)
    st.caption(f"{len(found)} of {len(ENTRIES)} words. They stand in {SOURCE}, too.")


def search(asked: str) -> tuple[GlossaryEntry, ...]:
    """Return the word itself where it is one, else all entries that hold what was typed."""
    exact = entry(asked)
    if exact is not None:
        return (exact,)
    part = asked.strip().casefold()
    return tuple(each for each in ENTRIES if part in " ".join(_said(each)).casefold())


def jump_list(found: Sequence[GlossaryEntry]) -> str:
    """Return links to all words, under their letters: each leads to the word itself."""
    by_letter: dict[str, list[str]] = {}
    for each in sorted(found, key=lambda each: each.term.casefold()):
        letter = each.term[0].upper()
        by_letter.setdefault(letter if letter.isascii() and letter.isalpha() else "#", []).append(
            f"[{each.term}]({address(each)})"
        )
    return "  \n".join(f"**{letter}** :small[{' · '.join(words)}]" for letter, words in by_letter.items())


def _said(each: GlossaryEntry) -> Iterable[str]:
    return (*each.names, each.text)


def _entry(each: GlossaryEntry) -> None:
    with st.container(gap="xxsmall"):
        st.subheader(each.term, anchor=False)
        also = f" :gray[Also: {unbroken(', '.join(each.also))}.]" if each.also else ""
        near = of_word(each.term, each.subject)
        st.markdown(f"{each.text}{also} :small[[Lesson: {near.title}]({near.key})]", width=720)
        if each.formula:
            st.markdown(f"${each.formula}$")  # a displayed one scrolls, out of reach of the keyboard
        if each.picture:
            drawing = PICTURES[each.picture](ground())
            st.image(drawing.svg, caption=drawing.alt, alt=f"{each.term}, drawn", width=drawing.width)
