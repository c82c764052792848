"""What can be set on the page Almost orthogonal patterns: of each table what its study asks, and what is brought for it."""

from __future__ import annotations

from typing import Final

from pages.papers.orthogonal import families_table
from pages.papers.orthogonal.brought import HELP, prefix
from pages.papers.orthogonal.subject import TABLES
from pages.shared.declared.settings import declared, of, of_data, of_items, setting

TABLE: Final = "table"
SETTINGS: Final = declared(
    setting(TABLE, "Table"), setting("toy", "Power of the toy"),
    *(
        each
        for paper in TABLES.values()
        for each in of(
            paper.config, *(name for line in paper.asked for name in line), prefix=prefix(paper),
            about=f"Table {paper.number}",
        )
    ),
    *(of_data(f"{prefix(paper)}{what.lower()}", what) for paper in TABLES.values() for what in HELP),
    *(of_items(f"{prefix(paper)}positive", "These classes against the others") for paper in TABLES.values()),
    *families_table.SETTINGS,
)  # fmt: skip
