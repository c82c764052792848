"""The visual language as data: roles, class colours and markers, scales, ink; how numbers are written is said by `digits`.

A page rarely calls this module; figures and views do:

    from pages.ui.figures.theme import percent, symbol
    note = f"{symbol('λ')} = {number(0.25)}, {percent(0.25)} hidden"      # "λ = 0.25, 25 % hidden"

Data colours are the same on a light and on a dark ground. Nothing here sets a ground or a grid colour: figures
are shown with `theme="streamlit"`, which does that in the browser without a rerun.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, overload

import numpy as np
from numpy.typing import ArrayLike

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import IntArray
from kernex_core.gram.order import order_by_class
from pages.server.digits import number, p_value, percent

# Which classes have a colour of their own where there are more than ten: the nine largest, or those that a visitor chose.
#
#     classes = Classes(("a", "b", None), coloured=("b",))     # to be used like the names themselves
#     class_styles(classes)                                    # "b" in its colour, all others in grey
#
# A class keeps its colour on every page, also where only some of the items are shown, and while others come and go.

MOST: Final = 9
"""Classes that are chosen to have a colour; the tenth is that of all others."""


@dataclass(frozen=True)
class Classes(Sequence[str | None]):
    """Class of each item, with the choice of those that are coloured.

    Attributes
    ----------
    names : tuple of str or None
        None or "" = unlabelled.
    coloured : tuple of str
        By the place of their colour; "" where a colour is free. Empty: the largest ones are.
    """

    names: tuple[str | None, ...]
    coloured: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str | None]:
        return iter(self.names)

    @overload
    def __getitem__(self, at: int) -> str | None: ...
    @overload
    def __getitem__(self, at: slice) -> Classes: ...
    def __getitem__(self, at: int | slice) -> str | Classes | None:
        return Classes(self.names[at], self.coloured) if isinstance(at, slice) else self.names[at]


def coloured_of(classes: Sequence[str | None]) -> tuple[str, ...]:
    """Return the choice that comes with the classes of items; empty where nobody has chosen."""
    return classes.coloured if isinstance(classes, Classes) else ()


def like(classes: Sequence[str | None], names: Sequence[str | None]) -> Sequence[str | None]:
    """Return the classes of other items of the same data, with the same choice.

    Examples
    --------
    >>> like(Classes(("a", "b"), ("b",)), ["a"])
    Classes(names=('a',), coloured=('b',))
    """
    coloured = coloured_of(classes)
    return Classes(tuple(names), coloured) if coloured else names


def recoloured(before: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the choice by the place of the colour: who stays keeps its own, who is new takes one that is free.

    Parameters
    ----------
    before : sequence of str
        The choice until now; "" where a colour is free.
    wanted : sequence of str
        The choice from now on, of which the first nine count.

    Examples
    --------
    >>> recoloured(["a", "b", "c"], ["a", "c", "d"])
    ('a', 'd', 'c', '', '', '', '', '', '')
    """
    wanted = list(wanted)[:MOST]
    held = [name if name in wanted else "" for name in before][:MOST]
    held += [""] * (MOST - len(held))
    new = iter([name for name in wanted if name not in held])
    return tuple(name or next(new, "") for name in held)


__all__ = ["number", "p_value", "percent"]

INK = "#666b73"  # on white; figures.ink has the one for a dark ground
GROUND = "#fffffe"  # behind names that stand on the grid, told from other whites; figures.ink has the dark one, too
HATCH = "rgba(128,132,138,0.55)"
HATCH_RGBA = (128, 132, 138, 140)
HATCH_WIDTH = 1.1
UNKNOWN = "rgba(0,0,0,0)"
UNLABELLED = "#9a9fa6"
OTHER = "#7d838c"
"""Of classes without a colour of their own."""
TITLE_SIZE, TICK_SIZE = 12, 11

CIVIDIS = (
    "#00224e", "#123570", "#3b496c", "#575d6d", "#707173",
    "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838",
)  # fmt: skip
DIVERGING = (
    (0.0, (47, 101, 173, 1.0)),
    (0.2, (58, 116, 190, 0.85)),
    (0.4, (79, 134, 198, 0.35)),
    (0.5, (128, 128, 128, 0.0)),
    (0.6, (217, 115, 26, 0.35)),
    (0.8, (217, 115, 26, 0.85)),
    (1.0, (190, 88, 14, 1.0)),
)
CLASS_COLOURS = (
    "#615bc9", "#e5af10", "#55ab8e", "#ba4d02", "#36cae7",
    "#99526a", "#a985f5", "#9ccc9f", "#e46f31", "#8b78ad",
)  # fmt: skip
CLASS_MARKERS = (
    "circle", "diamond", "square", "triangle-up", "x",
    "cross", "star", "triangle-down", "pentagon", "hexagon",
)  # fmt: skip


@dataclass(frozen=True)
class Role:
    """How a kind of line is drawn, everywhere and always."""

    colour: str
    width: float = 1.25
    dash: str = "solid"
    band: str = "rgba(128,132,138,0.14)"

    @property
    def line(self) -> dict[str, str | float]:
        return {"color": self.colour, "width": self.width, "dash": self.dash}


ROLES: Mapping[str, Role] = MappingProxyType(
    {
        "target": Role("#7d838c"),
        "source": Role("#4f86c6", band="rgba(79,134,198,0.16)"),
        "extrapolated": Role("#2f9e8a", 1.75, band="rgba(47,158,138,0.16)"),
        "joint": Role("#d9731a", 2.5, band="rgba(217,115,26,0.16)"),
        "other joint": Role("#d9731a", 1.25, "4px,3px", band="rgba(217,115,26,0.16)"),
        "two machines": Role("#8a6bb8", 1.5, "6px,2px"),
        "sum": Role("#97805f", 1.75, band="rgba(151,128,95,0.16)"),
        "zero-fill": Role("#858b93", dash="4px,3px"),
        "mean-fill": Role("#858b93", 1.5, "1.5px,2.5px"),
        "nystroem": Role("#858b93", dash="8px,3px,2px,3px"),
        "floor": Role("#858b93", 1.0),
    }
)
SERIES = Role("#66758c", 2.5, band="rgba(102,117,140,0.18)")
SECOND = Role("#97805f", 1.5, "4px,3px", band="rgba(151,128,95,0.16)")
THIRD = Role("#66758c", 1.5, "8px,3px,2px,3px", band="rgba(102,117,140,0.18)")
"""Neutral: what plays none of the roles, as kernels judged side by side, classifiers, a kernel before and after."""
MARK = "#e0218a"
"""Colour of chosen items, everywhere."""
POSITIVE_EIGENVALUE, NEGATIVE_EIGENVALUE = SERIES.colour, "#96600a"
"""Neutral, and below 0 the ochre of the badge “indefinite”."""
BELOW, ABOVE = "#2f65ad", "#be580e"
"""Signs of weights, contributions and errors: the ends of `DIVERGING`."""
FITS = "#4a8f3c"
"""Green, where a lesson needs a third colour beside these two: what fits, or is right."""
GUIDE = Role("rgba(128,132,138,0.55)", 1, "2px,3px")


def role_of(role: str | Role) -> Role:
    """A role by name, or the role itself."""
    if isinstance(role, Role):
        return role
    if role not in ROLES:
        raise InvalidInputError(f"A role is one of {', '.join(ROLES)}", repr(role))
    return ROLES[role]


@dataclass(frozen=True)
class ClassStyle:
    """Name, size, colour and marker of one class of items."""

    name: str
    count: int
    colour: str
    marker: str


def class_styles(classes: Sequence[str | None]) -> tuple[ClassStyle, ...]:
    """Styles, largest class first, ties by name; of more than ten the nine largest, and the others as one, in grey.

    Where a visitor has chosen (`Classes`), these have the colours instead, each its own. Items whose class is None or ""
    are unlabelled and belong to no class.
    """
    ranked = ranked_classes(classes)
    kept = len(ranked) if len(ranked) <= len(CLASS_COLOURS) else MOST
    of = list(coloured_of(classes)) or [name for name, _ in ranked[:kept]]
    place = {name: k for k, name in enumerate(of)}
    own = [
        ClassStyle(name, count, CLASS_COLOURS[place[name]], CLASS_MARKERS[place[name]])
        for name, count in ranked
        if name in place
    ]
    if rest := ranked[len(own) :]:
        name = rest[0][0] if len(rest) == 1 else f"{len(rest)} other classes"
        own.append(ClassStyle(name, sum(count for _, count in rest), OTHER, CLASS_MARKERS[-1]))
    return tuple(own)


def ranked_classes(classes: Sequence[str | None]) -> list[tuple[str, int]]:
    """Every class with its number of items, largest first, ties by name; before all others those chosen to be coloured."""
    coloured = set(coloured_of(classes))
    names, counts = np.unique(_labels(classes), return_counts=True)
    found = ((str(name), int(c)) for name, c in zip(names, counts, strict=True) if name != "")
    return sorted(found, key=lambda each: (each[0] not in coloured, -each[1], each[0]))


def class_codes(classes: Sequence[str | None]) -> IntArray:
    """Place of every item's class in `class_styles(classes)`, −1 for unlabelled items."""
    last = len(class_styles(classes)) - 1
    rank = {name: min(k, last) for k, (name, _) in enumerate(ranked_classes(classes))}
    return np.array([rank.get(name, -1) for name in _labels(classes)], dtype=np.int64)


def class_order(classes: Sequence[str | None], unknown: ArrayLike | None = None) -> IntArray:
    """Positions sorted by class, largest first, unlabelled last; within a class items of `unknown` come last.

    Bands instead of noise: this is the order of every heatmap. `unknown` is a boolean mask over the items.
    """
    known = None if unknown is None else ~np.asarray(unknown, dtype=bool)
    return order_by_class(np.array(_labels(classes), dtype=np.str_), known)


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of "#rrggbb"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def rgba(colour: tuple[float, ...]) -> str:
    """CSS text of red, green, blue (0 to 255) and alpha (0 to 1)."""
    red, green, blue, alpha = colour
    return f"rgba({red:g},{green:g},{blue:g},{alpha:g})"


def symbol(text: str) -> str:
    """A symbol of the papers in a figure: italic, in the face of the formulas (serif outside the app)."""
    return f'<span style="font-family:KaTeX_Math,serif;font-style:italic">{text}</span>'


def escaped(text: object) -> str:
    """Text of users in a figure: plotly reads a few tags, so `<` and `&` are written as entities."""
    return html.escape(str(text), quote=False)


def shortened(name: str, most: int) -> str:
    """A name in at most so many characters: of a longer one the beginning."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _labels(classes: Sequence[str | None]) -> list[str]:
    return ["" if name is None else str(name) for name in classes]
