"""Workspace: everything that a person has open, as one value. What a file of it holds, and what a file gives back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.items.selection import Selection


@dataclass(frozen=True, eq=False)
class OpenData(EqualByContent):
    """A data set with what was done to it.

    Attributes
    ----------
    dataset : DataSet
        Whole, without the selection and the kept kernels.
    kernels : dict of str to GramMatrix
        Kept kernels by name; their items are items of the data set, perhaps not all of them.
    selection : Selection or None
        Which items are looked at; None = all.
    """

    dataset: DataSet
    kernels: Mapping[str, GramMatrix] = field(default_factory=dict)
    selection: Selection | None = None

    def __post_init__(self) -> None:
        known = set(self.dataset.ids)
        for name, K in self.kernels.items():
            strangers = set(K.ids) - known
            if strangers:
                raise InvalidInputError(
                    f"A kernel kept for {self.dataset.name!r} has to be on its items",
                    f"{name!r} has {len(strangers)} others, for example {min(strangers)!r}",
                )

    @property
    def selected(self) -> DataSet:
        """The data set as pages show it: with the selection applied and the kept kernels that cover it attached."""
        chosen = self.selection
        return with_kept(
            self.dataset if chosen is None else self.dataset.select(chosen.items(self.dataset)), self.kernels
        )


@dataclass(frozen=True, eq=False)
class Workspace(EqualByContent):
    """Data sets in order of arrival, which of them is chosen, and the settings of pages.

    Attributes
    ----------
    data : tuple of OpenData
        With names that differ.
    chosen : str or None
        Name of the data set that is looked at.
    settings : dict of str to plain values
        Settings of pages: text, numbers, True, False, None, and lists and dicts of these.
    """

    data: tuple[OpenData, ...] = ()
    chosen: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [entry.dataset.name for entry in self.data]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidInputError(
                "Data sets of a workspace have names that differ", f"two are called {twice!r}"
            )
        if self.chosen is not None and self.chosen not in names:
            raise InvalidInputError(
                "The chosen data set has to be one of the workspace", f"{self.chosen!r}, which is not in it"
            )
        check_plain(self.settings)

    @property
    def datasets(self) -> dict[str, DataSet]:
        """Every data set by its name, as pages show it; see `OpenData.selected`."""
        return {entry.dataset.name: entry.selected for entry in self.data}


def check_plain(value: Any, at: str = "settings") -> None:
    """Refuse settings that JSON could not give back as they were.

    Raises
    ------
    InvalidInputError
        Naming the place.
    """
    if value is None or type(value) in (str, bool, int):
        return
    if type(value) is float and math.isfinite(value):
        return
    if type(value) is list:
        for place, item in enumerate(value):
            check_plain(item, f"{at}[{place}]")
        return
    if isinstance(value, Mapping) and all(type(key) is str for key in value):
        for key, item in value.items():
            check_plain(item, f"{at}[{key!r}]")
        return
    raise InvalidInputError(
        "Settings of a workspace are text, finite numbers, True, False, None, and lists and dicts of these",
        f"a value of type {type(value).__name__} in {at}",
    )


def with_kept(view: DataSet, kernels: Mapping[str, GramMatrix]) -> DataSet:
    """Return a data set with those kept kernels attached that cover its items."""
    for name, K in kernels.items():
        position = {item: i for i, item in enumerate(K.ids)}
        if all(item in position for item in view.ids):
            same = K.ids == view.ids
            view = view.with_kernel(name, K if same else K.take([position[item] for item in view.ids]))
    return view
