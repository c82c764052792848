"""Tables as files: rows of numbers with the settings that made them, and the script that makes them again."""

from __future__ import annotations

import math

from kernex_core.gram.provenance import call, write_script
from kernex_core.studies.papers.orthogonal.families import FamilyTable
from kernex_core.studies.papers.orthogonal.paper import LOSS, LossComparison
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, BASES, PowerTable
from kernex_core.studies.papers.paper_table import Printed, RowName
from pages.papers.orthogonal.subject import AskedTable, Found

Rows = list[dict[str, object]]


def rows(asked: AskedTable, found: Found) -> Rows:
    """Return the table as rows of a file."""
    return family_rows(found) if isinstance(found, FamilyTable) else loss_rows(asked, found)


def loss_rows(asked: AskedTable, found: PowerTable) -> Rows:
    """Return one row a column and p: measured, printed, limits where the data are the same; and the settings."""
    compared, settings = LossComparison(asked.paper, found), asked.settings()
    made = [
        {**row, **settings}
        for column in found.losses
        for row in _column(compared, column, same=asked.origin.same)
    ]
    return [*made, *({**row, **settings} for row in _aside(compared, made))]


def _column(compared: LossComparison, column: str, *, same: bool) -> Rows:
    """Return the rows of one column that are done."""
    paper, found, of_base = compared.paper, compared.found, column in BASES
    printed_se: list[float | None] = [None] * len(found.powers)
    limits = printed_se
    if of_base and same:
        printed_se = compared.printed_se(column).tolist()
        limits = [difference.limit for difference in compared.differences(column)]
    printed = {(each.column, each.row): each.printed for each in paper.beside}
    mean, sd, se = found.mean(column).tolist(), found.sd(column).tolist(), found.se(column).tolist()
    return [
        {
            "table": paper.number, "p": _p(p), "column": column, "loss": mean[row], "sd": sd[row],
            "sd_over": paper.repeats.spread, "se": se[row], "repetitions": int(found.counts[row]),
            **_published(paper.printed[LOSS][row] if of_base else printed.get((column, p))),
            "published_se": printed_se[row], "published_data": "the same" if same else f"other: {paper.data.name}",
            "limit_2_se": limits[row],
        }
        for row, p in enumerate(found.powers)
        if not math.isnan(mean[row])
    ]  # fmt: skip


def _published(printed: Printed | None) -> dict[str, object]:
    """Return both columns of a printed number; nothing where none is printed."""
    known = (None, None) if printed is None else (printed.mean, printed.plus_minus)
    return dict(zip(("published", "published_plus_minus"), known, strict=True))


def _aside(compared: LossComparison, made: Rows) -> Rows:
    """Return the row that the table has aside (Table 2: without noise), with the same fields as those made."""
    paper, aside = compared.paper, compared.found.aside
    if not aside.size:
        return []
    (was,) = (each for each in paper.beside if each.row not in compared.found.powers)
    row = dict.fromkeys(made[0]) | {
        "table": paper.number, "p": was.name, "column": ALL_POINTS,
        "loss": float(aside.mean()), "sd": float(aside.std(ddof=1)),
        "sd_over": paper.repeats.spread, "repetitions": len(aside),
        **_published(was.printed),
        "published_data": made[0]["published_data"],
    }  # fmt: skip
    return [row]


def family_rows(found: FamilyTable) -> Rows:
    """Return one row a family, power and basis."""
    return [
        {
            "family": name, "p": _p(p), "column": column,
            "roc": float(found.roc[column][f, row]), "median_rfp": float(found.rfp[column][f, row]),
        }
        for column in found.roc
        for f, name in enumerate(found.names)
        for row, p in enumerate(found.powers)
    ]  # fmt: skip


def _p(p: RowName) -> RowName:
    return "as it is" if p is None else p


def script(asked: AskedTable) -> str:
    """Return the script that measures the same table from the same data."""
    paper = asked.paper
    name = paper.study.__name__
    states = call("found", "last_state", call("states", name, *asked.args))
    return write_script(
        [states],
        heading=f"Kernex: Table {paper.number} of {paper.paper.title} ({paper.paper.year}), measured",
        prints=[paper.prints],
    )
