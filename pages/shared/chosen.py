"""Items and a pair that were chosen in any picture of a data set; they are marked in every other one.

chosen(ids) -> (positions)     of the items that are chosen, among those that a page shows
choose(ids)                    choose these items; the same again: none
pair(ids) -> (i, j) | None     positions of the chosen pair
choose_pair(first, second)
first(table) -> table          rows of chosen items first, and marked
forget_pair()
forget()                       nothing is chosen any more
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd

from pages.shared import workspace

ITEMS, PAIR = "chosen.items", "chosen.pair"
MOST: Final = 20_000


def _key(name: str) -> str:
    return f"{name}.{workspace.current_name()}"


def chosen(ids: Sequence[str]) -> tuple[int, ...]:
    """Positions of the chosen items among these."""
    wanted = set(chosen_ids())
    return tuple(k for k, item in enumerate(ids) if item in wanted) if wanted else ()


def chosen_ids() -> tuple[str, ...]:
    """Ids of the chosen items, in the order in which they were chosen."""
    found: tuple[str, ...] = workspace.setting(_key(ITEMS), ())
    return found


def choose(ids: Sequence[str], *, again_is_none: bool = True) -> None:
    """Choose items in place of those that were; the same once more: none, or as they were."""
    now = tuple(dict.fromkeys(ids))[:MOST]
    workspace.put(_key(ITEMS), () if again_is_none and set(now) == set(chosen_ids()) else now)


def first(table: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Rows of chosen items first, with a mark in a column of their own; the same table where none of them is chosen.

    Items are named in the column "id", or in any of `columns`.
    """
    is_chosen = table[list(columns or ("id",))].isin(chosen_ids()).any(axis=1)
    if not is_chosen.any():
        return table
    marked = table.assign(chosen=is_chosen.map({True: "●", False: ""}))
    return marked.loc[is_chosen.sort_values(ascending=False, kind="stable").index]


def pair(ids: Sequence[str]) -> tuple[int, int] | None:
    """Positions of the chosen pair among these; None where there is none, or not both are shown."""
    found: tuple[str, str] | None = workspace.setting(_key(PAIR), None)
    if found is None:
        return None
    position = {item: k for k, item in enumerate(ids)}
    first, second = (position.get(item) for item in found)
    return None if first is None or second is None else (first, second)


def choose_pair(first: str, second: str) -> None:
    """Choose a pair of items, to look at it."""
    workspace.put(_key(PAIR), (first, second))


def forget_pair() -> None:
    """Let go of the chosen pair."""
    workspace.put(_key(PAIR), None)


def forget() -> None:
    """Let go of chosen items and pair."""
    workspace.put(_key(ITEMS), ())
    forget_pair()
