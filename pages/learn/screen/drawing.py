"""What a visitor has drawn in a lesson, as text in the address, where no control writes it.

A click that comes soon after another brings the address from before it: a text that was written there is no news.
"""

from __future__ import annotations

from typing import Final

from pages.shared import workspace
from pages.shared.lessons import Lesson
from pages.shared.navigation import in_address, write

MOST_WRITTEN: Final = 100
"""Texts that are told from those that a visitor brings with an address."""


def kept(lesson: Lesson, name: str) -> str:
    """Return what was drawn last, or what a new address says; "" for nothing."""
    key, place = f"{lesson.key}.{name}", f"{lesson.address}{name}"
    asked = in_address(place)
    written: tuple[str, ...] = workspace.recall(f"{key}.written", ())
    if asked and asked not in written:
        workspace.remember(key, asked)
    found: str = workspace.recall(key, "")
    if found != asked:
        write(place, found)
    return found


def keep(lesson: Lesson, name: str, text: str) -> None:
    """Keep what was drawn; called in a callback."""
    key, place = f"{lesson.key}.{name}", f"{lesson.address}{name}"
    written: tuple[str, ...] = workspace.recall(f"{key}.written", ())
    before = in_address(place)
    workspace.remember(f"{key}.written", (*written[-MOST_WRITTEN:], before, text))
    workspace.remember(key, text)
    write(place, text)
