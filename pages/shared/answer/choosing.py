"""Choosing ends in a choice: what was tried, what the choice is worth made inside the folds, and a button to use it.

    asked = Choosing("λ", study, key="complete", use=lambda name: ("lam", value), now="λ = 0.25", picture=curve)
    if st.button("Choose λ"): choose(asked)          opens the dialog
    if is_asked("complete.maps"): choose(asked)      where the button stands in the bar of pictures

Streamlit closes a dialog where the script is run again: the study runs inside it, with a bar.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from kernex_core.learning.chance.tried import NestedChoice
from pages.shared import workspace
from pages.shared.figures.picture import Picture
from pages.shared.ground import on_primary
from pages.shared.messages import guard
from pages.shared.panels.heatmap import draw
from pages.shared.panels.in_pieces import watch_study
from pages.shared.panels.optimism import choice_basis, choice_sentence
from pages.shared.panels.staged import Staged
from pages.shared.shown.remarks import remarks_of_choice

TRIED: Final = "candidates, inside every training fold"


@dataclass(frozen=True, eq=False)
class Choosing:
    """What is chosen, and what becomes of it.

    Attributes
    ----------
    of : str
        What it is: "λ".
    study : Staged or NestedChoice
        The choice made again inside every training fold, or what it found where that is known.
    key : str
        Prefix of the keys of its widgets.
    use : callable
        Of the name of a candidate: the keys of the widgets that take it, and their values; one pair, or
        several; or what sets them.
    now : str
        Name of the candidate that is set; "" = none of them.
    picture : callable, optional
        Makes the curve of what was tried.
    """

    of: str
    study: Staged[NestedChoice] | NestedChoice
    key: str
    use: Callable[[str], tuple[str, object] | Mapping[str, object] | Callable[[], None]]
    now: str = ""
    picture: Callable[[], Picture] | None = None


def is_asked(key: str) -> bool:
    """Whether the button in the bar of these pictures was pressed; told once."""
    asked: bool = workspace.recall(f"{key}.picking", False)
    workspace.remember(f"{key}.picking", False)
    return asked


def choose(asked: Choosing) -> None:
    """Open the dialog."""
    st.dialog(f"Choose {asked.of}", width="medium")(_drawn)(asked)


def _drawn(asked: Choosing) -> None:
    with guard():
        if asked.picture is not None:
            draw(asked.picture(), f"{asked.key}.choose.curve")
        study = asked.study
        # with a rerun at its end, as a study of the page has, the dialog would close
        found = study if isinstance(study, NestedChoice) else watch_study(study, st.empty(), TRIED)
        _result(asked, found)


def _result(asked: Choosing, found: NestedChoice) -> None:
    picked, times = found.picks[0]
    left, right = st.columns([4, 1], vertical_alignment="center", gap="medium")
    with left:
        st.markdown(choice_sentence(found))
        st.caption(choice_basis(found))
        remarks_of_choice(f"{asked.key}.choice", found)
    used = asked.use(picked)
    with right, st.container(horizontal_alignment="right"):
        if picked == asked.now:
            st.markdown(":gray[It is set.]")
        elif st.button(
            on_primary(f"Use {picked}"), type="primary", key=f"{asked.key}.choose.use", on_click=_use, args=(used,),
            help=f"Chosen in {times} of {found.picked.size} folds.",
        ):  # fmt: skip
            st.rerun()


def _use(used: tuple[str, object] | Mapping[str, object] | Callable[[], None]) -> None:
    if callable(used):
        used()
        return
    for key, value in dict([used] if isinstance(used, tuple) else used).items():
        workspace.show_in(key, value)
