"""What the report of a page says, read back from its HTML."""

from __future__ import annotations

from html.parser import HTMLParser

from pages.ui.shown import unmarked
from tests.pages.named.compared import columns_of
from tests.pages.named.told import tells


class Read(HTMLParser):
    """Tables as rows of texts, and numbers as (name, value, note)."""

    def __init__(self):
        super().__init__()
        self.tables, self.numbers, self.at = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag in ("br", "meta", "rect", "image", "line", "path", "use"):
            return
        self.at.append((tag, dict(attributes).get("class", "")))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")
        elif tag == "dt":
            self.numbers.append(["", "", ""])

    def handle_endtag(self, tag):
        while self.at and self.at.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tags = [tag for tag, _ in self.at]
        if "td" in tags or "th" in tags:
            self.tables[-1][-1][-1] += data
        elif "dt" in tags:
            self.numbers[-1][0] += data
        elif "dd" in tags and "b" in tags:
            self.numbers[-1][1] += data
        elif "dd" in tags and ("span", "note") in self.at:
            self.numbers[-1][2] += data


def report_tells(seen) -> None:
    """Compare the report with what the page has drawn: the same cells under the same heads, the same numbers.

    Raises
    ------
    AssertionError
    """
    read = Read()
    read.feed(seen.files["Report"]().decode())
    for key, rows in seen.tables.items():
        columns = columns_of(rows)
        cells = [list(row) for row in zip(*columns.values(), strict=True)]
        head = [unmarked(name) for name in columns]
        found = [table for table in read.tables if table[0] == head and len(table) == len(cells) + 1]
        assert any(
            all(
                same(*pair)
                for row, told in zip(cells, table[1:], strict=True)
                for pair in zip(row, told, strict=True)
            )
            for table in found
        ), f"the report does not hold {key} as it is drawn"
    said = {tuple(one) for one in read.numbers}
    for name, (value, note) in seen.counts.items():
        meant = tuple(map(unmarked, (name.rpartition(": ")[2], value, note)))
        assert meant in said, f"the report does not say {meant}"


def same(cell, told) -> bool:
    """Whether a cell of the report is the cell of the page."""
    if cell is None or cell != cell:
        return told == "—"
    return tells(told, [cell]) if isinstance(cell, float) else told == unmarked(str(cell))
