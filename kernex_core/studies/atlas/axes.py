"""What an atlas runs along: a parameter of a study, its values, and how each is said and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent
from kernex_core.base.parameters import check_choice, check_range
from kernex_core.base.printed import typeset
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import C_GRID, CrossValidation

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
        What a share is of: "hidden"; then values are shares, said in percent.
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
        if self.noun:
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
            return self.tick(at)
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
LABEL_SHARES: Final = (0.25, 0.4, 0.55, 0.7, 0.85, 1.0)
_THINNING: Final = 1


def cost_axis(setting: str, values: tuple[float, ...] = C_GRID) -> Axis:
    """C of the support vector machines, by the name that the page of the study has for it."""
    return Axis("C", "Cost", values, symbol="C", setting=setting)


def label_axis(labels: Labels, folds: int) -> Axis:
    """How many labels are known: a learning curve, of which nothing is set on a page.

    Parameters
    ----------
    labels : Labels
        Of shares that leave the same labels, as all do where classes are as small as there are folds, the largest stays.
    folds : int
        So many of each class stay known, see `thinned`.
    """
    least = fewest_known(folds)
    counts = [count for _, count in labels.classes]
    left = {tuple(_kept(share, count, least) for count in counts): share for share in LABEL_SHARES}
    return Axis(
        "labels", "Labels that are known", tuple(left.values()), noun="of the labels", is_choice=False
    )


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


def judged_at(
    down: Axis, value: Value, labels: Labels, validation: CrossValidation
) -> tuple[Labels, CrossValidation]:
    """Labels and protocol of a row, where the second parameter is one of those that every study has."""
    if isinstance(value, float | int):
        if down.name == "C":
            validation = replace(validation, C=float(value))
        elif down.name == "labels":
            least = fewest_known(validation.folds)
            labels = thinned(labels, float(value), seed=validation.seed, least=least)
    return labels, validation


def fewest_known(folds: int) -> int:
    """Labels of a class that stay known however few are asked for: one a fold."""
    return max(folds, 2)


def _kept(share: float, count: int, least: int) -> int:
    return max(round(share * count), min(least, count))


def thinned(labels: Labels, share: float, *, seed: int, least: int = 2) -> Labels:
    """Labels of which a share is known: that share of each class, drawn once, so that a smaller one is a part of a larger.

    Parameters
    ----------
    labels : Labels
    share : float
        0 to 1.
    seed : int
    least : int
        So many of each class stay, where it has them: fewer cannot be divided.

    Examples
    --------
    >>> import numpy as np
    >>> from kernex_core import Labels
    >>> from kernex_core.studies.atlas.axes import thinned
    >>> labels = Labels(tuple("abcdefgh"), np.repeat(["x", "y"], 4))
    >>> [int(thinned(labels, share, seed=0).labelled.sum()) for share in (0.25, 0.75, 1.0)]
    [4, 6, 8]
    """
    share = check_range("The share of labels", share, 0.0, 1.0)
    if not labels.judgeable:
        raise InvalidInputError("Labels of at least two classes are needed", f"{len(labels.classes)} classes")
    rng = np.random.default_rng(np.random.SeedSequence([seed, 0, _THINNING]))
    y = labels.y.copy()
    for name in sorted(name for name, _ in labels.classes):
        at = rng.permutation(np.flatnonzero(labels.y == name))
        y[at[_kept(share, at.size, least) :]] = ""
    return Labels(labels.ids, y, labels.groups, copies=labels.copies)
