"""What one asks second: tabs below the pictures, of which the open one alone is drawn.

draw_parts({"Accuracy": lambda: accuracy(found), "Method": partial(st.markdown, said)}, key=TABS)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pages.shared.messages import guard
from pages.shared.settings import widgets

Parts: TypeAlias = Mapping[str, Callable[[], object]]


def draw_parts(parts: Parts, *, key: str | None = None, name: str = "tab") -> None:
    """Draw the tabs, and in the open one what belongs there; what goes wrong in it is said in it.

    Parameters
    ----------
    parts : mapping of str to callable
        By the title of its tab, what draws each.
    key : str, optional
        Of the widget; default: its setting's name.
    name : str
        Of the setting, as the page declares it.
    """
    for tab, draw in zip(widgets.tabs(name, list(parts), key=key), parts.values(), strict=True):
        if tab.open:
            with tab, guard():
                draw()
