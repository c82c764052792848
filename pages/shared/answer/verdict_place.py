"""Where a page says what is best: one sentence and two or three numbers, in places that have their size from the start.

    place = VerdictPlace("Extrapolated", "Joint", "Error on hidden pairs")
    place.waits("Every kernel is being judged on the same folds …")
    place.say("**Extrapolated 97.6 %, joint 97.1 %**: not told apart.")
    place.number(0, "Extrapolated", "97.6 %", "96 to 99 %", help="Accuracy; in grey 95 %, other data sets.")

What stood there stays until it is replaced: nothing jumps while a slider is moved.
"""

from __future__ import annotations

import streamlit as st

from pages.shared.answer.first_row import end_first_row
from pages.shared.glossary.entries import explained
from pages.shared.projected import projector
from pages.shared.shown import registry

WIDTH, PROJECTED = 164, 224
"""Pixels of a number."""


class VerdictPlace:
    """One row: the sentence takes what the numbers leave.

    Attributes
    ----------
    names : tuple of str
        Of the numbers.
    wait : container
        Above the sentence: a bar and Stop of what has to be waited for.
    """

    def __init__(self, *names: str) -> None:
        end_first_row()
        self.names, self.said = names, ""
        self.helps: dict[str, str] = {}
        with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="verdict"):
            with st.container(width="stretch", gap=None, key="sentence"):
                self.wait, self.sentence = st.empty(), st.empty()
            width = PROJECTED if projector.is_on() else WIDTH
            self.places = [st.container(width=width, key=f"tile{k}").empty() for k in range(len(names))]

    def waits(self, said: str) -> None:
        """Say what is being worked on, with places for the numbers."""
        self.sentence.markdown(f":gray[{said}]")
        for place, name in zip(self.places, self.names, strict=True):
            place.metric(name, "…")

    def say(self, said: str, by: str = "") -> None:
        """Write the sentence (markdown), its beginning in bold; it is in the report, too, with the measure that it is by."""
        registry.remark("verdict", [f"{said} ({by})" if by else said])
        self.said, self.helps = led(said), {}
        self.sentence.markdown(self.said)

    def number(self, at: int, name: str, value: str, note: str = "", help: str | None = None) -> None:
        """Write a number; `note` is said in grey beside its name: its interval, its floor.

        What it means is the sentence's hint: one of each number would be as many stops of the Tab key. Without `help` it is
        what the glossary says; with "" the sentence has none, for the title's says it (`in_title`).
        """
        registry.count(name, value, note)
        self.places[at].metric(f"{name} :gray[{note}]" if note else name, value)
        about = None if help == "" else explained(name, help)
        if about:
            self.helps[name] = about
            self.sentence.markdown(
                self.said, help="  \n".join(f"**{each}**: {text}" for each, text in self.helps.items())
            )

    def without(self, at: int) -> None:
        """Leave a number out."""
        self.places[at].empty()


def led(said: str) -> str:
    """Return a sentence with what it begins with in bold: all before its first colon, or its first full stop."""
    head, mark, rest = said.partition(": ")
    if not mark or ". " in head:
        head, mark, rest = said.partition(". ")
    end = "." if mark == ". " else ""
    return f"**{head}{end}**{' ' if mark == '. ' else mark}{rest}" if mark else f"**{said}**"
