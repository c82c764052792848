"""What an atlas runs along: a parameter of a study, its values, and how each is said and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from kernex_core.base.digits import typeset
from kernex_core.base.frozen import EqualByContent
from kernex_core.base.parameters import check_choice
from kernex_core.learning.folds import C_GRID

Value = float | str | None


@dataclass(frozen=True, eq=False)
class Axis(EqualByContent):
    """A parameter with the values that are judged.

    Attributes
    ----------
    name : str
        What a function takes it by.
    label : str
        As its page calls it.
    values : tuple of float or str
        In the order in which they are drawn.
    symbol : str
        Letter of a number: "λ".
    noun : str
        What a share is of: "hidden"; then numbers are shares, said in percent. Of a text: "left out".
    setting : str
        Its name in the address of the page of that study; "" = that page has none.
    names : tuple of str
        What values that are texts are called.
    is_choice : bool
        Somebody sets it. A hidden share is a circumstance: none is better than another, and settings are compared at each.

    Examples
    --------
    >>> from kernex_core.studies.atlas.axes import Axis
    >>> lam = Axis("lam", "Weight of the source", (0.0, 0.25, 1.0), symbol="λ", setting="lam")
    >>> lam.words(1), lam.written(1), lam.nearest(0.3)
    ('λ = 0.25', '0.25', 1)
    """

    name: str
    label: str
    values: tuple[Value, ...]
    symbol: str = ""
    noun: str = ""
    setting: str = ""
    names: tuple[str, ...] = ()
    is_choice: bool = True

    @property
    def numbers(self) -> tuple[float, ...]:
        """The values, where they are numbers."""
        return tuple(float(each) for each in self.values if isinstance(each, float | int))

    @property
    def title(self) -> str:
        """Of a picture's axis: the label with its unit or letter."""
        if self.noun and self.numbers:
            return f"{self.label}, %"
        return f"{self.label} {self.symbol}" if self.symbol else self.label

    def tick(self, at: int) -> str:
        """A value on that axis."""
        value = self.values[at]
        if isinstance(value, str):
            return self.names[at] if self.names else value
        if value is None:
            return ""
        return f"{100.0 * value:g}" if self.noun else typeset(f"{value:g}")

    def words(self, at: int) -> str:
        """A value in a sentence."""
        value = self.values[at]
        if value is None or isinstance(value, str):
            return f"{self.tick(at)} {self.noun}".rstrip()
        return (
            f"{100.0 * value:g}\u00a0% {self.noun}"
            if self.noun
            else f"{self.symbol} = {typeset(f'{value:g}')}"
        )

    def written(self, at: int) -> str:
        """A value as an address has it."""
        value = self.values[at]
        if value is None or isinstance(value, str):
            return value or ""
        return f"{100.0 * value:g} %" if self.noun else f"{value:g}"

    def nearest(self, wanted: Value) -> int:
        """Place of the value that is nearest; of a name that is none of them, the first."""
        if isinstance(wanted, str) or wanted is None:
            return self.values.index(wanted) if wanted in self.values else 0
        gaps = [abs(each - wanted) if isinstance(each, float | int) else np.inf for each in self.values]
        return int(np.argmin(gaps))


NOTHING: Final = Axis("", "", (None,), is_choice=False)
"""No second parameter: one row."""


def cost_axis(setting: str, values: tuple[float, ...] = C_GRID) -> Axis:
    """C of the support vector machines, by the name that the page of the study has for it."""
    return Axis("C", "Cost", values, symbol="C", setting=setting)


def axis_down(down: str, axes: Mapping[str, Axis]) -> Axis:
    """The second parameter of that name, "" = none.

    Raises
    ------
    InvalidInputError
        There is no such parameter.
    """
    every = {"": NOTHING, **axes}
    check_choice("The second parameter", down, tuple(every))
    return every[down]
