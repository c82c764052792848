"""The page Glossary: every word of Kernex, searchable; `?term=nugget` leads to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike

from kernex_core.base.frozen import FloatArray
from kernex_core.completion.baselines import completions
from kernex_core.completion.extrapolate import extrapolate
from kernex_core.gram.ellipse import ellipse_of
from pages.server.colour_scheme import ground
from pages.server.digits import unbroken
from pages.server.messages import guard
from pages.server.navigation import of_word
from pages.ui.figures.chart import INKS
from pages.ui.figures.theme import FITS, ROLES, UNLABELLED
from pages.ui.frame import open_page
from pages.ui.glossary import ENTRIES, GlossaryEntry, address, entry

# What a picture says better than a sentence: pure, drawn as SVG from what the core computes.

SIDE: Final = 200
STEPS: Final = 181
PICTURES_SOURCE: Final = np.array([[1.0, 0.35, 0.55], [0.35, 1.0, 0.3], [0.55, 0.3, 1.0]])
"""Three items, of which the first two are known."""
VIEW: Final = np.array([[0.93, 0.1, -0.35], [0.13, 0.45, 0.88]])
"""From where the ellipsoids are seen."""
KNOWN: Final = 0.6, 0.5
"""k(1,2) and k(2,3) of the matrix with one unknown entry; of the one with two, k(1,2)."""


@dataclass(frozen=True)
class WordPicture:
    """A drawing, the sentence that says what it shows, and its width in pixels."""

    svg: str
    alt: str
    width: int


def shear(theme: str) -> WordPicture:
    """The ellipsoid of a source, and of the source rebuilt from two of three items, pressed flat within it."""
    known = PICTURES_SOURCE[:2, :2]
    rebuilt = extrapolate(PICTURES_SOURCE, known, [0, 1], nugget=0.0).T_hat
    scale = 0.43 * SIDE
    whole, flat = (
        _path(scale * _ellipse(VIEW @ matrix @ VIEW.T) + SIDE / 2.0) for matrix in (PICTURES_SOURCE, rebuilt)
    )
    ink = INKS[theme]
    body = (
        _shape(whole, ROLES["source"].colour, 0.12)
        + _shape(flat, ROLES["extrapolated"].colour, 0.35)
        + _key(SIDE + 14, 78, (("source", "source"), ("extrapolated", "rebuilt source")), ink)
    )
    alt = (
        "Two ellipsoids with one centre: that of the rebuilt source is a flat disc within that of the source, which "
        "it touches along the directions of the two known items."
    )
    return WordPicture(_svg(SIDE + 120, SIDE, body), alt, SIDE + 120)


def possible(theme: str) -> WordPicture:
    """What the entries of a 3 × 3 matrix leave to one unknown entry, and to two."""
    ink, (a, b) = INKS[theme], KNOWN
    low, high = completions([[1.0, a, 0.0], [a, 1.0, b], [0.0, b, 1.0]], 0, 2)
    body = _one(low, high, ink) + _two(a, ink)
    alt = (
        f"Left: with similarities {a:g} and {b:g} of the other two pairs, the third lies between {low:.2f} and {high:.2f}. "
        f"Right: with {a:g} known alone, the other two lie within an ellipse."
    ).replace("-", "−")
    return WordPicture(_svg(2 * SIDE + 80, SIDE + 44, body), alt, 2 * SIDE + 80)


PICTURES: Final[Mapping[str, Callable[[str], WordPicture]]] = MappingProxyType(
    {"shear": shear, "completions": possible}
)


def region(a: float) -> FloatArray:
    """Return the outline (2, 2 STEPS) of the pairs k(1,3), k(2,3) that make a kernel where k(1,2) = a."""
    x = np.cos(np.linspace(np.pi, 0.0, STEPS))
    ends = np.array([completions([[1.0, a, each], [a, 1.0, 0.0], [each, 0.0, 1.0]], 1, 2) for each in x])
    return np.vstack([np.concatenate([x, x[::-1]]), np.concatenate([ends[:, 0], ends[::-1, 1]])])


def _one(low: float, high: float, ink: str) -> str:
    """A line from −1 to 1 with the values that are possible, and the smallest eigenvalue above it."""
    c = np.linspace(-1.0, 1.0, STEPS)
    a, b = KNOWN
    least = [np.linalg.eigvalsh([[1.0, a, v], [a, 1.0, b], [v, b, 1.0]])[0] for v in c]
    x, y = (1.0 + c) * SIDE / 2.0, SIDE * (0.5 - 0.6 * np.array(least))
    ends = (1.0 + np.array([low, high])) * SIDE / 2.0
    colour = FITS
    return (
        f'<rect x="{ends[0]:.1f}" y="0" width="{ends[1] - ends[0]:.1f}" height="{SIDE}" fill="{colour}" fill-opacity=".18"/>'
        + _line(_path(np.vstack([x, y]), closed=False), colour)
        + f'<path d="M0 {SIDE / 2}H{SIDE}" stroke="{UNLABELLED}" fill="none"/>'
        + _text(4, 14, "smallest eigenvalue", ink) + _text(4, SIDE / 2 - 4, "0", ink)
        + _ticks(0, ink, "the unknown similarity k(1,3)")
    )  # fmt: skip


def _two(a: float, ink: str) -> str:
    """The square of all pairs of values, and the region of those that are possible."""
    left = SIDE + 64
    outline = SIDE * (1.0 + region(a) * [[1.0], [-1.0]]) / 2.0 + [[left], [0.0]]
    return (
        f'<rect x="{left}" y="0" width="{SIDE}" height="{SIDE}" fill="none" stroke="{UNLABELLED}"/>'
        + _shape(_path(outline), FITS, 0.18)
        + _ticks(left, ink, "k(1,3)") + _text(left - 6, SIDE / 2 + 4, "k(2,3)", ink, "end")
        + _text(left - 6, 10, "1", ink, "end") + _text(left - 6, SIDE, "−1", ink, "end")
    )  # fmt: skip


def _ticks(left: float, ink: str, title: str) -> str:
    words = ((left, "−1", "start"), (left + SIDE, "1", "end"))
    return _text(left + SIDE / 2, SIDE + 34, title, ink, "middle") + "".join(
        _text(x, SIDE + 16, word, ink, anchor) for x, word, anchor in words
    )


def _ellipse(M: ArrayLike) -> FloatArray:
    """Return points of {M^½ u, |u| = 1}, (2, STEPS)."""
    return ellipse_of(M).outline(np.linspace(0.0, 2.0 * np.pi, STEPS)).T


def _path(points: FloatArray, *, closed: bool = True) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(*points, strict=True)) + ("Z" if closed else "")


def _shape(path: str, colour: str, opacity: float) -> str:
    return f'<path d="{path}" fill="{colour}" fill-opacity="{opacity}" stroke="{colour}" stroke-width="1.5"/>'


def _line(path: str, colour: str) -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.75"/>'


def _key(x: float, y: float, roles: tuple[tuple[str, str], ...], ink: str) -> str:
    return "".join(
        f'<path d="M{x} {y + 24 * k}h16" stroke="{ROLES[role].colour}" stroke-width="4"/>'
        + _text(x + 22, y + 4 + 24 * k, name, ink)
        for k, (role, name) in enumerate(roles)
    )


def _text(x: float, y: float, text: str, ink: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{ink}" text-anchor="{anchor}">{text}</text>'


def _svg(width: int, height: int, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="-1 -1 {width + 2} {height + 2}" '
        f"font-family=\"'Source Sans 3','Source Sans Pro',sans-serif\" font-size=\"13\">{body}</svg>"
    )


SOURCE: Final = "docs/glossary.md"


def show() -> None:
    """Draw the search box and what it finds."""
    asked = (
        st.text_input(
            "Search", key="term", bind="query-params", placeholder="nugget, floor, transductive …", width=420
        )
        or ""
    )
    found = search(asked)
    if len(found) > 1:
        st.markdown(jump_list(found))
    if not found:
        st.markdown("Nothing of that name. Try another word, or part of one.")
    for subject, entries in groupby(found, key=lambda each: each.subject):
        st.header(subject, anchor=False)
        for each in entries:
            _entry(each)
    st.caption(f"{len(found)} of {len(ENTRIES)} words. They stand in {SOURCE}, too.")


def search(asked: str) -> tuple[GlossaryEntry, ...]:
    """Return the word itself where it is one, else all entries that hold what was typed."""
    exact = entry(asked)
    if exact is not None:
        return (exact,)
    part = asked.strip().casefold()
    return tuple(each for each in ENTRIES if part in " ".join(_said(each)).casefold())


def jump_list(found: Sequence[GlossaryEntry]) -> str:
    """Return links to all words, under their letters: each leads to the word itself."""
    by_letter: dict[str, list[str]] = {}
    for each in sorted(found, key=lambda each: each.term.casefold()):
        letter = each.term[0].upper()
        by_letter.setdefault(letter if letter.isascii() and letter.isalpha() else "#", []).append(
            f"[{each.term}]({address(each)})"
        )
    return "  \n".join(f"**{letter}** :small[{' · '.join(words)}]" for letter, words in by_letter.items())


def _said(each: GlossaryEntry) -> Iterable[str]:
    return (*each.names, each.text)


def _entry(each: GlossaryEntry) -> None:
    with st.container(gap="xxsmall"):
        st.subheader(each.term, anchor=False)
        also = f" :gray[Also: {unbroken(', '.join(each.also))}.]" if each.also else ""
        near = of_word(each.term, each.subject)
        st.markdown(f"{each.text}{also} :small[[Lesson: {near.title}]({near.key})]", width=720)
        if each.formula:
            st.markdown(f"${each.formula}$")  # a displayed one scrolls, out of reach of the keyboard
        if each.picture:
            drawing = PICTURES[each.picture](ground())
            st.image(drawing.svg, caption=drawing.alt, alt=f"{each.term}, drawn", width=drawing.width)


def run() -> None:
    """Draw the page in its frame."""
    open_page("Glossary", "What do the words mean?", shows_data=False)
    with guard():
        show()
