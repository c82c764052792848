"""Tables of losses against p as files."""

from __future__ import annotations

import math
from collections.abc import Mapping

from kernex_core.studies.papers.orthogonal.comparison import MODES, Measured, PaperTable


def rows(
    paper: PaperTable,
    found: Measured,
    columns: tuple[str, ...] = tuple(MODES),
    *,
    same: bool = True,
    settings: Mapping[str, object],
) -> list[dict[str, object]]:
    """Return the table as rows: measured, printed, limits where the data are the same; and what it was made with."""
    judged = MODES if same else {}
    return [
        {
            "table": paper.number, "p": "as it is" if p is None else p, "column": column,
            "loss": float(found.mean(column)[row]), "sd": float(found.sd(column)[row]),
            "sd_over": paper.unit, "se": float(found.se(column)[row]), "repetitions": int(found.counts[row]),
            "published": printed.mean if column in MODES else None,
            "published_plus_minus": printed.plus_minus if column in MODES else None,
            "published_se": float(paper.printed_se(found)[row]) if column in judged else None,
            "published_data": "the same" if same else f"other: {paper.data}",
            "limit_2_se": float(paper.limits(found, column)[row]) if column in judged else None,
            **settings,
        }
        for column in columns
        for row, (p, printed) in enumerate(zip(found.powers, paper.printed, strict=True))
        if not math.isnan(found.mean(column)[row])
    ]  # fmt: skip
