"""Tables as files: rows of numbers with the settings that made them, and the script that makes them again."""

from __future__ import annotations

import math

from kernex_core.gram.recipe import call, write_script
from kernex_core.studies.papers.orthogonal.comparison import LOSS, Comparison
from kernex_core.studies.papers.orthogonal.families import FamilyTable
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, BASES, PowerTable
from kernex_core.studies.papers.paper_table import RowName
from pages.papers.orthogonal.subject import Asked, Result

Rows = list[dict[str, object]]


def rows(asked: Asked, found: Result) -> Rows:
    """Return the table as rows of a file."""
    return family_rows(found) if isinstance(found, FamilyTable) else loss_rows(asked, found)


def loss_rows(asked: Asked, found: PowerTable) -> Rows:
    """Return one row a column and p: measured, printed, limits where the data are the same; and the settings."""
    made = [
        _loss_row(asked, Comparison(asked.paper, found), column, row)
        for column in found.losses
        for row in range(len(found.powers))
        if not math.isnan(found.mean(column)[row])
    ]
    return [*made, *_aside_rows(asked, found, made)]


def _loss_row(asked: Asked, compared: Comparison, column: str, row: int) -> dict[str, object]:
    paper, found, same = asked.paper, compared.found, asked.origin.same
    of_base, p = column in BASES, found.powers[row]
    printed = {(each.column, each.row): each.printed.mean for each in paper.beside}
    of_table = paper.printed[LOSS][row]
    return {
        "table": paper.number, "p": _p(p), "column": column,
        "loss": float(found.mean(column)[row]), "sd": float(found.sd(column)[row]),
        "sd_over": paper.repeats.spread, "se": float(found.se(column)[row]), "repetitions": int(found.counts[row]),
        "published": of_table.mean if of_base else printed.get((column, p)),
        "published_plus_minus": of_table.plus_minus if of_base else None,
        "published_se": float(compared.printed_se[row]) if of_base and same else None,
        "published_data": "the same" if same else f"other: {paper.data.name}",
        "limit_2_se": compared.differences(column)[row].limit if of_base and same else None,
        **asked.settings(),
    }  # fmt: skip


def _aside_rows(asked: Asked, found: PowerTable, made: Rows) -> Rows:
    """Return the row that the table has aside (Table 2: without noise), with the same fields."""
    if not found.aside.size:
        return []
    (was,) = (each for each in asked.paper.beside if each.row not in found.powers)
    row = dict.fromkeys(made[0]) | {
        "table": asked.paper.number, "p": was.name, "column": ALL_POINTS,
        "loss": float(found.aside.mean()), "sd": float(found.aside.std(ddof=1)),
        "sd_over": asked.paper.repeats.spread, "repetitions": len(found.aside),
        "published": was.printed.mean, "published_plus_minus": was.printed.plus_minus,
        "published_data": made[0]["published_data"], **asked.settings(),
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


def script(asked: Asked) -> str:
    """Return the script that measures the same table from the same data."""
    paper = asked.paper
    name = paper.study.__name__
    beside = ", with the uploaded files in the same place" if asked.brought.data else ""
    states = call("states", name, *asked.args, imports=(f"from {paper.study.__module__} import {name}",))
    return write_script(
        [states],
        heading=f"Kernex: Table {paper.number} of {paper.paper.title} ({paper.paper.year}), measured\n"
        f"Run it beside the folder kernex_core{beside}.",
        prints=[paper.prints],
    )
