"""Controls of the pages Kernels and Sequences: what is done to a kernel before it is looked at, and the order of items."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from kernex_core.base.parameters import parameters
from kernex_core.studies.inspection import InspectionConfig
from pages.shared.declared.labels import label
from pages.shared.declared.settings import Setting, in_view, of, setting
from pages.shared.panels.arrangement import order_box, orders
from pages.shared.widget import widget

FIELDS = parameters(InspectionConfig)
OF_STRINGS = InspectionConfig(normalize="cosine")
"""Where a kernel of strings or graphs starts, on every page: those of many sizes start cosine-normalised."""


def conditioned_by(prefix: str = "", *, in_row: bool = False) -> tuple[Setting, ...]:
    """Declare what `conditioning` draws; `in_row`: normalisation and power stand in the first row of the page."""
    name = label(FIELDS["normalize"], "normalize")
    first = (
        setting(f"{prefix}normalise", name), setting(f"{prefix}normalise_strings", name),
        *of(InspectionConfig, "p", prefix=prefix),
    )  # fmt: skip
    elements = of(InspectionConfig, "elements", prefix=prefix)
    return (*(in_view(*first) if in_row else first), *elements, *orders(prefix))


def conditioning(
    slots: Sequence[AbstractContextManager[object]],
    start: InspectionConfig,
    *,
    with_classes: bool,
    prefix: str = "",
) -> tuple[InspectionConfig, str]:
    """Draw normalisation, elements, power and order, each into its slot; return the settings and the order's name.

    Parameters
    ----------
    slots : four containers
    start : InspectionConfig
        Defaults.
    with_classes : bool
        Whether items can be sorted by class.
    prefix : str
        As they were declared.
    """

    def drawn(slot: AbstractContextManager[object], field: str, name: str) -> Any:
        with slot:
            return widget(FIELDS[field], getattr(start, field), name=name, setting=f"{prefix}{name}")

    # two widgets, for they start with different values
    strings = start.normalize == OF_STRINGS.normalize
    normalize = drawn(slots[0], "normalize", "normalise_strings" if strings else "normalise")
    elements = drawn(slots[1], "elements", "elements")
    p = drawn(slots[2], "p", "p") if elements == "power" else 1.0
    how = order_box(slots[3], with_classes=with_classes, prefix=prefix)
    return InspectionConfig(elements=str(elements), p=float(p), normalize=str(normalize)), how
