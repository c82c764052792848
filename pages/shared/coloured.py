"""Which classes are coloured, where there are more than ten: the visitor's choice, by data set, on every page.

choice(labels) -> tuple[str, ...]       classes by the place of their colour; empty: the nine largest
coloured_box(items.classes, key)        the question, below the key of a picture; nothing where all classes have a colour
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from kernex_core.inputs.samples import Labels
from pages.shared import workspace
from pages.shared.figures.classes import MOST, Classes, coloured_of, recoloured
from pages.shared.figures.theme import CLASS_COLOURS, ranked_classes

KEY: Final = "coloured.classes"
HELP: Final = (
    "Classes with a colour and a marker of their own, in every picture of these data and in what is exported; all others "
    "are grey. At most nine: of more colours some look alike. A class keeps its colour while others come and go. With none "
    "chosen, the nine largest have one."
)


def choice(labels: Labels) -> tuple[str, ...]:
    """Return the classes that the visitor chose for the open data; empty where that is none of these."""
    nothing: tuple[str, ...] = ()
    chosen = workspace.setting(f"{KEY}.{workspace.current_name()}", nothing)
    return chosen if any(name in set(chosen) for name, _ in labels.classes) else ()


def class_list(labels: Labels | None) -> Sequence[str | None] | None:
    """Class of each item, for pictures; None = unlabelled."""
    if labels is None or not labels.classes:
        return None
    names = [label or None for label in labels.y.tolist()]
    coloured = choice(labels)
    return Classes(tuple(names), coloured) if coloured else names


def coloured_box(classes: Sequence[str | None] | None, key: str) -> None:
    """Ask which classes are coloured, where not all can be.

    Parameters
    ----------
    classes : sequence of str or None
        Of the items of the picture, as `class_list` has them.
    key : str
        Of the picture.
    """
    ranked = [name for name, _ in ranked_classes(classes or ())]
    coloured = coloured_of(classes or ())
    if not coloured and len(ranked) <= len(CLASS_COLOURS):
        return
    now = coloured or tuple(ranked[:MOST])
    shown = [name for name in now if name in ranked]
    box = f"{key}.coloured.{workspace.current_name()}"
    workspace.show_in(box, shown)  # another page, or tab, may have changed it
    st.multiselect(
        "Coloured classes", ranked, key=box, max_selections=MOST, placeholder="The nine largest", help=HELP,
        on_change=partial(_choose, box, now, tuple(ranked), key),
    )  # fmt: skip
    if workspace.recall(f"{key}.recoloured", False):
        workspace.remember(f"{key}.recoloured", False)
        st.rerun()  # pictures outside this fragment follow


def _choose(box: str, now: tuple[str, ...], here: tuple[str, ...], key: str) -> None:
    told = workspace.setting_of(box)
    wanted = [name for name in told if isinstance(name, str)] if isinstance(told, list) else []
    if wanted:  # those of items that are not shown stay as they are
        wanted += [name for name in now if name and name not in here]
    chosen = recoloured(now, wanted) if wanted else ()
    workspace.put(f"{KEY}.{workspace.current_name()}", chosen)
    workspace.remember(f"{key}.recoloured", True)
