"""MAPS: the maps φ of single similarities that the page Power p offers, each with the values that it judges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kernex_core.conditioning.power import ElementMap, SignedLog, SignedPower
from kernex_core.frozen import EqualByContent
from kernex_core.parameters import check_choice


@dataclass(frozen=True, eq=False)
class MapChoice(EqualByContent):
    """One map φ with one number that says how strongly it shrinks.

    Attributes
    ----------
    name : str
        What pages call it.
    strength : str
        Field of `DiagonalConfig` that holds the number; also its name in words.
    make : callable
        From the number to φ.
    grid : tuple of float
        Numbers that a sweep judges.
    symbol, words : str
        The number in the name of a kernel, and in a sentence (Markdown).
    axis : str
        Title of an axis of the number.
    logarithmic : bool
        That axis shows its logarithm.
    summary : str
        What φ is, in one line.
    tex : str
        TeX of φ(x), with a place for the number.
    """

    name: str
    strength: str
    make: Callable[[float], ElementMap]
    grid: tuple[float, ...]
    symbol: str
    words: str
    axis: str
    summary: str
    tex: str
    logarithmic: bool = False


POWER = MapChoice(
    "power", "p", SignedPower, (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1), symbol="p", words="*p*",
    axis="power p of every entry", summary="sgn(x) |x|^p.", tex="|x|^{{{:g}}}",
)  # fmt: skip
LOG = MapChoice(
    "log", "scale", SignedLog, (1.0, 10.0, 100.0, 1e3, 1e4, 1e6, 1e8), symbol="log, scale", words="the scale",
    axis="log₁₀ of the scale", summary="sgn(x) log(1 + s|x|), s = scale / mean diagonal.",
    tex=r"\log(1 + {:g}\,|x|)", logarithmic=True,
)  # fmt: skip

MAPS: tuple[MapChoice, ...] = (
    POWER,
    LOG,
)


def map_named(name: str) -> MapChoice:
    """Map of that name.

    Raises
    ------
    InvalidInputError
        Listing the names that there are.
    """
    check_choice("The map φ", name, [choice.name for choice in MAPS])
    return next(choice for choice in MAPS if choice.name == name)
