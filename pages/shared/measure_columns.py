"""Columns of a table of kernels: a measure in percent, and the ends of its interval."""

from __future__ import annotations

from typing import Final

import pandas as pd

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
