"""Fields of very many lines, read by pandas: row by row would take minutes where there are millions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kernex_core.errors import InvalidInputError
from kernex_core.inputs.tables.dialect import Dialect

if TYPE_CHECKING:
    import pandas as pd


def fields_of(
    lines: Iterable[str],
    dialect: Dialect,
    *,
    filename: str,
    expected: str,
    columns: list[int] | None = None,
    width: int | None = None,
) -> pd.DataFrame:
    """Fields of lines as text, a heading among them; columns are called by their positions.

    Parameters
    ----------
    lines : iterable of str
    dialect : Dialect
    filename, expected : str
        For the refusal of a line that does not fit.
    columns : list of int, optional
        Only these are read.
    width : int, optional
        So many columns are made, the last of them empty in shorter lines; without it, as many as the first line has.

    Raises
    ------
    InvalidInputError
        A line that has more fields than there are columns, or a quotation mark that is not closed.
    """
    import pandas as pd

    space = dialect.separator == " "
    try:
        return pd.read_csv(
            io.StringIO("\n".join(lines)),
            sep=r"\s+" if space else dialect.separator,
            header=None,
            names=None if width is None else range(width),
            usecols=columns,
            dtype=object,
            keep_default_na=False,
            na_values=[],
            skipinitialspace=space or dialect.padded,
            quoting=dialect.quoting,
            on_bad_lines="error",
        )
    except (ValueError, csv.Error) as error:  # pandas' own errors are ValueErrors
        raise InvalidInputError(expected, f"{filename}: {str(error).strip()}") from None
