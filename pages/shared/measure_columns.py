"""Columns of a table of kernels: a measure in percent, and the ends of its interval."""

from __future__ import annotations

import pandas as pd


def measure_columns(table: pd.DataFrame, field: str, title: str) -> dict[str, pd.Series[float] | list[str]]:
    """Return the columns of one measure by their heads.

    Parameters
    ----------
    table : DataFrame
        Rows as they are written to a file: shares, with the ends as `_from` and `_to`.
    field, title : str
        Of the measure: in the table, and on the page.
    """
    ends = ((100.0 * table[f"{field}_{end}"]).map("{:.1f}".format) for end in ("from", "to"))
    return {
        title: (100.0 * table[field]).round(1),
        f"[ ] {title}": [f"{low} to {high}" for low, high in zip(*ends, strict=True)],
    }
