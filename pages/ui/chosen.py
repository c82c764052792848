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

import math
import re
from collections.abc import Sequence
from typing import Final

import pandas as pd

from kernex_core.base.digits import typeset
from kernex_core.inputs.names import counted
from kernex_core.kernels.explanation import Explanation
from pages.server import workspace
from pages.server.messages import plain

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


# Columns of a table of kernels: a measure in percent, and the ends of its interval.

ENDS: Final = (("from", "{:5.1f}".format), ("to", "{:.1f}".format))


def measure_columns(table: pd.DataFrame, field: str, title: str) -> dict[str, pd.Series[float] | list[str]]:
    """Return the columns of one measure by their heads.

    Parameters
    ----------
    table : DataFrame
        Rows as they are written to a file: shares, with the ends as `_from` and `_to`.
    field, title : str
        Of the measure: in the table, and on the page.
    """
    # text is sorted letter by letter: 9.5 stands before 10.0 by the spaces before it
    lows, highs = ((100.0 * table[f"{field}_{end}"]).map(form) for end, form in ENDS)
    return {
        title: (100.0 * table[field]).round(1),
        f"[ ] {title}": [f"{low} to {high}" for low, high in zip(lows, highs, strict=True)],
    }


# A similarity and the sum of its parts, which are computed apart: both numbers, and whether they agree.
#
# st.markdown(both_numbers(kernel.explain(s, t)))

AGREES: Final = 1e-9
"""Largest relative difference of two sums of many numbers that is rounding."""


def exact(value: float) -> str:
    """Return a count in full (twelve digits), any other number with six digits; with a real minus sign."""
    digits = 12 if float(value).is_integer() or abs(value) >= 1e6 else 6
    return typeset(f"{value:,.{digits}g}").replace("-", "−")


def agreement(discrepancy: float, difference: float) -> str:
    """Return whether two ways to one number agree, as markdown."""
    if discrepancy <= AGREES:
        return ":gray[Both agree up to rounding.]"
    return f":orange[:material/warning: They differ by {exact(difference)}.]"


def both_numbers(made: Explanation) -> str:
    """Return the sum of the parts and the similarity, how each came about, and whether they agree."""
    parts = math.fsum(part.contribution for part in made.parts)
    symbol = re.sub("[Kβ]", r"*\g<0>*", made.symbol)
    agree = agreement(made.discrepancy, made.sum_of_parts - made.total)
    return (
        f"{counted(len(made.parts), 'listed part')} {exact(parts)} + rest {exact(made.rest)} "
        f"({plain(made.rest_meaning)}) sum to **{exact(made.sum_of_parts)}**; the kernel says "
        f"{symbol} = **{exact(made.total)}**, before any normalisation.  \n"
        f"{agree} :gray[They were computed apart: {made.apart}.]"
    )


def listed_of(made: Explanation) -> str:
    """Return how many of the parts are listed."""
    whole = made.n_parts is not None and made.n_parts > len(made.parts)
    return f"{len(made.parts)} of {made.n_parts:,}, largest first" if whole else f"{len(made.parts)} listed"
