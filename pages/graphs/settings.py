"""What can be set on the page Graphs."""

from __future__ import annotations

from typing import Final

from pages.graphs import gallery, kernel, pair, table
from pages.shared.declared.settings import declared, of_data, setting
from pages.shared.one_kernel.look import IN_FULL
from pages.shared.panels.inspection.conditioning import conditioned_by

TAB: Final = "graphs_tab"
PREFIX: Final = "graphs."
"""Of how the matrix is conditioned, which starts otherwise than on the page Kernels."""
SETTINGS: Final = declared(
    of_data("graphs", "Graphs"), setting(TAB, "Part of the page"), *gallery.SETTINGS, *kernel.SETTINGS,
    *conditioned_by(PREFIX), *IN_FULL, *pair.SETTINGS, *table.SETTINGS,
)  # fmt: skip
