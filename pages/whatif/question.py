"""A map as a question to a class: which setting is best? Everybody bets on a cell before it is filled.

Who gives the course sets the page up, turns *Ask a class first* on behind Settings, and gives its link away. Where rows are
circumstances, each is a question of its own; where both parameters are chosen, the whole map is one. A bet is right where
its cell is best, or not told apart from the best.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from kernex_core.studies.atlas.axes import NOTHING
from kernex_core.studies.atlas.field import Field
from pages.server.colour_scheme import on_primary
from pages.server.digits import percent
from pages.server.messages import plain
from pages.ui import classroom as room
from pages.ui import settings as held
from pages.whatif.subject import BET, Subject

KEY: Final = "whatif.bet"
SHOWN: Final = "-"
"""In the address, where somebody has asked for the map without a bet."""
MOST_BARS: Final = 12


@dataclass(frozen=True)
class Question:
    """Which cell of a row, or of the whole map, is best.

    Attributes
    ----------
    subject : Subject
    row : int
        That is looked at.
    """

    subject: Subject
    row: int

    @property
    def key(self) -> str:
        """Of its bets."""
        row = "" if self._field.down.is_choice else f".{self.row}"
        return f"{KEY}.{self.subject.study.name}.{self.subject.down.name}{row}"

    @property
    def text(self) -> str:
        """The question."""
        across, down = self.subject.study.across, self.subject.down
        names = [each.symbol or each.label.lower() for each in (across, down) if each.is_choice]
        where = "" if down.is_choice or down is NOTHING else f" at {down.words(self.row)}"
        return f"Which {' and '.join(names)} {'is' if len(names) == 1 else 'are'} best{where}? Bet before the map is filled."

    @property
    def given(self) -> str | None:
        """The bet that stands in the address, `SHOWN`, or None."""
        text = held.text_of(BET)
        return text if text == SHOWN or (text is not None and self.cell(text) is not None) else None

    def cell(self, bet: str) -> tuple[int, int] | None:
        """Row and column of a bet; None for what is none of this question."""
        row, _, column = bet.partition(".")
        if not (row.isdecimal() and column.isdecimal()):
            return None
        at = int(row), int(column)
        inside = at[0] in self._field.compared_with(self.row) and at[1] < len(
            self.subject.study.across.values
        )
        return at if inside else None

    def called(self, bet: str) -> str:
        """A bet in words."""
        at = self.cell(bet)
        return "" if at is None else plain(self._field.called(*at))

    def ask(self, at: tuple[int, int]) -> None:
        """Draw what a visitor bets with: the cell that the sliders say."""
        bet = f"{at[0]}.{at[1]}"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                on_primary(f"Bet on {self.called(bet)}"), type="primary", key=f"{KEY}.take", on_click=self._take,
                args=(bet,), help="Take this cell, and fill the map.",
            )  # fmt: skip
            st.button(
                "Show me", type="tertiary", key=f"{KEY}.show", on_click=self._take, args=(SHOWN,),
                help="The map without a bet; in a class it is not counted.",
            )  # fmt: skip
            with st.container(width=160):
                room.code(in_a_row=True)
        room.tell_wrong()
        room.waiting(self.key)

    def tell(self, field: Field) -> None:
        """Say what the bet is worth, and what the class has bet."""
        given = self.given or SHOWN
        if given != SHOWN:
            st.markdown(self._judged(field, given))
        room.histogram(self.key, lambda bets: self._bars(field, bets))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Ask me again", type="tertiary", key=f"{KEY}.again", icon=":material/replay:", on_click=held.say,
                args=(BET, None), help="Takes the bet back and hides the map.",
            )  # fmt: skip
            with st.container(width=160):
                room.code(in_a_row=True)

    def _judged(self, field: Field, bet: str) -> str:
        at = self.cell(bet)
        found = None if at is None else field.candidate(*at)
        if at is None or found is None:
            return f"Your bet: *{self.called(bet)}*. The verdict follows when its row is judged."
        best = field.verdict(at[0])
        is_best = best is not None and best.best.name == found.name
        said = (
            "the best"
            if is_best
            else "worse than the best"
            if found.told_apart
            else "not told apart from the best"
        )
        icon = ":orange[:material/cancel:]" if found.told_apart else ":green[:material/check_circle:]"
        return f"{icon} Your bet: *{self.called(bet)}*, {percent(float(field.values[at]), 1)}: {said}."

    def _bars(self, field: Field, bets: Mapping[str, int]) -> list[tuple[str, int, bool]]:
        """The cells that most have bet on."""
        cells = {bet: at for bet in bets if (at := self.cell(bet)) is not None}
        most = sorted(cells, key=lambda bet: (-bets[bet], bet))[:MOST_BARS]
        return [(self.called(bet), bets[bet], bool(field.as_good[cells[bet]])) for bet in most]

    def _take(self, bet: str) -> None:
        held.say(BET, bet)
        if bet != SHOWN:
            room.count(self.key, bet)

    @property
    def _field(self) -> Field:
        return Field.empty(self.subject.study.across, self.subject.down, "")


def of(subject: Subject, row: int) -> Question | None:
    """The question of the page; None where nothing is asked."""
    return Question(subject, row) if subject.asks else None
