"""What can be set on the page Strings."""

from __future__ import annotations

from typing import Final

from pages.kernels.strings import classes, fisher, new_items, new_results, pair, table
from pages.shared.declared.settings import declared, of_data, setting
from pages.shared.one_kernel.look import IN_FULL
from pages.shared.panels import build
from pages.shared.panels.inspection.conditioning import conditioned_by

PREFIX: Final = "sequences."
"""Of how the matrix is conditioned, which starts otherwise than on the page Kernels."""
SETTINGS: Final = declared(
    of_data("sequences", "Sequences"), setting("tab", "Part of the page"),
    *(each for each in build.SETTINGS if each.name != "samples"), *conditioned_by(PREFIX), *IN_FULL,
    *pair.SETTINGS, *classes.SETTINGS, *new_items.SETTINGS, *new_results.SETTINGS, *table.SETTINGS, *fisher.SETTINGS,
)  # fmt: skip
