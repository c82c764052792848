"""A report as one HTML page that stands alone: no script, nothing from a network, for the screen and for A4 paper.

data = document(report)      bytes, UTF-8
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Final

from kernex_core.base.references import Reference
from pages.shared.figures.still.sheet import SheetPanel, alone
from pages.shared.figures.still.text import clean
from pages.shared.figures.theme import ClassStyle
from pages.shared.report.tables import Cells, table
from pages.shared.shown.registry import Count

STYLE: Final = Path(__file__).with_name("report.css").read_text("utf-8")
POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)
LONGEST_SCRIPT: Final = 200_000
"""Letters of a script: a longer one spells out whole matrices."""
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])")
_FORMULA: Final = re.compile(r"\$([^$]+)\$")


@dataclass(frozen=True, eq=False)
class Report:
    """What one page shows, in words and pictures.

    Attributes
    ----------
    page, question, subject : str
        The page, what it answers, and what it is about in this report.
    methods, assumptions : sentences
        Methods as paragraphs; assumptions may emphasise *words*.
    counts, panels, classes, tables : what the page shows
    settings : what was chosen, in words
    data : names and contents of what went in, digests among them
    script : Python source; "" = none
    versions : what it was computed with, and when
    """

    page: str
    question: str = ""
    subject: str = ""
    methods: Sequence[str] = ()
    references: Sequence[Reference] = ()
    counts: Sequence[Count] = ()
    remarks: Sequence[str] = ()
    panels: Sequence[SheetPanel] = ()
    classes: Sequence[ClassStyle] = ()
    tables: Sequence[Cells] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    data: Sequence[Cells] = ()
    formulas: Sequence[str] = ()
    assumptions: Sequence[str] = ()
    scripts: Sequence[str] = ()
    versions: Mapping[str, str] = field(default_factory=dict)


def document(report: Report) -> bytes:
    """Return the report as HTML, UTF-8; text of users stands in it as text."""
    title = f"{report.page}: {report.subject}" if report.subject else report.page
    parts = (
        f'<header><p class="mark">Kernex · report</p><h1>{text(title)}</h1><p class="question">{text(report.question)}</p>'
        "</header>",
        _counts(report.counts),
        _section("Said with the numbers", _listed([text(each) for each in report.remarks], "ul")),
        _figures(report.panels, report.classes),
        *(table(each) for each in report.tables),
        _section("Settings", _pairs(report.settings)),
        _section("Data", "".join(table(each) for each in report.data)),
        _section("Methods", "".join(f"<p>{text(each)}</p>" for each in report.methods)),
        _section("References", _listed([text(each.text) for each in report.references], "ol")),
        _section("What was assumed", _listed([emphasised(each) for each in report.assumptions], "ul")),
        _section(
            "Formulas (TeX)", "".join(f'<pre class="tex">{text(each)}</pre>' for each in report.formulas)
        ),
        _section("Script", "".join(map(_script, report.scripts))),
        _section("Computed with", _pairs(report.versions)),
    )
    page = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f"<title>{text(title)}</title><style>{STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )
    return page.encode("utf-8", "replace")


def text(words: object) -> str:
    """Text of users as HTML text."""
    return html.escape(clean(str(words)))


def emphasised(sentence: str) -> str:
    """A sentence in which *words* are emphasised, and formulas are set as they are written."""
    return _FORMULA.sub(r"<code>\1</code>", _EMPHASIS.sub(r"<em>\1</em>", text(sentence)))


def _section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>" if body else ""


def _pairs(named: Mapping[str, str]) -> str:
    rows = "".join(f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd></div>" for name, value in named.items())
    return f"<dl>{rows}</dl>" if rows else ""


def _listed(items: Sequence[str], tag: str) -> str:
    return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>" if items else ""


def _counts(counts: Sequence[Count]) -> str:
    if not counts:
        return ""
    groups = "".join(
        (f"<h3>{text(about)}</h3>" if about.strip() else "")
        + f'<dl class="numbers">{"".join(map(_count, group))}</dl>'
        for about, group in groupby(counts, key=lambda each: each.about)
    )
    return f"<section><h2>Numbers</h2>{groups}</section>"


def _count(each: Count) -> str:
    note = f'<span class="note">{text(each.note)}</span>' if each.note else ""
    return f"<div><dt>{text(each.name)}</dt><dd><b>{text(each.value)}</b>{note}</dd></div>"


def _figures(panels: Sequence[SheetPanel], classes: Sequence[ClassStyle]) -> str:
    if not panels:
        return ""
    figures = "".join(_figure(panel) for panel in panels)
    key = "".join(
        '<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" '
        f'fill="{html.escape(style.colour)}"/></svg>{text(style.name)} ({style.count:,})</li>'
        for style in classes
    )
    return (
        f'<section><h2>Figures</h2><div class="figures">{figures}</div><ul class="key">{key}</ul></section>'
    )


def _figure(panel: SheetPanel) -> str:
    picture = alone(panel)
    head = f"<b>{text(panel.title)}</b> {text(panel.note)}" if panel.title else text(panel.note)
    kind = "square" if picture.square else "wide"
    return (
        f'<figure class="{kind}"><figcaption>{head}</figcaption>{picture.svg}'
        f'<p class="note">{text(panel.picture.alt)}</p></figure>'
    )


def _script(source: str) -> str:
    if len(source) > LONGEST_SCRIPT:
        return (
            f"<p>A script of {len(source):,} letters, because it spells out data that no file holds; the button Script of "
            "the page gives it.</p>"
        )
    return f'<pre class="script">{text(source)}</pre>'
