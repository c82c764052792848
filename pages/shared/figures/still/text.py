"""Text of figures as SVG: the few tags that plotly reads become spans, all else is text."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import Final

from pages.shared.figures.theme import INK, TICK_SIZE

STYLES: Final = {
    "b": 'font-weight="700"',
    "i": 'font-style="italic"',
    "sup": 'dy="-0.45em" font-size="75%"',
    "sub": 'dy="0.3em" font-size="75%"',
}
_BACK: Final = {"sup": 'dy="0.34em"', "sub": 'dy="-0.22em"'}
_COLOUR: Final = re.compile(r"color:\s*(#[0-9a-fA-F]{6}|rgba?\([\d., ]+\))")
_ANCHORS: Final = {"left": "start", "center": "middle", "right": "end"}
LINE: Final = 1.3
"""Height of a line in sizes of its letters."""


class _Spans(HTMLParser):
    """Lines of spans; what is no tag of ours is left out, and text stays text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines, self.open, self.back = [""], list[str](), ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.lines.append("")
        elif tag in STYLES:
            self.open.append(STYLES[tag])
        elif tag == "span":
            style = dict(attrs).get("style") or ""
            colour = _COLOUR.search(style)
            slant = ' font-style="italic"' if "italic" in style else ""
            self.open.append((f'fill="{colour.group(1)}"' if colour else "") + slant)

    def handle_endtag(self, tag: str) -> None:
        if (tag in STYLES or tag == "span") and self.open:
            self.open.pop()
            self.back = _BACK.get(tag, "")

    def handle_data(self, data: str) -> None:
        style = " ".join(filter(None, [*self.open, self.back]))
        self.back = ""
        text = html.escape(data)
        self.lines[-1] += f"<tspan {style}>{text}</tspan>" if style else text


def spans(text: str) -> list[str]:
    """Return the lines of a text of a figure as the inner part of SVG text."""
    parser = _Spans()
    parser.feed(clean(text))
    parser.close()
    return parser.lines


def clean(text: str) -> str:
    """Return a text without the characters that no XML holds."""
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "�", text)


def label(
    text: str,
    x: float,
    y: float,
    *,
    size: float = TICK_SIZE,
    colour: str = INK,
    xanchor: str = "left",
    yanchor: str = "bottom",
    ground: str = "",
) -> str:
    """Return a label whose box lies at (x, y) as the anchors say; lines are set one below the other.

    With a `ground` its letters have a seam of that colour, so that no line strikes them through.
    """
    lines = spans(text)
    height = size * LINE * len(lines)
    top = {"top": y, "middle": y - height / 2.0, "bottom": y - height}.get(yanchor, y - height)
    anchor = _ANCHORS.get(xanchor, "start")
    seam = f'stroke="{html.escape(ground)}" stroke-width="5" paint-order="stroke" ' if ground else ""
    return "".join(
        f'<text x="{x:.1f}" y="{top + size * (LINE * k + 1.0):.1f}" font-size="{size:g}" fill="{html.escape(colour)}" '
        f'text-anchor="{anchor}" {seam}xml:space="preserve">{line}</text>'
        for k, line in enumerate(lines)
    )
