"""What can be set on the page Strings."""

from __future__ import annotations

from typing import Final

from kernex_core.kernels.catalogue import kernels_for
from pages.kernels.strings import classes, fisher, new_items, new_results, pair, table
from pages.shared.declared.settings import declared, in_view, of_data, setting
from pages.shared.one_kernel.look import IN_FULL
from pages.shared.panels import build
from pages.shared.panels.inspection.conditioning import conditioned_by

PREFIX: Final = "sequences."
"""Of how the matrix is conditioned, which starts otherwise than on the page Kernels."""
FIRST: Final = frozenset(build.first_parameter(kind) for kind in kernels_for("sequences"))
"""Of each kernel the parameter that stands in the first row."""
SETTINGS: Final = declared(
    *in_view(
        of_data("sequences", "Sequences"), setting("tab", "Part of the page"),
        *(each for each in build.SETTINGS if each.name in FIRST),
        *pair.SETTINGS, *classes.SETTINGS, *new_items.SETTINGS, *new_results.SETTINGS, *fisher.SETTINGS,
    ),
    *(each for each in build.SETTINGS if each.name != "samples" and each.name not in FIRST),
    *conditioned_by(PREFIX), *IN_FULL, *table.SETTINGS,
)  # fmt: skip
