"""What a session holds: data sets, kept kernels, selections, page state. Only `pages.shared.workspace` keeps one."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from kernex_core.gram.matrix import GramMatrix
    from kernex_core.inputs.chosen_items import ChosenItems
    from kernex_core.inputs.dataset import DataSet


class ItemChoice(Protocol):
    """What `set_selection` takes: which items of a data set to keep, on every page."""

    def items(self, dataset: DataSet, /) -> ArrayLike | ChosenItems: ...  # mask or positions


@dataclasses.dataclass
class Entry:
    """A data set, the kernels kept for it, and the selection."""

    dataset: DataSet
    kernels: dict[str, GramMatrix] = dataclasses.field(default_factory=dict)
    selection: ItemChoice | None = None
    view: DataSet | None = None  # what current() gave last; digests of its matrices are computed once


@dataclasses.dataclass
class State:
    """All data sets of a session, and what pages remember."""

    entries: dict[str, Entry] = dataclasses.field(default_factory=dict)
    chosen: str | None = None
    choice_is_stale: bool = False  # the select box has to follow a choice made by a page
    kernel_is_stale: bool = False  # the kernel that is chosen was chosen among those of another data set
    memory: dict[str, object] = dataclasses.field(default_factory=dict)
    cache: object = None
