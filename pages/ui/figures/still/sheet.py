"""All panels of a page on one sheet: a single SVG that stands alone, without a script, for any browser or drawing program.

from pages.ui.figures.still.sheet import SheetPanel, sheet
svg = sheet("Complete", {"Nugget ρ": "0.1"}, [SheetPanel("Accuracy", "%", picture)], classes=styles)
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pages.ui.figures.chart import Picture
from pages.ui.figures.still.chart import chart, clean, height_of, is_square, label, pooled
from pages.ui.figures.theme import INK, TITLE_SIZE, ClassStyle, escaped

WIDTH: Final = 1080
EDGE: Final = 24
GAP: Final = 28
HEAD: Final = 22
"""Pixels for a line of a panel's title."""
LETTER: Final = 7.4
"""Pixels of a letter of it, at most."""
CHARACTERS: Final = 165
"""Of small text in a line of the sheet."""
TEXT: Final = "#121417"
FONT: Final = "'Source Sans 3', 'Source Sans Pro', Helvetica, Arial, sans-serif"


@dataclass(frozen=True, eq=False)
class SheetPanel:
    """One picture with its title and note, both as they stand on the page, without markup."""

    title: str
    note: str
    picture: Picture

    @property
    def width(self) -> float:
        """Pixels: three matrices fit beside one another, or two charts."""
        return (
            (WIDTH - 2 * EDGE - 2 * GAP) / 3.0
            if is_square(self.picture.figure)
            else (WIDTH - 2 * EDGE - GAP) / 2.0
        )


def sheet(
    title: str,
    settings: Mapping[str, str],
    panels: Sequence[SheetPanel],
    classes: Sequence[ClassStyle] = (),
    remarks: Sequence[str] = (),
) -> bytes:
    """Return the sheet as SVG, UTF-8: title, panels in rows, class names, remarks, settings, and what each panel shows."""
    out = [label(f"<b>{escaped(title)}</b>", EDGE, EDGE, size=19, colour=TEXT, yanchor="top")]
    y = EDGE + 36.0
    for row in _rows(panels):
        x = float(EDGE)
        for panel in row:
            out.append(_panel(panel, x, y))
            x += panel.width + GAP
        y += max(HEAD * len(_head(panel)) + height_of(panel.picture.figure) for panel in row) + 16
    for lines in (_key(classes), _wrapped(remarks), _settings(settings), _sentences(panels)):
        for line in lines:
            out.append(label(line, EDGE, y, size=TITLE_SIZE, yanchor="top"))
            y += 17.0
        y += 8.0 if lines else 0.0
    height = round(y + EDGE)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="{html.escape(FONT)}"><title>{html.escape(clean(title))}</title>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(out)}</svg>'
    ).encode()


@dataclass(frozen=True)
class Alone:
    """One picture as SVG for inside a page, and whether it is a matrix."""

    svg: str
    square: bool


def alone(panel: SheetPanel, most: int = 240) -> Alone:
    """Return one picture without its title, for inside a page; a matrix of more than `most` items as means of blocks."""
    figure = pooled(panel.picture.figure, most)
    width, height = round(panel.width), round(height_of(figure))
    body = chart(figure, panel.width)
    return Alone(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="{html.escape(FONT)}" '
        f'role="img" aria-label="{html.escape(clean(panel.picture.alt))}">{body}</svg>',
        is_square(figure),
    )


def _rows(panels: Sequence[SheetPanel]) -> list[list[SheetPanel]]:
    rows: list[list[SheetPanel]] = []
    left = 0.0
    for panel in panels:
        if not rows or panel.width > left + 0.5:
            rows.append([])
            left = WIDTH - 2.0 * EDGE
        rows[-1].append(panel)
        left -= panel.width + GAP
    return rows


def _panel(panel: SheetPanel, x: float, y: float) -> str:
    lines = _head(panel)
    head = label("<br>".join(lines), 0.0, 0.0, size=13, colour=TEXT, yanchor="top")
    body = chart(panel.picture.figure, panel.width)
    alt = html.escape(clean(panel.picture.alt))
    return (
        f'<g transform="translate({x:.1f} {y:.1f})" role="img" aria-label="{alt}">{head}'
        f'<g transform="translate(0 {HEAD * len(lines)})">{body}</g></g>'
    )


def _head(panel: SheetPanel) -> list[str]:
    """Title and note, in one line where they fit, else below one another."""
    most = int(panel.width / LETTER)
    title, note = f"<b>{escaped(panel.title)}</b>", f'<span style="color:{INK}">{escaped(panel.note)}</span>'
    if len(panel.title) + len(panel.note) + 2 <= most:
        return [f"{title}  {note}" if panel.note else title]
    wrapped = textwrap.wrap(panel.note, most)
    return [title, *(f'<span style="color:{INK}">{escaped(line)}</span>' for line in wrapped)]


def _key(classes: Sequence[ClassStyle]) -> list[str]:
    """Colours and names of the classes, as many a line as fit."""
    lines, used = list[str](), CHARACTERS
    for style in classes:
        name = f"{style.name} ({style.count:,})"
        if used + len(name) + 6 > CHARACTERS:
            lines.append("")
            used = 0
        lines[-1] += f'<span style="color:{style.colour}">■</span> {escaped(name)}    '
        used += len(name) + 6
    return lines


def _settings(settings: Mapping[str, str]) -> list[str]:
    said = "; ".join(f"{name}: {value}" for name, value in settings.items())
    return [escaped(line) for line in textwrap.wrap(f"Settings: {said}.", CHARACTERS)] if said else []


def _sentences(panels: Sequence[SheetPanel]) -> list[str]:
    return _wrapped(
        [f"{panel.title}: {panel.picture.alt}" if panel.title else panel.picture.alt for panel in panels]
    )


def _wrapped(sentences: Sequence[str]) -> list[str]:
    return [escaped(line) for text in sentences for line in textwrap.wrap(text, CHARACTERS)]
